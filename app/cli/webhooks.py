"""The operator's commands for customers' webhooks: everything that their owners can do on the portal."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click
from sqlalchemy import select
from sqlalchemy.orm import Session

from app.cli.database import container
from app.cli.groups import CommandGroup
from app.domain.api_types import iso
from app.domain.errors import NotFound
from app.domain.events import EventName
from app.domain.sending import AddressNotAllowedError, DeliveryState
from app.domain.webhooks import read_webhook_change
from app.models import Attempt, Delivery, Webhook
from app.services.accounts import accounts
from app.services.webhooks import delivery_log, webhooks
from app.services.webhooks import health as webhook_health
from app.services.webhooks.delivery_log import DeliveryFilter

MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"])


webhooks_group = CommandGroup("webhooks", help="Customers' webhooks and their deliveries.")


@contextmanager
def _owner_of(some_id: str) -> Iterator[tuple[Session, str]]:
    """A unit of work, and the id of the account that owns the webhook or delivery `some_id`. Raises NotFound."""
    with container().database.unit_of_work() as session:
        delivery = session.scalar(select(Delivery).where(Delivery.id == some_id))
        webhook = delivery.webhook if delivery else session.get(Webhook, some_id)
        if webhook is None:
            raise NotFound(f"There is no {some_id}.")
        yield session, webhook.account_id


@webhooks_group.command("list")
@click.argument("email")
def list_webhooks(email: str) -> None:
    """Print an account's webhooks and their health."""
    with container().database.read_session() as session:
        for webhook in webhooks.get_all(session, accounts.find(session, email).organization_id):
            health = webhook_health.figures(session, webhook, container().clock())
            state = "on" if webhook.active else f"off ({webhook.off_reason})"
            click.echo(f"{webhook.id} {state} {webhook.url} {','.join(webhook.events) or 'the usual events'}")
            waiting, held, failed = map(webhook_health.format_count, (health.waiting, health.held, health.failed))
            counts = f"{waiting} waiting, {held} held, {failed} failed"
            click.echo(f"  last 24 h: {health.succeeded} of {health.attempts} attempts succeeded; {counts}")


@webhooks_group.command("log")
@click.argument("webhook_id")
@click.option("--state", type=click.Choice([each.value for each in DeliveryState]))
@click.option("--event", type=click.Choice([each.value for each in EventName]))
@click.option("--job")
@click.option("--since", type=MOMENT, help="UTC")
@click.option("--after", help="The last delivery of the page before.")
def show_log(
    webhook_id: str,
    state: str | None,
    event: str | None,
    job: str | None,
    since: datetime | None,
    after: str | None,
) -> None:
    """Print a page of a webhook's deliveries, newest first."""
    wanted = DeliveryFilter(
        DeliveryState(state) if state else None, event, job, since.replace(tzinfo=UTC) if since else None
    )
    with _owner_of(webhook_id) as (session, account_id):
        page = delivery_log.paginate(session, account_id, webhook_id, wanted, after=after)
        for delivery in page.rows:
            click.echo(_line(delivery))
    if page.next:
        click.echo(f"older ones: --after {page.next}")


@webhooks_group.command("show")
@click.argument("delivery_id")
def show_delivery(delivery_id: str) -> None:
    """Print one delivery with its body and all attempts."""
    with _owner_of(delivery_id) as (session, account_id):
        delivery = delivery_log.show(session, account_id, delivery_id)
        click.echo(f"{_line(delivery)}\n{delivery.event.body}")
        for attempt in delivery.attempts:
            click.echo(_attempt(attempt))


def _line(delivery: Delivery) -> str:
    again = f", next {iso(delivery.next_attempt_at)}" if delivery.next_attempt_at else ""
    tries = f"{delivery.attempts_made} attempts{again}"
    return f"{delivery.id} {iso(delivery.created_at)} {delivery.event_name} {delivery.state}: {tries}"


