"""A person with a webhook: what tests of its pages share."""

from bs4 import Tag
from webtest import TestResponse

from app.container import Container
from app.models import Event
from app.services.webhooks import deliveries, webhooks
from tests.portal.person import Person
from tests.services.hooks import URL, FakeTransport, deliver_all, register

NOBODYS_WEBHOOK, NOBODYS_DELIVERY = "whk_" + "0" * 22, "dlv_" + "0" * 22


def text(element: Tag) -> str:
    """What it says, white space made plain."""
    return " ".join(element.get_text(" ").split())


def main(page: TestResponse) -> str:
    """What the page says between header and footer."""
    return text(page.html.main)


def add(person: Person, url: str = URL, *events: str, status: int = 200) -> TestResponse:
    """Fill in the form for a new webhook; events are all unless some are told."""
    form = person.open("/webhooks/new").forms["webhook-form"]
    form["url"] = url
    if events:
        for box in form.fields["events"]:
            box.checked = box._value in events
    return person.send(form, status=status)


def hook_of(person: Person, container: Container, *events: str, url: str = URL) -> str:
    """A webhook of theirs."""
    return register(container, person.account_id, *events, url=url)[0]


def happen(container: Container, webhook_id: str, count: int = 1, body: str = '{"event":"x"}') -> list[str]:
    """So many events of no job for the webhook, sent as far as they go; their deliveries."""
    with container.database.unit_of_work() as session:
        webhook = session.get_one(webhooks.Webhook, webhook_id)
        made = []
        for _ in range(count):
            event = Event(
                account_id=webhook.account_id, name="job.created", body=body, created_at=container.clock()
            )
            session.add(event)
            session.flush()
            made.append(deliveries.post(session, event, webhook, container.clock()).id)
    deliver_all(container)
    return made


def faking(container: Container, *results: object) -> FakeTransport:
    """A receiver that answers like this, the last one for ever."""
    container.transport = FakeTransport(list(results)) if results else FakeTransport()
    return container.transport
