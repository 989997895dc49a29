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

PATTERNED, WALL_PATTERNED = 0.012, 0.02
"""The spread of the logarithm of colors, fine noise left out, from which a face has a pattern."""
LEAST_PATTERN, LEAST_WALL = 200, 0.3
"""Cells in view that a pattern needs, and of a wall, where it is rarer, their share of what is wanted."""
SHADOW_BLUR = 0.08
"""Meters over which a shadow on a pattern is judged; on a plain face a quarter of it."""
BLACKED_OUT = 0.4
"""A shadow this deep keeps too little to be lit again; the face is continued under it, too."""


@dataclass(frozen=True, slots=True)
class Filling:
    """A filled face, cell by cell of its rectified plane: `values` are logarithms of colors (x 3), `made` is 1
    where it is filled and else 0, `lift` the logarithm by which its shadow is lightened.
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
        The room, its camera that of the picture.
    foot : FootProfile, optional
        The profile of another wall of the room, for a wall whose own foot is hardly seen.
    usual : (3,) ndarray of float32, optional
        The color of the room's walls, in logarithms, for a wall of which too little is seen.

    Returns
    -------
    Filling or None
        None where too little of the face is seen to fit its light.
    """
    smooth = fit_base_layer(seen, room, foot, usual if is_wall(seen.rectified.face) else None)
    if smooth is None:
        return None
    rest = plane(np.where(seen.known[..., None], seen.values - smooth, 0))
    patterned = _has_pattern(seen, rest)
    dark = find_shade(rest, seen, SHADOW_BLUR if patterned else SHADOW_BLUR / 4)
    # What has no pattern is as well replaced as lightened, without a trace of the shadow's edge.
    anew = not patterned and not is_wall(seen.rectified.face)
    deep = (
        dilate(np.asarray(dark < -1e-3), 3)
        if anew
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
