"""The pictures of options: scenes of the front page, edited by our engine with each value of each option.

deploy/landing makes them; a test compares the files with what the engine produces now.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from app.portal.public import examples
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.options import OPTIONS, EffectOptions

FOLDER = "img/options"
WIDTH, HEIGHT = 360, 240
Box = tuple[float, float, float, float]
"""Left, top, right and bottom as shares of the picture."""
_WHOLE: Box = (0.0, 0.0, 1.0, 1.0)
_STEPS: Mapping[str, tuple[Enhancement, ...]] = {
    "lawn": (Enhancement.GRASS,),
    "sky": (Enhancement.GRASS, Enhancement.SKY),
    "dusk": (Enhancement.GRASS, Enhancement.TWILIGHT),
    "brightness": (Enhancement.HDR,),
}
_BOXES: Mapping[str, Box] = {"lawn": (0.25, 0.55, 0.7, 1.0), "sky": (0.0, 0.0, 0.85, 0.85)}


@dataclass(frozen=True, slots=True)
class OptionPicture:
    """The picture of one value of an option: the part `box` of an edited scene."""

    option: str
    value: StrEnum

    @property
    def file(self) -> str:
        """Its path under the folder of static files."""
        return f"{FOLDER}/{self.option}-{self.value}.jpg"

    @property
    def scene(self) -> str:
        """The path of the scene before the edit, under the folder of static files."""
        name = "room" if self.option == "brightness" else "day"
        return examples.find_example(name).before

    @property
    def request(self) -> EditRequest:
        """The edit that is made to the scene."""
        return EditRequest(enhancements=_STEPS[self.option], options=EffectOptions.of({self.option: self.value}))

    @property
    def box(self) -> Box:
        """The part of the edited scene that is shown."""
        return _BOXES.get(self.option, _WHOLE)


def list_pictures() -> Iterator[OptionPicture]:
    """List a picture for each value of each option; options for every enhancement have none."""
    for option in OPTIONS:
        for value in option.choices if not option.is_for_all else ():
            yield OptionPicture(option.name, value)
