"""What customers say is not right with their results: one answer for each result, changed or taken back at will."""

from collections.abc import Iterable, Mapping
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.domain import complaints as rules
from app.domain.errors import NotFound
from app.domain.ids import Prefix, is_id
from app.domain.lifecycle import DOWNLOADABLE
from app.domain.quality import QualityReport
from app.models import Complaint, Job, Result
from app.services.orders import jobs
from app.services.photos import downloads


def submit(
    session: Session, account_id: str, job_id: str, image_id: str, flaws: Iterable[str], note: str, now: datetime
) -> None:
    """Keep what the owner says of a result, in place of what they said before. No credits move.

    Raises NotFound for all but approved results of the account's own orders, and InvalidRequest.
    """
    result = _own(session, account_id, job_id, image_id)
    said = rules.read_complaint(flaws, note, QualityReport.model_validate(result.report).applied)
    kept = session.get(Complaint, image_id) or Complaint(result_id=image_id)
    kept.flaws, kept.note, kept.said_at = list(said.flaws), said.note, now
    session.add(kept)


def withdraw(session: Session, account_id: str, job_id: str, image_id: str) -> None:
    """Forget what was said of a result; harmless where nothing was. Raises NotFound like submit()."""
    _own(session, account_id, job_id, image_id)
    session.execute(delete(Complaint).where(Complaint.result_id == image_id))


def of_job(session: Session, job_id: str) -> Mapping[str, Complaint]:
    """What was said of the job's results, by the id of the result."""
    found = select(Complaint).join(Result, Result.id == Complaint.result_id).where(Result.job_id == job_id)
    return {each.result_id: each for each in session.scalars(found)}


def get_all(session: Session, account_id: str) -> Mapping[str, Complaint]:
    """What was said of all results of the account that are still kept, by the id of the result."""
    found = select(Complaint).join(Result, Result.id == Complaint.result_id).join(Job, Job.id == Result.job_id)
    return {each.result_id: each for each in session.scalars(found.where(Job.account_id == account_id))}


def forget(session: Session, job_id: str) -> None:
    """Remove what was said of the job's results, which are about to go."""
    mine = select(Result.id).where(Result.job_id == job_id)
    session.execute(delete(Complaint).where(Complaint.result_id.in_(mine)))


def _own(session: Session, account_id: str, job_id: str, image_id: str) -> Result:
    """The result, its job held: neither a second answer nor the end of retention comes between."""
    jobs.get(session, account_id, job_id)
    if not is_id(image_id, Prefix.IMAGE):
        raise NotFound
    job = jobs.lock(session, job_id)
    row = session.execute(downloads.approved(job_id).where(Result.id == image_id)).one_or_none()
    if row is None or job.expired_at is not None or job.status not in DOWNLOADABLE:
        raise NotFound
    result, _photo = row
    return result
