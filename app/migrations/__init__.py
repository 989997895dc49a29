"""The history of the tables, one readable step a file, and the command that brings a database up to date."""

import logging
import re
import time
from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from app.database import Database
from app.loading import load

log = logging.getLogger(__name__)

REACHED_SECONDS = 60
"""So long may the database be away at the start."""
PAUSE_SECONDS = 0.5
"""Between two tries."""
_VERSIONS = Path(__file__).parent / "versions"
_REVISION = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)


def migrate(database: Database, revision: str = "head") -> None:
    """Bring the tables up to date; harmless when they are, safe when several machines start together.

    On PostgreSQL each step is a transaction, which gives up its locks and begins anew when it waits for one longer
    than MIGRATION says, so that a release that serves meanwhile never waits long. Raises OperationalError when the
    database is away for REACHED_SECONDS, or a step could not have its tables in LOCK_TRIES tries: what was done
    stays, and the next start goes on.
    """
    _wait_until_reached(database)
    # Asked first, without Alembic, which takes half a second of each start to load.
    if revision != "head" or revision_of(database) != newest():
        _move(database, "upgrade", revision)


def _wait_until_reached(database: Database) -> None:
    """A machine may start before its database does, or while that is restarted."""
    deadline = time.monotonic() + REACHED_SECONDS
    while True:
        try:
            database.engine.connect().close()
        except OperationalError as error:
            if time.monotonic() > deadline:
                raise
            log.warning("the database cannot be reached yet: %s", error.orig)
            time.sleep(PAUSE_SECONDS)
        else:
            return


def take_back(database: Database, revision: str = "-1") -> None:
    """Take steps back, down to the revision, in the same way."""
    _move(database, "downgrade", revision)


def newest() -> str:
    """The last step of the history: its files are numbered."""
    (found,) = _REVISION.finditer(max(_VERSIONS.glob("[0-9]*.py")).read_text())
    return found[1]


def revision_of(database: Database) -> str | None:
    """The step to which the database has come, or None where it has none."""
    with database.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _move(database: Database, command: str, revision: str) -> None:
    # Loaded late: few processes migrate, and none has to when the tables are up to date.
    load("app.migrations.moving").move(database, command, revision)
