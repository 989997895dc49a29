"""The guided filter: makes a small map follow the real edges of the full-size picture.

After He, Sun and Tang, "Guided Image Filtering" (2010), and its fast form by He and Sun (2015): the local linear
model is fitted at a small size and applied at full size.
"""

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, max_channel
from engine.filters.smoothing import box_filter
from engine.filters.strips import enlarge_map, find_runs, map_rows, round_to_bytes, run_strips, widen_columns

EVEN_TOLERANCE = 1e-3
"""Largest slope, and largest distance of the offset from 0 or 1, at which a place counts as free of edges."""
MIN_STEP = 1e-4
"""Least difference between neighboring pixels of a mask for the mask to count as uneven there."""


def refine_mask(mask: Plane, guide: Plane, pixels: Pixels, radius: int, softness: float) -> Matte:
    """Make a full-size matte from a small mask, with edges where the picture has them.

    Parameters
    ----------
    mask : (h, w) ndarray of float32
        The share of the region in each pixel, 0-1.
    guide : (h, w, 3) ndarray of float32
        The small picture in which `mask` was found, 0-1, in the color space of `pixels`.
    pixels : (H, W, 3) ndarray of uint8
        The full-size picture, gamma-coded, in its own color space.
    radius : int
        Of the filter's window, in pixels of the small picture.
    softness : float
        The filter's epsilon: a variance of colors of 0-1; less keeps fainter edges.

    Returns
    -------
    (H, W) ndarray of uint8
        The matte, 0-255.
    """
    slope, offset = _fit_where_uneven(mask, guide, radius, softness)
    model = plane(cv2.merge([*cv2.split(slope), offset]))
    # Elsewhere the mask is all 0 or all 1, and so is the matte.
    uneven = max_channel(np.abs(slope)) > EVEN_TOLERANCE
    uneven |= (np.abs(offset) > EVEN_TOLERANCE) & (np.abs(offset - 1) > EVEN_TOLERANCE)
    height, width = pixels.shape[:2]
    result = np.empty((height, width), np.uint8)

    def fill(rows: slice) -> None:
        near = map_rows(rows, height, len(mask))
        default_row = offset[near.start : near.start + 1]
        result[rows] = round_to_bytes(
            plane(cv2.resize(default_row, (width, 1), interpolation=cv2.INTER_NEAREST) * 255)
        )
        for each in find_runs(uneven[near]):
            columns = widen_columns(each, mask.shape[1], width)
            # The fourth channel is 255 everywhere; it multiplies the offset.
            colors = cv2.cvtColor(pixels[rows, columns], cv2.COLOR_RGB2RGBA)
            model_here = enlarge_map(model, pixels.shape, rows, columns)
            first, second, third, rest = cv2.split(cv2.multiply(colors, model_here, dtype=cv2.CV_32F))
            result[rows, columns] = cv2.add(cv2.add(first, second), cv2.add(third, rest), dtype=cv2.CV_8U)

    run_strips(pixels.shape, fill)
    return result


