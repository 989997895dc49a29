"""The log of staff's acts. Each act is logged in the same transaction as its changes; staff can read the log."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session, aliased

from app.domain.ids import Prefix, is_id, is_user_id
from app.domain.security_events import SecurityEvent
from app.domain.staff import StaffAction
from app.models import Job, Membership, StaffAct, User
from app.services import security_log
from app.services.accounts.organizations import IS_LONGEST_OWNER
from app.services.pagination import Page, cut_page

PAGE = 50
_MAX_ID = 2**63 - 1
"""The largest number that a bigint column can have."""


@dataclass(frozen=True, slots=True)
class ActFilter:
    """The conditions that acts must all meet to be listed; an empty field is no condition."""

    staff_id: str = ""
    job_id: str = ""
    account_id: str = ""


@dataclass(frozen=True, slots=True)
class ActRow:
    """One act: the `name` of the member of staff who did it, the `address` of the job, and the `email` of the owner
    of the account concerned."""

    act: StaffAct
    name: str
    address: str | None
    email: str | None


def record(
    session: Session,
    staff_id: str,
    action: StaffAction,
    job_id: str | None,
    now: datetime,
    detail: str = "",
    *,
    account_id: str | None = None,
) -> None:
    """Log the act in the current transaction; the log is never changed. An act on a job is also logged for the
    account of the job.
    """
    if account_id is None and job_id is not None:
        job = session.get(Job, job_id)
        account_id = job.account_id if job else None
    row = {"staff_id": staff_id, "job_id": job_id, "account_id": account_id, "action": action, "detail": detail}
    session.add(StaffAct(**row, created_at=now))
    security_log.record_after_commit(
        session, SecurityEvent.STAFF_ACT, account_id, staff=staff_id, deed=action, job=job_id
    )


def paginate(
    session: Session, act_filter: ActFilter, after: int | None = None, limit: int = PAGE
) -> Page[ActRow, int]:
    """Up to `limit` acts, newest first, older than the act `after`."""
    owner = aliased(User)
    rows = select(StaffAct, User.name, User.email, Job.address, owner.email)
    rows = rows.join(User, User.id == StaffAct.staff_id).outerjoin(Job, Job.id == StaffAct.job_id)
    rows = rows.outerjoin(Membership, and_(Membership.organization_id == StaffAct.account_id, IS_LONGEST_OWNER))
    rows = rows.outerjoin(owner, owner.id == Membership.user_id)
    older = rows.where(*_conditions(act_filter), *_older(after)).order_by(StaffAct.id.desc()).limit(limit + 1)
    found = [ActRow(act, name or email, *rest) for act, name, email, *rest in session.execute(older)]
    return cut_page(found, limit, lambda row: row.act.id)


def list_staff(session: Session, also: str = "") -> dict[str, str]:
    """Names, by id, of the members of staff whose acts can be listed; `also`: a user who may have left staff."""
    rows = select(User.id, User.name, User.email)
    found = list(session.execute(rows.where(User.is_staff.is_(True)).order_by(User.name, User.email)))
    if is_user_id(also) and also not in {row.id for row in found}:
        found += session.execute(rows.where(User.id == also))
    return {staff_id: name or email for staff_id, name, email in found}


def has_unreleased_claim(session: Session, staff_id: str, job_id: str) -> bool:
    """Whether this member of staff has claimed the job and not released it since."""
    mine = select(StaffAct.action).where(StaffAct.job_id == job_id, StaffAct.staff_id == staff_id)
    claims = mine.where(StaffAct.action.in_((StaffAction.CLAIM, StaffAction.RELEASE)))
    return session.scalar(claims.order_by(StaffAct.id.desc()).limit(1)) is StaffAction.CLAIM


def _conditions(act_filter: ActFilter) -> list[ColumnElement[bool]]:
    fields = (
        (StaffAct.staff_id, act_filter.staff_id, is_user_id(act_filter.staff_id)),
        (StaffAct.job_id, act_filter.job_id, is_id(act_filter.job_id, Prefix.JOB)),
        (StaffAct.account_id, act_filter.account_id, is_id(act_filter.account_id, Prefix.ACCOUNT)),
    )
    # Text that cannot be an id matches no act; it is not passed on to the database.
    return [column == (given if known else "") for column, given, known in fields if given]


def _older(after: int | None) -> tuple[ColumnElement[bool], ...]:
    return () if after is None else (StaffAct.id < max(0, min(after, _MAX_ID)),)
