"""The material that a reference picture shows flat and from straight ahead, as a sample that repeats at its edges.

What repeats by itself is cut to whole periods; the rest is blended with itself shifted by half, its contrast kept.
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

SIDE, LEAST_SIDE = 768, 128
"""The longer side, in pixels, at which a swatch is kept, and the least of the shorter one."""
WIDE = {
    ChangeType.FLOOR: 1.2,
    ChangeType.WALLS: 1.2,
    ChangeType.COUNTERTOPS: 0.9,
    ChangeType.CABINETS: 0.9,
    ChangeType.BACKSPLASH: 0.6,
}
"""Meters that a swatch is taken to show across its longer side."""
CELLS, MOST_APART, MOST_UNLIKE = 3, 8.0, 1.7
"""Cells that a picture is cut into each way; how far these may be apart in CIE L*a*b* and contrast
(a ratio): materials come to 1.5, photos of rooms and houses to 2 and more in one or the other.
"""
LOOKED_AT, BANDS, FAINT = 512, (1.0, 2.0, 4.0, 8.0), 0.002
"""The longer side at which they are compared; pixels of the bands, fine to coarse; contrast of next to nothing."""
LEAST_CONTRAST = 0.02
"""The spread of gamma-coded luminance below which a swatch is one color."""
REPEATS, SHORTEST, LONGEST = 0.45, 0.06, 0.6
"""How like itself a pattern is when it repeats, and shares of the side that its period may be."""


def cut_swatch(picture: Pixels, kind: ChangeType) -> Sample | None:
    """Cut a tileable sample of a material from a reference picture.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        Gamma-coded sRGB.
    kind : ChangeType
        FLOOR, WALLS, COUNTERTOPS, CABINETS or BACKSPLASH: what the scale of the picture is assumed by.

    Returns
    -------
    Sample or None
        None where the picture is too small, of one color, or shows several things.

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
    # A picture that repeats one way keeps its places that way; what does not may be mirrored.
    turned = not (rows.repeats or columns.repeats)
    for axis, found in ((0, rows), (1, columns)):
        if not found.repeats:
            whole = _join_ends(whole, axis, turned)
    return Sample(plane(np.clip(whole, 0.004, BRIGHTEST)), pitch, 0.0)


def _one_material(small: Plane) -> bool:
    """Whether all parts of the picture are alike in color and in contrast, fine and coarse, and there is some."""
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
    """The picture cut into CELLS each way."""
    return [part for row in np.array_split(values, CELLS) for part in np.array_split(row, CELLS, axis=1)]


def _even_light(values: Plane) -> Plane:
    """Linear light with its slow changes taken out: a paraboloid fitted to the logarithms."""
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
    """How the picture repeats along an axis: the move at which it is most like itself, if it is."""
    gray = rgb_to_gray(values)
    gray = plane((gray - gray.mean()) / max(float(gray.std()), 1e-6))
    length = gray.shape[axis]
    best, likest = 0, REPEATS
    for move in range(round(SHORTEST * length), round(LONGEST * length)):
        one, other = (np.take(gray, range(*ends), axis) for ends in ((0, length - move), (move, length)))
        alike = float((one * other).mean() / max(float(one.std() * other.std()), 1e-6))
        # A longer period has to be better: every multiple of one is another.
        if alike > likest + (0.03 if best else 0):
            best, likest = move, alike
    return _Period(bool(best), length // best * best if best else length)


def _join_ends(values: Plane, axis: int, turned: bool) -> Plane:
    """The picture with its ends blended so that it goes on past them.

    `turned` ends are mirrored the other way, so that what stands in the middle is not repeated at the ends.
    """
    length = values.shape[axis]
    shape = [1, 1, 1]
    shape[axis] = length
    near = np.abs(np.linspace(-1, 1, length, dtype=np.float32)).reshape(shape)
    # At the ends all is of the picture moved by half, whose own seam lies in the middle.
    share = np.clip((near - 0.45) / 0.45, 0, 1)
    share = share * share * (3 - 2 * share)
    mean = values.reshape(-1, 3).mean(0)
    other = np.roll(values, length // 2, axis)
    other = np.flip(other, 1 - axis) if turned else other
    kept = np.sqrt(share**2 + (1 - share) ** 2)
    return plane(((values - mean) * (1 - share) + (other - mean) * share) / kept + mean)
