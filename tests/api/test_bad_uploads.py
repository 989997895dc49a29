"""PUTs that must not become a photo leave nothing behind, and what was ordered cannot change."""

import io
from itertools import product

import pytest

from app.domain import limits
from app.models import Preview
from app.services.previews import previews
from app.services.uploads import uploads
from app.web import order_checks
from tests.conformance.shapes import rows, stored_files
from tests.conformance.streams import Generated, fresh_url, put
from tests.conftest import PHOTO, Api, develop, new_api, order_body, work

NOT_PICTURES = {
    "nothing": b"",
    "one byte": b"\xff",
    "text": b"hello",
    "page": b"<!doctype html><script>alert(1)</script>",
    "drawing": b'<svg xmlns="http://www.w3.org/2000/svg"/>',
    "gif": b"GIF89a" + bytes(100),
    "bmp": b"BM" + bytes(100),
    "pdf": b"%PDF-1.7" + bytes(100),
    "zip": b"PK\x03\x04" + bytes(100),
    "program": b"MZ" + bytes(100),
    "avif": b"\x00\x00\x00\x1cftypavif" + bytes(100),
    "film": b"\x00\x00\x00\x18ftypmp42" + bytes(100),
    "sound": b"RIFF\x00\x00\x00\x00WAVE" + bytes(100),
    "zeros": bytes(1000),
    "late jpeg": b" " + PHOTO,
    "byte order": "\ufeff".encode() + PHOTO,
}


def test_content_that_is_no_picture_is_a_415_whatever_the_header_says(
    api: Api, container, subtests: pytest.Subtests
) -> None:
    for header, name in product(("image/jpeg", "image/png", None), NOT_PICTURES):
        with subtests.test(header=header, content=name):
            answer = api.put(fresh_url(api), NOT_PICTURES[name], content_type=header)
            assert (answer.status_code, answer.json["code"]) == (415, "unsupported_media_type")
            assert stored_files(container) == []


TIFF, HEIC = b"II*\x00" + bytes(100), b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100)
PICTURES = [PHOTO, b"\x89PNG\r\n\x1a\n" + bytes(9), b"RIFF\x00\x00\x00\x00WEBP" + bytes(9), TIFF, b"MM\x00*", HEIC]


@pytest.mark.parametrize("content", PICTURES)
def test_every_format_promised_is_taken_whatever_the_header_says(api: Api, content: bytes) -> None:
    assert api.put(fresh_url(api), content, content_type="text/html").status_code == 200


def test_a_refused_file_does_not_replace_a_good_one(api: Api, container) -> None:
    body = api.upload(interior=[PHOTO])
    room = api.post("/orders/upload-urls", json={"interiorCount": 1}).json["interiorUrls"][0]
    api.put(room["uploadUrl"], PHOTO)
    assert api.put(room["uploadUrl"], b"no picture").status_code == 415
    assert put(api, room["uploadUrl"], Generated(500, cut=True), 1000).status_code >= 400
    with container.storage.open(room["filePath"]) as file:
        assert file.read() == PHOTO
    assert len(stored_files(container)) == 1 + len(body["interiorFiles"])


def test_an_upload_that_ends_early_leaves_nothing_behind(api: Api, container, subtests: pytest.Subtests) -> None:
    for size in (0, 1, 10, 63, 64, 65, 300_000):
        with subtests.test(size=size):
            answer = put(api, fresh_url(api), Generated(size), size + 1)
            assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
            assert stored_files(container) == []


def test_a_connection_that_breaks_leaves_nothing_behind(api: Api, container, subtests: pytest.Subtests) -> None:
    for length, size in product((1_000_000, None), (0, 10, 70, 600_000)):
        with subtests.test(length=length, size=size):
            answer = put(api, fresh_url(api), Generated(size, cut=True), length)
            assert (answer.status_code, answer.json["code"]) == (400, "invalid_request")
            assert stored_files(container) == []


def test_no_more_than_the_announced_length_is_read(api: Api, container) -> None:
    assert put(api, fresh_url(api), Generated(5000), 100).status_code == 200
    (path,) = stored_files(container)
    assert (container.settings.storage_path / path).stat().st_size == 100


@pytest.mark.parametrize("length", ["", "-1", "abc", "1e3", "0"])
def test_a_length_that_is_none_is_an_empty_upload(api: Api, container, length: str) -> None:
    assert put(api, fresh_url(api), Generated(100), length).status_code == 415
    assert stored_files(container) == []


@pytest.mark.parametrize("length", [None, 101])
def test_a_file_over_the_limit_leaves_nothing_behind(api: Api, container, monkeypatch, length: int | None) -> None:
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 100)
    answer = put(api, fresh_url(api), Generated(101), length)
    assert (answer.status_code, answer.json["code"]) == (413, "too_large")
    assert stored_files(container) == []
    assert put(api, fresh_url(api), Generated(100), length and 100).status_code == 200


def test_a_file_that_no_picture_can_be_made_of_is_refused_before_it_is_charged_once_it_was_looked_at(
    api: Api, container
) -> None:
    before, room = api.credits(), api.post("/orders/upload-urls", {"interiorCount": 2}).json
    for target, content in zip(room["interiorUrls"], (PHOTO, PHOTO + b"BROKEN"), strict=True):
        assert api.put(target["uploadUrl"], content).status_code == 200
    body = {
        **order_body(),
        "uploadSessionId": room["uploadSessionId"],
        "interiorFiles": [{"filePath": each["filePath"]} for each in room["interiorUrls"]],
    }
    develop(container)
    refused = api.post("/orders/from-uploads", body)
    assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
    assert refused.json["details"] == {"interiorFiles[1].filePath": "The photo cannot be decoded."}
    assert api.credits() == before
    assert api.put(room["interiorUrls"][1]["uploadUrl"], PHOTO + b"good").status_code == 200
    assert api.post("/orders/from-uploads", body).status_code == 200


