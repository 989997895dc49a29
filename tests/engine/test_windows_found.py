"""Finding windows on drawn houses: panes and not doors, walls, bushes or sky."""

import cv2
import numpy as np
import pytest

from engine.arrays import Pixels, Plane
from engine.segmentation.close_up import CloseUp, look_closer
from engine.segmentation.labels import NUMBER, Kind, Label
from engine.segmentation.network import NetworkOutput
from engine.segmentation.window_boxes import propose_boxes
from engine.segmentation.window_features import find_common_colors, select_best_boxes
from engine.segmentation.window_mask import GlassMaps, segment_windows
from tests import scenes

Box = tuple[float, float, float, float]
GLASS, WALL = (58, 70, 86), (214, 208, 198)
BRICK = (128, 74, 58)


def small(picture: scenes.Picture) -> Plane:
    return picture.astype(np.float32) / 255


def facade(
    wall: tuple[int, int, int] = WALL, glass: tuple[int, int, int] = GLASS
) -> tuple[scenes.Picture, list[Box]]:
    """A wall with two rows of three windows with frames under a sky, above ground."""
    noise = np.random.Generator(np.random.PCG64(3))
    picture = np.full((480, 720, 3), wall, np.uint8)
    picture[:70] = (205, 216, 230)
    picture[400:] = (120, 118, 112)
    boxes = [(x, y, x + 0.09, y + 0.16) for y in (0.26, 0.54) for x in (0.16, 0.45, 0.74)]
    for left, top, right, bottom in boxes:
        scenes.part(picture, (left - 0.008, top - 0.012, right + 0.008, bottom + 0.012))[...] = (236, 234, 230)
        scenes.part(picture, (left, top, right, bottom))[...] = glass
    grained = picture + noise.normal(0, 1.5, picture.shape)
    return np.clip(grained, 0, 255).astype(np.uint8), boxes


def sky_of(picture: scenes.Picture) -> Plane:
    sky = np.zeros(picture.shape[:2], np.float32)
    sky[:70] = 1
    return sky


def found_in(picture: scenes.Picture, shares: Plane | None = None) -> Plane:
    """What is found where the net sees these shares, far and near alike; without them, nothing."""
    seen = np.zeros((*picture.shape[:2], len(Kind)), np.float32) if shares is None else shares
    return segment_windows(small(picture), sky_of(picture), seen, looks_of(seen))


def looks_of(shares: Plane) -> GlassMaps:
    glass = shares[..., Kind.GLASS]
    return GlassMaps(glass, glass, shares[..., Kind.BUILDING] + glass)


def seen_as(picture: scenes.Picture, glass: list[Box], likely: float) -> Plane:
    """Shares as a net would give them: the wall a building, these boxes glass to that degree."""
    shares = np.zeros((*picture.shape[:2], len(Kind)), np.float32)
    shares[70:400, :, Kind.BUILDING] = 1
    for box in glass:
        scenes.part(shares, box)[..., Kind.GLASS] = likely
        scenes.part(shares, box)[..., Kind.BUILDING] = 1 - likely
    shares[..., Kind.GLASS] = cv2.GaussianBlur(shares[..., Kind.GLASS], (0, 0), 4)
    return shares


@pytest.mark.parametrize("wall", [WALL, BRICK, (150, 152, 156)])
def test_every_pane_of_a_facade_is_found_and_nothing_else(wall: tuple[int, int, int]) -> None:
    picture, boxes = facade(wall)
    found = found_in(picture)
    assert min(scenes.part(found, box).mean() for box in boxes) > 0.85
    inside = sum(scenes.part(found, box).sum() for box in boxes)
    assert found.sum() < 1.45 * inside


def test_pale_panes_that_mirror_the_sky_are_found_where_glass_is_likely() -> None:
    picture, boxes = facade(BRICK, (150, 168, 196))
    found = found_in(picture, seen_as(picture, boxes, 0.6))
    assert np.median([scenes.part(found, box).mean() for box in boxes]) > 0.85


def test_what_is_surely_no_building_has_no_windows() -> None:
    picture, _ = facade()
    shares = np.zeros((*picture.shape[:2], len(Kind)), np.float32)
    shares[..., Kind.THINGS] = 1
    shares[..., Kind.BUILDING] = 0.01
    assert found_in(picture, shares).sum() == 0


