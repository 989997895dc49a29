"""Continues the pattern of a face into a hole, or corrects the base layer at the edge of the hole."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.geometry.rectified_plane import RectifiedPlane
from engine.inpainting.patch_offsets import InpaintingHole
from engine.inpainting.texture import inpaint_reached

MIN_OFFSET = 0.05
"""Shortest offset, in meters, by which a pattern may repeat."""
MAX_COARSENESS = 1.8
"""Maximum meters per pixel in sources, relative to the median in the cells to be filled."""
MAX_STAGES = 4
"""Maximum number of stages; each stage continues the pattern from the cells filled earlier."""
MIN_UNFILLED = 0.02
"""Minimum share of cells to be filled that are still unfilled if another stage follows."""
SEAM_FADE = 0.25
"""Meters over which a correction at the edge of the hole fades out inside it."""
DRIFT = 0.25
"""Sigma, in meters, of the blur that separates changes of light on a floor from its pattern."""
THING_MARGIN = 0.08
"""Margin beside things, in meters, that is not copied, because masks may lack feet and edges of things there."""
GLOSS = 0.18
"""Minimum logarithm by which a reflection is brighter than the floor."""
GLOSS_BLUR = 0.05
"""Meters over which light is averaged to find reflections."""


def measure_contrast(residual: Plane, known: Mask, rectified: RectifiedPlane) -> float:
    """Measure the contrast of a face, in detail that is wider than grain and narrower than changes of light.

    Parameters
    ----------
    residual : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    known : (h, w) ndarray of bool
        Where the face is visible.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    float
        A robust standard deviation, in logarithms.
    """
    weight = plane(known)
    gray = plane(rgb_to_gray(residual) * weight)
    narrow, wide = 1.5, max(4.0, 0.15 / rectified.cell)
    narrow_mean = gaussian_blur(gray, narrow) / np.maximum(gaussian_blur(weight, narrow), 1e-3)
    wide_mean = gaussian_blur(gray, wide) / np.maximum(gaussian_blur(weight, wide), 1e-3)
    return 1.48 * float(np.median(np.abs(narrow_mean - wide_mean)[known]))


def continue_pattern(residual: Plane, known: Mask, to_fill: Mask, rectified: RectifiedPlane) -> Plane:
    """Continue the pattern of a face into the cells to be filled.

    Parameters
    ----------
    residual : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    known : (h, w) ndarray of bool
        Where the face is visible.
    to_fill : (h, w) ndarray of bool
        The cells to be filled, possibly none.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    (h, w, 3) ndarray of float32
        A copy of `residual` in which the cells to be filled have values.
    """
    if not to_fill.any():
        return residual
    inner = erode(known, 2)
    max_cover = MAX_COARSENESS * float(np.median(rectified.cover[to_fill]))
    weight = plane(inner)
    brightness = gaussian_blur(plane(rgb_to_gray(residual) * weight), GLOSS_BLUR / rectified.cell)
    no_gloss = np.asarray(brightness < GLOSS * np.maximum(gaussian_blur(weight, GLOSS_BLUR / rectified.cell), 1e-3))
    away_from_things = (
        cv2.distanceTransform((~to_fill).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
        > THING_MARGIN
    )
    for source in (
        inner & no_gloss & away_from_things & (rectified.cover < max_cover),
        inner & no_gloss & away_from_things,
        inner & no_gloss,
        inner,
    ):
        if np.count_nonzero(source) > 0.15 * np.count_nonzero(to_fill):
            break
    drift = _measure_drift(residual, inner, to_fill, rectified)
    flat = plane((residual - drift) * gray_to_rgb(plane(known)))
    pattern = _continue_in_stages(
        InpaintingHole(flat, np.asarray(source), to_fill, known), max(6, round(MIN_OFFSET / rectified.cell))
    )
    return plane(pattern + drift)


def _continue_in_stages(hole: InpaintingHole, min_length: int) -> Plane:
    """Continue the pattern; cells too far from visible cells for any offset are filled from filled cells."""
    values = hole.values
    for _ in range(MAX_STAGES):
        values, reached = inpaint_reached(hole, min_length)
        unfilled = np.asarray(hole.to_fill & ~reached)
        if np.count_nonzero(unfilled) < MIN_UNFILLED * np.count_nonzero(hole.to_fill):
            break
        hole = InpaintingHole(values, np.asarray((hole.source | hole.to_fill) & ~unfilled), unfilled)
    return values


def _measure_drift(residual: Plane, known: Mask, to_fill: Mask, rectified: RectifiedPlane) -> Plane:
    """The variation that is wider than the pattern, such as dull reflections, fading out inside the hole."""
    weight = plane(known)
    total, share = np.zeros_like(residual), np.zeros(residual.shape[:2], np.float32)
    for wide, factor in ((DRIFT, 1.0), (3 * DRIFT, 0.02)):
        sigma = max(3.0, wide / rectified.cell)
        total += gaussian_blur(plane(residual * gray_to_rgb(weight)), sigma) * np.float32(factor)
        share += gaussian_blur(weight, sigma) * np.float32(factor)
    deep = cv2.distanceTransform(to_fill.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    return plane(total * gray_to_rgb(plane(np.exp(-deep / (3 * SEAM_FADE)) / np.maximum(share, 1e-6))))


def compute_seam_correction(residual: Plane, known: Mask, to_fill: Mask, rectified: RectifiedPlane) -> Plane:
    """Compute the error of the base layer at the edge of the hole, fading out inside the hole.

    Parameters
    ----------
    residual : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer.
    known : (h, w) ndarray of bool
        Where the face is visible.
    to_fill : (h, w) ndarray of bool
        The cells to be filled.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The correction, in logarithms, in the cells to be filled; `residual` elsewhere.
    """
    ring = plane(known & dilate(to_fill, 12))
    sigma = max(2.0, 0.06 / rectified.cell)
    total, share = np.zeros_like(residual), np.zeros(residual.shape[:2], np.float32)
    for wide, factor in ((sigma, 1.0), (4 * sigma, 0.02)):
        total += gaussian_blur(plane(residual * gray_to_rgb(ring)), wide) * factor
        share += gaussian_blur(ring, wide) * factor
    deep = cv2.distanceTransform(to_fill.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    fade = plane(np.exp(-deep / SEAM_FADE))
    return plane(
        np.where(
            to_fill[..., None], total / gray_to_rgb(plane(np.maximum(share, 1e-6))) * gray_to_rgb(fade), residual
        )
    )
