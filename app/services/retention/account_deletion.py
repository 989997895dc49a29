"""Deleting an account: personal data is removed; records that bookkeeping needs stay, without names."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.orm import Session

from app.domain import emails
from app.domain.errors import Conflict
from app.domain.lifecycle import UNSETTLED
from app.domain.security_events import SecurityEvent
from app.models import (
    ApiKey,
    Draft,
    DraftPhoto,
    Event,
    IdempotencyRecord,
    Job,
    JobMetadata,
    Membership,
    Organization,
    Preset,
    Webhook,
)
from app.services import security_log
from app.services.accounts import brandings, organizations, users
from app.services.billing import credits, purchases
from app.services.mail import outbox
from app.services.photos import public_pages, shares
from app.services.previews import outlooks
from app.services.retention import expiry
from app.services.security import api_keys, erasure
from app.services.team import activity, invitations, members
from app.services.uploads import fetches
from app.services.webhooks import callbacks, webhooks

_FORFEIT_REASON = "Account deleted"
_ERASED = ("external_id", "own_metadata", "recipes", "evidence", "file_names")
"""The fields of an order that may name people, beside its address."""
_EMPTY_BODY = "{}"
"""The text that replaces the body of each event, because the body contains the address of a house."""


@dataclass(frozen=True, slots=True)
class DeletionImpact:
    """What is removed with an account, which is shown before it is deleted. `unfinished`: orders that are still in
    progress. `awaited`: payments that are still in progress. `to_hand_over`: organizations with other members of
    which the user is the only owner.
    """

    credits: Decimal
    unfinished: int
    orders: int
    drafts: int
    keys: int
    webhooks: int
    awaited: int
    to_hand_over: int

    @property
    def blockers(self) -> int:
        """The count of obstacles to the deletion: orders and payments that must end first, and organizations that
        need another owner first.
        """
        return self.unfinished + self.awaited + self.to_hand_over


def measure_impact(session: Session, user_id: str) -> DeletionImpact:
    """What would be removed with the user, and what prevents it: unfinished orders and awaited payments. An
    organization that has other members is not counted, because it stays.
    """
    return _measure_impact(session, user_id, organizations.list_without_others(session, user_id))


def _measure_impact(session: Session, user_id: str, deleted: Sequence[Organization]) -> DeletionImpact:
    ids = [each.id for each in deleted]
    # Of test mode, only orders that must end first are counted, because nothing else there has a value.
    tried = select(Organization.id).where(Organization.sandbox_of.in_(ids))
    kept = _list_shared(session, user_id, ids)
    jobs = (Job.account_id.in_(ids), Job.expired_at.is_(None))
    live = (ApiKey.account_id.in_(ids), ApiKey.revoked_at.is_(None))
    hooks = (Webhook.account_id.in_(ids), Webhook.deleted_at.is_(None))
    counted = select(
        select(func.count())
        .where(or_(Job.account_id.in_(ids), Job.account_id.in_(tried)), Job.status.in_(UNSETTLED))
        .scalar_subquery(),
        select(func.count()).where(*jobs).scalar_subquery(),
        select(func.count()).where(Draft.account_id.in_(ids), Draft.job_id.is_(None)).scalar_subquery(),
        select(func.count()).where(*live).scalar_subquery(),
        select(func.count()).where(*hooks).scalar_subquery(),
    )
    balance = sum((each.credits for each in deleted), Decimal(0))
    awaited = sum(purchases.count_awaited(session, each) for each in ids)
    return DeletionImpact(
        balance,
        *session.execute(counted).one(),
        awaited,
        sum(members.is_last_owner(session, each) for each in kept),
    )


def _list_shared(session: Session, user_id: str, deleted_ids: Collection[str]) -> list[Membership]:
    """The user's memberships in organizations that stay without them."""
    mine = organizations.list_memberships(session, user_id)
    return [
        each for each in mine if each.organization_id not in deleted_ids and each.organization.deleted_at is None
    ]


def delete_account(session: Session, user_id: str, now: datetime) -> None:
    """Delete the user, who can no longer sign in, and each organization of which they are the only member, with its
    sandbox: its keys stop working, and the sweep removes its files.

    A line in the ledger sets the organization's balance to zero, so that no order can be placed meanwhile. The user
    gets a last mail. A payment that is completed later is noted for staff, who refund it.

    The user leaves all other organizations. Raises NotFound, and Conflict while an order is unfinished or a payment
    is awaited, or where an organization would be left without an owner.
    """
    user = users.get(session, user_id, lock=True)
    deleted = organizations.list_without_others(session, user_id, lock=True)
    impact = _measure_impact(session, user_id, deleted)
    if impact.unfinished:
        raise Conflict("An order is still being worked on. Wait until it is done, then delete the account.")
    if impact.awaited:
        raise Conflict("A payment is still in progress. Delete the account when it has completed or failed.")
    message = emails.account_deleted(user.email)
    activity.forget_person(session, user)
    for member in _list_shared(session, user_id, [each.id for each in deleted]):
        members.leave(session, member.organization_id, user_id, now, for_good=True)
    for organization in organizations.with_sandboxes(session, deleted):
        if organization.credits:
            credits.adjust(session, organization.id, -organization.credits, _FORFEIT_REASON, now)
        _remove_orders(session, organization.id, now)
        _remove_keys_and_webhooks(session, organization.id, now)
        brandings.forget(session, organization.id)
        invitations.forget_account(session, organization.id)
        activity.forget_account(session, organization.id)
    erasure.erase(session, user, now)
    security_log.record_after_commit(session, SecurityEvent.ACCOUNT_DELETED, user_id)
    outbox.post(session, user_id, message, now)


def _remove_orders(session: Session, account_id: str, now: datetime) -> None:
    fetches.forget_account(session, account_id)
    # The upload sessions of the drafts are then unused, so the sweep removes them with their files.
    drafts = select(Draft.id).where(Draft.account_id == account_id)
    session.execute(delete(DraftPhoto).where(DraftPhoto.draft_id.in_(drafts)))
    session.execute(delete(Draft).where(Draft.account_id == account_id))
    session.execute(delete(Preset).where(Preset.account_id == account_id))
    public_pages.revoke_all(session, account_id, now)
    shares.forget_all(session, account_id)
    outlooks.forget_account(session, account_id)
    kept = select(Job.id).where(Job.account_id == account_id, Job.expired_at.is_(None))
    for job_id in session.scalars(kept).all():
        expiry.expire(session, job_id, now)
    erased = {**dict.fromkeys(("address", "address_slug"), ""), **dict.fromkeys(_ERASED)}
    session.execute(delete(JobMetadata).where(JobMetadata.account_id == account_id))
    session.execute(update(Job).where(Job.account_id == account_id).values(**erased))


def _remove_keys_and_webhooks(session: Session, account_id: str, now: datetime) -> None:
    api_keys.end_all(session, account_id, now)
    for webhook in webhooks.get_all(session, account_id):
        webhooks.delete(session, account_id, webhook.id, now)
    callbacks.forget_account(session, account_id)
    session.execute(update(Event).where(Event.account_id == account_id).values(body=_EMPTY_BODY))
    session.execute(delete(IdempotencyRecord).where(IdempotencyRecord.account_id == account_id))
