"""The container of a background process, set once before any work."""

from app.container import Container

_container: list[Container] = []


def use(container: Container) -> None:
    """Let tasks of this process, and of the children it forks, work with this container."""
    _container[:] = [container]


def container() -> Container:
    """The container in use."""
    return _container[0]
