"""Photos without a usable result that go to a person: what is made of them is free, and refunds stay."""

from decimal import Decimal

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import Conflict, InvalidRequest, NotFound, NotReady, RetentionEnded
from app.domain.revisions import MAX_ROUNDS, RemakeChoice, RevisionOutcome, RevisionReason
from app.models import Job, Mail, Revision
from app.services import audit
from app.services.orders import job_pages
from app.services.orders.job_pages import PhotoState
from app.services.photos import downloads, public_pages, recipes, results
from app.services.photos.evidence import read as read_evidence
from app.services.revisions import queue, revisions
from engine.types.enhancements import Enhancement
from engine.types.report import Verdict
from tests import reading
from tests.acts import at_once
from tests.conftest import PHOTO, Api, develop, remake, revise, work
from tests.fakes import FakeClock, photo
from tests.sent_back import (
    DECLUTTER,
    HDR,
    STAGING,
    events,
    hire,
    ordered,
    refusal,
    result_of,
    round_of,
    rounds,
    send_back,
    version_of,
)

BETTER = photo("FIRST DECLINE")
"""Of this photo every step is declined until the picture is made otherwise than ordered."""


def order_two(api: Api, container: Container, *steps: str, lost: bytes = BETTER) -> str:
    """The id of an approved job of two rooms, of which the second has no usable result."""
    job_id = ordered(api, container, *(steps or (HDR, STAGING)), contents=(PHOTO, lost))
    assert result_of(container, job_id, 1).verdict is Verdict.REJECTED
    return job_id


def ask(container: Container, job_id: str, words: str = "The room is empty.") -> Revision:
    return send_back(container, job_id, "no_result", words=words, place=1)


def make(container: Container, sent: Revision, *left_out: str, seed: bool = True) -> None:
    rae, shown = hire(container), version_of(container, sent)
    chosen = RemakeChoice(seed, left_out=[Enhancement(each) for each in left_out])
    with container.database.unit_of_work() as session:
        queue.make(session, rae, sent.id, shown, chosen, container.clock())
    revise(container)


def approve(container: Container, sent: Revision) -> None:
    rae, shown = hire(container), version_of(container, sent)
    with container.database.unit_of_work() as session:
        queue.approve(session, rae, sent.id, shown, container.clock())


def refunded(container: Container, job_id: str) -> Decimal:
    return reading.one(container, Job, job_id).credits_refunded


def find_mismatches(container: Container) -> list[str]:
    with container.database.read_session() as session:
        return list(audit.find_mismatches(session, container.storage))


def test_it_waits_for_a_reviewer_with_the_customers_words_and_stays_rejected_meanwhile(
    api: Api, container: Container
) -> None:
    job_id = order_two(api, container)
    sent = ask(container, job_id)
    assert (sent.made, sent.reason, sent.message) == (None, RevisionReason.NO_REMEDY, "The room is empty.")
    assert result_of(container, job_id, 1).verdict is Verdict.REJECTED
    with container.database.read_session() as session:
        assert [row.revision.id for row in queue.queue(session).rows] == [sent.id]
        shown = queue.view(session, sent.id)
    assert (shown.refundable, shown.step_refunds, shown.can_weaken) == (0, {}, False)
    assert revise(container) == 0, "no worker tries it by itself"
    assert find_mismatches(container) == []


def test_a_picture_that_a_reviewer_approves_is_free_and_part_of_the_order_everywhere(
    api: Api, container: Container
) -> None:
    job_id = order_two(api, container)
    assert refunded(container, job_id) == Decimal("1.5")
    before, image_id = api.credits(), result_of(container, job_id, 1).id
    sent = ask(container, job_id)
    make(container, sent)
    assert round_of(container, sent).reason is RevisionReason.BY_REVIEWER
    assert len(api.get(f"/downloads/{job_id}").json["images"]) == 1, "nobody has approved it yet"
    approve(container, sent)
    now, done = result_of(container, job_id, 1), round_of(container, sent)
    assert (done.outcome, done.decided_by, done.credits_refunded) == (RevisionOutcome.REVISED, hire(container), 0)
    assert (now.id, now.verdict, now.reason, now.message) == (image_id, Verdict.APPROVED, None, "")
    assert (api.credits(), refunded(container, job_id)) == (before, Decimal("1.5"))
    assert [each["id"] for each in api.get(f"/downloads/{job_id}").json["images"]][1] == image_id
    report = api.get(f"/jobs/{job_id}/quality").json["photos"][1]
    assert (report["verdict"], "reason" in report) == ("approved", False)
    develop(container)
    with container.database.read_session() as session:
        (page,) = job_pages.read_all(session, [session.get_one(Job, job_id)])
        assert [each.state for each in page.photos] == [PhotoState.USABLE] * 2
        assert (page.usable_count, page.photos[1].refunded) == (2, Decimal("1.5"))
        seen = results.read(session, api.account_id, job_id, container.clock())
        assert seen is not None
        assert [each.result.id for each in seen.shown][1] == image_id
        assert len(recipes.read(session, api.account_id, job_id)) == 2
        told = read_evidence(session, api.account_id, job_id, "https://a.example").pictures[1]
        assert (told.verdict, told.decided_by, told.revisions[0].before_sha256) == (
            Verdict.APPROVED,
            "reviewer",
            None,
        )
    assert find_mismatches(container) == []


