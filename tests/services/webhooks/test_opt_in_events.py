"""Events that only webhooks which name them receive: of single photos, variants, packs, and of a low balance."""

import json
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.events import OPT_IN, EventName
from app.domain.ledger import LedgerKind
from app.models import Event, Organization
from app.services.billing import credits
from app.services.billing.credits import Movement
from app.services.webhooks import webhooks
from tests import reading
from tests.conftest import PHOTO, Api, pack_up, remake, work
from tests.fakes import FakeClock
from tests.services.hooks import FakeTransport, all_deliveries, deliver_all, register


@pytest.fixture
def sent(api: Api, container: Container) -> FakeTransport:
    """What a webhook for all opt-in events, beside one that names none, is sent."""
    container.transport = FakeTransport()
    register(container, api.account_id, *OPT_IN)
    return container.transport


def bodies(container: Container, sent: FakeTransport) -> list[dict[str, Any]]:
    deliver_all(container)
    found = [json.loads(each.body) for each in sent.sent]
    sent.sent.clear()
    return found


def test_a_webhook_that_names_no_events_is_sent_none_of_them(api: Api, container: Container) -> None:
    container.transport = FakeTransport()
    register(container, api.account_id)
    api.order([PHOTO], [PHOTO])
    work(container)
    recorded = {each.name for each in reading.found(container, select(Event))}
    assert EventName.PHOTO_COMPLETED in recorded
    got = {each["event"] for each in bodies(container, container.transport)}
    assert got == {"job.created", "job.processing", "job.completed", "job.approved"}


def test_each_photo_tells_that_it_is_done_before_the_job_is(
    api: Api, container: Container, sent: FakeTransport
) -> None:
    job = api.order([PHOTO], [PHOTO])["jobId"]
    work(container)
    mine = [each for each in bodies(container, sent) if each["event"] == "photo.completed"]
    images = {each["id"] for each in api.get(f"/downloads/{job}").json["images"]}
    data = [each["data"] for each in mine]
    assert {each["imageId"] for each in data} == images
    assert {(each["photoType"], each["photoIndex"]) for each in data} == {("interior", 0), ("exterior", 0)}
    assert {(each["jobId"], each["status"], each["hasPicture"]) for each in data} == {(job, "processing", True)}


def test_a_variant_and_a_pack_tell_that_they_can_be_downloaded(
    api: Api, container: Container, sent: FakeTransport
) -> None:
    steps = ["hdr_enhancement", "virtual_staging"]
    job = api.order([PHOTO], interiorEnhancements=steps)["jobId"]
    work(container)
    bodies(container, sent)
    remake(container)
    (variant,) = bodies(container, sent)
    (image,) = api.get(f"/downloads/{job}").json["images"]
    assert variant["event"] == "variant.ready"
    assert (variant["data"]["imageId"], variant["data"]["enhancements"]) == (image["id"], ["hdr_enhancement"])
    pack = api.post(f"/jobs/{job}/packs", {"mls": "smartmls"}).json
    assert pack_up(container) == 1
    (ready,) = bodies(container, sent)
    assert (ready["event"], ready["data"]["packId"], ready["data"]["mls"]) == ("pack.ready", pack["id"], "smartmls")


def test_a_low_balance_is_told_once_until_it_has_risen_and_with_the_order_that_lowers_it(
    api: Api, container: Container, sent: FakeTransport
) -> None:
    def move(amount: str, cause: str) -> None:
        movement = Movement(Decimal(amount), LedgerKind.ADJUSTMENT, cause, "x")
        with container.database.unit_of_work() as session:
            if movement.amount < 0:
                credits.adjust(session, api.account_id, movement.amount, "x", container.clock(), cause)
            else:
                credits.credit(session, api.account_id, [movement], container.clock())

    balance = Decimal(str(api.get("/user/credits").json["credits"]))
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).low_balance = balance
    api.order([PHOTO])
    (low, *more) = (each for each in bodies(container, sent) if each["event"] == "credits.low")
    assert more == []
    data = low["data"]
    assert (data["credits"], data["threshold"]) == (float(balance) - 0.5, float(balance))
    assert data["profileId"] == api.account_id and "jobId" not in data
    move("-1", "a")
    assert bodies(container, sent) == []
    move("5", "b")
    move("-5", "c")
    assert [each["event"] for each in bodies(container, sent)] == ["credits.low"]


def test_what_is_refused_or_undone_tells_nothing(api: Api, container: Container, sent: FakeTransport) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).low_balance = Decimal(1000)

    def fail() -> None:
        with container.database.unit_of_work() as session:
            credits.adjust(session, api.account_id, Decimal(2000), "x", container.clock(), "up")
            credits.adjust(session, api.account_id, Decimal(-2000), "x", container.clock(), "down")
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert bodies(container, sent) == []


def test_the_event_of_two_webhooks_outlives_the_first_of_them(
    api: Api, container: Container, clock: FakeClock
) -> None:
    container.transport = FakeTransport()
    ended, other = (register(container, api.account_id, "credits.low")[0] for _ in range(2))
    with container.database.unit_of_work() as session:
        session.get_one(Organization, api.account_id).low_balance = Decimal(1000)
        credits.adjust(session, api.account_id, Decimal(2000), "x", clock(), "up")
        credits.adjust(session, api.account_id, Decimal(-2000), "x", clock(), "down")
        webhooks.delete(session, api.account_id, ended, clock())
    container.sweep.forget_old_deliveries()
    assert [each.webhook_id for each in all_deliveries(container)] == [other]
    assert [each["event"] for each in bodies(container, container.transport)] == ["credits.low"]
