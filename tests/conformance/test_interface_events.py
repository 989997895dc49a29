"""Section "Events": what is recorded of each move, field by field as it will be delivered."""

import json

import pytest

from engine.version import engine_version
from tests.conformance.shapes import ADDRESS, events, is_moment, is_number
from tests.conftest import PHOTO, Api, work
from tests.fakes import photo

DATA = {"jobId", "status", "profileId", "address", "creditCost", "photoCount", "timestamp"}
MORE = {"engineVersion"}
"""What we add to it."""


def bodies(container) -> dict[str, dict]:
    """Every recorded body by its event's name."""
    recorded = {event.name: json.loads(event.body) for event in events(container)}
    assert all(body["event"] == name for name, body in recorded.items())
    return recorded


def test_a_body_has_exactly_the_fields_of_the_interface(api: Api, container) -> None:
    job = api.order(interior=[PHOTO, PHOTO], exterior=[PHOTO])["jobId"]
    body = bodies(container)["job.created"]
    assert set(body) == {"event", "timestamp", "livemode", "data"}
    assert set(body["data"]) == DATA | MORE
    assert body["data"]["engineVersion"] == engine_version()
    assert is_moment(body["timestamp"])
    assert is_moment(body["data"]["timestamp"])
    assert body["data"]["jobId"] == job
    assert body["data"]["profileId"] == api.account_id
    assert body["data"]["address"] == ADDRESS
    assert is_number(body["data"]["creditCost"])
    assert body["data"]["creditCost"] == 2
    assert body["data"]["photoCount"] == {"interior": 2, "exterior": 1}


GOOD = {
    "job.created": "pending",
    "job.processing": "processing",
    "job.completed": "qc_review",
    "job.approved": "approved",
    "job.delivered": "delivered",
}


def test_every_event_carries_the_status_just_entered(api: Api, container) -> None:
    job = api.order(interior=[PHOTO])["jobId"]
    work(container)
    api.get(f"/downloads/{job}")
    recorded = bodies(container)
    assert {name: body["data"]["status"] for name, body in recorded.items()} == GOOD
    assert all(set(body["data"]) == DATA | MORE for body in recorded.values())


@pytest.mark.parametrize(("marker", "status"), [("BLANK", "undeliverable"), ("CRASH", "failed")])
def test_a_bad_end_is_told_once(api: Api, container, clock, marker: str, status: str) -> None:
    api.order(interior=[photo(marker)])
    for _ in range(4):
        work(container)
        clock.pass_(minutes=1)
    names = [event.name for event in events(container)]
    assert names.count(f"job.{status}") == 1
    assert bodies(container)[f"job.{status}"]["data"]["status"] == status


def test_a_refused_order_records_nothing(api: Api, container) -> None:
    assert api.post("/orders/from-uploads", json={"address": ADDRESS}).status_code == 400
    assert events(container) == []


def test_a_body_stays_far_under_20_kilobytes(api: Api, container) -> None:
    api.order(interior=[PHOTO], address="\U0001f3e1" * 297 + " 1a")
    assert len(events(container)[0].body.encode()) < 20_000
