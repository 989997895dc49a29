"""Each choice gives a look of its own in the direction of its name, and the usual one what no choice gives."""

from typing import Any

import numpy as np
import pytest

from engine.arrays import Pixels
from engine.canvas import Canvas
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.options import OPTIONS, EffectOptions
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

SKY, LAWN, WALL = (0.02, 0.02, 0.98, 0.12), (0.05, 0.8, 0.95, 0.98), (0.54, 0.44, 0.62, 0.62)
ROOM = (0.36, 0.3, 0.43, 0.45)


def made(scene: Scene, *steps: Enhancement, **options: Any) -> Pixels:
    """The picture after the steps with these options."""
    request = EditRequest(enhancements=steps, options=EffectOptions(**options))
    canvas = Canvas(scene.pixels, scene, request, context=EngineContext(order_seed="an order"))
    for step in request.steps:
        canvas = Canvas(EFFECTS[step].apply(canvas).pixels, scene, request, context=canvas.context)
    return canvas.pixels


def color(picture: Pixels, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(picture, box).reshape(-1, 3).mean(0)


@pytest.fixture(scope="module")
def house() -> Scene:
    return Scene(scenes.house(300, 200), ColorProfile(), "a house")


@pytest.fixture(scope="module")
def dim_room() -> Scene:
    return Scene(scenes.room(300, 200), ColorProfile(), "a room")


@pytest.mark.parametrize("option", [each for each in OPTIONS if not each.is_for_all], ids=lambda each: each.name)
def test_the_usual_choice_gives_the_bytes_of_no_choice_and_the_others_do_not(
    option: Any, house: Scene, dim_room: Scene
) -> None:
    for step in option.enhancements:
        scene = dim_room if option.name == "brightness" else house
        plain = made(scene, step)
        for value in option.choices:
            alike = np.array_equal(made(scene, step, **{option.name: value}), plain)
            assert alike is (value is option.usual), value


def test_a_clear_sky_is_bluer_and_evener_and_a_warm_one_less_blue(house: Scene) -> None:
    skies = {kind: made(house, Enhancement.SKY, sky=kind) for kind in ("clear", "light_clouds", "warm")}
    blueness = {kind: color(sky, SKY)[2] - color(sky, SKY)[0] for kind, sky in skies.items()}
    assert blueness["clear"] > blueness["warm"] + 15
    assert blueness["warm"] > 5, "it is the sky of a day still"
    rows = {kind: scenes.part(sky, SKY).astype(float).std(axis=1).mean() for kind, sky in skies.items()}
    assert rows["clear"] < rows["light_clouds"]


def test_a_lawn_is_the_greener_the_lusher_it_was_chosen(house: Scene) -> None:
    greens = []
    for look in ("subtle", "natural", "lush"):
        red, green, blue = color(made(house, Enhancement.GRASS, lawn=look), LAWN)
        greens.append((green - red) / green)
        assert green > blue
    before = color(house.pixels, LAWN)
    assert (before[1] - before[0]) / before[1] < greens[0] < greens[1] - 0.02 < greens[2] - 0.04


def test_an_early_dusk_is_lighter_than_a_deep_one_and_darker_than_the_day(house: Scene) -> None:
    early, deep = (made(house, Enhancement.TWILIGHT, dusk=kind) for kind in ("early", "deep"))
    # Windows light the wall beside them at both.
    for box, least in ((SKY, 8), (WALL, 4)):
        assert color(deep, box).mean() + least < color(early, box).mean() < color(house.pixels, box).mean() - 8


@pytest.mark.parametrize(
    "steps", [[Enhancement.HDR], [Enhancement.FLAMBIENT], [Enhancement.HDR, Enhancement.FLAMBIENT]]
)
def test_a_room_is_as_light_as_it_was_chosen(steps: list[Enhancement], dim_room: Scene) -> None:
    looks = ("darker", "as_is", "brighter")
    lightness = [color(made(dim_room, *steps, brightness=look), ROOM).mean() for look in looks]
    assert lightness[0] + 6 < lightness[1] < lightness[2] - 6
    assert lightness[2] < 250


def test_the_sky_of_another_hour_takes_no_kind_of_sky(house: Scene) -> None:
    steps = Enhancement.SKY, Enhancement.GOLDEN_HOUR
    assert np.array_equal(made(house, *steps, sky="warm"), made(house, *steps))
