"""Webhooks: registered, changed, switched off and on, given a new secret, tested, deleted."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session

from app.domain import events
from app.domain.errors import Conflict, require_found
from app.domain.events import USUAL_EVENTS, EventName
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import Status
from app.domain.security_events import SecurityEvent
from app.domain.sending import DeliveryState, Vault
from app.domain.webhooks import MAX_WEBHOOKS, WebhookChange, WebhookRequest, new_secret
from app.models import Delivery, Event, Organization, Webhook
from app.services import engines, security_log
from app.services.accounts import organizations
from app.services.webhooks import deliveries, signing_secrets

OFF_BY_HAND = "You switched it off."


def create(
    session: Session,
    vault: Vault,
    account_id: str,
    request: WebhookRequest,
    now: datetime,
    *,
    form_token: str | None = None,
) -> tuple[Webhook, str | None]:
    """Register a webhook; returns it and its secret, which cannot be shown again. The caller has vetted the URL.

    The same form sent again returns the webhook that it created, without the secret. Raises Conflict when the
    account has MAX_WEBHOOKS webhooks, and when the webhook that this form created has been deleted.
    """
    # Locked, so that of two registrations at once neither exceeds the limit, and one form creates one webhook.
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)
    if form_token is not None and (made := _find_made_by_form(session, account_id, form_token)):
        return made, None
    kept = select(func.count()).select_from(_select_registered(account_id).subquery())
    if (session.scalar(kept) or 0) >= MAX_WEBHOOKS:
        raise Conflict(f"An account may have at most {MAX_WEBHOOKS} webhooks; delete one first.")
    secret = new_secret()
    webhook = Webhook(
        account_id=account_id,
        url=request.url,
        events=list(request.events),
        secret=vault.seal(secret),
        created_at=now,
        healthy_since=now,
        form_token=form_token,
    )
    session.add(webhook)
    session.flush()
    security_log.record_activity(
        session, SecurityEvent.WEBHOOK_MADE, account_id, webhook.url, now, webhook=webhook.id
    )
    return webhook, secret


def _find_made_by_form(session: Session, account_id: str, form_token: str) -> Webhook | None:
    mine = select(Webhook).where(Webhook.account_id == account_id, Webhook.form_token == form_token)
    made = session.scalar(mine)
    if made is not None and made.deleted_at is not None:
        raise Conflict("The webhook that this form made was deleted since.")
    return made


def get_all(session: Session, account_id: str) -> list[Webhook]:
    """The account's webhooks, oldest first, without the callback URLs of its orders."""
    return list(session.scalars(_select_registered(account_id).order_by(Webhook.created_at, Webhook.id)))


def _select_registered(account_id: str) -> Select[Webhook]:
    return select(Webhook).where(deliveries.is_registered(account_id))


def get(session: Session, account_id: str, webhook_id: str, *, lock: bool = False) -> Webhook:
    """The account's webhook; `lock`: lock its row against other changes. Raises NotFound."""
    mine = select(Webhook).where(
        Webhook.id == webhook_id, Webhook.account_id == account_id, Webhook.deleted_at.is_(None)
    )
    statement = mine.with_for_update(key_share=True) if lock else mine
    fresh = statement.execution_options(populate_existing=True)
    return require_found(session.scalar(fresh) if is_id(webhook_id, Prefix.WEBHOOK) else None)


def list_events(webhook: Webhook) -> Sequence[EventName]:
    """The events that the webhook receives: the chosen ones, or all when none is chosen."""
    return [EventName(name) for name in webhook.events] or list(USUAL_EVENTS)


def edit(session: Session, account_id: str, webhook_id: str, change: WebhookChange, now: datetime) -> Webhook:
    """Change what is given: the URL, which the caller has vetted, the events, whether it is on (see switch_off()
    and switch_on()). Raises NotFound, and Conflict for URL or events of a callback.
    """
    webhook = get(session, account_id, webhook_id, lock=True)
    if change.url is not None or change.events is not None:
        _get_registered(session, account_id, webhook_id, "its orders name it, and it gets only their events")
        webhook.url = webhook.url if change.url is None else change.url
        webhook.events = webhook.events if change.events is None else list(change.events)
        security_log.record_activity(
            session, SecurityEvent.WEBHOOK_CHANGED, account_id, webhook.url, now, webhook=webhook_id
        )
    if change.active is False:
        deliveries.switch_off(session, webhook, OFF_BY_HAND)
    elif change.active:
        begin_anew(webhook, now)
    return webhook


