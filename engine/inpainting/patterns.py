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
COARSER = 1.8
STAGES, LEAST_LEFT = 4, 0.02
"""How often at most, and above what share of cells left unfilled, a pattern is continued from filled cells."""
SEAM = 0.25
DRIFT = 0.25
"""Meters over which a floor's tone is taken to be of light rather than of its pattern."""
CLEAR_OF = 0.08
"""Meters beside things that are no sample of a pattern: feet and edges that a mask missed."""
GLOSS = 0.18
"""The logarithm by which a reflection is brighter than its floor."""
GLOSS_BLUR = 0.05


def measure_contrast(rest: Plane, known: Mask, rectified: RectifiedPlane) -> float:
    """The contrast of a face between the sizes of grain and of light.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors less the base layer; 0 where unknown.
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
        Logarithms of colors less the base layer; 0 where unknown.
    known : (h, w) ndarray of bool
        Where the face is seen.
    wanted : (h, w) ndarray of bool
        The cells to be filled, maybe none.
    rectified : RectifiedPlane
        The face's plane.

    Returns
    -------
    (h, w, 3) ndarray of float32
        As `rest`, and `rest` itself where the face is seen.
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
    pattern = _throughout(
        InpaintingHole(flat, np.asarray(source), wanted, known), max(6, round(REPEAT_FROM / rectified.cell))
    )
    return plane(pattern + drift)


def _throughout(hole: InpaintingHole, least: int) -> Plane:
    """The pattern continued to where no move from what is seen reaches: from cells filled before."""
    values = hole.values
    for _ in range(STAGES):
        values, reached = inpaint_reached(hole, least)
        left = np.asarray(hole.wanted & ~reached)
        if np.count_nonzero(left) < LEAST_LEFT * np.count_nonzero(hole.wanted):
            break
        hole = InpaintingHole(values, np.asarray((hole.source | hole.wanted) & ~left), left)
    return values


def _drift(rest: Plane, known: Mask, wanted: Mask, rectified: RectifiedPlane) -> Plane:
    """What is wider than the pattern, as dull reflections are; it fades into the hole."""
    weight = plane(known)
    total, share = np.zeros_like(rest), np.zeros(rest.shape[:2], np.float32)
    for wide, much in ((DRIFT, 1.0), (3 * DRIFT, 0.02)):
        sigma = max(3.0, wide / rectified.cell)
        total += gaussian_blur(plane(rest * gray_to_rgb(weight)), sigma) * np.float32(much)
        share += gaussian_blur(weight, sigma) * np.float32(much)
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    return plane(total * gray_to_rgb(plane(np.exp(-deep / (3 * SEAM)) / np.maximum(share, 1e-6))))


def compute_seam_correction(rest: Plane, known: Mask, wanted: Mask, rectified: RectifiedPlane) -> Plane:
    """What the base layer is off by at the edge of the hole, fading into it.

    Parameters
    ----------
    rest : (h, w, 3) ndarray of float32
        Logarithms of colors less the base layer.
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
    for wide, much in ((sigma, 1.0), (4 * sigma, 0.02)):
        total += gaussian_blur(plane(rest * gray_to_rgb(ring)), wide) * much
        share += gaussian_blur(ring, wide) * much
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    fade = plane(np.exp(-deep / SEAM))
    return plane(
        np.where(wanted[..., None], total / gray_to_rgb(plane(np.maximum(share, 1e-6))) * gray_to_rgb(fade), rest)
    )
