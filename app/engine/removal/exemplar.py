"""Small things on tables, counters and the like: the surface continued from around them, in the picture itself."""

import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import Mask, Plane, grown, plane, shrunk, spread_from, tripled
from app.engine.removal.moves import Hole
from app.engine.removal.texture import continued

AROUND = 1.6
"""How far content is looked for, in sizes of the thing."""
LEAST_AROUND = 24
LEAST_SOURCE = 0.6
"""Sources in areas of the thing, below which nothing is told."""


def patched(logs: Plane, part: Mask, things: Mask, labels: NDArray[np.uint8]) -> Plane | None:
    """The logarithms (x 3) with a part of the things filled by what lies around it; None where too little does.

    Only what is of the surfaces right around the part serves as content.
    """
    rows, columns = np.flatnonzero(part.any(1)), np.flatnonzero(part.any(0))
    reach = max(LEAST_AROUND, int(AROUND * max(rows[-1] - rows[0], columns[-1] - columns[0])))
    box = (
        slice(max(0, int(rows[0]) - reach), int(rows[-1]) + reach + 1),
        slice(max(0, int(columns[0]) - reach), int(columns[-1]) + reach + 1),
    )
    wanted, near = part[box], labels[box]
    ring = grown(wanted, 6) & ~things[box]
    if not ring.any():
        return None
    counts = np.bincount(near[ring])
    usual = np.flatnonzero(counts > 0.1 * counts.sum())
    source = shrunk(np.asarray(np.isin(near, usual) & ~things[box]), 2)
    if np.count_nonzero(source) < LEAST_SOURCE * np.count_nonzero(wanted):
        return None
    values = logs[box]
    base = spread_from(values, plane(source), max(4.0, reach / 6))
    rest = plane((values - base) * tripled(plane(source)))
    fine = continued(Hole(rest, source, wanted), 4)
    done = logs.copy()
    done[box] = np.where(wanted[..., None], base + fine, values)
    return plane(done)
