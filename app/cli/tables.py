"""The database as commands reach it: with its tables up to date."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from sqlalchemy.orm import Session

from app.connections import COMMANDS
from app.container import Container
from app.migrations import OtherVersionError, migrate
from app.web import context


def container() -> Container:
    """The running parts, as an operator's command uses them."""
    found = context.container()
    found.connections = COMMANDS
    return found


def bring_up_to_date() -> None:
    """Make the tables as this version needs them; ends the command where it cannot."""
    try:
        migrate(container().database)
    except OtherVersionError as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def unit_of_work() -> Iterator[Session]:
    """A unit of work on up-to-date tables."""
    bring_up_to_date()
    with container().database.unit_of_work() as session:
        yield session
