"""Finds the part of hints with which a declined step would work in a certain photo."""

from collections.abc import Mapping

from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.hint_cures import find_part
from engine.types.outlook import HintPart
from engine.types.report import Reason

MIN_TRACE = 0.002
"""Share of the picture that the net must at least faintly take for sky or lawn, if people are asked where it is."""
_TRACES: Mapping[Reason, Label] = {Reason.NO_SKY: Label.SKY, Reason.NO_LAWN: Label.LAWN}


def find_cure(reason: Reason, scene: Scene, surface: HintPart | None = None) -> HintPart | None:
    """Find the part of hints that would cure the reason why a step declines.

    Parameters
    ----------
    reason : Reason
        Why a step declines.
    scene : Scene
        The photo, with the hints so far: a part that is already given is no cure.
    surface : HintPart, optional
        The surface that the step changes.

    Returns
    -------
    HintPart or None
        None if no hint about the photo would help; then the step is not possible.
    """
    if reason in (Reason.NOT_EXTERIOR, Reason.NOT_INTERIOR) and scene.surely_outdoors is not None:
        return None
    if reason in _TRACES and float(scene.label_share(_TRACES[reason]).mean()) < MIN_TRACE:
        return None
    return find_part(reason, scene.hints, surface)
