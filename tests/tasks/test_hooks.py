"""The senders of a webhook worker, and a delivery through RQ itself."""

import threading

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from app.adapters.queue_rq import RqQueue
from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import DeliveryRequest, DeliveryState
from app.tasks import hooks, runtime
from app.tasks.hooks import Senders
from tests.conftest import PHOTO, Api
from tests.services.hooks import FakeTransport, all_deliveries, register
from tests.tasks.test_worker import HereWorker
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    runtime.use(container)
    return container.transport


def test_a_wake_up_is_answered_by_the_worker_of_its_lane(
    api: Api, container: Container, transport: FakeTransport, redis_url: str
) -> None:
    connection = Redis.from_url(redis_url)
    connection.flushdb()
    container.queue = RqQueue(redis_url)
    register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    assert container.queue.count_waiting(QueueName.HOOKS_FAST) == 1
    queue = Queue(QueueName.HOOKS_FAST, connection=connection, serializer=JSONSerializer)
    worker: SimpleWorker = HereWorker([queue], connection=connection, serializer=JSONSerializer)
    worker.work(burst=True)
    assert hooks.senders().drain(PATIENCE_SECONDS)
    assert [each.state for each in all_deliveries(container)] == [DeliveryState.SUCCEEDED]
    assert container.queue.count_waiting(QueueName.HOOKS_FAST) == 0


def test_a_slow_receiver_holds_up_its_own_thread_only(
    api: Api, other_api: Api, container: Container, transport: FakeTransport
) -> None:
    register(container, api.account_id, "job.created", url="https://slow.example/")
    register(container, other_api.account_id, "job.created", url="https://quick.example/")
    slow, quick = threading.Event(), threading.Event()

    def answer(request: DeliveryRequest) -> None:
        if "slow" in request.url:
            assert slow.wait(PATIENCE_SECONDS)
        else:
            quick.set()

    transport.meanwhile = answer
    api.order(interior=[PHOTO])
    other_api.order(interior=[PHOTO])
    senders = Senders(2)
    for delivery_id in container.queue.queues[QueueName.HOOKS_FAST]:
        senders.deliver(delivery_id, QueueName.HOOKS_FAST)
    assert quick.wait(PATIENCE_SECONDS)
    assert not senders.drain(0)
    slow.set()
    assert senders.drain(PATIENCE_SECONDS)


def test_more_notifies_than_threads_wait_outside(api: Api, container: Container, transport: FakeTransport) -> None:
    register(container, api.account_id, "job.created")
    api.order(interior=[PHOTO])
    going, begun = threading.Event(), threading.Event()

    def answer(request: DeliveryRequest) -> None:
        begun.set()
        assert going.wait(PATIENCE_SECONDS)

    transport.meanwhile = answer
    senders, [delivery_id] = Senders(1), container.queue.queues[QueueName.HOOKS_FAST]
    senders.deliver(delivery_id, QueueName.HOOKS_FAST)
    assert begun.wait(PATIENCE_SECONDS)
    second = threading.Thread(target=senders.deliver, args=(delivery_id, QueueName.HOOKS_FAST))
    second.start()
    second.join(0.1)
    assert second.is_alive()
    going.set()
    second.join(PATIENCE_SECONDS)
    assert not second.is_alive()
    assert senders.drain(PATIENCE_SECONDS)


def test_a_delivery_that_breaks_leaves_its_thread_free(
    container: Container, transport: FakeTransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container.database, "unit_of_work", lambda: 1 / 0)
    senders = Senders(1)
    for _ in range(3):
        senders.deliver("dlv_x", QueueName.HOOKS_FAST)
    assert senders.drain(PATIENCE_SECONDS)
