"""What is in a test's database, read in a session that is over at once."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, select

from app.container import Container
from app.database import Base
from app.models import Photo


def one(container: Container, model: type, key: object) -> Any:
    """The row with this key, which must be there."""
    with container.database.read_session() as session:
        return session.get_one(model, key)


def only(container: Container, statement: Select) -> Any:
    """The only one that the statement finds."""
    with container.database.read_session() as session:
        return session.scalars(statement).one()


def first(container: Container, statement: Select) -> Any:
    """The first that the statement finds, or None."""
    with container.database.read_session() as session:
        return session.scalar(statement)


def found(container: Container, statement: Select) -> Sequence[Any]:
    """All that the statement finds."""
    with container.database.read_session() as session:
        return session.scalars(statement).all()


def count(container: Container, model: type, *where: Any) -> int:
    """How many rows there are, of all or of those where this holds."""
    with container.database.read_session() as session:
        return session.scalar(select(func.count()).select_from(model).where(*where)) or 0


def tries(container: Container, photo_id: str) -> tuple[int, int]:
    """How many tries at the photo count, and how often it was put off."""
    kept = one(container, Photo, photo_id)
    return kept.attempts, kept.postponements


def contents(container: Container) -> dict[str, list[str]]:
    """All rows of all tables, in words."""
    with container.database.read_session() as session:
        return {
            table.name: sorted(map(repr, session.execute(select(table)).all()))
            for table in Base.metadata.sorted_tables
        }
