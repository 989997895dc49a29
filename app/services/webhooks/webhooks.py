"""Webhooks: registered, changed, switched off and on, given a new secret, tested, forgotten."""

import hashlib
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from app.domain import events
from app.domain.errors import Conflict, require_found
from app.domain.events import EventName
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import Status
from app.domain.security_events import SecurityEvent
from app.domain.sending import DeliveryState, Vault
from app.domain.webhooks import MAX_WEBHOOKS, ROTATION, WebhookRequest, new_secret
from app.models import Delivery, Event, Organization, Webhook
from app.services import security_log
from app.services.webhooks import deliveries
from app.services.webhooks.signing import Secrets
from engine.version import engine_version

OFF_BY_HAND = "You switched it off."


def create(
    session: Session,
    vault: Vault,
    account_id: str,
    wanted: WebhookRequest,
    now: datetime,
    *,
    form_token: str | None = None,
) -> tuple[Webhook, str | None]:
    """A new webhook and its secret, shown only now; the caller has vetted the URL.

    A form that comes twice makes one webhook: the second time it is that one, and no secret. Raises Conflict when
    the account has all it may have, and when what this form made was deleted since.
    """
    # Held against a second registration, so that two at once cannot both be the last, nor both this form's first.
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)
    if form_token is not None and (made := _made_by(session, account_id, form_token)):
        return made, None
    kept = select(func.count()).where(Webhook.account_id == account_id, Webhook.deleted_at.is_(None))
    if (session.scalar(kept) or 0) >= MAX_WEBHOOKS:
        raise Conflict(f"An account may have at most {MAX_WEBHOOKS} webhooks; delete one first.")
    secret = new_secret()
    webhook = Webhook(
        account_id=account_id,
        url=wanted.url,
        events=list(wanted.events),
        secret=vault.seal(secret),
        created_at=now,
        healthy_since=now,
        form_token=form_token,
    )
    session.add(webhook)
    session.flush()
    security_log.record_after_commit(session, SecurityEvent.WEBHOOK_MADE, account_id, webhook=webhook.id)
    return webhook, secret


def _made_by(session: Session, account_id: str, form_token: str) -> Webhook | None:
    mine = select(Webhook).where(Webhook.account_id == account_id, Webhook.form_token == form_token)
    made = session.scalar(mine)
    if made is not None and made.deleted_at is not None:
        raise Conflict("The webhook that this form made was deleted since.")
    return made


def get_all(session: Session, account_id: str) -> list[Webhook]:
    """The account's webhooks, oldest first."""
    mine = select(Webhook).where(Webhook.account_id == account_id, Webhook.deleted_at.is_(None))
    return list(session.scalars(mine.order_by(Webhook.created_at, Webhook.id)))


def get(session: Session, account_id: str, webhook_id: str, *, hold: bool = False) -> Webhook:
    """The account's webhook, held against other changes if asked to. Raises NotFound."""
    mine = select(Webhook).where(
        Webhook.id == webhook_id, Webhook.account_id == account_id, Webhook.deleted_at.is_(None)
    )
    statement = mine.with_for_update(key_share=True) if hold else mine
    fresh = statement.execution_options(populate_existing=True)
    return require_found(session.scalar(fresh) if is_id(webhook_id, Prefix.WEBHOOK) else None)


def list_events(webhook: Webhook) -> Sequence[EventName]:
    """The events it receives."""
    return [EventName(name) for name in webhook.events] or list(EventName)


def edit(session: Session, account_id: str, webhook_id: str, wanted: WebhookRequest) -> Webhook:
    """Give it another URL, which the caller has vetted, and other events. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, hold=True)
    webhook.url, webhook.events = wanted.url, list(wanted.events)
    security_log.record_after_commit(session, SecurityEvent.WEBHOOK_CHANGED, account_id, webhook=webhook_id)
    return webhook


def switch_off(session: Session, account_id: str, webhook_id: str) -> Webhook:
    """Stop sending: what is on its way and what follows is held, not lost. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, hold=True)
    deliveries.switch_off(session, webhook, OFF_BY_HAND)
    return webhook


def switch_on(session: Session, account_id: str, webhook_id: str, now: datetime) -> Webhook:
    """Send again what happens from now on; what is held waits for release(). Raises NotFound."""
    webhook = get(session, account_id, webhook_id, hold=True)
    webhook.active, webhook.off_reason = True, None
    webhook.healthy_since, webhook.failed_deliveries, webhook.warnings = now, 0, 0
    webhook.slow_until = None
    return webhook


