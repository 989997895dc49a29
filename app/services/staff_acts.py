"""The log of staff's acts: written in the transaction of what was done, read by staff."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from app.domain.ids import Prefix, is_id
from app.domain.reviews import StaffDeed
from app.models import Account, Job, StaffAct

PAGE = 50
_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Filter:
    """What of the log is wanted: both together, empty meaning any."""

    staff_id: str = ""
    job_id: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One act with the name of who did it and the address of the job it was done to."""

    act: StaffAct
    name: str
    address: str | None


@dataclass(frozen=True, slots=True)
class Page:
    """Some acts, newest first; `next` asks for the older ones, None at the end."""

    lines: Sequence[Line]
    next: int | None


def record(session: Session, staff_id: str, deed: StaffDeed, job_id: str, now: datetime, detail: str = "") -> None:
    """Write the act down, for good, together with what it did."""
    session.add(StaffAct(staff_id=staff_id, job_id=job_id, deed=deed, detail=detail, created_at=now))


def page(session: Session, wanted: Filter, after: int | None = None, limit: int = PAGE) -> Page:
    """Acts older than the act `after`."""
    names = select(StaffAct, Account.name, Account.email, Job.address)
    rows = names.join(Account, Account.id == StaffAct.staff_id).outerjoin(Job, Job.id == StaffAct.job_id)
    older = rows.where(*_conditions(wanted), *_older(after)).order_by(StaffAct.id.desc()).limit(limit + 1)
    found = [Line(act, name or email, address) for act, name, email, address in session.execute(older)]
    return Page(found[:limit], found[limit - 1].act.id if len(found) > limit else None)


def staff(session: Session) -> dict[str, str]:
    """Everybody who can be asked for: the names of those who did anything, by id."""
    active = select(StaffAct.staff_id).where(StaffAct.staff_id == Account.id).exists()
    rows = select(Account.id, Account.name, Account.email).where(active).order_by(Account.name, Account.email)
    return {staff_id: name or email for staff_id, name, email in session.execute(rows)}


def never_let_go(session: Session, staff_id: str, job_id: str) -> bool:
    """Whether this member of staff claimed the job once and did not release it since."""
    mine = select(StaffAct.deed).where(StaffAct.job_id == job_id, StaffAct.staff_id == staff_id)
    claims = mine.where(StaffAct.deed.in_((StaffDeed.CLAIM, StaffDeed.RELEASE)))
    return session.scalar(claims.order_by(StaffAct.id.desc()).limit(1)) is StaffDeed.CLAIM


def _conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    # What cannot be an id names nobody, and spares the database strange input.
    staff_id = wanted.staff_id if is_id(wanted.staff_id, Prefix.ACCOUNT) else ""
    job_id = wanted.job_id if is_id(wanted.job_id, Prefix.JOB) else ""
    return [
        *((StaffAct.staff_id == staff_id,) if wanted.staff_id else ()),
        *((StaffAct.job_id == job_id,) if wanted.job_id else ()),
    ]


def _older(after: int | None) -> tuple[ColumnElement[bool], ...]:
    return () if after is None else (StaffAct.id < max(0, min(after, _LARGEST)),)
