"""The figures quality review decides on, measured between photo and result; every limit is in one table."""

from dataclasses import dataclass

import cv2
import numpy as np

from app.domain.quality import Figure, Reason
from app.engine.arrays import Mask, Matte, Pixels, Plane, edge_strength, grown, luminance, plane
from app.engine.fullsize import strips
from app.engine.scene.analysis import shrunken

MEASURED_SIDE = 512
CHANGED_LEVELS = 6


@dataclass(frozen=True, slots=True)
class Limit:
    """What a figure is held to and what breaking it means."""

    fault: Reason
    minimum: float | None = None
    maximum: float | None = None


SIZE_KEPT, VARIETY, CHANGED, CLIPPING, EDGES, SHARPNESS = (
    "size kept",
    "tonal variety",
    "share of pixels changed",
    "newly clipped share",
    "edges kept",
    "sharpness ratio",
)
LIMITS = {
    SIZE_KEPT: Limit(Reason.SIZE_CHANGED, minimum=1),
    VARIETY: Limit(Reason.BLANK, minimum=4),
    CHANGED: Limit(Reason.NOT_CHANGED, minimum=0.003),
    CLIPPING: Limit(Reason.CLIPPED, maximum=0.005),
    EDGES: Limit(Reason.STRUCTURE_CHANGED, minimum=0.6),
    SHARPNESS: Limit(Reason.STRUCTURE_CHANGED, minimum=0.5),
}


def measure(before: Pixels, after: Pixels, region: Plane | None) -> tuple[Figure, ...]:
    """All figures of a result beside its photo; both height x width x 3 bytes in the same colour space.

    `region` (any size, 0-1) is where steps were free to change everything: edges are not compared there.
    """
    if before.shape != after.shape:
        return (_figure(SIZE_KEPT, 0),)
    small_before, small_after = shrunken(before, MEASURED_SIDE), shrunken(after, MEASURED_SIDE)
    compared = _outside(region, small_before.shape)
    grey_before, grey_after = _grey(small_before), _grey(small_after)
    return (
        _figure(SIZE_KEPT, 1),
        _figure(VARIETY, float(grey_after.std() * 255)),
        _figure(CHANGED, changed_share(small_before, small_after)),
        _figure(CLIPPING, newly_clipped(before, after)),
        _figure(EDGES, edges_kept(grey_before, grey_after, compared)),
        _figure(SHARPNESS, sharpness_ratio(grey_before, grey_after, compared)),
    )


def changed_share(before: Pixels, after: Pixels) -> float:
    """The share of pixels with a channel that moved by more than CHANGED_LEVELS."""
    return float((cv2.absdiff(before, after).max(-1) > CHANGED_LEVELS).mean())


def newly_clipped(before: Pixels, after: Pixels) -> float:
    """The share of pixels now pure black or white that were not within 4 levels of it before."""
    lost = 0
    for rows in strips(before.shape):
        without = cv2.bitwise_or(_white(after[rows]), _black(after[rows]))
        had_none = cv2.bitwise_or(_white(before[rows], 251), _black(before[rows], 4))
        lost += cv2.countNonZero(cv2.bitwise_and(without, cv2.bitwise_not(had_none)))
    return lost / float(before.shape[0] * before.shape[1])


def edges_kept(before: Plane, after: Plane, compared: Mask, least: float = 0.008) -> float:
    """How much of the photo's strong edges is still an edge at its place: 1 all, about 0.3 in an unrelated picture.

    Grey planes 0-1. An edge counts as kept when the result is about as steep there as anywhere near by; what is
    less steep than `least` a pixel counts as none.
    """
    strong = edge_strength(before)
    ridge = (strong >= _highest(strong, 1) * 0.999) & (strong > max(float(np.quantile(strong, 0.9)), least))
    ridge &= compared
    if ridge.sum() < 20:
        return 1.0
    now = edge_strength(after)
    near = _highest(now, 4)
    held = np.clip((now / np.maximum(near, 1e-6) - 0.2) / 0.5, 0, 1) * (near > 0.003)
    return float((held * strong)[ridge].sum() / strong[ridge].sum())


def sharpness_ratio(before: Plane, after: Plane, compared: Mask) -> float:
    """Fine detail relative to coarse detail in the result over the same in the photo."""
    return _fineness(after, compared) / max(_fineness(before, compared), 1e-6)


def _fineness(grey: Plane, compared: Mask) -> float:
    if not compared.any():
        return 1.0
    fine = np.abs(cv2.Laplacian(grey, cv2.CV_32F, ksize=1, borderType=cv2.BORDER_REPLICATE))[compared].mean()
    coarse = edge_strength(plane(cv2.blur(grey, (5, 5))))[compared].mean()
    return float(fine / max(float(coarse), 1e-5))


def _white(pixels: Pixels, least: int = 255) -> Matte:
    return np.asarray(cv2.inRange(pixels, (least, least, least), (255, 255, 255)), dtype=np.uint8)


def _black(pixels: Pixels, most: int = 0) -> Matte:
    return np.asarray(cv2.inRange(pixels, (0, 0, 0), (most, most, most)), dtype=np.uint8)


def _outside(region: Plane | None, shape: tuple[int, ...]) -> Mask:
    height, width = shape[:2]
    if region is None:
        return np.ones((height, width), np.bool_)
    resized = plane(cv2.resize(region, (width, height), interpolation=cv2.INTER_LINEAR))
    return ~grown(np.asarray(resized > 0.1, dtype=np.bool_), 3)


def _grey(pixels: Pixels) -> Plane:
    return luminance(plane(pixels) / np.float32(255))


def _highest(values: Plane, radius: int) -> Plane:
    side = 2 * radius + 1
    return plane(cv2.dilate(values, np.ones((side, side), np.uint8)))


def _figure(name: str, value: float) -> Figure:
    limit = LIMITS[name]
    return Figure(name=name, value=value, minimum=limit.minimum, maximum=limit.maximum, fault=limit.fault)
