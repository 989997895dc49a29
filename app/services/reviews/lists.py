"""What reviewers see: the jobs that wait for them, the jobs settled lately, and one job with all its results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, ScalarSelect, and_, func, or_, select
from sqlalchemy.orm import Session

from app.domain import reviews as rules
from app.domain.lifecycle import Status
from app.domain.reviews import ClaimState, ReviewClaim
from app.models import Job, Photo, Preview, Result, Revision, User
from app.services.orders import jobs
from app.services.pagination import CountedPage, Page, SortOrder, cut_page
from app.services.photos import quality
from app.services.previews import previews
from app.services.reviews import claims, decisions
from app.services.reviews.decisions import DecisionEffect
from app.services.revisions.queue import SentBackPhoto, count_sent_back, list_sent_back_photos
from engine.types.report import Verdict

PAGE = 25
_DUE_FIRST = SortOrder((Job.deadline_at, Job.id), descending=False)
_UNDER_REVIEW = (Job.status == Status.QC_REVIEW, Job.livemode)
"""No reviewer looks at test orders."""


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How much waits for reviewers: jobs under review, and results that customers sent back."""

    jobs: int
    sent_back: int


@dataclass(frozen=True, slots=True)
class WaitingJob:
    """A job under review: how many of its results are decided, and the claim on it."""

    job: Job
    decided: int
    claim: ReviewClaim


@dataclass(frozen=True, slots=True)
class SettledJob:
    """A job whose review is over, with the counts of its results. `sent_back`: how many the customer has
    sent back.
    """

    job: Job
    approved: int
    rejected: int
    sent_back: int


@dataclass(frozen=True, slots=True)
class Review:
    """One job as its reviewer sees it: the photos in their order with their results and rounds, the claim on the
    job, and what finishing does.
    """

    job: Job
    photos: Sequence[Photo]
    previews: Mapping[str, Preview]
    claim: ReviewClaim
    effect: DecisionEffect

    @property
    def sent_back(self) -> Sequence[SentBackPhoto]:
        """The photos of the order whose results the customer sent back, with what the customer wrote."""
        return list_sent_back_photos(self.photos)

    def find_open_rework(self, result: Result | None) -> Revision | None:
        """The open round that a reviewer began with the result; None if the result is not being made again."""
        rounds = result.reviewer_rounds if result else ()
        return next((each for each in rounds if each.outcome is None), None)


def count_waiting(session: Session) -> ReviewCounts:
    """Count what waits for reviewers."""
    under_review = session.scalar(select(func.count()).where(*_UNDER_REVIEW)) or 0
    return ReviewCounts(under_review, count_sent_back(session))


def queue(
    session: Session, staff_id: str, now: datetime, after: str | None = None, limit: int = PAGE
) -> CountedPage[WaitingJob, str]:
    """The jobs under review as this reviewer sees them, the one due first at the top; with `after`, those due after
    that job. Raises NotFound if there is no such job.
    """
    with_reviewer = select(Job, _count_results(Result.verdict != Verdict.UNDECIDED), User.name, User.email)
    rows = with_reviewer.outerjoin(User, User.id == Job.reviewer_id).where(*_UNDER_REVIEW)
    if after is not None:
        place = jobs.get_for_staff(session, after)
        rows = rows.where(_DUE_FIRST.beyond((place.deadline_at, place.id)))
    found = session.execute(_DUE_FIRST.sort(rows).limit(limit + 1)).all()
    shown = [
        WaitingJob(job, decided, _make_claim(job, name or email, staff_id, now))
        for job, decided, name, email in found
    ]
    total = session.scalar(select(func.count()).where(*_UNDER_REVIEW)) or 0
    page = cut_page(shown, limit, lambda row: row.job.id)
    return CountedPage(page.rows, page.next, total)


def paginate_settled(session: Session, after: str | None = None, limit: int = PAGE) -> Page[SettledJob, str]:
    """The settled jobs that are still kept, the last settled first; with `after`, those settled before this job.
    Raises NotFound if there is no such job.
    """
    counts = (
        _count_results(Result.verdict == Verdict.APPROVED),
        _count_results(Result.verdict == Verdict.REJECTED),
        _count_sent_back(),
    )
    rows = select(Job, *counts).where(Job.livemode, Job.expired_at.is_(None), Job.settled_at.is_not(None))
    if after is not None:
        place = jobs.get_for_staff(session, after)
        same_time = and_(Job.settled_at == place.settled_at, Job.id > place.id)
        rows = rows.where(or_(Job.settled_at < place.settled_at, same_time))
    found = session.execute(rows.order_by(Job.settled_at.desc(), Job.id).limit(limit + 1)).all()
    return cut_page([SettledJob(*row) for row in found], limit, lambda row: row.job.id)


def review(session: Session, staff_id: str, job_id: str, now: datetime) -> Review:
    """The job of any account with all that a reviewer needs to decide, under review or not. Raises NotFound."""
    job = claims.get_job(session, job_id)
    photos = quality.photos_of(session, job_id, with_rounds=True)
    keys = [key for photo in photos for key in _keys(photo)]
    return Review(
        job=job,
        photos=photos,
        previews=previews.get_all(session, keys),
        claim=claims.describe_claim(session, staff_id, job, now),
        effect=decisions.compute_effect(job, photos),
    )


def next_undecided(session: Session, job_id: str, image_id: str) -> tuple[int, bool]:
    """Find the next photo after this result that is undecided and not being made again; after the last photo comes
    the first. Returns the photo's number, from 1, and True. If there is none, returns the number of the result's
    own photo, and False.
    """
    results = [photo.result for photo in quality.photos_of(session, job_id)]
    being_made = (Revision.job_id == job_id, Revision.by_reviewer, Revision.outcome.is_(None))
    busy = set(session.scalars(select(Revision.result_id).where(*being_made)))
    own = next((place for place, each in enumerate(results) if each and each.id == image_id), 0)
    for place in (*range(own + 1, len(results)), *range(own)):
        each = results[place]
        if each and each.verdict is Verdict.UNDECIDED and each.id not in busy:
            return place + 1, True
    return own + 1, False


def number_of(session: Session, photo: Photo) -> int:
    """The photo's place in its order, from 1."""
    return [each.id for each in quality.photos_of(session, photo.job_id)].index(photo.id) + 1


def _keys(photo: Photo) -> list[str]:
    made = photo.result.storage_key if photo.result else None
    return [photo.storage_key, made] if made else [photo.storage_key]


def _make_claim(job: Job, holder: str | None, staff_id: str, now: datetime) -> ReviewClaim:
    state = rules.claim_state(job.reviewer_id, job.review_until, staff_id, now)
    return ReviewClaim(state) if state is ClaimState.FREE else ReviewClaim(state, holder or "", job.review_until)


def _count_results(which: ColumnElement[bool]) -> ScalarSelect[int]:
    return select(func.count()).where(Result.job_id == Job.id, which).scalar_subquery()


def _count_sent_back() -> ScalarSelect[int]:
    """How many results of the job its owner sent back."""
    by_owner = (Revision.result_id == Result.id, Revision.by_reviewer.is_(False))
    sent_back = select(Revision.id).where(*by_owner).exists()
    return select(func.count()).where(Result.job_id == Job.id, sent_back).correlate(Job).scalar_subquery()
