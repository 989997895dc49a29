"""A generative server that is away costs no photo its try; what calls cost is bounded for a job and for a day."""

from collections.abc import Callable
from dataclasses import replace
from typing import BinaryIO

import pytest

from app.container import Container
from app.services.photos import photos
from app.services.photos.make_pictures import PictureWorker
from app.services.photos.pictures import CallLimits
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.pictures import Enhanced
from engine.types.server import ServerBusyError, ServerUnavailableError
from tests.conftest import PHOTO, Api, photo_worker
from tests.fakes import FakeClock, FakeEngine
from tests.reading import tries


class PayingEngine(FakeEngine):
    """Pays one call for each photo, and makes it only where that was paid."""

    paid: list[bool]

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        self.paid.append(context.spend())
        return super().enhance(photo, request, context)


@pytest.fixture
def engine(container: Container) -> PayingEngine:
    made = PayingEngine()
    made.paid = []
    container.engine = made
    return made


def away() -> None:
    raise ServerBusyError("it is left alone")


def work_on_due(container: Container, worker: PictureWorker) -> int:
    with container.database.read_session() as session:
        due = photos.due(session, container.clock(), 100)
    for photo_id in due:
        worker.process(photo_id)
    return len(due)


def worker_with(container: Container, check: Callable[[], None] = lambda: None, **limits: int) -> PictureWorker:
    return replace(photo_worker(container), calls=CallLimits(**{"per_job": 100, **limits}, check=check))


def test_a_photo_waits_for_a_server_that_is_left_alone_and_is_made_once_it_is_back(
    api: Api, container: Container, clock: FakeClock, engine: PayingEngine
) -> None:
    order = api.order(interior=[PHOTO])
    photo_id = order["assets"][0]["id"]
    for _ in range(10):
        work_on_due(container, worker_with(container, away))
        clock.pass_(minutes=1)
    assert tries(container, photo_id) == (0, 10)
    assert engine.paid == []
    work_on_due(container, worker_with(container))
    assert (tries(container, photo_id), engine.paid) == ((1, 10), [True])
    assert api.status(order["jobId"])["status"] == "approved"


def test_it_waits_for_half_of_the_jobs_time_and_then_the_engine_decides(
    api: Api, container: Container, clock: FakeClock, engine: PayingEngine
) -> None:
    order = api.order(interior=[PHOTO])
    seen: list[bool] = []

    class Waiting(FakeEngine):
        def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
            seen.append(context.may_wait)
            if context.may_wait:
                raise ServerUnavailableError("busy")
            return super().enhance(photo, request, context)

    container.engine = Waiting()
    for _ in range(59):
        work_on_due(container, worker_with(container))
        clock.pass_(minutes=1)
    assert api.status(order["jobId"])["status"] == "processing"
    clock.pass_(minutes=2)
    work_on_due(container, worker_with(container))
    assert (set(seen[:-1]), seen[-1]) == ({True}, False)
    assert api.status(order["jobId"])["status"] == "approved"


def test_calls_beyond_those_of_a_day_are_not_paid_until_a_day_later(
    api: Api, container: Container, clock: FakeClock, engine: PayingEngine
) -> None:
    worker = worker_with(container, per_day=2)
    api.order(interior=[PHOTO, PHOTO, PHOTO])
    work_on_due(container, worker)
    api.order(interior=[PHOTO])
    work_on_due(container, worker)
    assert engine.paid == [True, True, False, False]
    clock.pass_(hours=24)
    api.order(interior=[PHOTO])
    work_on_due(container, worker)
    assert engine.paid[-1]
