"""One whole service for all journeys that need no other settings: to start one costs more than most of them."""

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from typing import NoReturn

import pytest
from redis import Redis

from tests import databases, edit_server
from tests.browser import generative
from tests.journeys import servers as shared
from tests.journeys.servers import LOOPBACK, SharedServers
from tests.journeys.service import Service

SETTINGS = {
    "ALLOW_PRIVATE_WEBHOOKS": "1",
    "DEMO_PAYMENTS": "1",
    "RATE_LIMIT_SIGN_INS": "1000000",
    "WEBHOOK_DELAYS_SECONDS": "0,1,1,1,1",
    # Less than anything costs, so that journeys come to buying.
    "WELCOME_CREDITS": "0.5",
}
FEW_PROGRAMS = {"PROGRAMS": "web,photos,sweeper", "WORKERS": "1"}
"""All that an order over the API needs: a start of these takes half of what that of everything takes."""
Start = Callable[..., AbstractContextManager[Service]]


def lacking(reason: str) -> NoReturn:
    """Skip the test for what this machine has not; it fails where several hosts are wanted, and in CI."""
    if shared.WANTED or os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedServers]:
    """What services on several hosts share."""
    if reason := shared.missing():
        lacking(reason)
    with shared.shared_servers(tmp_path_factory.mktemp("servers")) as made:
        if made.missing_network:
            warnings.warn(f"hosts share this machine's network: {made.missing_network}", stacklevel=1)
        yield made


@pytest.fixture(scope="session")
def reached_at(request: pytest.FixtureRequest) -> str:
    """The address at which the service's workers reach servers of the tests."""
    return request.getfixturevalue("servers").address if shared.WANTED else LOOPBACK


@pytest.fixture(scope="session")
def started(request: pytest.FixtureRequest) -> Start:
    """started(folder, **settings) as service: a whole one, ready, on a database and a Redis of its own.

    On this host alone, on servers where they are given; on several hosts where TEST_HOSTS wants it.
    """
    numbers = count(1)

    @contextmanager
    def start(folder: Path, **settings: str) -> Iterator[Service]:
        given = _given_servers(next(numbers)) if databases.GIVEN else nullcontext({})
        with given as own, Service(folder, **{**own, **settings}).running() as service:
            yield service

    if shared.WANTED:
        several: SharedServers = request.getfixturevalue("servers")
        return several.service
    return start


@contextmanager
def _given_servers(number: int) -> Iterator[dict[str, str]]:
    redis_url = databases.own_redis(number)
    Redis.from_url(redis_url).flushdb()
    with databases.server_database(f"whole_{databases.WORKER}_{number}") as url:
        yield {"DATABASE_URL": url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 32}


@pytest.fixture(scope="session")
def whole_service(tmp_path_factory: pytest.TempPathFactory, started: Start, reached_at: str) -> Iterator[Service]:
    """The service as `make run` starts it, with a picture server that really edits."""
    with (
        edit_server.running(generative.answer, host=reached_at) as server,
        started(tmp_path_factory.mktemp("whole"), **SETTINGS, GENERATIVE_URL=server.url) as service,
    ):
        yield service


@pytest.fixture
def service(whole_service: Service) -> Service:
    """The whole service, up; whatever a test does to it, the next one finds it so again."""
    whole_service.start()
    return whole_service
