"""Reviewers and results sent back: made again as they choose, put in place, kept, refunded, each only as shown."""

from collections.abc import Callable

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.revisions import PictureSettings, RemakeChoice, RevisionOutcome, RevisionReason
from app.models import Revision, StaffAct
from app.services.revisions import queue
from engine.types.enhancements import Enhancement
from tests.conftest import Api, revise
from tests.fakes import FakeClock, photo
from tests.sent_back import (
    DECLUTTER,
    HDR,
    STAGING,
    hire,
    ordered,
    result_of,
    round_of,
    send_back,
    version_of,
)


def make(container: Container, sent: Revision, *left_out: str, seed: bool = False, less: bool = False) -> None:
    rae, shown = hire(container), version_of(container, sent)
    chosen = RemakeChoice(seed, less, [Enhancement(each) for each in left_out])
    with container.database.unit_of_work() as session:
        queue.make(session, rae, sent.id, shown, chosen, container.clock())


def approve(container: Container, sent: Revision, seal: str | None = None) -> None:
    rae, shown = hire(container), seal or version_of(container, sent)
    with container.database.unit_of_work() as session:
        queue.approve(session, rae, sent.id, shown, container.clock())


def keep(container: Container, sent: Revision, answer: str = "It shows what is there.") -> None:
    rae, shown = hire(container), version_of(container, sent)
    with container.database.unit_of_work() as session:
        queue.keep(session, rae, sent.id, shown, answer, container.clock())


def acts(container: Container) -> list[tuple[str, str]]:
    with container.database.read_session() as session:
        return [(each.action, each.detail) for each in session.scalars(select(StaffAct).order_by(StaffAct.id))]


def waiting(container: Container) -> list[str]:
    with container.database.read_session() as session:
        return [row.revision.id for row in queue.queue(session).rows]


def test_those_that_wait_for_a_person_are_listed_the_oldest_first_page_by_page(
    api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = ordered(api, container, contents=tuple(photo(f"ROOM {number}") for number in range(3)))
    sent = []
    for place in range(3):
        clock.pass_(minutes=1)
        sent.append(send_back(container, job_id, "other", place=place).id)
    with container.database.read_session() as session:
        first = queue.queue(session, limit=2)
        rest = queue.queue(session, first.next, limit=2)
    assert ([row.revision.id for row in first.rows], first.total) == (sent[:2], 3)
    assert [row.revision.id for row in rest.rows] == sent[2:]


def test_what_a_worker_is_at_waits_for_nobody(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id)
    assert waiting(container) == []
    with pytest.raises(Conflict):
        keep(container, sent)


def test_a_picture_made_as_a_reviewer_chose_is_theirs_to_put_in_place(api: Api, container: Container) -> None:
    job_id = ordered(api, container, HDR, STAGING)
    before = result_of(container, job_id)
    sent = send_back(container, job_id, "other")
    make(container, sent, seed=True, less=True)
    assert waiting(container) == []
    revise(container)
    made = round_of(container, sent)
    assert (made.reason, made.made.settings) == (
        RevisionReason.BY_REVIEWER,
        PictureSettings(photo_seed=1, strength=0.65),
    )
    assert result_of(container, job_id).storage_key == before.storage_key
    make(container, sent, seed=True)
    revise(container)
    approve(container, sent)
    done, now = round_of(container, sent), result_of(container, job_id)
    assert (done.outcome, done.decided_by) == (RevisionOutcome.REVISED, hire(container))
    assert (now.picture.settings, now.decided_by) == (PictureSettings(photo_seed=2), hire(container))
    assert [action for action, _ in acts(container)] == ["make_again", "make_again", "revise"]


def test_what_was_made_by_itself_and_left_to_a_person_can_be_put_in_place(api: Api, container: Container) -> None:
    job_id = ordered(api, container, contents=(photo("AGAIN DOUBT"),))
    sent = send_back(container, job_id)
    revise(container)
    assert waiting(container) == [sent.id]
    approve(container, sent)
    made = round_of(container, sent).made
    assert made is not None
    assert result_of(container, job_id).storage_key == made.storage_key


def test_a_picture_that_is_kept_has_an_answer(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    before = result_of(container, job_id)
    sent = send_back(container, job_id, "other")
    for wrong in ("", " \n", "x" * 301):
        with pytest.raises(InvalidRequest):
            keep(container, sent, wrong)
    keep(container, sent)
    done = round_of(container, sent)
    assert (done.outcome, done.answer) == (RevisionOutcome.KEPT, "It shows what is there.")
    assert result_of(container, job_id).storage_key == before.storage_key
    assert acts(container) == [("keep", "interior-1, round 1. It shows what is there")]
    assert send_back(container, job_id, "other").round == 2


@pytest.mark.parametrize(
    "choose",
    [
        make,
        lambda container, sent: make(container, sent, DECLUTTER),
        lambda container, sent: make(container, sent, STAGING),
        lambda container, sent: make(container, sent, less=True),
    ],
    ids=["nothing", "a step that was not done", "the only step", "less of what cannot"],
)
def test_what_cannot_be_made_is_refused(
    api: Api, container: Container, choose: Callable[[Container, Revision], None]
) -> None:
    job_id = ordered(api, container, STAGING)
    sent = send_back(container, job_id, "other")
    with pytest.raises(InvalidRequest):
        choose(container, sent)
    assert waiting(container) == [sent.id]


def test_without_a_new_picture_there_is_none_to_put_in_place(api: Api, container: Container) -> None:
    job_id = ordered(api, container)
    sent = send_back(container, job_id, "other")
    with pytest.raises(Conflict):
        approve(container, sent)
    with pytest.raises(NotFound), container.database.unit_of_work() as session:
        queue.approve(session, "usr_x", "rev_" + "0" * 22, "", container.clock())


def test_what_another_reviewer_did_meanwhile_is_not_undone(api: Api, container: Container) -> None:
    job_id = ordered(api, container, STAGING)
    sent = send_back(container, job_id, "other")
    make(container, sent, seed=True)
    revise(container)
    seen = version_of(container, sent)
    make(container, sent, seed=True)
    revise(container)
    with pytest.raises(Conflict):
        approve(container, sent, seen)
    approve(container, sent)
    with pytest.raises(Conflict):
        keep(container, sent)
