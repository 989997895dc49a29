"""What tests of webhooks share: a receiver that answers as told, and the senders' work done here and now."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import select

from app.container import Container
from app.domain.ports import Lane
from app.domain.sending import AddressNotAllowedError, Outcome, Parcel, Receipt
from app.domain.webhooks import WebhookRequest
from app.models import Attempt, Delivery, Webhook
from app.services.webhooks import webhooks
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock

URL = "https://agency.example/hooks"
LANES = (Lane.HOOKS_FAST, Lane.HOOKS_SLOW)


def answered(status: int, **more: object) -> Receipt:
    """What a receiver that answers gives."""
    outcome = Outcome.SUCCEEDED if 200 <= status < 300 else Outcome.REJECTED
    return Receipt(outcome, f"Answered {status}.", status=status, **more)


TIMEOUT = Receipt(Outcome.TIMEOUT, "No answer within 10 seconds.")


@dataclass
class FakeTransport:
    """Keeps what is sent and answers with the next receipt, or the last for ever."""

    receipts: list[Receipt] = field(default_factory=lambda: [answered(200)])
    sent: list[Parcel] = field(default_factory=list)
    meanwhile: Callable[[Parcel], None] = lambda parcel: None

    def vet(self, url: str) -> None:
        if "private" in url:
            raise AddressNotAllowedError("The address is not allowed.")

    def send(self, parcel: Parcel) -> Receipt:
        self.sent.append(parcel)
        self.meanwhile(parcel)
        return self.receipts.pop(0) if len(self.receipts) > 1 else self.receipts[0]


def register(container: Container, account_id: str, *events: str, url: str = URL) -> tuple[str, str]:
    """A webhook of the account; its id and secret."""
    wanted = WebhookRequest(url=url, events=list(events))
    with container.database.unit_of_work() as session:
        webhook, secret = webhooks.create(session, container.vault, account_id, wanted, container.clock())
        return webhook.id, secret


def ring(container: Container) -> int:
    """Answer every ring of the webhook lanes as their workers would; how many there were."""
    rung = 0
    while any(container.queue.lanes[lane] for lane in LANES):
        for lane in LANES:
            ids, container.queue.lanes[lane] = container.queue.lanes[lane], []
            for delivery_id in ids:
                container.dispatch.deliver(delivery_id, lane)
                rung += 1
    return rung


def sweep(container: Container) -> int:
    """Let the sweep find what is due and answer its rings."""
    container.sweep.ring_due_deliveries()
    return ring(container)


def webhook(container: Container, webhook_id: str) -> Webhook:
    with container.database.reading() as session:
        return session.get_one(Webhook, webhook_id)


def all_deliveries(container: Container) -> list[Delivery]:
    with container.database.reading() as session:
        return list(session.scalars(select(Delivery).order_by(Delivery.number)))


def all_attempts(container: Container) -> list[Attempt]:
    with container.database.reading() as session:
        return list(session.scalars(select(Attempt).order_by(Attempt.id)))


def fail_for_good(api: Api, container: Container, clock: FakeClock, times: int = 1) -> None:
    for _ in range(times):
        api.order(interior=[PHOTO])
    ring(container)
    for _ in range(5):
        clock.pass_(seconds=4000)
        # A webhook's attempts are few at a time: each sweep makes some, until there is none left to make.
        for _ in range(times):
            if not sweep(container):
                break
