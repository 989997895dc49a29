"""Webhooks in every condition, with deliveries in every state, and the log of the last hours."""

from dataclasses import dataclass
from datetime import timedelta
from itertools import cycle

from app.container import Container
from app.domain import events
from app.domain.events import EventName
from app.domain.lifecycle import Status
from app.domain.sending import AttemptOutcome, DeliveryResult
from app.domain.webhooks import WebhookRequest
from app.models import Event, Webhook
from app.services.webhooks import deliveries, webhooks
from tests.browser.world import Who, World
from tests.fakes import FakeClock, FakeQueue
from tests.services.hooks import FakeTransport, answered, deliver_all, sweep

AGO = timedelta(hours=7)
BETWEEN_SECONDS = (35, 140, 700, 4000)
"""So long after an attempt the next one is due, at the latest."""
PHASES = {"resolve": 0.004, "connect": 0.021, "tls": 0.043, "answer": 0.318}
ADDRESS = "93.184.216.34"
GOOD = answered(204, headers={"Server": "nginx", "Connection": "close"}, address=ADDRESS, phases=PHASES)
BAD = answered(
    500,
    headers={"Server": "nginx", "Content-Type": "text/html; charset=utf-8"},
    body=b"<html>\n<head><title>500 Internal Server Error</title></head>\n<body>Traceback ...</body>\n</html>\n",
    address=ADDRESS,
    phases=PHASES,
)
LATE = DeliveryResult(
    AttemptOutcome.TIMEOUT, "No answer within 10 seconds.", address=ADDRESS, phases={**PHASES, "answer": 9.932}
)


@dataclass
class Past:
    """The service some hours ago, over the tables of the world: its time passes and the world's does not."""

    world: World
    here: Container
    jobs: list[str]
    account_id: str

    def register(self, name: str, *names: str) -> str:
        """A webhook; the world's links know it by its name."""
        wanted = WebhookRequest(url=f"https://{name}.example/brightlist/events", events=list(names))
        with self.here.database.unit_of_work() as session:
            webhook, _ = webhooks.create(session, self.here.vault, self.account_id, wanted, self.here.clock())
        self.world.links[f"webhook {name}"] = f"/webhooks/{webhook.id}"
        self.here.clock.pass_(seconds=7)
        return webhook.id

    def happen(self, hook: str, event: EventName, *results: DeliveryResult, name: str = "") -> None:
        """One event for the webhook, whose attempts are answered like this."""
        self.here.transport.results = [*results, GOOD]
        with self.here.database.unit_of_work() as session:
            webhook, job_id = session.get_one(Webhook, hook), self.jobs[0]
            facts = events.sample_facts(self.account_id, Status.PENDING)
            body = events.encode(events.payload(event, facts, self.here.clock()))
            told = Event(
                account_id=self.account_id, job_id=job_id, name=event, body=body, created_at=self.here.clock()
            )
            session.add(told)
            session.flush()
            made = deliveries.post(session, told, webhook, self.here.clock())
            self.world.links[f"delivery {name}"] = f"/webhooks/deliveries/{made.id}"
        for number, _ in enumerate(results):
            if number:
                self.here.clock.pass_(seconds=BETWEEN_SECONDS[number - 1])
                sweep(self.here)
            deliver_all(self.here)
        self.here.clock.pass_(seconds=11)


def seed(world: World) -> None:
    """What there is to see."""
    now, clock = world.clock(), FakeClock()
    clock.now = now - AGO
    here = Container(world.container.settings, clock)
    here.queue, here.transport = FakeQueue(), (transport := FakeTransport())
    transport.meanwhile = lambda _: clock.pass_(seconds=sum(transport.results[0].phases.values()))
    past = Past(world, here, [world.jobs["approved"]], world.people[Who.CUSTOMER].account_id)
    try:
        _failing(past)
        agency = _usual(past)
        _off(past)
        past.register("fresh", EventName.JOB_APPROVED, EventName.JOB_FAILED)
        clock.now = now
        _just_now(past, agency)
    finally:
        here.database.engine.dispose()


def _failing(past: Past) -> None:
    hook = past.register("failing")
    for answer in (BAD, LATE, LATE):
        past.happen(hook, EventName.JOB_CREATED, *[answer] * 5)


def _usual(past: Past) -> str:
    hook = past.register("agency")
    past.happen(hook, EventName.JOB_DELIVERED, BAD, LATE, BAD, LATE, BAD, name="failed")
    names = [each for each in EventName if each is not EventName.WEBHOOK_TEST]
    for _, name in zip(range(27), cycle(names), strict=False):
        past.happen(hook, name, GOOD, name="good")
    return hook


def _off(past: Past) -> None:
    off, held = past.register("off"), past.register("held")
    for hook in (off, held):
        with past.here.database.unit_of_work() as session:
            webhooks.switch_off(session, past.account_id, hook)
        past.happen(hook, EventName.JOB_CREATED, name="held")
    with past.here.database.unit_of_work() as session:
        webhooks.switch_on(session, past.account_id, held, past.here.clock())


def _just_now(past: Past, hook: str) -> None:
    past.happen(hook, EventName.JOB_PROCESSING, LATE, name="retried")
    with past.here.database.unit_of_work() as session:
        webhooks.rotate(session, past.here.vault, past.account_id, hook, past.here.clock())
        made = webhooks.send_test(session, past.account_id, hook, past.here.clock())
        past.world.links["delivery waiting"] = f"/webhooks/deliveries/{made.id}"
