"""The migrations make the very tables that the models describe."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from app import migrations
from app.connections import MIGRATION
from app.container import Container
from app.database import Base, Database
from app.migrations import indexes, migrate, take_back
from tests import databases
from tests.waiting import PATIENCE_SECONDS, eventually

WITHOUT_MODEL = {indexes.ADDRESS_WORDS, indexes.FILE_NAME_WORDS}
"""Indexes of PostgreSQL alone, where it has the extension for them."""


def differences(database: Database) -> list[object]:
    """What the tables have otherwise than the models say."""
    with database.engine.connect() as connection:
        known = {"compare_type": True, "include_name": lambda name, *_: name not in WITHOUT_MODEL}
        context = MigrationContext.configure(connection, opts=known)
        return compare_metadata(context, Base.metadata)


def revision(database: Database) -> str | None:
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def test_migrating_gives_the_tables_of_the_models(container: Container) -> None:
    migrate(container.database)
    assert differences(container.database) == []


@pytest.fixture
def empty_database(tmp_path: Path) -> Iterator[Database]:
    """A database without tables."""
    name = f"brightlist_migrations_{os.getpid()}"
    file = nullcontext(f"sqlite:///{tmp_path / 'empty.db'}")
    with databases.server_database(name, tables=False) if databases.GIVEN else file as url:
        database = Database(url)
        yield database
        database.engine.dispose()


def test_ledgers_from_before_there_were_months_are_added_up_by_month(empty_database: Database) -> None:
    migrate(empty_database, "0003")
    lines = [(1, "order", -150, "2026-09-30 23:59:59"), (2, "order", -50, "2026-09-01 00:00:00")]
    lines += [(3, "adjustment", 10_000, "2026-09-01 00:00:00"), (4, "order", -25, "2026-10-01 00:00:00")]
    with empty_database.engine.execution_options(writes=True).begin() as connection:
        account = "INSERT INTO account (id, email, name, is_staff, credits, created_at) VALUES "
        connection.execute(text(account + "('acc_1', 'a@b.c', '', false, 0, '2026-09-01 00:00:00')"))
        columns = "id, account_id, cause, kind, amount, balance_after, reason, created_at"
        for number, kind, amount, at in lines:
            values = f"({number}, 'acc_1', '{number}', '{kind}', {amount}, 0, '', '{at}')"
            connection.execute(text(f"INSERT INTO ledger_line ({columns}) VALUES {values}"))
    migrate(empty_database, "head")
    with empty_database.read_session() as session:
        rows = session.execute(text("SELECT month, kind, total, lines FROM ledger_month ORDER BY 1, 2")).all()
        account = session.execute(text("SELECT mails_off, low_balance FROM account")).one()
    assert rows == [
        ("2026-09", "adjustment", 10_000, 1),
        ("2026-09", "order", -200, 2),
        ("2026-10", "order", -25, 1),
    ]
    assert account[1] == 500
    assert account[0] in ("[]", [])


def test_the_newest_step_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert migrations.newest() == ScriptDirectory.from_config(config).get_current_head()


def test_nothing_is_loaded_to_migrate_where_the_tables_are_up_to_date(
    empty_database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = []
    really = migrations.load

    def load(name: str) -> ModuleType:
        loaded.append(name)
        return really(name)

    monkeypatch.setattr(migrations, "load", load)
    assert migrations.revision_of(empty_database) is None
    migrate(empty_database)
    assert loaded == ["app.migrations.moving"]
    migrate(empty_database)
    assert len(loaded) == 1
    take_back(empty_database)
    migrate(empty_database)
    assert len(loaded) == 3
    assert differences(empty_database) == []


def test_the_newest_step_can_be_taken_back_and_made_again(empty_database: Database) -> None:
    migrate(empty_database, "head")
    newest = revision(empty_database)
    take_back(empty_database)
    assert revision(empty_database) not in (None, newest)
    assert differences(empty_database), "the newest step changed the tables, and its undoing changed them back"
    migrate(empty_database, "head")
    assert revision(empty_database) == newest
    assert differences(empty_database) == []


ON_POSTGRESQL = pytest.mark.skipif(not databases.GIVEN, reason="SQLite has one writer, and all else waits")


@ON_POSTGRESQL
def test_a_step_lets_those_pass_who_wait_behind_it_and_begins_anew(
    empty_database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    migrate(empty_database, "0007")
    with empty_database.read_session() as reader, ThreadPoolExecutor() as machines:
        reader.execute(text("SELECT count(*) FROM photo")).all()
        moving = machines.submit(migrate, empty_database, "0008_take")
        eventually("the step gave up its first try", lambda: "try 1" in caplog.text)
        with empty_database.read_session() as session:
            session.execute(text("SET statement_timeout = '60s'"))
            assert session.execute(text("SELECT count(*) FROM photo")).scalar_one() == 0
        assert not moving.done()
        reader.rollback()
        moving.result(PATIENCE_SECONDS)
    assert revision(empty_database) == "0008_take"


@ON_POSTGRESQL
def test_machines_that_start_together_bring_the_tables_up_to_date_once(empty_database: Database) -> None:
    databases.migrate_together(empty_database.engine.url.render_as_string(hide_password=False))
    assert differences(empty_database) == []
    with empty_database.read_session() as session:
        assert session.execute(text("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).scalar_one() == 0


@ON_POSTGRESQL
def test_half_an_index_that_a_killed_step_left_behind_is_made_whole(empty_database: Database) -> None:
    migrate(empty_database)
    take_back(empty_database, "0009_users")
    with empty_database.engine.begin() as connection:
        connection.execute(text("CREATE INDEX ix_mail_undone ON mail (id)"))
        connection.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_mail_undone'::regclass")
        )
    migrate(empty_database)
    assert differences(empty_database) == []


def test_a_step_of_the_tables_gives_way_long_before_postgresql_ends_whoever_it_waits_for() -> None:
    deadlock_timeout_seconds = 1
    assert 0 < MIGRATION.lock_seconds <= deadlock_timeout_seconds / 2
