"""The container of a background process, which is set once, before any work."""

from app.container import Container

_container: list[Container] = []


def use(container: Container) -> None:
    """Set the container for all tasks of this process and of the processes that it forks."""
    _container[:] = [container]


def container() -> Container:
    """The container in use."""
    return _container[0]
