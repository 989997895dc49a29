"""The features by which a box is judged to be a window: its four edges, its light and its surroundings."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import max_channel, neutralize_highlights, rgb_to_gray
from engine.filters.smoothing import local_std
from engine.segmentation.window_boxes import Boxes

EDGE = 0.022
"""Least slope of a color channel (0-1 per pixel) that counts as an edge."""
CELLS = 14
"""Steps of each color channel in the histogram of a house's colors."""
COMMON = 0.5
"""Share of a house's weight that its common colors (of walls and roof) hold together."""
REACH = 5
"""Width in pixels of the ring around a box."""
STRIP = 3
"""Width in pixels of the strips along a side whose light is compared, inside and outside of the box."""
NO_GLASS = 0.15
"""Below this probability the net is nearly sure that there is no glass, but a shutter, a wall or a post."""


@dataclass(frozen=True, slots=True)
class WindowFeatures:
    """Features of N boxes, one value per box.

    `sides` (N, 4) is the share of the left, top, right and bottom side that lies on an edge, 0-1; `steps`
    (N, 4) how much lighter it is just outside each side than just inside. `light` and `wall_light` are mean luma
    inside and left and right of the box, 0-1; `coolness` how much bluer the box is than the wall left and right;
    `uneven` the standard deviation of luma inside; `above_ground` the pixels from the bottom of the box down to the
    foot of the house. The others are shares of the box, of the ring around it (`_around`), or of box and ring
    together (`building`).
    """

    sides: Plane
    steps: Plane
    light: Plane
    wall_light: Plane
    coolness: Plane
    uneven: Plane
    green: Plane
    warm: Plane
    sky: Plane
    green_around: Plane
    sky_around: Plane
    busy_around: Plane
    building: Plane
    glass: Plane
    glass_around: Plane
    no_glass: Plane
    wall: Plane
    above_ground: Plane


@dataclass(frozen=True, slots=True)
class Maps:
    """What is known of each pixel, as shares of 0-1; `wall` is where a pixel has a common color of the house."""

    sky: Plane
    building: Plane
    glass: Plane
    wall: Plane


def compute_features(boxes: Boxes, small: Plane, maps: Maps) -> WindowFeatures:
    """The features of boxes that may be windows.

    Parameters
    ----------
    boxes : (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    maps : Maps
        What is known of each of its pixels.

    Returns
    -------
    WindowFeatures
        Of the boxes in their order.
    """
    gray, neutral = rgb_to_gray(small), neutralize_highlights(small)
    upright, level = _edges(small)
    inside = Means(boxes, gray.shape)
    ring = Means(_widen(boxes), gray.shape)
    beside = Means(_widen(boxes, down=0), gray.shape)
    light, sky, glass = compute_integrals(gray), compute_integrals(maps.sky), compute_integrals(maps.glass)
    cool = compute_integrals(plane(neutral[..., 2] - neutral[..., 0]))
    green = compute_integrals(plane(_find_green(neutral)))
    busy = compute_integrals(plane(local_std(gray, 1) > 0.06))
    return WindowFeatures(
        sides=_sides(boxes, upright, level),
        steps=_steps(boxes, light, gray.shape),
        light=inside.of(light),
        wall_light=beside.average_around(light, inside),
        coolness=plane(inside.of(cool) - beside.average_around(cool, inside)),
        uneven=_deviation(Means(_narrow(boxes), gray.shape), light, compute_integrals(plane(gray * gray))),
        green=inside.of(green),
        warm=inside.of(compute_integrals(plane(neutral[..., 0] > neutral[..., 2] * 1.25 + 0.02))),
        sky=inside.of(sky),
        green_around=ring.average_around(green, inside),
        sky_around=ring.average_around(sky, inside),
        busy_around=ring.average_around(busy, inside),
        building=ring.of(compute_integrals(maps.building)),
        glass=inside.of(glass),
        glass_around=ring.average_around(glass, inside),
        no_glass=inside.of(compute_integrals(plane(maps.glass < NO_GLASS))),
        wall=inside.of(compute_integrals(maps.wall)),
        above_ground=_above_ground(boxes, maps.building),
    )


def _above_ground(boxes: Boxes, building: Plane) -> Plane:
    """How many rows above the foot of the house each box ends, on average over its columns."""
    where = building > 0.4
    foot = np.where(where.any(0), len(where) - np.argmax(where[::-1], axis=0), 0)
    sums = np.concatenate([[0], np.cumsum(foot)])
    return plane((sums[boxes[:, 2]] - sums[boxes[:, 0]]) / (boxes[:, 2] - boxes[:, 0]) - boxes[:, 3])