def test_its_end_is_told_by_an_event_and_a_mail_that_speak_of_no_previous_picture(
    api: Api, container: Container
) -> None:
    job_id = order_two(api, container)
    sent = ask(container, job_id)
    make(container, sent)
    approve(container, sent)
    (told,) = events(container, job_id)
    assert (told["data"]["imageId"], told["data"]["outcome"]) == (sent.result_id, "revised")
    with container.database.read_session() as session:
        (mail,) = session.scalars(select(Mail).where(Mail.subject.startswith("Sent back: ")))
    text = " ".join(mail.text.split())
    assert "You asked a person to look at" in text
    assert "There is a picture of it now. You pay nothing for it." in text
    assert "previous picture" not in text


def test_a_reviewer_who_cannot_help_says_why_and_it_stays_as_it_was(api: Api, container: Container) -> None:
    job_id = order_two(api, container)
    lost = result_of(container, job_id, 1)
    sent, rae = ask(container, job_id), hire(container)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        queue.approve(session, rae, sent.id, version_of(container, sent), container.clock())
    with container.database.unit_of_work() as session:
        queue.keep(session, rae, sent.id, version_of(container, sent), "The floor is not seen.", container.clock())
    now = result_of(container, job_id, 1)
    assert (now.verdict, now.message, now.picture_id) == (Verdict.REJECTED, lost.message, lost.picture_id)
    with container.database.read_session() as session:
        (mail,) = session.scalars(select(Mail).where(Mail.subject.startswith("Sent back: ")))
    assert "it cannot be done. Our reviewer writes: The floor is not seen." in " ".join(mail.text.split())
    assert find_mismatches(container) == []


def test_nothing_is_refunded_again_in_the_round_nor_ever_after(api: Api, container: Container) -> None:
    job_id = order_two(api, container)
    sent, rae = ask(container, job_id), hire(container)
    shown = version_of(container, sent)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        queue.refund(session, rae, sent.id, shown, "Sorry.", container.clock())
    with pytest.raises(InvalidRequest), container.database.unit_of_work() as session:
        queue.refund_step(session, rae, sent.id, shown, STAGING, "Sorry.", container.clock())
    make(container, sent)
    approve(container, sent)
    send_back(container, job_id, "melted", without=STAGING, place=1)
    revise(container)
    assert result_of(container, job_id, 1).report.applied == (HDR,)
    again = send_back(container, job_id, "other", place=1)
    with container.database.unit_of_work() as session:
        queue.refund(session, rae, again.id, version_of(container, again), "Sorry.", container.clock())
    assert refunded(container, job_id) == Decimal("1.5")
    assert find_mismatches(container) == []


def test_a_photo_outside_without_a_price_of_its_own_is_not_refunded_in_its_round(
    api: Api, container: Container
) -> None:
    container.engine.tells_steps = True
    job_id = api.order(exterior=[photo("HOUSE"), BETTER])["jobId"]
    work(container)
    sent, rae = ask(container, job_id), hire(container)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        queue.refund(session, rae, sent.id, version_of(container, sent), "Sorry.", container.clock())
    make(container, sent)
    approve(container, sent)
    assert (result_of(container, job_id, 1).verdict, refunded(container, job_id)) == (Verdict.APPROVED, 0)


