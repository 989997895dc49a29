"""What one face of a room looks like behind the things that go: its light, its profile up a wall, its pattern."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import Plane, plane
from app.engine.color.channels import tripled
from app.engine.filters.morphology import grown, shrunk
from app.engine.geometry.rectified_plane import Sheet
from app.engine.geometry.room import Room
from app.engine.inpainting.base_layer import Profile, smooth_part
from app.engine.inpainting.face_view import Seen, of_wall
from app.engine.inpainting.opening_frames import with_openings
from app.engine.inpainting.patterns import contrast, pattern_of, seamless
from app.engine.inpainting.shadows import contact, shade

PATTERNED, WALL_PATTERNED = 0.012, 0.02
"""The spread of the logarithm of colours, fine noise left out, from which a face has a pattern."""
LEAST_PATTERN, LEAST_WALL = 200, 0.3
"""Cells in view that a pattern needs, and of a wall, where it is rarer, their share of what is wanted."""
SHADOW_BLUR = 0.08
"""Metres over which a shadow on a pattern is judged; on a plain face a quarter of it."""
BLACKED_OUT = 0.4
"""A shadow this deep keeps too little to be lit again; the face is continued under it, too."""


@dataclass(frozen=True, slots=True)
class Filling:
    """Of each cell of a sheet: logarithm of its colour (x 3), 0-1 how far it is made new, how much it is lit."""

    sheet: Sheet
    values: Plane
    made: Plane
    lift: Plane


def filled(
    seen: Seen, room: Room, foot: Profile | None = None, usual: NDArray[np.float32] | None = None
) -> Filling | None:
    """The face with what is wanted made new and shadows lifted; None where too little of it is seen to tell.

    `foot` is the profile of the room's other walls, for a wall whose own foot is nowhere seen; `usual` is their
    colour, for one of which nothing is.
    """
    smooth = smooth_part(seen, room, foot, usual if of_wall(seen.sheet.face) else None)
    if smooth is None:
        return None
    rest = plane(np.where(seen.known[..., None], seen.values - smooth, 0))
    patterned = _has_pattern(seen, rest)
    dark = shade(rest, seen, SHADOW_BLUR if patterned else SHADOW_BLUR / 4)
    # What has no pattern is as well made anew as lit again, without a trace of the shadow's edge.
    anew = not patterned and not of_wall(seen.sheet.face)
    deep = grown(np.asarray(dark < -1e-3), 3) if anew else np.asarray((dark < -BLACKED_OUT) | contact(rest, seen))
    wanted, known = np.asarray(seen.wanted | deep), np.asarray(seen.known & ~deep)
    dark = plane(np.where(wanted, 0, dark))
    lit = plane((rest - tripled(dark)) * known[..., None])
    more = pattern_of(lit, known, wanted, seen.sheet) if patterned else seamless(lit, known, wanted, seen.sheet)
    values = plane(smooth + more)
    if seen.openings is not None and seen.openings.made:
        values = with_openings(values, seen.values, smooth, seen.openings)
    values = plane(np.where(wanted[..., None], values, seen.values - tripled(dark)))
    return Filling(seen.sheet, values, plane(wanted), plane(-dark))


def _has_pattern(seen: Seen, rest: Plane) -> bool:
    inner = shrunk(seen.known, 2)
    wall = of_wall(seen.sheet.face)
    least = max(LEAST_PATTERN, LEAST_WALL * np.count_nonzero(seen.wanted) if wall else 0)
    if np.count_nonzero(inner) < least:
        return False
    return contrast(rest, inner, seen.sheet) > (WALL_PATTERNED if wall else PATTERNED)