def find_common_colors(small: Plane, where: Plane) -> Plane:
    """Where a picture has its most common colors, weighted, by histogram backprojection [1]_.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, 0-1.
    where : (h, w) ndarray of float32
        The weight of each pixel, 0 or more: high on walls and roofs, low on glass.

    Returns
    -------
    (h, w) ndarray of float32
        1 where the color is one of the most common, which together hold the share COMMON of all weight; else 0.

    References
    ----------
    .. [1] Swain and Ballard, 1991.
    """
    cells = np.minimum((small * CELLS).astype(np.int32), CELLS - 1)
    cell = (cells[..., 0] * CELLS + cells[..., 1]) * CELLS + cells[..., 2]
    own = np.bincount(cell.ravel(), weights=where.ravel(), minlength=CELLS**3)
    # Empty cells all around: np.roll would else make black a neighbor of white.
    counts = np.pad(own.reshape(CELLS, CELLS, CELLS), 1)
    for axis in range(3):
        counts = counts + 0.5 * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
    order = np.argsort(-counts[1:-1, 1:-1, 1:-1].ravel(), kind="stable")
    held_before = np.cumsum(own[order]) - own[order]
    common = np.zeros(own.size, np.float32)
    common[order[held_before < COMMON * float(own.sum())]] = 1
    return plane(common[cell])


# (height + 1) x (width + 1): the sum of all values above and left of each pixel corner.
Sums = NDArray[np.float64]


def compute_integrals(values: Plane) -> Sums:
    """The integral image of a map, from which `Means` reads boxes.

    Parameters
    ----------
    values : (h, w) ndarray of float32
        Any values.

    Returns
    -------
    (h + 1, w + 1) ndarray of float64
        The sum of all values above and left of each pixel corner.
    """
    return np.asarray(cv2.integral(values, sdepth=cv2.CV_64F), dtype=np.float64)


class Means:
    """Sums and means over many boxes at once, from integral images; `area` is the area of each box in pixels."""

    def __init__(self, boxes: Boxes, shape: tuple[int, ...]) -> None:
        height, width = shape[:2]
        self.left, self.top, self.right, self.bottom = np.clip(boxes, 0, [width, height, width, height]).T
        self.area = np.maximum((self.right - self.left) * (self.bottom - self.top), 1)

    def sums(self, total: Sums) -> Sums:
        """The sum over each box.

        Parameters
        ----------
        total : (h + 1, w + 1) ndarray of float64
            Integral image of a map.

        Returns
        -------
        (N,) ndarray of float64
            One sum per box.
        """
        corners = total[self.bottom, self.right] - total[self.top, self.right]
        return np.asarray(corners - total[self.bottom, self.left] + total[self.top, self.left])

    def of(self, total: Sums) -> Plane:
        """The mean over each box.

        Parameters
        ----------
        total : (h + 1, w + 1) ndarray of float64
            Integral image of a map.

        Returns
        -------
        (N,) ndarray of float32
            One mean per box.
        """
        return plane(self.sums(total) / self.area)

    def average_around(self, total: Sums, inner: "Means") -> Plane:
        """The mean over each box without the box inside it.

        Parameters
        ----------
        total : (h + 1, w + 1) ndarray of float64
            Integral image of a map.
        inner : Means
            The inner boxes, in the same order, each inside its outer one.

        Returns
        -------
        (N,) ndarray of float32
            One mean per box.
        """
        return plane((self.sums(total) - inner.sums(total)) / np.maximum(self.area - inner.area, 1))


def _deviation(means: Means, values: Sums, squares: Sums) -> Plane:
    return plane(np.sqrt(np.maximum(means.of(squares) - means.of(values) ** 2, 0)))


def _widen(boxes: Boxes, down: int = REACH) -> Boxes:
    return np.asarray(boxes + np.array([-REACH, -down, REACH, down]), np.int32)


