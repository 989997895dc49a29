"""Calls of the Python client: tried again, read page by page, refused with what a program needs to know."""

import json
from pathlib import Path
from typing import Any

import pytest
import requests
from brightlist import ApiError, Brightlist, Retries, errors
from brightlist.models import BalanceData, EventAnswer, EventData, JobAnswer, OrderResult, PlaceOrder, Status
from brightlist.transport import TIMEOUT, Transport
from brightlist.wire import Model

from tests.clients.conftest import URL, InProcess, Pauses, answering, cut, cut_after
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock, photo


def order_of(client: Brightlist, folder: Path) -> PlaceOrder:
    upload = client.uploads.send_folder(folder, "interior")
    return PlaceOrder(
        address="12 Garden Lane, Springfield, IL 62704",
        interior_enhancements=["hdr_enhancement"],
        **upload.order_fields(),
    )


def test_an_order_goes_from_a_folder_to_pictures(client: Brightlist, rooms: Path, tmp_path: Path) -> None:
    placed = client.orders.create_order_from_uploads(order_of(client, rooms))
    assert (placed.status, placed.credit_cost, placed.photos_uploaded) == (Status.PENDING, 1.5, 3)
    seen: list[str] = []
    assert client.jobs.wait(placed.job_id, on_status=lambda found: seen.append(found.status)).status == "approved"
    assert seen == ["pending", "approved"]
    saved = client.downloads.save(placed.job_id, tmp_path / "results")
    assert [each.read_bytes() for each in saved] == [photo(each.name) for each in sorted(rooms.iterdir())]
    whole = client.jobs.show_job(placed.job_id)
    assert whole.status == "delivered"
    assert [each.file_name for each in whole.photos] == ["bath.jpg", "kitchen.jpg", "living.jpg"]
    assert whole.created_at.tzinfo is not None


def test_a_broken_connection_does_not_order_twice(
    client: Brightlist, wire: InProcess, rooms: Path, api: Api, pauses: Pauses
) -> None:
    order = order_of(client, rooms)
    wire.faults = [cut, cut_after(wire), answering(503, {"Retry-After": "7"})]
    placed = client.orders.create_order_from_uploads(order)
    assert api.credits() == 98.5
    assert [each.job_id for each in client.jobs.list_jobs()] == [placed.job_id]
    assert 0.25 <= pauses.seconds[0] <= 0.5 <= pauses.seconds[1] <= 1
    assert pauses.seconds[2:] == [7]


def test_a_key_of_the_callers_own_is_kept_for_all_that_is_the_same(
    client: Brightlist, rooms: Path, api: Api
) -> None:
    order = order_of(client, rooms)
    placed = [client.orders.create_order_from_uploads(order, idempotency_key="mine") for _ in range(2)]
    assert placed[0] == placed[1]
    other = order_of(client, rooms)
    with pytest.raises(errors.IdempotencyMismatch) as refused:
        client.orders.create_order_from_uploads(other, idempotency_key="mine")
    assert refused.value.code == "idempotency_mismatch"
    assert api.credits() == 98.5


def test_too_many_requests_wait_as_long_as_the_service_says(
    client: Brightlist, wire: InProcess, pauses: Pauses
) -> None:
    body = json.dumps({"error": "Too many requests", "code": "rate_limited"}).encode()
    wire.faults = [
        answering(429, {"Retry-After": "17"}, body),
        answering(429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, body),
    ]
    assert client.credits.show_credits().credits == 100
    assert pauses.seconds == [17, 0]


def test_what_is_asked_to_wait_longer_than_wanted_is_told_at_once(
    client: Brightlist, wire: InProcess, pauses: Pauses
) -> None:
    wire.faults = [answering(429, {"Retry-After": "3600"})]
    with pytest.raises(errors.RateLimited) as refused:
        client.credits.show_credits()
    assert (refused.value.retry_after, pauses.seconds) == (3600, [])


def test_attempts_end(client: Brightlist, wire: InProcess, pauses: Pauses) -> None:
    wire.faults = [cut] * 9
    with pytest.raises(errors.NoAnswer):
        client.credits.show_credits()
    assert (len(wire.seen), len(pauses.seconds)) == (6, 5)
    assert pauses.seconds[-1] <= 8


def test_every_page_of_a_list_is_read_when_it_is_needed(
    client: Brightlist, wire: InProcess, api: Api, clock: FakeClock
) -> None:
    ids = []
    for _ in range(5):
        ids.append(api.order([PHOTO], externalId="mine")["jobId"])
        clock.pass_(seconds=1)
    api.order([PHOTO])
    wire.seen.clear()
    found = client.jobs.list_jobs(external_id="mine", limit=2)
    assert wire.seen == []
    assert next(iter(found)).job_id == ids[-1]
    assert len(wire.seen) == 1
    assert [each.job_id for each in found] == ids[::-1]
    assert [len(each) for each in found.pages()] == [2, 2, 1]
    assert len(wire.seen) == 1 + 3 + 3


