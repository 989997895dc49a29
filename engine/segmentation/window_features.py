"""Computes the features that tell windows from other boxes: their edges, their light and their surroundings."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import max_channel, neutralize_highlights, rgb_to_gray
from engine.filters.smoothing import local_std
from engine.segmentation.window_boxes import Boxes

MIN_SLOPE = 0.022
"""Minimum slope of a color channel (0-1 per pixel) that counts as an edge."""
HISTOGRAM_BINS = 14
"""Number of bins for each channel in the histogram of a house's colors."""
COMMON_SHARE = 0.5
"""Share of a house's weight that its common colors (those of walls and roof) have together."""
RING_WIDTH = 5
"""Width in pixels of the ring around a box."""
STRIP_WIDTH = 3
"""Width in pixels of the strips along a side whose light is compared, inside and outside of the box."""
MAX_NO_GLASS = 0.15
"""A pixel with a lower probability of glass is almost certainly not glass but a shutter, a wall or a post."""


@dataclass(frozen=True, slots=True)
class WindowFeatures:
    """Features of N boxes, one value per box.

    `sides` (N, 4) is the share of the left, top, right and bottom side that lies on an edge, 0-1. `steps` (N, 4) is
    the luma just outside each side minus the luma just inside. `light` is the mean luma of the box, `wall_light`
    that left and right of it, 0-1. `coolness` is the blueness of the box minus that left and right of it. `uneven`
    is the standard deviation of luma inside, `above_ground` the number of pixels from the bottom of the box to the
    foot of the house. The others are shares of the box, of the ring around it (`_around`), or of both (`building`).
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
class PixelMaps:
    """Shares of sky, building and glass in each pixel, 0-1; `wall` is 1 for common colors of the house."""

    sky: Plane
    building: Plane
    glass: Plane
    wall: Plane


def compute_features(boxes: Boxes, small: Plane, maps: PixelMaps) -> WindowFeatures:
    """Compute the features of boxes that may be windows.

    Parameters
    ----------
    boxes : (N, 4) ndarray of int32
        Left, top, right, bottom in pixels, the last two exclusive.
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded sRGB, 0-1.
    maps : PixelMaps
        Maps of the size of the small picture.

    Returns
    -------
    WindowFeatures
        The features, in the order of the boxes.
    """
    gray, neutral = rgb_to_gray(small), neutralize_highlights(small)
    vertical, horizontal = _find_edges(small)
    inside = BoxMeans(boxes, gray.shape)
    ring = BoxMeans(_widen(boxes), gray.shape)
    beside = BoxMeans(_widen(boxes, down=0), gray.shape)
    light, sky, glass = compute_integrals(gray), compute_integrals(maps.sky), compute_integrals(maps.glass)
    cool = compute_integrals(plane(neutral[..., 2] - neutral[..., 0]))
    green = compute_integrals(plane(_find_green(neutral)))
    busy = compute_integrals(plane(local_std(gray, 1) > 0.06))
    return WindowFeatures(
        sides=_measure_edge_shares(boxes, vertical, horizontal),
        steps=_measure_steps(boxes, light, gray.shape),
        light=inside.average(light),
        wall_light=beside.average_around(light, inside),
        coolness=plane(inside.average(cool) - beside.average_around(cool, inside)),
        uneven=_compute_deviation(
            BoxMeans(_narrow(boxes), gray.shape), light, compute_integrals(plane(gray * gray))
        ),
        green=inside.average(green),
        warm=inside.average(compute_integrals(plane(neutral[..., 0] > neutral[..., 2] * 1.25 + 0.02))),
        sky=inside.average(sky),
        green_around=ring.average_around(green, inside),
        sky_around=ring.average_around(sky, inside),
        busy_around=ring.average_around(busy, inside),
        building=ring.average(compute_integrals(maps.building)),
        glass=inside.average(glass),
        glass_around=ring.average_around(glass, inside),
        no_glass=inside.average(compute_integrals(plane(maps.glass < MAX_NO_GLASS))),
        wall=inside.average(compute_integrals(maps.wall)),
        above_ground=_measure_height_above_ground(boxes, maps.building),
    )


def _measure_height_above_ground(boxes: Boxes, building: Plane) -> Plane:
    """The number of rows between each box and the foot of the house, averaged over the columns of the box."""
    is_house = building > 0.4
    foot = np.where(is_house.any(0), len(is_house) - np.argmax(is_house[::-1], axis=0), 0)
    sums = np.concatenate([[0], np.cumsum(foot)])
    return plane((sums[boxes[:, 2]] - sums[boxes[:, 0]]) / (boxes[:, 2] - boxes[:, 0]) - boxes[:, 3])


def find_common_colors(small: Plane, weights: Plane) -> Plane:
    """Find the pixels with the most common colors, weighted, by histogram backprojection [1]_.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, 0-1.
    weights : (h, w) ndarray of float32
        The weight of each pixel, 0 or more: high on walls and roofs, low on glass.

    Returns
    -------
    (h, w) ndarray of float32
        1 for the most common colors, which together have COMMON_SHARE of all weight; else 0.

    References
    ----------
    .. [1] Swain and Ballard, 1991.
    """
    bins = np.minimum((small * HISTOGRAM_BINS).astype(np.int32), HISTOGRAM_BINS - 1)
    bin_index = (bins[..., 0] * HISTOGRAM_BINS + bins[..., 1]) * HISTOGRAM_BINS + bins[..., 2]
    bin_weights = np.bincount(bin_index.ravel(), weights=weights.ravel(), minlength=HISTOGRAM_BINS**3)
    # Empty bins at the border: else np.roll would make black a neighbor of white.
    counts = np.pad(bin_weights.reshape(HISTOGRAM_BINS, HISTOGRAM_BINS, HISTOGRAM_BINS), 1)
    for axis in range(3):
        counts = counts + 0.5 * (np.roll(counts, 1, axis) + np.roll(counts, -1, axis))
    order = np.argsort(-counts[1:-1, 1:-1, 1:-1].ravel(), kind="stable")
    weight_before = np.cumsum(bin_weights[order]) - bin_weights[order]
    common = np.zeros(bin_weights.size, np.float32)
    common[order[weight_before < COMMON_SHARE * float(bin_weights.sum())]] = 1
    return plane(common[bin_index])


# (height + 1) x (width + 1): an integral image.
Sums = NDArray[np.float64]


def compute_integrals(values: Plane) -> Sums:
    """Compute the integral image of a map, from which `BoxMeans` computes sums.

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


