"""The migrations make the very tables that the models describe."""

import os
import shutil
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
from sqlalchemy import inspect, text

from app import migrations
from app.connections import MIGRATION
from app.container import Container
from app.database import Base, Database
from app.migrations import OtherVersionError, indexes, migrate, moving
from tests import databases
from tests.waiting import PATIENCE_SECONDS, eventually

WITHOUT_MODEL = {indexes.ADDRESS_WORDS, indexes.EXTERNAL_ID_WORDS, indexes.FILE_NAME_WORDS}
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


STEP = """
from alembic import op
import sqlalchemy as sa
from app.migrations import indexes

revision = "9999_made"
down_revision = {before!r}


def upgrade():
    op.add_column("photo", sa.Column("made_for_tests", sa.Integer(), nullable=True))
    with indexes.beside_others():
        indexes.make("ix_photo_made", "photo", "made_for_tests", "made_for_tests IS NOT NULL")


def downgrade():
    with indexes.beside_others():
        indexes.drop("ix_photo_made")
    op.drop_column("photo", "made_for_tests")
"""
"""A step after all others, such as a later version brings."""


@pytest.fixture
def next_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The step before STEP, which is the newest one while the test runs."""
    before = migrations.list_revisions()[-1]
    folder = tmp_path / "versions"
    shutil.copytree(migrations.VERSIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "9999_made.py").write_text(STEP.format(before=before))
    monkeypatch.setattr(migrations, "VERSIONS", folder)
    return before


def columns_of(database: Database, table: str) -> set[str]:
    return {each["name"] for each in inspect(database.engine).get_columns(table)}


def indexes_of(database: Database, table: str) -> set[str]:
    return {str(each["name"]) for each in inspect(database.engine).get_indexes(table)}


@pytest.mark.parametrize("revision", ["0029_public_copies", "9999_later"])
def test_tables_of_another_version_are_refused_in_words_and_nothing_is_touched(
    empty_database: Database, revision: str
) -> None:
    with empty_database.engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text(f"INSERT INTO alembic_version VALUES ('{revision}')"))
    with pytest.raises(OtherVersionError, match=f"{revision}.*Nothing was changed.*Download your data.*DATA_DIR"):
        migrate(empty_database)
    assert inspect(empty_database.engine).get_table_names() == ["alembic_version"]
    assert migrations.revision_of(empty_database) == revision


def test_the_newest_step_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrations.__file__).parent))
    assert migrations.list_revisions()[-1] == ScriptDirectory.from_config(config).get_current_head()


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


def test_a_step_can_be_taken_back_and_made_again(empty_database: Database, next_step: str) -> None:
    for _ in range(2):
        migrate(empty_database)
        assert revision(empty_database) == "9999_made"
        assert "made_for_tests" in columns_of(empty_database, "photo")
        assert "ix_photo_made" in indexes_of(empty_database, "photo")
        moving.move(empty_database, "downgrade", "-1")
        assert revision(empty_database) == next_step
        assert differences(empty_database) == []


def test_the_first_tables_are_not_taken_back_with_all_that_is_kept(empty_database: Database) -> None:
    migrate(empty_database)
    with pytest.raises(ValueError, match="all that is kept"):
        moving.move(empty_database, "downgrade", "base")
    assert differences(empty_database) == []


ON_POSTGRESQL = pytest.mark.skipif(not databases.GIVEN, reason="SQLite has one writer, and all else waits")


@ON_POSTGRESQL
def test_a_step_lets_those_pass_who_wait_behind_it_and_begins_anew(
    empty_database: Database, next_step: str, caplog: pytest.LogCaptureFixture
) -> None:
    migrate(empty_database, next_step)
    with empty_database.read_session() as reader, ThreadPoolExecutor() as machines:
        reader.execute(text("SELECT count(*) FROM photo")).all()
        moving = machines.submit(migrate, empty_database)
        eventually("the step gave up its first try", lambda: "try 1" in caplog.text)
        with empty_database.read_session() as session:
            session.execute(text("SET statement_timeout = '60s'"))
            assert session.execute(text("SELECT count(*) FROM photo")).scalar_one() == 0
        assert not moving.done()
        reader.rollback()
        moving.result(PATIENCE_SECONDS)
    assert revision(empty_database) == "9999_made"


@ON_POSTGRESQL
def test_machines_that_start_together_bring_the_tables_up_to_date_once(empty_database: Database) -> None:
    databases.migrate_together(empty_database.engine.url.render_as_string(hide_password=False))
    assert differences(empty_database) == []
    with empty_database.read_session() as session:
        assert session.execute(text("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).scalar_one() == 0


@ON_POSTGRESQL
def test_half_an_index_that_a_killed_step_left_behind_is_made_whole(
    empty_database: Database, next_step: str
) -> None:
    migrate(empty_database, next_step)
    with empty_database.engine.begin() as connection:
        connection.execute(text("CREATE INDEX ix_photo_made ON photo (id)"))
        connection.execute(
            text("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_photo_made'::regclass")
        )
    migrate(empty_database)
    with empty_database.read_session() as session:
        found = "SELECT indexdef FROM pg_indexes WHERE indexname = 'ix_photo_made'"
        assert "(made_for_tests)" in session.execute(text(found)).scalar_one()
        assert session.execute(text("SELECT count(*) FROM pg_index WHERE NOT indisvalid")).scalar_one() == 0


def test_a_step_of_the_tables_gives_way_long_before_postgresql_ends_whoever_it_waits_for() -> None:
    deadlock_timeout_seconds = 1
    assert 0 < MIGRATION.lock_seconds <= deadlock_timeout_seconds / 2
