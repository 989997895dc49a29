"""Which limits a step inside a room is held to: by who made the picture, and by what was asked for."""

from typing import cast

import numpy as np
import pytest

from engine.canvas import Canvas, EffectResult, ServerAccess
from engine.effects.table import EFFECTS
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.figures import FigureCode
from tests.engine.box_rooms import BoxRoom, KnownScene

ROOM = BoxRoom()
SERVER = cast(ServerAccess, object())


def bounded(step: Enhancement, outside: ServerAccess | None = None, *changes: RenovationChange) -> dict[str, bool]:
    """For each figure of a picture that was left as it was: whether it has a limit."""
    pixels, labels = ROOM.drawn(furnished=False)
    canvas = Canvas(
        pixels,
        KnownScene(pixels, labels, ROOM.room),
        EditRequest(enhancements=(step,), changes=changes),
        outside,
        context=EngineContext(order_seed="order"),
    )
    everywhere = np.ones(canvas.scene.small.shape[:2], np.float32)
    figures = EFFECTS[step].measure_in_room(canvas, EffectResult(pixels, everywhere))
    return {each.code: each.maximum is not None for each in figures}


def test_furniture_of_ours_is_no_door_and_no_smear() -> None:
    ours, theirs = bounded(Enhancement.STAGING), bounded(Enhancement.STAGING, SERVER)
    assert not ours[FigureCode.NEW_OPENINGS] and not ours[FigureCode.SMEARED_SHARE]
    assert theirs[FigureCode.NEW_OPENINGS] and theirs[FigureCode.SMEARED_SHARE]
    assert (
        ours[FigureCode.OPENING_DISPLACEMENT]
        and ours[FigureCode.WINDOW_VIEW_CHANGE]
        and theirs[FigureCode.OPENING_DISPLACEMENT]
        and theirs[FigureCode.WINDOW_VIEW_CHANGE]
    )


@pytest.mark.parametrize(("kind", "limited"), [(ChangeType.OTHER, False), (ChangeType.FLOOR, True)])
def test_a_new_door_may_be_what_was_asked_for(kind: ChangeType, limited: bool) -> None:
    held = bounded(
        Enhancement.RENOVATION,
        None,
        RenovationChange(change_type=kind, change_description="a glass door to the garden"),
    )
    assert held[FigureCode.NEW_OPENINGS] is limited
    assert held[FigureCode.SMEARED_SHARE]


def test_steps_for_the_light_are_not_held_to_it() -> None:
    assert bounded(Enhancement.HDR) == {}