class BoxMeans:
    """Computes sums and means over many boxes at once, from integral images; `area` is in pixels, for each box."""

    def __init__(self, boxes: Boxes, shape: tuple[int, ...]) -> None:
        height, width = shape[:2]
        self.left, self.top, self.right, self.bottom = np.clip(boxes, 0, [width, height, width, height]).T
        self.area = np.maximum((self.right - self.left) * (self.bottom - self.top), 1)

    def sums(self, total: Sums) -> Sums:
        """Compute the sum over each box.

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

    def average(self, total: Sums) -> Plane:
        """Compute the mean over each box.

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

    def average_around(self, total: Sums, inner: "BoxMeans") -> Plane:
        """Compute the mean over each box without the box inside it.

        Parameters
        ----------
        total : (h + 1, w + 1) ndarray of float64
            Integral image of a map.
        inner : BoxMeans
            The inner boxes, in the same order, each inside its outer one.

        Returns
        -------
        (N,) ndarray of float32
            One mean per box.
        """
        return plane((self.sums(total) - inner.sums(total)) / np.maximum(self.area - inner.area, 1))


def _compute_deviation(means: BoxMeans, values: Sums, squares: Sums) -> Plane:
    return plane(np.sqrt(np.maximum(means.average(squares) - means.average(values) ** 2, 0)))


def _widen(boxes: Boxes, down: int = RING_WIDTH) -> Boxes:
    return np.asarray(boxes + np.array([-RING_WIDTH, -down, RING_WIDTH, down]), np.int32)


