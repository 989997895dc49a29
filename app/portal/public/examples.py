"""The pictures of the front page: scenes that the project renders itself, and our engine's results for them, one
for each enhancement, and one for two together.

deploy/landing renders the scenes and runs the engine; a test compares the files with what the engine produces now.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from app.domain.catalog import ENTRIES
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.report import QualityReport

STATIC = Path(__file__).parents[3] / "static"
FOLDER = "img/landing"
REPORTS = STATIC / FOLDER / "reports.json"
WIDTH, HEIGHT, NARROW = 1200, 800, 600
"""In pixels: WIDTH and HEIGHT of each picture, and NARROW, the width of its copy for small screens."""
SEED = "landing"
"""The seed of all examples, as photos of one order have the same seed and so the same sky."""


@dataclass(frozen=True, slots=True)
class Example:
    """One scene before and after its enhancements. `view`: what the scene shows, in words."""

    name: str
    scene: str
    view: str
    request: EditRequest
    line: int = 50
    """Percent of the width at which the slider between before and after starts: across what was changed."""

    @property
    def enhancements(self) -> list[Enhancement]:
        """The enhancements in the order in which they were applied."""
        return self.request.steps

    @property
    def title(self) -> str:
        """The enhancements in words: `Green lawn and blue sky`."""
        first, *more = (ENTRIES[each].label for each in self.enhancements)
        return " and ".join([first, *map(str.lower, more)])

    @property
    def before(self) -> str:
        """The scene's file, under the folder of static files."""
        return f"{FOLDER}/{self.scene}.jpg"

    @property
    def after(self) -> str:
        """The result's file, under the folder of static files."""
        return f"{FOLDER}/{self.name}.jpg"


_HOUSE = "a white house behind a lawn, with a porch and a garage"
_ROOM, _EMPTY = "a living room with a large window", "an empty room with a large window"
_SOFA, _BAGS = "a sofa in a room with a large window", "bags, a cushion and a ball on the floor of a room"
_STAGING = Staging(style=Style.SCANDINAVIAN, room_type=RoomType.LIVING_ROOM)
_FLOOR = RenovationChange(
    change_type=ChangeType.FLOOR, change_description="Whitewashed ash herringbone", reference_text="pale ash"
)


def _example(name: str, scene: str, view: str, *steps: Enhancement, line: int = 50, **more: Any) -> Example:
    return Example(name, scene, view, EditRequest(enhancements=steps, **more), line)


EXAMPLES = (
    _example("day", "outside", _HOUSE, Enhancement.GRASS, Enhancement.SKY),
    _example("lawn", "outside", _HOUSE, Enhancement.GRASS),
    _example("sky", "outside", _HOUSE, Enhancement.SKY),
    _example("evening", "outside", _HOUSE, Enhancement.GOLDEN_HOUR),
    _example("dusk", "outside", _HOUSE, Enhancement.TWILIGHT),
    _example("room", "inside", _ROOM, Enhancement.HDR),
    _example("flash", "inside", _ROOM, Enhancement.FLAMBIENT),
    _example("emptied", "sofa", _SOFA, Enhancement.FURNITURE_REMOVAL, line=64),
    _example("tidied", "bags", _BAGS, Enhancement.DECLUTTER, line=64),
    _example("staged", "empty", _EMPTY, Enhancement.STAGING, staging=_STAGING),
    _example("floor", "empty", _EMPTY, Enhancement.RENOVATION, changes=(_FLOOR,)),
)


def example_of(enhancement: Enhancement) -> Example:
    """The example of this enhancement alone."""
    return next(each for each in EXAMPLES if each.enhancements == [enhancement])


def find_example(name: str) -> Example:
    """Find the example with this name; the first example for any other text."""
    return next((each for each in EXAMPLES if each.name == name), EXAMPLES[0])


def name_narrow_file(file: str) -> str:
    """The name of the file with a picture's copy for small screens."""
    return file.replace(".jpg", f"-{NARROW}.jpg")


@cache
def read_reports() -> dict[str, QualityReport]:
    """Read the quality report of each example, by the example's name."""
    return report_adapter().validate_json(REPORTS.read_bytes())


@cache
def report_adapter() -> TypeAdapter[dict[str, QualityReport]]:
    """The type by which the file of reports is read and written."""
    return TypeAdapter(dict[str, QualityReport])
