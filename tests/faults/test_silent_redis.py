"""A Redis that takes connections and never answers: orders go on without it, and it is used again afterwards."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from app.adapters.redis_connection import PAUSE, TIMEOUT_SECONDS
from app.application import create_app
from app.container import Container
from app.domain.ports import QueueName
from app.settings import Settings
from tests import redis_server
from tests.conftest import PHOTO, Api, new_api, order_body, work
from tests.fakes import FakeClock, FakeEngine

ROUNDS = 3
LATER_ORDERS = 3


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[str]:
    """The address of a Redis of the test's own."""
    with redis_server.run_server(tmp_path / "redis") as url:
        yield url


@pytest.fixture
def container(settings: Settings, clock: FakeClock, redis: str) -> Iterator[Container]:
    """The running parts with the real queue."""
    container = Container(settings.model_copy(update={"redis_url": redis}), clock)
    container.engine = FakeEngine()
    yield container
    container.database.engine.dispose()


@pytest.fixture
def api(container: Container) -> Api:
    """A client of an application that counts in that Redis."""
    return new_api(create_app(container=container), container, "jo@example.com")


@contextmanager
def stopped(url: str) -> Iterator[None]:
    """The server hears nothing and says nothing."""
    process = int(Redis.from_url(url).info("server")["process_id"])
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(process, signal.SIGCONT)


def seconds(api: Api, body: dict[str, Any]) -> float:
    """How long the order took, which must be placed."""
    began = time.monotonic()
    answer = api.post("/orders/from-uploads", body)
    took = time.monotonic() - began
    assert answer.status_code == 200, answer.text
    assert "RateLimit" not in answer.headers
    return took


def test_the_first_order_waits_half_a_second_for_a_silent_redis_and_the_next_ones_do_not(
    api: Api, container: Container, redis: str, clock: FakeClock
) -> None:
    first, later = [], []
    for number in range(ROUNDS):
        bodies = [{**order_body(), **api.upload(interior=[PHOTO])} for _ in range(1 + LATER_ORDERS)]
        with stopped(redis):
            first.append(seconds(api, bodies[0]))
            later += [seconds(api, body) for body in bodies[1:]]
        clock.now += PAUSE
        assert "RateLimit" in api.get("/user/credits").headers, "it is used again"
        assert container.queue.count_waiting(QueueName.PHOTOS) == number, "wake-ups of orders without it are lost"
        api.order(interior=[PHOTO])
        assert container.queue.count_waiting(QueueName.PHOTOS) == number + 1
    # The quickest of a few: what a busy machine adds is not Redis's doing.
    assert TIMEOUT_SECONDS <= min(first) < 2 * TIMEOUT_SECONDS
    assert min(later) < TIMEOUT_SECONDS
    assert work(container) == ROUNDS * (2 + LATER_ORDERS), "every photo is found in the database"
