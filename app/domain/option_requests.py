"""The options of effects in requests of the API."""

from typing import Any

from pydantic import ConfigDict, Field

from app.domain.request_limits import Request
from engine.types.options import (
    OPTIONS,
    Brightness,
    DuskKind,
    EffectOptions,
    LawnLook,
    Privacy,
    SkyKind,
    Verticals,
)


def _is_none(value: object) -> bool:
    return value is None


def _describe_defaults(schema: dict[str, Any]) -> None:
    for each in OPTIONS:
        field = schema["properties"][each.name]
        field["description"] = f"{field['description'][:-1]}; left out: {each.usual}."


class OptionsRequest(Request):
    """The options of effects. An option that is left out has the value for all photos, or else its default."""

    # A dump contains only what was chosen, so that options added by later releases change no digest.
    model_config = ConfigDict(json_schema_extra=_describe_defaults)

    sky: SkyKind | None = Field(default=None, exclude_if=_is_none, description="For sky_enhancement.")
    dusk: DuskKind | None = Field(default=None, exclude_if=_is_none, description="For twilight_conversion.")
    lawn: LawnLook | None = Field(default=None, exclude_if=_is_none, description="For grass_enhancement.")
    brightness: Brightness | None = Field(
        default=None, exclude_if=_is_none, description="For hdr_enhancement and flambient_enhancement."
    )
    verticals: Verticals | None = Field(default=None, exclude_if=_is_none, description="For every enhancement.")
    privacy: Privacy | None = Field(default=None, exclude_if=_is_none, description="For every enhancement.")

    @property
    def effect_options(self) -> EffectOptions:
        """The options as a part of an edit request."""
        return EffectOptions(**dict(self))