def test_filters_go_as_the_api_has_them(client: Brightlist, api: Api) -> None:
    wanted = api.order([PHOTO], metadata={"agent": "Dana Reyes"})["jobId"]
    api.order([PHOTO], metadata={"agent": "Kim"})
    made = client.jobs.show_job(wanted).created_at
    found = client.jobs.list_jobs(
        metadata={"agent": "Dana Reyes"}, status=["pending", "approved"], created_after=made
    )
    assert [(each.job_id, each.metadata) for each in found] == [(wanted, {"agent": "Dana Reyes"})]


def test_a_refusal_says_what_a_program_and_a_person_need(client: Brightlist) -> None:
    with pytest.raises(errors.NotFound) as refused:
        client.jobs.show_job("job_none")
    error = refused.value
    assert (error.status, error.code, error.doc_url) == (404, "not_found", f"{URL}/docs/errors/not_found")
    assert error.request_id
    assert error.doc_url in str(error)
    with pytest.raises(errors.InvalidRequest) as faulty:
        client.orders.create_order_from_uploads(
            PlaceOrder(address="x", service_type="interior", upload_session_id="none")
        )
    assert {"address", "interiorFiles"} <= faulty.value.details.keys()
    assert "address: " in str(faulty.value)


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, errors.InvalidRequest),
        (401, errors.Unauthorized),
        (402, errors.InsufficientCredits),
        (403, errors.Forbidden),
        (404, errors.NotFound),
        (409, errors.Conflict),
        (410, errors.Gone),
        (413, errors.TooLarge),
        (415, errors.UnsupportedMedia),
        (418, ApiError),
        (422, errors.IdempotencyMismatch),
        (429, errors.RateLimited),
        (599, errors.ServerError),
    ],
)
def test_a_code_that_came_later_is_of_the_group_of_its_status(status: int, kind: type[ApiError]) -> None:
    error = errors.refusal(status, {"code": "came_later", "error": "New", "docUrl": "https://x/docs"}, 3)
    assert type(error) is kind
    assert (error.code, error.doc_url, error.retry_after) == ("came_later", "https://x/docs", 3)


def test_a_refusal_that_is_no_json_is_one_all_the_same(client: Brightlist, wire: InProcess) -> None:
    wire.faults = [answering(403, {}, b"<Error>SignatureDoesNotMatch</Error>")]
    with pytest.raises(errors.Forbidden) as refused:
        client.credits.show_credits()
    assert refused.value.code == "http_403"


@pytest.mark.parametrize(
    ("status", "headers", "told"),
    [(200, {}, "JSON"), (301, {"Location": "https://elsewhere.example"}, "elsewhere")],
)
def test_a_url_that_leads_elsewhere_is_told(
    client: Brightlist, wire: InProcess, status: int, headers: dict, told: str
) -> None:
    wire.faults = [answering(status, headers, b"<html>")]
    with pytest.raises(errors.UnexpectedAnswer, match=told):
        client.credits.show_credits()


def test_missing_credits_are_counted(api: Api, client: Brightlist, rooms: Path) -> None:
    for _ in range(2):
        api.order([PHOTO] * 50, interiorEnhancements=["virtual_staging"])
    with pytest.raises(errors.InsufficientCredits) as refused:
        client.orders.create_order_from_uploads(order_of(client, rooms))
    assert (refused.value.shortfall, refused.value.details) == (
        1.5,
        {"required": 1.5, "current": 0, "shortfall": 1.5},
    )


def test_a_client_older_than_the_service_reads_what_it_knows() -> None:
    content = {
        "livemode": True,
        "success": True,
        "jobId": "job_1",
        "status": "on_holiday",
        "creditCost": 1,
        "photosUploaded": 0,
        "assets": [],
        "message": "",
        "listing": {"jurisdiction": None, "rules": [], "future": {"a": 1}},
        "cameLater": [1],
    }
    result = OrderResult.read(content)
    assert (result.status, result.raw["cameLater"]) == ("on_holiday", [1])
    assert result.raw["listing"]["future"] == {"a": 1}


def test_waiting_goes_on_over_a_status_that_came_later(
    client: Brightlist, wire: InProcess, api: Api, pauses: Pauses
) -> None:
    job = api.order([PHOTO])["jobId"]
    found = {**api.status(job), "status": "on_holiday"}
    wire.faults = [answering(200, {}, json.dumps(found).encode())]
    assert client.jobs.wait(job).status == "approved"
    assert pauses.seconds == [1]


