"""Any process may be killed at any moment: the order ends in the same result, and the books agree."""

import signal

import pytest
import requests

from tests import scenes
from tests.journeys.service import Client, Service, eventually

ORDER = {
    "serviceType": "both",
    "exteriorEnhancements": ["sky_enhancement", "grass_enhancement"],
    "interiorEnhancements": ["hdr_enhancement"],
}


def photos() -> dict[str, list[bytes]]:
    return {
        "exterior": [scenes.encoded(scenes.house(1500, 1000))] * 2,
        "interior": [scenes.encoded(scenes.room(1500, 1000))] * 3,
    }


def check(service: Service, client: Client, order: dict, status: dict) -> None:
    assert status["status"] == "approved", status
    assert status["progress"] == {"total": 5, "completed": 5, "percentage": 100}
    images = client.call("GET", f"/downloads/{order['jobId']}")["images"]
    assert len(images) == 5
    assert all(requests.get(image["url"], timeout=30).content[:3] == b"\xff\xd8\xff" for image in images)
    assert service.mismatches() == []
    assert client.call("GET", "/user/credits")["credits"] == 100 - order["creditCost"]


@pytest.mark.parametrize("victim", ["gunicorn", "redis-server", "sweeper$", "work$"])
def test_a_killed_process_is_replaced_and_the_order_goes_through(service: Service, victim: str) -> None:
    client = service.client()
    order = client.order(client.upload(photos()), **ORDER)
    before = service.processes(victim)
    if victim == "redis-server" and not before:
        pytest.skip("this run's Redis is a server of its own")
    assert before
    for process in before:
        process.send_signal(signal.SIGKILL)
    status = client.settled(order["jobId"])
    eventually(lambda: len(service.processes(victim)) >= len(before))
    check(service, client, order, status)


def test_after_the_whole_tree_was_killed_a_new_start_goes_on(service: Service) -> None:
    client = service.client()
    order = client.order(client.upload(photos()), **ORDER)
    assert service.up is not None
    service.up.kill()
    service.up.wait()
    for process in service.processes("supervisord"):
        process.kill()
    service.start()
    check(service, client, order, client.settled(order["jobId"]))


def test_a_stop_in_the_middle_of_work_is_quick_and_a_new_start_goes_on(service: Service) -> None:
    client = service.client()
    order = client.order(client.upload(photos()), **ORDER)
    assert service.stop() < 10
    assert service.processes(".") == []
    service.start()
    check(service, client, order, client.settled(order["jobId"]))