def test_a_place_the_net_takes_for_glass_counts_more_than_one_it_does_not() -> None:
    picture, boxes = facade((120, 122, 126), (112, 100, 82))
    shares = seen_as(picture, boxes[:3], 0.7)
    found = found_in(picture, shares)
    upper, lower = (np.mean([scenes.part(found, box).mean() for box in part]) for part in (boxes[:3], boxes[3:]))
    assert upper > 0.8
    assert upper > lower + 0.3


def test_bushes_before_the_house_are_no_windows() -> None:
    picture, _ = facade()
    noise = np.random.Generator(np.random.PCG64(5))
    for _ in range(400):
        x, y = int(noise.uniform(10, 200)), int(noise.uniform(345, 395))
        shade = noise.uniform(0.4, 1.1)
        cv2.circle(picture, (x, y), 5, (58 * shade, 92 * shade, 40 * shade), -1)
    assert found_in(picture)[350:395, :200].mean() < 0.02


def test_a_wide_even_garage_door_is_no_window() -> None:
    picture, _ = facade()
    scenes.part(picture, (0.10, 0.5, 0.60, 0.83))[...] = WALL
    door = (0.14, 0.58, 0.44, 0.83)
    scenes.part(picture, door)[...] = (74, 78, 84)
    assert scenes.part(found_in(picture), door).mean() < 0.1


def test_a_plain_wall_has_no_windows() -> None:
    picture = np.full((480, 720, 3), WALL, np.uint8)
    picture[:70] = (205, 216, 230)
    assert found_in(picture).sum() == 0


def test_common_colors_are_those_of_the_wall() -> None:
    picture, boxes = facade()
    weight = np.zeros(picture.shape[:2], np.float32)
    weight[70:400] = 1
    common = find_common_colors(small(picture), weight)
    assert common[80:110].mean() > 0.9
    assert max(scenes.part(common, box).mean() for box in boxes) < 0.05


def test_much_white_does_not_make_black_a_common_color() -> None:
    levels = np.repeat([1, 0.5, 0, 0.1, 0.25, 0.75, 0.9], [45, 17, 15, 6, 6, 6, 5])
    picture = np.repeat(levels.astype(np.float32)[None, :, None], 3, axis=2)
    common = find_common_colors(picture, np.ones(picture.shape[:2], np.float32))[0]
    assert common[levels == 1].all()
    assert common[levels == 0.5].all()
    assert not common[levels == 0].any()


@pytest.mark.parametrize("shape", [(1, 1), (1, 700), (700, 1), (3, 9), (9, 9), (96, 768)])
def test_odd_pictures_have_a_mask_of_their_size(shape: tuple[int, int]) -> None:
    noise = np.random.Generator(np.random.PCG64(1))
    picture = noise.random((*shape, 3), dtype=np.float32)
    sky, shares = np.zeros(shape, np.float32), np.zeros((*shape, len(Kind)), np.float32)
    assert segment_windows(picture, sky, shares, looks_of(shares)).shape == shape


def test_boxes_lie_within_the_picture() -> None:
    picture = facade()[0]
    boxes = propose_boxes(small(picture), np.zeros(picture.shape[:2], np.float32))
    assert len(boxes) > 6
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, 2] <= 720).all()
    assert (boxes[:, 3] <= 480).all()
    assert (boxes[:, 2:] - boxes[:, :2] >= 5).all()


def test_a_dark_door_down_to_the_ground_is_no_window_where_the_net_wavers() -> None:
    picture, boxes = facade()
    door = (0.31, 0.56, 0.37, 0.83)
    scenes.part(picture, door)[...] = (30, 32, 34)
    likely = seen_as(picture, boxes, 0.8)
    scenes.part(likely, door)[..., Kind.GLASS] = 0.35
    found = found_in(picture, likely)
    assert scenes.part(found, door).mean() < 0.05
    assert min(scenes.part(found, box).mean() for box in boxes) > 0.8


