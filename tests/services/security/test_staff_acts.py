"""The log of staff's acts: written with what was done, never changed, paged and filtered."""

from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.container import Container
from app.domain.errors import Conflict
from app.domain.reviews import CLAIM_VALID_FOR
from app.domain.staff import StaffAction
from app.services.accounts import accounts
from app.services.photos.quality import Decision
from app.services.reviews import claims, decisions, lists
from app.services.security import staff_acts
from app.services.security.staff_acts import ActFilter
from engine.types.report import Verdict
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock


@pytest.fixture
def staff(container: Container) -> tuple[str, str]:
    """Two reviewers, one without a name."""
    with container.database.unit_of_work() as session:
        rae = accounts.create(session, "rae@example.com", container.clock(), name="Rae", staff=True)
        sam = accounts.create(session, "sam@example.com", container.clock(), staff=True)
    return rae.user_id, sam.user_id


def log(container: Container, **wanted: str) -> list[tuple[str, str, str]]:
    with container.database.read_session() as session:
        lines = staff_acts.paginate(session, ActFilter(**wanted)).rows
    return [(line.name, line.act.action, line.act.detail) for line in lines]


def under_review(api: Api, container: Container) -> tuple[str, list[str]]:
    job_id = api.order(interior=[PHOTO, PHOTO])["jobId"]
    work(container, automatic=False)
    with container.database.read_session() as session:
        photos = lists.review(session, "acc_x", job_id, container.clock()).photos
    return job_id, [each.result.id for each in photos]


def test_every_act_of_a_review_is_written_down_with_what_it_did(
    api: Api, container: Container, clock: FakeClock, staff: tuple[str, str]
) -> None:
    rae, sam = staff
    job_id, (first, second) = under_review(api, container)
    with container.database.unit_of_work() as session:
        claims.claim(session, rae, job_id, clock())
        decisions.decide(session, job_id, first, Decision(Verdict.REJECTED, rae, "Colors are off."), clock())
        claims.release(session, rae, job_id, clock())
        claims.claim(session, rae, job_id, clock())
    clock.now += CLAIM_VALID_FOR
    with container.database.unit_of_work() as session:
        claims.claim(session, sam, job_id, clock())
        decisions.decide(session, job_id, second, Decision(Verdict.APPROVED, sam), clock())
        decisions.finish(session, sam, job_id, decisions.preview_effect(session, job_id).version, clock())
    assert log(container) == [
        ("sam@example.com", StaffAction.FINISH, "1 approved, 1 rejected, 0.5 credits refunded: approved"),
        ("sam@example.com", StaffAction.APPROVE, "interior-2"),
        ("sam@example.com", StaffAction.CLAIM, "Taken over: the claim of Rae had run out."),
        ("Rae", StaffAction.CLAIM, ""),
        ("Rae", StaffAction.RELEASE, ""),
        ("Rae", StaffAction.REJECT, "interior-1: Colors are off."),
        ("Rae", StaffAction.CLAIM, ""),
    ]


def test_what_was_refused_is_not_written_down(api: Api, container: Container, staff: tuple[str, str]) -> None:
    rae, sam = staff
    job_id, (first, _) = under_review(api, container)
    with container.database.unit_of_work() as session:
        claims.claim(session, rae, job_id, container.clock())
    for refused in (
        lambda session: claims.claim(session, sam, job_id, container.clock()),
        lambda session: claims.release(session, sam, job_id, container.clock()),
        lambda session: decisions.finish(session, rae, job_id, "", container.clock()),
        lambda session: decisions.decide(
            session, job_id, first, Decision(Verdict.APPROVED, sam), container.clock()
        ),
    ):
        with pytest.raises(Conflict), container.database.unit_of_work() as session:
            refused(session)
    assert [deed for _, deed, _ in log(container)] == [StaffAction.CLAIM]


def test_the_log_is_paged_by_key_and_filtered(
    api: Api, container: Container, clock: FakeClock, staff: tuple[str, str]
) -> None:
    rae, sam = staff
    jobs = [under_review(api, container)[0] for _ in range(3)]
    for staff_id, job_id in ((rae, jobs[0]), (sam, jobs[1]), (rae, jobs[2]), (rae, jobs[0]), (sam, jobs[1])):
        with container.database.unit_of_work() as session:
            claims.claim(session, staff_id, job_id, clock())
    seen, after = [], None
    with container.database.read_session() as session:
        for _ in range(9):
            page = staff_acts.paginate(session, ActFilter(), after, limit=2)
            seen += [line.act.job_id for line in page.rows]
            after = page.next
            if after is None:
                break
        assert staff_acts.list_staff(session) == {rae: "Rae", sam: "sam@example.com"}
        assert staff_acts.paginate(session, ActFilter(), 2**70).rows
        assert staff_acts.paginate(session, ActFilter(), -(2**70)).rows == []
    assert seen == [jobs[1], jobs[0], jobs[2], jobs[1], jobs[0]]
    assert len(log(container, staff_id=rae)) == 3
    assert len(log(container, job_id=jobs[0])) == 2
    assert len(log(container, staff_id=sam, job_id=jobs[0])) == 0
    for strange in ("'", "\x00", "job_"):
        assert log(container, job_id=strange) == log(container, staff_id=strange) == []


@pytest.mark.parametrize("change", ["UPDATE staff_act SET detail = ''", "DELETE FROM staff_act"])
def test_an_act_can_be_neither_changed_nor_removed(
    api: Api, container: Container, staff: tuple[str, str], change: str
) -> None:
    with container.database.unit_of_work() as session:
        staff_acts.record(session, staff[0], StaffAction.CLAIM, "job_x", container.clock(), "for good")
    with pytest.raises(DBAPIError, match="append-only"), container.database.unit_of_work() as session:
        session.execute(text(change))
    assert [detail for _, _, detail in log(container)] == ["for good"]


def test_an_act_outlives_the_pictures_of_its_job(
    api: Api, container: Container, clock: FakeClock, staff: tuple[str, str]
) -> None:
    job_id, _ = under_review(api, container)
    with container.database.unit_of_work() as session:
        claims.claim(session, staff[0], job_id, clock())
    clock.now += timedelta(days=30)
    for _ in range(2):
        container.sweep.everything()
        clock.now += timedelta(days=30)
    assert len(log(container, job_id=job_id)) == 1
