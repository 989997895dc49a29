"""The outlook of a photo: what the engine sees in it, in the form of hints, and what each ordered step would do."""

import base64
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from engine.types.enhancements import ChangeType, Enhancement
from engine.types.floor_plan import FloorPlan
from engine.types.hints import HintedSurface, Polygon, SceneHints, ThingKind
from engine.types.report import Reason

LABELS = ("", *HintedSurface, *ThingKind)
"""The meanings of the numbers in a label image; 0 is everything else."""
DECIMALS = 4
"""Decimals of points and certainties in documents, enough for less than a pixel of the small picture."""


class Prospect(StrEnum):
    """The expected outcome of a step: it most likely works, works only with a hint, or does not work."""

    LIKELY = "likely"
    NEEDS_HINT = "needs_hint"
    NOT_POSSIBLE = "not_possible"


class HintPart(StrEnum):
    """The part of hints that helps a step."""

    ROOM = "room"
    THINGS = "things"
    PLACEMENTS = "placements"
    FLOOR = "surfaces.floor"
    WALL = "surfaces.wall"
    CABINET = "surfaces.cabinet"
    WORKTOP = "surfaces.worktop"
    BACKSPLASH = "surfaces.backsplash"
    SKY = "surfaces.sky"
    LAWN = "surfaces.lawn"
    PANE = "surfaces.pane"
    PRIVATE = "private"

    @property
    def surface(self) -> HintedSurface | None:
        """The surface that this part outlines; None for other parts."""
        kind, _, name = self.value.partition(".")
        return HintedSurface(name) if kind == "surfaces" else None


SURFACES: Mapping[ChangeType, HintPart] = {
    ChangeType.FLOOR: HintPart.FLOOR,
    ChangeType.WALLS: HintPart.WALL,
    ChangeType.CABINETS: HintPart.CABINET,
    ChangeType.COUNTERTOPS: HintPart.WORKTOP,
    ChangeType.BACKSPLASH: HintPart.BACKSPLASH,
}
"""The surface that each change of a renovation changes."""


@dataclass(frozen=True, slots=True)
class ChangeForecast:
    """The forecast for one change of a renovation; `index` is its place in the order, from 0.

    The other fields are as in StepForecast.
    """

    index: int
    type: ChangeType
    prospect: Prospect
    hint: HintPart | None = None
    reason: Reason | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class StepForecast:
    """The forecast for one step.

    `hint` is the part of hints that helps where the prospect is NEEDS_HINT. `reason` and `message` say why the
    step would decline, or why its result would be rejected. `changes` are those of a renovation. `unsure`: the step
    is LIKELY, but something in the photo may be misread. Then `reason` and `message` say what may be misread, and
    `hint` is the part that would make it sure.
    """

    enhancement: Enhancement
    prospect: Prospect
    hint: HintPart | None = None
    reason: Reason | None = None
    message: str = ""
    changes: tuple[ChangeForecast, ...] = ()
    unsure: bool = False


@dataclass(frozen=True, slots=True)
class RoomView:
    """The camera of a room's photo.

    `focal` is in widths of the picture, `height` and `ceiling` are in meters over the floor; `ceiling` is None
    where it is not seen. Angles are in degrees: `yaw` to the right of the direction along the room's walls,
    `pitch` downwards, `roll` clockwise. `center` is the point of the picture that the lens's axis meets.
    `scale_source` says what gave the size: `hint`, `door`, `counter`, `ceiling` or `usual`. `certainty` is 0-1.
    """

    focal: float
    center: tuple[float, float]
    yaw: float
    pitch: float
    roll: float
    height: float
    ceiling: float | None
    scale_source: str
    certainty: float


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the photo between real edges, to be tapped.

    `polygon` can be sent as an outline in hints. `seen` is what most of it shows, one of LABELS, with its
    `certainty` (0-1).
    """

    polygon: Polygon
    seen: str
    certainty: float


@dataclass(frozen=True, slots=True)
class Outlook:
    """The content that the engine finds in a photo, and the forecast for each step of its edit request.

    `width` and `height` are the photo's, upright, in pixels. `seen` can be corrected and sent back as hints: the
    room's edges, the outlines of its surfaces and of the things in it. `certainties` (0-1) are those of the
    outlines, in the same order. `camera` is None where the room cannot be measured; then `unclear` says why.
    `labels` is a PNG with a palette, of the shape of the photo: see LABELS. `segments` cover nearly all of it, the
    largest first. `plan` is given for rooms that are to be furnished and can be measured.
    """

    width: int
    height: int
    outdoors: bool
    hinted: bool
    seen: SceneHints
    certainties: Mapping[HintedSurface, tuple[float, ...]]
    camera: RoomView | None
    unclear: str | None
    labels: bytes
    segments: tuple[Segment, ...] = ()
    plan: FloorPlan | None = None
    steps: tuple[StepForecast, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """The outlook as a JSON document.

        Returns
        -------
        dict
            The fields; `seen` is a hints document, `labels` has the names of the numbers and the image in base64.
        """
        content = _round(asdict(self))
        names = [str(each) for each in LABELS]
        image = base64.b64encode(self.labels).decode()
        seen = {name: part for name, part in content["seen"].items() if part}
        if "room" in seen:
            seen["room"] = {"lines": seen["room"]["lines"]}
        return {**content, "seen": seen, "labels": {"names": names, "image": image}}


def _round(value: Any) -> Any:
    """The value with rounded numbers, in types that JSON has."""
    if isinstance(value, float):
        return round(value, DECIMALS)
    if isinstance(value, Mapping):
        return {str(name): _round(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_round(part) for part in value]
    return value