def test_a_file_that_workers_only_failed_to_look_at_is_ordered(api: Api, container) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    (file,) = body["interiorFiles"]
    with container.database.unit_of_work() as session:
        held = previews.claim(session, file["filePath"], container.clock())
        previews.give_up(session, held, previews.GIVEN_UP)
    assert api.post("/orders/from-uploads", body).status_code == 200


@pytest.fixture
def looked_at_meanwhile(container, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Workers that look at the files while an order waits for that; how often one waited."""
    waits: list[int] = []

    def work_on(_: float) -> None:
        waits.append(develop(container))

    container.settings = container.settings.model_copy(update={"order_look_seconds": 5})
    monkeypatch.setattr(order_checks, "sleep", work_on)
    return waits


def test_an_order_that_comes_at_once_waits_until_its_files_were_looked_at(
    api: Api, looked_at_meanwhile: list[int]
) -> None:
    before = api.credits()
    body = {**order_body(), **api.upload(interior=[PHOTO, PHOTO + b"BROKEN"])}
    refused = api.post("/orders/from-uploads", body)
    assert refused.json["details"] == {"interiorFiles[1].filePath": "The photo cannot be decoded."}
    assert (api.credits(), looked_at_meanwhile) == (before, [2])


def test_photos_sent_along_with_an_order_are_looked_at_before_it_is_charged(
    api: Api, container, looked_at_meanwhile: list[int]
) -> None:
    before = api.credits()
    form = {**order_body(), "interiorEnhancements": '["declutter"]'}
    refused = api.post("/orders", data={**form, "interiorPhoto0": (io.BytesIO(PHOTO + b"BROKEN"), "a.jpg")})
    assert (refused.status_code, list(refused.json["details"])) == (400, ["interiorPhoto0"])
    assert (api.credits(), looked_at_meanwhile) == (before, [1])
    assert stored_files(container) == rows(container, Preview) == []


def test_nothing_of_anothers_upload_session_is_looked_at_or_waited_for(
    api: Api, app, container, looked_at_meanwhile: list[int]
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    with container.database.unit_of_work() as session:
        previews.forget(session, uploads.prefix(body["uploadSessionId"]))
    other = new_api(app, container, "kim@example.com")
    assert other.post("/orders/from-uploads", body).status_code == 400
    assert (rows(container, Preview), looked_at_meanwhile) == ([], [])


def test_an_order_of_many_files_or_beside_others_that_wait_does_not_wait(
    api: Api, looked_at_meanwhile: list[int]
) -> None:
    many = {
        **order_body(),
        **api.upload(interior=[PHOTO + bytes([each]) for each in range(order_checks.MAX_FILES + 1)]),
    }
    assert api.post("/orders/from-uploads", many).status_code == 200
    with order_checks._waiting, order_checks._waiting:
        few = {**order_body(), **api.upload(interior=[PHOTO])}
        assert api.post("/orders/from-uploads", few).status_code == 200
    assert not looked_at_meanwhile


def test_a_photo_cannot_be_changed_once_it_is_ordered(api: Api, container) -> None:
    room = api.post("/orders/upload-urls", json={"interiorCount": 2}).json
    targets = room["interiorUrls"]
    for target in targets:
        api.put(target["uploadUrl"], PHOTO)
    body = {**order_body(), "uploadSessionId": room["uploadSessionId"]}
    body["interiorFiles"] = [{"filePath": targets[0]["filePath"]}]
    job = api.post("/orders/from-uploads", json=body).json["jobId"]
    for target in targets:
        answer = api.put(target["uploadUrl"], PHOTO + b"changed")
        assert (answer.status_code, answer.json["jobId"]) == (409, job)
    work(container)
    assert api.client.get(api.get(f"/downloads/{job}").json["images"][0]["url"]).data == PHOTO


def test_an_order_placed_while_a_photo_is_replaced_keeps_the_photo_it_saw(api: Api, container) -> None:
    room = api.post("/orders/upload-urls", json={"interiorCount": 1}).json
    target = room["interiorUrls"][0]
    api.put(target["uploadUrl"], PHOTO)
    body = {**order_body(), "uploadSessionId": room["uploadSessionId"]}
    body["interiorFiles"] = [{"filePath": target["filePath"]}]

    class Meanwhile(Generated):
        def read(self, size: int = -1) -> bytes:
            if not self.left and not ordered:
                ordered.append(api.post("/orders/from-uploads", json=body).status_code)
            return super().read(size)

    ordered: list[int] = []
    assert put(api, target["uploadUrl"], Meanwhile(500), None).status_code == 409
    assert ordered == [200]
    with container.storage.open(target["filePath"]) as file:
        assert file.read() == PHOTO
    assert len(stored_files(container)) == 1


def test_uploads_to_a_session_that_was_swept_are_not_found(api: Api, container, settings) -> None:
    url = fresh_url(api)
    with container.database.unit_of_work() as session:
        (room,) = rows(container, uploads.UploadSession)
        uploads.forget(session, room.id)
    assert api.put(url, PHOTO).status_code == 404
    assert stored_files(container) == []
