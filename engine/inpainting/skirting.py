"""Measures the foot of a wall, such as skirting: how it differs from the wall above. Continues it behind things."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.inpainting.face_view import FaceView

FOOT_HEIGHT = 0.22
"""Height above the floor, in meters, up to which a wall may have skirting."""
ABOVE_FOOT = 0.25
"""Height, in meters, of the strip right above the foot with which the foot is compared."""
TOO_FEW_CELLS = 6
"""A row with this many known cells or fewer is not used."""
MIN_FOOT_KNOWN = 0.1
"""Minimum number of known cells in a row, per cell to be filled: with fewer, another wall's foot is used."""
OWN_CONTRAST = 0.02, 0.05
"""Difference of a row of a wall's own foot from the wall (logarithms): up to the first value it is noise, from the
second on it is continued fully.
"""
SKIRTING_CONTRAST = 0.06, 0.15
"""The same for another wall's foot, which may have other light."""
MAX_LIGHT_DIFFERENCE = 0.3
"""Maximum difference (logarithms) between two walls of one room that light alone can explain."""


@dataclass(frozen=True, slots=True)
class WallFoot:
    """The foot of a wall, row by row from the floor up.

    `values` (N, 3) is the difference of each row from the wall right above the foot, in logarithms, `count` (N) the
    number of cells on which it was measured; both are 0 above the foot. `wall_color` (3 logarithms) is the color of
    the wall right above the foot.
    """

    values: Plane
    count: Plane
    wall_color: Plane


def measure_foot(view: FaceView, visible: Mask) -> WallFoot | None:
    """Measure the visible foot of a wall.

    Parameters
    ----------
    view : FaceView
        The wall.
    visible : (h, w) ndarray of bool
        Cells that nothing hides. Skirting is often not labeled as wall, so `view.known` lacks it.

    Returns
    -------
    WallFoot or None
        None if nothing of the wall right above the foot is visible.
    """
    up, known = view.rectified.up, np.asarray(view.known | visible)
    above = np.asarray((up > FOOT_HEIGHT) & (up < FOOT_HEIGHT + ABOVE_FOOT))
    if not known[above].any():
        return None
    base, has_base = _compute_column_means(view.values[above], known[above])
    values, count = np.zeros((len(up), 3), np.float32), np.zeros(len(up), np.float32)
    for row in np.flatnonzero((up >= 0) & (up <= FOOT_HEIGHT)):
        used = known[row] & has_base
        if np.count_nonzero(used) > TOO_FEW_CELLS:
            values[row] = np.median(view.values[row, used] - base[used], axis=0)
            count[row] = np.count_nonzero(used)
    return WallFoot(values, count, plane(np.median(view.values[above][known[above]], axis=0)))


def continue_foot(view: FaceView, own: WallFoot | None, others: Sequence[tuple[FaceView, WallFoot]]) -> Plane:
    """Find the foot of a wall behind things: its own, or the best known one of the room's other walls.

    Parameters
    ----------
    view : FaceView
        The wall.
    own : WallFoot or None
        Its visible foot.
    others : Sequence of tuple
        The other walls and their feet.

    Returns
    -------
    (N, 3) ndarray of float32
        For each row of the wall, the logarithms to add to the plain wall; 0 where no wall shows a foot.
    """
    up, to_fill = view.rectified.up, view.to_fill.sum(1)
    best = max(others, key=lambda one: float(one[1].count.sum()), default=None)
    values = np.zeros((len(up), 3), np.float32) if best is None else _borrow_foot(*best, up, own)
    if own is not None:
        seen = (own.count > TOO_FEW_CELLS) & (own.count >= MIN_FOOT_KNOWN * to_fill)
        values[seen] = _suppress_noise(own.values, OWN_CONTRAST)[seen]
    values[(up > FOOT_HEIGHT) | (up < 0)] = 0
    return values


def _suppress_noise(values: Plane, contrast: tuple[float, float]) -> Plane:
    return plane(values * smoothstep(plane(np.abs(values).max(1)), *contrast)[:, None])


def _borrow_foot(other_view: FaceView, other: WallFoot, up: Plane, own: WallFoot | None) -> Plane:
    """Another wall's foot at these heights. It keeps its own color if the walls differ more than light explains."""
    enough = other.count > TOO_FEW_CELLS
    if not enough.any():
        return np.zeros((len(up), 3), np.float32)
    heights = other_view.rectified.up[enough]
    columns = [np.interp(up, heights, other.values[enough, channel], right=0) for channel in range(3)]
    values = plane(np.column_stack(columns))
    difference = np.zeros(3) if own is None else other.wall_color - own.wall_color
    paint_difference = np.sign(difference) * np.maximum(np.abs(difference) - MAX_LIGHT_DIFFERENCE, 0)
    # Small differences come from the other wall's light. Skirting is not brighter here than on the other wall.
    return _suppress_noise(
        plane(np.minimum(values + paint_difference, np.maximum(values + difference, 0))), SKIRTING_CONTRAST
    )


def _compute_column_means(values: Plane, known: Mask) -> tuple[Plane, Mask]:
    """The mean of each column's known cells (width x 3), and whether each column has enough known cells."""
    count = known.sum(0)
    total = (values * known[..., None]).sum(0)
    return plane(total / np.maximum(count, 1)[:, None]), np.asarray(count > max(2, 0.4 * len(known)))
