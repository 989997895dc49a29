"""Reads what the pages of webhooks and deliveries show, always in a few queries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, func, select, union_all
from sqlalchemy.orm import Session, load_only

from app.domain.sending import UNSETTLED, AttemptOutcome
from app.models import Attempt, Delivery, Job, Webhook
from app.services.pagination import Page
from app.services.webhooks import delivery_log, signing_secrets, webhooks
from app.services.webhooks import health as webhook_health
from app.services.webhooks.delivery_log import DeliveryFilter
from app.services.webhooks.health import WebhookHealth, WebhookState

PAGE = 25
MAX_ATTEMPTS = 50
"""Most attempts listed of one delivery; only a delivery that was sent again by hand has more than five."""
_WITHOUT_BODIES = load_only(
    Attempt.delivery_number,
    Attempt.number,
    Attempt.by_hand,
    Attempt.outcome,
    Attempt.message,
    Attempt.started_at,
    Attempt.ended_at,
    Attempt.response_status,
    Attempt.address,
    Attempt.phases,
)
"""The columns of an attempt without the headers of the request and the headers and body of the response."""


@dataclass(frozen=True, slots=True)
class DeliveryEntry:
    """One delivery with its last attempt, None before the first."""

    delivery: Delivery
    attempt: Attempt | None

    @property
    def is_unsettled(self) -> bool:
        """Whether the delivery will still change by itself, so that the page should reload."""
        return self.delivery.state in UNSETTLED


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """One webhook in the list; `last`: its newest delivery, None before the first."""

    webhook: Webhook
    condition: WebhookState
    last: DeliveryEntry | None


@dataclass(frozen=True, slots=True)
class WebhookDetails:
    """One webhook with its state and figures; `rotation_until`: when its next secret replaces the current one."""

    webhook: Webhook
    condition: WebhookState
    health: WebhookHealth
    rotation_until: datetime | None


@dataclass(frozen=True, slots=True)
class DeliveryLogPage:
    """A page of a webhook's log, newest first; `next` asks for the older ones, None at the end."""

    webhook: Webhook
    entries: Sequence[DeliveryEntry]
    next: str | None
    addresses: Mapping[str, str]
    """The properties' addresses of the orders that the deliveries are about, by job id."""

    @property
    def is_unsettled(self) -> bool:
        """Whether a delivery on the page will still change by itself, so that the page should reload."""
        return any(entry.is_unsettled for entry in self.entries)


@dataclass(frozen=True, slots=True)
class DeliveryDetails:
    """One delivery with its newest attempts, the latest first; `shown` is the selected attempt, with its bodies."""

    delivery: Delivery
    attempts: Sequence[Attempt]
    shown: Attempt | None
    order_address: str
    """The property's address of the order that the delivery is about; empty for a delivery about no order."""

    @property
    def last(self) -> Attempt | None:
        """The attempt made last."""
        return self.attempts[0] if self.attempts else None

    @property
    def is_unsettled(self) -> bool:
        """Whether the delivery will still change by itself, so that the page should reload."""
        return self.delivery.state in UNSETTLED

    @property
    def mark(self) -> str:
        """Text that differs whenever the delivery has changed."""
        return f"{self.delivery.state}-{self.delivery.attempts_made}"

    @property
    def has_ended(self) -> bool:
        """Whether the last attempt has ended, successfully or not."""
        return self.last is not None and self.last.outcome is not AttemptOutcome.STARTED


def list_webhooks(session: Session, account_id: str, now: datetime) -> list[WebhookRow]:
    """The account's webhooks, oldest first."""
    mine = webhooks.get_all(session, account_id)
    newest = {entry.delivery.webhook_id: entry for entry in _read_newest(session, mine)}
    return [WebhookRow(each, webhook_health.webhook_state(each, now), newest.get(each.id)) for each in mine]


def read_webhook(session: Session, account_id: str, webhook_id: str, now: datetime) -> WebhookDetails:
    """One webhook of the account. Raises NotFound."""
    webhook = webhooks.get(session, account_id, webhook_id)
    health = webhook_health.figures(session, webhook, now)
    return WebhookDetails(
        webhook, webhook_health.webhook_state(webhook, now), health, signing_secrets.rotation_until(webhook, now)
    )


