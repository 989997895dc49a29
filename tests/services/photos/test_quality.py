"""Quality review, automatic and by hand, and what goes back to the customer."""

from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from app.container import Container
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ledger import LedgerKind
from app.domain.reviews import QcMode
from app.models import Event, Job, LedgerLine, Photo, Result
from app.services.billing.refunds import list_for_undelivered, pay
from app.services.photos import quality
from app.services.photos.quality import Decision
from engine.types.report import Verdict
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo

APPROVE = Decision(Verdict.APPROVED, "acc_reviewer")
REJECT = Decision(Verdict.REJECTED, "acc_reviewer", "The sky shows through the roof.")


def results(container: Container) -> list[Result]:
    return reading.found(container, select(Result))


def decide(container: Container, image_id: str, decision: Decision) -> None:
    with container.database.unit_of_work() as session:
        quality.decide(session, image_id, decision, container.clock())


def finish(container: Container, job_id: str) -> None:
    with container.database.unit_of_work() as session:
        quality.finish(session, job_id, container.clock())


def refunds(container: Container) -> dict[str, Decimal]:
    lines = select(LedgerLine.cause, LedgerLine.amount).where(LedgerLine.kind == LedgerKind.REFUND)
    with container.database.read_session() as session:
        return dict(map(tuple, session.execute(lines)))


def test_in_manual_mode_a_job_waits_for_its_reviewer(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    work(container, automatic=False)
    assert api.status(order["jobId"])["status"] == "qc_review"
    assert [result.verdict for result in results(container)] == [Verdict.UNDECIDED] * 2
    with pytest.raises(Conflict, match="2 results are undecided"):
        finish(container, order["jobId"])
    one, two = results(container)
    decide(container, one.id, APPROVE)
    decide(container, two.id, REJECT)
    finish(container, order["jobId"])
    assert api.status(order["jobId"])["status"] == "approved"
    assert api.get(f"/downloads/{order['jobId']}").json["imageCount"] == 1
    assert refunds(container) == {f"refund:{two.photo_id}": Decimal("0.5")}


def test_nobody_has_to_review_a_job_without_any_picture(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("BROKEN"), photo("DECLINE")])
    work(container, automatic=False)
    assert api.status(order["jobId"])["status"] == "undeliverable"
    assert api.credits() == 100


def test_a_reviewer_who_rejects_everything_makes_the_job_undeliverable(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO], exterior=[PHOTO])
    work(container, automatic=False)
    for result in results(container):
        decide(container, result.id, REJECT)
    finish(container, order["jobId"])
    status = api.status(order["jobId"])
    assert status["status"] == "undeliverable"
    assert status["undeliverable"]["creditsRefunded"] == 1.5
    assert REJECT.reason in status["undeliverable"]["reason"]
    assert api.credits() == 100
    assert api.get(f"/downloads/{order['jobId']}").status_code == 400


def test_a_word_may_be_taken_back_until_the_review_ends(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO])
    work(container, automatic=False)
    (result,) = results(container)
    decide(container, result.id, REJECT)
    decide(container, result.id, APPROVE)
    finish(container, order["jobId"])
    assert api.status(order["jobId"])["status"] == "approved"
    assert [(each.reason, each.message) for each in results(container)] == [(None, "")]
    assert refunds(container) == {}
    with pytest.raises(Conflict):
        decide(container, result.id, REJECT)
    with pytest.raises(Conflict):
        finish(container, order["jobId"])


def test_a_rejection_needs_a_reason_and_an_approval_a_picture(api: Api, container: Container) -> None:
    api.order(interior=[PHOTO, photo("BROKEN")])
    work(container, automatic=False)
    with_picture, without = sorted(results(container), key=lambda result: result.storage_key is None)
    assert without.verdict is Verdict.REJECTED
    with pytest.raises(InvalidRequest):
        decide(container, with_picture.id, Decision(Verdict.REJECTED, "acc_reviewer", "  "))
    with pytest.raises(InvalidRequest):
        decide(container, without.id, APPROVE)
    with pytest.raises(InvalidRequest):
        decide(container, with_picture.id, Decision(Verdict.UNDECIDED, "acc_reviewer"))
    with pytest.raises(NotFound):
        decide(container, "img_nobody", APPROVE)
    with pytest.raises(NotFound):
        finish(container, "job_nobody")


def test_objective_checks_reject_in_automatic_mode(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("BLANK")])
    work(container)
    status = api.status(order["jobId"])
    assert status["status"] == "undeliverable"
    assert "blank" in status["undeliverable"]["reason"]
    assert api.credits() == 100


