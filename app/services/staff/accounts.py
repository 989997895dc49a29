"""Accounts for staff: found, listed, and one account with all its details."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import InstrumentedAttribute, Session, contains_eager

from app.domain.errors import NotFound, require_found
from app.domain.ids import Prefix, is_id
from app.models import ApiKey, Job, LedgerLine, Membership, Organization, Purchase, User, Webhook
from app.services.accounts import organizations
from app.services.orders.order_list import plain
from app.services.pagination import Page, SortOrder, cut_page
from app.services.security import sign_ins, staff_acts
from app.services.staff import search as staff_search
from app.services.staff.search import PAGE, Place, Range
from app.services.team import members
from app.services.webhooks import webhooks

MAX_LISTED = 10
"""Most ledger lines, jobs, purchases and acts on an account's page, the newest of each."""
MAX_KEYS = 25
"""Most API keys on an account's page, the newest."""


class AccountField(StrEnum):
    """The field that is searched; an account's id is found whichever field is chosen."""

    EMAIL = "email"
    NAME = "name"


class AccountGroup(StrEnum):
    """The accounts that are listed when nothing is searched for."""

    ALL = "all"
    FLAGGED = "flagged"
    SUSPENDED = "suspended"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class AccountFilter:
    """Which accounts are listed: accounts whose owner's `field` begins with `search`, accounts to which the user
    with exactly this e-mail belongs, or the account with this id. Without `search`, the group `show`.
    """

    search: str = ""
    field: AccountField = AccountField.EMAIL
    show: AccountGroup = AccountGroup.ALL


@dataclass(frozen=True, slots=True)
class AccountDetails:
    """One account: its longest owner and all members, newest ledger lines, jobs, keys and purchases, webhooks, and
    what staff did to it.

    `owed`: credits that it had spent before their payment was returned; `sign_ins`: browsers signed in for it.
    """

    owner: Membership
    members: Sequence[members.MemberRow]
    lines: Sequence[LedgerLine]
    jobs: Sequence[Job]
    keys: Sequence[ApiKey]
    webhooks: Sequence[Webhook]
    purchases: Sequence[Purchase]
    owed: Decimal
    sign_ins: int
    acts: Sequence[staff_acts.ActRow]


_OWNERS = (
    select(Membership)
    .join(Membership.organization)
    .join(Membership.user)
    .where(organizations.IS_LONGEST_OWNER)
    .options(contains_eager(Membership.organization), contains_eager(Membership.user))
)


def find(session: Session, account_id: str) -> Membership:
    """The membership of the account's owner, also of a deleted account. Raises NotFound, also for a sandbox."""
    if not is_id(account_id, Prefix.ACCOUNT):
        raise NotFound
    owner = organizations.get_owner(session, account_id)
    return require_found(owner if owner.organization_id == account_id else None)


def paginate(
    session: Session, account_filter: AccountFilter, after: str | None = None, limit: int = PAGE
) -> Page[Membership, str]:
    """The accounts of the filter that follow the account `after` in the list, each as its owner's membership; the
    newest first when nothing is searched for.

    Raises NotFound when `after` is not an account.
    """
    place = find(session, after) if after else None
    text = plain(account_filter.search)
    if is_id(text, Prefix.ACCOUNT):
        found = list(session.scalars(_OWNERS.where(Organization.id == text)))
    elif text:
        ranges = _ranges(text, account_filter.field)
        rows = staff_search.fetch_first(session, _OWNERS, ranges, _find_place(ranges, place), limit + 1)
        found = [row[0] for row in rows]
        if after is None:
            found = [*_list_joined_by(session, text, found), *found]
    else:
        found = _list_group(session, account_filter.show, place, limit + 1)
    return cut_page(found, limit, lambda owner: owner.organization_id)


def describe(session: Session, account_id: str, now: datetime) -> AccountDetails:
    """One account with its details, always in the same few queries. Raises NotFound."""
    owner = find(session, account_id)
    owed = select(func.sum(Purchase.credits_owed)).where(Purchase.account_id == account_id)
    lines = select(LedgerLine).where(LedgerLine.account_id == account_id).order_by(LedgerLine.id.desc())
    return AccountDetails(
        owner=owner,
        members=members.list_all(session, account_id),
        lines=session.scalars(lines.limit(MAX_LISTED)).all(),
        jobs=_list_newest(session, Job, account_id, MAX_LISTED),
        keys=_list_newest(session, ApiKey, account_id, MAX_KEYS),
        webhooks=webhooks.get_all(session, account_id),
        purchases=_list_newest(session, Purchase, account_id, MAX_LISTED),
        owed=session.scalar(owed) or Decimal(0),
        sign_ins=sign_ins.count(session, account_id, now),
        acts=staff_acts.paginate(session, staff_acts.ActFilter(account_id=account_id), limit=MAX_LISTED).rows,
    )


def _list_joined_by(session: Session, email: str, found: Sequence[Membership]) -> Sequence[Membership]:
    """The accounts to which the user with exactly this e-mail belongs, as their owners' memberships, so that a
    member who writes to support is found too. Accounts that were found already are left out.
    """
    user_id = session.scalar(select(User.id).where(User.email == email.lower()))
    if user_id is None:
        return ()
    joined = select(Membership.organization_id).where(Membership.user_id == user_id)
    others = Organization.id.not_in([each.organization_id for each in found])
    owners = _OWNERS.where(Organization.id.in_(joined), others).order_by(Organization.created_at, Organization.id)
    return session.scalars(owners.limit(PAGE)).all()


def _list_newest(session: Session, kind: Any, account_id: str, limit: int) -> Sequence[Any]:
    mine = select(kind).where(kind.account_id == account_id)
    return session.scalars(mine.order_by(kind.created_at.desc(), kind.id.desc()).limit(limit)).all()


def _ranges(text: str, field: AccountField) -> list[Range]:
    if field is AccountField.NAME:
        return [Range(User.name, User.id, each) for each in staff_search.list_spellings(text)]
    return [Range(User.email, User.id, text.lower())]


def _find_place(ranges: Sequence[Range], place: Membership | None) -> Place | None:
    return staff_search.find_place(ranges, place.user, place.user_id) if place else None


_TIME_COLUMNS: Mapping[AccountGroup, InstrumentedAttribute[Any]] = {
    AccountGroup.FLAGGED: Organization.flagged_at,
    AccountGroup.SUSPENDED: Organization.suspended_at,
    AccountGroup.STAFF: User.created_at,
}


def _list_group(session: Session, show: AccountGroup, place: Membership | None, limit: int) -> list[Membership]:
    time_column: InstrumentedAttribute[Any] = _TIME_COLUMNS.get(show, Organization.created_at)
    # An index has exactly these two columns.
    order = SortOrder((time_column, User.id if show is AccountGroup.STAFF else Organization.id))
    which = User.is_staff.is_(True) if show is AccountGroup.STAFF else time_column.is_not(None)
    rows = _OWNERS.where(*([] if show is AccountGroup.ALL else [which]))
    if place is not None:
        row = place.user if show is AccountGroup.STAFF else place.organization
        at = getattr(row, time_column.key)
        # A flag may have been cleared since the page was made: then the list starts from the beginning.
        rows = rows.where(order.beyond((at, row.id))) if at is not None else rows
    return list(session.scalars(order.sort(rows).limit(limit)))
