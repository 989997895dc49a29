"""Where furniture may stand: the room's outline, the floor that is free, ways that stay clear, windows' sills."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane
from engine.geometry.camera import Points
from engine.geometry.room import Room, Wall
from engine.geometry.surface import PLACE, Surface
from engine.rendering.furniture.model import Model
from engine.rendering.layout.fronts import are_blocked, find_feet, find_used_fronts
from engine.rendering.layout.placed import PlacedPiece

CELL, REACH = 0.1, 7.0
"""Size of a cell of floor, and how far the cells reach to each side and, twice as far, ahead; meters."""
OPEN = 1.1
"""The least width of open floor, meters: closets are less deep, alcoves and ways to doors less wide."""
_ACROSS, _ALONG = np.meshgrid(np.arange(-REACH, REACH, CELL), np.arange(-0.5, 2 * REACH, CELL))
_SPOTS = np.column_stack([_ACROSS.ravel(), _ALONG.ravel()])


@dataclass(frozen=True, slots=True)
class MainFloor:
    """`cells` of the main free floor (rows ahead, columns to the right), its `area` in view in square meters, and
    how `wide` the widest circle in it is, meters; all 0 where no floor is open."""

    cells: Mask
    area: float
    wide: float

    def has(self, spots: Points) -> Mask:
        """Which spots of the floor lie on it.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.

        Returns
        -------
        (N,) ndarray of bool
            False beyond the cells too.
        """
        at = np.round((spots - [-REACH, -0.5]) / CELL).astype(np.intp)
        rows, columns = self.cells.shape
        known = (at >= 0).all(1) & (at[:, 0] < columns) & (at[:, 1] < rows)
        result = np.zeros(len(spots), np.bool_)
        result[known] = self.cells[at[known, 1], at[known, 0]]
        return result


DOOR_CLEAR = 0.9
"""Meters in front of a door that stay free."""
BEHIND = 0.6
"""How far behind the lens furniture may reach, meters."""
STEP = 0.05
LEAST_HEARTH = 8
"""Pixels along the foot of a fireplace from which it is one."""
SURELY = 0.5
"""The share of floor from which a pixel is floor to stand on."""
_LOW_SILL = 0.35
_TALLEST_SILL = 1.6
OVER_SILL = 0.15
"""Meters by which a piece in front of a window may rise over its sill."""


@dataclass(frozen=True, slots=True)
class FloorOpening:
    """A door or window in a wall, from `left` to `right` meters along it; `sill` and `top` are its edges over
    the floor."""

    wall: Wall
    left: float
    right: float
    sill: float
    top: float = 2.05
    glass: bool = False

    @property
    def way(self) -> bool:
        """Whether people walk through it: a door, an opening, glass down to the floor."""
        return self.sill < _LOW_SILL


class Ground:
    """The floor of a room as one photo shows it."""

    def __init__(
        self,
        room: Room,
        surfaces: Plane,
        used: Plane | None = None,
        fires: Plane | None = None,
        reserved: Plane | None = None,
    ) -> None:
        """`surfaces` (h x w x surfaces, shares of 0-1) has the size of the picture that the room's camera is for;
        `used` (h x w, 0-1) is how much of each pixel is one of fronts.USED, `fires` how much is fireplace,
        `reserved` what somebody said stays free, and no more than that; None where that is not known.
        """
        self.room = room
        self.along: dict[int, tuple[Model, list[PlacedPiece]]] = {}
        """Where along the walls models fit, by their ids; kept by search.find_places_along_walls."""
        self.views: dict[PlacedPiece, tuple[float, float, float]] = {}
        """How pieces are seen; kept by Layout.view_of."""
        self.height, self.width = surfaces.shape[:2]
        self._kinds = np.argmax(surfaces, 2)
        self._used = used
        self._fires = fires
        self._reserved = reserved
        share = surfaces[..., PLACE[Surface.FLOOR]] + surfaces[..., PLACE[Surface.RUG]]
        floor = np.asarray(share > SURELY).astype(np.uint8)
        # The line where floor and wall meet is a few pixels wide in any map.
        reach = 2 * max(1, self.width // 200) + 1
        self._floor: Mask = cv2.dilate(floor, np.ones((reach, reach), np.uint8)) > 0

    @cached_property
    def openings(self) -> tuple[FloorOpening, ...]:
        """The doors and windows in view, wall by wall."""
        return tuple(found for wall in self.room.walls for found in self._openings_in(wall))

    def _openings_in(self, wall: Wall) -> list[FloorOpening]:
        places = np.arange(STEP / 2, wall.length, STEP)
        heights = np.arange(0.15, 2.85, 0.1)
        found = self._on_wall(wall, places, heights)
        door, pane = found == PLACE[Surface.DOOR], found == PLACE[Surface.WINDOW]
        openings = []
        for first, last in _runs(door[:, :20].sum(1) >= 3):
            openings.append(FloorOpening(wall, places[first] - STEP / 2, places[last] + STEP / 2, 0.0))
        for first, last in _runs(pane.sum(1) >= 3):
            rows = np.flatnonzero(pane[first : last + 1].mean(0) > 0.3)
            sill = float(heights[rows[0]]) - 0.1 if rows.size else 0.9
            top = float(heights[rows[-1]]) + 0.05 if rows.size else 2.05
            ends = places[first] - STEP / 2, places[last] + STEP / 2
            openings.append(FloorOpening(wall, *ends, max(0.0, sill), top, glass=True))
        return openings

    def _on_wall(self, wall: Wall, places: NDArray[np.float64], heights: NDArray[np.float64]) -> NDArray[np.intp]:
        """What is seen at these places along the wall and heights (places x heights); -1 out of view."""
        along, up = np.meshgrid(places, heights, indexing="ij")
        spots = np.array([*wall.start, 0.0]) + along[..., None] * wall.along
        spots[..., 2] = up
        return self._kind(spots.reshape(-1, 3)).reshape(along.shape)

    def _kind(self, points: Points) -> NDArray[np.intp]:
        pixels, depth = self.room.camera.project(points)
        x, y = np.floor(pixels[:, 0]), np.floor(pixels[:, 1])
        inside = (depth > 0.2) & (x >= 0) & (y >= 0) & (x < self.width) & (y < self.height)
        kinds = np.full(len(points), -1)
        kinds[inside] = self._kinds[y[inside].astype(int), x[inside].astype(int)]
        return kinds

    def wall_is_bare(self, wall: Wall, left: float, right: float, low: float, high: float) -> bool:
        """Whether a stretch of wall is in view and shows nothing but wall, with a small tolerance.

        Parameters
        ----------
        wall : Wall
            The wall.
        left, right : float
            Ends of the stretch, meters from the wall's start.
        low, high : float
            Its edges, meters over the floor.

        Returns
        -------
        bool
            False where any of it is out of view.
        """
        places, heights = np.linspace(left, right, 12), np.linspace(low, high, 10)
        found = self._on_wall(wall, places, heights)
        return bool(((found == PLACE[Surface.WALL]).mean() > 0.97) and (found >= 0).all())

    def inside(self, spots: Points) -> Mask:
        """Which spots of the floor are within the walls, as far as these are known.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.

        Returns
        -------
        (N,) ndarray of bool
            False beyond a wall and more than BEHIND behind the lens.
        """
        near = spots[:, 1] > -BEHIND
        for start, end in self._outline:
            near &= ~_are_beyond(spots, np.array(start), np.array(end))
        return np.asarray(near)

    @cached_property
    def _outline(self) -> list[tuple[Points, Points]]:
        """The walls' feet; the first and the last go on behind the camera."""
        walls = self.room.walls
        lines = [(np.array(wall.start), np.array(wall.end)) for wall in walls]
        if lines:
            lines[0] = lines[0][0] - walls[0].along[:2] * 12, lines[0][1]
            lines[-1] = lines[-1][0], lines[-1][1] + walls[-1].along[:2] * 12
        return lines

    def free(self, spots: Points, *, flat: bool = False) -> tuple[Mask, Mask]:
        """Which spots of the floor are free, and which of them are seen as floor.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.
        flat : bool, default False
            Whether the piece lies flat, so that people walk over it: it may lie in front of a door.

        Returns
        -------
        clear : (N,) ndarray of bool
            Whether nothing is known to be there; spots out of view count as clear.
        seen : (N,) ndarray of bool
            Whether the picture shows floor there.
        """
        points = np.column_stack([spots, np.zeros(len(spots))])
        pixels, depth = self.room.camera.project(points)
        x, y = np.floor(pixels[:, 0]).astype(int), np.floor(pixels[:, 1]).astype(int)
        view = (depth > 0.2) & (x >= 0) & (y >= 0) & (x < self.width) & (y < self.height)
        seen = np.zeros(len(spots), bool)
        seen[view] = self._floor[y[view], x[view]]
        clear = (seen | ~view) & self.inside(spots)
        if not flat:
            if self._reserved is None:
                clear &= ~self._before_a_way(spots) & ~are_blocked(self._kept_free, spots)
            else:
                clear[view] &= self._reserved[y[view], x[view]] < SURELY
        return np.asarray(clear), seen

    @cached_property
    def _kept_free(self) -> Mask:
        used = np.zeros(self._floor.shape, np.float32) if self._used is None else self._used
        return find_used_fronts(self.room.camera, used, self._floor)

    @cached_property
    def main(self) -> MainFloor:
        """The main free floor."""
        return find_main_floor(self)

    @cached_property
    def fire(self) -> tuple[float, float] | None:
        """Where on the floor the middle of the fireplace's foot is, meters; None where none is seen."""
        if self._fires is None:
            return None
        feet = find_feet(self.room.camera, self._fires, self._floor)
        feet = feet[np.isfinite(feet).all(1)]
        if len(feet) < LEAST_HEARTH:
            return None
        return float(np.median(feet[:, 0])), float(np.median(feet[:, 1]))

    def _before_a_way(self, spots: Points) -> Mask:
        blocked = np.zeros(len(spots), bool)
        for opening in self.openings:
            if opening.way:
                along, away = _measure_beside(opening.wall, spots)
                blocked |= (
                    (along > opening.left - 0.05)
                    & (along < opening.right + 0.05)
                    & (away < DOOR_CLEAR)
                    & (away > -0.5)
                )
        return blocked

    def too_tall(self, spots: Points, height: float) -> bool:
        """Whether a piece stands close in front of a window and rises well above its sill.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Spots of the floor that it covers, meters in the room.
        height : float
            Of its top, meters over the floor.

        Returns
        -------
        bool
            True where any spot is too close.
        """
        for opening in self.openings:
            if not opening.way and height > min(opening.sill, _TALLEST_SILL) + OVER_SILL:
                along, away = _measure_beside(opening.wall, spots)
                near = (along > opening.left) & (along < opening.right) & (away < 0.7) & (away > -0.2)
                if near.any():
                    return True
        return False


