"""The contract of the doorbell, held by the real one and by the fake."""

from collections.abc import Iterator

import pytest
from redis import Redis

from app.adapters.queue_rq import RqQueue
from app.domain.ports import Queue, QueueUnavailableError
from tests.fakes import FakeQueue


@pytest.fixture(params=["real", "fake"])
def queue(request: pytest.FixtureRequest) -> Iterator[Queue]:
    if request.param == "fake":
        yield FakeQueue()
        return
    url = request.getfixturevalue("redis_url")
    Redis.from_url(url).flushdb()
    yield RqQueue(url)
    Redis.from_url(url).flushdb()


@pytest.fixture(params=["real", "fake"])
def absent(request: pytest.FixtureRequest) -> Queue:
    return FakeQueue(away=True) if request.param == "fake" else RqQueue("redis://127.0.0.1:1/0")


def test_every_ring_waits_until_somebody_answers(queue: Queue) -> None:
    queue.ping()
    assert queue.waiting() == 0
    queue.ring(["pho_1", "pho_2"])
    queue.ring([])
    queue.ring(["pho_1"])
    assert queue.waiting() == 3


def test_a_doorbell_that_is_away_says_so(absent: Queue) -> None:
    for act in (absent.ping, absent.waiting, lambda: absent.ring(["pho_1"])):
        with pytest.raises(QueueUnavailableError):
            act()
