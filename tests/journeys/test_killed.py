"""Any process may be killed at any moment: the order ends in the same result, and the books agree."""

import signal

import pytest
from sqlalchemy import func, select, update

from app.domain.lifecycle import WorkState
from app.models import Photo
from tests import scenes
from tests.journeys.service import Client, Service, seldom
from tests.waiting import ORDER_SECONDS, eventually

ORDER = {
    "serviceType": "both",
    "exteriorEnhancements": ["sky_enhancement", "grass_enhancement"],
    "interiorEnhancements": ["hdr_enhancement"],
}
SIZE = (640, 427)


def order_in_work(service: Service, client: Client) -> dict:
    """An order of five photos, once a worker has one of them in its hands."""
    photos = {
        "exterior": [scenes.encoded(scenes.house(*SIZE))] * 2,
        "interior": [scenes.encoded(scenes.room(*SIZE))] * 3,
    }
    order = client.order(client.upload(photos), **ORDER)
    eventually("a worker has begun with the order", lambda: in_work(service, order["jobId"]), ORDER_SECONDS)
    return order


def in_work(service: Service, job_id: str) -> int:
    """How many photos of the job are in a worker's hands, alive or dead."""
    held = select(func.count()).where(Photo.job_id == job_id, Photo.state == WorkState.WORKING)
    with service.books() as here, here.database.read_session() as session:
        return session.scalar(held) or 0


def run_out(service: Service, job_id: str) -> None:
    """Let the half minute pass at once that dead workers' claims last; a journey over a new start waits for it."""
    with service.books() as here, here.database.unit_of_work() as session:
        held = update(Photo).where(Photo.job_id == job_id, Photo.state == WorkState.WORKING)
        session.execute(held.values(lease_until=here.clock()))


def check(service: Service, client: Client, order: dict) -> None:
    status = client.settled(order["jobId"])
    assert status["status"] == "approved", status
    assert status["progress"] == {"total": 5, "completed": 5, "percentage": 100}
    pictures = [each for files in client.pictures(order["jobId"]).values() for each in files]
    assert len(pictures) == 5
    assert all(each.startswith(b"\xff\xd8\xff") for each in pictures)
    assert service.mismatches() == []
    assert client.call("GET", "/user/credits")["credits"] == 100 - order["creditCost"]


@pytest.mark.parametrize(
    "victim", ["gunicorn", "redis-server", "sweeper$", pytest.param("work photos$", marks=pytest.mark.quick)]
)
def test_a_killed_process_is_replaced_and_the_order_goes_through(service: Service, victim: str) -> None:
    before = service.standing(victim)
    if victim == "redis-server" and not before:
        pytest.skip("this run's Redis is a server of its own")
    assert before
    client = service.client()
    order = order_in_work(service, client)
    # With a worker goes the process that it forked for the photo in its hands.
    for process in service.processes(victim):
        process.send_signal(signal.SIGKILL)
    if victim == "work photos$":
        run_out(service, order["jobId"])
    check(service, client, order)
    eventually(f"all of {victim} run again", seldom(lambda: len(service.standing(victim) - before) >= len(before)))


def test_after_the_whole_tree_was_killed_a_new_start_goes_on(service: Service) -> None:
    client = service.client()
    order = order_in_work(service, client)
    service.crash()
    service.start()
    check(service, client, order)


def test_a_stop_in_the_middle_of_work_leaves_nothing_and_a_new_start_goes_on(service: Service) -> None:
    client = service.client()
    order = order_in_work(service, client)
    assert service.stop() == 0
    assert service.processes(".") == []
    service.start()
    check(service, client, order)
