"""How long an order usually takes is told from what others really took, and only where there are enough."""

from datetime import timedelta

import pytest

from app.container import Container
from app.models import Job
from app.portal.orders.words import describe_duration
from app.services.orders import durations
from app.services.orders.durations import MIN_SIMILAR_ORDERS
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock


def record(container: Container, api: Api, minutes: float | None, photos: int = 1, rooms: bool = False) -> None:
    """An order that took so long; None: it is not done yet."""
    chosen = {"interiorEnhancements": ["virtual_staging"]} if rooms else {}
    job_id = api.order([PHOTO] * photos, **chosen)["jobId"]
    if minutes is not None:
        with container.database.unit_of_work() as session:
            job = session.get_one(Job, job_id)
            job.completed_at = job.created_at + timedelta(minutes=minutes)


def estimated(container: Container, job_id: str) -> timedelta | None:
    with container.database.read_session() as session:
        return durations.estimate(session, session.get_one(Job, job_id), container.clock())


def test_it_is_the_median_for_each_photo_times_the_photos(api: Api, container: Container) -> None:
    for number in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=2 if number else 500, photos=2)
    job_id = api.order([PHOTO] * 3)["jobId"]
    assert estimated(container, job_id) == timedelta(minutes=3)


def test_from_too_few_nothing_is_said(api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    for _ in range(MIN_SIMILAR_ORDERS - 1):
        record(container, api, minutes=2)
    assert estimated(container, job_id) is None
    record(container, api, minutes=2)
    assert estimated(container, job_id) == timedelta(minutes=2)


@pytest.mark.long
def test_orders_of_another_kind_or_of_long_ago_tell_nothing(
    api: Api, container: Container, clock: FakeClock
) -> None:
    for number in range(3 * MIN_SIMILAR_ORDERS):
        kind = ({"rooms": True}, {"photos": 4}, {"minutes": None})[number % 3]
        record(container, api, **{"minutes": 9, **kind})
    assert estimated(container, api.order([PHOTO])["jobId"]) is None
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=1)
    assert estimated(container, api.order([PHOTO])["jobId"]) == timedelta(minutes=1)
    clock.pass_(days=4)
    assert estimated(container, api.order([PHOTO])["jobId"]) is None


def test_only_the_newest_orders_are_looked_at(
    api: Api, container: Container, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durations, "MAX_ORDERS_READ", MIN_SIMILAR_ORDERS + 1)
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=1)
    assert estimated(container, api.order([PHOTO])["jobId"]) is not None
    clock.pass_(minutes=1)
    record(container, api, minutes=None)
    assert estimated(container, api.order([PHOTO])["jobId"]) is None


@pytest.mark.parametrize(
    ("took", "said"),
    [
        (timedelta(seconds=4), "about 1 minute."),
        (timedelta(seconds=170), "about 3 minutes."),
        (timedelta(minutes=89), "about 89 minutes."),
        (timedelta(minutes=130), "about 2 hours."),
    ],
)
def test_it_is_said_in_whole_minutes_or_hours(took: timedelta, said: str) -> None:
    assert describe_duration(took).endswith(said)