UNSURE = (photo("DOUBT"), photo("BLANK DOUBT"))
"""One just passes and one just fails."""


@pytest.mark.parametrize(("content", "status"), [(PHOTO, "approved"), (photo("BLANK"), "undeliverable")])
def test_where_the_checks_are_sure_nobody_has_to_review(
    api: Api, container: Container, content: bytes, status: str
) -> None:
    order = api.order(interior=[content])
    work(container, mode=QcMode.AUTO_REVIEW)
    assert api.status(order["jobId"])["status"] == status
    assert api.credits() == (99.5 if status == "approved" else 100)


@pytest.mark.parametrize("content", UNSURE)
@pytest.mark.parametrize("decision", [APPROVE, REJECT])
def test_what_the_checks_are_unsure_of_waits_for_a_person_who_may_decide_either_way(
    api: Api, container: Container, content: bytes, decision: Decision
) -> None:
    order = api.order(interior=[content])
    work(container, mode=QcMode.AUTO_REVIEW)
    assert api.status(order["jobId"])["status"] == "qc_review"
    assert api.get(f"/downloads/{order['jobId']}").status_code == 400
    assert (api.credits(), refunds(container)) == (99.5, {})
    (result,) = results(container)
    assert (result.verdict, result.decided_at) == (Verdict.UNDECIDED, None)
    decide(container, result.id, decision)
    finish(container, order["jobId"])
    approved = decision is APPROVE
    assert api.status(order["jobId"])["status"] == ("approved" if approved else "undeliverable")
    assert api.credits() == (99.5 if approved else 100)


def test_a_person_is_asked_for_the_unsure_results_alone_and_the_sure_ones_are_settled_with_them(
    api: Api, container: Container
) -> None:
    order = api.order(interior=[PHOTO, photo("BLANK"), photo("DOUBT"), photo("BROKEN")])
    work(container, mode=QcMode.AUTO_REVIEW)
    verdicts = {each.photo_id: each.verdict for each in results(container)}
    decided = [verdicts[asset["id"]] for asset in order["assets"]]
    assert decided == [Verdict.APPROVED, Verdict.REJECTED, Verdict.UNDECIDED, Verdict.REJECTED]
    (unsure,) = [each for each in results(container) if each.verdict is Verdict.UNDECIDED]
    decide(container, unsure.id, APPROVE)
    finish(container, order["jobId"])
    assert api.get(f"/downloads/{order['jobId']}").json["imageCount"] == 2
    assert sum(refunds(container).values()) == 1


@pytest.mark.parametrize(("content", "status"), [(UNSURE[0], "approved"), (UNSURE[1], "undeliverable")])
def test_in_automatic_mode_the_checks_decide_what_they_are_unsure_of_too(
    api: Api, container: Container, content: bytes, status: str
) -> None:
    order = api.order(interior=[content])
    work(container)
    assert api.status(order["jobId"])["status"] == status


def test_nobody_comes_and_an_unsure_order_fails_in_time_with_everything_refunded(
    api: Api, container: Container, clock: FakeClock
) -> None:
    order = api.order(interior=[PHOTO, photo("DOUBT")])
    work(container, mode=QcMode.AUTO_REVIEW)
    clock.pass_(hours=2, seconds=1)
    container.sweep.everything()
    assert api.status(order["jobId"])["status"] == "failed"
    assert api.credits() == 100


def test_outside_all_goes_back_without_an_approved_photo_and_nothing_where_every_effect_came_out(
    api: Api, container: Container
) -> None:
    order = api.order(exterior=[photo("BROKEN"), PHOTO], interior=[PHOTO])
    work(container)
    assert "creditsRefunded" not in api.status(order["jobId"])
    order = api.order(exterior=[photo("BROKEN"), photo("DECLINE")], interior=[PHOTO])
    work(container)
    assert refunds(container) == {f"refund:{order['jobId']}:property": Decimal(1)}
    assert api.status(order["jobId"])["creditsRefunded"] == 1
    assert api.credits() == 98


