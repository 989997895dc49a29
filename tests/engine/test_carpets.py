"""Floors without lines are filled with grain like the rest, not blurred."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.arrays import plane
from engine.canvas import Canvas
from engine.color.profiles import ColorProfile
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.carpets import has_lines
from engine.inpainting.removal import remove_things
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from tests.engine.box_rooms import BoxRoom
from tests.scenes import Picture


def carpeted(picture: Picture, labels: Picture) -> Picture:
    """The picture with the pile of a carpet on its floor."""
    noise = np.random.Generator(np.random.PCG64(4)).normal(0, 1, labels.shape)
    pile = cv2.GaussianBlur(noise, (0, 0), 1.0)
    pile *= 14 / pile.std()
    floor = labels == PLACE[Surface.FLOOR]
    return np.clip(picture + np.where(floor, pile, 0)[..., None], 0, 255).astype(np.uint8)


def grain(picture: Picture) -> NDArray[np.float32]:
    gray = plane(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    return plane(np.abs(gray - cv2.GaussianBlur(gray, (0, 0), 2)))


@pytest.mark.parametrize(("floor", "lines"), [("planks", True), ("tiles", True), ("plain", False)])
def test_boards_and_tiles_have_lines(floor: str, lines: bool) -> None:
    picture, labels = BoxRoom(floor=floor).drawn(furnished=True)
    shown = carpeted(picture, labels) if floor == "plain" else picture
    assert has_lines(plane(shown) / np.float32(255), labels, labels == PLACE[Surface.FURNITURE]) is lines


def test_a_carpet_keeps_its_grain_where_a_thing_stood() -> None:
    room = BoxRoom(floor="plain")
    picture, labels = room.drawn(furnished=True)
    _, empty = room.drawn(furnished=False)
    photo = carpeted(picture, labels)
    canvas = Canvas(photo, Scene(photo, ColorProfile(), "a room"), EditRequest(enhancements=()))
    done = remove_things(canvas, room.room, np.eye(len(Surface), dtype=np.float32)[labels])
    floor = empty == PLACE[Surface.FLOOR]
    gone = cv2.erode(((labels == PLACE[Surface.FURNITURE]) & floor).astype(np.uint8), np.ones((9, 9))) > 0
    around = (labels == PLACE[Surface.FLOOR]) & (cv2.dilate(gone.astype(np.uint8), np.ones((61, 61))) > 0)
    assert grain(done.pixels)[gone].mean() == pytest.approx(grain(photo)[around].mean(), rel=0.25)
