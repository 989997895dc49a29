"""Fills the hidden part of one face of a room: its light, its vertical profile and its pattern."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.geometry.rectified_plane import RectifiedPlane
from engine.geometry.room import Room
from engine.inpainting.base_layer import FootProfile, fit_base_layer
from engine.inpainting.face_view import FaceView, is_wall
from engine.inpainting.opening_frames import draw_openings
from engine.inpainting.patterns import compute_seam_correction, continue_pattern, measure_contrast
from engine.inpainting.shadows import find_contact_shadow, find_shade

PATTERNED = 0.012
"""Contrast (logarithms of colors, without fine noise) above which a floor or ceiling has a pattern."""
WALL_PATTERNED = 0.02
"""Contrast above which a wall has a pattern."""
MIN_PATTERN = 200
"""Minimum number of known cells: with fewer, a face counts as plain."""
MIN_WALL = 0.3
"""Minimum number of known cells per cell to be filled: with fewer, a wall counts as plain, as most walls are."""
SHADOW_BLUR = 0.08
"""Meters over which darkness is averaged to find shadows on a pattern; a quarter of it is used on a plain face."""
BLACKED_OUT = 0.4
"""Darkening (logarithms) above which a shadow keeps too little detail to be lightened: it is filled instead."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A filled face, cell by cell of its rectified plane.

    `values` are logarithms of colors (x 3). `made` is 1 in filled cells and 0 elsewhere. `lift` is the logarithm by
    which the other cells, in shadows, are lightened.
    """

    rectified: RectifiedPlane
    values: Plane
    made: Plane
    lift: Plane


def fill_face(
    view: FaceView, room: Room, other_foot: FootProfile | None = None, wall_color: NDArray[np.float32] | None = None
) -> Filling | None:
    """Fill the hidden part of a face and lift the shadows that the removed things cast on it.

    Parameters
    ----------
    view : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.
    other_foot : FootProfile, optional
        The profile of another wall of the room, used where this wall's own foot is hardly visible.
    wall_color : (3,) ndarray of float32, optional
        The color of the room's walls, in logarithms, for a wall of which too little is visible.

    Returns
    -------
    Filling or None
        None if too little of the face is visible to fit its light.
    """
    base = fit_base_layer(view, room, other_foot, wall_color if is_wall(view.rectified.face) else None)
    if base is None:
        return None
    residual = plane(np.where(view.known[..., None], view.values - base, 0))
    patterned = _has_pattern(view, residual)
    shade = find_shade(residual, view, SHADOW_BLUR if patterned else SHADOW_BLUR / 4)
    # Shadows on a plain floor or ceiling are filled, not lightened: no trace of the shadow's edge remains.
    refilled = not patterned and not is_wall(view.rectified.face)
    too_dark = (
        dilate(np.asarray(shade < -1e-3), 3)
        if refilled
        else np.asarray((shade < -BLACKED_OUT) | find_contact_shadow(residual, view))
    )
    to_fill, known = np.asarray(view.to_fill | too_dark), np.asarray(view.known & ~too_dark)
    shade = plane(np.where(to_fill, 0, shade))
    unshaded = plane((residual - gray_to_rgb(shade)) * known[..., None])
    detail = (
        continue_pattern(unshaded, known, to_fill, view.rectified)
        if patterned
        else compute_seam_correction(unshaded, known, to_fill, view.rectified)
    )
    values = plane(base + detail)
    if view.openings is not None and view.openings.made:
        values = draw_openings(values, view.values, base, view.openings)
    values = plane(np.where(to_fill[..., None], values, view.values - gray_to_rgb(shade)))
    return Filling(view.rectified, values, plane(to_fill), plane(-shade))


def _has_pattern(view: FaceView, residual: Plane) -> bool:
    inner = erode(view.known, 2)
    wall = is_wall(view.rectified.face)
    min_cells = max(MIN_PATTERN, MIN_WALL * np.count_nonzero(view.to_fill) if wall else 0)
    if np.count_nonzero(inner) < min_cells:
        return False
    return measure_contrast(residual, inner, view.rectified) > (WALL_PATTERNED if wall else PATTERNED)
