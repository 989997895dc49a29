"""Work at full size: maps stretched strip by strip, mattes that follow edges, the same as in one piece."""

import threading

import cv2
import numpy as np
import pytest

from engine.arrays import Pixels, Plane, plane
from engine.filters.guided import fit_color_model, refine_mask
from engine.filters.smoothing import box_filter
from engine.filters.strips import (
    STRIP_PIXELS,
    compute_light,
    enlarge_map,
    find_runs,
    split_into_strips,
    start_thread,
    widen_columns,
)

NOISE = np.random.default_rng(7)


def noise(*shape: int) -> Plane:
    return plane(NOISE.random(shape))


@pytest.mark.parametrize("small", [noise(40, 60), noise(40, 60, 3), noise(40, 60, 4), noise(1, 60), noise(40, 1)])
@pytest.mark.parametrize("shape", [(333, 501), (97, 64), (30, 45)])
def test_strips_of_a_map_are_the_map_stretched_in_one_piece(small: Plane, shape: tuple[int, int]) -> None:
    whole = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)
    strips = [enlarge_map(small, shape, slice(top, min(top + 7, shape[0]))) for top in range(0, shape[0], 7)]
    assert np.abs(np.concatenate(strips) - whole).max() < 1e-5


@pytest.mark.parametrize("within", [slice(0, 1000), slice(0, 250), slice(130, 471), None])
def test_strips_cover_the_rows_that_are_asked_for_and_no_others(within: slice | None) -> None:
    strips = list(split_into_strips((1000, STRIP_PIXELS // 100), within))
    rows = [row for strip in strips for row in range(strip.start, strip.stop)]
    assert rows == list(range(1000))[within or slice(None)]
    assert max(strip.stop - strip.start for strip in strips) == 100


@pytest.mark.parametrize("width", [777, 500, 96, 45])
@pytest.mark.parametrize("columns", [slice(0, 9), slice(7, 31), slice(20, 45)])
def test_some_columns_of_a_map_are_those_of_the_whole(width: int, columns: slice) -> None:
    for small in (noise(20, 60), noise(20, 60, 3)):
        whole = enlarge_map(small, (83, width), slice(9, 40))
        assert np.abs(enlarge_map(small, (83, width), slice(9, 40), columns) - whole[:, columns]).max() < 1e-5


def test_runs_of_columns_hold_all_that_a_small_map_touches_at_full_size() -> None:
    small = np.zeros((4, 90), np.float32)
    small[2, 20:23] = small[3, 60] = small[0, 63] = 1
    touched = enlarge_map(small, (40, 1379), slice(0, 40)).any(0)
    runs = find_runs(small > 0)
    assert [(run.start, run.stop) for run in runs] == [(20, 23), (60, 64)]
    for run in runs:
        touched[widen_columns(run, 90, 1379)] = False
    assert not touched.any()
    assert find_runs(small > 1) == []


def test_light_found_on_two_by_two_pixels_joins_without_seams_at_any_size() -> None:
    for height, width in ((64, 3000), (65, 3001), (3001, 63)):
        picture = cv2.resize(NOISE.integers(0, 255, (4, 4, 3), np.uint8), (width, height))

        def found(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
            assert part.shape == (rows.stop - rows.start, columns.stop - columns.start, 3)
            assert max(rows.stop / shape[0], columns.stop / shape[1]) <= 1
            return plane(part)

        everywhere = slice(0, width)
        whole = compute_light(picture, slice(0, height), everywhere, found)
        parts = [
            compute_light(picture, slice(top, min(top + 7, height)), everywhere, found)
            for top in range(0, height, 7)
        ]
        assert np.abs(np.concatenate(parts) - whole).max() < 1e-3
        assert np.abs(whole - picture).mean() < 1
        some = np.s_[5:19, 11:42]
        assert np.abs(compute_light(picture, *some, found) - whole[some]).max() < 1e-3


def test_the_local_model_is_the_least_squares_one() -> None:
    guide, mask = noise(30, 40, 3), noise(30, 40)
    slope, offset = fit_color_model(mask, guide, 3, 1e-3)
    row, column = 15, 20
    expected = []
    for down in range(row - 3, row + 4):
        for across in range(column - 3, column + 4):
            near = np.s_[down - 3 : down + 4, across - 3 : across + 4]
            colors, values = guide[near].reshape(-1, 3).astype(float), mask[near].ravel().astype(float)
            covariance = np.cov(colors.T, bias=True) + 1e-3 * np.eye(3)
            shared = (colors * values[:, None]).mean(0) - colors.mean(0) * values.mean()
            expected.append(np.linalg.solve(covariance, shared))
    assert np.abs(slope[row, column] - np.mean(expected, 0)).max() < 1e-4
    fitted = (box_filter(guide, 0) * slope).sum(-1) + offset
    assert np.corrcoef(fitted.ravel(), mask.ravel())[0, 1] > 0.2


def test_an_even_mask_gives_an_even_matte_and_an_edge_follows_the_picture() -> None:
    picture = np.full((240, 360, 3), 40, np.uint8)
    picture[:, 150:] = 220
    guide = plane(cv2.resize(picture, (90, 60), interpolation=cv2.INTER_AREA)) / np.float32(255)
    for value in (0, 1):
        even = refine_mask(np.full((60, 90), value, np.float32), guide, picture, 4, 1e-3)
        assert np.array_equal(even, np.full((240, 360), 255 * value, np.uint8))
    mask = np.zeros((60, 90), np.float32)
    mask[:, 38:] = 1
    matte = refine_mask(mask, guide, picture, 4, 1e-4)
    assert matte[:, :149].max() < 40
    assert matte[:, 151:].min() > 215
    assert matte[:, 250:].min() == 255


def test_a_matte_is_the_same_whether_or_not_other_places_are_uneven_too() -> None:
    guide = noise(120, 180, 3)
    picture = np.asarray(cv2.resize(guide, (720, 480)) * 255, np.uint8)
    mask = np.zeros((120, 180), np.float32)
    mask[50:64, 80:101] = noise(14, 21)
    alone = refine_mask(mask, guide, picture, 4, 1e-3)
    mask[0, 0] = mask[-1, -1] = mask[0, -1] = mask[-1, 0] = 1
    among_others = refine_mask(mask, guide, picture, 4, 1e-3)
    assert np.abs(alone[100:380, 100:620].astype(int) - among_others[100:380, 100:620]).max() <= 1
    assert alone[:100].max() == 0
    assert among_others[0, 0] > 0


def test_work_begun_in_a_thread_of_its_own_gives_its_result_or_its_error() -> None:
    under_way, may_end = threading.Event(), threading.Event()

    def work() -> int:
        under_way.set()
        assert may_end.wait(120)
        return 7

    outcome = start_thread(work)
    assert under_way.wait(120)
    may_end.set()
    assert outcome() == outcome() == 7
    with pytest.raises(ZeroDivisionError):
        start_thread(lambda: 1 // 0)()
