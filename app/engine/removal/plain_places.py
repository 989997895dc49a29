"""Whether things stand before what can be continued: plain floor or wall around, and surely told from it."""

from collections.abc import Set

import numpy as np

from app.domain.quality import Reason
from app.engine.arrays import Plane, blurred, grown, luminance
from app.engine.removal.things import parts_of, things_in
from app.engine.room.surface import PLACE, Surface
from app.engine.step import Declined

BEHIND = (Surface.FLOOR, Surface.WALL, Surface.RUG)
"""What is continued behind things."""
BESIDE, AROUND = 3, 12
"""Pixels of the small picture from a thing at which its surroundings begin and end."""
SURE, BARE, PLAIN = 0.6, 0.85, 0.04
"""Shares: of the things in their own pixels, and of floor and wall around them; how far the lightest and darkest
spots there may be from the light around them (0-1, all but a tenth of them).
"""
MOST_NOT_PLAIN, MOST_HIDDEN = 0.3, 0.16
"""Share of all things that may stand otherwise, and of the picture that they may hide."""
_NOT_PLAIN = (
    "Things were not taken away: they stand before edges, patterns and each other, and what is behind them "
    "cannot be told from this photo."
)


def check_places(small: Plane, surfaces: Plane, which: Set[Surface]) -> None:
    """Refuse, as Declined TOO_MUCH_HIDDEN, a photo whose things do not mostly stand before plain floor and wall.

    `small` is the gamma-coded picture, 0-1, x 3; `surfaces` its shares. Of 88 results made without this check none
    was fit to sell but those in which next to nothing had been taken away.
    """
    things = things_in(surfaces, which)
    share = surfaces[..., [PLACE[each] for each in sorted(which)]].sum(2)
    light = luminance(small)
    rough = np.abs(light - blurred(light, 2))
    plain = np.intp(0)
    for part in parts_of(things):
        around = np.asarray(grown(part, AROUND) & ~grown(part, BESIDE) & ~things)
        if not around.any() or float(share[part].mean()) < SURE:
            continue
        bare = sum(float(surfaces[..., PLACE[each]][around].mean()) for each in BEHIND if each not in which)
        if bare > BARE and float(np.quantile(rough[around], 0.9)) < PLAIN:
            plain += np.count_nonzero(part)
    hidden = float(things.mean())
    if hidden > MOST_HIDDEN or plain < (1 - MOST_NOT_PLAIN) * np.count_nonzero(things):
        raise Declined(Reason.TOO_MUCH_HIDDEN, _NOT_PLAIN)