def _attempt(attempt: Attempt) -> str:
    phases = ", ".join(f"{name} {1000 * seconds:.0f} ms" for name, seconds in attempt.phases.items())
    body = attempt.response_body[:200].decode(errors="replace")
    answer = f"{attempt.response_status} {body!r}" if attempt.response_status else "no answer"
    return f"  {attempt.number} {iso(attempt.started_at)} {attempt.outcome} {attempt.message} {answer} [{phases}]"


@webhooks_group.command("redeliver")
@click.argument("delivery_id")
def redeliver(delivery_id: str) -> None:
    """Send one delivery again."""
    with _owner_of(delivery_id) as (session, account_id):
        delivery_log.redeliver(session, account_id, delivery_id, container().clock())
    click.echo("It is on its way.")


@webhooks_group.command("redeliver-failed")
@click.argument("webhook_id")
@click.option("--since", type=MOMENT, required=True, help="UTC")
@click.option("--yes", is_flag=True, help="Do not ask.")
def redeliver_failed(webhook_id: str, since: datetime, yes: bool) -> None:
    """Send all deliveries again that failed since then; first prints how many there are, and asks."""
    moment = since.replace(tzinfo=UTC)
    with _owner_of(webhook_id) as (session, account_id):
        found = delivery_log.count_failed(session, account_id, webhook_id, moment)
    click.echo(f"{found} deliveries failed since {iso(moment)}.")
    if not found or not (yes or click.confirm("Send them once more?")):
        return
    with _owner_of(webhook_id) as (session, account_id):
        sent = delivery_log.redeliver_failed(session, account_id, webhook_id, moment, container().clock())
    click.echo(f"{sent} are on their way.")


@webhooks_group.command("off")
@click.argument("webhook_id")
def switch_off(webhook_id: str) -> None:
    """Switch a webhook off: its deliveries are held, until `webhooks on --release` sends them."""
    with _owner_of(webhook_id) as (session, account_id):
        webhooks.switch_off(session, account_id, webhook_id)


@webhooks_group.command("on")
@click.argument("webhook_id")
@click.option("--release", is_flag=True, help="Send what was held, too.")
def switch_on(webhook_id: str, release: bool) -> None:
    """Switch a webhook on."""
    with _owner_of(webhook_id) as (session, account_id):
        webhooks.switch_on(session, account_id, webhook_id, container().clock())
        if release:
            held = delivery_log.release_held(session, account_id, webhook_id, container().clock())
            click.echo(f"{held} held deliveries are on their way.")


@webhooks_group.command("test")
@click.argument("webhook_id")
def send_test(webhook_id: str) -> None:
    """Send a test event and print the id of its delivery."""
    with _owner_of(webhook_id) as (session, account_id):
        click.echo(webhooks.send_test(session, account_id, webhook_id, container().clock()).id)


@webhooks_group.command("edit")
@click.argument("webhook_id")
@click.option("--url", required=True)
@click.option("--event", "events", multiple=True, help="None: the usual ones.")
def edit(webhook_id: str, url: str, events: tuple[str, ...]) -> None:
    """Give a webhook another URL and other events."""
    wanted = read_webhook_change({"url": url, "events": list(events)})
    try:
        container().transport.vet(url)
    except AddressNotAllowedError as error:
        raise click.ClickException(str(error)) from None
    with _owner_of(webhook_id) as (session, account_id):
        webhooks.edit(session, account_id, webhook_id, wanted, container().clock())


@webhooks_group.command("rotate")
@click.argument("webhook_id")
@click.option("--switch", is_flag=True, help="Let the new secret that waits replace the old one now.")
@click.option("--replace-pending", is_flag=True, help="Even if a new secret waits: it is lost.")
def rotate(webhook_id: str, switch: bool, replace_pending: bool) -> None:
    """Make a new secret and print only that to stdout; it replaces the old one after 24 hours, or by --switch."""
    with _owner_of(webhook_id) as (session, account_id):
        if switch:
            webhooks.switch_secret(session, account_id, webhook_id, container().clock())
        else:
            here = container()
            _, secret = webhooks.rotate(
                session, here.vault, account_id, webhook_id, here.clock(), replace_pending=replace_pending
            )
            click.echo(secret)