def switch_off(session: Session, account_id: str, webhook_id: str) -> Webhook:
    """Switch the webhook off: waiting and future deliveries are held, not lost. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, lock=True)
    deliveries.switch_off(session, webhook, OFF_BY_HAND)
    return webhook


def switch_on(session: Session, account_id: str, webhook_id: str, now: datetime) -> Webhook:
    """Switch the webhook on for future events; held deliveries wait for their release. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, lock=True)
    begin_anew(webhook, now)
    return webhook


def begin_anew(webhook: Webhook, now: datetime) -> None:
    """Switch a locked webhook on, if it is off, and forget that it failed."""
    if webhook.active:
        return
    webhook.active, webhook.off_reason = True, None
    webhook.healthy_since, webhook.failed_deliveries, webhook.warnings = now, 0, 0
    webhook.slow_until = None


def rotate(
    session: Session,
    vault: Vault,
    account_id: str,
    webhook_id: str,
    now: datetime,
    *,
    replace_pending: bool = False,
    version: str | None = None,
) -> tuple[Webhook, str]:
    """Create a new secret; returns the webhook and the secret, which cannot be shown again. Old and new secret both
    sign until switch_secret(), or for 24 hours; then only the new one does.

    Raises NotFound, and Conflict as signing_secrets.rotate() does.
    """
    webhook = _get_registered(session, account_id, webhook_id, "rotate the callback secret of the account")
    secret = signing_secrets.rotate(webhook, vault, now, replace_pending=replace_pending, version=version)
    security_log.record_activity(
        session, SecurityEvent.SIGNING_CHANGED, account_id, webhook.url, now, webhook=webhook_id
    )
    return webhook, secret


def switch_secret(session: Session, account_id: str, webhook_id: str, now: datetime) -> Webhook:
    """Replace the old secret by the new one at once. Raises NotFound, and Conflict when there is no new one."""
    webhook = _get_registered(session, account_id, webhook_id, "switch to the new callback secret of the account")
    signing_secrets.switch(webhook)
    security_log.record_activity(
        session, SecurityEvent.SIGNING_CHANGED, account_id, webhook.url, now, webhook=webhook_id
    )
    return webhook


def _get_registered(session: Session, account_id: str, webhook_id: str, instead: str) -> Webhook:
    """The account's webhook, locked. Raises NotFound, and Conflict for the callback URL of an order."""
    webhook = get(session, account_id, webhook_id, lock=True)
    if webhook.is_callback:
        raise Conflict(f"This is the callback URL of orders: {instead}.")
    return webhook


def send_test(session: Session, account_id: str, webhook_id: str, now: datetime) -> Delivery:
    """Queue a test event, whichever events the webhook receives. Raises NotFound, Conflict while it is off."""
    webhook = get(session, account_id, webhook_id)
    if not webhook.active:
        raise Conflict("The webhook is off; turn it on first.")
    live, version = organizations.is_live(session, account_id), engines.find_version(session, account_id, now)
    facts = events.sample_facts(account_id, Status.PENDING, version, livemode=live)
    body = events.encode(events.payload(EventName.WEBHOOK_TEST, facts, now))
    event = Event(account_id=account_id, name=EventName.WEBHOOK_TEST, body=body, created_at=now)
    session.add(event)
    session.flush()
    return deliveries.post(session, event, webhook, now)


def delete(session: Session, account_id: str, webhook_id: str, now: datetime) -> None:
    """Mark the webhook as deleted: nothing more is sent, and the sweep deletes its log. Raises NotFound."""
    webhook = get(session, account_id, webhook_id, lock=True)
    end(session, webhook, now)
    security_log.record_activity(
        session, SecurityEvent.WEBHOOK_DELETED, account_id, webhook.url, now, webhook=webhook_id
    )


def end(session: Session, webhook: Webhook, now: datetime) -> None:
    """Mark a locked webhook as deleted, and fail the deliveries that are under way."""
    webhook.deleted_at, webhook.active, webhook.callback_digest = now, False, None
    webhook.secret, webhook.next_secret = "", None
    open_ = (DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.HELD)
    ended = update(Delivery).where(Delivery.webhook_id == webhook.id, Delivery.state.in_(open_))
    session.execute(
        ended.values(state=DeliveryState.FAILED, claim_id=None, lease_until=None, failed_at=now),
        execution_options={"synchronize_session": False},
    )
