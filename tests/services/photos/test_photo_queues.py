"""Photos that take long wait by themselves: each kind has its queue, its turns and its wake-ups."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from app.container import Container
from app.domain.attempts import PHOTOS
from app.domain.ports import QueueName
from app.models import Photo
from app.services.accounts import accounts
from app.services.photos import photos
from app.services.staff import queue as staff_queue
from app.services.staff.actions import StaffActions
from app.services.staff.queue import Due
from engine.types.enhancements import WorkSize
from tests.conftest import PHOTO, Api, photo_worker
from tests.fakes import FakeClock

STAGED = [{"photoType": "interior", "photoIndex": 1, "enhancements": ["virtual_staging"]}]


def order(api: Api, rooms: int, light: int) -> tuple[list[str], list[str]]:
    """One order; the ids of its photos: of rooms to furnish, and of others."""
    configs = [{**STAGED[0], "photoIndex": index} for index in range(rooms)]
    assets = api.order(interior=[PHOTO] * (rooms + light), photoConfigs=configs)["assets"]
    ids = [each["id"] for each in assets]
    return ids[:rooms], ids[rooms:]


def next_due(container: Container, work_size: WorkSize) -> str | None:
    with container.database.read_session() as session:
        return photos.next_due(session, container.clock(), work_size)


def rung(container: Container) -> tuple[list[str], list[str]]:
    """What workers were told of, for rooms and for other photos; nobody is told of it again."""
    told = [container.queue.queues[each] for each in (QueueName.ROOMS, QueueName.PHOTOS)]
    rooms, light = ([*each] for each in told)
    for each in told:
        each.clear()
    return rooms, light


def test_each_photo_of_an_order_is_told_to_the_queue_of_its_cost(api: Api, container: Container) -> None:
    placed = order(api, rooms=2, light=3)
    assert rung(container) == placed
    container.sweep.notify_due_photos()
    # Of photos that are due since the same moment none is before the others.
    assert tuple(map(sorted, rung(container))) == tuple(map(sorted, placed))


def test_a_wake_up_is_answered_by_a_photo_of_its_cost(api: Api, container: Container) -> None:
    (room,), (light,) = order(api, rooms=1, light=1)
    assert (next_due(container, WorkSize.HEAVY), next_due(container, WorkSize.LIGHT)) == (room, light)
    # Whichever photo it names.
    photo_worker(container).answer(room, WorkSize.LIGHT)
    assert (next_due(container, WorkSize.HEAVY), next_due(container, WorkSize.LIGHT)) == (room, None)
    photo_worker(container).answer(light, WorkSize.HEAVY)
    assert next_due(container, WorkSize.HEAVY) is None


def test_turns_of_one_kind_take_none_of_the_other(
    api: Api, other_api: Api, container: Container, clock: FakeClock
) -> None:
    mine, my_others = order(api, rooms=2, light=2)
    theirs, _ = order(other_api, rooms=2, light=0)
    taken = []
    for _ in range(2):
        # Were turns counted together, who has both would wait for its rooms until the others have none.
        photo_worker(container).answer(my_others[0], WorkSize.LIGHT)
        clock.pass_(seconds=1)
        taken.append(next_due(container, WorkSize.HEAVY))
        photo_worker(container).answer(mine[0], WorkSize.HEAVY)
        clock.pass_(seconds=1)
    assert {each in mine for each in taken} == {True, False}
    assert {each in theirs for each in taken} == {True, False}


def test_staff_put_each_photo_back_into_its_own_queue(api: Api, container: Container, clock: FakeClock) -> None:
    (dead, waiting), (light,) = order(api, rooms=2, light=1)
    with container.database.unit_of_work() as session:
        photos.claim(session, dead, clock())
    clock.now += PHOTOS.lease + timedelta(seconds=1)
    rung(container)
    with container.database.unit_of_work() as session:
        job_id = session.get_one(Photo, light).job_id
        staff_id = accounts.create(session, "rae@example.com", clock(), staff=True).user_id
        StaffActions(session, staff_id, clock()).requeue(job_id)
    rooms, others = rung(container)
    assert (sorted(rooms), others) == (sorted([dead, waiting]), [light])


@pytest.mark.parametrize("work_size", WorkSize)
def test_what_is_due_is_told_by_queue(
    api: Api, container: Container, clock: FakeClock, work_size: WorkSize
) -> None:
    order(api, rooms=2, light=3)
    with container.database.unit_of_work() as session:
        earlier = clock() - timedelta(minutes=5)
        session.execute(update(Photo).where(Photo.work_size == work_size).values(next_attempt_at=earlier))
    with container.database.read_session() as session:
        queues = staff_queue.health(session, clock()).queues
    since = {each: earlier if each is work_size else clock() for each in WorkSize}
    assert queues[QueueName.ROOMS] == Due(2, since[WorkSize.HEAVY])
    assert queues[QueueName.PHOTOS] == Due(3, since[WorkSize.LIGHT])
