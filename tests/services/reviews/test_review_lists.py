"""The queue of jobs under review, and the jobs that are settled."""

from datetime import timedelta

import pytest
from sqlalchemy import event, update

from app.container import Container
from app.domain.errors import NotFound
from app.domain.lifecycle import Status
from app.domain.reviews import CLAIM_VALID_FOR, ClaimState
from app.models import Job
from app.services.accounts import accounts
from app.services.pagination import CountedPage
from app.services.photos import quality
from app.services.photos.quality import Decision, Verdict
from app.services.reviews import claims, lists
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo


@pytest.fixture
def staff_id(container: Container) -> str:
    with container.database.unit_of_work() as session:
        return accounts.create(session, "rae@example.com", container.clock(), name="Rae", staff=True).user_id


def queue(container: Container, staff_id: str, **options: object) -> CountedPage[lists.WaitingJob, str]:
    with container.database.read_session() as session:
        return lists.queue(session, staff_id, container.clock(), **options)


def ids(rows: list[object]) -> list[str]:
    return [row.job.id for row in rows]


def place(api: Api, container: Container, clock: FakeClock, count: int, automatic: bool = False) -> list[str]:
    """So many orders, every two of them in the same minute, worked on."""
    placed = []
    for number in range(count):
        clock.pass_(minutes=number % 2)
        placed.append(api.order(interior=[PHOTO])["jobId"])
    work(container, automatic=automatic)
    return placed


def test_the_queue_is_paged_by_key_the_one_due_first_at_the_top(
    api: Api, container: Container, clock: FakeClock, staff_id: str
) -> None:
    placed = place(api, container, clock, 7)
    with container.database.unit_of_work() as session:
        # The last one placed is due before all others.
        session.execute(update(Job).where(Job.id == placed[-1]).values(deadline_at=clock() + timedelta(minutes=1)))
    seen, after = [], None
    for _ in range(9):
        page = queue(container, staff_id, after=after, limit=2)
        assert page.total == 7
        seen += ids(page.rows)
        after = page.next
        if after is None:
            break
    assert seen[0] == placed[-1]
    assert sorted(seen) == sorted(placed)
    with container.database.read_session() as session:
        due = [session.get_one(Job, job_id).deadline_at for job_id in seen]
    assert due == sorted(due)


def test_the_next_page_is_there_though_the_job_it_begins_after_was_finished(
    api: Api, container: Container, clock: FakeClock, staff_id: str
) -> None:
    place(api, container, clock, 4)
    page = queue(container, staff_id, limit=2)
    rest = ids(queue(container, staff_id, after=page.next).rows)
    with container.database.unit_of_work() as session:
        for photo_ in quality.photos_of(session, page.next):
            quality.decide(session, photo_.result.id, Decision(Verdict.APPROVED, staff_id), clock())
        quality.finish(session, page.next, clock())
    assert ids(queue(container, staff_id, after=page.next).rows) == rest


@pytest.mark.parametrize("after", ["job_" + "0" * 22, "x", "\x00"])
def test_a_page_after_nothing_known_is_not_there(container: Container, staff_id: str, after: str) -> None:
    with pytest.raises(NotFound):
        queue(container, staff_id, after=after)
    with pytest.raises(NotFound), container.database.read_session() as session:
        lists.paginate_settled(session, after)


def test_only_jobs_under_review_wait(api: Api, container: Container, staff_id: str) -> None:
    api.order(interior=[PHOTO])
    work(container)
    api.order(interior=[photo("BROKEN")])
    work(container, automatic=False)
    api.order(interior=[PHOTO])
    assert queue(container, staff_id).rows == []


def test_a_row_says_how_much_is_decided_and_whose_it_is(
    api: Api, container: Container, clock: FakeClock, staff_id: str
) -> None:
    job_id = api.order(interior=[PHOTO, PHOTO, photo("BROKEN")])["jobId"]
    work(container, automatic=False)
    (row,) = queue(container, staff_id).rows
    assert (row.decided, row.claim.state, row.claim.holder) == (1, ClaimState.FREE, "")
    with container.database.unit_of_work() as session:
        claims.claim(session, staff_id, job_id, clock())
    (row,) = queue(container, staff_id).rows
    assert (row.claim.state, row.claim.until) == (ClaimState.MINE, clock() + CLAIM_VALID_FOR)
    (row,) = queue(container, "acc_other").rows
    assert (row.claim.state, row.claim.holder) == (ClaimState.TAKEN, "Rae")
    clock.now += CLAIM_VALID_FOR
    assert queue(container, "acc_other").rows[0].claim.state is ClaimState.FREE
    assert queue(container, staff_id).rows[0].claim.state is ClaimState.RAN_OUT


def test_settled_jobs_are_listed_the_latest_first_until_their_pictures_go(
    api: Api, container: Container, clock: FakeClock, staff_id: str
) -> None:
    api.order(interior=[PHOTO, photo("BLANK")])
    work(container)
    clock.pass_(minutes=1)
    later = place(api, container, clock, 5, automatic=True)
    forgotten = api.order(interior=[PHOTO])["jobId"]
    with container.database.read_session() as session:
        first = lists.paginate_settled(session, limit=4)
        rest = lists.paginate_settled(session, first.next, limit=4)
    assert set(ids(first.rows)) <= set(later)
    assert [(row.approved, row.rejected) for row in rest.rows] == [(1, 0), (1, 1)]
    assert rest.next is None
    assert {row.job.status for row in first.rows} == {Status.APPROVED}
    clock.pass_(days=8)
    container.sweep.everything()
    with container.database.read_session() as session:
        # The order that nobody worked on failed by its time limit only now.
        assert ids(lists.paginate_settled(session).rows) == [forgotten]
        with pytest.raises(NotFound):
            lists.review(session, staff_id, later[0], clock())


def statements(container: Container, staff_id: str, job_id: str) -> int:
    counted = []

    def listener(*_: object) -> None:
        counted.append(1)

    event.listen(container.database.engine, "before_cursor_execute", listener)
    with container.database.read_session() as session:
        lists.queue(session, staff_id, container.clock())
        lists.paginate_settled(session)
        lists.review(session, staff_id, job_id, container.clock())
    event.remove(container.database.engine, "before_cursor_execute", listener)
    return len(counted)


def test_the_number_of_queries_does_not_grow_with_the_rows(
    api: Api, container: Container, clock: FakeClock, staff_id: str
) -> None:
    small = api.order(interior=[PHOTO])["jobId"]
    large = api.order(interior=[PHOTO] * 6)["jobId"]
    work(container, automatic=False)
    few = statements(container, staff_id, small)
    place(api, container, clock, 5)
    place(api, container, clock, 5, automatic=True)
    assert statements(container, staff_id, large) == few <= 10
