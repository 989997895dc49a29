"""Work at full size: maps stretched strip by strip, mattes that follow edges, the same as in one piece."""

import cv2
import numpy as np
import pytest

from app.engine.arrays import Plane, box_mean, plane
from app.engine.fullsize import columns_with_some, stretch, widened
from app.engine.guided import colour_model, refined

NOISE = np.random.default_rng(7)


def noise(*shape: int) -> Plane:
    return plane(NOISE.random(shape))


@pytest.mark.parametrize("small", [noise(40, 60), noise(40, 60, 3), noise(40, 60, 4), noise(1, 60), noise(40, 1)])
@pytest.mark.parametrize("shape", [(333, 501), (97, 64), (30, 45)])
def test_strips_of_a_map_are_the_map_stretched_in_one_piece(small: Plane, shape: tuple[int, int]) -> None:
    whole = cv2.resize(small, shape[::-1], interpolation=cv2.INTER_LINEAR)
    strips = [stretch(small, shape, slice(top, min(top + 7, shape[0]))) for top in range(0, shape[0], 7)]
    assert np.abs(np.concatenate(strips) - whole).max() < 1e-5


def test_columns_of_a_small_map_reach_all_that_it_touches_at_full_size() -> None:
    small = np.zeros((4, 50), np.float32)
    small[2, 20:23] = 1
    touched = np.flatnonzero(stretch(small, (40, 777), slice(0, 40)).any(0))
    columns = widened(columns_with_some(small > 0), 50, 777)
    assert columns.start <= touched[0]
    assert columns.stop > touched[-1]
    nothing = widened(columns_with_some(small > 1), 50, 777)
    assert nothing.start == nothing.stop


def test_the_local_model_is_the_least_squares_one() -> None:
    guide, mask = noise(30, 40, 3), noise(30, 40)
    slope, offset = colour_model(mask, guide, 3, 1e-3)
    row, column = 15, 20
    expected = []
    for down in range(row - 3, row + 4):
        for across in range(column - 3, column + 4):
            near = np.s_[down - 3 : down + 4, across - 3 : across + 4]
            colours, values = guide[near].reshape(-1, 3).astype(float), mask[near].ravel().astype(float)
            covariance = np.cov(colours.T, bias=True) + 1e-3 * np.eye(3)
            shared = (colours * values[:, None]).mean(0) - colours.mean(0) * values.mean()
            expected.append(np.linalg.solve(covariance, shared))
    assert np.abs(slope[row, column] - np.mean(expected, 0)).max() < 1e-4
    fitted = (box_mean(guide, 0) * slope).sum(-1) + offset
    assert np.corrcoef(fitted.ravel(), mask.ravel())[0, 1] > 0.2


def test_an_even_mask_gives_an_even_matte_and_an_edge_follows_the_picture() -> None:
    picture = np.full((240, 360, 3), 40, np.uint8)
    picture[:, 150:] = 220
    guide = plane(cv2.resize(picture, (90, 60), interpolation=cv2.INTER_AREA)) / np.float32(255)
    for value in (0, 1):
        even = refined(np.full((60, 90), value, np.float32), guide, picture, 4, 1e-3)
        assert np.array_equal(even, np.full((240, 360), 255 * value, np.uint8))
    mask = np.zeros((60, 90), np.float32)
    mask[:, 38:] = 1
    matte = refined(mask, guide, picture, 4, 1e-4)
    assert matte[:, :149].max() < 40
    assert matte[:, 151:].min() > 215
    assert matte[:, 250:].min() == 255
