"""The pattern of a face beyond its base layer: continued into the hole, or corrected at its seam."""

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur
from engine.geometry.rectified_plane import RectifiedPlane
from engine.inpainting.patch_offsets import InpaintingHole
from engine.inpainting.texture import inpaint_reached

REPEAT_FROM = 0.05
"""Shortest offset, in meters, by which a pattern may repeat."""
COARSER = 1.8
"""Resolution of sources: most meters per pixel, over the median of the cells to be filled."""
STAGES = 4
"""Most times that a pattern is continued, each time from the cells filled before."""
LEAST_LEFT = 0.02
"""Least share of cells left unfilled for the pattern to be continued once more."""
SEAM = 0.25
"""Meters over which a correction at the edge of the hole fades into it."""
DRIFT = 0.25
"""Meters over which changes of a floor's tone are taken for light, not for its pattern."""
CLEAR_OF = 0.08
"""Meters beside things that are no sample of a pattern, because a mask may miss feet and edges there."""
GLOSS = 0.18
"""Least logarithm by which a reflection is brighter than its floor."""
GLOSS_BLUR = 0.05
"""Meters over which light is averaged to find reflections."""


def measure_contrast(rest: Plane, known: Mask, rectified: RectifiedPlane) -> float:
    """The contrast of a face, in detail that is wider than grain and narrower than changes of light.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    known : (h, w) ndarray of bool
        Where the face is seen.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    float
        A robust standard deviation, in logarithms.
    """
    weight = plane(known)
    gray = plane(rgb_to_gray(rest) * weight)
    fine, wide = 1.5, max(4.0, 0.15 / rectified.cell)
    soft = gaussian_blur(gray, fine) / np.maximum(gaussian_blur(weight, fine), 1e-3)
    base = gaussian_blur(gray, wide) / np.maximum(gaussian_blur(weight, wide), 1e-3)
    return 1.48 * float(np.median(np.abs(soft - base)[known]))


def continue_pattern(rest: Plane, known: Mask, wanted: Mask, rectified: RectifiedPlane) -> Plane:
    """Continue the pattern of a face into the cells to be filled.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer; 0 where unknown.
    known : (h, w) ndarray of bool
        Where the face is seen.
    wanted : (h, w) ndarray of bool
        The cells to be filled, possibly none.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Like `rest`, with the cells to be filled; equal to `rest` where the face is seen.
    """
    if not wanted.any():
        return rest
    inner = erode(known, 2)
    most = COARSER * float(np.median(rectified.cover[wanted]))
    weight = plane(inner)
    glow = gaussian_blur(plane(rgb_to_gray(rest) * weight), GLOSS_BLUR / rectified.cell)
    even = np.asarray(glow < GLOSS * np.maximum(gaussian_blur(weight, GLOSS_BLUR / rectified.cell), 1e-3))
    apart = (
        cv2.distanceTransform((~wanted).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell) > CLEAR_OF
    )
    for source in (inner & even & apart & (rectified.cover < most), inner & even & apart, inner & even, inner):
        if np.count_nonzero(source) > 0.15 * np.count_nonzero(wanted):
            break
    drift = _drift(rest, inner, wanted, rectified)
    flat = plane((rest - drift) * gray_to_rgb(plane(known)))
    pattern = _continue_in_stages(
        InpaintingHole(flat, np.asarray(source), wanted, known), max(6, round(REPEAT_FROM / rectified.cell))
    )
    return plane(pattern + drift)


def _continue_in_stages(hole: InpaintingHole, least: int) -> Plane:
    """Continue the pattern also where no offset reaches a visible cell: from cells filled in the stage before."""
    values = hole.values
    for _ in range(STAGES):
        values, reached = inpaint_reached(hole, least)
        left = np.asarray(hole.wanted & ~reached)
        if np.count_nonzero(left) < LEAST_LEFT * np.count_nonzero(hole.wanted):
            break
        hole = InpaintingHole(values, np.asarray((hole.source | hole.wanted) & ~left), left)
    return values


def _drift(rest: Plane, known: Mask, wanted: Mask, rectified: RectifiedPlane) -> Plane:
    """Variation wider than the pattern, such as dull reflections; it fades out inside the hole."""
    weight = plane(known)
    total, share = np.zeros_like(rest), np.zeros(rest.shape[:2], np.float32)
    for wide, factor in ((DRIFT, 1.0), (3 * DRIFT, 0.02)):
        sigma = max(3.0, wide / rectified.cell)
        total += gaussian_blur(plane(rest * gray_to_rgb(weight)), sigma) * np.float32(factor)
        share += gaussian_blur(weight, sigma) * np.float32(factor)
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    return plane(total * gray_to_rgb(plane(np.exp(-deep / (3 * SEAM)) / np.maximum(share, 1e-6))))


def compute_seam_correction(rest: Plane, known: Mask, wanted: Mask, rectified: RectifiedPlane) -> Plane:
    """The error of the base layer at the edge of the hole, fading out inside it.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors minus the base layer.
    known : (h, w) ndarray of bool
        Where the face is seen.
    wanted : (h, w) ndarray of bool
        The cells to be filled.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The correction, in logarithms, in the cells to be filled; `rest` elsewhere.
    """
    ring = plane(known & dilate(wanted, 12))
    sigma = max(2.0, 0.06 / rectified.cell)
    total, share = np.zeros_like(rest), np.zeros(rest.shape[:2], np.float32)
    for wide, factor in ((sigma, 1.0), (4 * sigma, 0.02)):
        total += gaussian_blur(plane(rest * gray_to_rgb(ring)), wide) * factor
        share += gaussian_blur(ring, wide) * factor
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    fade = plane(np.exp(-deep / SEAM))
    return plane(
        np.where(wanted[..., None], total / gray_to_rgb(plane(np.maximum(share, 1e-6))) * gray_to_rgb(fade), rest)
    )
