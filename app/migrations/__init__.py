"""The history of the tables, one readable step a file, and the command that brings a database up to date."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import LockNotAvailable
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import OperationalError

from app.connections import MIGRATION
from app.database import Database

log = logging.getLogger(__name__)

LOCK_TRIES = 120
"""So often a step is begun again that could not have its tables: others would have waited behind it."""
REACHED_SECONDS = 60
"""So long may the database be away at the start."""
PAUSE_SECONDS = 0.5
"""Between two tries: who waited meanwhile is let through."""
_LOCK = 0x6272_6967  # any fixed number: keeps two machines from migrating at once


def migrate(database: Database, revision: str = "head") -> None:
    """Bring the tables up to date; harmless when they are, safe when several machines start together.

    On PostgreSQL each step is a transaction, which gives up its locks and begins anew when it waits for one longer
    than MIGRATION says, so that a release that serves meanwhile never waits long. Raises OperationalError when the
    database is away for REACHED_SECONDS, or a step could not have its tables in LOCK_TRIES tries: what was done
    stays, and the next start goes on.
    """
    _move(database, lambda config: command.upgrade(config, revision))


def take_back(database: Database, revision: str = "-1") -> None:
    """Take steps back, down to the revision, in the same way."""
    _move(database, lambda config: command.downgrade(config, revision))


def _move(database: Database, act: Callable[[Config], None]) -> None:
    if database.engine.dialect.name != "postgresql":
        with database.engine.execution_options(writes=True).begin() as connection:
            act(configuration(connection))
        return
    with database.alone(MIGRATION) as engine, _reached(engine) as gate, _our_turn(gate):
        for tried in range(1, LOCK_TRIES + 1):
            try:
                with engine.connect() as connection:
                    act(configuration(connection))
            except OperationalError as error:
                if not isinstance(error.orig, LockNotAvailable) or tried == LOCK_TRIES:
                    raise
                log.warning("a step of the tables waits for others, try %d: %s", tried, error.orig)
                time.sleep(PAUSE_SECONDS)
            else:
                return


def _reached(engine: Engine) -> Connection:
    """A connection, once the database takes one: a machine may start before it, or while it is restarted."""
    deadline = time.monotonic() + REACHED_SECONDS
    while True:
        try:
            return engine.connect()
        except OperationalError as error:
            if time.monotonic() > deadline:
                raise
            log.warning("the database cannot be reached yet: %s", error.orig)
            time.sleep(PAUSE_SECONDS)


@contextmanager
def _our_turn(gate: Connection) -> Iterator[None]:
    """Wait until no other machine migrates, and keep them from it: by a transaction, which poolers keep whole.

    Asked again and again: whoever waits within a statement would be waited for by an index that is made.
    """
    while True:
        with gate.begin():
            # Written out: the answer to a statement with parameters stays open, and would be waited for as well.
            if gate.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK})").scalar():
                yield
                return
        time.sleep(PAUSE_SECONDS)


def configuration(connection: Connection) -> Config:
    """Alembic's settings for work on this connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.attributes["connection"] = connection
    return config
