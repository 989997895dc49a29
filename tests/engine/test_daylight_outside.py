"""What is seen through the windows of a room keeps its own light and color while the room is lit."""

import io

import cv2
import numpy as np
import pytest

from engine.pipeline import PictureEngine
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.scenes import Picture

PANE = np.s_[64:224, 144:336]
GLASS, WALL = np.s_[70:218, 150:330], np.s_[20:300, 20:130]
IN_LAMPLIGHT, IN_SUN, IN_SHADE = (128, 112, 88), (188, 206, 140), (76, 98, 52)


def warm_room() -> tuple[Picture, np.ndarray]:
    """A dim wall in lamplight around a window with trees in sun and shade, and where the shade is."""
    noise = np.random.Generator(np.random.PCG64(4))
    picture = np.full((320, 480, 3), IN_LAMPLIGHT, np.uint8)
    in_shade = cv2.resize(noise.random((8, 10)), (480, 320), interpolation=cv2.INTER_CUBIC) > 0.6
    leaves = np.where(in_shade[..., None], IN_SHADE, IN_SUN) * (0.5 + noise.random((320, 480, 1)))
    picture[PANE] = leaves[PANE]
    return picture, cv2.erode(in_shade.astype(np.uint8), np.ones((9, 9), np.uint8)) > 0


@pytest.mark.parametrize("effect", [Enhancement.HDR, Enhancement.FLAMBIENT])
def test_a_lit_room_turns_white_while_the_leaves_outside_stay_green_and_as_dark_as_they_were(
    effect: Enhancement, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo, in_shade = warm_room()
    panes = np.zeros(photo.shape[:2], np.float32)
    panes[PANE] = 1
    monkeypatch.setattr(Scene, "share", lambda scene, kind: panes * np.float32(kind is Kind.WINDOW))
    done = PictureEngine().enhance(io.BytesIO(scenes.encoded(photo, "PNG")), EditRequest((effect,)))
    assert done.picture is not None
    lit = scenes.decoded(done.picture.content).astype(float)
    wall, wall_before = lit[WALL].mean((0, 1)), np.array(IN_LAMPLIGHT)
    assert wall.mean() > 1.4 * wall_before.mean()
    assert wall[0] / wall[2] < 1.12, "the lamps' color is taken out of the wall"
    leaves, before = (each[GLASS][in_shade[GLASS]].mean(0) for each in (lit, photo.astype(float)))
    assert leaves.mean() < 1.15 * before.mean()
    assert leaves[0] / leaves[2] == pytest.approx(before[0] / before[2], rel=0.06)
