"""Fills the hidden part of one face of a room: light, vertical profile, pattern."""

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
LEAST_PATTERN = 200
"""Least number of known cells for a face to have a pattern."""
LEAST_WALL = 0.3
"""Least number of known cells, per cell to be filled, for a wall to have a pattern: patterns are rarer on walls."""
SHADOW_BLUR = 0.08
"""Meters over which darkness is averaged to find shadows on a pattern; on a plain face a quarter of it."""
BLACKED_OUT = 0.4
"""Darkening (logarithms) above which a shadow keeps too little detail to be lightened: it is filled instead."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A filled face, cell by cell of its rectified plane.

    `values` are logarithms of colors (x 3), `made` is 1 in filled cells and 0 elsewhere, `lift` is the logarithm by
    which shadows are lightened.
    """

    rectified: RectifiedPlane
    values: Plane
    made: Plane
    lift: Plane


def fill_face(
    seen: FaceView, room: Room, foot: FootProfile | None = None, usual: NDArray[np.float32] | None = None
) -> Filling | None:
    """Fill the hidden part of a face and lift the shadows that the removed things cast on it.

    Parameters
    ----------
    seen : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.
    foot : FootProfile, optional
        The profile of another wall of the room, for a wall whose own foot is hardly seen.
    usual : (3,) ndarray of float32, optional
        The color of the room's walls, in logarithms, for a wall of which too little is seen.

    Returns
    -------
    Filling or None
        None if too little of the face is seen to fit its light.
    """
    smooth = fit_base_layer(seen, room, foot, usual if is_wall(seen.rectified.face) else None)
    if smooth is None:
        return None
    rest = plane(np.where(seen.known[..., None], seen.values - smooth, 0))
    patterned = _has_pattern(seen, rest)
    dark = find_shade(rest, seen, SHADOW_BLUR if patterned else SHADOW_BLUR / 4)
    # A plain floor or ceiling is filled instead of lightened, which leaves no trace of the shadow's edge.
    refilled = not patterned and not is_wall(seen.rectified.face)
    deep = (
        dilate(np.asarray(dark < -1e-3), 3)
        if refilled
        else np.asarray((dark < -BLACKED_OUT) | find_contact_shadow(rest, seen))
    )
    wanted, known = np.asarray(seen.wanted | deep), np.asarray(seen.known & ~deep)
    dark = plane(np.where(wanted, 0, dark))
    lit = plane((rest - gray_to_rgb(dark)) * known[..., None])
    more = (
        continue_pattern(lit, known, wanted, seen.rectified)
        if patterned
        else compute_seam_correction(lit, known, wanted, seen.rectified)
    )
    values = plane(smooth + more)
    if seen.openings is not None and seen.openings.made:
        values = draw_openings(values, seen.values, smooth, seen.openings)
    values = plane(np.where(wanted[..., None], values, seen.values - gray_to_rgb(dark)))
    return Filling(seen.rectified, values, plane(wanted), plane(-dark))


def _has_pattern(seen: FaceView, rest: Plane) -> bool:
    inner = erode(seen.known, 2)
    wall = is_wall(seen.rectified.face)
    least = max(LEAST_PATTERN, LEAST_WALL * np.count_nonzero(seen.wanted) if wall else 0)
    if np.count_nonzero(inner) < least:
        return False
    return measure_contrast(rest, inner, seen.rectified) > (WALL_PATTERNED if wall else PATTERNED)
