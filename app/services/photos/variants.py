"""Variants: pictures made again of approved results with only some of their steps, wanted and looked up.

What a variant shows is made from the photo, the order's seed and the same engine as the result, so that nothing but
the steps left out differs. Its worker is variant_worker.py; its files lie among the job's results and go with them.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, delete, func, select
from sqlalchemy.orm import Session

from app.database import notify_after_commit
from app.domain.attempts import VARIANTS
from app.domain.catalogue import Cost, Enhancement, cost_of
from app.domain.content_credentials import CredentialKind
from app.domain.edit_requests import EditRequest
from app.domain.lifecycle import WorkState
from app.domain.ports import PHOTO_QUEUES, Picture
from app.domain.quality import QualityReport
from app.domain.revisions import AS_ORDERED, RoundSettings
from app.domain.shared_appearance import SharedAppearance
from app.domain.variants import (
    MAX_VARIANTS,
    NoVariant,
    VariantState,
    exempt_steps,
    find_obstacle,
    keep_steps,
    key_of,
    reduce_request,
)
from app.engine_version import engine_version
from app.models import Job, Photo, PictureVariant, Result
from app.services.leases import Lease, WorkQueue
from app.services.orders import jobs
from app.services.photos import frames, photos
from app.services.photos.frames import FrameFile

QUEUE = WorkQueue(PictureVariant.id, PictureVariant.attempts, VARIANTS)


@dataclass(frozen=True, slots=True)
class VariantClaim(Lease):
    """One worker's hold on one variant, and what it is made from; `sha256` of the photo, where it is known.
    `settings`: of the result.
    """

    job_id: str
    storage_key: str
    sha256: str | None
    edit_request: EditRequest
    appearance: SharedAppearance
    settings: RoundSettings
    frames: tuple[FrameFile, ...] = ()

    def picture_key(self, picture: Picture) -> str:
        """Where this claim's picture lies; another claim's lies elsewhere, so neither can spoil the other."""
        return f"{photos.results_prefix(self.job_id)}{self.key}-{self.claim_id}.{picture.extension}"


@dataclass(frozen=True, slots=True)
class VariantOutcome:
    """What came of the work: a stored picture with its digest, and whose `credentials` it carries; or, without one,
    that every step declined.
    """

    report: QualityReport
    picture: Picture | None = None
    key: str | None = None
    sha256: str | None = None
    credentials: CredentialKind | None = None


def request(
    session: Session,
    job: Job,
    result: Result,
    kept: Iterable[Enhancement],
    now: datetime,
    *,
    again: bool = False,
) -> PictureVariant | NoVariant:
    """Ask for the picture of an approved result with only the `kept` ones of its steps, in the caller's
    transaction; a worker is notified after the commit.

    Harmless to repeat: what is wanted or made already stays as it is, but for one that could not be made where it
    is to be tried `again`. The code says why there can be none, nothing is written then. Holds the job.
    """
    jobs.lock(session, job.id)
    # Another picture may have come in its place since it was read.
    session.refresh(result)
    report = QualityReport.model_validate(result.report)
    steps = keep_steps(report, kept)
    obstacle = find_obstacle(report, steps)
    if obstacle is not None:
        return obstacle
    found = session.scalar(_of_result(result.id).where(PictureVariant.kept_key == key_of(steps)))
    if found is not None and not (again and found.error):
        return found
    obstacle = _find_obstacle(session, job, result, found)
    if obstacle is not None:
        return obstacle
    if found is None:
        found = PictureVariant(job_id=job.id, result_id=result.id, kept=list(steps), kept_key=key_of(steps))
        found.cost, found.created_at = cost_of(steps), now
        session.add(found)
    found.state, found.attempts, found.next_attempt_at, found.error = WorkState.WAITING, 0, now, None
    session.flush()
    notify_after_commit(session, PHOTO_QUEUES[found.cost], [found.id])
    return found


def get_all(session: Session, job_id: str) -> list[PictureVariant]:
    """All variants of the job's pictures, in one query, the oldest first; see is_settled() for how each stands."""
    mine = select(PictureVariant).where(PictureVariant.job_id == job_id)
    return list(session.scalars(mine.order_by(PictureVariant.created_at, PictureVariant.id)))


def get_by_result(session: Session, job_id: str) -> dict[str, list[PictureVariant]]:
    """The same by the id of the result."""
    found: dict[str, list[PictureVariant]] = {}
    for variant in get_all(session, job_id):
        found.setdefault(variant.result_id, []).append(variant)
    return found


def list_ready(session: Session, job_ids: Collection[str]) -> set[tuple[str, str]]:
    """Those of these jobs that are files of their own: by the id of the result and the steps kept, as one text."""
    ready = select(PictureVariant.result_id, PictureVariant.kept_key)
    ready = ready.where(PictureVariant.job_id.in_(job_ids), PictureVariant.storage_key.is_not(None))
    return {(row[0], row[1]) for row in session.execute(ready)}


