"""What tests of webhooks share: a receiver that answers as told, and the senders' work done here and now."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy import select

from app.container import Container
from app.domain.ports import QueueName
from app.domain.sending import AddressNotAllowedError, AttemptOutcome, DeliveryRequest, DeliveryResult
from app.domain.webhooks import WebhookRequest
from app.models import Attempt, Delivery, Webhook
from app.services.webhooks import webhooks
from tests import reading
from tests.conftest import PHOTO, Api
from tests.fakes import FakeClock

URL = "https://agency.example/hooks"
QUEUES = (QueueName.HOOKS_FAST, QueueName.HOOKS_SLOW)


def answered(status: int, **more: object) -> DeliveryResult:
    """What a receiver that answers gives."""
    outcome = AttemptOutcome.SUCCEEDED if 200 <= status < 300 else AttemptOutcome.REJECTED
    return DeliveryResult(outcome, f"Answered {status}.", status=status, **more)


TIMEOUT = DeliveryResult(AttemptOutcome.TIMEOUT, "No answer within 10 seconds.")


@dataclass
class FakeTransport:
    """Keeps what is sent and answers with the next result, or the last for ever."""

    results: list[DeliveryResult] = field(default_factory=lambda: [answered(200)])
    sent: list[DeliveryRequest] = field(default_factory=list)
    meanwhile: Callable[[DeliveryRequest], None] = lambda request: None

    def vet(self, url: str) -> None:
        if "private" in url:
            raise AddressNotAllowedError("The address is not allowed.")

    def send(self, request: DeliveryRequest) -> DeliveryResult:
        self.sent.append(request)
        self.meanwhile(request)
        return self.results.pop(0) if len(self.results) > 1 else self.results[0]


def register(container: Container, account_id: str, *events: str, url: str = URL) -> tuple[str, str]:
    """A webhook of the account; its id and secret."""
    wanted = WebhookRequest(url=url, events=list(events))
    with container.database.unit_of_work() as session:
        webhook, secret = webhooks.create(session, container.vault, account_id, wanted, container.clock())
        return webhook.id, secret


def deliver_all(container: Container) -> int:
    """Answer every wake-up of the webhook queues as their workers would; how many there were."""
    answered_ = 0
    while any(container.queue.queues[queue_name] for queue_name in QUEUES):
        for queue_name in QUEUES:
            ids, container.queue.queues[queue_name] = container.queue.queues[queue_name], []
            for delivery_id in ids:
                container.dispatch.deliver(delivery_id, queue_name)
                answered_ += 1
    return answered_


def sweep(container: Container) -> int:
    """Let the sweep find what is due and answer its wake-ups."""
    container.sweep.notify_due_deliveries()
    return deliver_all(container)


def webhook(container: Container, webhook_id: str) -> Webhook:
    return reading.one(container, Webhook, webhook_id)


def all_deliveries(container: Container) -> list[Delivery]:
    return reading.found(container, select(Delivery).order_by(Delivery.number))


def all_attempts(container: Container) -> list[Attempt]:
    return reading.found(container, select(Attempt).order_by(Attempt.id))


def fail_for_good(api: Api, container: Container, clock: FakeClock, times: int = 1) -> None:
    for _ in range(times):
        api.order(interior=[PHOTO])
    deliver_all(container)
    for _ in range(5):
        clock.pass_(seconds=4000)
        # A webhook's attempts are few at a time: each sweep makes some, until there is none left to make.
        for _ in range(times):
            if not sweep(container):
                break
