"""Recipes: how each result of a job was made. They are kept after the job's files and results are removed."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from app.database import as_json
from app.domain.lifecycle import DOWNLOADABLE
from app.domain.recipes import Recipe, RecipeAppearance, RecipeStep
from app.models import Job, Photo, PhotoFrame, Result
from app.services.orders import jobs
from app.services.photos import downloads, frames
from engine.types.appearance import SharedAppearance
from engine.types.report import StepOutcome


def read(session: Session, account_id: str, job_id: str) -> list[Recipe]:
    """The recipes of the account's approved pictures, exterior first, in order; also after the pictures are
    removed.

    Raises NotFound, and NotReady while there are no results.
    """
    job = jobs.get_even_expired(session, account_id, job_id)
    if job.expired_at is not None:
        return [Recipe.model_validate(each) for each in job.recipes or ()]
    downloads.require_ready(job)
    return _read(session, job)


def keep(session: Session, job: Job) -> None:
    """Store the recipes in a job whose results are about to be deleted."""
    if job.status in DOWNLOADABLE:
        job.recipes = [as_json(each) for each in _read(session, job)]


def _read(session: Session, job: Job) -> list[Recipe]:
    rows = session.execute(downloads.select_approved(job.id)).all()
    appearance = RecipeAppearance.model_validate(job.shared_appearance or SharedAppearance())
    frames_by_photo = frames.get_all(session, job.id)
    return [_recipe(result, photo, appearance, frames_by_photo.get(photo.id, ())) for result, photo in rows]


def _recipe(result: Result, photo: Photo, appearance: RecipeAppearance, framed: Sequence[PhotoFrame]) -> Recipe:
    settings = result.picture.settings
    return Recipe(
        image_id=result.id,
        type=photo.type,
        index=photo.index,
        engine_version=result.picture.engine_version,
        seed=result.job_id,
        original_sha256=photo.sha256,
        picture_sha256=result.picture.picture_sha256,
        frame_sha256s=tuple(frame.sha256 for frame in framed if frame.sha256),
        steps=tuple(_step(each) for each in result.report.steps),
        edit_request=settings.request_for(photo.edit_request),
        photo_seed=settings.photo_seed,
        strength=settings.strength,
        appearance=appearance,
    )


def _step(outcome: StepOutcome) -> RecipeStep:
    return RecipeStep(enhancement=outcome.enhancement, applied=outcome.applied, made_by=outcome.maker)
