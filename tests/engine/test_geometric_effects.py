"""An effect may change the geometry of a photo: what is measured and masked after it is so in the new geometry."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import pipeline
from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.io.photo import DecodedPhoto, decode
from engine.quality.limits import IN_PLACE, LOST
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

SHIFT = 0.125
"""Of the width: to the right, what leaves the picture coming in again at the left."""


def shift(values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(np.roll(values, round(values.shape[1] * SHIFT), axis=1))


def effect(*, says_so: bool) -> Effect:
    """Made up: shifts the picture, and says that it did so or not."""

    def apply(canvas: Canvas) -> EffectResult:
        return EffectResult(shift(canvas.pixels), warp=shift if says_so else None)

    return Effect(Enhancement.GRASS, "A shift", Needs.ANY_PHOTO, start_at_once(apply))


@pytest.fixture
def photo() -> DecodedPhoto:
    return decode(io.BytesIO(scenes.encoded(scenes.house(), "PNG")))


def figures(done: pipeline.PipelineResult) -> dict[str, bool]:
    return {each.code: each.passed for each in done.report.figures}


@pytest.mark.parametrize("says_so", [True, False])
def test_edges_are_compared_after_the_change_of_geometry(
    photo: DecodedPhoto, says_so: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "EFFECTS", {Enhancement.GRASS: effect(says_so=says_so)})
    found = figures(pipeline.apply_effects(photo, EditRequest(enhancements=(Enhancement.GRASS,))))
    assert found[IN_PLACE] is found[LOST] is says_so


def test_the_effects_that_follow_see_the_photo_in_its_new_geometry(
    photo: DecodedPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = EditRequest(enhancements=(Enhancement.SKY,))
    shifted = decode(io.BytesIO(scenes.encoded(shift(photo.pixels), "PNG")))
    alone = pipeline.apply_effects(shifted, request, keep_mattes=True, context=EngineContext(order_seed="order"))
    effects = {**pipeline.EFFECTS, Enhancement.GRASS: effect(says_so=True)}
    monkeypatch.setattr(pipeline, "EFFECTS", effects)
    both = pipeline.apply_effects(
        photo,
        EditRequest(
            enhancements=(
                Enhancement.GRASS,
                Enhancement.SKY,
            )
        ),
        keep_mattes=True,
        context=EngineContext(order_seed="order"),
    )
    assert both.report.passed, both.report
    assert np.array_equal(both.mattes[Enhancement.SKY], alone.mattes[Enhancement.SKY])


def test_masks_of_earlier_effects_are_warped_with_the_picture(
    photo: DecodedPhoto, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = pipeline.apply_effects(
        photo,
        EditRequest(enhancements=(Enhancement.GRASS,)),
        keep_mattes=True,
        context=EngineContext(order_seed="order"),
    ).mattes[Enhancement.GRASS]
    lawn = pipeline.EFFECTS[Enhancement.GRASS]
    sky = replace(effect(says_so=True), enhancement=Enhancement.SKY)
    monkeypatch.setattr(pipeline, "EFFECTS", {Enhancement.GRASS: lawn, Enhancement.SKY: sky})
    request = EditRequest(
        enhancements=(
            Enhancement.GRASS,
            Enhancement.SKY,
        )
    )
    after = pipeline.apply_effects(
        photo, request, keep_mattes=True, context=EngineContext(order_seed="order")
    ).mattes[Enhancement.GRASS]
    assert np.array_equal(after, shift(before))
