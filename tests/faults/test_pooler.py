"""The whole service behind PgBouncer in transaction mode: tables, an order, limits that stay with no session."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from app.connections import WEB, ConnectionUse
from app.database import UNAVAILABLE, Database
from tests import databases, poolers, scenes
from tests.journeys.service import Service
from tests.journeys.whole import FEW_PROGRAMS

pytestmark = [
    pytest.mark.skipif(not databases.GIVEN, reason="SQLite knows no poolers"),
    pytest.mark.skipif(poolers.PROGRAM is None, reason="pgbouncer is not installed: deploy/test-packages.sh"),
]
SHORT = ConnectionUse(pool_size=1, max_overflow=0, statement_seconds=0.2, lock_seconds=0.2)


@pytest.fixture
def pooled() -> Iterator[str]:
    """The address, through a pooler, of a database without tables."""
    with (
        databases.server_database(f"pooled_{databases.WORKER}_{os.getpid()}", tables=False) as url,
        poolers.transaction_pooler(url) as through,
    ):
        yield through


def test_an_order_goes_through_a_pooler_from_the_first_table_to_its_pictures(pooled: str, tmp_path: Path) -> None:
    redis = {"REDIS_URL": databases.own_redis()} if databases.GIVEN_REDIS else {}
    settings = {"DATABASE_URL": pooled, "DATABASE_POOLED": "1", "SECRET_KEY": "s" * 32, **redis}
    settings |= FEW_PROGRAMS
    service = Service(tmp_path, **settings)
    try:
        service.start()
        client = service.client()
        photos = {"interior": [scenes.encoded(scenes.room(320, 213))] * 2}
        placed = client.order(
            client.upload(photos), serviceType="interior", interiorEnhancements=["hdr_enhancement"]
        )
        assert client.settled(placed["jobId"])["status"] == "approved"
        assert sum(map(len, client.pictures(placed["jobId"]).values())) == 2
        assert service.mismatches() == []
        assert service.stop() == 0
        log = service.log.read_text()
        assert "Traceback" not in log, log
    finally:
        service.kill_everything()


def test_limits_hold_for_each_transaction_and_stay_with_none(pooled: str) -> None:
    short, usual = (Database(pooled, use=use, pooled=True) for use in (SHORT, WEB))
    shown = text("SELECT current_setting('statement_timeout'), current_setting('lock_timeout')")
    for _ in range(3 * poolers.SERVER_CONNECTIONS):
        with short.read_session() as session, usual.read_session() as other:
            assert tuple(session.execute(shown).one()) == ("200ms", "200ms")
            assert tuple(other.execute(shown).one()) == ("20s", "10s")
    with pytest.raises(UNAVAILABLE), short.read_session() as session:
        session.execute(text("SELECT pg_sleep(20)"))
    with usual.read_session() as session:
        assert session.execute(text("SELECT 1")).scalar_one() == 1
    for each in (short, usual):
        each.engine.dispose()


def test_several_machines_that_start_behind_a_pooler_bring_the_tables_up_to_date_once(pooled: str) -> None:
    databases.migrate_together(pooled, pooled=True)
    database = Database(pooled, pooled=True)
    with database.read_session() as session:
        invalid = text("SELECT count(*) FROM pg_index WHERE NOT indisvalid")
        assert session.execute(invalid).scalar_one() == 0
        assert session.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    database.engine.dispose()
