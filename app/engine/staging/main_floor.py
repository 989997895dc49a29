"""The main free floor: the largest open part of it that is in view, in metres; closets and alcoves are no part."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from app.engine.arrays import Mask
from app.engine.room.camera import Points

if TYPE_CHECKING:
    from app.engine.staging.ground import Ground

CELL, REACH = 0.1, 7.0
"""How finely the floor is looked at, and how far to each side and, twice as far, ahead; metres."""
OPEN = 1.1
"""Metres that a floor is wide at least to be open: closets are less deep, alcoves and ways to doors less wide."""
_ACROSS, _ALONG = np.meshgrid(np.arange(-REACH, REACH, CELL), np.arange(-0.5, 2 * REACH, CELL))
_SPOTS = np.column_stack([_ACROSS.ravel(), _ALONG.ravel()])


@dataclass(frozen=True, slots=True)
class MainFloor:
    """`cells` of the main free floor (rows ahead, columns to the right), its `area` in view in square metres, and
    how `wide` the widest circle in it is, metres; all nothing where no floor is open."""

    cells: Mask
    area: float
    wide: float

    def has(self, spots: Points) -> Mask:
        """Which spots of the floor (count x 2, metres) lie on it."""
        at = np.round((spots - [-REACH, -0.5]) / CELL).astype(np.intp)
        rows, columns = self.cells.shape
        known = (at >= 0).all(1) & (at[:, 0] < columns) & (at[:, 1] < rows)
        result = np.zeros(len(spots), np.bool_)
        result[known] = self.cells[at[known, 1], at[known, 0]]
        return result


def main_floor(ground: "Ground") -> MainFloor:
    """Of the floor where a circle of OPEN metres has room the connected part that most of is in view."""
    free, seen = (each.reshape(_ACROSS.shape) for each in ground.free(_SPOTS, flat=True))
    away = _distances(np.asarray(free, np.bool_))
    parts = np.asarray(cv2.connectedComponents((away >= OPEN / 2).astype(np.uint8))[1])
    areas = np.bincount(parts[seen & (parts > 0)], minlength=1)
    if not areas.any():
        return MainFloor(np.zeros(free.shape, np.bool_), 0.0, 0.0)
    core = parts == int(areas.argmax())
    cells = np.asarray(free & (_distances(~core) <= OPEN / 2 + CELL), np.bool_)
    return MainFloor(cells, float(np.count_nonzero(cells & seen)) * CELL**2, 2 * float(away[core & seen].max()))


def _distances(cells: Mask) -> np.ndarray:
    """Metres from each cell to the nearest that is not one of these; what lies beyond the grid counts as one."""
    return cv2.distanceTransform(cells.astype(np.uint8), cv2.DIST_L2, 5) * CELL