def test_a_picture_that_failed_its_checks_stays_hidden_and_steps_of_it_can_be_left_out(
    api: Api, container: Container
) -> None:
    job_id = order_two(api, container, HDR, STAGING, lost=photo("FIRST BLANK"))
    failed = result_of(container, job_id, 1)
    assert failed.storage_key is not None
    sent = ask(container, job_id)
    make(container, sent, STAGING)
    assert round_of(container, sent).made.report.applied == (HDR,)
    approve(container, sent)
    assert refunded(container, job_id) == Decimal("1.5"), "staging was refunded with the photo"
    with container.database.read_session() as session, pytest.raises(NotFound):
        revisions.link(session, container.storage, session.get_one(Job, job_id), sent.result_id, sent.id, 60)
    with container.database.read_session() as session:
        (file,) = revisions.list_files(session, container.storage, api.account_id, job_id, sent.result_id, 60)
    assert file.before_url is None


def test_all_steps_that_were_ordered_may_be_left_out_but_one(api: Api, container: Container) -> None:
    job_id = order_two(api, container, HDR, DECLUTTER)
    sent = ask(container, job_id)
    for impossible in ((HDR, DECLUTTER), (STAGING,)):
        with pytest.raises(InvalidRequest):
            make(container, sent, *impossible)
    make(container, sent, DECLUTTER)
    assert round_of(container, sent).made.report.applied == (HDR,)


def test_what_is_declined_again_is_for_the_reviewer_to_answer(api: Api, container: Container) -> None:
    job_id = order_two(api, container, lost=photo("DECLINE"))
    sent = ask(container, job_id)
    make(container, sent)
    waiting = round_of(container, sent)
    assert (waiting.outcome, waiting.reason, waiting.new_picture) == (None, RevisionReason.STEP_DECLINED, None)
    make(container, sent)
    assert round_of(container, sent).made.settings.photo_seed == 2
    assert result_of(container, job_id, 1).verdict is Verdict.REJECTED


def test_it_counts_as_the_other_rounds_do_and_can_be_withdrawn(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = order_two(api, container)
    rae = hire(container)
    sent = ask(container, job_id)
    assert refusal(container, job_id, reason="no_result", place=1) == "round_open"
    with container.database.unit_of_work() as session:
        revisions.withdraw(session, api.account_id, job_id, sent.result_id, sent.id, clock())
    for _ in range(MAX_ROUNDS):
        sent = ask(container, job_id)
        with container.database.unit_of_work() as session:
            queue.keep(session, rae, sent.id, version_of(container, sent), "No.", clock())
    assert refusal(container, job_id, reason="no_result", place=1) == "too_many_rounds"
    clock.pass_(days=14)
    with pytest.raises(RetentionEnded):
        ask(container, job_id)


def test_only_for_photos_without_a_result_of_orders_with_others(api: Api, container: Container) -> None:
    job_id = order_two(api, container)
    with pytest.raises(InvalidRequest):
        send_back(container, job_id, "no_result", place=0)
    with pytest.raises(InvalidRequest):
        send_back(container, job_id, "other", place=1)
    nothing = ordered(api, container, contents=(photo("DECLINE"),))
    with pytest.raises(NotReady):
        send_back(container, nothing, "no_result")
    assert rounds(container, job_id) == []


def test_without_an_answer_nothing_more_is_refunded_when_the_files_go(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = order_two(api, container)
    ask(container, job_id)
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    job = reading.one(container, Job, job_id)
    assert job.credits_refunded == Decimal("1.5")
    assert job.evidence is not None
    assert job.evidence.pictures[1].revisions[0].outcome is RevisionOutcome.DECLINED


def test_asked_in_two_tabs_at_once_it_is_one_round(api: Api, container: Container) -> None:
    job_id = order_two(api, container)
    came = at_once(*[lambda: ask(container, job_id)] * 4)
    assert [type(each) for each in came if isinstance(each, Exception)] == [Conflict] * 3
    assert len(rounds(container, job_id)) == 1


def test_a_published_page_gets_its_original_when_it_is_saved_again(api: Api, container: Container) -> None:
    job_id = order_two(api, container)

    def publish() -> list[int]:
        with container.database.unit_of_work() as session:
            page = public_pages.publish(session, api.account_id, job_id, container.clock())
            return [each.number for each in page.pictures]

    assert publish() == [1]
    sent = ask(container, job_id)
    make(container, sent)
    approve(container, sent)
    assert publish() == [1, 2]
    assert publish() == [1, 2]


def test_its_variants_are_requested_like_those_of_other_results(api: Api, container: Container) -> None:
    job_id = order_two(api, container)
    sent = ask(container, job_id)
    make(container, sent)
    approve(container, sent)
    assert remake(container) == 2, "the bases of both results"
    with container.database.read_session() as session:
        made = downloads.list_variants(session, container.storage, api.account_id, job_id, sent.result_id, 60)
    assert [each.kept for each in made] == [(HDR,)]
