"""What reviewers do to a round of a photo, written to the log of what staff did."""

from datetime import datetime

from sqlalchemy.orm import Session

from app.domain.catalogue import ENTRIES
from app.domain.revisions import AS_ORDERED, RoundSettings
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
    """Write the act down with the photo's name, which round it was of whose, how it is made, and what was said."""
    whose = "before delivery, " if revision.is_rework else ""
    how = describe(revision.settings) if action is StaffAction.MAKE_AGAIN and revision.settings else ""
    facts = ", ".join(filter(None, (f"{photo.file_name}, {whose}round {revision.number}", how)))
    staff_acts.record(session, staff_id, action, revision.job_id, now, f"{facts}. {words}".rstrip(". "))


def describe(settings: RoundSettings) -> str:
    """What is otherwise with these settings than as it was ordered."""
    another = settings.photo_seed != AS_ORDERED.photo_seed
    said = [f"another random start (number {settings.photo_seed})"] if another else []
    if settings.strength < AS_ORDERED.strength:
        said.append(f"{100 * settings.strength:.0f} % of the change")
    said += [f"without {ENTRIES[each].label}" for each in settings.left_out]
    return ", ".join(said)