def is_settled(variant: PictureVariant) -> bool:
    """Whether nothing more will happen to it: it has a `storage_key`, it `declined`, or it has an `error`."""
    return variant.state is WorkState.DONE


def state_of(variant: PictureVariant) -> VariantState:
    """How it stands."""
    if variant.error is not None:
        return VariantState.FAILED
    if not is_settled(variant):
        return VariantState.MAKING
    return VariantState.ORIGINAL if variant.declined else VariantState.READY


def renew(session: Session, job: Job, result: Result, now: datetime) -> None:
    """Ask for all variants of a result anew whose picture was just replaced: those there are show the one before.

    Holds the job. Their files go with the job's.
    """
    there = [[Enhancement(step) for step in each.kept] for each in session.scalars(_of_result(result.id))]
    gone = delete(PictureVariant).where(PictureVariant.result_id == result.id)
    session.execute(gone.execution_options(synchronize_session="fetch"))
    for kept in there:
        request(session, job, result, kept, now)
    request_base(session, job, result, now)


def request_base(session: Session, job: Job, result: Result, now: datetime) -> None:
    """Ask for the picture with only those steps of which nothing need be told, unless it is the original or the
    altered one, or there can be none.
    """
    request(session, job, result, exempt_steps(QualityReport.model_validate(result.report)), now)


def claim(session: Session, variant_id: str, now: datetime) -> VariantClaim | None:
    """Take the variant if it is due and nobody else's; the attempt counts, whatever becomes of it.

    None when there is nothing to do: also when it was given up, because its workers died too often or another
    engine than the result's would make it.
    """
    held = QUEUE.claim(session, variant_id, now)
    if held is None:
        return None
    whole = select(PictureVariant, Result, Photo, Job).join(Result, Result.id == PictureVariant.result_id)
    whole = whole.join(Photo, Photo.id == Result.photo_id).join(Job, Job.id == Result.job_id)
    variant, result, photo, job = session.execute(whole.where(PictureVariant.id == variant_id)).one()
    if held.attempt > VARIANTS.max_attempts:
        give_up(session, held, NoVariant.PROCESSING_FAILED)
        return None
    if result.engine_version != engine_version():
        give_up(session, held, NoVariant.ENGINE_CHANGED)
        return None
    asked = reduce_request(photo.edit_request, [Enhancement(each) for each in variant.kept])
    look = SharedAppearance() if job.look is None else SharedAppearance.model_validate(job.look)
    whose = held.claim_id, held.key, held.attempt, job.id
    source = photo.storage_key, photo.sha256, asked, look
    files = frames.list_files(session, photo.id)
    return VariantClaim(*whose, *source, result.settings or AS_ORDERED, files)


def finish(session: Session, held: VariantClaim, outcome: VariantOutcome, now: datetime) -> bool:
    """Keep the outcome, and want small pictures of it and its labelled copy; False when the claim was lost, or the
    job's pictures are gone.
    """
    values = {"report": outcome.report.model_dump(mode="json"), "declined": outcome.picture is None, "error": None}
    if outcome.picture is not None:
        picture = outcome.picture
        values |= {"storage_key": outcome.key, "sha256": outcome.sha256, "media_type": picture.media_type}
        values |= {"credentials": outcome.credentials}
        values |= {"width": picture.width, "height": picture.height, "size_bytes": len(picture.content)}
    if not QUEUE.finish(session, held, **values):
        return False
    if outcome.key is not None:
        listing = session.get_one(Job, held.job_id).listing
        photos.request_result_previews(session, listing, outcome.key, outcome.report, now)
    return True


def give_up(session: Session, held: Lease, why: NoVariant) -> bool:
    """Note that there can be none, and why; False like finish()."""
    return QUEUE.finish(session, held, error=why.value)


def retry(session: Session, held: VariantClaim, now: datetime) -> bool:
    """The work broke: let another try follow, later each time, or give up after the last. False like finish()."""
    if held.attempt >= VARIANTS.max_attempts:
        return give_up(session, held, NoVariant.PROCESSING_FAILED)
    return QUEUE.retry(session, held, now)


def due(session: Session, now: datetime, limit: int, cost: Cost) -> list[str]:
    """The variants of this cost longest due."""
    mine = select(PictureVariant.id).where(QUEUE.is_due(now), PictureVariant.cost == cost)
    return list(session.scalars(mine.order_by(PictureVariant.next_attempt_at).limit(limit)))


def _of_result(result_id: str) -> Select[PictureVariant]:
    return select(PictureVariant).where(PictureVariant.result_id == result_id)


def _find_obstacle(session: Session, job: Job, result: Result, found: PictureVariant | None) -> NoVariant | None:
    if job.expired_at is not None or result.storage_key is None:
        return NoVariant.FILES_GONE
    if result.engine_version != engine_version():
        return NoVariant.ENGINE_CHANGED
    made = select(func.count()).where(PictureVariant.result_id == result.id)
    if found is None and (session.scalar(made) or 0) >= MAX_VARIANTS:
        return NoVariant.TOO_MANY
    return None
