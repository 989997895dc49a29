"""The measures of the engine's figures give what is known beforehand of drawn truth."""

import cv2
import numpy as np
import pytest

from bench.quality.dusk import graded
from bench.quality.measures import (
    color_differences,
    newly_clipped,
    outline_score,
    outside,
    overlap,
    overshoot,
    scales_apart,
)
from tests import scenes

SHAPE = (200, 300)


def box(top: int, left: int, bottom: int, right: int) -> np.ndarray:
    mask = np.zeros(SHAPE, np.bool_)
    mask[top:bottom, left:right] = True
    return mask


def test_overlap_is_the_shared_area_over_all_area() -> None:
    left, right = box(0, 0, 100, 100), box(0, 50, 100, 150)
    assert overlap(left, left) == 1
    assert overlap(left, right) == pytest.approx(1 / 3)
    assert overlap(left, box(150, 200, 160, 210)) == 0
    assert overlap(box(0, 0, 0, 0), box(0, 0, 0, 0)) == 1
    assert overlap(left, box(0, 0, 0, 0)) == 0


def test_an_outline_counts_as_found_within_its_tolerance_only() -> None:
    truth = box(50, 50, 150, 250)
    assert outline_score(truth, truth) == 1
    assert outline_score(box(52, 52, 152, 252), truth) == 1
    assert outline_score(box(62, 50, 162, 250), truth) < 0.7
    assert outline_score(box(0, 0, 0, 0), truth) == 0
    assert outline_score(box(0, 0, 0, 0), box(0, 0, 0, 0)) == 1


def test_an_outline_found_twice_is_half_wrong() -> None:
    truth = box(20, 20, 80, 280)
    both = truth | box(120, 20, 180, 280)
    assert outline_score(both, truth) == pytest.approx(2 / 3, abs=0.02)


def test_colors_are_compared_in_the_region_only() -> None:
    before = scenes.house(300, 200)
    after = before.copy()
    after[:50] = (20, 90, 200)
    sky = np.where(box(0, 0, 50, 300), 255, 0).astype(np.uint8)
    assert color_differences(before, after, outside(sky)).max() == 0
    assert color_differences(before, after, ~outside(sky)).min() > 20
    assert color_differences(before, after, box(0, 0, 0, 0)).tolist() == [0]


def test_a_large_region_is_sampled_evenly() -> None:
    before = np.full((1200, 1000, 3), 120, np.uint8)
    after = before.copy()
    after[:, 500:] = 140
    found = color_differences(before, after, np.ones((1200, 1000), np.bool_))
    assert 150_000 <= len(found) <= 300_000
    assert (found > 1).mean() == pytest.approx(0.5, abs=0.01)


def test_gray_of_known_lightness_is_as_far_apart_as_the_formula_says() -> None:
    one, other = (np.full((4, 4, 3), value, np.uint8) for value in (119, 124))
    # L* 50.03 and 51.97 of the two grays; at L* 51 the formula divides by 1.0034.
    assert color_differences(one, other, np.ones((4, 4), np.bool_)) == pytest.approx(1.93, abs=0.05)


def test_only_what_was_not_clipped_before_counts_as_newly_clipped() -> None:
    before = np.full((100, 100, 3), 200, np.uint8)
    before[:10] = 253
    after = before.copy()
    after[:20] = 255
    after[90:, :50] = 0
    after[50, 0] = (255, 255, 254)
    assert newly_clipped(before, after) == pytest.approx(0.15)


@pytest.fixture
def house() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A house, its sky as a mask, and the house with the sky turned blue."""
    before = scenes.house(600, 400, light=0.9)
    full = scenes.house(600, 400, sky=(10, 10, 250), light=0.9)
    sky = (np.abs(before.astype(int) - full).max(-1) > 60).astype(np.uint8) * 255
    after = before.copy()
    after[sky > 0] = (90, 140, 210)
    return before, sky, after


def test_a_clean_edge_has_no_overshoot(house: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    before, sky, after = house
    assert overshoot(before, after, sky) == 0


def test_a_halo_along_the_roof_is_found(house: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    before, sky, after = house
    edge = (cv2.dilate(sky, np.ones((5, 5), np.uint8)) > 0) & (sky == 0)
    glowing = after.copy()
    # Lighter than roof and leaves, darker than the sky that was: the old sky is no excuse.
    glowing[edge] = 180
    assert overshoot(before, glowing, sky) > 0.1
    dark = after.copy()
    dark[edge] = 0
    assert overshoot(before, dark, sky) > 0.1


def test_a_foreground_lit_anew_as_a_whole_is_no_overshoot(house: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    before, sky, after = house
    relit = np.where(sky[..., None] > 0, after, np.clip(after.astype(int) + 12, 0, 255)).astype(np.uint8)
    assert overshoot(before, relit, sky) < 0.01


def test_a_picture_without_a_sky_has_no_overshoot() -> None:
    picture = scenes.house(300, 200)
    assert overshoot(picture, picture, np.zeros(SHAPE, np.uint8)) == 0


def test_pictures_are_apart_by_what_is_seen_from_afar_and_not_by_noise() -> None:
    picture = scenes.house(320, 240)
    noise = np.random.Generator(np.random.PCG64(3)).normal(0, 12, picture.shape)
    noisy = np.clip(picture + noise, 0, 255).astype(np.uint8)
    darker = (picture * 0.8).astype(np.uint8)
    assert scales_apart(picture, picture) == 0
    assert scales_apart(picture, noisy) < scales_apart(picture, darker) / 2


def test_a_grade_darkens_by_its_stops_and_leaves_blue_the_brightest() -> None:
    gray = np.full((2, 2, 3), 188, np.uint8)
    assert graded(gray, 0, 0).tolist() == gray.tolist()
    # 188 is half of the light; one stop less is a quarter, 137.
    assert graded(gray, -1, 0)[0, 0].tolist() == [137, 137, 137]
    red, green, blue = graded(gray, -1, 0.5)[0, 0].tolist()
    assert red < green < blue == 137
