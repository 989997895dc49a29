"""What one account may keep uploaded without ordering it: one limit for every way in, whatever comes at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from flask import Flask

from app.container import Container
from app.domain import limits
from app.domain.errors import NotFound, OpenSessionsExceeded, UploadQuotaExceeded
from app.models import AccountUse
from app.services.orders import draft_photos, drafts, reorders
from app.services.uploads import quotas, uploads
from app.services.uploads.quotas import STEP_BYTES, Reservation, UploadQuota
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import FakeClock
from tests.faulty_storage import FaultyStorage
from tests.services.drafting import add_photo, begin

SIZE = len(PHOTO)


def use(container: Container, account_id: str) -> tuple[int, int]:
    """How many sessions and bytes count for the account."""
    with container.database.read_session() as session:
        found = session.get(AccountUse, account_id)
        return (found.open_sessions, found.held_bytes) if found else (0, 0)


def room_for(container: Container, account_id: str, size_bytes: int) -> str:
    """Leave the account room for so many bytes: a session that holds all the rest; its id."""
    quota = container.upload_quota
    with container.database.unit_of_work() as session:
        room = uploads.open_session(session, account_id, quota, container.clock())
        _, held = use(container, account_id)
        quotas.reserve(session, room.id, quota.held_bytes - size_bytes - held, quota)
    return room.id


def places(api: Api, count: int) -> tuple[dict[str, object], list[str]]:
    """An upload session with room for so many files, and their URLs."""
    room = api.post("/orders/upload-urls", {"interiorCount": count}).json
    return room, [each["uploadUrl"].removeprefix("http://localhost") for each in room["interiorUrls"]]


def test_of_many_sessions_opened_at_once_no_more_than_the_quota_come_to_be(container: Container, api: Api) -> None:
    quota = UploadQuota(5, 10**9)

    def begin(_: int) -> bool:
        try:
            with container.database.unit_of_work() as session:
                uploads.open_session(session, api.account_id, quota, container.clock())
        except OpenSessionsExceeded as refusal:
            assert refusal.details == {"openSessions": 5, "limit": 5}
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(begin, range(24))) == 5
    assert use(container, api.account_id) == (5, 0)


def test_of_many_uploads_at_once_no_more_than_there_is_room_for_are_kept(
    app: Flask, container: Container, api: Api
) -> None:
    room_for(container, api.account_id, 3 * SIZE)
    before = use(container, api.account_id)[1]
    _, urls = places(api, 10)

    def put(url: str) -> int:
        return app.test_client().put(url, data=PHOTO).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(put, urls))
    assert statuses == [200] * 3 + [413] * 7
    assert use(container, api.account_id)[1] == before + 3 * SIZE
    assert len(list(container.settings.storage_path.rglob("interior-*"))) == 3


@pytest.mark.long
def test_reservations_at_once_never_pass_the_limit_and_all_come_back(container: Container, api: Api) -> None:
    quota = UploadQuota(100, 50 * SIZE)
    with container.database.unit_of_work() as session:
        ids = [uploads.open_session(session, api.account_id, quota, container.clock()).id for _ in range(4)]
    most = []

    def come_and_go(number: int) -> int:
        room, taken = Reservation(container.database, ids[number % 4], quota), 0
        try:
            for _ in range(7):
                room.take(SIZE)
                taken += 1
        except UploadQuotaExceeded:
            pass
        most.append(use(container, api.account_id)[1])
        room.cancel()
        return taken

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(come_and_go, range(36))) > 50
    assert max(most) <= 50 * SIZE
    assert use(container, api.account_id) == (4, 0)


def test_a_refused_upload_says_what_is_taken_and_the_limit(container: Container, api: Api) -> None:
    room_for(container, api.account_id, 10)
    _, urls = places(api, 1)
    refused = api.client.put(urls[0], data=PHOTO)
    limit = container.upload_quota.held_bytes
    assert (refused.status_code, refused.json["code"]) == (413, "too_large")
    assert refused.json["details"] == {"heldBytes": limit - 10, "requestedBytes": SIZE, "limitBytes": limit}
    assert "discard" in refused.json["message"]


def test_too_many_open_sessions_are_refused_with_a_time_to_come_back(
    container: Container, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(container), "upload_quota", UploadQuota(1, 10**9))
    assert api.post("/orders/upload-urls", {"interiorCount": 1}).status_code == 200
    for refused in (api.post("/orders/upload-urls", {"interiorCount": 1}), multipart(api, {})):
        assert (refused.status_code, refused.json["code"]) == (429, "rate_limited")
        assert refused.json["details"] == {"openSessions": 1, "limit": 1}
        assert int(refused.headers["Retry-After"]) > 0


def multipart(api: Api, files: dict[str, bytes], **options: object):
    form = {name: (BytesIO(content), f"{name}.jpg") for name, content in files.items()}
    fields = {"address": "12 Garden Lane", "serviceType": "interior", "interiorEnhancements": '["hdr_enhancement"]'}
    return api.call("POST", "/orders", data={**fields, **form}, content_type="multipart/form-data", **options)


def test_an_upload_too_large_for_the_room_is_refused_before_a_byte_of_it_is_stored(
    container: Container, api: Api
) -> None:
    room_for(container, api.account_id, SIZE)
    _, urls = places(api, 1)
    container.storage = FaultyStorage(container.storage)
    assert api.client.put(urls[0], data=PHOTO + b".").status_code == 413
    assert multipart(api, {"interiorPhoto0": PHOTO}).status_code == 413
    assert "create" not in container.storage.acts


def test_an_upload_of_unknown_length_is_refused_once_there_is_no_room(container: Container, api: Api) -> None:
    room_for(container, api.account_id, STEP_BYTES + 100)
    before = use(container, api.account_id)
    _, urls = places(api, 1)

    def put(size: int):
        body = PHOTO + b"." * (size - SIZE)
        return api.client.put(
            urls[0], input_stream=BytesIO(body), environ_overrides={"wsgi.input_terminated": True}
        )

    assert put(STEP_BYTES + 101).status_code == 413
    assert use(container, api.account_id)[1] == before[1]
    assert put(STEP_BYTES + 100).status_code == 200
    assert use(container, api.account_id)[1] == before[1] + STEP_BYTES + 100


def test_a_form_over_the_sum_allowed_is_refused_before_it_is_read_and_while_it_comes(
    api: Api, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.form_parts.MAX_FORM_MEGABYTES", 1)
    before = use(container, api.account_id)
    large = {"interiorPhoto0": PHOTO + b"." * 1024**2}
    refused = multipart(api, large)
    assert (refused.status_code, refused.json["message"]) == (413, "A form may have at most 1 MB in all.")
    unknown = multipart(api, large, environ_overrides={"wsgi.input_terminated": True, "CONTENT_LENGTH": ""})
    assert (unknown.status_code, unknown.json["message"]) == (413, "A form may have at most 1 MB in all.")
    assert use(container, api.account_id) in (before, (0, 0))


def test_room_comes_back_when_an_upload_fails_is_replaced_ordered_or_swept(
    container: Container, api: Api, clock: FakeClock
) -> None:
    room, urls = places(api, 2)
    assert use(container, api.account_id) == (1, 0)
    api.client.put(urls[0], data=PHOTO)
    api.client.put(urls[0], data=PHOTO + b"." * 9)
    assert use(container, api.account_id) == (1, SIZE + 9)
    assert api.client.put(urls[1], data=b"<html>").status_code == 415
    assert use(container, api.account_id) == (1, SIZE + 9)
    body = {**order_body(), "interiorFiles": [{"filePath": room["interiorUrls"][0]["filePath"]}]}
    assert api.post("/orders/from-uploads", {**body, "uploadSessionId": room["uploadSessionId"]}).status_code == 200
    assert use(container, api.account_id) == (0, 0)
    assert multipart(api, {"interiorPhoto0": PHOTO}).status_code == 200
    assert multipart(api, {"interiorPhoto0": PHOTO, "interiorPhoto1": b"<html>"}).status_code == 415
    assert use(container, api.account_id) == (0, 0)
    api.upload(interior=[PHOTO])
    assert use(container, api.account_id) == (1, SIZE)
    clock.pass_(hours=24)
    container.sweep.forget_unused_uploads()
    assert use(container, api.account_id) == (0, 0)


def test_an_order_and_uploads_into_its_session_at_once_leave_nothing_counted(
    app: Flask, container: Container, api: Api
) -> None:
    room, urls = places(api, 8)
    api.client.put(urls[0], data=PHOTO)
    body = {**order_body(), "interiorFiles": [{"filePath": room["interiorUrls"][0]["filePath"]}]}
    body["uploadSessionId"] = room["uploadSessionId"]
    other = Api(app.test_client(), api.account_id, api.secret)
    acts: list[Callable[[], int]] = [lambda: other.post("/orders/from-uploads", body).status_code]
    acts += [lambda url=url: app.test_client().put(url, data=PHOTO).status_code for url in urls[1:]]
    with ThreadPoolExecutor(8) as pool:
        statuses = [each.result() for each in [pool.submit(act) for act in acts]]
    assert statuses[0] == 200
    assert set(statuses[1:]) <= {200, 409}
    assert use(container, api.account_id) == (0, 0)


def test_an_upload_on_its_way_when_its_session_is_ordered_gives_nothing_back_twice(
    container: Container, api: Api
) -> None:
    body = {**order_body(), **api.upload(interior=[PHOTO])}
    late = Reservation(container.database, body["uploadSessionId"], container.upload_quota)
    late.take(SIZE)
    assert api.post("/orders/from-uploads", body).status_code == 200
    late.cancel()
    assert use(container, api.account_id) == (0, 0)


def test_a_photo_removed_from_a_draft_gives_its_room_back(container: Container, api: Api) -> None:
    draft = begin(container, api.account_id)
    photo = add_photo(container, draft)
    assert use(container, api.account_id) == (1, SIZE)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        draft_photos.erase(session, container.storage, held, draft_photos.get(session, held, photo.id))
    assert use(container, api.account_id) == (1, 0)


def test_an_order_placed_again_takes_room_and_is_refused_without_any(container: Container, api: Api) -> None:
    job_id = api.order(interior=[PHOTO, PHOTO])["jobId"]
    work(container)
    parts = (container.database, container.storage, api.account_id, job_id)
    draft_id = reorders.make_draft(*parts, container.upload_quota, container.clock())
    assert use(container, api.account_id) == (1, 2 * SIZE)
    room_for(container, api.account_id, SIZE)
    before = use(container, api.account_id)
    with pytest.raises(UploadQuotaExceeded):
        reorders.make_draft(*parts, container.upload_quota, container.clock())
    assert use(container, api.account_id) == before
    with container.database.unit_of_work() as session:
        drafts.discard(session, container.storage, drafts.get_open(session, api.account_id, draft_id))
    assert use(container, api.account_id) == (before[0] - 1, before[1] - 2 * SIZE)


def test_a_session_that_is_gone_takes_nothing(container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session, pytest.raises(NotFound):
        quotas.reserve(session, "ups_nobody", 1, container.upload_quota)
    assert use(container, api.account_id) == (0, 0)


def test_a_shoot_of_300_photos_of_the_largest_size_finds_room_by_default(container: Container, api: Api) -> None:
    quota = container.upload_quota
    with container.database.unit_of_work() as session:
        for _ in range(6):
            room = uploads.open_session(session, api.account_id, quota, container.clock(), 50)
            quotas.reserve(session, room.id, 50 * limits.MAX_FILE_BYTES, quota)
    assert use(container, api.account_id) == (6, 300 * limits.MAX_FILE_BYTES)
