"""Whether money and files of a test agree, asked for less: what once agreed to the row need not be judged again."""

from threading import get_ident
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.orm import Session

from app.container import Container
from app.services import audit

_asked: list[tuple[str, Any]] = []
"""What the audit asks the database, the same whatever it says."""
_agreed: set[int] = set()
"""What the database said when all agreed; files have names of their own, so others are others here too."""


def mismatches(container: Container) -> list[str]:
    """Every disagreement found, in words."""
    with container.database.read_session() as session:
        if not _asked:
            return _noted(session, container)
        said = _said(session)
        if said in _agreed:
            return []
        found = list(audit.find_mismatches(session, container.storage))
    if not found:
        _agreed.add(said)
    return found


def _said(session: Session) -> int:
    connection = session.connection()
    answers = (connection.exec_driver_sql(statement, values) for statement, values in _asked)
    return hash(tuple(tuple(sorted(str(row) for row in answer)) for answer in answers))


def _noted(session: Session, container: Container) -> list[str]:
    acting = get_ident()

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if get_ident() == acting and statement.startswith("SELECT"):
            _asked.append((statement, values))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        return list(audit.find_mismatches(session, container.storage))
    finally:
        event.remove(Engine, "before_cursor_execute", note)
