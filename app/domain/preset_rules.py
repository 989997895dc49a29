"""A preset as a customer sends it, and the function that reads it and reports all faults at once."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from pydantic import Field, StrictBool, StringConstraints, ValidationError

from app.domain.api_types import Line
from app.domain.errors import InvalidFields
from app.domain.field_errors import Fault, FaultCode, Faults, shape_faults
from app.domain.order_rules import find_list_faults
from app.domain.orders import Enhancements, Options
from app.domain.presets import MAX_PRESET_NAME, SAMPLE_NAME, PresetContent
from app.domain.request_limits import Request
from engine.types.enhancements import Enhancement, PhotoType, Style

PresetName = Annotated[Line, StringConstraints(min_length=1, max_length=MAX_PRESET_NAME)]


class PresetRequest(Request):
    """Choices to be kept under a name. The preset says nothing about fields that are left out."""

    name: PresetName = Field(
        description="What it is called; no two presets of an account have the same name.", examples=[SAMPLE_NAME]
    )
    exterior_enhancements: Enhancements = Field(
        description="For all exterior photos.", examples=[[Enhancement.GRASS]]
    )
    interior_enhancements: Enhancements = Field(
        description="For all interior photos.", examples=[[Enhancement.HDR]]
    )
    options: Options | None = Field(default=None, description="Of single effects, for all photos that get them.")
    staging_style: Style | None = Field(
        default=None,
        description="The style of staged rooms for which the order names none.",
        examples=[Style.SCANDINAVIAN],
    )
    is_default: StrictBool = Field(
        default=False, description="Whether new orders of the portal begin with it; it is the only one then."
    )

    @property
    def content(self) -> PresetContent:
        """The choices of the preset."""
        return PresetContent(
            exterior_enhancements=tuple(self.exterior_enhancements),
            interior_enhancements=tuple(self.interior_enhancements),
            options=self.options.effect_options if self.options else None,
            staging_style=self.staging_style,
        )


def read_preset(data: Mapping[str, Any]) -> PresetRequest:
    """The preset in the data. Raises InvalidFields with all faults."""
    given = {key: value for key, value in data.items() if value is not None}
    try:
        wanted, faults = PresetRequest.model_validate(given), Faults()
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, PresetRequest).values()) from None
    for fault in _list_faults(wanted):
        faults.add(fault)
    if wanted.content.is_empty:
        faults.add(Fault(("exteriorEnhancements",), FaultCode.NOTHING_CHOSEN))
    if faults:
        raise InvalidFields(faults.values())
    return wanted


def _list_faults(wanted: PresetRequest) -> Iterator[Fault]:
    yield from find_list_faults(("exteriorEnhancements",), wanted.exterior_enhancements, PhotoType.EXTERIOR)
    yield from find_list_faults(("interiorEnhancements",), wanted.interior_enhancements, PhotoType.INTERIOR)
