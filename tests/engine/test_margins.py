"""Margins around a photo and labels in its corners are found, and no effect changes them; skies are neither."""

import cv2
import numpy as np
import pytest

from engine.arrays import Pixels
from engine.segmentation.margins import clear_margins, crop_margins, find_margins
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.engine_runs import after

pytestmark = pytest.mark.usefixtures("seen_roughly")

HEIGHT, WIDTH = 320, 480
LABEL = np.s_[:12, :90]


def labeled(picture: Pixels) -> Pixels:
    picture = picture.copy()
    picture[LABEL] = 250
    cv2.putText(picture, "2015 PHOTOS", (2, 9), cv2.FONT_HERSHEY_SIMPLEX, 0.3, (30, 30, 30), 1)
    return picture


def compressed(picture: Pixels) -> Pixels:
    """The picture after JPEG compression, whose noise blurs edges."""
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8)


@pytest.mark.parametrize("color", [255, 0])
@pytest.mark.parametrize("side", range(4))
def test_a_margin_is_found_at_each_side(color: int, side: int) -> None:
    picture = np.rot90(scenes.house(), side).copy()
    picture[:20] = color
    found = find_margins(compressed(np.ascontiguousarray(np.rot90(picture, -side))))
    assert found is not None
    seen = np.rot90(found, side)
    assert seen[:19].all()
    assert not seen[21:].any()


def test_a_margin_with_lettering_that_reaches_into_the_photo_is_whole() -> None:
    picture = scenes.house()
    picture[-30:] = 255
    cv2.putText(picture, "REALTORS", (WIDTH - 110, HEIGHT - 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (60, 60, 60), 3)
    found = find_margins(compressed(picture))
    assert found is not None
    assert found[-29:].all()
    assert not found[:-31].any()


@pytest.mark.parametrize("flip", [np.s_[:, :], np.s_[:, ::-1], np.s_[::-1, :], np.s_[::-1, ::-1]])
def test_a_label_is_found_in_each_corner(flip: tuple[slice, slice]) -> None:
    picture = compressed(np.ascontiguousarray(labeled(scenes.house(sky=scenes.BLUE)[flip])))
    found = find_margins(np.ascontiguousarray(picture[flip]))
    assert found is not None
    assert found[flip][:11, :89].all()
    assert found.sum() < 13 * 92


@pytest.mark.parametrize("sky", [(255, 255, 255), (252, 253, 255), scenes.BLUE, scenes.OVERCAST])
def test_a_sky_is_no_margin_white_as_it_may_be(sky: tuple[int, int, int]) -> None:
    assert find_margins(scenes.house(sky=sky)) is None


def test_a_white_wall_under_the_corner_of_a_white_sky_is_no_label() -> None:
    picture = scenes.house(sky=(255, 255, 255))
    picture[12:60, :90], picture[:60, 90:140] = 120, 90
    assert find_margins(picture) is None


@pytest.mark.parametrize("step", [Enhancement.SKY, Enhancement.GOLDEN_HOUR])
def test_margin_and_label_keep_their_bytes(step: Enhancement) -> None:
    picture = labeled(scenes.house())
    picture[:, -16:] = 255
    changed = after(picture, step)
    assert np.array_equal(changed[LABEL], picture[LABEL])
    assert np.array_equal(changed[:, -16:], picture[:, -16:])
    assert np.abs(changed[4:30, 120:400].astype(int) - picture[4:30, 120:400]).mean() > 8


def test_a_picture_and_a_map_are_cropped_alike_and_labels_stay() -> None:
    margins = np.zeros((40, 60), np.bool_)
    margins[:5], margins[:, -10:], margins[5:9, :20] = True, True, True
    assert crop_margins(np.zeros((40, 60, 3), np.uint8), margins).shape == (33, 48, 3)
    assert crop_margins(np.zeros((20, 30), np.float32), margins).shape == (17, 24)


def test_a_map_is_cleared_in_margins_alone() -> None:
    margins = np.zeros((40, 60), np.bool_)
    margins[:5] = True
    cleared = clear_margins(np.ones((20, 30), np.float32), margins)
    assert cleared[:3].max() == 0
    assert cleared[3:].min() == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (7, 7)])
def test_a_picture_of_any_shape_has_an_answer(shape: tuple[int, int]) -> None:
    assert find_margins(np.full((*shape, 3), 255, np.uint8)) is None
