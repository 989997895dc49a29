"""Another view from a window is told from new things before it, and from their shadows."""

import cv2
import numpy as np
import pytest

from engine.arrays import Plane
from engine.geometry.surface import PLACE, Surface
from engine.quality.changes import PictureChange
from engine.quality.fixed_parts import measure_changed_view
from tests.engine.lived_rooms import view
from tests.scenes import Picture

HEIGHT, WIDTH = 320, 480
LEFT, TOP, RIGHT, BOTTOM = 150, 60, 330, 200
PANE = slice(TOP, BOTTOM), slice(LEFT, RIGHT)


def room(seed: int = 1) -> Picture:
    """A wall over a floor with one window in it, and what is seen through that."""
    picture = np.full((HEIGHT, WIDTH, 3), 205, np.uint8)
    picture[250:] = (150, 120, 90)
    picture[PANE] = cv2.resize(view(seed, 256), (RIGHT - LEFT, BOTTOM - TOP), interpolation=cv2.INTER_AREA)
    return picture


def surfaces() -> Plane:
    shares = np.zeros((HEIGHT, WIDTH, len(Surface)), np.float32)
    shares[:250, :, PLACE[Surface.WALL]], shares[250:, :, PLACE[Surface.FLOOR]] = 1, 1
    shares[PANE] = np.eye(len(Surface))[PLACE[Surface.WINDOW]]
    return shares


def changed(after: Picture, things: Plane | None = None) -> float:
    return measure_changed_view(
        PictureChange(room(), after, np.ones((HEIGHT, WIDTH), np.float32)), surfaces(), things, furnished=True
    )


def nothing() -> Plane:
    return np.zeros((HEIGHT, WIDTH), np.float32)


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.1, 0.13, 0.24)])
@pytest.mark.parametrize("things", [None, nothing()])
def test_another_view_and_night_outside_are_seen(light: tuple[float, float, float], things: Plane | None) -> None:
    after = room()
    after[PANE] = (room(seed=700)[PANE] * np.array(light)).astype(np.uint8)
    assert changed(after, things) > 0.5


@pytest.mark.parametrize("things", [None, nothing()])
def test_the_same_view_under_a_soft_shadow_is_no_other_view(things: Plane | None) -> None:
    shadow = np.ones((HEIGHT, WIDTH), np.float32)
    shadow[90:180, 180:300] = 0.75
    after = (room() * cv2.GaussianBlur(shadow, (0, 0), 4)[..., None]).astype(np.uint8)
    assert changed(after, things) < 0.03


def test_a_lampshade_that_is_wider_than_its_pole_is_a_thing_before_the_window() -> None:
    after = room()
    cv2.rectangle(after, (238, 150), (242, 290), (40, 40, 40), -1)
    cv2.rectangle(after, (224, 80), (256, 150), (236, 226, 200), -1)
    assert changed(after) < 0.03


def test_known_furniture_may_hide_the_whole_window_and_hang_in_the_midst_of_it() -> None:
    after, things = room(), nothing()
    cv2.rectangle(after, (LEFT + 20, TOP + 20), (RIGHT - 20, BOTTOM - 20), (120, 40, 40), -1)
    things[TOP + 20 : BOTTOM - 19, LEFT + 20 : RIGHT - 19] = 1
    assert changed(after) > 0.3
    assert changed(after, things) == 0
    after[PANE], things[PANE] = 60, 1
    assert changed(after, things) == 0


def test_beside_known_furniture_another_view_is_still_seen() -> None:
    after, things = room(), nothing()
    after[PANE] = room(seed=700)[PANE]
    after[100:, 150:240], things[100:, 150:240] = 60, 1
    assert changed(after, things) > 0.3


def test_a_repainted_wall_does_not_excuse_another_view_beside_it() -> None:
    after = room(seed=700)
    after[:250][surfaces()[:250, :, PLACE[Surface.WALL]] > 0] = (120, 140, 120)
    after[PANE][:, :30] = (120, 140, 120)
    everywhere = np.ones((HEIGHT, WIDTH), np.float32)
    assert measure_changed_view(PictureChange(room(), after, everywhere), surfaces()) > 0.3