def _fit_where_uneven(mask: Plane, guide: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """The color model, fitted only near uneven parts of the mask; elsewhere the slope is 0, the offset the mask."""
    slope, offset = np.zeros_like(guide), mask.copy()
    uneven = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > MIN_STEP
    uneven_lines = [np.flatnonzero(uneven.any(axis)) for axis in (1, 0)]
    if all(place.size for place in uneven_lines):
        # Farther away, the windows of the model contain only even parts of the mask.
        reach = 2 * radius + 1
        box = tuple(slice(max(0, int(place[0]) - reach), int(place[-1]) + reach + 1) for place in uneven_lines)
        slope[box], offset[box] = fit_color_model(mask[box], guide[box], radius, softness)
    return slope, offset


def fit_color_model(mask: Plane, guide: Plane, radius: int, softness: float) -> tuple[Plane, Plane]:
    """Fit the local model mask = slope . color + offset, averaged over the windows around each pixel.

    Parameters
    ----------
    mask : (h, w) ndarray of float32
        The values to be modeled: shares of 0-1, or gains.
    guide : (h, w, 3) ndarray of float32
        The colors, 0-1.
    radius : int
        Of the square window, in pixels.
    softness : float
        The epsilon added to the variances of the colors.

    Returns
    -------
    slope : (h, w, 3) ndarray of float32
        Value per unit of each color.
    offset : (h, w) ndarray of float32
        In units of `mask`.
    """
    mean = box_filter(guide, radius)
    mask_mean = box_filter(mask, radius)
    shared = box_filter(plane(guide * gray_to_rgb(mask)), radius) - mean * gray_to_rgb(mask_mean)

    def covariance(one: int, other: int) -> Plane:
        product = box_filter(plane(guide[..., one] * guide[..., other]), radius)
        return plane(product - mean[..., one] * mean[..., other])

    variances = [covariance(place, place) + np.float32(softness) for place in range(3)]
    slope = _solve_symmetric(variances, [covariance(1, 0), covariance(2, 0), covariance(2, 1)], shared)
    offset = plane(mask_mean - cv2.transform(slope * mean, np.ones((1, 3), np.float32)))
    return box_filter(slope, radius), box_filter(offset, radius)


def _solve_symmetric(diagonal: list[Plane], below: list[Plane], right: Plane) -> Plane:
    """Solve A x = `right` for x at every pixel, A symmetric and positive definite, by the factors L D L'.

    `diagonal` holds A's elements 11, 22 and 33, `below` its elements 21, 31 and 32.
    """
    first = diagonal[0]
    lower_21, lower_31 = below[0] / first, below[1] / first
    second = diagonal[1] - lower_21 * below[0]
    lower_32 = (below[2] - lower_21 * below[1]) / second
    third = diagonal[2] - lower_31 * below[1] - lower_32 * lower_32 * second
    one, two, three = cv2.split(right)
    two = two - lower_21 * one
    three = (three - lower_31 * one - lower_32 * two) / third
    two = two / second - lower_32 * three
    one = one / first - lower_21 * two - lower_31 * three
    return plane(cv2.merge([plane(one), plane(two), plane(three)]))


def fit_gray_model(values: Plane, radius: int, softness: float | Plane) -> tuple[Plane, Plane]:
    """Fit the model that smooths a gray plane and keeps its edges: the plane is its own guide.

    Parameters
    ----------
    values : (h, w) ndarray of float32
        The gray plane, 0-1.
    radius : int
        Of the square window, in pixels.
    softness : float or (h, w) ndarray of float32
        The epsilon added to the variance of the values; less keeps fainter edges.

    Returns
    -------
    slope, offset : (h, w) ndarray of float32
        The smoothed plane is slope * values + offset.
    """
    return fit_gray_map_model(values, values, radius, softness)


def fit_gray_map_model(mask: Plane, guide: Plane, radius: int, softness: float | Plane) -> tuple[Plane, Plane]:
    """Fit the local model mask = slope * guide + offset, averaged over the windows around each pixel.

    Parameters
    ----------
    mask : (h, w) ndarray of float32
        The values to be modeled.
    guide : (h, w) ndarray of float32
        The gray plane whose edges the modeled values follow.
    radius : int
        Of the square window, in pixels.
    softness : float or (h, w) ndarray of float32
        The epsilon added to the variance of `guide`, in its units squared.

    Returns
    -------
    slope, offset : (h, w) ndarray of float32
        The model at each pixel.
    """
    mean, mask_mean = box_filter(guide, radius), box_filter(mask, radius)
    variance = box_filter(guide * guide, radius) - mean * mean
    slope = plane((box_filter(guide * mask, radius) - mean * mask_mean) / (variance + softness))
    offset = plane(mask_mean - slope * mean)
    return box_filter(slope, radius), box_filter(offset, radius)
