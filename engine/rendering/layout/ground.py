"""Finds where furniture may stand: inside walls, on free floor, not in front of doors, low in front of windows."""

from collections.abc import Hashable
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

CELL = 0.1
"""Side of a cell of the floor grid, meters."""
GRID_REACH = 7.0
"""How far the floor grid extends to the left and right of the camera, meters; it extends twice as far ahead."""
MIN_OPEN_WIDTH = 1.1
"""Least width of the main free floor, meters; closets, alcoves and passages to doors are narrower."""
_ACROSS, _ALONG = np.meshgrid(np.arange(-GRID_REACH, GRID_REACH, CELL), np.arange(-0.5, 2 * GRID_REACH, CELL))
# The (x, y) of each cell of the grid in the room, meters.
_SPOTS = np.column_stack([_ACROSS.ravel(), _ALONG.ravel()])


@dataclass(frozen=True, slots=True)
class MainFloor:
    """The main free floor, as `find_main_floor` finds it.

    `cells` is True for its cells of the grid (rows go ahead, columns to the right); `area` is the part of it that
    is in view, in square meters; `width` is the diameter in meters of the largest circle in it whose center is in
    view. All are 0 or False if there is no such floor.
    """

    cells: Mask
    area: float
    width: float

    def contains(self, spots: Points) -> Mask:
        """Find which spots of the floor lie on the main free floor.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.

        Returns
        -------
        (N,) ndarray of bool
            Also False beyond the grid.
        """
        at = np.round((spots - [-GRID_REACH, -0.5]) / CELL).astype(np.intp)
        rows, columns = self.cells.shape
        known = (at >= 0).all(1) & (at[:, 0] < columns) & (at[:, 1] < rows)
        result = np.zeros(len(spots), np.bool_)
        result[known] = self.cells[at[known, 1], at[known, 0]]
        return result

    def list_spots(self, step: float) -> Points:
        """List spots in a grid on the main free floor.

        Parameters
        ----------
        step : float
            Distance between neighboring spots, meters; a multiple of CELL.

        Returns
        -------
        (N, 2) ndarray of float64
            Meters in the room.
        """
        every = round(step / CELL)
        rows, columns = np.nonzero(self.cells[::every, ::every])
        return np.column_stack([columns, rows]) * (every * CELL) + [-GRID_REACH, -0.5]


DOOR_CLEARANCE = 0.9
"""How far in front of a door the floor stays free, meters."""
MAX_BEHIND_LENS = 0.6
"""Greatest distance behind the lens at which furniture may stand, meters."""
WALL_STEP = 0.05
"""Distance between the places along a wall where doors and windows are searched for, meters."""
MIN_FIREPLACE_PIXELS = 8
"""Least number of pixels along the foot of a fireplace; a thing with fewer does not count as a fireplace."""
MIN_FLOOR_SHARE = 0.5
"""Least share of floor (0-1) in a pixel that counts as floor, and least reserved share in a pixel that stays free.
"""
_MIN_WINDOW_SILL = 0.35
"""An opening whose lower edge is below this height counts as a passage, meters."""
_MAX_SILL = 1.6
"""Greatest height of a sill; higher sills count as this high; meters."""
MAX_OVER_SILL = 0.15
"""How far a piece in front of a window may rise above the window's sill, meters."""


COUNTER_HEIGHTS = np.linspace(0.75, 1.2, 6)
"""Heights above the floor at which worktops and bars are searched for along a wall, meters."""
MAX_COUNTER_SHARE = 0.25
"""Greatest share of worktop at these heights behind a piece at a wall; with more, the wall is the front of a
counter, where people sit or work."""


