"""Contact sheets: the places looked at closely are where something is to be seen, and pages hold all rows."""

import numpy as np

from bench.quality.results import Result
from bench.sheets.__main__ import row
from bench.sheets.crops import interesting
from bench.sheets.page import ROW_HEIGHT, crop, fitted, page
from engine.types.enhancements import Enhancement
from tests import scenes


def test_places_lie_on_the_edge_of_the_mask_and_apart() -> None:
    before = scenes.house(1200, 800)
    matte = np.zeros((800, 1200), np.uint8)
    matte[:300] = 255
    first, second = interesting(before, before, matte, 200, 2)
    for box in (first, second):
        assert before[box].shape == (200, 200, 3)
        assert 0 < matte[box].mean() < 255
    assert abs(first[1].start - second[1].start) >= 200


def test_where_a_mask_covers_all_the_place_is_where_detail_changed() -> None:
    before = scenes.room(1200, 800)
    after = before.copy()
    after[500:600, 700:900] = 255 - after[500:600, 700:900]
    (box,) = interesting(before, after, np.full((800, 1200), 255, np.uint8), 200, 1)
    assert box[0].start < 600
    assert box[0].stop > 500
    assert box[1].start < 900
    assert box[1].stop > 700


def test_places_fit_into_tiny_pictures() -> None:
    for shape in ((1, 1, 3), (3, 900, 3), (900, 3, 3)):
        picture = np.zeros(shape, np.uint8)
        for box in interesting(picture, picture, picture[..., 0], 400, 2):
            assert picture[box].size


def test_a_row_has_before_mask_after_and_two_places_as_they_are() -> None:
    before = scenes.house(1200, 800)
    matte = np.zeros((800, 1200), np.uint8)
    matte[:300] = 255
    after = before.copy()
    after[:300] = (10, 20, 250)
    text, images = row(Result("front", before, after, {Enhancement.SKY: matte}, ""), Enhancement.SKY)
    assert text.startswith("front")
    assert len(images) == 7
    assert {image.height for image in images} == {ROW_HEIGHT}
    assert images[4].getextrema()[2][1] == 250 or images[4].getextrema()[2][1] == 255


def test_a_row_of_a_step_that_declined_says_why() -> None:
    done = Result("room", scenes.room(), None, {}, "There is no sky.")
    text, images = row(done, Enhancement.SKY)
    assert (text, len(images)) == (f"room   {Enhancement.SKY} declined: There is no sky.", 1)


def test_a_page_is_as_high_as_its_rows_and_as_wide_as_the_widest() -> None:
    images = [fitted(scenes.house()), crop(scenes.house(900, 600)[:400, :400])]
    one, two = page([("one", images)]), page([("one", images), ("two", images * 2)])
    assert two.height > 1.9 * one.height
    assert two.width > 1.8 * one.width
