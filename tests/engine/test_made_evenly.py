"""What was made in a room is as sharp, as fine and as straight as the room is: each figure by itself."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.geometry.surface import PLACE, Surface
from engine.quality.changes import PictureChange
from engine.quality.continued_lines import measure_continued_lines
from engine.quality.fixed_parts import measure_softened_edges, measure_strayed_edges
from engine.quality.furniture_contact import measure_floating
from engine.quality.openings import count_new_openings
from engine.quality.smearing import measure_lost_detail, measure_smearing
from tests.engine.box_rooms import BoxRoom

ROOM = BoxRoom(floor="plain", width=768, height=512)
NOWHERE = np.zeros((512, 768), np.bool_)


def drawn(furnished: bool = False) -> tuple[Plane, Plane]:
    """The room in gray, 0-1, and its surfaces."""
    pixels, labels = ROOM.drawn(furnished=furnished)
    return gray(pixels), plane(np.eye(len(Surface), dtype=np.float32)[labels])


def gray(pixels: NDArray[np.uint8]) -> Plane:
    return plane(rgb_to_gray(plane(pixels)) / 255)


def floor_of(surfaces: Plane) -> Mask:
    return np.asarray(surfaces.argmax(-1) == PLACE[Surface.FLOOR])


def grained(floor: Mask, picture: Plane, strength: float = 0.05) -> Plane:
    """The picture with grain on its floor, finer the farther away."""
    grain = np.random.default_rng(3).normal(0, strength, picture.shape).astype(np.float32)
    fading = np.linspace(0.4, 1, len(picture), dtype=np.float32)[:, None]
    return plane(np.clip(picture + grain * fading * floor, 0, 1))


def rubbed(picture: Plane, box: tuple[slice, slice], sigma: float = 4) -> Plane:
    result = picture.copy()
    result[box] = cv2.GaussianBlur(picture, (0, 0), sigma)[box]
    return result


PATCH = np.s_[400:500, 300:420]


@pytest.mark.long
def test_detail_that_falls_with_distance_is_not_missing() -> None:
    before, surfaces = drawn()
    after = grained(floor_of(surfaces), before)
    assert measure_lost_detail(before, after, floor_of(surfaces), surfaces, ROOM.room, renewed=True) < 0.1


def test_a_rubbed_out_patch_of_a_floor_misses_its_detail() -> None:
    before, surfaces = drawn()
    after = rubbed(grained(floor_of(surfaces), before), PATCH)
    for renewed in (True, False):
        assert measure_lost_detail(before, after, floor_of(surfaces), surfaces, ROOM.room, renewed=renewed) > 0.8


def test_detail_that_the_photo_has_not_either_is_not_missed() -> None:
    plain, surfaces = drawn()
    before = rubbed(grained(floor_of(surfaces), plain), PATCH)
    after = plane(before * 0.7)
    assert measure_lost_detail(before, after, floor_of(surfaces), surfaces, ROOM.room, renewed=True) < 0.1


def test_a_floor_without_detail_has_none_to_lose() -> None:
    before, surfaces = drawn()
    assert measure_lost_detail(before, before, floor_of(surfaces), surfaces, ROOM.room, renewed=True) == 0


def test_edges_of_the_room_may_change_tone_but_not_be_rubbed_out() -> None:
    before, surfaces = drawn()
    darker = plane(np.where(floor_of(surfaces), before * 0.4, before))
    assert measure_softened_edges(before, darker, surfaces, NOWHERE) == 0
    assert measure_softened_edges(before, rubbed(darker, np.s_[:, 200:500], 5), surfaces, NOWHERE) > 0.2


def refloored(before: Plane, floor: Mask) -> Plane:
    """The picture with a striped floor that is as light as the wall above it."""
    stripes = np.where(np.arange(before.shape[1]) % 12 < 6, 0.04, -0.04)
    return plane(np.where(floor, np.median(before[~floor]) + stripes, before))


def test_lines_of_a_new_floor_as_light_as_the_wall_are_no_moved_edges() -> None:
    before, surfaces = drawn()
    floor = floor_of(surfaces)
    after = refloored(before, floor)
    assert measure_strayed_edges(before, after, surfaces, NOWHERE) > 0.06
    assert measure_strayed_edges(before, after, surfaces, NOWHERE, floor) == 0


def test_a_new_floor_that_reaches_up_the_wall_moves_its_edge() -> None:
    before, surfaces = drawn()
    higher = np.asarray(np.roll(floor_of(surfaces), -6, axis=0) | floor_of(surfaces))
    after = plane(np.where(higher, 0.1, before))
    assert measure_strayed_edges(before, after, surfaces, NOWHERE, higher) > 0.06


def test_an_edge_behind_something_new_is_not_looked_for() -> None:
    before, surfaces = drawn()
    blurred = rubbed(before, np.s_[:, 200:500], 5)
    hidden = NOWHERE.copy()
    hidden[:, 170:530] = True
    assert measure_softened_edges(before, blurred, surfaces, hidden) == 0


def gleam(joints: bool) -> Plane:
    """A floor seen from above with a soft gleam on it, and joints of tiles."""
    y, x = np.mgrid[:512, :768].astype(np.float32)
    floor = 0.35 + 0.5 * np.exp(-(((x - 380) / 26) ** 2 + ((y - 260) / 26) ** 2))
    if joints:
        floor[::40] = floor[1::40] = 0.05
        floor[:, ::40] = floor[:, 1::40] = 0.05
    return plane(floor)


def test_a_gleam_that_lay_across_joints_before_is_no_smear() -> None:
    everywhere = ~NOWHERE
    assert measure_smearing(gleam(joints=True), gleam(joints=False), everywhere) < 0.05


def test_soft_light_and_dark_that_was_not_there_is_a_smear() -> None:
    everywhere = ~NOWHERE
    assert measure_smearing(plane(np.full((512, 768), 0.4)), gleam(joints=False), everywhere) > 0.3


@pytest.mark.long
def test_a_walls_foot_goes_on_behind_what_was_taken_away_though_it_comes_out_nowhere() -> None:
    box = replace(ROOM, things=((0.6, 2.6, 3.6, 4.6, 0.0, 0.8),))
    pixels, labels = box.drawn(furnished=True)
    before, after = gray(pixels), drawn()[0]
    free = cv2.dilate((labels == PLACE[Surface.FURNITURE]).astype(np.uint8), np.ones((9, 9), np.uint8)) > 0
    kept = measure_continued_lines(before, after, free, box.room)
    assert kept is not None and kept > 0.95
    broken = measure_continued_lines(before, np.where(free, np.float32(0.5), after), free, box.room)
    assert broken is not None and broken < 0.5
    assert measure_continued_lines(before, after, free, None) is None
    along_doors = np.ones_like(free)
    assert measure_continued_lines(before, np.full_like(after, 0.5), free, box.room, along_doors) is None


def test_a_thing_over_a_gap_in_its_own_shadow_floats() -> None:
    """The gap's rim hangs together with it, so that it looks like feet in the shadow."""
    floor = np.full((256, 384, 3), (150, 140, 130), np.uint8)
    shade = np.ones((256, 384), np.float32)
    shade[60:215, 100:290] = 0.72
    shade = cv2.GaussianBlur(shade, (0, 0), 12)
    after = np.rint(floor * shade[..., None]).astype(np.uint8)
    after[60:190, 120:270] = floor[0, 0]
    after[40:170, 120:270] = (60, 90, 140)
    surfaces = np.zeros((256, 384, len(Surface)), np.float32)
    surfaces[..., PLACE[Surface.FLOOR]] = 1
    change = PictureChange(floor, after, np.ones((256, 384), np.float32))
    nothing_flat = np.zeros((256, 384), np.float32)
    assert measure_floating(change, surfaces, nothing_flat, None) > 0.8
    after[170:190, 120:270] = (60, 90, 140)
    standing = PictureChange(floor, after, change.editable)
    assert measure_floating(standing, surfaces, nothing_flat, None) < 0.2


def with_windows(*lefts: int, post: bool) -> NDArray[np.uint8]:
    """The room with bright windows drawn on its back wall, each perhaps with a post in its middle."""
    picture = ROOM.drawn(furnished=False)[0].copy()
    for left in lefts:
        cv2.rectangle(picture, (left, 130), (left + 120, 240), (250, 252, 255), -1)
        cv2.rectangle(picture, (left, 130), (left + 120, 240), (40, 40, 40), 2)
        if post:
            cv2.line(picture, (left + 60, 130), (left + 60, 240), (40, 40, 40), 2)
    return picture


@pytest.mark.parametrize("post", [False, True])
@pytest.mark.parametrize("lefts", [(), (330,), (200, 480)])
def test_a_new_window_is_counted_once_whatever_its_posts(lefts: tuple[int, ...], post: bool) -> None:
    assert count_new_openings(with_windows(post=False), with_windows(*lefts, post=post)) == len(lefts)
