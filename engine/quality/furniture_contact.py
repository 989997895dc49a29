"""Measures whether new furniture stands on the floor, and its height in meters."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane
from engine.geometry.camera import Camera
from engine.geometry.surface import PLACE, Surface
from engine.quality.changes import PictureChange, split_things

MIN_UNTOUCHED_LIGHT = 0.985
"""Least share of light left on the floor below an unsupported foot; below a supported foot, 0.97 or less is left.
"""
FOOT_REACH = 0.025
"""A foot is a column of a thing that ends lowest within this distance to each side, a share of the width."""
ROWS_BELOW = 8
"""Rows of pixels below a foot that are searched for its shadow."""
MIN_HANGING_HEIGHT = 0.4
"""Least height above the floor, in meters, of a thing that is taken as hanging; lower ones float or stand."""
MIN_FEET = 8
"""Least number of columns of a thing that must be feet for the thing to be judged."""
MIN_FLAT_SHARE = 0.7
"""Least mean share of floor or rug just above the feet of a thing that lies flat."""
MIN_FLAT_FEET = 0.12
"""Least number of feet, as a share of the picture's width, of a thing that lies flat."""
CUT_ROWS = 3
"""Number of rows at the lower end of the picture; the picture's border cuts off a thing that reaches into them."""
MIN_WIDTH = 1.0
"""Least width of all new furniture together, in meters, for its height to be judged."""
MIN_AREA = 0.015
"""Least share of the picture that new furniture covers for its height to be judged."""
BODY_QUANTILE = 0.75
"""Quantile of columns' heights that counts as the furniture's height; things are weighted by area."""


@dataclass(frozen=True, slots=True)
class ThingColumns:
    """The columns of pixels of a thing: at each `x`, the lowest row, and the top of the unbroken run above it."""

    x: NDArray[np.intp]
    bottom: NDArray[np.intp]
    top: NDArray[np.intp]

    def is_cut_off(self, height: int) -> bool:
        """Whether the lower end of the picture cuts the thing off.

        Parameters
        ----------
        height : int
            Rows of the picture.

        Returns
        -------
        bool
            True where the thing reaches into the last CUT_ROWS rows.
        """
        return bool(self.bottom.max() >= height - CUT_ROWS)


def find_columns(part: Mask) -> ThingColumns:
    """The columns of a thing, after gaps of a few rows in it are closed.

    Parameters
    ----------
    part : (h, w) ndarray of bool
        Where the thing is.

    Returns
    -------
    ThingColumns
        From left to right; columns without the thing are left out.
    """
    closed = cv2.morphologyEx(part.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((5, 1), np.uint8)) > 0
    x = np.flatnonzero(closed.any(0))
    column_pixels = closed[::-1, x]
    lowest = column_pixels.argmax(0)
    rows = np.arange(len(column_pixels))[:, None]
    gap = (rows > lowest) & ~column_pixels
    run_end = np.where(gap.any(0), gap.argmax(0), len(column_pixels))
    return ThingColumns(x, len(column_pixels) - 1 - lowest, len(column_pixels) - run_end)


def measure_floating(change: PictureChange, surfaces: Plane, flat: Plane, camera: Camera | None) -> float:
    """The share of a new thing's feet that nothing supports, for the worst thing.

    Below such feet the floor is as bright as in the photo, and there is no other new thing.

    Parameters
    ----------
    change : PictureChange
        The small photo and its result.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    flat : (h, w) ndarray of float32
        How much of each pixel of the result looks like floor or rug, 0-1.
    camera : Camera or None
        The camera of the small pictures; with None, only things that end right above the floor have feet.

    Returns
    -------
    float
        Share of the feet, 0-1; 0 if no thing has enough feet in view.
    """
    # Both masks are measured: in one of them, the rim of a hard shadow on the floor looks like a foot.
    found = (
        _measure_unsupported(part, things, change.shade, surfaces, flat, camera)
        for things in (change.things, change.firm_things)
        for part in split_things(things)
    )
    return max(found, default=0.0)


