"""Jobs for staff: found, listed, and one job with everything that happened to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, select
from sqlalchemy.orm import Session, joinedload

from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import UNSETTLED, Status, WorkState
from app.models import Delivery, Event, Job, LedgerLine, Membership, Photo, Revision, User
from app.services.accounts import organizations
from app.services.orders import job_pages, jobs
from app.services.orders.job_pages import OrderStage
from app.services.orders.order_list import plain
from app.services.pagination import Page, Query, SortOrder, cut_page
from app.services.photos import lost_originals, quality
from app.services.photos.lost_originals import LostOriginals
from app.services.security import staff_acts
from app.services.staff import search as staff_search
from app.services.staff.search import PAGE, Place, Range

MAX_ACTS, MAX_DELIVERIES = 25, 200
"""Most of each that are listed of one job."""
_NEWEST = SortOrder((Job.created_at, Job.id))
_DUE_FIRST = SortOrder((Job.deadline_at, Job.id), descending=False)


@dataclass(frozen=True, slots=True)
class JobFilter:
    """The jobs to list. `search` is the id of a job, the id or a member's e-mail of an account, or the beginning of
    a property's address. `status` and `overdue` narrow the list of all jobs or of one account.
    """

    search: str = ""
    status: Status | None = None
    overdue: bool = False


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job in the list, and the e-mail of its account's owner."""

    job: Job
    email: str


@dataclass(frozen=True, slots=True)
class StaffJobPage(Page[JobRow, str]):
    """A page of jobs; `by_address`: they were found by the property's address, and are sorted by it."""

    by_address: bool = False


@dataclass(frozen=True, slots=True)
class UnfinishedPhotos:
    """How many photos of a job wait for an attempt, had a worker that died, or are done or being worked on
    (`rest`).
    """

    waiting: int
    died: int
    rest: int


@dataclass(frozen=True, slots=True)
class JobDetails:
    """One job: its owner, stages, photos with results, ledger lines, events with deliveries, staff's acts.

    `lost`: which of its published originals are missing, if any. `sent_back`: the open rounds in which the customer
    sent results back, by the id of the result.
    """

    job: Job
    owner: Membership
    reviewer: User | None
    stages: Sequence[OrderStage]
    photos: Sequence[Photo]
    lines: Sequence[LedgerLine]
    events: Sequence[Event]
    deliveries: Sequence[Delivery]
    acts: Sequence[staff_acts.ActRow]
    lost: LostOriginals | None
    sent_back: Mapping[str, Revision]

    def find_unfinished(self, now: datetime) -> UnfinishedPhotos:
        """Count the photos that a requeue would put back, waiting or with a dead worker, and the rest."""
        waiting = sum(each.state is WorkState.WAITING for each in self.photos)
        died = sum(
            each.state is WorkState.WORKING and each.lease_until is not None and each.lease_until < now
            for each in self.photos
        )
        return UnfinishedPhotos(waiting, died, len(self.photos) - waiting - died)

    def of(self, event: Event) -> list[Delivery]:
        """The deliveries of one event."""
        return [each for each in self.deliveries if each.event_id == event.id]


def paginate(
    session: Session, job_filter: JobFilter, now: datetime, after: str | None = None, limit: int = PAGE
) -> StaffJobPage:
    """The jobs of the filter that follow the job `after` in the list: the newest first; if found by address, in the
    order of addresses; if overdue, the longest overdue first. Raises NotFound when `after` is not a job.
    """
    place = jobs.get_for_staff(session, after) if after else None
    text = plain(job_filter.search)
    if is_id(text, Prefix.JOB):
        return _read_page(session, select(Job.id).where(Job.id == text), limit)
    if text and "@" not in text and not is_id(text, Prefix.ACCOUNT):
        return _find_by_address(session, text, place, limit)
    of_account = _where_account(session, text) if text else ()
    if job_filter.overdue:
        return _make_page(
            session, list_by_deadline(session, [Job.deadline_at <= now, *of_account], place, limit + 1), limit
        )
    rows = select(Job.id).where(Job.livemode, *of_account)
    if job_filter.status:
        # between() and the order by status, not "=": else a planner may scan by time alone, through other states.
        rows = rows.where(Job.status.between(job_filter.status, job_filter.status)).order_by(Job.status.desc())
    if place is not None:
        rows = rows.where(_NEWEST.beyond((place.created_at, place.id)))
    return _read_page(session, _NEWEST.sort(rows), limit)


