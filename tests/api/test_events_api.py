"""GET /api/v1/events: every event of the account once, in order, with the bodies that webhooks are sent."""

import json
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from threading import Event as Signal
from threading import Thread

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.actors import Scope
from app.domain.events import EventName
from app.domain.retention import EVENTS_KEPT
from app.models import Delivery, Event, Organization
from app.services.orders import jobs
from app.services.security import api_keys
from tests.acts import at_once, expire
from tests.api.test_ledger_api import read_all
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.waiting import PATIENCE_SECONDS

PATH = "/events"


def names(page: dict) -> list[str]:
    return [each["event"] for each in page["events"]]


def test_what_happened_is_read_in_order_from_any_event_on_without_a_webhook(api: Api, container: Container) -> None:
    job = api.order([PHOTO])["jobId"]
    work(container)
    whole = api.get(PATH).json
    assert names(whole) == ["job.created", "job.processing", "photo.completed", "job.completed", "job.approved"]
    assert {each["data"]["jobId"] for each in whole["events"]} == {job}
    for place, each in enumerate(whole["events"]):
        assert api.get(f"{PATH}?after={each['id']}").json["events"] == whole["events"][place + 1 :]
    assert read_all(api, PATH, "events", 1) == read_all(api, PATH, "events", 3) == whole["events"]
    assert names(api.get(f"{PATH}?type=job.completed").json) == ["job.completed"]
    last = whole["events"][-1]["id"]
    assert api.get(f"{PATH}?after={last}").json == {"livemode": True, "events": [], "nextCursor": None}
    api.get(f"/downloads/{job}")
    assert names(api.get(f"{PATH}?after={last}").json) == ["job.delivered"]


def test_bodies_and_ids_are_those_of_deliveries(api: Api, container: Container) -> None:
    every = [each.value for each in EventName if each is not EventName.WEBHOOK_TEST]
    api.post("/webhooks", {"url": "https://1.1.1.1/all", "events": every})
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).low_balance = Decimal(100)
    api.order([photo("BLANK")], metadata={"listing": "7"})
    work(container)
    listed = api.get(PATH).json["events"]
    with container.database.read_session() as session:
        sent = session.scalars(select(Delivery).order_by(Delivery.number)).all()
        assert listed == [{**json.loads(each.event.body), "id": each.event_id} for each in sent]
    assert {each["event"] for each in listed} >= {"credits.low", "job.created", "job.undeliverable"}


def test_the_balance_is_told_only_to_keys_that_may_read_it(api: Api, container: Container) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).low_balance = Decimal(100)
        _, secret = api_keys.create(session, api.account_id, container.clock(), scopes=[Scope.JOBS_READ])
    api.order([PHOTO])
    reader = replace(api, secret=secret)
    assert names(api.get(PATH).json) == ["job.created", "credits.low"]
    assert names(reader.get(PATH).json) == ["job.created"]
    assert reader.get(f"{PATH}?type=credits.low").status_code == 403


def test_an_event_that_is_nobodys_anothers_or_forgotten_is_refused_alike(
    api: Api, other_api: Api, container: Container, clock: FakeClock
) -> None:
    api.order([PHOTO])
    theirs = api.get(PATH).json["events"][0]["id"]
    unknown = [other_api.get(f"{PATH}?after={each}") for each in (theirs, "evt_" + "0" * 22, "x")]
    assert {each.status_code for each in unknown} == {400}
    assert len({json.dumps(each.json["details"]) for each in unknown}) == 1
    assert other_api.get(PATH).json["events"] == []
    work(container)
    expire(container)
    clock.now += EVENTS_KEPT - timedelta(days=8)
    newer = api.order([PHOTO])["jobId"]
    container.sweep.forget_old_events()
    assert api.get(f"{PATH}?after={theirs}").status_code == 400
    assert [each["data"]["jobId"] for each in api.get(PATH).json["events"]] == [newer]


def test_a_reader_skips_no_event_of_a_transaction_that_commits_later(api: Api, container: Container) -> None:
    if container.database.engine.dialect.name != "postgresql":
        pytest.skip("SQLite has one writer at a time")
    first, second = (api.order([PHOTO])["jobId"] for _ in range(2))
    begun, may_end = Signal(), Signal()

    def fail_slowly() -> None:
        with container.database.unit_of_work() as session:
            jobs.fail(session, jobs.lock(session, first), "slow", container.clock())
            begun.set()
            assert may_end.wait(PATIENCE_SECONDS)

    slow = Thread(target=fail_slowly)
    slow.start()
    assert begun.wait(PATIENCE_SECONDS)
    seen = api.get(PATH).json["events"]
    assert names({"events": seen}) == ["job.created"] * 2
    # Its transaction began later and commits earlier; the account's balance would make it wait.
    with container.database.unit_of_work() as session:
        job = jobs.lock(session, second)
        jobs.move(session, job, jobs.Status.PROCESSING, container.clock())
    seen += api.get(f"{PATH}?after={seen[-1]['id']}").json["events"]
    assert seen[-1]["event"] == "job.processing"
    may_end.set()
    slow.join(PATIENCE_SECONDS)
    seen += api.get(f"{PATH}?after={seen[-1]['id']}").json["events"]
    assert names({"events": seen}) == ["job.created", "job.created", "job.processing", "job.failed"]


def test_a_reader_beside_many_writers_gets_every_event_once(api: Api, container: Container) -> None:
    ids = [api.order([PHOTO])["jobId"] for _ in range(8)]
    seen: list[dict] = []

    def fail(job_id: str) -> None:
        with container.database.unit_of_work() as session:
            jobs.fail(session, jobs.lock(session, job_id), "over", container.clock())

    def read() -> None:
        after = f"&after={seen[-1]['id']}" if seen else ""
        seen.extend(api.get(f"{PATH}?limit=3{after}").json["events"])

    def read_often() -> None:
        while len(seen) < 2 * len(ids):
            read()

    came = at_once(read_often, *[lambda each=each: fail(each) for each in ids])
    assert came == [None] * 9
    with container.database.read_session() as session:
        numbers = dict(session.execute(select(Event.id, Event.number)).all())
    assert [numbers[each["id"]] for each in seen] == list(range(1, 17))