def test_shutters_beside_windows_stay_dark_where_the_net_half_takes_them_for_glass() -> None:
    picture, boxes = facade()
    shutter = (0.262, 0.26, 0.295, 0.42)
    scenes.part(picture, shutter)[...] = (48, 66, 58)
    likely = seen_as(picture, boxes, 0.9)
    scenes.part(likely, shutter)[..., Kind.GLASS] = 0.4
    found = found_in(picture, likely)
    assert scenes.part(found, shutter).mean() < 0.05
    assert min(scenes.part(found, box).mean() for box in boxes) > 0.8


def test_a_plate_beside_the_door_is_too_small_for_a_window_of_this_house() -> None:
    picture, boxes = facade()
    plate = (0.37, 0.60, 0.39, 0.63)
    scenes.part(picture, plate)[...] = (176, 170, 160)
    likely = seen_as(picture, boxes, 0.9)
    scenes.part(likely, plate)[..., Kind.GLASS] = 0.35
    found = found_in(picture, likely)
    assert scenes.part(found, plate).mean() < 0.05
    assert min(scenes.part(found, box).mean() for box in boxes) > 0.8


def test_of_overlapping_boxes_those_are_taken_that_hold_glass_and_nothing_else() -> None:
    glass = np.zeros((100, 100), np.float32)
    glass[20:40, 20:40] = glass[20:40, 60:80] = 0.9
    boxes = np.array([[20, 20, 80, 40], [20, 20, 40, 40], [60, 20, 80, 40], [20, 20, 40, 30]], np.int32)
    assert sorted(select_best_boxes(boxes, glass, np.ones((4, 4), np.float32)).tolist()) == [1, 2]


LAMP_ANSWER = 0.7


def looked_at(
    kinds: Plane, monkeypatch: pytest.MonkeyPatch, answer: float
) -> tuple[CloseUp, list[tuple[int, ...]]]:
    """What a closer look makes of a picture of these first shares, each look giving `answer`; the looks' shapes."""
    looks: list[tuple[int, ...]] = []

    def see(crop: Pixels) -> NetworkOutput:
        looks.append(crop.shape)
        labels = np.zeros((8, 8, len(Label)), np.float32)
        labels[..., NUMBER[Label.PANE]], labels[..., NUMBER[Label.LAMP]] = answer, LAMP_ANSWER
        return NetworkOutput(labels, {})

    monkeypatch.setattr("engine.segmentation.close_up.run_network", see)
    return look_closer(np.zeros((*kinds.shape[:2], 3), np.uint8), kinds), looks


def first_look(house: tuple[slice, slice]) -> Plane:
    kinds = np.zeros((512, 768, len(Kind)), np.float32)
    kinds[house][..., Kind.BUILDING] = 0.8
    kinds[house][..., Kind.GLASS] = 0.2
    return kinds


def test_only_the_house_is_looked_at_closer(monkeypatch: pytest.MonkeyPatch) -> None:
    found, looks = looked_at(first_look(np.s_[200:320, 300:460]), monkeypatch, 0.9)
    assert len(looks) == 1
    assert looks[0][0] < 200
    assert looks[0][1] < 280
    assert found.glass[210:310, 310:450].min() > 0.85
    assert found.glass[:100].max() == 0


def test_a_large_house_is_looked_at_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    found, looks = looked_at(first_look(np.s_[40:500, 20:750]), monkeypatch, 0.9)
    assert len(looks) == 2
    assert found.glass[50:490, 30:740].min() > 0.85


def test_a_closer_look_is_not_believed_where_the_whole_one_saw_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = first_look(np.s_[200:320, 300:460])
    kinds[..., Kind.GLASS] = 0
    assert looked_at(kinds, monkeypatch, 0.9)[0].glass.max() == 0


def test_without_a_house_nothing_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    found, looks = looked_at(np.zeros((512, 768, len(Kind)), np.float32), monkeypatch, 0.9)
    assert not looks
    assert found.glass.max() == 0


def test_a_lamp_is_believed_where_only_the_closer_look_sees_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = looked_at(first_look(np.s_[200:320, 300:460]), monkeypatch, 0.1)
    assert found.lamps[210:310, 310:450] == pytest.approx(LAMP_ANSWER, abs=1e-3)
    assert found.lamps[:100].max() == 0
