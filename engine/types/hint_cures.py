"""Says which part of hints cures which reason: what a person can show so that a declined step works."""

from collections.abc import Mapping

from engine.types.hints import SceneHints
from engine.types.outlook import HintPart
from engine.types.report import Reason

CURES: Mapping[Reason, tuple[HintPart, ...]] = {
    Reason.NO_SKY: (HintPart.SKY,),
    Reason.SKY_UNCLEAR: (HintPart.SKY,),
    Reason.NO_LAWN: (HintPart.LAWN,),
    Reason.LAWN_UNCLEAR: (HintPart.LAWN,),
    Reason.NOTHING_LIT: (HintPart.PANE,),
    Reason.ROOM_UNCLEAR: (HintPart.ROOM,),
    Reason.NO_FREE_PLACE: (HintPart.FLOOR, HintPart.PLACEMENTS, HintPart.ROOM),
    Reason.NOTHING_TO_REMOVE: (HintPart.THINGS,),
    Reason.TOO_MUCH_HIDDEN: (HintPart.THINGS,),
    Reason.OPENING_HIDDEN: (HintPart.THINGS,),
    Reason.NOT_EXTERIOR: (HintPart.SKY, HintPart.LAWN),
    Reason.NOT_INTERIOR: (HintPart.FLOOR,),
    # The cure of this reason is the surface of the change; see SURFACES.
    Reason.SURFACE_NOT_FOUND: (),
    Reason.SURFACE_UNCLEAR: (),
    # No hint can change these facts about the photo, the order or this machine.
    Reason.ALREADY_DARK: (),
    Reason.LOW_SUN: (),
    Reason.NO_COLOR: (),
    Reason.NOT_FLAT: (),
    Reason.TURNED: (),
    Reason.FOG: (),
    Reason.ALREADY_FURNISHED: (),
    Reason.NOT_AVAILABLE: (),
    Reason.NOT_CHANGED: (),
    Reason.NOT_ENGLISH: (),
    Reason.NOT_UNDERSTOOD: (),
    Reason.CONTRADICTORY: (),
    Reason.HIDES_DEFECTS: (),
    Reason.STRUCTURAL_CHANGE: (),
    Reason.REFERENCE_UNUSABLE: (),
}
"""Reasons with which a step on this machine declines, or with which the scene alone rejects its result.

For each reason, the parts of hints that cure it, the likeliest first.
"""


def find_part(reason: Reason, hints: SceneHints, surface: HintPart | None = None) -> HintPart | None:
    """Find the part of hints that would cure a reason, independent of the photo.

    Parameters
    ----------
    reason : Reason
        Why a step declines.
    hints : SceneHints
        The hints so far; a part that is already given is no cure.
    surface : HintPart, optional
        The surface that the step changes.

    Returns
    -------
    HintPart or None
        None if no hint about the photo would help.
    """
    is_of_surface = reason in (Reason.SURFACE_NOT_FOUND, Reason.SURFACE_UNCLEAR)
    parts = (surface,) if is_of_surface and surface else CURES.get(reason, ())
    given = _list_given(hints)
    return next((part for part in parts if part not in given), None)


def _list_given(hints: SceneHints) -> frozenset[str]:
    room = hints.room is not None and (hints.room.lines or hints.room.corners)
    parts = {HintPart.ROOM: room, HintPart.THINGS: hints.things, HintPart.PLACEMENTS: hints.placements}
    return frozenset(
        {name for name, part in parts.items() if part} | {f"surfaces.{name}" for name in hints.surfaces}
    )
