"""Outside, what a photo lacks while others got it was paid for: hints have it done in a round, free of charge."""

import pytest

from app.container import Container
from app.domain.errors import InvalidRequest
from app.domain.flaws import SendBackInput
from app.domain.revisions import RemakeChoice, RevisionOutcome, RevisionReason, RevisionStatus
from app.models import Job, Photo, Revision
from app.services import audit
from app.services.billing import refunds
from app.services.revisions import queue, revisions
from engine.types.hint_document import read_hints
from engine.types.report import Verdict
from tests import reading
from tests.conftest import Api, revise, work
from tests.fakes import photo
from tests.sent_back import hire, result_of, round_of, send_back, version_of

SKY, GRASS = "sky_enhancement", "grass_enhancement"
LAWN_AND_SKY = {"lawn": [[[0.1, 0.6], [0.9, 0.6], [0.5, 0.9]]], "sky": [[[0.1, 0.1], [0.9, 0.1], [0.5, 0.3]]]}


@pytest.fixture(autouse=True)
def sees_what_is_shown(container: Container) -> None:
    """The engine does all steps of a photo for which there are hints."""
    plain = container.engine.enhance

    def enhance(source, request, context):
        content = source.read()
        if request.hints:
            content = content.replace(b"DECLINE", b"DONE").replace(b"HALF", b"DONE").replace(b"LATER", b"BLANK")
        return plain(type(source)(content), request, context)

    container.engine.enhance = enhance


def order(api: Api, container: Container, *contents: str, steps: tuple[str, ...] = (SKY, GRASS)) -> str:
    container.engine.tells_steps = True
    job_id: str = api.order(exterior=[photo(each) for each in contents], exteriorEnhancements=list(steps))["jobId"]
    work(container)
    return job_id


def show(container: Container, job_id: str, reason: str, place: int = 0, shown: object = None) -> Revision:
    hints = read_hints({"surfaces": shown or LAWN_AND_SKY})
    with container.database.unit_of_work() as session:
        whose = (session.get_one(Job, job_id).account_id, job_id, result_of(container, job_id, place).id)
        return revisions.send_back(session, *whose, SendBackInput(reason, hints=hints), container.clock())


def refunded(container: Container, job_id: str) -> object:
    return reading.one(container, Job, job_id).credits_refunded


def test_a_photo_without_a_result_is_made_at_once_with_what_was_shown(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "DECLINE UNSEEN")
    before = api.credits()
    sent = show(container, job_id, "no_result", 1)
    assert sent.status is RevisionStatus.MAKING
    revise(container)
    now = result_of(container, job_id, 1)
    assert (round_of(container, sent).outcome, now.verdict) == (RevisionOutcome.REVISED, Verdict.APPROVED)
    assert set(now.report.applied) == {SKY, GRASS}
    assert (api.credits(), refunded(container, job_id)) == (before, 0)
    assert len(api.get(f"/downloads/{job_id}").json["images"]) == 2
    with container.database.read_session() as session:
        assert list(audit.find_mismatches(session, container.storage)) == []


def test_a_step_that_was_declined_on_one_photo_is_added_to_its_picture(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "HALF UNSEEN")
    assert len(result_of(container, job_id, 1).report.applied) == 1
    sent = show(container, job_id, "step_declined", 1)
    revise(container)
    assert round_of(container, sent).outcome is RevisionOutcome.REVISED
    assert set(result_of(container, job_id, 1).report.applied) == {SKY, GRASS}
    assert refunded(container, job_id) == 0


def test_what_fails_its_checks_is_a_reviewers(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "DECLINE LATER")
    sent = show(container, job_id, "no_result", 1)
    revise(container)
    waiting = round_of(container, sent)
    assert (waiting.outcome, waiting.reason) == (None, RevisionReason.CHECKS_FAILED)
    assert result_of(container, job_id, 1).verdict is Verdict.REJECTED


def test_what_was_refunded_is_not_done_for_free(api: Api, container: Container) -> None:
    # On no photo the last step was done, so its price was refunded.
    job_id = order(api, container, "HALF UNSEEN one", "HALF UNSEEN two", "DECLINE UNSEEN")
    assert refunded(container, job_id) == 1
    done = result_of(container, job_id).report.applied
    for place, reason in ((0, "step_declined"), (2, "no_result")):
        shown = {"lawn" if GRASS in done else "sky": LAWN_AND_SKY["lawn" if GRASS in done else "sky"]}
        show(container, job_id, reason, place, shown)
        revise(container)
        assert result_of(container, job_id, place).report.applied == done
    room = api.order([photo("DECLINE"), photo("ROOM")])["jobId"]
    work(container)
    with pytest.raises(InvalidRequest) as refusal:
        show(container, room, "no_result")
    assert (refusal.value.details or {}).keys() == {"hints"}


def refund_whole(container: Container, job_id: str, place: int = 0) -> None:
    """A reviewer refunds a photo whose picture stays, with its share of the price for all exterior photos."""
    sent = send_back(container, job_id, "other", place=place)
    facts = (hire(container), sent.id, version_of(container, sent), "It is not right.")
    with container.database.unit_of_work() as session:
        queue.refund(session, *facts, container.clock())


def test_where_the_whole_price_outside_was_refunded_nothing_is_free(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "DECLINE UNSEEN")
    refund_whole(container, job_id)
    assert refunded(container, job_id) == 2
    with pytest.raises(InvalidRequest):
        show(container, job_id, "no_result", 1)


def test_while_the_share_of_another_photo_is_still_paid_it_is_free(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "HOUSE two", "DECLINE UNSEEN")
    refund_whole(container, job_id)
    assert refunded(container, job_id) == 1
    show(container, job_id, "no_result", 2)
    revise(container)
    assert result_of(container, job_id, 2).verdict is Verdict.APPROVED


@pytest.mark.parametrize(("content", "reason"), [("DECLINE UNSEEN", "no_result"), ("HALF UNSEEN", "step_declined")])
def test_what_is_refunded_while_it_is_made_a_reviewer_has_to_look_at(
    api: Api, container: Container, content: str, reason: str
) -> None:
    job_id = order(api, container, "HOUSE", content)
    before = result_of(container, job_id, 1).report.applied
    sent = show(container, job_id, reason, 1)
    refund_whole(container, job_id)
    if content == "HALF UNSEEN":
        with container.database.unit_of_work() as session:
            job = session.get_one(Job, job_id)
            photo_row = session.get_one(Photo, sent.photo_id)
            refunds.pay(session, job, refunds.list_for_photo(session, job, photo_row, ""), container.clock())
    revise(container)
    waiting = round_of(container, sent)
    assert (waiting.outcome, waiting.reason) == (None, RevisionReason.MORE_DONE)
    assert result_of(container, job_id, 1).report.applied == before


def test_a_reviewer_has_it_made_with_better_hints(api: Api, container: Container) -> None:
    job_id = order(api, container, "HOUSE", "HALF UNSEEN")
    sent = send_back(container, job_id, "step_declined", place=1)
    chosen = RemakeChoice(hints=read_hints({"surfaces": LAWN_AND_SKY}))
    facts = (hire(container), sent.id, version_of(container, sent), chosen)
    with container.database.unit_of_work() as session:
        asked = queue.get_hinted(session, sent.id).hinted.edit_request
        queue.make(session, *facts, container.clock())
    assert set(asked.steps) == {SKY, GRASS}
    revise(container)
    made = round_of(container, sent).made
    assert made is not None
    assert set(made.made_report.applied) == {SKY, GRASS}
