"""What reviewers do to a round of a photo, written to the log of what staff did."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.staff import StaffAction
from app.models import Photo, Revision
from app.services.security import staff_acts


def record(
    session: Session,
    staff_id: str,
    action: StaffAction,
    revision: Revision,
    photo: Photo,
    now: datetime,
    words: str = "",
) -> None:
    """Write the act down with the photo's name, which round it was of whose, and what was said."""
    whose = "before delivery, " if revision.is_rework else ""
    detail = f"{photo.file_name}, {whose}round {revision.number}. {words}".rstrip(". ")
    staff_acts.record(session, staff_id, action, revision.job_id, now, detail)
