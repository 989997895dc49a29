"""Rooms emptied, furnished and renovated without a server: the steps as the pipeline joins them."""

import io
from dataclasses import replace

import numpy as np
import pytest

from engine.canvas import Canvas, Declined
from engine.effects.table import EFFECTS
from engine.geometry.agreement import uncover_surfaces
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.io.photo import decode
from engine.pipeline import apply_effects
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.report import Maker, Reason
from tests import scenes
from tests.engine.box_rooms import BoxRoom, KnownScene
from tests.engine.engine_runs import enhanced

pytestmark = pytest.mark.usefixtures("coarse_textures")
BARE = BoxRoom()


def canvas(steps: list[Enhancement], room: Room | None = BARE.room, *changes: RenovationChange) -> Canvas:
    pixels, labels = BARE.drawn(furnished=True)
    request = EditRequest(
        enhancements=tuple(steps), staging=Staging(style=Style.MODERN, room_type=RoomType.OTHER), changes=changes
    )
    return Canvas(pixels, KnownScene(pixels, labels, room), request, context=EngineContext(order_seed="order"))


@pytest.mark.long
@pytest.mark.usefixtures("few_rays")
def test_a_room_emptied_first_is_furnished_where_its_furniture_stood() -> None:
    first = canvas([Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING])
    emptied = EFFECTS[Enhancement.FURNITURE_REMOVAL].apply(first)
    assert emptied.region is not None
    left = uncover_surfaces(BARE.room, first.scene.surfaces, emptied.region)
    stood = first.scene.surfaces[..., PLACE[Surface.FURNITURE]] > 0
    assert left[..., PLACE[Surface.FURNITURE]][stood].mean() < 0.1
    assert np.allclose(left.sum(-1), 1, atol=1e-4)
    with pytest.raises(Declined) as declined:
        EFFECTS[Enhancement.STAGING].apply(first)
    assert declined.value.reason is Reason.ALREADY_FURNISHED
    both = EFFECTS[Enhancement.STAGING].apply(replace(first, pixels=emptied.pixels, gone=emptied.region))
    assert both.matte is not None
    assert (both.matte[stood] > 200).mean() > 0.1


@pytest.mark.parametrize("step", [Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING])
def test_a_room_that_cannot_be_measured_is_declined_with_the_reason(step: Enhancement) -> None:
    with pytest.raises(Declined) as declined:
        EFFECTS[step].apply(canvas([], None))
    assert declined.value.reason is Reason.ROOM_UNCLEAR
    assert "walls are not straight" in declined.value.message


def test_a_wall_is_painted_in_a_room_that_cannot_be_measured() -> None:
    paint, tiles = (
        RenovationChange(change_type=ChangeType.WALLS, change_description="sage green"),
        RenovationChange(change_type=ChangeType.FLOOR, change_description="oak herringbone"),
    )
    done = EFFECTS[Enhancement.RENOVATION].apply(canvas([Enhancement.RENOVATION], None, paint, tiles))
    assert [each.applied for each in done.changes] == [True, False]
    assert "walls are not straight" in done.changes[1].message


@pytest.mark.parametrize(
    "step", [Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING, Enhancement.RENOVATION]
)
def test_a_photo_taken_outside_is_no_room(step: Enhancement) -> None:
    done = enhanced(scenes.encoded(scenes.house()), step)
    assert done.picture is None
    assert done.report.steps[0].reason is Reason.NOT_INTERIOR
    assert "taken outside" in done.report.message


@pytest.mark.long
@pytest.mark.usefixtures("few_rays")
def test_the_report_says_that_the_worker_made_it(monkeypatch: pytest.MonkeyPatch) -> None:
    small = replace(BARE, width=300, height=200)
    pixels, labels = small.drawn(furnished=True)
    monkeypatch.setattr("engine.pipeline.make_scene", lambda *_: KnownScene(pixels, labels, small.room))
    source = decode(io.BytesIO(scenes.encoded(pixels, "PNG")))
    done = apply_effects(
        source,
        EditRequest(
            enhancements=(
                Enhancement.FURNITURE_REMOVAL,
                Enhancement.STAGING,
            )
        ),
        context=EngineContext(order_seed="order"),
    )
    assert [step.maker for step in done.report.steps] == [Maker.WORKER, Maker.WORKER]
    assert [bool(step.furniture) for step in done.report.steps] == [False, True]
    assert done.pixels is not None and (done.pixels != pixels).any()
