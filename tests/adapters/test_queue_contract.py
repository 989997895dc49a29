"""The contract of the wake-up, held by the real one and by the fake."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from redis import Redis
from rq import Queue as Queue_
from rq import Worker
from rq.serializers import JSONSerializer
from rq.worker import WorkerStatus

from app.adapters.queue_rq import RqQueue
from app.domain.ports import Queue, QueueName, QueueUnavailableError, WorkerSign
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


@pytest.fixture(params=[*QueueName])
def queue_name(request: pytest.FixtureRequest) -> QueueName:
    return request.param


@pytest.fixture(params=["real", "fake"])
def absent(request: pytest.FixtureRequest) -> Queue:
    return FakeQueue(away=True) if request.param == "fake" else RqQueue("redis://127.0.0.1:1/0")


def test_every_wake_up_waits_in_its_own_lane_until_somebody_answers(queue: Queue, queue_name: QueueName) -> None:
    queue.ping()
    assert queue.count_waiting(queue_name) == 0
    queue.notify(queue_name, ["pho_1", "pho_2"])
    queue.notify(queue_name, [])
    queue.notify(queue_name, ["pho_1"])
    assert {each: queue.count_waiting(each) for each in QueueName} == {**dict.fromkeys(QueueName, 0), queue_name: 3}


def there(queue: Queue, queue_name: QueueName, busy: bool) -> None:
    """Let a worker of the queue show a sign of life: RQ's own, or as the fake is told."""
    if isinstance(queue, FakeQueue):
        queue.present.append(WorkerSign("here, process 1", (queue_name,), datetime.now(UTC), busy))
        return
    connection = queue.connection
    own = Queue_(queue_name, connection=connection, serializer=JSONSerializer)
    worker = Worker([own], connection=connection, serializer=JSONSerializer)
    worker.register_birth()
    worker.set_state(WorkerStatus.BUSY if busy else WorkerStatus.IDLE)


def test_workers_are_told_by_lane_with_their_last_sign_and_whether_they_work(queue: Queue) -> None:
    assert queue.workers() == []
    began = datetime.now(UTC) - timedelta(seconds=1)
    there(queue, QueueName.PHOTOS, busy=True)
    there(queue, QueueName.MAIL, busy=False)
    found = queue.workers()
    assert [(each.queue_names, each.busy) for each in found] == [
        ((QueueName.PHOTOS,), True),
        ((QueueName.MAIL,), False),
    ]
    assert all(", process " in each.name for each in found)
    assert all(began <= each.seen_at <= datetime.now(UTC) + timedelta(seconds=1) for each in found)


def test_workers_of_somebody_else_on_the_same_redis_are_none_of_ours(redis_url: str) -> None:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    Worker([Queue_("other", connection=connection)], connection=connection).register_birth()
    assert RqQueue(redis_url).workers() == []
    connection.flushdb()


def test_a_queue_that_is_away_says_so(absent: Queue) -> None:
    acts = (
        absent.ping,
        absent.workers,
        lambda: absent.count_waiting(QueueName.MAIL),
        lambda: absent.notify(QueueName.MAIL, ["mai_1"]),
    )
    for act in acts:
        with pytest.raises(QueueUnavailableError):
            act()
