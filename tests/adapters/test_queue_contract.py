"""The contract of the doorbell, held by the real one and by the fake."""

from collections.abc import Iterator

import pytest
from redis import Redis

from app.adapters.queue_rq import RqQueue
from app.domain.ports import Lane, Queue, QueueUnavailableError
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


@pytest.fixture(params=[*Lane])
def lane(request: pytest.FixtureRequest) -> Lane:
    return request.param


@pytest.fixture(params=["real", "fake"])
def absent(request: pytest.FixtureRequest) -> Queue:
    return FakeQueue(away=True) if request.param == "fake" else RqQueue("redis://127.0.0.1:1/0")


def test_every_ring_waits_in_its_own_lane_until_somebody_answers(queue: Queue, lane: Lane) -> None:
    queue.ping()
    assert queue.waiting(lane) == 0
    queue.ring(lane, ["pho_1", "pho_2"])
    queue.ring(lane, [])
    queue.ring(lane, ["pho_1"])
    assert {each: queue.waiting(each) for each in Lane} == {**dict.fromkeys(Lane, 0), lane: 3}


def test_a_doorbell_that_is_away_says_so(absent: Queue) -> None:
    for act in (absent.ping, lambda: absent.waiting(Lane.MAIL), lambda: absent.ring(Lane.MAIL, ["mai_1"])):
        with pytest.raises(QueueUnavailableError):
            act()
