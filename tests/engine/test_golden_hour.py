"""Golden hour on drawn houses: warm sun from one side, cool shade, whites that stay white."""

import numpy as np
import pytest

from engine.canvas import Canvas, Declined
from engine.color.profiles import ColorProfile
from engine.effects.golden_hour import EFFECT
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests import scenes
from tests.engine.remembering import Remembering

WALL = (0.54, 0.44, 0.62, 0.62)
PATH, LAWN = slice(0.67, 0.71), slice(0.8, 1.0)


@Remembering
def at_golden_hour(
    picture: scenes.Picture, sun_side: float | None = 0.8, digest: str = "a photo"
) -> scenes.Picture:
    request = EditRequest(enhancements=(Enhancement.GOLDEN_HOUR,))
    return EFFECT.apply(
        Canvas(
            picture,
            Scene(picture, ColorProfile(), digest),
            request,
            context=EngineContext(order_seed="an order", appearance=SharedAppearance(sun_side=sun_side)),
        )
    ).pixels


def rows(picture: scenes.Picture, part: slice) -> np.ndarray:
    return picture[int(part.start * len(picture)) : int(part.stop * len(picture))].astype(float)


def warmth(picture: scenes.Picture, box: tuple[float, float, float, float]) -> float:
    red, _, blue = scenes.part(picture, box).reshape(-1, 3).mean(0)
    return float(red / blue)


def test_sunlit_walls_turn_warm_and_dark_things_do_not() -> None:
    drawn = scenes.house()
    changed = at_golden_hour(drawn)
    assert warmth(changed, WALL) > 1.12 * warmth(drawn, WALL)
    for window in scenes.WINDOWS[:2]:
        assert warmth(changed, window) < 1.03 * warmth(drawn, window)


@pytest.mark.parametrize("side", [-0.8, 0.8])
def test_no_veil_lies_over_dark_things(side: float) -> None:
    drawn = scenes.house()
    changed = at_golden_hour(drawn, side)
    for window in scenes.WINDOWS:
        assert scenes.part(changed, window).mean() < scenes.part(drawn, window).mean()


def test_a_dim_photo_comes_out_brighter_and_a_bright_one_does_not() -> None:
    for light, brighter in ((0.6, True), (1.0, False)):
        drawn = scenes.house(light=light)
        assert bool(at_golden_hour(drawn)[150:].mean() > 1.1 * drawn[150:].mean()) is brighter


def test_nothing_turns_orange_all_over() -> None:
    changed = at_golden_hour(scenes.house())
    assert scenes.part(changed, WALL)[..., 2].mean() > 140


@pytest.mark.parametrize("side", [-0.8, pytest.param(0.8, marks=pytest.mark.long)])
def test_the_side_of_the_sun_is_lighter_and_warmer(side: float) -> None:
    path = rows(at_golden_hour(scenes.house(), side), PATH)
    third = path.shape[1] // 3
    left, right = path[:, :third].mean((0, 1)), path[:, -third:].mean((0, 1))
    near, far = (right, left) if side > 0 else (left, right)
    assert near[0] > far[0] + 12
    assert near[0] / near[2] > 1.1 * far[0] / far[2]


def test_the_foreground_lies_in_more_shade_than_the_house() -> None:
    gray = np.full((320, 480, 3), 150, np.uint8)
    gray[:140] = (226, 230, 234)
    gray[140:150] = (60, 90, 40)
    scene = Scene(gray, ColorProfile(), "a photo")
    # Hardly anything is drawn: what it shows is given.
    shares = np.zeros((*gray.shape[:2], len(Kind)), np.float32)
    shares[:140, :, Kind.SKY], shares[140:, :, Kind.GROUND] = 1, 1
    scene.__dict__.update(outdoors=True, sky=shares[..., Kind.SKY], shares=shares)
    request = EditRequest(enhancements=(Enhancement.GOLDEN_HOUR,))
    changed = (
        EFFECT.apply(
            Canvas(
                gray,
                scene,
                request,
                context=EngineContext(order_seed="an order", appearance=SharedAppearance(sun_side=0.8)),
            )
        )
        .pixels[:, 200:280]
        .mean((1, 2))
    )
    assert changed[170:200].mean() > changed[300:].mean() + 2


def test_hard_shadows_of_the_day_are_softened_on_the_lawn() -> None:
    drawn = scenes.house()
    shadow, beside = np.s_[275:305, 120:200], np.s_[275:305, 220:300]
    drawn[shadow] = (drawn[shadow] * 0.5).astype(np.uint8)
    changed = at_golden_hour(drawn)
    assert changed[shadow].mean() / changed[beside].mean() > 1.08 * drawn[shadow].mean() / drawn[beside].mean()