def _measure_unsupported(
    part: Mask, things: Mask, shade: Plane, surfaces: Plane, flat: Plane, camera: Camera | None
) -> float:
    height, width = part.shape
    columns = find_columns(part)
    feet = _find_feet(columns, width)
    feet &= columns.bottom < height - ROWS_BELOW
    feet[feet] = [
        _is_near_floor(surfaces, int(x), int(row), camera)
        for x, row in zip(columns.x[feet], columns.bottom[feet], strict=True)
    ]
    if feet.sum() < MIN_FEET:
        return 0.0
    x, bottom = columns.x[feet], columns.bottom[feet]
    flat_above = np.array([flat[max(0, row - 12) : row, at].mean() for at, row in zip(x, bottom, strict=True)])
    if feet.sum() > MIN_FLAT_FEET * width and flat_above.mean() > MIN_FLAT_SHARE:
        return 0.0
    rows = bottom[:, None] + np.arange(2, ROWS_BELOW)
    light = shade[rows, x[:, None]]
    is_thing = things[rows, x[:, None]]
    return float(((light > MIN_UNTOUCHED_LIGHT) & ~is_thing).all(1).mean())


def _find_feet(columns: ThingColumns, width: int) -> Mask:
    """Whether each column ends lowest among its neighbors."""
    lowest = np.full(width, -1.0, np.float32)
    lowest[columns.x] = columns.bottom
    reach = max(3, round(FOOT_REACH * width))
    highest = cv2.dilate(lowest[None], np.ones((1, 2 * reach + 1), np.uint8))[0]
    return np.asarray(columns.bottom >= highest[columns.x] - 1, np.bool_)


def _is_near_floor(surfaces: Plane, x: int, row: int, camera: Camera | None) -> bool:
    """Whether floor is right below the pixel, or less than MIN_HANGING_HEIGHT below it under wall or door."""
    below = surfaces[row + 1 :, x].argmax(-1)
    floor = np.flatnonzero(np.isin(below, [PLACE[Surface.FLOOR], PLACE[Surface.RUG]]))
    if not floor.size or not np.isin(below[: floor[0]], [PLACE[Surface.WALL], PLACE[Surface.DOOR]]).all():
        return False
    if floor[0] <= 2 or camera is None:
        return bool(floor[0] <= 2)
    return bool(
        measure_heights(camera, (x, row + 1 + int(floor[0])), np.array([[x, row]], float)).max()
        < MIN_HANGING_HEIGHT
    )


def measure_heights(camera: Camera, foot: tuple[float, float], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The heights of pixels above the floor, assuming that they are as far away as the floor seen at a foot.

    Parameters
    ----------
    camera : Camera
        The camera of the picture.
    foot : tuple of float
        Column and row of the pixel that shows the floor; (0, 0) is the upper left pixel.
    points : (N, 2) ndarray of float64
        Columns and rows of the pixels.

    Returns
    -------
    (N,) ndarray of float64
        Meters; NaN where no floor is seen at `foot`.
    """
    floor = camera.intersect_floor(np.array([foot], float) + 0.5)[0]
    rays = camera.rays(np.asarray(points, float) + 0.5)
    level = np.hypot(rays[:, 0], rays[:, 1])
    return np.asarray(camera.height + rays[:, 2] / level * float(np.hypot(*floor[:2])))


def measure_furniture_height(change: PictureChange, surfaces: Plane, camera: Camera) -> float | None:
    """The height of the new furniture on the floor: the quantile BODY_QUANTILE of its columns' heights.

    Parameters
    ----------
    change : PictureChange
        The small photo and its result.
    surfaces : (h, w, S) ndarray of float32
        The photo's surfaces in the order of `Surface`: shares, 0-1.
    camera : Camera
        The camera of the small pictures.

    Returns
    -------
    float or None
        Meters; None where there is too little furniture to judge.
    """
    found: list[NDArray[np.float64]] = []
    total_width, total_share = 0.0, 0.0
    for part in split_things(change.things):
        columns = find_columns(part)
        row = int(columns.bottom.max())
        middle = int(columns.x[columns.bottom.argmax()])
        if not columns.is_cut_off(len(part)) and not _is_near_floor(
            surfaces, middle, min(row, len(part) - 2), camera
        ):
            continue
        points = np.column_stack([columns.x, columns.top]).astype(np.float64)
        heights = measure_heights(camera, (middle, row), points)
        if not np.isfinite(heights).all():
            continue
        ends = camera.intersect_floor(np.array([[columns.x[0], row], [columns.x[-1], row]]) + 0.5)
        meters = float(np.linalg.norm(ends[1] - ends[0]))
        found.append(
            np.repeat(np.quantile(heights, np.linspace(0, 1, 41)), max(1, round(1000 * float(part.mean()))))
        )
        total_width, total_share = total_width + meters, total_share + float(part.mean())
    if total_width < MIN_WIDTH or total_share < MIN_AREA:
        return None
    return float(np.quantile(np.concatenate(found), BODY_QUANTILE))
