"""No step of the tables holds up a release that serves meanwhile: squawk reads what each sends to PostgreSQL."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from app.database import Database
from app.migrations import migrate
from tests import databases

SQUAWK = Path(sys.executable).parent / "squawk"
VERSIONS = Path(__file__).parents[2] / "app" / "migrations" / "versions"
NAMES = sorted(each.stem for each in VERSIONS.glob("0*.py"))
LEFT_OUT = {
    "require-lock-timeout": "migrate() sets one for every step, and begins it anew",
    "require-statement-timeout": "a step may take as long as it takes: nobody waits for what it may do long",
    "prefer-robust-stmts": "a step is one transaction; indexes made beside others are dropped first",
    "prefer-text-field": "lengths are part of the models, and PostgreSQL widens them without a rewrite",
    "prefer-bigint-over-int": "counts, tries and sizes of photos stay far below two thousand million",
    "prefer-timestamp-tz": "ours have a zone, as UtcDateTime sees to; a time that a camera notes has none",
    "prefer-identity": "what Alembic makes of a primary key of numbers",
}
BEFORE_ANYBODY_SERVES = {"0001": {"require-concurrent-index-creation"}}
"""The first tables. A later step gets no line here."""
pytestmark = pytest.mark.skipif(not databases.GIVEN, reason="the statements are those that PostgreSQL gets")


@pytest.fixture(scope="module")
def steps() -> dict[str, str]:
    """What each step sends to change the tables, by the number of its file."""
    found: dict[str, str] = {}
    sent: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        words = statement.strip().rstrip(";")
        if "alembic_version" in words:
            if not words.startswith("SELECT") and sent:
                found[NAMES[len(found)][:4]] = "\n".join(sent)
                sent.clear()
        elif words.startswith(("CREATE", "ALTER", "DROP", "LOCK", "SET", "RESET")):
            sent.append(f"{words};")

    with databases.server_database(f"lint_{databases.WORKER}_{os.getpid()}", tables=False) as url:
        database = Database(url)
        event.listen(Engine, "before_cursor_execute", note)
        try:
            migrate(database)
        finally:
            event.remove(Engine, "before_cursor_execute", note)
            database.engine.dispose()
    return found


def faults(statements: str, folder: Path, *left_out: str) -> str:
    """What squawk says against the statements; nothing where it is content."""
    file = folder / "step.sql"
    # A step is one transaction, but for indexes made beside others: of its own new tables nobody knows yet.
    whole = statements if "CONCURRENTLY" in statements else f"BEGIN;\n{statements}\nCOMMIT;"
    file.write_text(whole)
    excluded = ",".join(sorted({*LEFT_OUT, *left_out}))
    command = [
        SQUAWK,
        "--pg-version=15",
        f"--exclude={excluded}",
        "--reporter=gcc",
        "--no-error-on-unmatched-pattern",
        file,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_no_step_holds_up_who_serves_meanwhile(steps: dict[str, str], name: str, tmp_path: Path) -> None:
    number = name[:4]
    assert faults(steps[number], tmp_path, *BEFORE_ANYBODY_SERVES.get(number, ())) == ""


def test_an_index_that_all_writers_wait_for_is_noticed(tmp_path: Path) -> None:
    told = faults("CREATE INDEX ix_photo_size ON photo (size_bytes);", tmp_path)
    assert "require-concurrent-index-creation" in told