def _narrow(boxes: Boxes) -> Boxes:
    """The middle of each box, without its frame."""
    margin = np.maximum((boxes[:, 2:] - boxes[:, :2]) // 6, 1)
    return np.asarray(np.concatenate([boxes[:, :2] + margin, boxes[:, 2:] - margin], axis=1), np.int32)


def _edges(small: Plane) -> tuple[Plane, Plane]:
    """Where the picture has upright and level edges, as 0 or 1, two pixels wide to either side."""
    across = max_channel(plane(np.abs(cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3, scale=0.125))))
    down = max_channel(plane(np.abs(cv2.Sobel(small, cv2.CV_32F, 0, 1, ksize=3, scale=0.125))))
    upright = plane((across > EDGE) & (across > 0.7 * down))
    level = plane((down > EDGE) & (down > 0.7 * across))
    return (
        plane(cv2.dilate(upright, np.ones((1, 5), np.uint8))),
        plane(cv2.dilate(level, np.ones((5, 1), np.uint8))),
    )


def _sides(boxes: Boxes, upright: Plane, level: Plane) -> Plane:
    """The share of the left, top, right and bottom side that lies on an edge."""
    left, top, right, bottom = boxes.T
    on_upright, on_level = compute_integrals(upright), compute_integrals(level)
    lines = (
        (on_upright, left, top, left + 1, bottom),
        (on_level, left, top, right, top + 1),
        (on_upright, right - 1, top, right, bottom),
        (on_level, left, bottom - 1, right, bottom),
    )
    return plane(np.stack([Means(np.stack(line, -1), upright.shape).of(edges) for edges, *line in lines], -1))


def _steps(boxes: Boxes, light: Sums, shape: tuple[int, ...]) -> Plane:
    """How much lighter the outside of each side is than its inside, in luma."""
    left, top, right, bottom = boxes.T
    pairs = (
        ((left - STRIP, top, left, bottom), (left, top, left + STRIP, bottom)),
        ((left, top - STRIP, right, top), (left, top, right, top + STRIP)),
        ((right, top, right + STRIP, bottom), (right - STRIP, top, right, bottom)),
        ((left, bottom, right, bottom + STRIP), (left, bottom - STRIP, right, bottom)),
    )
    means = [[Means(np.stack(line, -1), shape).of(light) for line in pair] for pair in pairs]
    return plane(np.stack([outer - inner for outer, inner in means], -1))


def _find_green(neutral: Plane) -> Mask:
    red, green, blue = neutral[..., 0], neutral[..., 1], neutral[..., 2]
    return np.asarray((green > red * 1.04) & (green > blue * 1.1), np.bool_)


MOST_WINDOWS = 160
LEAST_GLASS = 0.55
"""Least probability of glass, as a share of the highest one nearby, for a pixel to count in favor of a box."""
NEAR = 0.09
"""How far "nearby" extends: the side of a square, as a share of the picture's long side."""
LEAST_NEW = 0.04
"""Least worth per pixel of a box, LEAST_GLASS subtracted, that boxes chosen earlier do not hold already."""
HELD = -0.30
"""The worth of a pixel that a box chosen earlier holds: negative, so that boxes do not overlap."""


def select_best_boxes(boxes: Boxes, glass: Plane, sides: Plane) -> NDArray[np.intp]:
    """Select the boxes that hold most glass, greedily: glass held by a box chosen earlier counts no more.

    Parameters
    ----------
    boxes : (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive.
    glass : (h, w) ndarray of float32
        The probability of glass, 0-1.
    sides : (N, 4) ndarray of float32
        The share of each side of a box that lies on an edge, 0-1.

    Returns
    -------
    (M,) ndarray of intp
        Indices of at most MOST_WINDOWS boxes, the best first.
    """
    if not len(boxes):
        return np.empty(0, np.intp)
    worth = normalize_by_surest(glass) - np.float32(LEAST_GLASS)
    means = Means(boxes, glass.shape)
    fit = plane(0.3 + 0.7 * sides.mean(-1))
    chosen: list[int] = []
    while len(chosen) < MOST_WINDOWS:
        sums = means.sums(compute_integrals(worth))
        best = int(np.argmax(sums * fit))
        if sums[best] < LEAST_NEW * means.area[best]:
            break
        chosen.append(best)
        left, top, right, bottom = boxes[best]
        worth[top:bottom, left:right] = HELD
    return np.array(chosen, np.intp)


def normalize_by_surest(glass: Plane) -> Plane:
    """The probability of glass relative to the highest one nearby.

    Parameters
    ----------
    glass : (h, w) ndarray of float32
        The probability of glass, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        0-1.
    """
    side = max(3, round(NEAR * max(glass.shape)))
    highest = cv2.dilate(glass, np.ones((side, side), np.uint8))
    return plane(glass / np.maximum(highest, 0.02))
