"""The whole service over a bucket that customers reach themselves: an order, also with the store away meanwhile."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from tests import s3_servers, scenes
from tests.journeys.service import ASK_SECONDS, Client, Service, seldom
from tests.journeys.whole import FEW_PROGRAMS, Start
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import eventually

RECOVERED_SECONDS = 35
"""So long after the store's return at most nothing waits for it any more."""
ROOM = scenes.encoded(scenes.room(320, 214))


@pytest.fixture
def store(tmp_path: Path, reached_at: str) -> Iterator[S3Server]:
    with s3_servers.rclone(tmp_path / "data", reached_at) as server:
        yield server


@pytest.fixture
def bucket_service(tmp_path: Path, store: S3Server, started: Start) -> Iterator[Service]:
    """The service, its files in the store's bucket."""
    with started(tmp_path, **FEW_PROGRAMS, **store.settings(STORAGE_DIRECT="1")) as service:
        yield service


def ask_for_order(client: Client, files: dict[str, object]) -> requests.Response:
    """The answer to an order, good or not."""
    body = {"address": "12 Garden Lane, Springfield, IL 62704", "serviceType": "interior", **files}
    return client.session.post(
        f"{client.url}/orders/from-uploads",
        json={**body, "interiorEnhancements": ["hdr_enhancement"]},
        timeout=ASK_SECONDS,
    )


def test_photos_go_to_the_bucket_and_results_come_from_it_through_an_outage_too(
    bucket_service: Service, store: S3Server
) -> None:
    checked = bucket_service.flask("storage", "check")
    assert "ok    refuse a URL whose time is over" in checked.stdout, checked.stdout + checked.stderr
    client = bucket_service.client()
    first = client.order(
        client.upload({"interior": [ROOM]}), serviceType="interior", interiorEnhancements=["hdr_enhancement"]
    )
    assert client.settled(first["jobId"])["status"] == "approved"
    (image,) = client.call("GET", f"/downloads/{first['jobId']}")["images"]
    assert image["url"].startswith(f"{store.url}/{BUCKET}/of/ours/results/")
    (picture,) = client.pictures(first["jobId"])["generated_interior"]
    assert picture.startswith(b"\xff\xd8\xff")
    assert requests.get(image["originalUrl"], timeout=ASK_SECONDS).content == ROOM
    assert not [name for name in store.names() if "/incoming/" in name]

    waiting, placed = (client.upload({"interior": [ROOM]}) for _ in range(2))
    under_way = ask_for_order(client, placed).json()
    store.kill()
    refused = ask_for_order(client, waiting)
    assert (refused.status_code, refused.json()["code"]) == (503, "internal_error")
    assert int(refused.headers["Retry-After"]) > 0
    assert client.call("GET", f"/jobs/{under_way['jobId']}/status")["status"] != "failed"
    assert client.call("GET", "/user/credits")["credits"] == 99
    store.start()
    back = time.monotonic()
    order = eventually("the order is taken", seldom(lambda: ask_for_order(client, waiting)), RECOVERED_SECONDS)
    for job_id in (under_way["jobId"], order.json()["jobId"]):
        assert client.settled(job_id)["status"] == "approved"
    assert time.monotonic() - back < RECOVERED_SECONDS
    assert bucket_service.mismatches() == []
