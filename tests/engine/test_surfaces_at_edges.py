"""Shares of surfaces end where the picture has edges, whatever few pixels the net was off by."""

import cv2
import numpy as np
import pytest

from engine.filters.edge_aware import snap_to_edges
from tests.scenes import Picture

WIDTH, HEIGHT, EDGE = 160, 96, 80


def picture(step: int) -> Picture:
    """Two even halves, so many levels apart, with a little grain."""
    levels = np.full((HEIGHT, WIDTH, 3), 120.0)
    levels[:, EDGE:] += step
    grain = np.random.Generator(np.random.PCG64(4)).normal(0, 1.5, levels.shape)
    return np.clip(levels + grain, 0, 255).astype(np.uint8)


def soft(border: float, *, sure: float = 0.95) -> np.ndarray:
    """Shares of two surfaces that change from one to the other about a column."""
    right = cv2.GaussianBlur((np.tile(np.arange(WIDTH), (HEIGHT, 1)) > border).astype(np.float32), (0, 0), 4)
    right = (1 - sure) + right * (2 * sure - 1)
    return np.dstack([1 - right, right]).astype(np.float32)


def border(shares: np.ndarray) -> np.ndarray:
    """The first column of each row that is of the second surface."""
    return np.asarray((shares[..., 1] > 0.5).argmax(1))


@pytest.mark.parametrize("off", [-7, -3, 4, 8])
def test_a_border_that_is_a_few_pixels_off_moves_to_the_edge(off: int) -> None:
    found = snap_to_edges(soft(EDGE + off), picture(40))
    assert np.abs(border(found) - EDGE).max() <= 1
    assert found[:, : EDGE - 4, 0].min() > 0.8


def test_shares_still_sum_to_one() -> None:
    assert np.allclose(snap_to_edges(soft(70), picture(40)).sum(2), 1, atol=1e-4)


def test_where_the_picture_is_even_a_border_stays() -> None:
    found = snap_to_edges(soft(EDGE - 20), picture(0))
    assert np.abs(border(found) - (EDGE - 20)).max() <= 4


def test_a_thing_that_the_net_saw_is_not_swallowed_by_what_is_around() -> None:
    shares = np.full((HEIGHT, WIDTH, 2), (0.97, 0.03))
    shares[40:56, 70:90] = (0.1, 0.9)
    shown = picture(0)
    shown[40:56, 70:90] = 60
    found = snap_to_edges(shares.astype(np.float32), shown)
    assert (found[42:54, 72:88, 1] > 0.5).all()
    assert (found[:36, :, 0] > 0.9).all()
