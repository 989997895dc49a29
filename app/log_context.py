"""Operations: the name and the ids by which logs, traces and error reports identify a piece of work."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager

from structlog.contextvars import bound_contextvars

Ids = Mapping[str, str | None]
Observer = Callable[[str, Ids], AbstractContextManager[object]]
_observers: list[Observer] = []


def observe(observer: Observer) -> None:
    """Call the observer for every later operation of this process, and enter the context that it returns."""
    _observers.append(observer)


@contextmanager
def operation(name: str, **ids: str | None) -> Iterator[None]:
    """Add these ids to every log line written in the block, and run it inside the contexts of all observers.

    An exception that leaves the block passes through these contexts.
    """
    with ExitStack() as stack:
        stack.enter_context(bound_contextvars(**{key: value for key, value in ids.items() if value is not None}))
        for observer in _observers:
            stack.enter_context(observer(name, ids))
        yield
