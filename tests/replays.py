"""What almost every test begins with, done once: later tests send the statements again that it wrote."""

from collections.abc import Callable
from threading import get_ident
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from flask import Flask
from sqlalchemy import Engine, event

from app.container import Container

WRITES = ("INSERT", "UPDATE", "DELETE")
Given = TypeVar("Given")
Statement = tuple[str, Any]

_done: WeakKeyDictionary[Flask, dict[Any, tuple[list[Statement], Any]]] = WeakKeyDictionary()


def replayed(app: Flask, container: Container, name: tuple[str, ...], act: Callable[[], Given]) -> Given:
    """What the act gave when it was done for this application at this time; what it wrote is written once more.

    The act must write rows of its own alone, whatever else there is, and change nothing but the database. Where it
    wakes somebody it is done each time.
    """
    done = _done.setdefault(app, {})
    key = (name, container.clock())
    if key in done:
        statements, given = done[key]
        with container.database.unit_of_work() as session:
            connection = session.connection()
            for statement, values in statements:
                connection.exec_driver_sql(statement, values).close()
        return given
    before = _woken(container)
    statements, given = _noted(act)
    if _woken(container) == before:
        done[key] = statements, given
    return given


def _noted(act: Callable[[], Given]) -> tuple[list[Statement], Given]:
    found: list[Statement] = []
    acting = get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if get_ident() == acting and statement.startswith(WRITES):
            found.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        return found, act()
    finally:
        event.remove(Engine, "before_cursor_execute", note)


def _woken(container: Container) -> int:
    return sum(len(ids) for ids in container.queue.queues.values())
