"""What customers said is not right with their results to the release before, one answer for each result.

This release keeps rounds instead, see revisions.py: of answers that are there it tells, and lets them go.
"""

from collections.abc import Mapping

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from app.models import Complaint, Job, Result


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
