"""The acts of members and API keys for an organization, which its owners can read."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, delete, or_, select, update
from sqlalchemy.orm import Session, aliased

from app.domain.retention import ACTIVITY_KEPT
from app.domain.security_events import SecurityEvent
from app.models import Activity, ApiKey, Membership, User
from app.services.pagination import Page, cut_page

PAGE = 50
BATCH = 1000
_MAX_ID = 2**63 - 1
"""The largest number that a bigint column can have."""


@dataclass(frozen=True, slots=True)
class ActivityRow:
    """Something that was done. `who`: the name of the user, or of the API key if `by_key`; empty for what the
    service did, and for a deleted user."""

    number: int
    at: datetime
    who: str
    by_key: bool
    by_user: bool
    event: SecurityEvent
    about: str


def paginate(
    session: Session, account_id: str, before: int | None = None, user_id: str = ""
) -> Page[ActivityRow, int]:
    """PAGE rows of the organization, newest first, older than the row `before`; only of `user_id`, if given."""
    rows = select(Activity, User.name, User.email, User.deleted_at, ApiKey.name)
    rows = rows.outerjoin(User, User.id == Activity.user_id).outerjoin(ApiKey, ApiKey.id == Activity.key_id)
    rows = rows.where(Activity.account_id == account_id)
    if before is not None:
        rows = rows.where(Activity.id < max(0, min(before, _MAX_ID)))
    if user_id:
        rows = rows.where(Activity.user_id == user_id)
    found = [
        ActivityRow(
            number=act.id,
            at=act.created_at,
            who=key_name or ("" if deleted_at else name or email or ""),
            by_key=act.key_id is not None,
            by_user=act.user_id is not None,
            event=SecurityEvent(act.event),
            about=act.about,
        )
        for act, name, email, deleted_at, key_name in session.execute(
            rows.order_by(Activity.id.desc()).limit(PAGE + 1)
        )
    ]
    return cut_page(found, PAGE, lambda row: row.number)


def list_people(session: Session, account_id: str) -> dict[str, str]:
    """Names of the organization's members by id, for whom the rows can be filtered."""
    rows = select(User.id, User.name, User.email).join(Membership, Membership.user_id == User.id)
    rows = rows.where(Membership.organization_id == account_id).order_by(User.name, User.email)
    return {user_id: name or email for user_id, name, email in session.execute(rows)}


def forget_person(session: Session, user: User) -> None:
    """Erase the name and the e-mail of a user who is being deleted from what was done in every organization to
    which they belong or belonged.
    """
    concerned = aliased(Activity)
    # In each of these organizations at least one row concerns the user: the row about their joining.
    theirs = select(concerned.account_id).where(concerned.concerned_id == user.id)
    # The `about` of an invitation begins with its address.
    address = or_(Activity.about == user.email, Activity.about.startswith(f"{user.email}:", autoescape=True))
    invited = and_(Activity.account_id.in_(theirs), address)
    erased = update(Activity).where(or_(Activity.concerned_id == user.id, invited)).values(about="")
    session.execute(erased.execution_options(synchronize_session=False))


def forget_account(session: Session, account_id: str) -> None:
    """Delete all rows of the organization."""
    session.execute(delete(Activity).where(Activity.account_id == account_id))


def forget(session: Session, now: datetime) -> int:
    """Delete up to BATCH rows older than ACTIVITY_KEPT; returns how many."""
    old = select(Activity.id).where(Activity.created_at <= now - ACTIVITY_KEPT).limit(BATCH)
    deleted = delete(Activity).where(Activity.id.in_(old)).returning(Activity.id)
    return len(session.execute(deleted.execution_options(synchronize_session=False)).all())