def describe(session: Session, job_id: str, now: datetime) -> JobDetails:
    """One job with its details, always in the same few queries. Raises NotFound."""
    job = jobs.get_for_staff(session, job_id)
    lines = select(LedgerLine).where(LedgerLine.job_id == job.id).order_by(LedgerLine.id)
    events = select(Event).where(Event.job_id == job.id)
    sent = select(Delivery).join(Event, Event.id == Delivery.event_id).where(Event.job_id == job.id)
    acts = staff_acts.paginate(session, staff_acts.ActFilter(job_id=job.id), limit=MAX_ACTS)
    open_ = select(Revision).where(
        Revision.job_id == job.id, Revision.by_reviewer.is_(False), Revision.outcome.is_(None)
    )
    return JobDetails(
        job=job,
        owner=organizations.get_owner(session, job.account_id),
        reviewer=session.get(User, job.reviewer_id) if job.reviewer_id else None,
        stages=job_pages.list_stages(job),
        photos=quality.photos_of(session, job.id),
        lines=session.scalars(lines).all(),
        events=sorted(session.scalars(events), key=_event_sort_key),
        deliveries=session.scalars(
            sent.options(joinedload(Delivery.webhook)).order_by(Delivery.number).limit(MAX_DELIVERIES)
        ).all(),
        acts=acts.rows,
        lost=next(iter(lost_originals.list_lost(session, now, job.id)), None),
        sent_back={each.result_id: each for each in session.scalars(open_)},
    )


def _event_sort_key(event: Event) -> tuple[datetime, int]:
    """Sort key of an event: its time, then its number, because some happen at the same time."""
    return event.created_at, event.number or 0


def list_by_deadline(
    session: Session, conditions: Sequence[ColumnElement[bool]], place: Job | None, limit: int
) -> list[str]:
    """Up to `limit` ids of unfinished jobs that meet the conditions, earliest deadline first, read by status."""
    later = (_DUE_FIRST.beyond((place.deadline_at, place.id)),) if place else ()
    found: list[tuple[datetime, str]] = []
    for status in sorted(UNSETTLED):
        rows = select(Job.deadline_at, Job.id).where(Job.livemode, Job.status == status, *conditions, *later)
        rows = _DUE_FIRST.sort(rows).limit(limit)
        found += [(at, job_id) for at, job_id in session.execute(rows)]
    return [job_id for _, job_id in sorted(found)[:limit]]


def rows_of(session: Session, job_ids: Sequence[str]) -> list[JobRow]:
    """The jobs with these ids, in the same order, with the e-mail of each account's owner."""
    owned = and_(Membership.organization_id == Job.account_id, organizations.IS_LONGEST_OWNER)
    whole = select(Job, User.email).select_from(Job).join(Membership, owned)
    whole = whole.join(User, User.id == Membership.user_id).where(Job.id.in_(job_ids))
    found = {job.id: JobRow(job, email) for job, email in session.execute(whole)}
    return [found[job_id] for job_id in job_ids if job_id in found]


def _where_account(session: Session, text: str) -> tuple[ColumnElement[bool]]:
    if is_id(text, Prefix.ACCOUNT):
        return (Job.account_id == text,)
    members = select(Membership.organization_id).join(User, User.id == Membership.user_id)
    oldest = members.where(User.email == text.lower()).order_by(Membership.created_at).limit(1)
    return (Job.account_id == (session.scalar(oldest) or ""),)


def _find_by_address(session: Session, text: str, place: Job | None, limit: int) -> StaffJobPage:
    ranges = [Range(Job.address, Job.id, each) for each in staff_search.list_spellings(text)]
    after: Place | None = staff_search.find_place(ranges, place, place.id) if place else None
    rows = staff_search.fetch_first(session, select(Job.id).where(Job.livemode), ranges, after, limit + 1)
    return _make_page(session, [row[0] for row in rows], limit, by_address=True)


def _read_page(session: Session, rows: Query, limit: int) -> StaffJobPage:
    return _make_page(session, session.scalars(rows.limit(limit + 1)).all(), limit)


def _make_page(session: Session, job_ids: Sequence[str], limit: int, *, by_address: bool = False) -> StaffJobPage:
    ids = cut_page(job_ids, limit, str)
    return StaffJobPage(rows_of(session, ids.rows), ids.next, by_address)