def rotate(
    session: Session, vault: Vault, account_id: str, webhook_id: str, now: datetime, *, version: str | None = None
) -> tuple[Webhook, str]:
    """A new secret, shown only now. It signs beside the old one until switch_secret(), or for 24 hours.

    A rotation on its way is settled first when its time is over, else its secret is replaced. Raises NotFound, and
    Conflict when the secrets are no longer those of the `version` that was looked at.
    """
    webhook = get(session, account_id, webhook_id, hold=True)
    if version is not None and version != secrets_version(webhook):
        raise Conflict("The secret was changed since this page was loaded, so no other one was made.")
    _settle_rotation(webhook, now)
    secret = new_secret()
    webhook.next_secret, webhook.next_secret_from = vault.seal(secret), now + ROTATION
    security_log.record_after_commit(session, SecurityEvent.SIGNING_CHANGED, account_id, webhook=webhook_id)
    return webhook, secret


def secrets_version(webhook: Webhook) -> str:
    """Another one after every change of the secrets; it tells nothing about them."""
    return hashlib.sha256(f"{webhook.secret} {webhook.next_secret or ''}".encode()).hexdigest()


def rotation_until(webhook: Webhook, now: datetime) -> datetime | None:
    """Until when the old and the new secret both sign; None when only one does."""
    waits = webhook.next_secret is not None and webhook.next_secret_from is not None
    return webhook.next_secret_from if waits and (webhook.next_secret_from or now) > now else None


def switch_secret(session: Session, account_id: str, webhook_id: str) -> Webhook:
    """Let the new secret replace the old one at once. Raises NotFound, and Conflict when there is none."""
    webhook = get(session, account_id, webhook_id, hold=True)
    if webhook.next_secret is None:
        raise Conflict("There is no new secret; rotate first.")
    webhook.secret, webhook.next_secret, webhook.next_secret_from = webhook.next_secret, None, None
    return webhook


def _settle_rotation(webhook: Webhook, now: datetime) -> None:
    if webhook.next_secret and webhook.next_secret_from and webhook.next_secret_from <= now:
        webhook.secret, webhook.next_secret, webhook.next_secret_from = webhook.next_secret, None, None


def secrets_in_force(vault: Vault, webhook: Webhook, event_name: str, now: datetime) -> Secrets:
    """What signs an attempt now. A test event is signed with the secret to come, to try it.

    Raises SealBrokenError.
    """
    present = vault.open(webhook.secret)
    if webhook.next_secret is None or webhook.next_secret_from is None:
        return Secrets(present, (present,))
    coming = vault.open(webhook.next_secret)
    if webhook.next_secret_from <= now:
        return Secrets(coming, (coming,))
    return Secrets(coming if event_name == EventName.WEBHOOK_TEST else present, (present, coming))


def send_test(session: Session, account_id: str, webhook_id: str, now: datetime) -> Delivery:
    """Send a test event, whatever the webhook subscribed to. Raises NotFound, Conflict while it is off."""
    webhook = get(session, account_id, webhook_id)
    if not webhook.active:
        raise Conflict("The webhook is off; turn it on first.")
    facts = events.sample_facts(account_id, Status.PENDING, engine_version())
    body = events.encode(events.payload(EventName.WEBHOOK_TEST, facts, now))
    event = Event(account_id=account_id, name=EventName.WEBHOOK_TEST, body=body, created_at=now)
    session.add(event)
    session.flush()
    return deliveries.post(session, event, webhook, now)


def delete(session: Session, account_id: str, webhook_id: str, now: datetime) -> None:
    """Forget the webhook: nothing more is sent, and its log goes with the next sweep. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, hold=True)
    webhook.deleted_at, webhook.active = now, False
    security_log.record_after_commit(session, SecurityEvent.WEBHOOK_DELETED, account_id, webhook=webhook_id)
    webhook.secret, webhook.next_secret = "", None
    open_ = (DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.HELD)
    ended = update(Delivery).where(Delivery.webhook_id == webhook.id, Delivery.state.in_(open_))
    session.execute(
        ended.values(state=DeliveryState.FAILED, claim_id=None, lease_until=None, failed_at=now),
        execution_options={"synchronize_session": False},
    )
