"""How long a photo waits from its order's answer until a worker has claimed it, with the wake-up and without.

Usage: python -m bench.first_claim
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import select

from app.application import create_app
from app.container import Container
from app.domain.events import EventName
from app.domain.lifecycle import UNSETTLED
from app.models import Event, Job
from app.services.accounts import accounts
from bench.customers import Customer
from bench.serving import EMAIL, Place, whole_service
from bench.tables import say_where, show, spread
from tests import scenes
from tests.conftest import Api
from tests.fakes import FakeQueue

ORDERS = 30
LOST_ORDERS = 12
SWEEP_SECONDS = 5.0
END_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Wait:
    """Milliseconds until the first claim: from the job's creation, and from the order's answer."""

    from_creation: float
    from_answer: float


@contextmanager
def looking_at(here: Place) -> Iterator[Container]:
    """The service's own database, seen from this process."""
    settings = here.settings.model_copy(update={"base_url": "http://localhost"})
    container = Container(settings)
    container.queue = FakeQueue()  # an order placed from this process notifies nobody
    try:
        yield container
    finally:
        container.database.engine.dispose()


def measured(container: Container, order: Callable[[], str]) -> Wait:
    """Place one order, see its job through to the end, and tell how long its photo waited."""
    job_id = order()
    answered_at = datetime.now(UTC)
    wait_until_done(container, job_id)
    claims = select(Event.created_at).where(Event.job_id == job_id, Event.name == EventName.JOB_PROCESSING)
    with container.database.read_session() as session:
        claimed_at = session.scalars(claims).one()
        created_at = session.get_one(Job, job_id).created_at
    return Wait(*(1000 * (claimed_at - start).total_seconds() for start in (created_at, answered_at)))


def wait_until_done(container: Container, job_id: str) -> None:
    """Return once the job needs no worker any more, so that the next order finds all of them idle."""
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        with container.database.read_session() as session:
            if session.scalar(select(Job.status).where(Job.id == job_id)) not in UNSETTLED:
                return
        time.sleep(0.05)
    raise TimeoutError(f"{job_id} did not end")


def without_wake_up(container: Container, secret: str, photo: bytes) -> Iterator[Wait]:
    """The same with every wake-up lost; the orders come at every moment between two sweeps."""
    with container.database.read_session() as session:
        account_id = accounts.find(session, EMAIL).organization_id
    api = Api(create_app(container=container).test_client(), account_id, secret)
    for number in range(LOST_ORDERS):
        time.sleep(SWEEP_SECONDS * (number + 0.5) / LOST_ORDERS)
        yield measured(container, lambda: str(api.order([photo])["jobId"]))


def row(name: str, milliseconds: list[float]) -> tuple[str, ...]:
    """Median, 90th percentile and maximum as a line of the table."""
    return (f"{name} ({len(milliseconds)} orders)", *(f"{value:.0f}" for value in spread(milliseconds)))


def main() -> None:
    """Both series in a table."""
    say_where()
    photo = scenes.encoded(scenes.room(480, 320))
    with whole_service() as (here, secret), looking_at(here) as container:
        customer = Customer(here.url, secret)
        measured(container, lambda: customer.order(photo))  # the first order of all loads and compiles
        woken = [measured(container, lambda: customer.order(photo)) for _ in range(ORDERS)]
        lost = list(without_wake_up(container, secret, photo))
    rows = [
        row("from the job's creation", [wait.from_creation for wait in woken]),
        row("from the order's answer", [wait.from_answer for wait in woken]),
        row("wake-up lost: from the job's creation", [wait.from_creation for wait in lost]),
    ]
    show("Milliseconds to the first claim", ("", "median", "p90", "max"), rows)


if __name__ == "__main__":
    main()
