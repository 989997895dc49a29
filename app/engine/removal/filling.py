"""What one face of a room looks like behind the things that go: its light, its profile up a wall, its pattern."""

from dataclasses import dataclass

import numpy as np

from app.engine.arrays import Plane, grown, plane, shrunk, tripled
from app.engine.removal.moves import Hole
from app.engine.removal.openings import Openings
from app.engine.removal.patterns import contrast, pattern_of, seamless
from app.engine.removal.shadows import contact, shade
from app.engine.removal.sheets import Sheet
from app.engine.removal.smooth import Profile, smooth_part
from app.engine.removal.texture import continued
from app.engine.removal.viewed import Seen, of_wall
from app.engine.room.geometry import Room

PATTERNED, WALL_PATTERNED = 0.012, 0.02
"""The spread of the logarithm of colours, fine noise left out, from which a face has a pattern."""
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


def filled(seen: Seen, room: Room, foot: Profile | None = None) -> Filling | None:
    """The face with what is wanted made new and shadows lifted; None where too little of it is seen to tell.

    `foot` is the profile of the room's other walls, for a wall whose own foot is nowhere seen.
    """
    smooth = smooth_part(seen, room, foot)
    if smooth is None:
        return None
    rest = plane(np.where(seen.known[..., None], seen.values - smooth, 0))
    inner = shrunk(seen.known, 2)
    patterned = bool(
        inner.sum() > 200
        and contrast(rest, inner, seen.sheet) > (WALL_PATTERNED if of_wall(seen.sheet.face) else PATTERNED)
    )
    dark = shade(rest, seen, SHADOW_BLUR if patterned else SHADOW_BLUR / 4)
    # What has no pattern is as well made anew as lit again, without a trace of the shadow's edge.
    deep = (
        np.asarray((dark < -BLACKED_OUT) | contact(rest, seen)) if patterned else grown(np.asarray(dark < -1e-3), 3)
    )
    wanted, known = np.asarray(seen.wanted | deep), np.asarray(seen.known & ~deep)
    dark = plane(np.where(wanted, 0, dark))
    lit = plane((rest - tripled(dark)) * known[..., None])
    more = pattern_of(lit, known, wanted, seen.sheet) if patterned else seamless(lit, known, wanted, seen.sheet)
    values = plane(smooth + more)
    if seen.openings is not None and seen.openings.follows.any():
        values = _with_openings(seen, values, seen.openings)
    values = plane(np.where(wanted[..., None], values, seen.values - tripled(dark)))
    return Filling(seen.sheet, values, plane(wanted), plane(-dark))


def _with_openings(seen: Seen, values: Plane, openings: Openings) -> Plane:
    """What of windows and doors is hidden, continued from what is seen of them and of the wall around."""
    source = np.asarray(openings.known & ~grown(seen.wanted, 1))
    hole = Hole(plane(np.where(seen.wanted[..., None], values, seen.values)), source, openings.follows)
    return plane(np.where(openings.follows[..., None], continued(hole, 3, openings.moves), values))
