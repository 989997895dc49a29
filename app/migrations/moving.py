"""Moves a database along its history by Alembic, one machine at a time."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from app import migrations
from app.connections import MIGRATION
from app.database import Database

log = logging.getLogger(__name__)

LOCK_TRIES = 200
"""How often a step that could not lock its tables is tried. While it waits for a lock, other processes wait behind
it.
"""
PAUSE_SECONDS = 0.5
"""The pause between two tries, in which waiting processes continue."""
_LOCK = 0x6272_6967  # any fixed number: keeps two machines from migrating at once


def move(database: Database, name: str, revision: str) -> None:
    """Run Alembic's command of this name, `upgrade` or `downgrade`; app/migrations/__init__.py says more."""

    def act(connection: Connection) -> None:
        getattr(command, name)(_configuration(connection), revision)

    if database.engine.dialect.name != "postgresql":
        with database.engine.execution_options(writes=True).begin() as connection:
            act(connection)
        return
    with database.separate_engine(MIGRATION) as engine, engine.connect() as gate, _our_turn(gate):
        for tried in range(1, LOCK_TRIES + 1):
            try:
                with engine.connect() as connection:
                    act(connection)
            except OperationalError as error:
                if not isinstance(error.orig, (LockNotAvailable, DeadlockDetected)) or tried == LOCK_TRIES:
                    raise
                log.warning("a step of the tables waits for others, try %d: %s", tried, error.orig)
                time.sleep(PAUSE_SECONDS)
            else:
                return


@contextmanager
def _our_turn(gate: Connection) -> Iterator[None]:
    """Wait until no other machine migrates, and keep others from migrating during the block, by a lock of a
    transaction. A pooler keeps the connection for a whole transaction, but not longer.

    It polls for the lock: making an index would wait for every machine that waits within a statement.
    """
    while True:
        with gate.begin():
            # The number is written into the SQL text, because the answer to a statement with parameters stays open,
            # and making an index would wait for that, too.
            if gate.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK})").scalar():
                yield
                return
        time.sleep(PAUSE_SECONDS)


def _configuration(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", str(migrations.VERSIONS))
    config.attributes["connection"] = connection
    return config
