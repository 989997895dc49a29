"""Test mode by the API: kept apart from live mode, with outcomes by address and a clock for each job."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from app.api.v1.operations import OPERATIONS
from app.container import Container
from app.domain import sandbox_addresses
from app.domain.errors import NotFound
from app.domain.ids import Prefix, new_id
from app.domain.ledger import LedgerKind
from app.domain.lifecycle import Status
from app.domain.limits import TEST_CREDITS
from app.domain.retention import TEST_RESULTS_KEPT
from app.domain.reviews import QcMode
from app.domain.sandbox_addresses import ADDRESSES, REASONS, SandboxOutcome
from app.domain.sandbox_clock import ClockMoment
from app.models import Job, LedgerLine, Mail, Photo
from app.services import sandbox_clock
from app.services.photos import photos, quality
from app.services.reviews import lists
from app.services.staff import jobs as staff_jobs
from app.services.staff.jobs import JobFilter
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType, WorkSize
from tests import reading
from tests.conftest import PHOTO, Api, order_body, remake, work
from tests.fakes import FakeClock, FakeImagery, photo
from tests.sandboxes import enter_test_mode
from tests.services.hooks import register

BY_OUTCOME = {each.outcome: each for each in ADDRESSES}


@pytest.fixture
def tried(api: Api, container: Container) -> Api:
    """The same account with a test key."""
    return enter_test_mode(api, container)


def order(api: Api, outcome: SandboxOutcome | None = None, **fields: Any) -> str:
    address = {"address": BY_OUTCOME[outcome].line} if outcome else {}
    job_id: str = api.order([PHOTO], **address, **fields)["jobId"]
    return job_id


def events_of(api: Api) -> list[str]:
    return [each["event"] for each in api.get("/events?limit=100").json["events"]]


def refunded(container: Container, account_id: str) -> float:
    lines = select(LedgerLine).where(LedgerLine.account_id == account_id, LedgerLine.kind == LedgerKind.REFUND)
    return float(sum(each.amount for each in reading.found(container, lines)))


def test_what_a_key_of_one_mode_made_does_not_exist_for_one_of_the_other(
    api: Api, tried: Api, container: Container
) -> None:
    for mine, other in ((api, tried), (tried, api)):
        job_id = order(mine)
        work(container)
        hook, _ = register(container, mine.account_id)
        for path in (f"/jobs/{job_id}", f"/jobs/{job_id}/status", f"/downloads/{job_id}", f"/webhooks/{hook}"):
            assert mine.get(path).status_code == 200, path
            assert other.get(path).status_code == 404, path
        assert other.post(f"/jobs/{job_id}/cancel").status_code == 404
        assert other.call("DELETE", f"/webhooks?id={hook}").status_code == 404
        assert job_id not in other.get("/jobs").text
        body = {"address": "1 Elm Street", "serviceType": "interior", "interiorEnhancements": ["hdr_enhancement"]}
        assert other.post("/orders/from-uploads", {**body, **mine.upload([PHOTO])}).status_code == 400


def test_a_test_order_costs_test_credits_alone_and_is_nobodys_business(
    api: Api, tried: Api, container: Container
) -> None:
    before, live = tried.credits(), api.credits()
    order(tried, SandboxOutcome.SLOW_REVIEW)
    work(container)
    assert tried.credits() < before
    assert api.credits() == live
    assert reading.count(container, Mail) == 0
    with container.database.read_session() as session:
        assert lists.count_waiting(session).jobs == 0
        assert lists.queue(session, "acc_staff", container.clock()).rows == []
        assert staff_jobs.paginate(session, JobFilter(), container.clock()).rows == []


def test_live_orders_are_worked_on_before_test_orders(api: Api, tried: Api, container: Container) -> None:
    order(tried)
    live_id = order(api)
    with container.database.read_session() as session:
        chosen = photos.next_due(session, container.clock(), WorkSize.LIGHT)
        assert session.get_one(Photo, chosen).job_id == live_id


@pytest.mark.parametrize("mode", QcMode)
def test_no_reviewer_decides_on_a_test_order(tried: Api, container: Container, mode: QcMode) -> None:
    job_id = order(tried)
    work(container, mode=mode)
    assert tried.status(job_id)["status"] == Status.APPROVED


def test_test_orders_never_ask_a_generative_server(api: Api, tried: Api, container: Container) -> None:
    order(tried), order(api)
    work(container)
    assert sorted(context.asks_server for context in container.engine.contexts) == [False, True]
    assert not container.engine.contexts[0].spend() or container.engine.contexts[0].asks_server


def test_test_orders_never_ask_for_public_imagery(tried: Api, container: Container) -> None:
    body = {**order_body(interior=False, exterior=True), "exteriorFiles": []}
    container.imagery = FakeImagery({body["address"]: photo()})
    room = tried.post("/orders/upload-urls", {"exteriorCount": 1}).json["uploadSessionId"]
    job_id = tried.post("/orders/from-uploads", {**body, "uploadSessionId": room}).json["jobId"]
    work(container)
    assert container.imagery.asked == []
    assert tried.status(job_id)["status"] in (Status.FAILED, Status.UNDELIVERABLE)
    assert tried.credits() == TEST_CREDITS


def test_results_are_made_small_before_and_marked_after_the_engine(tried: Api, container: Container) -> None:
    job_id = order(tried)
    work(container)
    (image,) = tried.get(f"/downloads/{job_id}").json["images"]
    content = tried.client.get(image["url"].removeprefix("http://localhost")).data
    assert content.count(b"label=None") == 1
    assert content.count(b"label=TEST") == 1


def test_an_undeliverable_order_is_refunded_in_test_credits(tried: Api, container: Container) -> None:
    before = tried.credits()
    job_id = order(tried, SandboxOutcome.UNDELIVERABLE)
    work(container)
    assert tried.status(job_id)["status"] == Status.UNDELIVERABLE
    assert tried.credits() == before
    assert events_of(tried)[-1] == "job.undeliverable"


def test_a_failed_order_is_refunded_in_test_credits(tried: Api, container: Container) -> None:
    before = tried.credits()
    job_id = order(tried, SandboxOutcome.FAILED)
    work(container)
    status = tried.status(job_id)
    assert status["status"] == Status.FAILED
    assert status["error"]
    assert tried.credits() == before
    assert events_of(tried)[-1] == "job.failed"


@pytest.mark.parametrize("asked", [each for each in ADDRESSES if each.declined], ids=lambda each: each.declined)
def test_one_enhancement_is_declined_and_refunded(
    tried: Api, container: Container, asked: sandbox_addresses.SandboxAddress
) -> None:
    kind, declined = ENHANCEMENTS[asked.declined].group, asked.declined
    other = next(each for each in Enhancement if ENHANCEMENTS[each].group is kind and each is not declined)
    steps: dict[str, Any] = {f"{kind}Enhancements": [declined, other]}
    if declined is Enhancement.RENOVATION:
        change = {"changeType": "walls", "changeDescription": "warm white paint"}
        steps["renovations"] = {"0": [change | {"referenceType": "text", "referenceText": "a matt finish"}]}
    files = ([PHOTO], []) if kind is PhotoType.INTERIOR else ([], [PHOTO])
    job_id = tried.order(*files, address=asked.line, **steps)["jobId"]
    work(container)
    (photo,) = tried.get(f"/jobs/{job_id}").json["photos"]
    found = {each["enhancement"]: each for each in photo["steps"]}
    assert (found[declined]["state"], found[declined]["reason"]) == ("declined", REASONS[declined])
    assert found[other]["state"] == "done"
    assert [each.steps for each in container.engine.requests] == [[other]]
    job = tried.get(f"/jobs/{job_id}").json
    assert job["creditsRefunded"] == refunded(container, tried.account_id)


def test_a_lone_declined_enhancement_makes_the_order_undeliverable(tried: Api, container: Container) -> None:
    asked = next(each for each in ADDRESSES if each.declined is Enhancement.HDR)
    job_id = tried.order([PHOTO], address=asked.line)["jobId"]
    work(container)
    assert tried.status(job_id)["status"] == Status.UNDELIVERABLE
    assert container.engine.requests == []


def test_a_slow_review_ends_by_itself(tried: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(tried, SandboxOutcome.SLOW_REVIEW)
    work(container)
    clock.pass_(minutes=2, seconds=-1)
    container.sweep.end_slow_reviews()
    assert tried.status(job_id)["status"] == Status.QC_REVIEW
    clock.pass_(seconds=1)
    container.sweep.end_slow_reviews()
    assert tried.status(job_id)["status"] == Status.APPROVED


def test_the_sweep_never_ends_the_review_of_a_live_order(api: Api, container: Container, clock: FakeClock) -> None:
    job_id = order(api, SandboxOutcome.SLOW_REVIEW)
    work(container, automatic=False)
    clock.pass_(hours=1)
    container.sweep.end_slow_reviews()
    assert api.status(job_id)["status"] == Status.QC_REVIEW


@pytest.mark.parametrize(
    ("outcome", "status", "code"),
    [
        (SandboxOutcome.INSUFFICIENT_CREDITS, 402, "insufficient_credits"),
        (SandboxOutcome.RATE_LIMITED, 429, "rate_limited"),
    ],
)
def test_an_order_is_refused_by_its_address_and_changes_nothing(
    tried: Api, container: Container, outcome: SandboxOutcome, status: int, code: str
) -> None:
    before = tried.credits()
    fields = {"address": BY_OUTCOME[outcome].line, "serviceType": "interior"}
    body = {**fields, "interiorEnhancements": ["hdr_enhancement"], **tried.upload([PHOTO])}
    refused = tried.post("/orders/from-uploads", body)
    assert (refused.status_code, refused.json["code"]) == (status, code)
    assert (tried.credits(), reading.count(container, Job)) == (before, 0)
    again = tried.post("/orders/from-uploads", {**body, "address": "1 Elm Street, Reno, NV 89501"})
    assert again.status_code == 200, again.text


@pytest.mark.parametrize("asked", ADDRESSES, ids=lambda each: each.street)
def test_with_a_live_key_it_is_an_address_like_any_other(
    api: Api, container: Container, asked: sandbox_addresses.SandboxAddress
) -> None:
    job_id = api.order([PHOTO], address=asked.line)["jobId"]
    work(container)
    assert api.status(job_id)["status"] == Status.APPROVED


def test_addresses_are_found_by_their_street_however_it_is_written() -> None:
    for each in ADDRESSES:
        assert sandbox_addresses.find(f"  {each.street.upper().replace(' ', '  ')} , Reno, NV 89501") is each
    assert sandbox_addresses.find("12 Undeliverable Street, Reno, NV 89501") is None


def move(api: Api, job_id: str, to: str) -> Any:
    return api.post(f"/test/jobs/{job_id}/clock", {"to": to})


def test_the_clock_ends_a_slow_review(tried: Api, container: Container) -> None:
    job_id = order(tried, SandboxOutcome.SLOW_REVIEW)
    work(container)
    assert move(tried, job_id, "review_end").json == {"livemode": False, "jobId": job_id, "status": "approved"}
    assert move(tried, job_id, "review_end").status_code == 409


def test_the_clock_ends_the_retention_of_one_job_alone(tried: Api, container: Container) -> None:
    gone, kept = order(tried), order(tried)
    work(container)
    remake(container)
    (image,) = tried.get(f"/downloads/{gone}").json["images"]
    moved = move(tried, gone, "retention_end")
    assert (moved.status_code, moved.json["status"]) == (200, Status.DELIVERED)
    assert moved.json["expiredAt"]
    assert tried.get(f"/downloads/{gone}").status_code == 404
    assert tried.client.get(image["url"].removeprefix("http://localhost")).status_code == 404
    assert tried.get(f"/downloads/{kept}").status_code == 200
    row = reading.one(container, Job, gone)
    assert row.expired_at - row.settled_at == TEST_RESULTS_KEPT
    assert move(tried, gone, "retention_end").status_code == 404


def test_the_clock_fails_a_job_at_its_deadline(tried: Api, container: Container) -> None:
    before, job_id = tried.credits(), order(tried)
    assert move(tried, job_id, "deadline").json["status"] == Status.FAILED
    assert tried.credits() == before
    assert move(tried, job_id, "deadline").status_code == 409


def test_unfinished_jobs_have_no_end_of_retention(tried: Api) -> None:
    assert move(tried, order(tried), "retention_end").status_code == 409


def test_a_live_key_has_no_clock_and_no_refill(api: Api, tried: Api, container: Container) -> None:
    job_id = order(api)
    work(container)
    for mine in (api, tried):
        assert move(mine, job_id, "retention_end").status_code == 404
    assert api.post("/test/credits").status_code == 404
    assert api.get(f"/downloads/{job_id}").status_code == 200
    assert move(tried, new_id(Prefix.JOB), "retention_end").status_code == 404


def test_test_credits_are_refilled(tried: Api) -> None:
    order(tried)
    assert tried.credits() < 1000
    assert tried.post("/test/credits").json == {"livemode": False, "credits": 1000}
    assert tried.credits() == 1000


def test_every_answer_to_a_key_says_its_mode(api: Api, tried: Api, contract: Any) -> None:
    for mine, mode in ((api, True), (tried, False)):
        for path in ("/user/credits", "/jobs", "/webhooks", "/presets", "/events", "/catalog"):
            assert mine.get(path).json["livemode"] is mode, path
        job_id, headers = order(mine), {"Idempotency-Key": "once"}
        assert mine.status(job_id)["livemode"] is mode
        for _ in range(2):
            quote = mine.post("/orders/upload-urls", {"interiorCount": 1}, headers=headers)
            assert quote.json["livemode"] is mode
        assert {each["livemode"] for each in mine.get("/events").json["events"]} == {mode}


def test_the_document_promises_the_mode_in_every_answer_to_a_key(api: Api) -> None:
    tree = api.client.get("/api/v1/openapi.json").json
    described = {each["operationId"]: each for path in tree["paths"].values() for each in path.values()}
    assert described.keys() == OPERATIONS.keys()
    for name, operation in OPERATIONS.items():
        content = described[name]["responses"][str(operation.status)]["content"]["application/json"]
        schema = tree["components"]["schemas"][content["schema"]["$ref"].rpartition("/")[2]]
        # What nobody needs a key or token for is the same in both modes.
        is_of_a_mode = described[name].get("security") != []
        assert ("livemode" in schema["properties"]) is is_of_a_mode, name
        assert ("livemode" in content["example"]) is is_of_a_mode, name
    for each in tree["webhooks"].values():
        body = each["post"]["requestBody"]["content"]["application/json"]
        schema = tree["components"]["schemas"][body["schema"]["$ref"].rpartition("/")[2]]
        assert "livemode" in schema["required"]
        assert body["example"]["livemode"] is True


def test_the_services_behind_the_clock_refuse_live_orders_themselves(api: Api, container: Container) -> None:
    job_id, now = order(api), container.clock()
    work(container, automatic=False)
    with container.database.unit_of_work() as session:
        quality.end_slow_review(session, job_id, now)
    assert api.status(job_id)["status"] == Status.QC_REVIEW
    for moment in ClockMoment:
        with pytest.raises(NotFound), container.database.unit_of_work() as session:
            sandbox_clock.move(session, api.account_id, job_id, moment, timedelta(days=7), now)
    assert api.status(job_id)["status"] == Status.QC_REVIEW
