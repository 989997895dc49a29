"""Photos that cannot take a new sky, lawn or hour are recognized, and declined with a reason of their own."""

import cv2
import numpy as np
import pytest

from engine.canvas import Canvas, Declined
from engine.color.profiles import ColorProfile
from engine.effect import Needs, check_needs
from engine.segmentation.scene import Scene
from engine.segmentation.unusual import is_bent, is_colorless, is_foggy, is_turned
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import Reason
from tests import scenes

SEPIA = (1.05, 0.92, 0.75)


def grayed(picture: scenes.Picture, tint: tuple[float, float, float] = (1, 1, 1)) -> scenes.Picture:
    gray = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)[..., None]
    return np.asarray((gray * np.array(tint)).clip(0, 255), np.uint8)


def on_black(picture: scenes.Picture, shape: str) -> scenes.Picture:
    """The picture in a circle, in a frame that bulges, or between bars."""
    height, width = picture.shape[:2]
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    is_seen = {
        "circle": np.hypot(across * width / height, down) < 0.98,
        "bulging": (np.abs(across) ** 5 + np.abs(down) ** 5) < 0.8,
        "bars": np.abs(down) < 0.8,
        "bars all around": (np.abs(across) < 0.85) & (np.abs(down) < 0.8),
    }[shape]
    return np.asarray(np.where(is_seen[..., None], np.maximum(picture, 20), 0), np.uint8)


def fogged(picture: scenes.Picture, share: float) -> scenes.Picture:
    return np.asarray(picture * (1 - share) + 210 * share, np.uint8)


def sky_at(edge: str, share: float = 0.4) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    sky = np.zeros((60, 90), np.float32)
    sky[: round(60 * share)] = 1
    turns = {"top": 0, "left": 1, "bottom": 2, "right": 3}[edge]
    return np.ascontiguousarray(np.rot90(sky, turns))


@pytest.mark.parametrize("tint", [(1, 1, 1), SEPIA])
def test_black_and_white_and_sepia_are_without_color(tint: tuple[float, float, float]) -> None:
    assert is_colorless(grayed(scenes.house(), tint))


@pytest.mark.parametrize("light", [1.0, 0.12])
def test_a_house_has_colors_by_day_and_by_night(light: float) -> None:
    assert not is_colorless(scenes.house(light=light))


@pytest.mark.parametrize("shape", ["circle", "bulging"])
def test_a_fisheye_picture_is_bent(shape: str) -> None:
    assert is_bent(on_black(scenes.house(), shape))


@pytest.mark.parametrize("shape", ["bars", "bars all around"])
def test_a_picture_between_black_bars_is_not_bent(shape: str) -> None:
    assert not is_bent(on_black(scenes.house(), shape))


def test_black_corners_of_a_night_do_not_bend_it() -> None:
    night = np.zeros((200, 300, 3), np.uint8)
    night[40:120, 60:120] = night[60:160, 150:240] = 90
    assert not is_bent(night)
    assert not is_bent(np.zeros((200, 300, 3), np.uint8))


@pytest.mark.parametrize("edge", ["left", "right"])
def test_a_photo_with_its_sky_at_one_side_is_turned(edge: str) -> None:
    assert is_turned(sky_at(edge))


def test_a_photo_with_its_sky_above_or_all_over_is_not_turned() -> None:
    assert not is_turned(sky_at("top"))
    assert not is_turned(sky_at("top", 1.0))
    assert not is_turned(sky_at("top", 0.0))


def test_nothing_is_dark_in_fog() -> None:
    picture = scenes.house(light=0.5)
    picture[-40:, :60] = 5
    sky = np.zeros(picture.shape[:2], np.float32)
    sky[:60] = 1
    assert is_foggy(np.asarray(fogged(picture, 0.75) / np.float32(255), np.float32), sky)
    assert not is_foggy(np.asarray(picture / np.float32(255), np.float32), sky)


def reason_for(needs: Needs, **found: bool) -> Reason | None:
    picture = scenes.house()
    scene = Scene(picture, ColorProfile(), "photo")
    told = {"outdoors": True, "dark": False, "colorless": False, "bent": False, "turned": False, "foggy": False}
    scene.__dict__.update(told | found)
    try:
        check_needs(Canvas(picture, scene, EditRequest(enhancements=(Enhancement.SKY,))), needs, "It")
    except Declined as declined:
        return declined.reason
    return None


@pytest.mark.parametrize("needs", [Needs.OUTDOORS, Needs.DAYLIGHT])
@pytest.mark.parametrize(
    ("found", "reason"),
    [("colorless", Reason.NO_COLOR), ("bent", Reason.NOT_FLAT), ("turned", Reason.TURNED), ("foggy", Reason.FOG)],
)
def test_each_is_declined_outdoors_with_its_reason(needs: Needs, found: str, reason: Reason) -> None:
    assert reason_for(needs, **{found: True}) is reason
    assert reason_for(needs) is None


def test_a_night_outdoors_is_not_balanced_like_a_room() -> None:
    assert reason_for(Needs.NOT_NIGHT, dark=True) is Reason.ALREADY_DARK
    assert reason_for(Needs.NOT_NIGHT, dark=True, outdoors=False) is None
    assert reason_for(Needs.NOT_NIGHT, colorless=True, bent=True, turned=True, foggy=True) is None
