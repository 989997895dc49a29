"""The general figures of the quality report, measured between photo and result."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.color.profiles import ColorProfile
from engine.filters.morphology import dilate
from engine.filters.strips import start_thread
from engine.quality import detail, limits
from engine.quality.artifacts import measure_banding, measure_halo
from engine.quality.detail import thin_pixels
from engine.quality.limits import ReportRules, combine_limits, make_figure
from engine.quality.structure import measure_structure
from engine.quality.tones import (
    CHANGED_LEVELS,
    estimate_whiteness,
    measure_added_cast,
    measure_level_change,
    measure_new_clipping,
)
from engine.segmentation.scene import shrink_to
from engine.types.figures import FigureCode
from engine.types.report import Figure

THINNED_SIDE = 1200
"""Least long side, in pixels, of the subsampled pictures that are measured."""
MEASURED_SIDE = 768
"""Long side, in pixels, of the small pictures that are measured."""
COLOR_SIDE = 320
"""Long side, in pixels, of the pictures whose colors are compared."""
REGION_MARGIN = 3
"""Pixels around a region, at MEASURED_SIDE, that are not compared, because its soft edge is that wide."""
BORDER_WIDTH = 15
"""Pixels around a region, at MEASURED_SIDE, that count as its border."""
Regions = Sequence[tuple[ReportRules, Plane | None]]
"""For each effect that was applied: its rules, and where it was free to change everything (any size, 0-1), or None
if it only changes light.
"""
_SRGB = ColorProfile()


def measure_figures(
    before: Pixels, after: Pixels, regions: Regions, profile: ColorProfile = _SRGB
) -> tuple[Figure, ...]:
    """All general figures of a result, compared with its photo.

    Structure, colors and edges are not compared in the regions.

    Parameters
    ----------
    before, after : (H, W, 3) ndarray of uint8
        Photo and result, gamma-coded, in the color space of `profile`.
    regions : Sequence of (ReportRules, (h, w) ndarray of float32 or None)
        For each effect that was applied: its rules, and where it was free to change everything (of any size, 0-1),
        or None if it only changes light.
    profile : ColorProfile, optional
        By default sRGB.

    Returns
    -------
    tuple of Figure
        In the order of limits.LIMITS; only SIZE_KEPT for pictures of different sizes.
    """
    rules = [each for each, _ in regions]
    combined = combine_limits(rules)
    if before.shape != after.shape:
        return (make_figure(FigureCode.SIZE_KEPT, 0, combined),)
    # Every third pixel or so of a large picture gives the same figures as all pixels, in a tenth of the time.
    thin_before, thin_after = thin_pixels(before, THINNED_SIDE), thin_pixels(after, THINNED_SIDE)
    was, now = shrink_to(thin_before, MEASURED_SIDE), shrink_to(thin_after, MEASURED_SIDE)
    gray = _gray(was), _gray(now)
    inside = _find_inside(regions, was.shape)
    # Structure is measured in a second thread, at the same time as everything else.
    structure = start_thread(
        lambda: _measure_structure_figures((before, after), gray, ~dilate(inside, REGION_MARGIN))
    )
    values: dict[str, float] = {FigureCode.SIZE_KEPT: 1.0, FigureCode.TONAL_VARIETY: float(gray[1].std() * 255)}
    values[FigureCode.CHANGED_SHARE] = _measure_changed(was, now, regions)
    values |= _measure_color_figures(
        profile.to_srgb(_shrink_for_color(was)), profile.to_srgb(_shrink_for_color(now)), inside, rules
    )
    values[FigureCode.NEWLY_CLIPPED] = measure_new_clipping(thin_before, thin_after)
    values[FigureCode.BANDING] = measure_banding(
        thin_pixels(thin_before, MEASURED_SIDE), thin_pixels(thin_after, MEASURED_SIDE)
    )
    values[FigureCode.HALO] = measure_halo(*gray, inside)
    values |= structure()
    return tuple(make_figure(name, values[name], combined) for name in limits.LIMITS)


def _measure_changed(before: Pixels, after: Pixels, regions: Regions) -> float:
    """The changed share of a step's own region, for the step that changed least."""
    is_changed = measure_level_change(before, after) > CHANGED_LEVELS
    shares = [
        is_changed if region is None else is_changed[_fit_region(region, before.shape) > 0.5]
        for _, region in regions
    ]
    return min((float(each.mean()) if each.size else 0.0 for each in shares), default=float(is_changed.mean()))


def _measure_structure_figures(
    full: tuple[Pixels, Pixels], gray: tuple[Plane, Plane], compared: Mask
) -> dict[str, float]:
    kept = measure_structure(*gray, compared)
    detailed = detail.sample_detailed_tiles(*full, *gray, compared)
    return {
        FigureCode.EDGE_DISPLACEMENT: kept.median,
        FigureCode.SHAPE_LOSS: kept.lost_share,
        FigureCode.WORST_SHAPE_LOSS: kept.worst_loss,
        FigureCode.WORST_SHAPE_CHANGE: kept.worst_change,
        FigureCode.FINE_DETAIL_DISPLACEMENT: detail.measure_fine_detail(detailed),
        FigureCode.SHARPNESS_RATIO: detail.measure_sharpness(detailed),
        FigureCode.NOISE_ADDED: detail.measure_added_noise(detail.sample_smooth_tiles(*full, *gray)),
    }


def _measure_color_figures(
    before: Pixels, after: Pixels, inside: Mask, rules: Sequence[ReportRules]
) -> dict[str, float]:
    """The figures of color; both pictures are small sRGB bytes."""
    was, now = srgb_to_lab(before), srgb_to_lab(after)
    compared = np.asarray(_fit_region(plane(~dilate(inside, REGION_MARGIN)), before.shape) > 0.99)
    border = np.asarray((_fit_region(plane(dilate(inside, BORDER_WIDTH)), before.shape) > 0.5) & compared)
    differences = compute_delta_e(was[compared], now[compared])
    return {
        FigureCode.COLOR_CAST_ADDED: measure_added_cast((was, now), estimate_whiteness(before) * compared, rules),
        FigureCode.OUTSIDE_DIFFERENCE: float(differences.mean()) if differences.size else 0.0,
        FigureCode.OUTSIDE_DIFFERENCE_P99: float(np.quantile(differences, 0.99)) if differences.size else 0.0,
        FigureCode.BORDER_DIFFERENCE: float(differences[border[compared]].mean()) if border.any() else 0.0,
    }


def _find_inside(regions: Regions, shape: tuple[int, ...]) -> Mask:
    """Where an effect may have changed more than the light."""
    inside = np.zeros(shape[:2], np.bool_)
    for _, region in regions:
        if region is not None:
            inside |= _fit_region(region, shape) > 0.1
    return inside


def _fit_region(region: Plane, shape: tuple[int, ...]) -> Plane:
    return plane(cv2.resize(region, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))


def _shrink_for_color(pixels: Pixels) -> Pixels:
    return shrink_to(pixels, COLOR_SIDE)


def _gray(pixels: Pixels) -> Plane:
    return plane(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)) / np.float32(255)