def _narrow(boxes: Boxes) -> Boxes:
    """The middle of each box, without its frame."""
    margin = np.maximum((boxes[:, 2:] - boxes[:, :2]) // 6, 1)
    return np.asarray(np.concatenate([boxes[:, :2] + margin, boxes[:, 2:] - margin], axis=1), np.int32)


def _find_edges(small: Plane) -> tuple[Plane, Plane]:
    """Maps of vertical and of horizontal edges: 1 within two pixels of an edge, else 0."""
    across = max_channel(plane(np.abs(cv2.Sobel(small, cv2.CV_32F, 1, 0, ksize=3, scale=0.125))))
    down = max_channel(plane(np.abs(cv2.Sobel(small, cv2.CV_32F, 0, 1, ksize=3, scale=0.125))))
    vertical = plane((across > MIN_SLOPE) & (across > 0.7 * down))
    horizontal = plane((down > MIN_SLOPE) & (down > 0.7 * across))
    return (
        plane(cv2.dilate(vertical, np.ones((1, 5), np.uint8))),
        plane(cv2.dilate(horizontal, np.ones((5, 1), np.uint8))),
    )


def _measure_edge_shares(boxes: Boxes, vertical: Plane, horizontal: Plane) -> Plane:
    """The share of the left, top, right and bottom side that lies on an edge."""
    left, top, right, bottom = boxes.T
    on_vertical, on_horizontal = compute_integrals(vertical), compute_integrals(horizontal)
    lines = (
        (on_vertical, left, top, left + 1, bottom),
        (on_horizontal, left, top, right, top + 1),
        (on_vertical, right - 1, top, right, bottom),
        (on_horizontal, left, bottom - 1, right, bottom),
    )
    return plane(
        np.stack([BoxMeans(np.stack(line, -1), vertical.shape).average(edges) for edges, *line in lines], -1)
    )


def _measure_steps(boxes: Boxes, light: Sums, shape: tuple[int, ...]) -> Plane:
    """The luma just outside each side of a box minus the luma just inside."""
    left, top, right, bottom = boxes.T
    pairs = (
        ((left - STRIP_WIDTH, top, left, bottom), (left, top, left + STRIP_WIDTH, bottom)),
        ((left, top - STRIP_WIDTH, right, top), (left, top, right, top + STRIP_WIDTH)),
        ((right, top, right + STRIP_WIDTH, bottom), (right - STRIP_WIDTH, top, right, bottom)),
        ((left, bottom, right, bottom + STRIP_WIDTH), (left, bottom - STRIP_WIDTH, right, bottom)),
    )
    means = [[BoxMeans(np.stack(line, -1), shape).average(light) for line in pair] for pair in pairs]
    return plane(np.stack([outer - inner for outer, inner in means], -1))


def _find_green(neutral: Plane) -> Mask:
    red, green, blue = neutral[..., 0], neutral[..., 1], neutral[..., 2]
    return np.asarray((green > red * 1.04) & (green > blue * 1.1), np.bool_)


MAX_WINDOWS = 160
MIN_RELATIVE_GLASS = 0.55
"""Probability of glass, relative to the highest one nearby, above which a pixel makes a box better."""
NEARBY_SIDE = 0.09
"""Side of the square that counts as nearby, as a share of the picture's long side."""
MIN_WORTH = 0.04
"""Minimum mean worth of the pixels of a chosen box; the worth is relative glass minus MIN_RELATIVE_GLASS."""
USED_WORTH = -0.30
"""Worth of a pixel in a box that was chosen earlier: negative, so that boxes do not overlap."""


def select_best_boxes(boxes: Boxes, glass: Plane, sides: Plane) -> NDArray[np.intp]:
    """Select the boxes with most glass, one after the other; glass in a box chosen earlier does not count again.

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
        Indices of at most MAX_WINDOWS boxes, the best first.
    """
    if not len(boxes):
        return np.empty(0, np.intp)
    worth = normalize_by_local_maximum(glass) - np.float32(MIN_RELATIVE_GLASS)
    means = BoxMeans(boxes, glass.shape)
    fit = plane(0.3 + 0.7 * sides.mean(-1))
    chosen: list[int] = []
    while len(chosen) < MAX_WINDOWS:
        sums = means.sums(compute_integrals(worth))
        best = int(np.argmax(sums * fit))
        if sums[best] < MIN_WORTH * means.area[best]:
            break
        chosen.append(best)
        left, top, right, bottom = boxes[best]
        worth[top:bottom, left:right] = USED_WORTH
    return np.array(chosen, np.intp)


def normalize_by_local_maximum(glass: Plane) -> Plane:
    """Divide the probability of glass by the highest one nearby.

    Parameters
    ----------
    glass : (h, w) ndarray of float32
        The probability of glass, 0-1.

    Returns
    -------
    (h, w) ndarray of float32
        0-1.
    """
    side = max(3, round(NEARBY_SIDE * max(glass.shape)))
    highest = cv2.dilate(glass, np.ones((side, side), np.uint8))
    return plane(glass / np.maximum(highest, 0.02))
