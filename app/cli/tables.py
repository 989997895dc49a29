"""The database as commands reach it: with its tables up to date."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from app.migrations import migrate
from app.web.context import container


@contextmanager
def unit_of_work() -> Iterator[Session]:
    """A unit of work on up-to-date tables."""
    migrate(container().database)
    with container().database.unit_of_work() as session:
        yield session
