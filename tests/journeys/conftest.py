"""A running service for each journey."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from tests import databases
from tests.conftest import WORKER
from tests.journeys.service import Service


@pytest.fixture
def servers(redis_url: str) -> Iterator[dict[str, str]]:
    """Settings for the servers that the run was given, if it was: a fresh database and an empty Redis."""
    if not databases.GIVEN:
        yield {}
        return
    Redis.from_url(redis_url).flushdb()
    with databases.server_database(f"journey_{WORKER}_{os.getpid()}") as url:
        yield {"DATABASE_URL": url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 32}


@pytest.fixture
def service(tmp_path: Path, servers: dict[str, str], request: pytest.FixtureRequest) -> Iterator[Service]:
    """The whole service, started; whatever the test does to it, nothing of it outlives the test."""
    service = Service(tmp_path, **servers, **getattr(request, "param", {}))
    try:
        service.start()
        yield service
    finally:
        service.kill_everything()
