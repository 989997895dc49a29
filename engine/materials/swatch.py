"""The material that a reference picture shows flat and from straight ahead, as a sample that repeats at its edges.

A pattern that repeats is cut to whole periods. Any other is blended with a copy of itself, shifted by half its
length, so that the contrast stays.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Pixels, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.filters.smoothing import gaussian_blur
from engine.materials.colors import BRIGHTEST
from engine.materials.samples import Sample
from engine.segmentation.scene import shrink_to
from engine.types.enhancements import ChangeType

SIDE = 768
"""The longer side, in pixels, of a swatch."""
LEAST_SIDE = 128
"""Least shorter side, in pixels, of a swatch."""
WIDE = {
    ChangeType.FLOOR: 1.2,
    ChangeType.WALLS: 1.2,
    ChangeType.COUNTERTOPS: 0.9,
    ChangeType.CABINETS: 0.9,
    ChangeType.BACKSPLASH: 0.6,
}
"""Meters that a swatch is assumed to show across its longer side."""
CELLS = 3
"""Number of cells, along each side, into which a picture is cut to be compared."""
MOST_APART = 8.0
"""Most distance, in CIE L*a*b* with lightness halved, of a cell's color from the median of all cells."""
MOST_UNLIKE = 1.7
"""Most ratio between a cell's contrast and the median of all cells, in either direction.

Materials come to 1.5; photos of rooms and houses come to 2 and more, in this or in color.
"""
LOOKED_AT = 512
"""The longer side, in pixels, at which cells are compared."""
BANDS = (1.0, 2.0, 4.0, 8.0)
"""Sigmas, in pixels, that separate the bands in which contrast is compared, from fine to coarse."""
FAINT = 0.002
"""Contrast added to each cell's contrast, so that ratios of faint contrasts stay small."""
LEAST_CONTRAST = 0.02
"""Least standard deviation of gamma-coded luminance; with less, a swatch is one color."""
REPEATS = 0.45
"""Least correlation of a repeating pattern with itself, shifted by its period."""
SHORTEST = 0.06
"""Least period, as a share of the side."""
LONGEST = 0.6
"""Most period, as a share of the side."""


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
    coded, smaller = (plane(shrink_to(picture, side)) / np.float32(255) for side in (SIDE, LOOKED_AT))
    if min(coded.shape[:2]) < LEAST_SIDE or not _one_material(smaller):
        return None
    even = _even_light(srgb_to_linear(coded))
    pitch = WIDE[kind] / max(coded.shape)
    rows, columns = _period(even, 0), _period(even, 1)
    whole = even[: rows.cut, : columns.cut]
    # A picture that repeats along one axis must not be mirrored along it; a picture without repeats may be
    # mirrored.
    turned = not (rows.repeats or columns.repeats)
    for axis, found in ((0, rows), (1, columns)):
        if not found.repeats:
            whole = _join_ends(whole, axis, turned)
    return Sample(plane(np.clip(whole, 0.004, BRIGHTEST)), pitch, 0.0)


def _one_material(small: Plane) -> bool:
    """Whether the picture has contrast, and all its parts have similar colors and contrasts, fine and coarse."""
    lab = plane(cv2.cvtColor(small, cv2.COLOR_RGB2Lab))
    colors = np.array([cell.reshape(-1, 3).mean(0) for cell in _cells(lab)])
    # Light falls off over a picture of a material: lightness counts half.
    apart = np.linalg.norm((colors - np.median(colors, 0)) * [0.5, 1, 1], axis=1)
    gray = rgb_to_gray(small)
    detail = gray - gaussian_blur(gray, LOOKED_AT / 12)
    if float(detail.std()) < LEAST_CONTRAST or float(apart.max()) > MOST_APART:
        return False
    for reach in BANDS:
        coarser = gaussian_blur(gray, reach)
        contrasts = np.array([float(cell.std()) + FAINT for cell in _cells(plane(gray - coarser))])
        usual = float(np.median(contrasts))
        if max(contrasts.max() / usual, usual / contrasts.min()) > MOST_UNLIKE:
            return False
        gray = coarser
    return True


def _cells(values: Plane) -> list[Plane]:
    """The picture cut into CELLS x CELLS parts."""
    return [part for row in np.array_split(values, CELLS) for part in np.array_split(row, CELLS, axis=1)]


def _even_light(values: Plane) -> Plane:
    """Linear light without its slow changes, which are a paraboloid fitted to the logarithms."""
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


def _period(values: Plane, axis: int) -> _Period:
    """Whether the picture repeats along an axis, by the shift at which it is most similar to itself."""
    gray = rgb_to_gray(values)
    gray = plane((gray - gray.mean()) / max(float(gray.std()), 1e-6))
    length = gray.shape[axis]
    best, highest = 0, REPEATS
    for move in range(round(SHORTEST * length), round(LONGEST * length)):
        one, other = (np.take(gray, range(*ends), axis) for ends in ((0, length - move), (move, length)))
        alike = float((one * other).mean() / max(float(one.std() * other.std()), 1e-6))
        # A longer period must be clearly better, because each multiple of a period is a period, too.
        if alike > highest + (0.03 if best else 0):
            best, highest = move, alike
    return _Period(bool(best), length // best * best if best else length)


def _join_ends(values: Plane, axis: int, turned: bool) -> Plane:
    """The picture with its ends blended with a shifted copy, so that it continues past them.

    `turned`: the copy is mirrored along the other axis, so that the middle is not simply repeated at the ends.
    """
    length = values.shape[axis]
    shape = [1, 1, 1]
    shape[axis] = length
    near = np.abs(np.linspace(-1, 1, length, dtype=np.float32)).reshape(shape)
    # At the ends only the copy shows: it is shifted by half, so that its own seam lies in the middle.
    share = np.clip((near - 0.45) / 0.45, 0, 1)
    share = share * share * (3 - 2 * share)
    mean = values.reshape(-1, 3).mean(0)
    other = np.roll(values, length // 2, axis)
    other = np.flip(other, 1 - axis) if turned else other
    kept = np.sqrt(share**2 + (1 - share) ** 2)
    return plane(((values - mean) * (1 - share) + (other - mean) * share) / kept + mean)
