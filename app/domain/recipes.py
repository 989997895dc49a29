"""What a result can be made again from, without a copy of it."""

from pydantic import BaseModel, ConfigDict

from app.domain.catalogue import Enhancement, PhotoType
from app.domain.edit_requests import EditRequest
from app.domain.quality import Maker
from app.domain.shared_appearance import SharedAppearance


class RecipeStep(BaseModel):
    """One enhancement of the recipe: whether it was done, and who made it."""

    model_config = ConfigDict(frozen=True)

    enhancement: Enhancement
    applied: bool
    maker: Maker | None = None


class Recipe(BaseModel):
    """How one picture was made: with the original, this and the same engine it comes out the same, byte for byte,
    unless a generative server made a step.

    `frame_sha256s`: of the files that became the photo, where they were more than one; the original is one of them.
    `seed` decides what chance decides, with `photo_seed` where that is not 0 what it decides for this photo alone;
    `strength` (0-1) is how much of their change those steps do that can do less. `appearance` is what the order's
    photos share. `picture_sha256` is that of the picture before anything is signed into it. What is None was not
    kept when it was made.
    """

    model_config = ConfigDict(frozen=True)

    image_id: str
    type: PhotoType
    index: int
    engine_version: str | None
    seed: str
    photo_seed: int = 0
    strength: float = 1.0
    original_sha256: str | None
    picture_sha256: str | None
    frame_sha256s: tuple[str, ...] = ()
    steps: tuple[RecipeStep, ...]
    edit_request: EditRequest
    appearance: SharedAppearance
