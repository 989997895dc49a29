"""One whole service for all journeys that need no other settings: to start one costs more than most of them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count

import pytest
from redis import Redis

from tests import databases, edit_server
from tests.browser import generative
from tests.journeys.service import Service

SETTINGS = {
    "ALLOW_PRIVATE_WEBHOOKS": "1",
    "DEMO_PAYMENTS": "1",
    "RATE_LIMIT_SIGN_INS": "1000000",
    "WEBHOOK_DELAYS_SECONDS": "0,1,1,1,1",
}
Servers = Callable[[], dict[str, str]]


@pytest.fixture(scope="session")
def own_servers() -> Iterator[Servers]:
    """own_servers() -> settings for a whole service: a database and a Redis of its own, where servers are given."""
    with ExitStack() as stack:

        def settings() -> dict[str, str]:
            if not databases.GIVEN:
                return {}
            number = next(numbers)
            redis_url = databases.own_redis(number)
            Redis.from_url(redis_url).flushdb()
            url = stack.enter_context(databases.server_database(f"whole_{databases.WORKER}_{number}"))
            return {"DATABASE_URL": url, "REDIS_URL": redis_url, "SECRET_KEY": "k" * 32}

        numbers = count(1)
        yield settings


@pytest.fixture(scope="session")
def whole_service(tmp_path_factory: pytest.TempPathFactory, own_servers: Servers) -> Iterator[Service]:
    """The service as `make run` starts it, with a picture server that really edits."""
    with edit_server.running(generative.answer) as server:
        folder = tmp_path_factory.mktemp("whole")
        service = Service(folder, **SETTINGS, GENERATIVE_URL=server.url, **own_servers())
        try:
            yield service
        finally:
            service.kill_everything()


@pytest.fixture
def service(whole_service: Service) -> Service:
    """The whole service, up; whatever a test does to it, the next one finds it so again."""
    whole_service.be_up()
    return whole_service
