"""The pictures of options: what our engine makes of the front page's scenes with each value that can be chosen.

deploy/landing makes them; a test holds the files to what the engine does now.
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
    """One value of an option, shown in the part `box` of what the engine makes of a scene."""

    option: str
    value: StrEnum

    @property
    def file(self) -> str:
        """Under the folder of static files."""
        return f"{FOLDER}/{self.option}-{self.value}.jpg"

    @property
    def scene(self) -> str:
        """The scene's file, under the same folder."""
        name = "room" if self.option == "brightness" else "day"
        return examples.chosen(name).before

    @property
    def request(self) -> EditRequest:
        """What is done to it."""
        return EditRequest(enhancements=_STEPS[self.option], options=EffectOptions.of({self.option: self.value}))

    @property
    def box(self) -> Box:
        """The part that is shown."""
        return _BOXES.get(self.option, _WHOLE)


def list_pictures() -> Iterator[OptionPicture]:
    """One for each value of each option."""
    for option in OPTIONS:
        for value in option.choices:
            yield OptionPicture(option.name, value)
