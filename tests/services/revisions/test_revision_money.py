"""Money and results sent back: a step left out comes back once, a photo at most whole, whoever comes at once."""

from decimal import Decimal

import pytest

from app.container import Container
from app.domain.errors import Conflict, NotFound
from app.domain.pictures import AS_ORDERED
from app.domain.revisions import RemakeChoice, RevisionOutcome, RevisionReason
from app.models import Job
from app.services.revisions import queue, revisions
from engine.types.enhancements import Enhancement
from tests import reading
from tests.acts import at_once
from tests.conftest import Api, revise, revision_worker, work
from tests.fakes import FakeClock, photo
from tests.sent_back import (
    DECLUTTER,
    HDR,
    STAGING,
    hire,
    ordered,
    refusal,
    result_of,
    round_of,
    rounds,
    send_back,
    version_of,
)

ANSWER = "It cannot be made right."


def refund(container: Container, revision, version: str | None = None) -> None:
    rae, shown = hire(container), version or version_of(container, revision)
    with container.database.unit_of_work() as session:
        facts = (rae, revision.id, shown, ANSWER)
        queue.refund(session, *facts, container.clock())


def test_sending_back_is_free(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    before = api.credits()
    send_back(container, job_id)
    revise(container)
    assert (api.credits(), reading.one(container, Job, job_id).credits_refunded) == (before, 0)


def test_the_price_of_a_step_that_is_left_out_comes_back_at_once(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    before = api.credits()
    sent = send_back(container, job_id, "melted", without=STAGING)
    assert api.credits() == before
    revise(container)
    assert api.credits() == before + 1
    assert round_of(container, sent).credits_refunded == 1
    assert result_of(container, job_id).report.steps[0].enhancement == HDR


def test_the_picture_whose_step_came_back_is_handed_out_no_more(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    sent = send_back(container, job_id, "melted", without=STAGING)
    revise(container)
    path = f"/jobs/{job_id}/images/{sent.result_id}/revisions"
    assert "url" not in api.get(f"{path}/{sent.id}").json["before"]
    assert "url" not in api.get(path).json["revisions"][0]["before"]
    with container.database.read_session() as session, pytest.raises(NotFound):
        revisions.link(session, container.storage, session.get_one(Job, job_id), sent.result_id, sent.id, 60)


def test_of_what_was_downloaded_a_reviewer_gives_the_price_back_and_no_worker(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    assert api.get(f"/downloads/{job_id}").status_code == 200
    before = api.credits()
    sent = send_back(container, job_id, "nothing_done", without=STAGING)
    revise(container)
    waiting = round_of(container, sent)
    assert (waiting.outcome, waiting.reason) == (None, RevisionReason.DOWNLOADED)
    assert (api.credits(), result_of(container, job_id).picture.settings) == (before, AS_ORDERED)
    rae, version = hire(container), version_of(container, sent)
    with container.database.unit_of_work() as session:
        queue.approve(session, rae, sent.id, version, container.clock())
    assert api.credits() == before + 1


def test_what_is_downloaded_while_it_is_made_again_is_a_reviewers_too(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    sent = send_back(container, job_id, "melted", without=STAGING)
    before = api.credits()
    api.get(f"/downloads/{job_id}")
    revise(container)
    assert (round_of(container, sent).outcome, api.credits()) == (None, before)


def test_of_a_renovation_that_was_done_in_part_only_the_rest_comes_back(api: Api, container: Container) -> None:
    wanted = {"changeDescription": "Of light oak.", "referenceText": "Light oak."}
    changes = [{"changeType": kind, **wanted} for kind in ("floor", "walls", "countertops")]
    job_id = ordered(
        api,
        container,
        HDR,
        "virtual_renovation",
        contents=(photo("EVERY SECOND"),),
        renovations={"0": changes},
    )
    assert reading.one(container, Job, job_id).credits_refunded == 1, "the change that was declined"
    send_back(container, job_id, "melted", without="virtual_renovation")
    revise(container)
    assert reading.one(container, Job, job_id).credits_refunded == 3


def test_a_refunded_photo_gives_back_what_is_left_of_its_price_and_no_more(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, DECLUTTER, STAGING)
    send_back(container, job_id, "melted", without=STAGING)
    revise(container)
    assert reading.one(container, Job, job_id).credits_refunded == 1
    sent = send_back(container, job_id, "other")
    refund(container, sent)
    done = round_of(container, sent)
    assert (done.outcome, done.credits_refunded, done.answer) == (RevisionOutcome.REFUNDED, 1, ANSWER)
    assert reading.one(container, Job, job_id).credits_refunded == 2
    assert refusal(container, job_id) == "refunded"


def test_each_outside_photo_gives_back_its_share_of_the_price_per_property(api: Api, container: Container) -> None:
    container.engine.tells_steps = True
    job_id = api.order(exterior=[photo(f"HOUSE {number}") for number in range(3)])["jobId"]
    work(container)
    shares = []
    for place in range(3):
        before = reading.one(container, Job, job_id).credits_refunded
        refund(container, send_back(container, job_id, "other", place=place))
        shares.append(reading.one(container, Job, job_id).credits_refunded - before)
    assert shares == [Decimal("0.34"), Decimal("0.34"), Decimal("0.32")]
    assert api.credits() == 100


def test_two_reviewers_refund_once(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING)
    sent = send_back(container, job_id, "other")
    version = version_of(container, sent)
    refund(container, sent, version)
    with pytest.raises(Conflict):
        refund(container, sent, version)
    assert reading.one(container, Job, job_id).credits_refunded == 1


def test_nobody_answers_until_the_files_go_and_the_price_comes_back(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, STAGING, HDR)
    send_back(container, job_id, "other")
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    assert rounds(container, job_id) == []
    assert reading.one(container, Job, job_id).credits_refunded == Decimal("1.5")
    kept = reading.one(container, Job, job_id).evidence
    assert kept is not None
    assert kept.pictures[0].revisions[0].outcome is RevisionOutcome.REFUNDED


def test_who_sends_back_shortly_before_the_files_go_gets_nothing_back(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, STAGING)
    clock.pass_(days=6, hours=12)
    send_back(container, job_id, "other")
    clock.pass_(hours=12)
    container.sweep.expire_jobs()
    assert reading.one(container, Job, job_id).credits_refunded == 0
    kept = reading.one(container, Job, job_id).evidence
    assert kept is not None
    assert kept.pictures[0].revisions[0].outcome is RevisionOutcome.DECLINED


def test_sent_back_in_two_tabs_and_by_a_program_at_once_it_is_one_round(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING)
    came = at_once(*[lambda: send_back(container, job_id, "furniture_place")] * 4)
    assert [type(each) for each in came if isinstance(each, Exception)] == [Conflict] * 3
    assert [each.round for each in rounds(container, job_id)] == [1]


def test_two_workers_and_an_end_of_retention_at_once_leave_one_truth(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    sent = send_back(container, job_id, "melted", without=STAGING)
    clock.pass_(days=7)
    make = revision_worker(container).make
    came = at_once(lambda: make(sent.id), lambda: make(sent.id), container.sweep.expire_jobs)
    assert not [each for each in came if isinstance(each, Exception)]
    assert reading.one(container, Job, job_id).credits_refunded in (Decimal(1), Decimal("1.5"))
    container.sweep.purge_files()
    assert list(container.storage.list_files(f"results/{job_id}/")) == []


def test_a_step_that_a_reviewer_left_out_comes_back_when_the_picture_is_put_in_place(
    api: Api, container: Container
) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    sent, rae = send_back(container, job_id, "other"), hire(container)
    with container.database.unit_of_work() as session:
        chosen = RemakeChoice(left_out=[Enhancement.STAGING])
        queue.make(session, rae, sent.id, version_of(container, sent), chosen, container.clock())
    revise(container)
    assert round_of(container, sent).reason is RevisionReason.BY_REVIEWER
    assert reading.one(container, Job, job_id).credits_refunded == 0
    with container.database.unit_of_work() as session:
        queue.approve(session, rae, sent.id, version_of(container, sent), container.clock())
    assert reading.one(container, Job, job_id).credits_refunded == 1
