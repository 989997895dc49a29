"""The figures quality review decides on, measured between photo and result."""

from collections.abc import Sequence

import cv2
import numpy as np

from app.domain.quality import Figure
from app.engine.arrays import Mask, Pixels, Plane, plane
from app.engine.color.difference import difference, lab
from app.engine.color.profiles import Profile
from app.engine.filters.morphology import grown
from app.engine.filters.strips import begun
from app.engine.quality import detail, limits
from app.engine.quality.artifacts import banded_share, halo
from app.engine.quality.detail import thinned
from app.engine.quality.limits import ReportRules, combine_limits, figure
from app.engine.quality.structure import in_place
from app.engine.quality.tones import CHANGED_LEVELS, cast_added, moved_levels, newly_clipped, whiteness
from app.engine.segmentation.scene import shrunken

THINNED_SIDE, MEASURED_SIDE, COLOUR_SIDE = 1200, 768, 320
BESIDE, BORDER = 3, 15
"""Pixels of MEASURED_SIDE from the edge of a region: up to which soft edges reach, and what lies just beside it."""
Regions = Sequence[tuple[ReportRules, Plane | None]]
"""For each effect that worked its rules, and where it was free to change everything (any size, 0-1); None for one
that changes light.
"""
_SRGB = Profile()


def measure(before: Pixels, after: Pixels, regions: Regions, profile: Profile = _SRGB) -> tuple[Figure, ...]:
    """All figures of a result beside its photo; both height x width x 3 bytes in the colour space of `profile`.

    Structure, colours and edges are not compared in the regions.
    """
    rules = [each for each, _ in regions]
    held = combine_limits(rules)
    if before.shape != after.shape:
        return (figure(limits.SIZE_KEPT, 0, held),)
    # Every third pixel or so of a large picture says as much as all of them, in a tenth of the time.
    thin_before, thin_after = thinned(before, THINNED_SIDE), thinned(after, THINNED_SIDE)
    was, now = shrunken(thin_before, MEASURED_SIDE), shrunken(thin_after, MEASURED_SIDE)
    grey = _grey(was), _grey(now)
    inside = _inside(regions, was.shape)
    # Half of the measuring is done beside the other half.
    structure = begun(lambda: _structure((before, after), grey, ~grown(inside, BESIDE)))
    values: dict[str, float] = {limits.SIZE_KEPT: 1.0, limits.VARIETY: float(grey[1].std() * 255)}
    values[limits.CHANGED] = _changed(was, now, regions)
    values |= _colours(profile.to_srgb(_coloured(was)), profile.to_srgb(_coloured(now)), inside, rules)
    values[limits.CLIPPING] = newly_clipped(thin_before, thin_after)
    values[limits.BANDING] = banded_share(thinned(thin_before, MEASURED_SIDE), thinned(thin_after, MEASURED_SIDE))
    values[limits.HALO] = halo(*grey, inside)
    values |= structure()
    return tuple(figure(name, values[name], held) for name in limits.LIMITS)


def _changed(before: Pixels, after: Pixels, regions: Regions) -> float:
    """The share changed by the step that changed least of its region."""
    moved = moved_levels(before, after) > CHANGED_LEVELS
    shares = [moved if region is None else moved[_fitted(region, before.shape) > 0.5] for _, region in regions]
    return min((float(each.mean()) if each.size else 0.0 for each in shares), default=float(moved.mean()))


def _structure(full: tuple[Pixels, Pixels], grey: tuple[Plane, Plane], compared: Mask) -> dict[str, float]:
    kept = in_place(*grey, compared)
    detailed = detail.detailed_tiles(*full, *grey, compared)
    return {
        limits.IN_PLACE: kept.median,
        limits.LOST: kept.lost,
        limits.GONE: kept.gone,
        limits.BENT: kept.bent,
        limits.FINE: detail.fine_detail_kept(detailed),
        limits.SHARPNESS: detail.sharpness_ratio(detailed),
        limits.NOISE: detail.noise_added(detail.smooth_tiles(*full, *grey)),
    }


def _colours(before: Pixels, after: Pixels, inside: Mask, rules: Sequence[ReportRules]) -> dict[str, float]:
    """The figures of colour; the pictures are small sRGB bytes."""
    was, now = lab(before), lab(after)
    compared = np.asarray(_fitted(plane(~grown(inside, BESIDE)), before.shape) > 0.99)
    border = np.asarray((_fitted(plane(grown(inside, BORDER)), before.shape) > 0.5) & compared)
    apart = difference(was[compared], now[compared])
    return {
        limits.CAST: cast_added((was, now), whiteness(before) * compared, rules),
        limits.OUTSIDE: float(apart.mean()) if apart.size else 0.0,
        limits.OUTSIDE_MOST: float(np.quantile(apart, 0.99)) if apart.size else 0.0,
        limits.BORDER: float(apart[border[compared]].mean()) if border.any() else 0.0,
    }


def _inside(regions: Regions, shape: tuple[int, ...]) -> Mask:
    """Where more than the light may have changed."""
    inside = np.zeros(shape[:2], np.bool_)
    for _, region in regions:
        if region is not None:
            inside |= _fitted(region, shape) > 0.1
    return inside


def _fitted(region: Plane, shape: tuple[int, ...]) -> Plane:
    return plane(cv2.resize(region, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))


def _coloured(pixels: Pixels) -> Pixels:
    return shrunken(pixels, COLOUR_SIDE)


def _grey(pixels: Pixels) -> Plane:
    return plane(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)) / np.float32(255)
