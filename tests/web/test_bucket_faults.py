"""What requests are told, and what is kept, where the bucket fails: wrong keys or clock, slowness, lost files."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import botocore.auth
import pytest
import requests

from app.adapters.storage_s3 import S3Storage
from app.container import Container
from tests import s3_servers
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock
from tests.ports import kept_port
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import PATIENCE_SECONDS

Fail = Callable[[Container, S3Server, pytest.MonkeyPatch], None]


@pytest.fixture
def files(direct: S3Server, api: Api) -> dict[str, object]:
    """What an order for one photo needs that lies in the bucket."""
    room = api.post("/orders/upload-urls", {"interiorCount": 1}).json
    (target,) = room["interiorUrls"]
    assert requests.put(target["uploadUrl"], data=PHOTO, timeout=PATIENCE_SECONDS).status_code == 200
    files = {"uploadSessionId": room["uploadSessionId"], "interiorFiles": [{"filePath": target["filePath"]}]}
    return {**order_body(), **files}


def use_wrong_keys(container: Container, server: S3Server, _: pytest.MonkeyPatch) -> None:
    access = server.access(secret_access_key="another")
    container.storage = S3Storage(access, "of/ours", container.urls, direct=True)


def have_a_wrong_clock(_container: Container, _server: S3Server, patch: pytest.MonkeyPatch) -> None:
    now = botocore.auth.get_current_datetime

    def skewed(remove_tzinfo: bool = True) -> datetime:
        return now(remove_tzinfo) - timedelta(hours=1)

    patch.setattr(botocore.auth, "get_current_datetime", skewed)


def find_nobody_there(container: Container, server: S3Server, _: pytest.MonkeyPatch) -> None:
    with kept_port() as port:
        access = server.access(endpoint=f"http://127.0.0.1:{port}")
        container.storage = S3Storage(access, "of/ours", container.urls, direct=True)


def lose_the_bucket(container: Container, server: S3Server, _: pytest.MonkeyPatch) -> None:
    container.storage = S3Storage(server.access(bucket="nowhere"), "of/ours", container.urls, direct=True)


@pytest.mark.parametrize("fail", [use_wrong_keys, have_a_wrong_clock, find_nobody_there, lose_the_bucket])
def test_an_order_meanwhile_is_told_when_to_come_back_and_is_taken_afterwards(
    api: Api,
    container: Container,
    direct: S3Server,
    files: dict[str, object],
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    fail: Fail,
) -> None:
    whole = container.storage
    with monkeypatch.context() as patch:
        fail(container, direct, patch)
        refused = api.post("/orders/from-uploads", files)
        assert (refused.status_code, refused.json["code"]) == (503, "internal_error")
        assert int(refused.headers["Retry-After"]) > 0
        assert api.credits() == 100
        assert work(container) == 0
    container.storage = whole
    order = api.post("/orders/from-uploads", files).json
    with monkeypatch.context() as patch:
        fail(container, direct, patch)
        work(container)
        assert api.status(order["jobId"])["status"] == "processing"
    container.storage = whole
    clock.pass_(seconds=5)
    work(container)
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.credits() == 99.5


def test_a_photo_deleted_behind_our_back_is_waited_for_and_a_result_is_not_there(
    api: Api, container: Container, direct: S3Server, files: dict[str, object], clock: FakeClock
) -> None:
    order = api.post("/orders/from-uploads", files).json
    (name,) = direct.names()
    direct.client.delete_object(Bucket=BUCKET, Key=name)
    work(container)
    assert api.status(order["jobId"])["status"] == "processing"
    direct.client.put_object(Bucket=BUCKET, Key=name, Body=PHOTO)
    clock.pass_(seconds=5)
    work(container)
    (image,) = api.get(f"/downloads/{order['jobId']}").json["images"]
    (result,) = [each for each in direct.names() if "/results/" in each]
    direct.client.delete_object(Bucket=BUCKET, Key=result)
    assert requests.get(image["url"], timeout=PATIENCE_SECONDS).status_code == 404
    direct.client.delete_object(Bucket=BUCKET, Key=name)
    assert api.client.get(image["originalUrl"].removeprefix("http://localhost")).status_code == 404
    for each in (name, result):
        direct.client.put_object(Bucket=BUCKET, Key=each, Body=PHOTO)


def test_what_is_put_there_and_deleted_before_the_order_was_not_uploaded(
    api: Api, direct: S3Server, files: dict[str, object]
) -> None:
    direct.client.delete_object(Bucket=BUCKET, Key=direct.names()[0])
    refused = api.post("/orders/from-uploads", files)
    assert "Nothing was uploaded here yet" in refused.json["details"]["interiorFiles[0].filePath"]


@pytest.fixture
def slow_server(tmp_path: Path) -> Iterator[S3Server]:
    with s3_servers.rclone(tmp_path / "slow") as server:
        server.kill()
        server.start("--bwlimit", "256k")
        yield server


@pytest.mark.long
def test_a_slow_store_makes_things_slow_and_nothing_else(
    slow_server: S3Server, container: Container, api: Api
) -> None:
    container.storage = S3Storage(slow_server.access(), "", container.urls)
    began = time.monotonic()
    order = api.order(interior=[PHOTO + b"." * 300_000])
    work(container)
    assert api.status(order["jobId"])["status"] == "approved"
    (image,) = api.get(f"/downloads/{order['jobId']}").json["images"]
    answer = api.client.get(image["originalUrl"].removeprefix("http://localhost"))
    assert answer.data == PHOTO + b"." * 300_000
    assert time.monotonic() - began > 1
