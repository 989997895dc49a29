"""The content of a preset (house style): choices that an account keeps for any order."""

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from engine.types.enhancements import Enhancement, PhotoType, Style
from engine.types.options import EffectOptions, drop_empty

MAX_PRESETS = 50
"""The most presets of one account."""
MAX_PRESET_NAME = 100
SAMPLE_NAME = "Our listings"

Chosen = Annotated[tuple[Enhancement, ...], Field(max_length=len(Enhancement))]
ChosenOptions = Annotated[EffectOptions | None, AfterValidator(drop_empty)]


class PresetContent(BaseModel):
    """The choices: enhancements for all photos of a type, options of effects, the style in which rooms are
    staged.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    exterior_enhancements: Chosen = ()
    interior_enhancements: Chosen = ()
    options: ChosenOptions = None
    staging_style: Style | None = None

    def enhancements_for(self, photo_type: PhotoType) -> Sequence[Enhancement]:
        """The enhancements for all photos of the type."""
        exterior = photo_type is PhotoType.EXTERIOR
        return self.exterior_enhancements if exterior else self.interior_enhancements

    @property
    def is_empty(self) -> bool:
        """Whether nothing is chosen at all."""
        return self == PresetContent()
