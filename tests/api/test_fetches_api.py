"""Files by URL: declared with the upload URLs, fetched by workers, ordered like uploads, refused by a code."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from sqlalchemy import func, select

from app.adapters.source_http import HttpSource
from app.container import Container
from app.domain import limits
from app.domain.attempts import FETCHES
from app.domain.errors import Unauthorized
from app.domain.fetches import MESSAGES, FetchError, FetchFault
from app.domain.ports import QueueName, StorageUnavailableError
from app.domain.sending import AddressNotAllowedError
from app.models import AccountUse, FetchedFile, Organization, UploadSession
from app.services.uploads import fetches, quotas
from tests import acts, reading
from tests.conformance.shapes import stored_files
from tests.conftest import PHOTO, TYPES, Api, order_body, work
from tests.fakes import FakeClock, FakeQueue
from tests.receivers import answering, running
from tests.sandboxes import enter_test_mode

URL = "https://photos.example.com/room.jpg"


class FakeSource:
    """Servers of customers: gives the content, or the fault, that is told for a URL."""

    def __init__(self) -> None:
        self.content: dict[str, bytes | FetchError] = {}
        self.asked: list[str] = []

    def check(self, url: str) -> None:
        if not url.startswith("https://"):
            raise AddressNotAllowedError("The URL must start with https://.")

    @contextmanager
    def open(self, url: str) -> Iterator[Iterator[bytes]]:
        self.asked.append(url)
        found = self.content.get(url, PHOTO)
        if isinstance(found, FetchError):
            raise found
        yield iter([found[:10], found[10:]])


@pytest.fixture
def source(container: Container) -> FakeSource:
    container.file_source = FakeSource()
    return container.file_source


def ask(api: Api, *files: tuple[str, str], **counts: int) -> dict[str, Any]:
    """Ask for an upload session with these files, each a type and a URL."""
    body = {"files": [{"type": kind, "url": url} for kind, url in files], **counts}
    answer = api.post("/orders/upload-urls", body)
    assert answer.status_code == 200, answer.text
    return answer.json


def fetch(container: Container) -> int:
    """Fetch as workers would until nothing is due; how many attempts that were."""
    attempts = 0
    while container.fetch_worker.fetch_next():
        attempts += 1
    return attempts


def listed(api: Api, session_id: str) -> list[dict[str, Any]]:
    return api.get(f"/orders/{session_id}/fetches").json["files"]


def states(api: Api, session_id: str) -> list[tuple[str, str | None]]:
    return [(each["status"], each.get("code")) for each in listed(api, session_id)]


def held(container: Container, api: Api) -> int:
    with container.database.read_session() as session:
        use = session.get(AccountUse, api.account_id)
        return use.held_bytes if use else 0


def order(api: Api, room: dict[str, Any], kind: str = "interior") -> Any:
    files = [{"filePath": each["filePath"]} for each in room[f"{kind}Urls"]]
    body = {**order_body(kind == "interior", kind == "exterior"), "uploadSessionId": room["uploadSessionId"]}
    return api.post("/orders/from-uploads", {**body, f"{kind}Files": files})


def test_files_by_url_are_fetched_and_ordered_like_uploads(
    api: Api, container: Container, source: FakeSource
) -> None:
    room = ask(api, ("interior", URL), ("exterior", f"{URL}?2"), interiorCount=1)
    assert [(each["index"], each.get("file")) for each in room["interiorUrls"]] == [(0, None), (1, 0)]
    assert [(each["index"], each.get("file")) for each in room["exteriorUrls"]] == [(0, 1)]
    session_id = room["uploadSessionId"]
    assert states(api, session_id) == [("fetching", None), ("fetching", None)]
    assert fetch(container) == 2
    assert sorted(source.asked) == [URL, f"{URL}?2"]
    assert states(api, session_id) == [("stored", None), ("stored", None)]
    assert held(container, api) == 2 * len(PHOTO)
    assert api.put(room["interiorUrls"][0]["uploadUrl"], PHOTO).status_code == 200
    # As they were given.
    body = {
        **order_body(True, True),
        "uploadSessionId": session_id,
        **{f"{t}Files": room[f"{t}Urls"] for t in TYPES},
    }
    job = api.post("/orders/from-uploads", body)
    assert job.status_code == 200, job.text
    work(container)
    assert api.status(job.json["jobId"])["status"] == "approved"
    refused = api.get(f"/orders/{session_id}/fetches")
    assert (refused.status_code, refused.json["jobId"]) == (409, job.json["jobId"])
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(FetchedFile)) == 0
        assert not quotas.find_miscounts(session)


def test_a_file_that_has_not_come_cannot_be_ordered_yet(api: Api, container: Container, source: FakeSource) -> None:
    room, before = ask(api, ("interior", URL)), api.credits()
    refused = order(api, room)
    assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
    assert "wait for its fetch" in refused.json["details"]["interiorFiles[0].filePath"]
    assert api.credits() == before
    fetch(container)
    assert order(api, room).status_code == 200


def test_the_url_is_forgotten_once_its_file_has_come_or_failed(
    api: Api, container: Container, source: FakeSource
) -> None:
    source.content[f"{URL}?2"] = FetchError(FetchFault.REFUSED, 404)
    ask(api, ("interior", f"{URL}?secret=1"), ("interior", f"{URL}?2"))
    fetch(container)
    with container.database.read_session() as session:
        assert session.scalars(select(FetchedFile.url)).all() == [None, None]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "unsupported_media"),
        (b"<html>sign in</html>", "unsupported_media"),
        (b"%PDF-1.7" + bytes(100), "unsupported_media"),
        (PHOTO + bytes(limits.MAX_FILE_BYTES), "too_large"),
        *((FetchError(each), each.value) for each in FetchFault if each is not FetchFault.INTERRUPTED),
    ],
)
def test_why_a_file_does_not_come_is_told_by_a_code(
    api: Api, container: Container, source: FakeSource, clock: FakeClock, content: bytes | FetchError, code: str
) -> None:
    source.content[URL] = content
    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    for _ in range(FETCHES.max_attempts):
        fetch(container)
        clock.pass_(minutes=1)
    (file,) = listed(api, session_id)
    assert (file["status"], file["code"], file["message"]) == ("failed", code, MESSAGES[FetchFault(code)])
    assert (stored_files(container), held(container, api)) == ([], 0)


def test_what_may_pass_is_tried_again_later_and_not_for_ever(
    api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    source.content[URL] = FetchError(FetchFault.SOURCE_FAILED, 503)
    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    assert fetch(container) == 1
    assert states(api, session_id) == [("fetching", None)]
    assert fetch(container) == 0, "not at once"
    for delay in FETCHES.delays:
        clock.pass_(seconds=delay.total_seconds())
        assert fetch(container) == 1
    assert [listed(api, session_id)[0][name] for name in ("status", "code", "httpStatus")] == [
        "failed",
        "source_failed",
        503,
    ]
    clock.pass_(hours=1)
    assert fetch(container) == 0


def test_a_file_comes_though_its_server_failed_once(
    api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    source.content[URL] = FetchError(FetchFault.TIMEOUT)
    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    fetch(container)
    del source.content[URL]
    clock.pass_(seconds=FETCHES.delays[0].total_seconds())
    fetch(container)
    assert states(api, session_id) == [("stored", None)]


def test_a_worker_that_dies_again_and_again_gives_up(
    api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    for attempt in range(1, FETCHES.max_attempts + 1):
        with container.database.unit_of_work() as session:
            held = fetches.claim_next(session, clock())
        assert held is not None and held.attempt == attempt
        assert fetch(container) == 0, "its claim holds"
        clock.pass_(seconds=FETCHES.lease.total_seconds() + 1)
    assert fetch(container) == 0
    assert states(api, session_id) == [("failed", "interrupted")]
    assert source.asked == []


def test_a_store_that_is_away_costs_no_attempt(
    api: Api, container: Container, source: FakeSource, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> None:
        raise StorageUnavailableError("the disk is full")

    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    with monkeypatch.context() as patch:
        patch.setattr(type(container.storage), "create", away)
        for _ in range(5):
            assert fetch(container) == 1
            clock.pass_(minutes=10)
    fetch(container)
    assert states(api, session_id) == [("stored", None)]


def test_a_file_that_is_put_takes_the_place_of_the_one_that_is_fetched(
    api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    source.content[URL] = PHOTO + b"fetched"
    room = ask(api, ("interior", URL), ("interior", f"{URL}?2"))
    # Before it is fetched, and after that has failed.
    source.content[f"{URL}?2"] = FetchError(FetchFault.REFUSED, 403)
    put = [api.put(each["uploadUrl"], PHOTO + b"put") for each in room["interiorUrls"][:1]]
    fetch(container)
    put.append(api.put(room["interiorUrls"][1]["uploadUrl"], PHOTO + b"put"))
    assert [each.status_code for each in put] == [200, 200]
    assert listed(api, room["uploadSessionId"]) == []
    assert held(container, api) == 2 * len(PHOTO + b"put")
    assert order(api, room).status_code == 200


def test_a_put_during_the_fetch_wins(api: Api, container: Container, source: FakeSource) -> None:
    room = ask(api, ("interior", URL))
    source.content[URL] = PHOTO + b"fetched"
    taken = container.fetch_worker.source.open

    @contextmanager
    def slow(url: str) -> Iterator[Iterator[bytes]]:
        with taken(url) as pieces:

            def then() -> Iterator[bytes]:
                yield from pieces
                assert api.put(room["interiorUrls"][0]["uploadUrl"], PHOTO + b"put").status_code == 200

            yield then()

    source.open = slow
    fetch(container)
    (path,) = stored_files(container)
    assert (container.settings.storage_path / path).read_bytes() == PHOTO + b"put"
    assert held(container, api) == len(PHOTO + b"put")


def test_an_order_meanwhile_and_a_session_that_is_gone_end_the_fetch(
    api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    room = ask(api, ("interior", URL), interiorCount=1)
    api.put(room["interiorUrls"][0]["uploadUrl"], PHOTO)
    with container.database.unit_of_work() as session:
        held = fetches.claim_next(session, clock())
    body = {**order_body(), "uploadSessionId": room["uploadSessionId"]}
    body["interiorFiles"] = [{"filePath": room["interiorUrls"][0]["filePath"]}]
    assert api.post("/orders/from-uploads", body).status_code == 200
    with container.database.unit_of_work() as session:
        assert not fetches.finish(session, held)
    ask(api, ("interior", URL))
    clock.pass_(days=8)
    container.sweep.forget_unused_uploads()
    assert fetch(container) == 0
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(FetchedFile)) == 0


def test_files_beyond_the_quota_fail(api: Api, container: Container, source: FakeSource) -> None:
    session_id = ask(api, ("interior", URL), ("interior", f"{URL}?2"))["uploadSessionId"]
    object.__setattr__(container.fetch_worker, "quota", quotas.UploadQuota(10, len(PHOTO) + 1))
    fetch(container)
    assert sorted(states(api, session_id)) == [("failed", "quota_exceeded"), ("stored", None)]
    assert held(container, api) == len(PHOTO)


def test_one_account_is_not_fetched_for_more_than_its_share(
    api: Api, other_api: Api, container: Container, source: FakeSource, clock: FakeClock
) -> None:
    ask(api, *(("interior", f"{URL}?{number}") for number in range(fetches.MAX_AT_ONCE + 3)))
    clock.pass_(seconds=1)
    ask(other_api, ("interior", URL))
    claimed = []
    with container.database.unit_of_work() as session:
        while held := fetches.claim_next(session, clock()):
            claimed.append(held.url)
    assert len(claimed) == fetches.MAX_AT_ONCE + 1
    # An account with none goes first, however long the others' files wait.
    assert claimed[1] == URL


def test_with_its_account_what_is_to_be_fetched_is_forgotten(
    api: Api, container: Container, source: FakeSource
) -> None:
    ask(api, ("interior", URL))
    tried = enter_test_mode(api, container)
    ask(tried, ("interior", URL))
    acts.delete_account(container, api.account_id)
    assert reading.count(container, FetchedFile) == 0
    assert fetch(container) == 0


@pytest.mark.parametrize(
    ("files", "where"),
    [
        ([{"type": "interior", "url": "http://photos.example/a.jpg"}], "files[0].url"),
        ([{"type": "interior", "url": URL}, {"type": "interior", "url": "file:///etc/passwd"}], "files[1].url"),
        ([{"type": "interior", "url": "https://" + "x" * 2100}], "files[0].url"),
        ([{"type": "interior", "url": ""}], "files[0].url"),
        ([{"type": "interior", "url": 7}], "files[0].url"),
        ([{"type": "interior"}], "files[0].url"),
        ([{"type": "roof", "url": URL}], "files[0].type"),
        ([{"type": "interior", "url": URL, "headers": {"Cookie": "a"}}], "files[0].headers"),
        ([{"type": "interior", "url": URL}] * 51, "files[50]"),
        ([{"type": "interior", "url": URL}] * 101, "files"),
        ("https://photos.example/a.jpg", "files"),
        ([], "interiorCount"),
    ],
)
def test_what_cannot_be_fetched_is_refused_at_once(
    api: Api, container: Container, source: FakeSource, files: Any, where: str
) -> None:
    refused = api.post("/orders/upload-urls", {"files": files})
    assert (refused.status_code, refused.json["code"]) == (400, "invalid_request")
    assert list(refused.json["details"]) == [where]
    with container.database.read_session() as session:
        assert session.scalar(select(func.count()).select_from(UploadSession)) == 0


def test_the_real_source_refuses_credentials_in_the_url(api: Api) -> None:
    refused = api.post(
        "/orders/upload-urls", {"files": [{"type": "interior", "url": "https://u:p@photos.example/"}]}
    )
    assert "credentials" in refused.json["details"]["files[0].url"]


def test_the_fetches_of_others_are_not_found(api: Api, other_api: Api, source: FakeSource) -> None:
    session_id = ask(api, ("interior", URL))["uploadSessionId"]
    for path in (session_id, "ups_none", "x"):
        assert other_api.get(f"/orders/{path}/fetches").status_code == 404
    unknown = Api(api.client, api.account_id, "ims_live_wrong")
    assert unknown.get(f"/orders/{session_id}/fetches").json["code"] == Unauthorized.code


def test_the_same_request_again_fetches_nothing_twice(api: Api, container: Container, source: FakeSource) -> None:
    body = {"files": [{"type": "interior", "url": URL}]}
    answers = [api.post("/orders/upload-urls", body, headers={"Idempotency-Key": "one"}).json for _ in range(2)]
    assert answers[0] == answers[1]
    assert fetch(container) == 1


def test_frames_are_counted_apart_from_files_by_url(api: Api, source: FakeSource) -> None:
    room = ask(api, ("interior", URL), interiorCount=1, framesPerPhoto=3)
    assert [each.get("group") for each in room["interiorUrls"]] == ["photo-0"] * 3 + [None]
    assert [each.get("file") for each in room["interiorUrls"]] == [None] * 3 + [0]


def test_workers_are_woken_at_once_and_again_by_the_sweep(
    api: Api, container: Container, source: FakeSource
) -> None:
    assert isinstance(container.queue, FakeQueue)
    room = ask(api, *(("interior", f"{URL}?{number}") for number in range(10)))
    keys = [each["filePath"] for each in room["interiorUrls"]]
    woken = container.queue.queues[QueueName.HOOKS_SLOW]
    assert woken == keys[: fetches.MAX_AT_ONCE]
    container.sweep.notify_due_fetches()
    assert {*woken} == {*keys}


def test_files_are_listed_in_their_order(api: Api, source: FakeSource) -> None:
    kinds = ["exterior", *["interior"] * 12, "exterior"]
    room = ask(api, *((kind, f"{URL}?{number}") for number, kind in enumerate(kinds)))
    expected = [each["filePath"] for each in (*room["interiorUrls"], *room["exteriorUrls"])]
    assert [each["filePath"] for each in listed(api, room["uploadSessionId"])] == expected


def test_a_real_server_is_fetched_from(api: Api, container: Container) -> None:
    with running(answering(200, {"Content-Type": "text/plain"}, PHOTO)) as receiver:
        container.file_source = HttpSource(True, None, "test")
        session_id = ask(api, ("interior", receiver.url))["uploadSessionId"]
        began = time.monotonic()
        fetch(container)
        assert states(api, session_id) == [("stored", None)]
        assert time.monotonic() - began < 60
        assert [each.method for each in receiver.requests] == ["GET"]


def test_files_of_a_suspended_account_are_fetched_no_longer(
    api: Api, other_api: Api, container: Container, source: FakeSource
) -> None:
    session_id = ask(api, ("interior", URL), ("interior", f"{URL}?2"))["uploadSessionId"]
    theirs = ask(other_api, ("interior", URL))["uploadSessionId"]

    def suspend(since: datetime | None) -> None:
        with container.database.unit_of_work() as session:
            session.get_one(Organization, api.account_id).suspended_at = since

    take = source.open

    @contextmanager
    def suspended_meanwhile(url: str) -> Iterator[Iterator[bytes]]:
        with take(url) as pieces:
            suspend(container.clock())
            yield pieces

    source.open = suspended_meanwhile
    assert container.fetch_worker.fetch_next()
    source.open = take
    fetch(container)
    assert len(source.asked) == 2, "one of the suspended account, before, and the other account's"
    suspend(None)
    assert states(api, session_id) == [("failed", "account_suspended")] * 2
    assert states(other_api, theirs) == [("stored", None)]
    assert held(container, api) == 0
    assert [each.url for each in reading.found(container, select(FetchedFile))] == [None] * 3
