"""Questions about a photo: the parts of hints that its effects use, and which of these parts must be answered."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.domain.flaws import Flaw, list_flaws
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.options import Privacy
from engine.types.outlook import SURFACES, HintPart, Prospect
from engine.types.report import QualityReport

PARTS: Mapping[Enhancement, Sequence[HintPart]] = {
    Enhancement.SKY: (HintPart.SKY,),
    Enhancement.GRASS: (HintPart.LAWN,),
    Enhancement.TWILIGHT: (HintPart.SKY, HintPart.PANE),
    Enhancement.GOLDEN_HOUR: (HintPart.SKY,),
    Enhancement.DECLUTTER: (HintPart.THINGS,),
    Enhancement.FURNITURE_REMOVAL: (HintPart.THINGS, HintPart.FLOOR, HintPart.WALL, HintPart.ROOM),
    Enhancement.STAGING: (HintPart.FLOOR, HintPart.ROOM, HintPart.PLACEMENTS),
    Enhancement.RENOVATION: (),
    Enhancement.HDR: (),
    Enhancement.FLAMBIENT: (),
}
"""What can be shown for each effect; for renovations also the surfaces of their changes, see SURFACES."""
ASKS: Mapping[HintPart, str] = {
    HintPart.ROOM: "Show us the edges of the room",
    HintPart.THINGS: "Show us what should go",
    HintPart.PLACEMENTS: "Show us where the furniture should stand",
    HintPart.FLOOR: "Show us the floor",
    HintPart.WALL: "Show us the walls",
    HintPart.CABINET: "Show us the cabinets",
    HintPart.WORKTOP: "Show us the countertops",
    HintPart.BACKSPLASH: "Show us the backsplash",
    HintPart.SKY: "Show us the sky",
    HintPart.LAWN: "Show us the lawn",
    HintPart.PANE: "Show us the windows",
    HintPart.PRIVATE: "Show us what to blur",
}
"""The requests to show each part, on pages and in mail."""
_IN_PERSPECTIVE = frozenset({HintPart.FLOOR, HintPart.WALL, HintPart.BACKSPLASH})
"""Surfaces whose new material is drawn in the room's perspective."""
FLAWS: Mapping[HintPart, Sequence[Flaw]] = {
    HintPart.ROOM: (Flaw.FURNITURE_SCALE, Flaw.MELTED),
    HintPart.THINGS: (Flaw.LEFT_OVER,),
    HintPart.PLACEMENTS: (Flaw.FURNITURE_PLACE,),
    HintPart.FLOOR: (Flaw.PAINTED_WRONG, Flaw.FURNITURE_PLACE, Flaw.SMEARED),
    HintPart.WALL: (Flaw.PAINTED_WRONG, Flaw.SMEARED),
    HintPart.CABINET: (Flaw.PAINTED_WRONG,),
    HintPart.WORKTOP: (Flaw.PAINTED_WRONG,),
    HintPart.BACKSPLASH: (Flaw.PAINTED_WRONG,),
    HintPart.SKY: (Flaw.OLD_SKY_LEFT, Flaw.SKY_ON_WALL),
    HintPart.LAWN: (Flaw.LAWN_ON_GROUND,),
    HintPart.PANE: (Flaw.PANE_DARK,),
    HintPart.PRIVATE: (),
}
"""The flaws that a result may have if the engine misread a part, the likeliest first."""


@dataclass(frozen=True, slots=True)
class Question:
    """A part of hints that can be shown of a photo. `is_needed`: an effect would be declined without it."""

    part: HintPart
    is_needed: bool


def list_questions(request: EditRequest, forecasts: Sequence[Mapping[str, Any]]) -> Sequence[Question]:
    """The questions about a photo with this edit request: first the questions that must be answered, then those
    about what may be misread. `forecasts`: the steps of its outlook as JSON.
    """
    needed = list(dict.fromkeys(_list_needed(forecasts)))
    unsure = [HintPart(each["hint"]) for each in forecasts if each.get("unsure") and each.get("hint")]
    others = [part for part in dict.fromkeys([*unsure, *_list_useful(request)]) if part not in needed]
    return [*(Question(part, True) for part in needed), *(Question(part, False) for part in others)]


def guess_flaw(part: HintPart, report: QualityReport) -> Flaw:
    """The flaw to suggest to a customer who shows this part of the photo. `report`: of the photo's picture."""
    offered = list_flaws(report)
    return next((each for each in FLAWS[part] if each in offered), Flaw.OTHER)


def _list_needed(forecasts: Sequence[Mapping[str, Any]]) -> Iterator[HintPart]:
    for step in forecasts:
        for each in (*step.get("changes", ()), step):
            if each["prospect"] == Prospect.NEEDS_HINT and each.get("hint"):
                yield HintPart(each["hint"])


def _list_useful(request: EditRequest) -> Iterator[HintPart]:
    for step in request.steps:
        yield from PARTS[step]
    if Enhancement.RENOVATION in request.steps:
        surfaces = [SURFACES[each.type] for each in request.changes if each.type in SURFACES]
        yield from surfaces
        if not _IN_PERSPECTIVE.isdisjoint(surfaces):
            yield HintPart.ROOM
    if request.privacy is Privacy.BLURRED:
        yield HintPart.PRIVATE
