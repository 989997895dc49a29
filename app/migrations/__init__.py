"""The history of the tables, one readable step a file, and the command that brings a database up to date."""

import logging
import re
import time
from pathlib import Path

from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from app.database import Database
from app.preload import load

log = logging.getLogger(__name__)

VERSIONS = Path(__file__).parent / "versions"
"""The steps, one a file; the files are numbered."""
REACHED_SECONDS = 60
"""How long the database may be unreachable at the start."""
PAUSE_SECONDS = 0.5
"""The pause between two tries."""
_REVISION = re.compile(r'^revision = "(\w+)"$', re.MULTILINE)


class OtherVersionError(Exception):
    """The tables are those of a version whose steps are not known here; nothing was changed."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"What lies here was made by another version of Brightlist, whose tables ({revision}) this one cannot "
            "read. Nothing was changed. Start that version to download what is kept: pictures on the page of each "
            'order, the rest by "Download your data" on the account\'s page. To begin anew with this version, set '
            "another DATA_DIR, or the DATABASE_URL of an empty database."
        )


def migrate(database: Database, revision: str = "head") -> None:
    """Bring the tables up to date; harmless when they are, safe when several machines start together.

    On PostgreSQL each step is a transaction, which releases its locks and is tried again when it waits for one
    longer than MIGRATION says, so that a release that serves meanwhile never waits long. Raises OperationalError
    when the database is unreachable for REACHED_SECONDS, or a step could not lock its tables in LOCK_TRIES tries:
    finished steps stay, and the next start continues. Raises OtherVersionError if the tables are of no known step.
    """
    _wait_until_reached(database)
    # Asked first, without Alembic, which takes half a second of each start to load.
    known, found = list_revisions(), revision_of(database)
    if found is not None and found not in known:
        raise OtherVersionError(found)
    if revision != "head" or found != known[-1]:
        _move(database, revision)


def _wait_until_reached(database: Database) -> None:
    """Wait for the database: a machine may start before it does, or while it is restarted."""
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


def list_revisions() -> list[str]:
    """The steps of the history, in their order."""
    steps = (path.read_text() for path in sorted(VERSIONS.glob("[0-9]*.py")))
    return [found[1] for step in steps for found in _REVISION.finditer(step)]


def revision_of(database: Database) -> str | None:
    """The step to which the database has come, or None if it has none."""
    with database.engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def _move(database: Database, revision: str) -> None:
    # Loaded late: few processes migrate, and none has to when the tables are up to date.
    load("app.migrations.moving").move(database, "upgrade", revision)
