"""The segments of a photo: they cover it, hints accept each, and surfaces can be put together from them."""

import io

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.geometry.surface import PLACE, Surface
from engine.io.photo import decode
from engine.outlook import segments
from engine.outlook.reading import read_outlook
from engine.outlook.superpixels import cut_picture, merge_pieces
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.types.edit_request import EditRequest
from engine.types.hint_document import read_hints
from engine.types.hints import HintedSurface
from engine.types.outlook import LABELS, Segment
from tests import scenes
from tests.engine.box_rooms import BoxRoom

ROOM = BoxRoom(width=600, height=400)
HOUSE = scenes.house(768, 512)
NOISE = np.random.Generator(np.random.PCG64(5)).integers(0, 255, (384, 576, 3)).astype(np.uint8)
Mask = NDArray[np.bool_]


def find(picture: scenes.Picture) -> tuple[Segment, ...]:
    photo = decode(io.BytesIO(scenes.encoded(picture, "PNG")))
    return read_outlook(photo, EditRequest()).segments


def draw(segment: Segment, shape: tuple[int, ...]) -> Mask:
    return draw_polygons([segment.polygon], shape[1], shape[0]) > 0


def tap(found: tuple[Segment, ...], wanted: Mask) -> Mask:
    """What a person taps to show a surface: the segments that lie in it for the most part."""
    drawn = [draw(each, wanted.shape) for each in found]
    tapped = [each for each in drawn if wanted[each].mean() > 0.5]
    return np.asarray(np.any(tapped, 0))


def overlap(one: Mask, other: Mask) -> float:
    return float((one & other).sum() / (one | other).sum())


@pytest.mark.parametrize("picture", [HOUSE, ROOM.drawn(furnished=True)[0], NOISE, np.full_like(NOISE, 128)])
def test_segments_cover_the_photo_and_each_is_an_outline_that_hints_accept(picture: scenes.Picture) -> None:
    found = find(picture)
    assert segments.FEWEST <= len(found) <= segments.MOST
    assert sum(len(each.polygon) for each in found) <= segments.MAX_POINTS
    assert np.any([draw(each, picture.shape) for each in found], 0).mean() >= 0.98
    for each in found:
        read_hints({"surfaces": {"other": [[list(point) for point in each.polygon]]}})
        assert each.seen in LABELS
        assert 0 <= each.certainty <= 1


@pytest.mark.parametrize("surface", [Surface.FLOOR, Surface.CEILING, Surface.FURNITURE])
def test_a_surface_of_a_room_is_put_together_from_segments(surface: Surface) -> None:
    picture, labels = ROOM.drawn(furnished=True)
    wanted = labels == PLACE[surface]
    assert overlap(tap(find(picture), wanted), wanted) >= 0.9


def test_sky_and_lawn_are_put_together_from_segments_that_name_them() -> None:
    found, height = find(HOUSE), len(HOUSE)
    lawn = np.zeros(HOUSE.shape[:2], bool)
    lawn[round(scenes.LAWN_TOP * height) :] = True
    assert overlap(tap(found, lawn), lawn) >= 0.95
    (above,) = [each for each in found if draw(each, HOUSE.shape)[10, 20]]
    assert (above.seen, above.certainty > 0.8) == (HintedSurface.SKY, True)
    (wall, *_) = [each for each in found if draw(each, HOUSE.shape)[int(0.6 * height), int(0.4 * 768)]]
    assert wall.seen == ""


def test_pieces_of_one_color_stay_apart_where_the_content_surely_differs() -> None:
    even = np.full((240, 320, 3), 150, np.uint8)
    contents = np.zeros((60, 80, 2), np.float32)
    contents[:, :40, 0] = contents[:, 40:, 1] = 1
    numbers = merge_pieces(cut_picture(even), contents, (2, 2, 1e9))
    assert sorted(np.unique(numbers)) == [0, 1]
    left = numbers == numbers[120, 10]
    assert left[:, :140].all()
    assert not left[:, 180:].any()
    assert len(np.unique(merge_pieces(cut_picture(even), contents, (1, 9, 100.0)))) == 2


@pytest.mark.parametrize("shape", [(1, 60), (2, 2), (9, 300)])
def test_a_tiny_picture_is_divided_too(shape: tuple[int, int]) -> None:
    numbers = merge_pieces(cut_picture(np.resize(NOISE, (*shape, 3))), np.ones((4, 4, 1), np.float32), (1, 9, 6.0))
    assert numbers.shape == shape


def test_large_even_areas_are_few_pieces_and_small_things_are_their_own() -> None:
    picture = np.full((300, 450, 3), 170, np.uint8)
    picture[200:] = (120, 90, 60)
    picture[100:112, 300:312] = (30, 60, 140)
    even = np.ones((10, 10, 1), np.float32)
    numbers = merge_pieces(cut_picture(picture), even, (1, 9, 6.0))
    assert len(np.unique(numbers)) == 3
    assert (numbers == numbers[106, 306]).sum() == pytest.approx(144, abs=60)
