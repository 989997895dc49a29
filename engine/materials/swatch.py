"""Cuts a tileable sample from a reference picture that shows a flat material from straight ahead.

A repeating pattern is cut to whole periods. Any other picture is blended with a copy of itself, shifted by half its
length, in a way that keeps the contrast.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.smoothing import gaussian_blur
from engine.materials.colors import MAX_REFLECTANCE
from engine.materials.samples import Sample
from engine.segmentation.scene import shrink_to
from engine.types.enhancements import ChangeType

SIDE = 768
"""The longer side, in pixels, of a swatch."""
MIN_SIDE = 128
"""Least length, in pixels, of the shorter side of a swatch."""
ASSUMED_WIDTHS = {
    ChangeType.FLOOR: 1.2,
    ChangeType.WALLS: 1.2,
    ChangeType.COUNTERTOPS: 0.9,
    ChangeType.CABINETS: 0.9,
    ChangeType.BACKSPLASH: 0.6,
}
"""Meters that a swatch is assumed to show across its longer side."""
CELLS = 3
"""Number of cells along each side of a picture; the cells are compared with each other."""
MAX_COLOR_DISTANCE = 8.0
"""Greatest distance between a cell's color and the median of all cells, in CIE L*a*b* with lightness halved."""
MAX_CONTRAST_RATIO = 1.7
"""Greatest ratio between the contrast of a cell and the median of all cells, or its inverse.

Materials have up to 1.5. Photos of rooms and houses have 2 and more, or differ too much in color.
"""
COMPARED_SIDE = 512
"""The longer side, in pixels, at which cells are compared."""
BANDS = (1.0, 2.0, 4.0, 8.0)
"""Sigmas, in pixels, of the blurs between the bands in which contrast is compared, from fine to coarse."""
CONTRAST_OFFSET = 0.002
"""Contrast added to each cell's contrast, so that ratios of faint contrasts stay small."""
MIN_CONTRAST = 0.02
"""Least standard deviation of gamma-coded luminance; below it, a picture shows only one color."""
MIN_CORRELATION = 0.45
"""Least correlation between a repeating pattern and its copy shifted by one period."""
MIN_PERIOD = 0.06
"""Least period, as a share of the picture's side."""
MAX_PERIOD = 0.6
"""Greatest period, as a share of the picture's side."""


def cut_swatch(picture: Pixels, kind: ChangeType) -> Sample | None:
    """Cut a tileable sample of a material from a reference picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.
    kind : ChangeType
        FLOOR, WALLS, COUNTERTOPS, CABINETS or BACKSPLASH; it decides on the assumed scale of the picture.

    Returns
    -------
    Sample or None
        None if the picture is too small, has one color, or shows several things.

    References
    ----------
    .. [1] Heitz, Neyret, "High-Performance By-Example Noise using a Histogram-Preserving Blending Operator", 2018.
    """
    coded, smaller = (plane(shrink_to(picture, side)) / np.float32(255) for side in (SIDE, COMPARED_SIDE))
    if min(coded.shape[:2]) < MIN_SIDE or not _shows_one_material(smaller):
        return None
    even = _remove_shading(srgb_to_linear(coded))
    pitch = ASSUMED_WIDTHS[kind] / max(coded.shape)
    rows, columns = _find_period(even, 0), _find_period(even, 1)
    whole = even[: rows.cut, : columns.cut]
    # A picture that repeats along one axis must not be mirrored along it.
    mirrored = not (rows.repeats or columns.repeats)
    for axis, found in ((0, rows), (1, columns)):
        if not found.repeats:
            whole = _join_ends(whole, axis, mirrored)
    return Sample(plane(np.clip(whole, 0.004, MAX_REFLECTANCE)), pitch, 0.0)