def read_log(
    session: Session, account_id: str, webhook_id: str, delivery_filter: DeliveryFilter, after: str | None = None
) -> DeliveryLogPage:
    """PAGE deliveries of the account's webhook, older than the delivery `after`. Raises NotFound."""
    webhook = webhooks.get(session, account_id, webhook_id)
    page = delivery_log.paginate(session, account_id, webhook_id, delivery_filter, after=after, limit=PAGE)
    addresses = _read_addresses(session, account_id, page.rows)
    return DeliveryLogPage(webhook, _read_entries(session, page.rows), page.next, addresses)


def read_delivery(
    session: Session, account_id: str, delivery_id: str, attempt_number: int | None = None
) -> DeliveryDetails:
    """One delivery of the account, with the attempt of this number, or the last one. Raises NotFound."""
    delivery = delivery_log.get(session, account_id, delivery_id)
    made = delivery.attempts_made
    number = attempt_number if attempt_number is not None and 1 <= attempt_number <= made else made
    mine = select(Attempt).where(Attempt.delivery_number == delivery.number)
    listed = mine.order_by(Attempt.number.desc()).limit(MAX_ATTEMPTS).options(_WITHOUT_BODIES)
    attempts = session.scalars(listed).all()
    whole = mine.where(Attempt.number == number).execution_options(populate_existing=True)
    address = _read_addresses(session, account_id, [delivery]).get(delivery.job_id or "", "")
    return DeliveryDetails(delivery, attempts, session.scalar(whole), address)


def list_deliveries(
    session: Session, webhook: Webhook, which: DeliveryFilter, after: str | None, limit: int
) -> Page[DeliveryEntry, str]:
    """Up to `limit` deliveries to the webhook with their last attempts, see delivery_log.paginate()."""
    page = delivery_log.paginate(session, webhook.account_id, webhook.id, which, after=after, limit=limit)
    return Page(_read_entries(session, page.rows), page.next)


def read_entry(session: Session, account_id: str, delivery_id: str) -> DeliveryEntry:
    """One delivery of the account as it is now, with its last attempt. Raises NotFound."""
    (entry,) = _read_entries(session, [delivery_log.get(session, account_id, delivery_id)])
    return entry


def read_whole_delivery(session: Session, account_id: str, delivery_id: str) -> tuple[Delivery, Sequence[Attempt]]:
    """One delivery of the account with its newest attempts and their bodies, the latest first. Raises NotFound."""
    delivery = delivery_log.get(session, account_id, delivery_id)
    mine = select(Attempt).where(Attempt.delivery_number == delivery.number)
    return delivery, session.scalars(mine.order_by(Attempt.number.desc()).limit(MAX_ATTEMPTS)).all()


def _read_addresses(session: Session, account_id: str, found: Sequence[Delivery]) -> Mapping[str, str]:
    """The properties' addresses of the orders that these deliveries are about, by job id."""
    ids = {each.job_id for each in found if each.job_id}
    mine = select(Job.id, Job.address).where(Job.account_id == account_id, Job.id.in_(ids))
    return {row.id: row.address for row in session.execute(mine)}


def _read_newest(session: Session, mine: Sequence[Webhook]) -> Sequence[DeliveryEntry]:
    """The newest delivery of each of these webhooks."""
    if not mine:
        return []
    # One subquery for each webhook's id: with a join, a planner may scan the deliveries of all other webhooks.
    newest = union_all(*(select(func.max(Delivery.number)).where(Delivery.webhook_id == each.id) for each in mine))
    numbers = [number for number in session.scalars(newest) if number is not None]
    return _read_entries(session, session.scalars(select(Delivery).where(Delivery.number.in_(numbers))).all())


def _read_entries(session: Session, found: Sequence[Delivery]) -> Sequence[DeliveryEntry]:
    last = _last_attempts(session, found)
    return [DeliveryEntry(each, last.get(each.number)) for each in found]


def _last_attempts(session: Session, found: Sequence[Delivery]) -> Mapping[int, Attempt]:
    newest = and_(Delivery.number == Attempt.delivery_number, Delivery.attempts_made == Attempt.number)
    made = select(Attempt).join(Delivery, newest).where(Delivery.number.in_([each.number for each in found]))
    return {each.delivery_number: each for each in session.scalars(made.options(_WITHOUT_BODIES))}