def test_a_service_that_keeps_the_question_is_asked_again_at_once(
    client: Brightlist, wire: InProcess, api: Api, pauses: Pauses, monkeypatch: pytest.MonkeyPatch
) -> None:
    job, times, asked = api.order([PHOTO])["jobId"], [0.0], []
    monkeypatch.setattr("brightlist.jobs.time.monotonic", lambda: times[0])

    def keep(request: requests.PreparedRequest) -> None:
        asked.append(request.path_url.partition("?")[2])
        times[0] += 20

    wire.always = keep
    with pytest.raises(errors.NotDecided):
        client.jobs.wait(job, 50)
    assert asked == ["wait=20", "wait=20", "wait=10"]
    assert pauses.seconds == []


def test_waiting_ends_with_its_time(client: Brightlist, api: Api) -> None:
    job = api.order([PHOTO])["jobId"]
    with pytest.raises(errors.NotDecided, match="pending"):
        client.jobs.wait(job, 0)


def test_an_event_of_a_kind_that_came_later_is_read(client: Brightlist, wire: InProcess) -> None:
    event = {"id": "evt_1", "event": "moon.full", "timestamp": "soon", "livemode": True, "data": {"moon": "full"}}
    wire.faults = [answering(200, {}, json.dumps({"events": [event], "nextCursor": None}).encode())]
    [found] = client.events.list_events()
    assert (found.event, found.timestamp, found.data) == ("moon.full", "soon", Model(raw={"moon": "full"}))


def test_an_event_has_the_data_of_its_kind(client: Brightlist, api: Api) -> None:
    job = api.order([PHOTO])["jobId"]
    [created] = client.events.list_events(type="job.created")
    assert isinstance(created.data, EventData)
    assert created.data.job_id == job


def test_a_client_newer_than_the_service_does_without_what_it_does_not_send_yet() -> None:
    result = OrderResult.read({"jobId": "job_1", "status": "pending"})
    assert (result.job_id, result.assets, result.credit_cost) == ("job_1", [], None)
    event = {"id": "evt_1", "event": "credits.low", "data": {"credits": 1, "threshold": 5}}
    assert isinstance(EventAnswer.read(event).data, BalanceData)


@pytest.mark.parametrize("content", [{}, {"detail": "Hello"}, [1], "text"])
def test_what_is_no_such_answer_at_all_is_told(content: Any, client: Brightlist, wire: InProcess) -> None:
    with pytest.raises(errors.UnexpectedAnswer, match="no JobAnswer"):
        JobAnswer.read(content)
    wire.faults = [answering(200, {}, json.dumps(content).encode())]
    with pytest.raises(errors.UnexpectedAnswer, match="no jobs"):
        list(client.jobs.list_jobs())


@pytest.mark.parametrize("base_url", [URL, f"{URL}/", f"{URL}/api/v1", f"{URL}/api/v1/"])
def test_the_url_may_be_said_in_any_of_its_forms(base_url: str, api: Api, wire: InProcess) -> None:
    client = Brightlist(api.secret, base_url, make_session=wire.session)
    assert client.credits.show_credits().profile.email == "jo@example.com"


def test_without_a_key_it_says_where_to_give_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRIGHTLIST_API_KEY", raising=False)
    with pytest.raises(errors.NotConfigured, match="BRIGHTLIST_API_KEY"):
        Brightlist(base_url=URL)


def test_the_key_stays_with_the_service(
    client: Brightlist, wire: InProcess, rooms: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, api: Api
) -> None:
    (tmp_path / ".netrc").write_text("machine localhost login somebody password else\n")
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    keys: dict[str, str | None] = {}

    def look(request: requests.PreparedRequest) -> None:
        keys[request.path_url.split("/")[1]] = request.headers.get("Authorization")

    wire.faults = [look] * 4
    client.uploads.send_folder(rooms, "interior")
    assert keys == {"api": f"Bearer {api.secret}", "uploads": None}


def test_ids_in_paths_are_quoted(client: Brightlist, wire: InProcess) -> None:
    with pytest.raises(errors.NotFound):
        client.jobs.show_job("../catalog?x=")
    assert wire.seen == ["GET /api/v1/jobs/..%2Fcatalog%3Fx%3D"]


def test_pauses_double_up_to_the_longest() -> None:
    retries = Retries(attempts=20, first=1, longest=5)
    assert all(2.5 <= (retries.pause(each, None) or 0) <= 5 for each in range(4, 20))
    assert retries.pause(20, None) is None
    assert retries.pause(1, 5) == 5
    assert retries.pause(1, 6) is None


def test_no_request_waits_for_ever(api: Api) -> None:
    asked: list[object] = []

    class Session(requests.Session):
        def send(self, request: requests.PreparedRequest, **options: object) -> requests.Response:
            asked.append((options["timeout"], options["allow_redirects"]))
            raise requests.Timeout

    transport = Transport(api.secret, URL, Retries(attempts=1), make_session=Session)
    with pytest.raises(errors.NoAnswer):
        transport.ask("GET", ("catalog",))
    assert asked == [(TIMEOUT, False)]