def _shows_one_material(small: Plane) -> bool:
    """Whether the picture has contrast, and all its parts have similar colors and contrasts, fine and coarse."""
    lab = plane(cv2.cvtColor(small, cv2.COLOR_RGB2Lab))
    colors = np.array([cell.reshape(-1, 3).mean(0) for cell in _split_into_cells(lab)])
    # Lightness counts half, because the light is often uneven in a picture of one material.
    apart = np.linalg.norm((colors - np.median(colors, 0)) * [0.5, 1, 1], axis=1)
    gray = rgb_to_gray(small)
    detail = gray - gaussian_blur(gray, COMPARED_SIDE / 12)
    if float(detail.std()) < MIN_CONTRAST or float(apart.max()) > MAX_COLOR_DISTANCE:
        return False
    for reach in BANDS:
        coarser = gaussian_blur(gray, reach)
        contrasts = np.array(
            [float(cell.std()) + CONTRAST_OFFSET for cell in _split_into_cells(plane(gray - coarser))]
        )
        usual = float(np.median(contrasts))
        if max(contrasts.max() / usual, usual / contrasts.min()) > MAX_CONTRAST_RATIO:
            return False
        gray = coarser
    return True


def _split_into_cells(values: Plane) -> list[Plane]:
    """The picture cut into CELLS x CELLS parts."""
    return [part for row in np.array_split(values, CELLS) for part in np.array_split(row, CELLS, axis=1)]


def _remove_shading(values: Plane) -> Plane:
    """Linear light without its slow changes: a quadratic surface, fitted to the logarithms, is divided out."""
    gray = np.log(np.maximum(rgb_to_gray(values), 1e-3))
    y, x = (plane(each) for each in np.meshgrid(*(np.linspace(-1, 1, side) for side in gray.shape), indexing="ij"))
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], -1)
    few = (slice(None, None, 4), slice(None, None, 4))
    factors, *_ = np.linalg.lstsq(terms[few].reshape(-1, 6), gray[few].ravel(), rcond=None)
    slow = terms @ factors.astype(np.float32)
    return plane(values * gray_to_rgb(plane(np.exp(slow.mean() - slow))))


@dataclass(frozen=True, slots=True)
class _Period:
    """Whether a swatch repeats along an axis, and the length to cut it to."""

    repeats: bool
    cut: int


def _find_period(values: Plane, axis: int) -> _Period:
    """Whether the picture repeats along an axis: the period is the shift with the highest correlation."""
    gray = rgb_to_gray(values)
    gray = plane((gray - gray.mean()) / max(float(gray.std()), 1e-6))
    length = gray.shape[axis]
    best, highest = 0, MIN_CORRELATION
    for shift in range(round(MIN_PERIOD * length), round(MAX_PERIOD * length)):
        one, other = (np.take(gray, range(*ends), axis) for ends in ((0, length - shift), (shift, length)))
        alike = float((one * other).mean() / max(float(one.std() * other.std()), 1e-6))
        # A longer shift must be clearly better, because every multiple of the period fits too.
        if alike > highest + (0.03 if best else 0):
            best, highest = shift, alike
    return _Period(bool(best), length // best * best if best else length)


def _join_ends(values: Plane, axis: int, mirrored: bool) -> Plane:
    """The picture, its ends blended with a copy shifted by half its length, so that both ends fit together.

    With `mirrored`, the copy is mirrored along the other axis, so that the ends do not look like the middle.
    """
    length = values.shape[axis]
    shape = [1, 1, 1]
    shape[axis] = length
    near = np.abs(np.linspace(-1, 1, length, dtype=np.float32)).reshape(shape)
    # At the ends, only the copy is visible; its own seam is in the middle, where only the original is visible.
    share = np.clip((near - 0.45) / 0.45, 0, 1)
    share = share * share * (3 - 2 * share)
    mean = values.reshape(-1, 3).mean(0)
    other = np.roll(values, length // 2, axis)
    other = np.flip(other, 1 - axis) if mirrored else other
    # Blending reduces the contrast by this factor (Heitz and Neyret).
    contrast = np.sqrt(share**2 + (1 - share) ** 2)
    return plane(((values - mean) * (1 - share) + (other - mean) * share) / contrast + mean)
