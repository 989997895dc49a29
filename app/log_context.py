"""A piece of work, as logs, traces and reports of errors tell it from others: its name and ids."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager

from structlog.contextvars import bound_contextvars

Ids = Mapping[str, str | None]
Observer = Callable[[str, Ids], AbstractContextManager[object]]
_observers: list[Observer] = []


def observe(observer: Observer) -> None:
    """Let the observer's context be entered around every operation of this process from now on."""
    _observers.append(observer)


@contextmanager
def operation(name: str, **ids: str | None) -> Iterator[None]:
    """Everything that is logged in the block bears these ids; observers are told of it, faults included."""
    with ExitStack() as stack:
        stack.enter_context(bound_contextvars(**{key: value for key, value in ids.items() if value is not None}))
        for observer in _observers:
            stack.enter_context(observer(name, ids))
        yield
