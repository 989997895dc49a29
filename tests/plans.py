"""How a database goes about what it is asked: its plans, and how many rows it looks at on the way."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import event
from sqlalchemy.orm import Session

from tests.statements import BOUNDARIES

SORTS = re.compile(r"TEMP B-TREE|\bSort\b")
_ACTUAL = re.compile(r"\(actual [^)]*rows=(\d+(?:\.\d+)?) loops=(\d+)\)")
_REMOVED = re.compile(r"Rows Removed by [^:]*: (\d+)")
_STEPS_BETWEEN = 100
"""Steps of SQLite's machine between two counts; a row takes a dozen or more."""


def plan(session: Session, act: Callable[[], object]) -> str:
    """The plans of all statements that the act sends."""
    explain = "EXPLAIN QUERY PLAN" if _is_sqlite(session) else "EXPLAIN (ANALYZE)"
    connection, sent = session.connection(), _sent(session, act)
    rows = [row for each, values in sent for row in connection.exec_driver_sql(f"{explain} {each}", values)]
    return "\n".join(str(row[-1]) for row in rows)


def effort(session: Session, act: Callable[[], object]) -> int:
    """How much the database does for the act: steps of SQLite's machine, rows that PostgreSQL looks at."""
    if not _is_sqlite(session):
        text = plan(session, act)
        rows = sum(float(count) * int(loops) for count, loops in _ACTUAL.findall(text))
        return int(rows) + sum(map(int, _REMOVED.findall(text)))
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += _STEPS_BETWEEN

    connection = session.connection().connection.driver_connection
    connection.set_progress_handler(count, _STEPS_BETWEEN)
    try:
        act()
    finally:
        connection.set_progress_handler(None, 0)
    return steps


def heavy(session: Session, act: Callable[[], object], most: int) -> list[str]:
    """What PostgreSQL does for the act with more rows than so many, statement by statement.

    What it changes is undone. Insertions are left out: they look at nothing.
    """
    sent = [each for each in _sent(session, act) if each[0].startswith(("SELECT", "WITH", "UPDATE", "DELETE"))]
    session.rollback()
    found = []
    for statement, values in sent:
        explained = f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}"
        told = session.connection().exec_driver_sql(explained, values).scalar_one()
        for node in touching(told[0]["Plan"], most):
            found.append(f"{node} in {statement}")
    session.rollback()
    return found


def touching(node: dict[str, Any], most: int) -> Iterator[str]:
    """The steps of a plan of PostgreSQL that look at more rows than so many."""
    rows = (node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"]
    if rows > most:
        yield f"{node['Node Type']} {node.get('Relation Name', '')} {node.get('Index Name', '')}: {rows:,.0f} rows"
    for child in node.get("Plans", ()):
        yield from touching(child, most)


def _is_sqlite(session: Session) -> bool:
    return session.get_bind().dialect.name == "sqlite"


def _sent(session: Session, act: Callable[[], object]) -> list[tuple[str, Any]]:
    sent: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        if not statement.startswith(BOUNDARIES):
            sent.append((statement, values))

    engine = session.get_bind()
    event.listen(engine, "before_cursor_execute", note)
    try:
        act()
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return sent
