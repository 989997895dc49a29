"""Any process may be killed at any moment: the order ends in the same result, and the books agree."""

import signal
from contextlib import suppress

import psutil
import pytest
from sqlalchemy import func, select, update

from app.container import Container
from app.domain.lifecycle import WorkState
from app.models import Photo
from tests import reading, scenes
from tests.journeys.service import Client, Service, seldom
from tests.waiting import ORDER_SECONDS, eventually

ORDER = {
    "serviceType": "both",
    "exteriorEnhancements": ["sky_enhancement"],
    "interiorEnhancements": ["hdr_enhancement"],
}
SIZE = (640, 427)
PHOTOS = 3
"""One more than there are workers."""


def order_in_work(service: Service, client: Client) -> dict:
    """An order of three photos, once a worker has one of them in its hands."""
    photos = {
        "exterior": [scenes.encoded(scenes.house(*SIZE))],
        "interior": [scenes.encoded(scenes.room(*SIZE))] * 2,
    }
    order = client.order(client.upload(photos), **ORDER)
    with service.books() as here:
        eventually("a worker has begun with the order", lambda: in_work(here, order["jobId"]), ORDER_SECONDS)
    return order


def in_work(here: Container, job_id: str) -> int:
    """How many photos of the job are in a worker's hands, alive or dead."""
    held = select(func.count()).where(Photo.job_id == job_id, Photo.state == WorkState.WORKING)
    return reading.first(here, held) or 0


def run_out(service: Service, job_id: str) -> None:
    """Let the half minute pass at once that dead workers' claims last; a journey over a new start waits for it."""
    with service.books() as here, here.database.unit_of_work() as session:
        held = update(Photo).where(Photo.job_id == job_id, Photo.state == WorkState.WORKING)
        session.execute(held.values(lease_until=here.clock()))


def check(service: Service, client: Client, *orders: dict) -> None:
    for order in orders:
        status = client.settled(order["jobId"])
        assert status["status"] == "approved", status
        assert status["progress"] == {"total": PHOTOS, "completed": PHOTOS, "percentage": 100}
        pictures = [each for files in client.pictures(order["jobId"]).values() for each in files]
        assert len(pictures) == PHOTOS
        assert all(each.startswith(b"\xff\xd8\xff") for each in pictures)
    assert service.mismatches() == []
    assert client.call("GET", "/user/credits")["credits"] == 100 - sum(order["creditCost"] for order in orders)


def kill(service: Service, *victims: str) -> dict[str, set[int]]:
    """Kill all processes of these kinds, and what they forked; those of each kind that had stood till then."""
    before = {victim: service.standing(victim) for victim in victims}
    for victim in victims:
        assert before[victim], victim
        for process in service.processes(victim):
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGKILL)
    return before


def check_replaced(service: Service, before: dict[str, set[int]]) -> None:
    for victim, killed in before.items():
        back = seldom(lambda of=victim, gone=killed: len(service.standing(of) - gone) >= len(gone))
        eventually(f"all of {victim} run again", back)


@pytest.mark.quick
def test_killed_workers_are_replaced_and_the_order_goes_through(service: Service) -> None:
    client = service.client()
    order = order_in_work(service, client)
    # With a worker goes the process that it forked for the photo in its hands.
    before = kill(service, "work photos$")
    run_out(service, order["jobId"])
    check(service, client, order)
    check_replaced(service, before)


def test_web_sweeper_and_redis_killed_together_are_replaced_and_the_order_goes_through(service: Service) -> None:
    own_redis = ["redis-server"] if service.standing("redis-server") else []
    client = service.client()
    order = order_in_work(service, client)
    before = kill(service, "gunicorn", "sweeper$", *own_redis)
    check(service, client, order)
    check_replaced(service, before)


def test_after_the_whole_tree_was_killed_and_after_a_stop_a_new_start_goes_on(service: Service) -> None:
    client = service.client()
    orders = [order_in_work(service, client)]
    service.crash()
    service.start()
    orders.append(order_in_work(service, client))
    assert service.stop() == 0
    assert service.processes(".") == []
    service.start()
    check(service, client, *orders)
