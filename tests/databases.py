"""Databases for tests: SQLite by default, PostgreSQL when TEST_DATABASE_URL names a server."""

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Engine, event, make_url, text

from app.database import Base, Database
from app.migrations import migrate
from tests.waiting import PATIENCE_SECONDS

GIVEN = os.environ.get("TEST_DATABASE_URL", "")
GIVEN_REDIS = os.environ.get("TEST_REDIS_URL", "")
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "main")
"""The process of this run, of PROCESSES."""
PROCESSES = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
MANY_BYTES = 2**22
"""A table as large as this is emptied by other means than a small one."""


_made: dict[str, list[Engine]] = defaultdict(list)
"""The engines of this process, by address."""


def own_redis(service: int = 0) -> str:
    """The given Redis server, on a database number that nothing else of this run uses.

    `service`: 0 for what tests of the process do by themselves; 1, 2, 3 for the whole services, which one process
    starts for all.
    """
    process = int(WORKER.removeprefix("gw")) if WORKER.startswith("gw") else 0
    server, _, first = GIVEN_REDIS.rpartition("/")
    return f"{server}/{int(first) + (PROCESSES + service - 1 if service else process)}"


@contextmanager
def server_database(name: str, *, tables: bool = True, server: str = GIVEN) -> Iterator[str]:
    """A fresh database of this name on the server, migrated unless it shall be without tables; gone afterwards."""
    admin = make_url(server).set(drivername="postgresql")

    def ask(*statements: str) -> None:
        # A connection of its own each time: the server may be restarted meanwhile.
        with psycopg.connect(admin.render_as_string(hide_password=False), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)

    ask(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)', f'CREATE DATABASE "{name}"')
    if server == GIVEN:
        # As with SQLite: what a test commits waits for no disk. Servers of a test's own may be killed.
        ask(f'ALTER DATABASE "{name}" SET synchronous_commit = off')
    url = admin.set(drivername="postgresql+psycopg", database=name).render_as_string(hide_password=False)
    try:
        if tables:
            migrate_and_close(url)
        yield url
    finally:
        ask(f'DROP DATABASE "{name}" WITH (FORCE)')


def unsynced(engine_for: Callable[..., Engine]) -> Callable[..., Engine]:
    """The same engines, but what SQLite commits waits for no disk: a test's database need not outlive the power."""

    def made(url: str, **how: Any) -> Engine:
        engine = engine_for(url, **how)
        _made[url].append(engine)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
        return engine

    return made


def migrate_and_close(url: str) -> None:
    """Bring the tables up to date and let go of the database."""
    database = Database(url)
    migrate(database)
    database.engine.dispose()


def migrate_together(url: str, *, pooled: bool = False) -> None:
    """Let three processes bring the tables up to date at once, as machines do that start together."""
    act = f"from app.database import Database; from app.migrations import migrate; migrate(Database({url!r}, "
    command = [sys.executable, "-c", f"{act}pooled={pooled}))"]
    started = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    told = [each.communicate(timeout=PATIENCE_SECONDS)[1] for each in started]
    assert [each.returncode for each in started] == [0, 0, 0], told


def empty(url: str) -> None:
    """Remove every row, and number the next ones from 1."""
    names = [f'"{table.name}"' for table in reversed(Base.metadata.sorted_tables)]
    used = ", ".join(f"CASE WHEN EXISTS (SELECT FROM {name}) THEN '{name}' END" for name in names)
    with Database(url).engine.begin() as connection:
        largest = connection.scalar(text("SELECT max(pg_relation_size(relid)) FROM pg_stat_user_tables"))
        if largest > MANY_BYTES:
            # Leaves nothing behind, but takes most of a second however little there was.
            connection.execute(text(f"TRUNCATE {', '.join(names)} CASCADE"))
        elif filled := connection.scalar(text(f"SELECT array_remove(ARRAY[{used}], NULL)")):
            # Without triggers: the ledger's refuses every change but a truncation.
            connection.execute(text("SET LOCAL session_replication_role = replica"))
            connection.exec_driver_sql("; ".join(f"DELETE FROM {name}" for name in filled))
        started = "FROM pg_sequences WHERE last_value IS NOT NULL"
        connection.execute(text(f"SELECT setval(format('%I', sequencename)::regclass, 1, false) {started}"))


def copy_of(template: Path, folder: Path) -> str:
    """An SQLite database that begins as the template, in the place of the one that lay there before."""
    url = f"sqlite:///{folder / 'test.db'}"
    # A connection to the file before would see that for ever.
    _let_go(url)
    for old in folder.glob("test.db*"):
        old.unlink()
    shutil.copy(template, folder / "test.db")
    return url


def kept_as(url: str, template: Path) -> Path:
    """The SQLite database at this address as a template to copy."""
    with Database(url).engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    _let_go(url)
    return Path(shutil.copy(make_url(url).database or "", template))


def _let_go(url: str) -> None:
    """Close the connections of all engines at this address: there is one for each kind of process."""
    for engine in _made[url]:
        engine.dispose()
