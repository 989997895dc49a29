"""What staff change: once however many press at once, and never what somebody else is about to settle."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from decimal import Decimal

import pytest

from app.container import Container
from app.domain.attempts import PHOTOS
from app.domain.errors import Conflict, NotFound
from app.domain.lifecycle import WorkState
from app.domain.staff import StaffAction
from app.models import Job
from app.services.accounts import accounts
from app.services.photos import photos
from app.services.security import staff_acts
from app.services.staff.actions import StaffActions
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.services.hooks import FakeTransport, all_deliveries, answered, fail_for_good, register

TOKEN = "one-form-pressed-twice"


@pytest.fixture
def staff(container: Container) -> list[str]:
    """Two members of staff."""
    with container.database.unit_of_work() as session:
        made = [
            accounts.create(session, f"{name}@example.com", container.clock(), staff=True)
            for name in ("rae", "sam")
        ]
    return [each.user_id for each in made]


def at_once(container: Container, staff: list[str], act: Callable[[StaffActions], object]) -> list[object]:
    """What came of the act, done by all of them at the same moment: its result or its refusal."""

    def do(staff_id: str) -> object:
        try:
            with container.database.unit_of_work() as session:
                return act(StaffActions(session, staff_id, container.clock()))
        except Conflict as refused:
            return refused.message

    with ThreadPoolExecutor(len(staff)) as pool:
        return list(pool.map(do, staff))


def actions_of(container: Container) -> list[StaffAction]:
    with container.database.read_session() as session:
        return [line.act.action for line in staff_acts.paginate(session, staff_acts.ActFilter()).rows]


def test_a_form_that_is_sent_twice_at_once_moves_credits_once(
    api: Api, container: Container, staff: list[str]
) -> None:
    came = at_once(container, staff * 2, lambda actions: actions.grant(api.account_id, Decimal(5), "Sorry", TOKEN))
    assert len([each for each in came if each]) == 1
    assert api.credits() == 105
    assert actions_of(container) == [StaffAction.GRANT]


def test_the_same_form_is_another_one_for_another_account(
    api: Api, other_api: Api, container: Container, staff: list[str]
) -> None:
    for each in (api, other_api):
        at_once(
            container, staff, lambda actions, each=each: actions.grant(each.account_id, Decimal(1), "Sorry", TOKEN)
        )
    assert (api.credits(), other_api.credits()) == (101, 101)


def test_of_two_who_fail_a_job_at_once_one_does_and_the_other_is_told(
    api: Api, container: Container, staff: list[str]
) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    came = at_once(container, staff, lambda actions: actions.fail_job(job_id, "Nobody can work on these."))
    assert sorted(isinstance(each, str) for each in came) == [False, True]
    assert api.credits() == 100
    assert actions_of(container) == [StaffAction.FAIL_JOB]


def test_of_two_who_suspend_at_once_one_does_and_the_other_reads_why(
    api: Api, container: Container, staff: list[str]
) -> None:
    came = at_once(container, staff, lambda actions: actions.suspend(api.account_id, "Chargebacks"))
    assert [each for each in came if isinstance(each, str)] == ["The account is suspended already: Chargebacks"]
    assert api.get("/user/credits").status_code == 403


def test_a_requeue_takes_what_a_dead_worker_left_and_leaves_what_a_living_one_holds(
    api: Api, container: Container, clock: FakeClock, staff: list[str]
) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    with container.database.unit_of_work() as session:
        dead, alive = [each.id for each in session.get_one(Job, job_id).photos]
        photos.claim(session, dead, clock())
    clock.pass_(seconds=PHOTOS.lease.total_seconds() + 1)
    with container.database.unit_of_work() as session:
        held = photos.claim(session, alive, clock())
    container.queue.notified.clear()
    (done, *_) = at_once(container, staff[:1], lambda actions: actions.requeue(job_id))
    assert done.detail == "0 waiting, 1 left by a worker that died."
    assert container.queue.notified == [dead]
    with container.database.unit_of_work() as session:
        assert photos.QUEUE.renew(session, held, clock()), "its worker goes on"
    work(container)
    with container.database.read_session() as session:
        states = {each.id: each.state for each in session.get_one(Job, job_id).photos}
    assert states == {dead: WorkState.DONE, alive: WorkState.WORKING}
    (told,) = at_once(container, staff[:1], lambda actions: actions.requeue(job_id))
    assert told == "Nothing to put back: each photo is done, or a worker is at it."
    clock.now += timedelta(minutes=1)
    assert work(container) == 1


def test_nothing_goes_to_a_webhook_that_is_deleted_or_off(
    api: Api, container: Container, clock: FakeClock, staff: list[str]
) -> None:
    container.transport = FakeTransport([answered(500)])
    webhook_id, _ = register(container, api.account_id, "job.created")
    fail_for_good(api, container, clock)
    (delivery,) = all_deliveries(container)
    with container.database.unit_of_work() as session:
        webhooks.switch_off(session, api.account_id, webhook_id)
    (told,) = at_once(container, staff[:1], lambda actions: actions.redeliver(delivery.id))
    assert told == "The webhook is off; turn it on first."
    with container.database.unit_of_work() as session:
        webhooks.delete(session, api.account_id, webhook_id, clock())
    with pytest.raises(NotFound):
        at_once(container, staff[:1], lambda actions: actions.redeliver(delivery.id))
    assert actions_of(container) == []
