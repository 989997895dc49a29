"""Limits how many photos a sandbox may have in work and order within a day, because they cost the operator."""

from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from app.database import is_one_of
from app.domain.lifecycle import WORKABLE, WorkState
from app.domain.limits import TEST_PHOTOS_A_DAY, TEST_PHOTOS_IN_WORK
from app.domain.sandbox_errors import SandboxFull
from app.models import Job, Organization, Photo

_DAY = timedelta(days=1)


def require(session: Session, account_id: str, more: int, now: datetime) -> None:
    """Raise SandboxFull if the sandbox would have too many photos with `more` additional ones."""
    # Orders at the same moment are counted one after the other, like their charges. A stronger lock would delay
    # inserts of rows that refer to the account, and could lead to deadlocks.
    session.execute(select(Organization.id).where(Organization.id == account_id).with_for_update(key_share=True))
    mine = Job.account_id == account_id
    waiting = (mine, is_one_of(Job.status, WORKABLE), Photo.state != WorkState.DONE)
    in_work = select(func.count()).select_from(Photo).join(Job).where(*waiting)
    of_day = select(func.sum(Job.interior_count + Job.exterior_count)).where(mine, Job.created_at > now - _DAY)
    for query, limit, per_day in ((in_work, TEST_PHOTOS_IN_WORK, False), (of_day, TEST_PHOTOS_A_DAY, True)):
        photos = (session.scalar(query) or 0) + more
        if photos > limit:
            raise SandboxFull(photos, limit, per_day=per_day)
