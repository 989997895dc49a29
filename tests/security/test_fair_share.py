"""Workers go round by account: whoever orders thousands of photos keeps nobody else waiting for them."""

from collections import Counter
from dataclasses import replace

import pytest

from app.container import Container
from app.domain.errors import InvalidRequest
from app.domain.limits import MAX_WEIGHT
from app.domain.order_files import MAX_PHOTOS
from app.models import Job, Photo
from app.services.accounts import organizations
from app.services.photos import photos
from bench.soak.flood import customer, order
from engine.types.enhancements import WorkSize
from tests.conftest import photo_worker
from tests.fakes import FakeClock

PHOTO_SECONDS = 1
FLOOD = 2 * MAX_PHOTOS
"""Photos, of several orders; `python -m bench.soak flood` has ten thousand."""


def turn(container: Container, clock: FakeClock) -> str:
    """One worker answers the wake-up that waited longest; whose photo it took up."""
    container.engine.before = lambda: clock.pass_(seconds=PHOTO_SECONDS)
    done = len(worked(container))
    photo_worker(container).answer(container.queue.notified.pop(0), WorkSize.LIGHT)
    assert len(worked(container)) == done + 1
    return worked(container)[-1]


def worked(container: Container) -> list[str]:
    """The accounts whose photos were worked on, in that order."""
    with container.database.read_session() as session:
        owners = {job.id: job.account_id for job in session.query(Job)}
    return [owners[context.order_seed] for context in container.engine.contexts]


def test_one_photo_beside_a_flood_waits_for_one_photo_at_most(container: Container, clock: FakeClock) -> None:
    flooding, other = (customer(container, f"{name}@example.com", FLOOD) for name in ("flood", "one"))
    order(container, flooding, FLOOD)
    for _ in range(3):
        assert turn(container, clock) == flooding
    for _ in range(3):
        order(container, other, 1)
        # The flood's photo under way, then this one: at most twice what it takes alone.
        assert other in [turn(container, clock) for _ in range(2)]


def test_photos_of_a_flood_leave_the_processor_to_others_and_the_last_ones_no_longer(
    container: Container, clock: FakeClock
) -> None:
    flooding, other = (customer(container, f"{name}@example.com", 50) for name in ("flood", "one"))
    order(container, flooding, photos.MANY_WAITING + 3)
    order(container, other, photos.MANY_WAITING)
    lowered: list[str] = []
    while container.queue.notified:
        worker = replace(photo_worker(container), lower_priority=lambda: lowered.append(""))
        before, count = len(worked(container)), len(lowered)
        worker.answer(container.queue.notified.pop(0), WorkSize.LIGHT)
        if len(lowered) > count:
            lowered[-1] = worked(container)[before]
        clock.pass_(seconds=1)
    assert Counter(lowered) == {flooding: 3}


def test_three_floods_share_the_workers_evenly(container: Container, clock: FakeClock) -> None:
    people = [customer(container, f"{name}@example.com", 50) for name in "abc"]
    for person in people:
        order(container, person, 10)
    shares = Counter(turn(container, clock) for _ in range(12))
    assert shares == dict.fromkeys(people, 4)


@pytest.mark.long
@pytest.mark.parametrize("weight", [2, 3])
def test_an_account_of_more_weight_has_more_photos_taken_and_nobody_starves(
    container: Container, clock: FakeClock, weight: int
) -> None:
    heavier, *others = people = [customer(container, f"{name}@example.com", 50) for name in "abc"]
    with container.database.unit_of_work() as session:
        organizations.set_weight(session, heavier, weight)
    for person in people:
        order(container, person, 4 * weight)
    rounds = [Counter(turn(container, clock) for _ in range(weight + 2)) for _ in range(4)]
    assert rounds == [{heavier: weight, **dict.fromkeys(others, 1)}] * 4
    # Once it has none left, the others go on as before.
    assert Counter(turn(container, clock) for _ in range(4)) == dict.fromkeys(others, 2)


def test_a_weight_taken_back_counts_from_the_next_photo_on(container: Container, clock: FakeClock) -> None:
    people = [customer(container, f"{name}@example.com", 50) for name in "ab"]
    for weight in (5, 1):
        with container.database.unit_of_work() as session:
            organizations.set_weight(session, people[0], weight)
        for person in people:
            order(container, person, 4)
            clock.pass_(seconds=1)
        if weight == 5:
            assert [turn(container, clock) for _ in range(3)] == [people[0]] * 3
    assert Counter(turn(container, clock) for _ in range(6)) == dict.fromkeys(people, 3)


def test_an_unlikely_weight_is_refused(container: Container) -> None:
    account_id = customer(container, "a@example.com", 1)
    for weight in (0, -1, MAX_WEIGHT + 1):
        with container.database.unit_of_work() as session, pytest.raises(InvalidRequest):
            organizations.set_weight(session, account_id, weight)


def test_every_photo_gets_its_turn_and_a_wake_up_too_many_does_nothing(
    container: Container, clock: FakeClock
) -> None:
    people = [customer(container, f"{name}@example.com", 50) for name in "ab"]
    jobs = [
        job_id for person, count in zip(people, (5, 2), strict=True) for job_id in order(container, person, count)
    ]
    assert len({turn(container, clock) for _ in range(7)}) == 2
    with container.database.read_session() as session:
        assert photos.next_due(session, clock(), WorkSize.LIGHT) is None
        assert {session.get_one(Job, job_id).status for job_id in jobs} == {"approved"}
        assert session.query(Photo).filter(Photo.attempts != 1).count() == 0
        (some, *_) = session.query(Photo)
    photo_worker(container).answer(some.id, WorkSize.LIGHT)
    assert len(container.engine.requests) == 7


def test_photos_of_one_account_are_taken_in_the_order_they_came(container: Container, clock: FakeClock) -> None:
    person = customer(container, "a@example.com", 50)
    first = order(container, person, 1)
    clock.pass_(seconds=1)
    second = order(container, person, 1)
    container.queue.notified.reverse()
    turn(container, clock)
    turn(container, clock)
    assert [context.order_seed for context in container.engine.contexts] == [*first, *second]