def test_the_blue_of_hard_shadows_on_the_lawn_goes() -> None:
    shadow, blueness = np.s_[275:305, 120:200], []
    for shade in ((0.42, 0.5, 0.66), (0.5, 0.5, 0.5)):
        drawn = scenes.house()
        drawn[shadow] = (drawn[shadow] * shade).astype(np.uint8)
        red, _, blue = at_golden_hour(drawn)[shadow].mean((0, 1))
        blueness.append(blue / red)
    assert blueness[0] < 1.2 * blueness[1]


@pytest.mark.parametrize("side", [-0.8, 0.8])
def test_leaves_before_the_sky_shine_on_the_side_of_the_sun(side: float) -> None:
    drawn = scenes.house()
    scene = Scene(drawn, ColorProfile(), "a photo")
    tree = np.s_[40:80, 30:70]
    drawn[tree] = (70, 96, 44)
    shares, sky = scene.shares.copy(), scene.sky.copy()
    shares[..., Kind.SKY] = sky
    for each in (shares, sky):
        each[tree] = 0
    shares[(*tree, Kind.TREES)] = 1
    scene.__dict__.update(
        shares=shares, sky=sky, sky_matte=(sky * 255).astype(np.uint8), low_sun=False, colorless=False
    )
    context = EngineContext(order_seed="an order", appearance=SharedAppearance(sun_side=side))
    changed = EFFECT.apply(Canvas(drawn, scene, EditRequest(), context=context)).pixels.astype(float)
    left, right = changed[50:70, 32:36, 0].mean(), changed[50:70, 64:68, 0].mean()
    near, far = (right, left) if side > 0 else (left, right)
    assert near > far + 4


def test_water_mirrors_the_sky_at_golden_hour_and_the_rest_does_not() -> None:
    drawn = scenes.house()
    request = EditRequest(enhancements=(Enhancement.GOLDEN_HOUR,))
    results = []
    for kind in (Kind.THINGS, Kind.WATER):
        scene = Scene(drawn, ColorProfile(), "a photo")
        shares = scene.shares.copy()
        shares[230:260, 100:300] = 0
        shares[230:260, 100:300, kind] = 1
        scene.__dict__["shares"] = shares
        results.append(
            EFFECT.apply(
                Canvas(
                    drawn,
                    scene,
                    request,
                    context=EngineContext(order_seed="an order", appearance=SharedAppearance(sun_side=0.8)),
                )
            )
        )
    changed = np.abs(results[0].pixels.astype(int) - results[1].pixels).max(-1)
    assert changed[235:255, 110:290].mean() > 5
    assert changed[290:].max() <= 1
    assert results[1].region is not None
    assert results[1].region[245, 200] == 1


def test_no_tone_is_lifted_to_white() -> None:
    drawn = scenes.house(sky=(252, 252, 253))
    drawn[230:] = 247
    ground = at_golden_hour(drawn)[235:]
    assert (ground.min(-1) == 255).mean() == 0


def test_light_and_shade_keep_their_order() -> None:
    ramp = np.repeat(np.linspace(8, 248, 480).astype(np.uint8)[None], 120, 0)
    drawn = scenes.house()
    drawn[200:320] = ramp[..., None]
    low = at_golden_hour(drawn)[300:320].astype(float).mean((0, 2))
    assert (np.diff(low.reshape(24, 20).mean(1)) > 0).all()


@pytest.mark.usefixtures("seen_anew")
@pytest.mark.long
def test_the_same_photo_of_the_same_order_comes_out_the_same() -> None:
    drawn = scenes.house()
    assert np.array_equal(at_golden_hour.ask_anew(drawn), at_golden_hour.ask_anew(drawn))


@pytest.mark.long
def test_an_order_without_a_known_sun_has_one_side_for_all_its_photos() -> None:
    paths = [rows(at_golden_hour(scenes.house(), None, digest), PATH) for digest in ("one", "two", "three")]
    sides = {bool(path[:, :160].mean() > path[:, -160:].mean()) for path in paths}
    assert len(sides) == 1


def test_a_photo_taken_in_the_dark_is_declined() -> None:
    with pytest.raises(Declined) as declined:
        at_golden_hour(scenes.house(sky=scenes.DUSK, light=0.3))
    assert declined.value.reason is Reason.ALREADY_DARK


def test_a_photo_of_a_real_sunset_is_left_alone() -> None:
    scene = Scene(scenes.house(), ColorProfile(), "a photo")
    scene.__dict__["low_sun"] = True
    with pytest.raises(Declined) as declined:
        EFFECT.apply(Canvas(scene.pixels, scene, EditRequest(enhancements=(Enhancement.GOLDEN_HOUR,))))
    assert declined.value.reason is Reason.LOW_SUN


def test_a_room_is_declined() -> None:
    with pytest.raises(Declined) as declined:
        at_golden_hour(scenes.room())
    assert declined.value.reason is Reason.NOT_EXTERIOR
