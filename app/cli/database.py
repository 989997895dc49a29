"""The container and the database for the operator's commands, with the tables migrated to this version."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from app.cli.process_commands import bring_up_to_date
from app.connections import COMMANDS
from app.container import Container
from app.web import context


def container() -> Container:
    """The application's container, with connections as for commands (connections.COMMANDS)."""
    found = context.container()
    found.connections = COMMANDS
    return found


@contextmanager
def unit_of_work() -> Iterator[Session]:
    """A unit of work, after a migration of the tables to this version. Raises ClickException where that fails."""
    bring_up_to_date(container().database)
    with container().database.unit_of_work() as session:
        yield session
