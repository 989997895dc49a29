"""Recipes: everything that is needed to make a result again, besides the original."""

from typing import Annotated

from pydantic import Field, WithJsonSchema

from app.domain.api_types import StoredAnswer
from app.domain.fields import AlteredDigest, Digest, EngineVersion, FrameDigests, ImageId, Index, JobId
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.hints import SceneHints
from engine.types.options import EffectOptions
from engine.types.report import Maker


class RecipeStep(StoredAnswer, title="RecipeStepAnswer"):
    """One enhancement of the recipe."""

    enhancement: Enhancement
    applied: bool = Field(description="Whether it was done.")
    made_by: Maker | None = Field(
        default=None, description="Who made it; absent where it was not done.", examples=[Maker.WORKER]
    )


Color = Annotated[tuple[float, float, float], WithJsonSchema({"type": "array", "items": {"type": "number"}})]


class RecipeAppearance(StoredAnswer, title="AppearanceAnswer"):
    """What the photos of the order share: white points as factors of red, green and blue, the median luma (0-1),
    the side of the sun (-1 left, 1 right). A value is absent where no photo shows it.
    """

    cast_outdoors: Color | None = None
    cast_indoors: Color | None = None
    brightness_indoors: float | None = None
    sun_side: float | None = None


class RecipeFacts(StoredAnswer):
    """How one picture was made. With the original and the same engine version, these facts give the same picture
    again, byte for byte, unless a generative server made a step. Facts that were not recorded are None.
    """

    image_id: ImageId
    type: PhotoType
    index: Index = Field(description="Its place among those of its type, from 0.")
    engine_version: EngineVersion | None = Field(
        default=None, description="With the same one the bytes are the same."
    )
    seed: JobId = Field(description="The random seed: it decides, for example, the clouds.")
    photo_seed: int = Field(
        default=0,
        description="A second random seed, for this picture alone: 0, or the number of another try.",
        examples=[0],
    )
    strength: float = Field(
        default=1,
        description="The share of the change, less than 1 where steps that can do less were weakened.",
        examples=[1],
    )
    original_sha256: Digest | None = Field(default=None, description="Of the photo as it was ordered.")
    frame_sha256s: FrameDigests = None
    picture_sha256: AlteredDigest | None = Field(
        default=None, description="Of the picture as it was encoded, before anything was signed into it."
    )
    steps: tuple[RecipeStep, ...]
    appearance: RecipeAppearance


class Recipe(RecipeFacts):
    """A recipe as it is kept, with the photo's whole edit request."""

    edit_request: EditRequest

    @property
    def staging(self) -> EditRequest | None:
        """The edit request, whose `style` and `room_type` say how the room was furnished; None without staging."""
        return self.edit_request if Enhancement.STAGING in self.edit_request.steps else None

    @property
    def changes(self) -> tuple[RenovationChange, ...]:
        """The changes of a renovation."""
        return self.edit_request.changes

    @property
    def hints(self) -> SceneHints | None:
        """The hints that the picture was made with."""
        return self.edit_request.hints

    @property
    def options(self) -> EffectOptions | None:
        """The options chosen."""
        return self.edit_request.options
