"""Counts the SQL statements that something sends."""

from collections.abc import Callable
from threading import get_ident
from typing import Any

from sqlalchemy import Engine, event

BOUNDARIES = ("BEGIN", "SAVEPOINT", "RELEASE", "PRAGMA")


def counted(act: Callable[[], object], said: list[str] | None = None) -> int:
    """How many statements the act sends, those left out that only bound transactions; `said` collects them.

    Those of its own thread: what a container of another test still renews in the background is not the act's.
    """
    found: list[str] = said if said is not None else []
    acting = get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if get_ident() == acting and not statement.startswith(BOUNDARIES):
            found.append(statement)

    before = len(found)
    # Every engine of this process: a glance has one of its own over the same connections.
    event.listen(Engine, "before_cursor_execute", note)
    try:
        act()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return len(found) - before
