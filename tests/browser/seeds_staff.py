"""What staff look at besides reviews: accounts somebody dealt with, a worker that died, signs of life."""

from datetime import timedelta
from decimal import Decimal

from app.domain.lifecycle import WorkState
from app.domain.ports import QueueName, WorkerSign
from app.models import Job
from app.services.accounts import accounts
from app.services.staff.actions import StaffActions
from tests.browser.world import Who, World
from tests.fakes import FakeQueue

FLO, MAX = "flo@example.com", "max@example.com"
LONG_NAME = "Maximiliana-Konstantinopolitanskaja <b>Malice</b> & Daughters Real Estate of Greater Springfield"


def seed(world: World) -> None:
    """Acts at the desk, a photo left by a worker that died, and workers of every queue."""
    now, rae = world.clock(), world.people[Who.STAFF].account_id
    with world.container.database.unit_of_work() as session:
        flo = accounts.create(session, FLO, now, name="Flo Flagged")
        villain = accounts.create(session, MAX, now, name=LONG_NAME)
        desk = StaffActions(session, rae, now)
        desk.grant(
            world.people[Who.CUSTOMER].account_id, Decimal("12.5"), "For the delay on Friday", "seeded-token-1"
        )
        desk.flag(flo.organization_id, "Owes 3.5 credits of a refunded purchase that were spent before.")
        desk.suspend(villain.organization_id, "Three chargebacks in a week; see the bank's letters.")
        waiting = [each for each in session.get_one(Job, world.jobs["processing"]).photos if each.result is None]
        waiting[-1].state, waiting[-1].lease_until = WorkState.WORKING, now - timedelta(minutes=1)
        waiting[-1].claim_id, waiting[-1].attempts = "dead", 1
    for name, account_id in (
        ("flagged", flo.organization_id),
        ("suspended", villain.organization_id),
        ("own", rae),
    ):
        world.links[f"staff account {name}"] = f"/staff/accounts/{account_id}"
    world.links["staff account"] = f"/staff/accounts/{world.people[Who.CUSTOMER].account_id}"
    for kind in ("failed", "held", "good"):
        world.links[f"staff delivery {kind}"] = world.links[f"delivery {kind}"].replace("/webhooks/", "/staff/")
    world.links["staff purchase amiss"] = world.links["purchase amiss"].replace(
        "/credits/purchases", "/staff/payments"
    )
    _workers(world)


def _workers(world: World) -> None:
    assert isinstance(world.container.queue, FakeQueue)
    ago = {queue_name: timedelta(seconds=3 + 2 * place) for place, queue_name in enumerate(QueueName)}
    present = [
        WorkerSign(
            f"app-1, process {2100 + place}",
            (queue_name,),
            world.clock() - ago[queue_name],
            queue_name is QueueName.PHOTOS,
        )
        for place, queue_name in enumerate(QueueName)
    ]
    killed = WorkerSign(
        "app-2, process 1877",
        (QueueName.PHOTOS, QueueName.ROOMS),
        world.clock() - timedelta(seconds=80),
        busy=False,
    )
    world.container.queue.present = [*present, killed]
