"""Callbacks: the URLs that single orders name for their own events, and the account's secret that signs for them.

Each URL is a row of Webhook, so that it is sent to, retried and logged like any other receiver.
"""

import hashlib
from datetime import datetime

from sqlalchemy import Select, select, tuple_, update
from sqlalchemy.orm import Session

from app.domain.errors import InvalidFields, NotFound, require_found
from app.domain.field_errors import Fault, FaultCode
from app.domain.ids import Prefix, is_id
from app.domain.security_events import SecurityEvent
from app.domain.sending import UNSETTLED, DecryptionError, DeliveryState, Vault
from app.domain.webhooks import new_secret
from app.models import CallbackSecret, Delivery, Job, Organization, Signer, Webhook
from app.services import security_log
from app.services.pagination import Page, cut_page
from app.services.webhooks import signing_secrets, webhooks

NO_SECRET = Fault(("callbackUrl",), FaultCode.NO_SIGNER)
_WHAT = "Callbacks of orders"
_NONE = ""
"""Stored in place of a callback's own secret, because the account's secret signs for callbacks, see get_signer().
"""


def find_secret(session: Session, account_id: str) -> CallbackSecret | None:
    """The secrets that sign the account's callbacks; None before the first was created."""
    return session.get(CallbackSecret, account_id, populate_existing=True)


def get_signer(session: Session, webhook: Webhook) -> Signer:
    """The row whose secrets sign the deliveries to this webhook. Raises DecryptionError when there is none."""
    signer = find_secret(session, webhook.account_id) if webhook.is_callback else webhook
    if signer is None:
        raise DecryptionError
    return signer


def create_or_rotate_secret(
    session: Session,
    vault: Vault,
    account_id: str,
    now: datetime,
    *,
    replace_pending: bool = False,
    version: str | None = None,
) -> tuple[CallbackSecret, str]:
    """Create the account's callback secret or, if there is one, rotate it. Returns the row and the new secret,
    which cannot be shown again. Raises Conflict as signing_secrets.rotate() does.
    """
    # Locked, so that of two requests at once one creates the secret, and the other one rotates it.
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)
    found = find_secret(session, account_id)
    if found is None:
        secret = new_secret()
        found = CallbackSecret(account_id=account_id, secret=vault.seal(secret), created_at=now)
        session.add(found)
    else:
        secret = signing_secrets.rotate(found, vault, now, replace_pending=replace_pending, version=version)
    session.flush()
    security_log.record_activity(session, SecurityEvent.SIGNING_CHANGED, account_id, _WHAT, now)
    return found, secret


def switch_secret(session: Session, account_id: str, now: datetime) -> CallbackSecret:
    """Replace the old callback secret by the new one at once. Raises NotFound, and Conflict when there is no new
    one.
    """
    found = require_found(session.get(CallbackSecret, account_id, with_for_update=True, populate_existing=True))
    signing_secrets.switch(found)
    security_log.record_activity(session, SecurityEvent.SIGNING_CHANGED, account_id, _WHAT, now)
    return found


def is_known(session: Session, account_id: str, url: str) -> bool:
    """Whether the URL was named as a callback before, and therefore vetted."""
    return session.scalar(_select(account_id, url).with_only_columns(Webhook.id)) is not None


def subscribe(session: Session, account_id: str, url: str, now: datetime) -> Webhook:
    """The callback of this URL, which the caller has vetted, for an order that names it. If the receiver had it
    switched off, it is on again.

    Raises InvalidFields before the account has a callback secret.
    """
    session.get_one(Organization, account_id, with_for_update={"key_share": True}, populate_existing=True)
    if find_secret(session, account_id) is None:
        raise InvalidFields([NO_SECRET])
    callback = session.scalar(_select(account_id, url).with_for_update(key_share=True))
    if callback is None:
        callback = Webhook(
            account_id=account_id,
            url=url,
            events=[],
            callback_digest=_digest(url),
            secret=_NONE,
            active=True,
            created_at=now,
            healthy_since=now,
        )
        session.add(callback)
        session.flush()
    elif callback.off_reason != webhooks.OFF_BY_HAND:
        webhooks.begin_anew(callback, now)
    return callback


def _select(account_id: str, url: str) -> Select[Webhook]:
    return select(Webhook).where(Webhook.account_id == account_id, Webhook.callback_digest == _digest(url))


def _digest(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def paginate(session: Session, account_id: str, after: str | None, limit: int) -> Page[Webhook, str]:
    """Up to `limit` callbacks of the account, newest first, older than the one `after`. Raises NotFound for an
    unknown one.
    """
    newest = (Webhook.created_at, Webhook.id)
    rows = select(Webhook).where(Webhook.account_id == account_id, Webhook.callback_digest.is_not(None))
    if after is not None:
        last = session.scalar(rows.where(Webhook.id == after)) if is_id(after, Prefix.WEBHOOK) else None
        if last is None:
            raise NotFound
        rows = rows.where(tuple_(*newest) < tuple_(last.created_at, last.id))
    rows = rows.order_by(*(each.desc() for each in newest)).limit(limit + 1)
    return cut_page(list(session.scalars(rows)), limit, lambda callback: callback.id)


def end_for_job(session: Session, job: Job, now: datetime) -> None:
    """End the callback of a locked job that expires: deliveries that have not succeeded yet are never sent. The URL
    itself is deleted with the last job that names it.
    """
    if job.callback_id is None:
        return
    callback = session.get(Webhook, job.callback_id, with_for_update={"key_share": True}, populate_existing=True)
    job.callback_id = None
    if callback is None:  # Its owner deleted it, and its log is gone.
        return
    session.flush()
    open_ = (*UNSETTLED, DeliveryState.HELD)
    ended = update(Delivery).where(
        Delivery.webhook_id == callback.id, Delivery.job_id == job.id, Delivery.state.in_(open_)
    )
    session.execute(
        ended.values(state=DeliveryState.FAILED, claim_id=None, lease_until=None, failed_at=now),
        execution_options={"synchronize_session": False},
    )
    others = select(Job.id).where(Job.callback_id == callback.id, Job.callback_id.is_not(None))
    if callback.deleted_at is None and session.scalar(others.limit(1)) is None:
        webhooks.end(session, callback, now)


def forget_account(session: Session, account_id: str) -> None:
    """Delete the callback secret of an account whose jobs have all expired."""
    secret = find_secret(session, account_id)
    if secret is not None:
        session.delete(secret)
