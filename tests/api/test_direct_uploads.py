"""Files that programs put straight into the bucket: judged at the order, counted, and never changed after it."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from typing import Any

import pytest
import requests
from flask import Flask
from werkzeug.test import TestResponse

from app.container import Container
from app.domain import limits
from app.domain.ports import INCOMING
from app.models import AccountUse, IncomingFile, UploadSession
from app.services.uploads.quotas import UploadQuota
from tests.acts import KilledError
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock, photo
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import PATIENCE_SECONDS

OTHER = photo("another")


class Uploads:
    """An upload session for interior photos, and its files as they come."""

    def __init__(self, api: Api, count: int = 1) -> None:
        self.api = api
        self.session = api.post("/orders/upload-urls", {"interiorCount": count}).json
        self.targets = self.session["interiorUrls"]

    def put(self, content: bytes, index: int = 0, **headers: str) -> requests.Response:
        url = self.targets[index]["uploadUrl"]
        return requests.put(url, data=content, headers=headers, timeout=PATIENCE_SECONDS)

    def order(self) -> TestResponse:
        files = [{"filePath": target["filePath"]} for target in self.targets]
        body = {"uploadSessionId": self.session["uploadSessionId"], "interiorFiles": files}
        return self.api.post("/orders/from-uploads", {**order_body(), **body})

    @property
    def key(self) -> str:
        return self.targets[0]["filePath"]


@pytest.fixture
def uploads(direct: S3Server, api: Api) -> Uploads:
    return Uploads(api)


def held(container: Container, api: Api) -> int:
    """What the account's quota counts; the sum of its sessions is held to it."""
    with container.database.read_session() as session:
        use = session.get(AccountUse, api.account_id)
        return use.held_bytes if use else 0


def counted(container: Container) -> dict[str, int]:
    with container.database.read_session() as session:
        return {row.key: row.size_bytes for row in session.query(IncomingFile)}


def incoming(direct: S3Server) -> list[str]:
    return [name for name in direct.names() if f"/{INCOMING}" in name]


def test_a_file_goes_straight_to_the_bucket_and_its_order_works(
    uploads: Uploads, direct: S3Server, api: Api, container: Container
) -> None:
    assert uploads.targets[0]["uploadUrl"].startswith(f"{direct.url}/{BUCKET}/of/ours/{INCOMING}")
    assert uploads.put(PHOTO).status_code == 200
    placed = uploads.order()
    assert placed.status_code == 200, placed.text
    assert incoming(direct) == []
    found = direct.client.head_object(Bucket=BUCKET, Key=f"of/ours/{uploads.key}")
    assert (found["ContentLength"], found["ContentType"]) == (len(PHOTO), "image/jpeg")
    assert work(container) == 1
    assert api.status(placed.json["jobId"])["status"] == "approved"
    assert (held(container, api), counted(container)) == (0, {})


def test_a_client_that_says_what_it_sends_is_taken_as_well(uploads: Uploads) -> None:
    assert uploads.put(PHOTO, **{"Content-Type": "text/html"}).status_code == 200
    assert uploads.order().status_code == 200


def test_a_second_put_before_the_order_replaces_the_file_and_one_after_it_changes_nothing(
    uploads: Uploads, container: Container, direct: S3Server
) -> None:
    uploads.put(PHOTO)
    uploads.put(OTHER)
    first = uploads.order()
    assert uploads.put(PHOTO).status_code == 200
    again = uploads.order()
    assert (again.status_code, again.json["jobId"]) == (200, first.json["jobId"])
    with container.storage.open(uploads.key) as file:
        assert file.read() == OTHER
    container.sweep.look_at_incoming_files()
    assert incoming(direct) == []
    assert counted(container) == {}


def test_a_file_that_is_replaced_between_the_look_at_it_and_its_copy_is_not_ordered(
    uploads: Uploads, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    uploads.put(PHOTO)
    copy_file = container.storage.copy

    def replace_first(*arguments: Any) -> Any:
        uploads.put(b"x" * len(PHOTO))
        return copy_file(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(container.storage, "copy", replace_first)
        assert uploads.order().status_code == 503
    assert (work(container), api.credits()) == (0, 100)
    assert uploads.order().status_code == 400
    uploads.put(PHOTO)
    assert uploads.order().status_code == 200


def test_only_files_of_the_named_session_are_taken_in(
    uploads: Uploads, api: Api, container: Container, direct: S3Server
) -> None:
    others = Uploads(api)
    others.put(PHOTO)
    assert container.bucket_intake.take_in(api.account_id, uploads.session["uploadSessionId"], [others.key]) == {}
    assert len(incoming(direct)) == 1
    assert (held(container, api), counted(container)) == (0, {})


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no picture at all", "The file is not JPEG"),
        (b"", "The file is not JPEG"),
        (b"FUJIFILMCCD-RAW", "This is a camera raw file"),
        (b"\0\0\0\x18ftypmp42", "This is a video"),
        (b"%PDF-1.7", "This is a PDF"),
    ],
)
def test_what_is_no_picture_is_refused_by_its_field_and_may_be_replaced(
    uploads: Uploads, api: Api, container: Container, content: bytes, told: str
) -> None:
    uploads.put(content)
    refused = uploads.order()
    assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
    assert refused.json["details"]["interiorFiles[0].filePath"].startswith(told)
    assert (api.credits(), held(container, api)) == (100, 0)
    uploads.put(PHOTO)
    assert uploads.order().status_code == 200


