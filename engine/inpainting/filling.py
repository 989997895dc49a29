"""Fills the hidden part of a floor or ceiling: its light and its pattern."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.geometry.rectified_plane import RectifiedPlane
from engine.geometry.room import Room
from engine.inpainting.base_layer import fit_base_layer
from engine.inpainting.face_view import FaceView
from engine.inpainting.patterns import compute_seam_correction, continue_pattern, measure_contrast
from engine.inpainting.shadows import find_contact_shadow, find_shade

PATTERNED = 0.012
"""Contrast (logarithms of colors, without fine noise) above which a floor or ceiling has a pattern."""
MAX_GRAIN = 0.1
"""The same for a floor without lines: carpets have up to 0.07, the grain of dark boards has 0.18 and more."""
MIN_PATTERN = 200
"""Minimum number of known cells; with fewer, a face counts as plain."""
SHADOW_BLUR = 0.08
"""Meters over which darkness is averaged to find shadows on a pattern; a quarter of it is used on a plain face."""
MAX_REACH = 1.2
"""Distance, in meters, from most cells to be filled to the nearest known cell, from which on a pattern is continued
only if enough of it is known; otherwise joints of boards and tiles would not meet, for example behind large beds.
"""
MIN_FAR_KNOWN = 0.8
"""Minimum number of known cells per cell to be filled, for a pattern to be continued that far."""
BLACKED_OUT = 0.4
"""Darkening (logarithms) above which a shadow has too little detail to be lightened, and is filled instead."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A filled face, cell by cell of its rectified plane.

    `values` are logarithms of colors (x 3). `made` is 1 in filled cells and 0 elsewhere. `lift` is the logarithm by
    which the other cells, in shadows, are lightened. `patterned` cells have their own detail, the other cells are
    smooth. `is_guessed` says that a pattern was continued farther than is certain to be right.
    """

    rectified: RectifiedPlane
    values: Plane
    made: Plane
    lift: Plane
    patterned: bool
    is_guessed: bool = False


def fill_face(view: FaceView, room: Room, *, has_lines: bool = True) -> Filling | None:
    """Fill the hidden part of a floor or ceiling and lift the shadows that the removed things cast on it.

    Parameters
    ----------
    view : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.
    has_lines : bool, default True
        Whether the face has visible lines. Without lines, contrast of up to MAX_GRAIN counts as grain, which the
        filling lacks.

    Returns
    -------
    Filling or None
        None if too little of the face is visible to fit its light.
    """
    base = fit_base_layer(view, room)
    if base is None:
        return None
    residual = plane(np.where(view.known[..., None], view.values - base, 0))
    contrast = _measure_contrast(view, residual)
    patterned = contrast > (PATTERNED if has_lines else MAX_GRAIN)
    shade = find_shade(residual, view, SHADOW_BLUR if contrast > PATTERNED else SHADOW_BLUR / 4)
    # Shadows on a plain face are filled, not lightened, so that no trace of the shadow's edge remains.
    too_dark = (
        np.asarray((shade < -BLACKED_OUT) | find_contact_shadow(residual, view))
        if patterned
        else dilate(np.asarray(shade < -1e-3), 3)
    )
    to_fill, known = np.asarray(view.to_fill | too_dark), np.asarray(view.known & ~too_dark)
    shade = plane(np.where(to_fill, 0, shade))
    unshaded = plane((residual - gray_to_rgb(shade)) * known[..., None])
    detail = (
        continue_pattern(unshaded, known, to_fill, view.rectified)
        if patterned
        else compute_seam_correction(unshaded, known, to_fill, view.rectified)
    )
    values = plane(np.where(to_fill[..., None], base + detail, view.values - gray_to_rgb(shade)))
    is_little = np.count_nonzero(view.known) < MIN_FAR_KNOWN * np.count_nonzero(view.to_fill)
    is_guessed = bool(patterned and is_little and _measure_reach(view) > MAX_REACH)
    return Filling(view.rectified, values, plane(to_fill), plane(-shade), patterned, is_guessed)


def _measure_reach(view: FaceView) -> float:
    """Meters from the cells to be filled, if any, to the nearest known cells: the 90th percentile."""
    distance = cv2.distanceTransform((~view.known).astype(np.uint8), cv2.DIST_L2, 5)
    return float(np.quantile(distance[view.to_fill], 0.9)) * view.rectified.cell


def _measure_contrast(view: FaceView, residual: Plane) -> float:
    inner = erode(view.known, 2)
    if np.count_nonzero(inner) < MIN_PATTERN:
        return 0.0
    return measure_contrast(residual, inner, view.rectified)
