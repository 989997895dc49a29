"""The database as commands reach it: with its tables up to date."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from app.cli.process_commands import bring_up_to_date
from app.connections import COMMANDS
from app.container import Container
from app.web import context


def container() -> Container:
    """The running parts, as an operator's command uses them."""
    found = context.container()
    found.connections = COMMANDS
    return found


@contextmanager
def unit_of_work() -> Iterator[Session]:
    """A unit of work on up-to-date tables."""
    bring_up_to_date(container().database)
    with container().database.unit_of_work() as session:
        yield session