def test_a_file_over_the_limit_is_refused_and_swept(
    uploads: Uploads, container: Container, direct: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", len(PHOTO) - 1)
    uploads.put(PHOTO)
    refused = uploads.order()
    assert "at most 50 MB" in refused.json["details"]["interiorFiles[0].filePath"]
    container.sweep.look_at_incoming_files()
    assert incoming(direct) == []
    assert "Nothing was uploaded here yet" in uploads.order().json["details"]["interiorFiles[0].filePath"]


def test_nothing_uploaded_is_told_as_ever(uploads: Uploads) -> None:
    assert "Nothing was uploaded here yet" in uploads.order().json["details"]["interiorFiles[0].filePath"]


def test_what_waits_in_the_bucket_is_counted_once_and_goes_with_its_session(
    uploads: Uploads, api: Api, container: Container, direct: S3Server, clock: FakeClock
) -> None:
    uploads.put(PHOTO)
    for _ in range(2):
        container.sweep.look_at_incoming_files()
        assert held(container, api) == len(PHOTO)
    uploads.put(OTHER)
    container.sweep.look_at_incoming_files()
    assert held(container, api) == len(OTHER)
    clock.pass_(hours=25)
    container.sweep.forget_unused_uploads()
    container.sweep.look_at_incoming_files()
    assert (held(container, api), counted(container), incoming(direct)) == (0, {}, [])


def test_what_is_over_the_quota_is_not_kept(
    api: Api, container: Container, direct: S3Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Container, "upload_quota", UploadQuota(200, len(PHOTO) + 10))
    two = Uploads(api, 2)
    for index in range(2):
        two.put(PHOTO, index)
    refused = two.order()
    assert (refused.status_code, refused.json["code"]) == (413, "too_large")
    assert held(container, api) == 0
    container.sweep.look_at_incoming_files()
    assert (len(incoming(direct)), held(container, api)) == (1, len(PHOTO))


def test_another_accounts_files_are_not_touched(
    uploads: Uploads, other_api: Api, container: Container, direct: S3Server
) -> None:
    uploads.put(PHOTO)
    mine, uploads.api = uploads.api, other_api
    assert uploads.order().status_code == 400
    assert (len(incoming(direct)), counted(container)) == (1, {})
    uploads.api = mine
    assert uploads.order().status_code == 200


def test_files_that_belong_to_nothing_are_swept_and_a_trial_of_the_store_is_left(
    uploads: Uploads, container: Container, direct: S3Server
) -> None:
    for name in ("ups_nobody/interior-0", f"{uploads.session['uploadSessionId']}/interior-7", "ping-now"):
        direct.client.put_object(Bucket=BUCKET, Key=f"of/ours/{INCOMING}{name}", Body=PHOTO)
    container.sweep.look_at_incoming_files()
    assert incoming(direct) == [f"of/ours/{INCOMING}ping-now"]


@pytest.mark.long
def test_many_orders_at_once_for_the_same_files_take_them_in_once(
    direct: S3Server, api: Api, app: Flask, container: Container
) -> None:
    uploads = Uploads(api, 10)
    for index in range(10):
        uploads.put(photo(str(index)), index)

    def order(_: int) -> dict[str, Any]:
        uploads_of_thread = copy(uploads)
        uploads_of_thread.api = Api(app.test_client(), api.account_id, api.secret)
        answer = uploads_of_thread.order()
        assert answer.status_code == 200, answer.text
        return answer.json

    with ThreadPoolExecutor(4) as pool:
        jobs = {answer["jobId"] for answer in pool.map(order, range(4))}
    assert len(jobs) == 1
    assert (held(container, api), counted(container), incoming(direct), api.credits()) == (0, {}, [], 95)
    for index, target in enumerate(uploads.targets):
        with container.storage.open(target["filePath"]) as file:
            assert file.read() == photo(str(index))


CRASHES: dict[str, Callable[[Any, pytest.MonkeyPatch], None]] = {
    "before it is counted": lambda storage, patch: patch.setattr(storage, "peek", broken),
    "before the copy": lambda storage, patch: patch.setattr(storage, "copy", broken),
    "before the one that came is removed": lambda storage, patch: patch.setattr(storage, "delete", broken),
    "before the order is placed": lambda storage, patch: patch.setattr(storage, "stat", broken_stat(storage)),
}


def broken(*_: object, **__: object) -> None:
    raise KilledError


def broken_stat(storage: Any) -> Callable[[str], Any]:
    """Breaks at the look that follows when everything was taken in."""
    whole = storage.stat

    def stat(key: str) -> Any:
        if key.startswith("uploads/") and not storage.peek(key.replace("uploads/", INCOMING, 1)):
            raise KilledError
        return whole(key)

    return stat


@pytest.mark.parametrize("moment", CRASHES)
def test_killed_at_any_step_nothing_is_lost_or_counted_twice(
    uploads: Uploads, api: Api, container: Container, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    uploads.put(PHOTO)
    with monkeypatch.context() as patch:
        CRASHES[moment](container.storage, patch)
        with pytest.raises(KilledError):
            uploads.order()
    container.sweep.look_at_incoming_files()
    assert held(container, api) == len(PHOTO)
    with container.database.read_session() as session:
        assert session.query(UploadSession.job_id).all() == [(None,)]
    assert uploads.order().status_code == 200
    assert (held(container, api), api.credits()) == (0, 99.5)
    with container.storage.open(uploads.key) as file:
        assert file.read() == PHOTO