def _measure_beside(wall: Wall, spots: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far along a wall spots are from its start, and how far from it into the room."""
    apart = spots - np.array(wall.start)
    return apart @ wall.along[:2], apart @ wall.inward[:2]


def _are_beyond(spots: Points, start: Points, end: Points) -> Mask:
    """Whether the line from the camera to each spot crosses the wall from start to end."""
    way = end - start
    across = spots[:, 0] * way[1] - spots[:, 1] * way[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (start[0] * way[1] - start[1] * way[0]) / across
        along = (start[0] * spots[:, 1] - start[1] * spots[:, 0]) / across
    return np.asarray((share > 0) & (share < 1) & (along >= -1e-9) & (along <= 1 + 1e-9))


def _runs(found: Mask) -> list[tuple[int, int]]:
    """First and last places of the runs of at least 0.3 m, small gaps closed."""
    places = np.flatnonzero(found)
    if not places.size:
        return []
    apart = np.flatnonzero(np.diff(places) > 4)
    firsts, lasts = places[np.r_[0, apart + 1]], places[np.r_[apart, places.size - 1]]
    return [(int(a), int(b)) for a, b in zip(firsts, lasts, strict=True) if b - a >= 6]


def find_main_floor(ground: Ground) -> MainFloor:
    """The main free floor: the connected part with the most area in view, where a circle of OPEN meters has room.

    Parameters
    ----------
    ground : Ground
        The floor as the photo shows it.

    Returns
    -------
    MainFloor
        Without cells where no floor is open.
    """
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
    """Meters from each cell to the nearest that is not one of these; what lies beyond the grid counts as one."""
    return cv2.distanceTransform(cells.astype(np.uint8), cv2.DIST_L2, 5) * CELL
