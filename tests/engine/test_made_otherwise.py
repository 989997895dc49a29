"""A photo made again otherwise: another chance draws another picture, less strength changes less, repeatably."""

from io import BytesIO

import numpy as np
import pytest

from engine.arrays import Pixels
from engine.io.photo import decode
from engine.pipeline import apply_effects
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.remembering import Remembering

pytestmark = pytest.mark.usefixtures("seen_roughly")

HOUSE = scenes.encoded(scenes.house(), "PNG")
ROOM = scenes.encoded(scenes.room(), "PNG")


@Remembering
def made(content: bytes, *steps: Enhancement, seed: int = 0, strength: float = 1.0) -> Pixels:
    context = EngineContext(order_seed="order", photo_seed=seed, strength=strength)
    done = apply_effects(decode(BytesIO(content)), EditRequest(enhancements=steps), context=context)
    assert done.pixels is not None
    return done.pixels


def far(one: Pixels, other: Pixels) -> float:
    return float(np.abs(one.astype(np.int16) - other).mean())


@pytest.mark.parametrize("step", [Enhancement.SKY, Enhancement.GRASS])
def test_another_seed_draws_another_picture_the_same_each_time(step: Enhancement) -> None:
    ordered, again = made(HOUSE, step), made(HOUSE, step, seed=2)
    assert far(ordered, again) > 0.05
    assert np.array_equal(again, made.ask_anew(HOUSE, step, seed=2))
    assert far(again, made(HOUSE, step, seed=3)) > 0.05


def test_what_chance_has_no_part_in_stays_byte_for_byte() -> None:
    assert np.array_equal(made(ROOM, Enhancement.HDR), made(ROOM, Enhancement.HDR, seed=5))


@pytest.mark.parametrize(
    ("content", "step"),
    [(HOUSE, Enhancement.GRASS), (ROOM, Enhancement.HDR), (ROOM, Enhancement.FLAMBIENT)],
    ids=["lawn", "hdr", "flambient"],
)
def test_less_strength_changes_less(content: bytes, step: Enhancement) -> None:
    before = decode(BytesIO(content)).pixels
    whole, less, least = (far(before, made(content, step, strength=each)) for each in (1.0, 0.65, 0.4))
    assert whole > less > least > 0
    assert less / whole == pytest.approx(0.65, abs=0.12)


def test_steps_that_cannot_do_less_do_all() -> None:
    whole = made(HOUSE, Enhancement.SKY)
    assert np.array_equal(whole, made(HOUSE, Enhancement.SKY, strength=0.4))
