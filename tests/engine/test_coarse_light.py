"""Of large pictures the light is found on two by two pixels together, and nobody sees a difference."""

import numpy as np
import pytest

from engine.filters import strips
from engine.quality.tones import measure_new_clipping
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests import scenes
from tests.engine.engine_runs import after, enhanced, picture_of

pytestmark = pytest.mark.usefixtures("seen_roughly")

BY_LIGHT = {
    Enhancement.GOLDEN_HOUR: scenes.house,
    Enhancement.TWILIGHT: scenes.house,
    Enhancement.HDR: scenes.room,
    Enhancement.FLAMBIENT: scenes.room,
}


@pytest.mark.long
@pytest.mark.parametrize(
    "step",
    [
        Enhancement.TWILIGHT,
        Enhancement.HDR,
        *(pytest.param(each, marks=pytest.mark.long) for each in (Enhancement.GOLDEN_HOUR, Enhancement.FLAMBIENT)),
    ],
)
def test_a_large_picture_looks_as_if_every_pixel_had_its_own_light(
    step: Enhancement, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Odd in both directions: the last row and column have no other to go with.
    drawn = BY_LIGHT[step](901, 601)
    each = after(drawn, step).astype(int)
    monkeypatch.setattr(strips, "HALF_SIZE_FROM", 100)
    done = enhanced(scenes.encoded(drawn, "PNG"), step)
    together = picture_of(done)
    apart = np.abs(together - each)
    assert apart.any(), "the light is found the same way"
    assert apart.mean() < 1.2
    assert np.abs(together[-1].astype(int) - each[-1]).mean() < 2
    assert np.abs(together[:, -1].astype(int) - each[:, -1]).mean() < 2
    assert measure_new_clipping(drawn, together) <= measure_new_clipping(drawn, each.astype(np.uint8)) + 0.0005
    # Whether the windows of a drawn house are surely some is another matter.
    assert done.report.reason in {None, Reason.NOTHING_LIT}


def test_a_pixel_lighter_than_its_neighbors_is_not_made_white(monkeypatch: pytest.MonkeyPatch) -> None:
    room = scenes.room(600, 400)
    # Glints: single pixels much lighter than the wall they lie on, as on varnish and metal.
    room[101:300:7, 51:550:9] = (244, 242, 240)
    monkeypatch.setattr(strips, "HALF_SIZE_FROM", 100)
    lit = after(room, Enhancement.HDR)
    assert (lit[101:300:7, 51:550:9].max(-1) >= 240).mean() > 0.9
    assert not (lit[room.max(-1) < 253] == 255).any()