def test_outside_what_came_out_on_no_photo_is_not_paid_for_and_one_line_says_the_sum(
    api: Api, container: Container
) -> None:
    order = api.order(
        exterior=[photo("HALF"), photo("HALF")], exteriorEnhancements=["grass_enhancement", "sky_enhancement"]
    )
    work(container)
    assert refunds(container) == {f"refund:{order['jobId']}:property": Decimal(1)}
    with container.database.read_session() as session:
        (line,) = session.scalars(select(LedgerLine).where(LedgerLine.kind == LedgerKind.REFUND))
    assert line.reason == (
        "Refund: Blue sky delivered on no exterior photo. Charged: 2 credits; Green lawn alone: 1 credit."
    )
    order = api.order(
        exterior=[photo("HALF"), PHOTO], exteriorEnhancements=["grass_enhancement", "sky_enhancement"]
    )
    work(container)
    assert "creditsRefunded" not in api.status(order["jobId"]), "each effect came out on one photo at least"


def test_a_declined_step_is_refunded_and_the_rest_delivered(api: Api, container: Container) -> None:
    enhancements = {"interiorEnhancements": ["declutter", "hdr_enhancement"]}
    order = api.order(interior=[photo("HALF")], **enhancements)
    work(container)
    photo_id = order["assets"][0]["id"]
    assert refunds(container) == {f"refund:{photo_id}:hdr_enhancement": Decimal("0.5")}
    (image,) = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert image["enhancements"] == ["declutter"]


def test_a_declined_renovation_gives_back_every_change(api: Api, container: Container) -> None:
    change = {"changeType": "floor", "changeDescription": "Light oak planks", "referenceText": "oak"}
    api.order(
        interior=[photo("DECLINE"), PHOTO],
        interiorEnhancements=["virtual_renovation"],
        renovations={"0": [change, change], "1": [change]},
    )
    assert api.credits() == 97
    work(container)
    assert api.credits() == 99


CHANGES = [
    {"changeType": kind, "changeDescription": text, "referenceText": "like so"}
    for kind, text in (("floor", "Light oak planks"), ("walls", "Make it nice"), ("cabinets", "Navy blue fronts"))
]
RENOVATED = {"interiorEnhancements": ["virtual_renovation", "hdr_enhancement"], "renovations": {"0": CHANGES}}


def test_a_declined_change_is_refunded_and_the_others_delivered(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("EVERY SECOND")], **RENOVATED)
    work(container)
    photo_id = order["assets"][0]["id"]
    assert refunds(container) == {f"refund:{photo_id}:virtual_renovation:1": Decimal(1)}
    assert api.credits() == Decimal("97.5")
    assert api.status(order["jobId"])["creditsRefunded"] == 1
    (image,) = api.get(f"/downloads/{order['jobId']}").json["images"]
    assert image["enhancements"] == ["virtual_renovation", "hdr_enhancement"]


def test_a_declined_change_never_comes_back_twice(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("EVERY SECOND")], **RENOVATED)
    work(container)
    with pytest.raises(IntegrityError), container.database.unit_of_work() as session:
        job = session.get_one(Job, order["jobId"])
        pay(session, job, list_for_undelivered(job, session.scalars(select(Photo)).all()), container.clock())
    assert api.credits() == Decimal("97.5")
    assert api.status(order["jobId"])["creditsRefunded"] == 1


def test_a_rejected_photo_gives_back_all_it_cost_whatever_changes_were_declined(api: Api, container) -> None:
    api.order(
        interior=[photo("EVERY SECOND BLANK"), PHOTO], **RENOVATED | {"renovations": {"0": CHANGES, "1": CHANGES}}
    )
    work(container)
    assert sorted(refunds(container).values()) == [Decimal("3.5")]


def test_changes_that_nobody_ordered_give_nothing_back(api: Api, container: Container) -> None:
    order = api.order(interior=[photo("EVERY SECOND")], **RENOVATED)
    work(container)
    with container.database.unit_of_work() as session:
        (made,) = session.scalars(select(Result))
        report = made.report
        step = report.steps[0]
        more = [replace(change, index=place) for place in (1, 1, 7) for change in step.declined_changes]
        report = replace(report, steps=(replace(step, changes=tuple(more)),))
        made.picture.report = report
        back = list_for_undelivered(session.get_one(Job, order["jobId"]), session.scalars(select(Photo)).all())
        assert [movement.amount for movement in back] == [Decimal(1)]


def test_the_events_of_a_life_are_recorded_once_each(api: Api, container: Container) -> None:
    order = api.order(interior=[PHOTO, PHOTO])
    work(container)
    for _ in range(3):
        api.get(f"/downloads/{order['jobId']}")
    assert sorted(reading.found(container, select(Event.name))) == [
        "job.approved",
        "job.completed",
        "job.created",
        "job.delivered",
        "job.processing",
        "photo.completed",
        "photo.completed",
    ]
