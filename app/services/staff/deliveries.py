"""Webhook deliveries for staff: lists of failed, held and late deliveries; and one delivery with all details."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Select, and_, select
from sqlalchemy.orm import Session, joinedload

from app.domain.attempts import LATE_AFTER
from app.domain.errors import require_found
from app.domain.ids import Prefix, is_id
from app.domain.sending import DeliveryState
from app.models import Attempt, Delivery, Job, Membership, User, Webhook
from app.services.accounts import organizations
from app.services.orders.order_list import plain
from app.services.pagination import Page, cut_page

PAGE = 50
MAX_ATTEMPTS = 20
"""Most attempts that are listed of one delivery, the newest."""


class DeliveryGroup(StrEnum):
    """The deliveries to list: deliveries that were given up after the last attempt, that are held because the
    webhook is off, or that were due more than LATE_AFTER ago and are not sent.
    """

    FAILED = "failed"
    HELD = "held"
    LATE = "late"


_STATES = {
    DeliveryGroup.FAILED: DeliveryState.FAILED,
    DeliveryGroup.HELD: DeliveryState.HELD,
    DeliveryGroup.LATE: DeliveryState.WAITING,
}


@dataclass(frozen=True, slots=True)
class StaffDeliveryFilter:
    """The deliveries to list: the group `show`, narrowed by `search` to a webhook or account (its id, or a member's
    e-mail). A `search` for a delivery's own id finds it in any state.
    """

    show: DeliveryGroup = DeliveryGroup.FAILED
    search: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryRow:
    """One delivery in the list, its account with the owner's e-mail, and its last attempt, if any."""

    delivery: Delivery
    account_id: str
    email: str
    last: Attempt | None


@dataclass(frozen=True, slots=True)
class StaffDeliveryDetails:
    """One delivery with its webhook and event, the account's owner, its job, and its newest attempts first."""

    delivery: Delivery
    owner: Membership
    job: Job | None
    attempts: Sequence[Attempt]

    @property
    def can_redeliver(self) -> bool:
        """Whether the delivery can be sent again: it is settled, and its webhook is on and not deleted."""
        settled = self.delivery.state in (DeliveryState.FAILED, DeliveryState.SUCCEEDED)
        return settled and self.delivery.webhook.active and self.delivery.webhook.deleted_at is None


def find(session: Session, delivery_id: str) -> Delivery:
    """The delivery with its webhook and its event. Raises NotFound."""
    whole = select(Delivery).options(joinedload(Delivery.webhook), joinedload(Delivery.event))
    return require_found(
        session.scalar(whole.where(Delivery.id == delivery_id)) if is_id(delivery_id, Prefix.DELIVERY) else None
    )


def describe(session: Session, delivery_id: str) -> StaffDeliveryDetails:
    """One delivery with its details, always in the same few queries. Raises NotFound."""
    delivery = find(session, delivery_id)
    tries = select(Attempt).where(Attempt.delivery_number == delivery.number).order_by(Attempt.number.desc())
    owner = organizations.get_owner(session, delivery.webhook.account_id)
    job = session.get(Job, delivery.job_id) if delivery.job_id else None
    return StaffDeliveryDetails(delivery, owner, job, session.scalars(tries.limit(MAX_ATTEMPTS)).all())


def paginate(
    session: Session,
    delivery_filter: StaffDeliveryFilter,
    now: datetime,
    after: str | None = None,
    limit: int = PAGE,
) -> Page[DeliveryRow, str]:
    """The deliveries of the filter that follow the delivery `after` in the list: the newest first, of late ones the
    longest late first.

    Raises NotFound when `after` is not a delivery.
    """
    place = find(session, after) if after else None
    text = plain(delivery_filter.search)
    if is_id(text, Prefix.DELIVERY):
        numbers = list(session.scalars(select(Delivery.number).where(Delivery.id == text)))
    elif text:
        numbers = _list_newest_of_webhooks(
            session, _find_webhook_ids(session, text), delivery_filter.show, place, limit + 1
        )
    elif delivery_filter.show is DeliveryGroup.LATE:
        numbers = _list_late(session, now, place, limit + 1)
    else:
        numbers = list(session.scalars(_select_newest(delivery_filter.show, place, limit + 1)))
    rows = _read_rows(session, numbers)
    return cut_page(rows, limit, lambda row: row.delivery.id)


def _select_newest(show: DeliveryGroup, place: Delivery | None, limit: int, *conditions: Any) -> Select[int]:
    older = (Delivery.number < place.number,) if place else ()
    state = _STATES[show]
    # between() and the order by state, not "=": else a planner may scan by number alone, through all other states.
    rows = select(Delivery.number).where(Delivery.state.between(state, state), *conditions, *older)
    return rows.order_by(Delivery.state.desc(), Delivery.number.desc()).limit(limit)


def _list_late(session: Session, now: datetime, place: Delivery | None, limit: int) -> list[int]:
    due = Delivery.next_attempt_at
    rows = select(Delivery.number).where(Delivery.state == DeliveryState.WAITING, due < now - LATE_AFTER)
    if place is not None and place.next_attempt_at is not None:
        same = (due == place.next_attempt_at) & (Delivery.number > place.number)
        rows = rows.where(due >= place.next_attempt_at, (due > place.next_attempt_at) | same)
    return list(session.scalars(rows.order_by(due, Delivery.number).limit(limit)))


def _list_newest_of_webhooks(
    session: Session, webhook_ids: Sequence[str], show: DeliveryGroup, place: Delivery | None, limit: int
) -> list[int]:
    """The newest deliveries of a few webhooks, merged, in one query."""
    if not webhook_ids:
        return []
    some = [_select_newest(show, place, limit, Delivery.webhook_id == each).subquery() for each in webhook_ids]
    first, *others = [select(each.c.number) for each in some]
    numbers = session.scalars(first.union_all(*others)).all()
    return sorted(numbers, reverse=True)[:limit]


def _find_webhook_ids(session: Session, text: str) -> Sequence[str]:
    if is_id(text, Prefix.WEBHOOK):
        return [text]
    account_id = Webhook.account_id
    by_id = is_id(text, Prefix.ACCOUNT)
    mine = select(Webhook.id).where(
        account_id == text if by_id else account_id.in_(_select_accounts_by_email(text))
    )
    return session.scalars(mine.order_by(Webhook.created_at.desc()).limit(PAGE)).all()


def _select_accounts_by_email(text: str) -> Select[str]:
    members = select(Membership.organization_id).join(User, User.id == Membership.user_id)
    return members.where(User.email == text.lower())


def _read_rows(session: Session, numbers: Sequence[int]) -> list[DeliveryRow]:
    whole = select(Delivery, Webhook.account_id, User.email).join(Delivery.webhook)
    whole = whole.join(
        Membership, and_(Membership.organization_id == Webhook.account_id, organizations.IS_LONGEST_OWNER)
    )
    whole = whole.join(User, User.id == Membership.user_id).where(Delivery.number.in_(numbers))
    found = {row[0].number: row for row in session.execute(whole.options(joinedload(Delivery.webhook)))}
    last = select(Attempt).join(Delivery, Delivery.number == Attempt.delivery_number)
    last = last.where(Attempt.delivery_number.in_(numbers), Attempt.number == Delivery.attempts_made)
    tried = {each.delivery_number: each for each in session.scalars(last)}
    return [DeliveryRow(*found[each], tried.get(each)) for each in numbers if each in found]
