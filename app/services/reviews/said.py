"""What a customer says is not right with the results of an order, photo by photo, for whoever judges one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from app.models import Photo, Revision
from app.services.photos import quality, revision_rounds


@dataclass(frozen=True, slots=True)
class SaidOfPhoto:
    """The rounds in which one photo's result was sent back. `number` is the photo's place in the order, from 1."""

    number: int
    photo: Photo
    rounds: Sequence[Revision]


def list_said(session: Session, job_id: str) -> list[SaidOfPhoto]:
    """What was said of the job's photos, in their order; those of which nothing was are left out."""
    return gather_said(quality.photos_of(session, job_id), revision_rounds.of_job(session, job_id))


def gather_said(photos: Sequence[Photo], sent_back: Mapping[str, Sequence[Revision]]) -> list[SaidOfPhoto]:
    """The same of rows at hand, which are by the ids of the results."""
    every = (
        SaidOfPhoto(number, photo, sent_back.get(photo.result.id, ()))
        for number, photo in enumerate(photos, 1)
        if photo.result is not None
    )
    return [each for each in every if each.rounds]