@dataclass(frozen=True, slots=True)
class WallOpening:
    """A door or window in a wall.

    `left` and `right` are its ends, in meters along the wall; `sill` and `top` its lower and upper edge, in meters
    above the floor. `glass` is True for a window.
    """

    wall: Wall
    left: float
    right: float
    sill: float
    top: float = 2.05
    glass: bool = False

    @property
    def is_passage(self) -> bool:
        """Whether people walk through it: it is a door, an opening without a door, or glass down to the floor."""
        return self.sill < _MIN_WINDOW_SILL


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
        """Store the room and the maps of its photo: shares of 0-1 for each pixel, at the camera's picture size.

        `surfaces` (h x w x surfaces) is the share of each `Surface`, `used` (h x w) the share of fronts.USED,
        `fires` the share of fireplaces; `used` and `fires` may be unknown (None). `reserved` is the share that a
        person marked to stay free; if it is given, it replaces the rules that keep floor free.
        """
        self.room = room
        self.places_along_walls: dict[Hashable, tuple[Model, list[PlacedPiece]]] = {}
        """The places along the walls where each model fits, by the model's id and the limits of its view;
        search.find_places_along_walls fills this."""
        self.places_on_floor: dict[Hashable, tuple[Model, list[PlacedPiece]]] = {}
        """The places on the open floor where each model fits; search.find_places_on_floor fills this."""
        self.views: dict[PlacedPiece, tuple[float, float, float]] = {}
        """The measured view of each piece in the picture; Layout.measure_view fills this."""
        self.height, self.width = surfaces.shape[:2]
        self._kinds = np.argmax(surfaces, 2)
        self._used = used
        self._fires = fires
        self._reserved = reserved
        share = surfaces[..., PLACE[Surface.FLOOR]] + surfaces[..., PLACE[Surface.RUG]]
        floor = np.asarray(share > MIN_FLOOR_SHARE).astype(np.uint8)
        # The floor is widened a little over walls, because the line where they meet is a few pixels wide in the
        # maps.
        reach = 2 * max(1, self.width // 200) + 1
        self._floor: Mask = cv2.dilate(floor, np.ones((reach, reach), np.uint8)) > 0

    @cached_property
    def openings(self) -> tuple[WallOpening, ...]:
        """The doors and windows in view, wall by wall."""
        return tuple(found for wall in self.room.walls for found in self._find_openings(wall))

    def _find_openings(self, wall: Wall) -> list[WallOpening]:
        places = np.arange(WALL_STEP / 2, wall.length, WALL_STEP)
        heights = np.arange(0.15, 2.85, 0.1)
        found = self._find_surfaces_on_wall(wall, places, heights)
        door, pane = found == PLACE[Surface.DOOR], found == PLACE[Surface.WINDOW]
        openings = []
        for first, last in _find_runs(door[:, :20].sum(1) >= 3):
            openings.append(WallOpening(wall, places[first] - WALL_STEP / 2, places[last] + WALL_STEP / 2, 0.0))
        for first, last in _find_runs(pane.sum(1) >= 3):
            rows = np.flatnonzero(pane[first : last + 1].mean(0) > 0.3)
            sill = float(heights[rows[0]]) - 0.1 if rows.size else 0.9
            top = float(heights[rows[-1]]) + 0.05 if rows.size else 2.05
            ends = places[first] - WALL_STEP / 2, places[last] + WALL_STEP / 2
            openings.append(WallOpening(wall, *ends, max(0.0, sill), top, glass=True))
        return openings

    def _find_surfaces_on_wall(
        self, wall: Wall, places: NDArray[np.float64], heights: NDArray[np.float64]
    ) -> NDArray[np.intp]:
        """The surface shown at each place along the wall and each height (places x heights); -1 out of view."""
        along, up = np.meshgrid(places, heights, indexing="ij")
        spots = np.array([*wall.start, 0.0]) + along[..., None] * wall.along
        spots[..., 2] = up
        return self._find_surfaces(spots.reshape(-1, 3)).reshape(along.shape)

    def _find_surfaces(self, points: Points) -> NDArray[np.intp]:
        """The surface that the picture shows at each point of the room, as an index of PLACE; -1 out of view."""
        pixels, depth = self.room.camera.project(points)
        x, y = np.floor(pixels[:, 0]), np.floor(pixels[:, 1])
        inside = (depth > 0.2) & (x >= 0) & (y >= 0) & (x < self.width) & (y < self.height)
        kinds = np.full(len(points), -1)
        kinds[inside] = self._kinds[y[inside].astype(int), x[inside].astype(int)]
        return kinds

    def is_wall_bare(self, wall: Wall, left: float, right: float, low: float, high: float) -> bool:
        """Whether a part of a wall is in view and shows only wall, except for 3 percent.

        Parameters
        ----------
        wall : Wall
            The wall.
        left, right : float
            Ends of the part, meters from the wall's start.
        low, high : float
            Lower and upper edge of the part, meters above the floor.

        Returns
        -------
        bool
            False if a part of it is out of view.
        """
        places, heights = np.linspace(left, right, 12), np.linspace(low, high, 10)
        found = self._find_surfaces_on_wall(wall, places, heights)
        return bool(((found == PLACE[Surface.WALL]).mean() > 0.97) and (found >= 0).all())

    def is_at_counter(self, wall: Wall, left: float, right: float) -> bool:
        """Whether a part of a wall is the front of a counter.

        Parameters
        ----------
        wall : Wall
            The wall.
        left, right : float
            Ends of the part, meters from the wall's start.

        Returns
        -------
        bool
            True if the picture shows a worktop above this part.
        """
        found = self._find_surfaces_on_wall(wall, np.linspace(left, right, 9), COUNTER_HEIGHTS)
        return bool((found == PLACE[Surface.COUNTERTOP]).mean() > MAX_COUNTER_SHARE)

    def are_inside(self, spots: Points) -> Mask:
        """Find the spots of the floor that are inside the known walls.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.

        Returns
        -------
        (N,) ndarray of bool
            False beyond a wall, and more than MAX_BEHIND_LENS meters behind the lens.
        """
        within = spots[:, 1] > -MAX_BEHIND_LENS
        for start, end in self._outline:
            within &= ~_are_beyond(spots, np.array(start), np.array(end))
        return np.asarray(within)

    @cached_property
    def _outline(self) -> list[tuple[Points, Points]]:
        """Both ends of each wall's foot; the first and the last wall are extended by 12 m, beyond the camera."""
        walls = self.room.walls
        lines = [(np.array(wall.start), np.array(wall.end)) for wall in walls]
        if lines:
            lines[0] = lines[0][0] - walls[0].along[:2] * 12, lines[0][1]
            lines[-1] = lines[-1][0], lines[-1][1] + walls[-1].along[:2] * 12
        return lines

    def find_free(self, spots: Points, *, flat: bool = False) -> tuple[Mask, Mask]:
        """Find the free spots of the floor, and the spots where the picture shows floor.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Meters in the room.
        flat : bool, default False
            Whether the piece is flat: people can walk over it, so it may lie in front of a door.

        Returns
        -------
        clear : (N,) ndarray of bool
            Whether no obstacle is known at the spot; spots out of view count as clear.
        seen : (N,) ndarray of bool
            Whether the picture shows floor there.
        """
        points = np.column_stack([spots, np.zeros(len(spots))])
        pixels, depth = self.room.camera.project(points)
        x, y = np.floor(pixels[:, 0]).astype(int), np.floor(pixels[:, 1]).astype(int)
        view = (depth > 0.2) & (x >= 0) & (y >= 0) & (x < self.width) & (y < self.height)
        seen = np.zeros(len(spots), bool)
        seen[view] = self._floor[y[view], x[view]]
        clear = (seen | ~view) & self.are_inside(spots)
        if not flat:
            if self._reserved is None:
                clear &= ~self._are_before_a_passage(spots) & ~are_blocked(self._floor_kept_free, spots)
            else:
                clear[view] &= self._reserved[y[view], x[view]] < MIN_FLOOR_SHARE
        return np.asarray(clear), seen

    @cached_property
    def _floor_kept_free(self) -> Mask:
        used = np.zeros(self._floor.shape, np.float32) if self._used is None else self._used
        return find_used_fronts(self.room.camera, used, self._floor)

    @cached_property
    def main_floor(self) -> MainFloor:
        """The main free floor."""
        return find_main_floor(self)

    @cached_property
    def fireplace(self) -> tuple[float, float] | None:
        """The middle (x, y) of the fireplace's foot on the floor, meters; None where no fireplace is visible."""
        if self._fires is None:
            return None
        feet = find_feet(self.room.camera, self._fires, self._floor)
        feet = feet[np.isfinite(feet).all(1)]
        if len(feet) < MIN_FIREPLACE_PIXELS:
            return None
        return float(np.median(feet[:, 0])), float(np.median(feet[:, 1]))

    def _are_before_a_passage(self, spots: Points) -> Mask:
        """Find which spots of the floor lie within DOOR_CLEARANCE in front of a door or another passage."""
        blocked = np.zeros(len(spots), bool)
        for opening in self.openings:
            if opening.is_passage:
                along, away = _measure_beside(opening.wall, spots)
                blocked |= (
                    (along > opening.left - 0.05)
                    & (along < opening.right + 0.05)
                    & (away < DOOR_CLEARANCE)
                    & (away > -0.5)
                )
        return blocked

    def is_too_tall(self, spots: Points, height: float) -> bool:
        """Whether a piece close in front of a window rises too far above the window's sill.

        Parameters
        ----------
        spots : (N, 2) ndarray of float64
            Spots of the floor that the piece covers, meters in the room.
        height : float
            Height of the piece's top above the floor, meters.

        Returns
        -------
        bool
            True if any spot is within 0.7 m of a window and the piece rises above its sill by more than
            MAX_OVER_SILL.
        """
        for opening in self.openings:
            if not opening.is_passage and height > min(opening.sill, _MAX_SILL) + MAX_OVER_SILL:
                along, away = _measure_beside(opening.wall, spots)
                near = (along > opening.left) & (along < opening.right) & (away < 0.7) & (away > -0.2)
                if near.any():
                    return True
        return False


def _measure_beside(wall: Wall, spots: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each spot's distance along the wall from its start, and its distance from the wall into the room; meters."""
    apart = spots - np.array(wall.start)
    return apart @ wall.along[:2], apart @ wall.inward[:2]


def _are_beyond(spots: Points, start: Points, end: Points) -> Mask:
    """Whether each spot is behind the wall from `start` to `end`, seen from the camera."""
    wall = end - start
    across = spots[:, 0] * wall[1] - spots[:, 1] * wall[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = (start[0] * wall[1] - start[1] * wall[0]) / across
        along = (start[0] * spots[:, 1] - start[1] * spots[:, 0]) / across
    return np.asarray((share > 0) & (share < 1) & (along >= -1e-9) & (along <= 1 + 1e-9))


def _find_runs(found: Mask) -> list[tuple[int, int]]:
    """First and last index of each run of True that is at least 0.3 m long; gaps of up to 3 samples are closed."""
    places = np.flatnonzero(found)
    if not places.size:
        return []
    apart = np.flatnonzero(np.diff(places) > 4)
    firsts, lasts = places[np.r_[0, apart + 1]], places[np.r_[apart, places.size - 1]]
    return [(int(first), int(last)) for first, last in zip(firsts, lasts, strict=True) if last - first >= 6]


def find_main_floor(ground: Ground) -> MainFloor:
    """Find the main free floor: the connected part, at least MIN_OPEN_WIDTH wide, with the most area in view.

    Parameters
    ----------
    ground : Ground
        The floor as the photo shows it.

    Returns
    -------
    MainFloor
        Without cells if no free floor is MIN_OPEN_WIDTH wide.
    """
    free, seen = (each.reshape(_ACROSS.shape) for each in ground.find_free(_SPOTS, flat=True))
    clearance = _measure_distances(np.asarray(free, np.bool_))
    parts = np.asarray(cv2.connectedComponents((clearance >= MIN_OPEN_WIDTH / 2).astype(np.uint8))[1])
    areas = np.bincount(parts[seen & (parts > 0)], minlength=1)
    if not areas.any():
        return MainFloor(np.zeros(free.shape, np.bool_), 0.0, 0.0)
    core = parts == int(areas.argmax())
    cells = np.asarray(free & (_measure_distances(~core) <= MIN_OPEN_WIDTH / 2 + CELL), np.bool_)
    return MainFloor(
        cells, float(np.count_nonzero(cells & seen)) * CELL**2, 2 * float(clearance[core & seen].max())
    )


def _measure_distances(cells: Mask) -> np.ndarray:
    """Meters from each True cell to the nearest False cell; everything beyond the grid counts as True."""
    return cv2.distanceTransform(cells.astype(np.uint8), cv2.DIST_L2, 5) * CELL
