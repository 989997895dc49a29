"""The base layer of a face: its smooth light and, of a wall, its vertical profile."""

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.geometry.camera import Points
from engine.geometry.rectified_plane import RectifiedPlane
from engine.geometry.room import Room
from engine.geometry.surface import Surface
from engine.inpainting.face_view import FaceView
from engine.inpainting.light import LEAST_SAMPLES, Samples, compute_cell_means, fit_light

SAMPLE = 0.12
"""Side, in meters, of the squares whose mean colors are the samples of the light."""
FOOT = 0.22
"""Meters of a wall above the floor that may be skirting."""
HEAD = 0.2
"""Meters of a wall below the ceiling that may be molding."""
ROW_CELLS = 6
"""Most known cells of a row that is too little known to be used."""
FEW = 0.1
"""Least number of known cells in a row at the foot, per cell to be filled; else another wall's foot is used."""
TOLD = (0.3, 1.0)
"""Known cells in a row above the foot, per cell to be filled there: up to the first value the row does not count,
from the second on it counts fully.
"""
SKIRTING = 0.06, 0.15
"""Difference of a wall's foot from the wall (logarithms): up to the first value it is not skirting, from the second
on it certainly is.
"""
LIGHT_APART = 0.3
"""Most difference (logarithms) of two walls of one room that light alone can explain."""
ABOVE = 0.25
"""Meters of the wall above its foot with which the foot is compared."""
DARK = 0.4
"""Quantile of the visible light that is the darkest light assumed behind things, which darken what is around them;
the lightest is the quantile 1 - DARK / 10.
"""
BEYOND = 0.03
"""Logarithms by which the light behind things may be beyond these two quantiles."""
SHY = 0.6
"""Meters around things within which their shadows lie."""
SHY_TRUST = 0.03
"""Least trust in the light within these shadows, 0-1."""


def _corners(rectified: RectifiedPlane, room: Room, columns: Points, rows: Points) -> Points:
    """Distances in meters from cells to the edges of their face, one column for each kind of edge."""
    face = rectified.face
    across, up = rectified.left + columns * rectified.cell, rectified.low + rows * rectified.cell
    if face.surface is Surface.WALL:
        top = 50.0 if room.ceiling is None else room.ceiling
        sides = np.minimum(across - max(face.low, -50), min(face.high, 50) - across)
        return np.asarray(np.maximum(np.column_stack([up, top - up, sides]), 0), dtype=np.float64)
    apart = [np.full(len(across), 50.0)]
    for wall in room.walls:
        normal = wall.inward
        points = np.column_stack([across, up])
        apart.append(np.abs(points @ normal[:2] - wall.distance))
    return np.asarray(np.min(apart, axis=0)[:, None])


@dataclass(frozen=True, slots=True)
class FootProfile:
    """The vertical profile of a wall: how its rows, from the foot up, differ from the wall's light.

    `up` (N) is the height of each row in meters, `values` (N, 3) its difference in logarithms, `count` (N) the
    number of cells on which it was measured. `base` (3 logarithms) is the mean of the wall's light at its foot.
    """

    up: Plane
    values: Plane
    count: Plane
    base: Plane

    @property
    def feet(self) -> float:
        """How many cells of the wall's foot are seen."""
        return float(self.count[self.up < FOOT].sum())

    def at(self, up: Plane) -> Plane:
        """The profile at some heights, interpolated linearly.

        Parameters
        ----------
        up : (N,) ndarray of float32
            Heights over the floor, in meters.

        Returns
        -------
        (N, 3) ndarray of float32
            Logarithms to add to the light; 0 beyond the rows with enough known cells.
        """
        enough = self.count > ROW_CELLS
        if not enough.any():
            return np.zeros((len(up), 3), np.float32)
        each = [np.interp(up, self.up[enough], self.values[enough, channel], 0, 0) for channel in range(3)]
        return plane(np.column_stack(each))


def find_wall_color(walls: Iterable[FaceView]) -> Plane | None:
    """The median color of the visible parts of the walls.

    Parameters
    ----------
    walls : Iterable of FaceView
        The walls of one room.

    Returns
    -------
    (3,) ndarray of float32 or None
        Logarithms of the color; None if nothing is seen.
    """
    seen = [each.values[each.known][:: max(1, np.count_nonzero(each.known) // 2000)] for each in walls]
    every = np.vstack(seen) if seen else np.zeros((0, 3), np.float32)
    return plane(np.median(every, axis=0)) if len(every) else None


def fit_base_layer(
    seen: FaceView, room: Room, foot: FootProfile | None, usual: Plane | None = None
) -> Plane | None:
    """Fit the light of a face and, of a wall, its vertical profile, and evaluate them at every cell.

    Parameters
    ----------
    seen : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.
    foot : FootProfile or None
        The profile of another wall, for a wall whose own foot is hardly seen; None if no other profile is known.
    usual : (3,) ndarray of float32, optional
        The color, in logarithms, to assume for a face if too little of it is seen.

    Returns
    -------
    (h, w, 3) ndarray of float32 or None
        Logarithms of colors; None if too little is seen and no `usual` color is given.
    """
    profile = np.zeros((seen.rectified.shape[0], 3), np.float32)
    light = None
    for _ in range(3 if seen.rectified.face.surface is Surface.WALL else 1):
        light = _light(plane(seen.values - profile[:, None]), seen, room)
        if light is None and usual is not None:
            light = plane(np.broadcast_to(usual, seen.values.shape))
        if light is None:
            return None
        if seen.rectified.face.surface is Surface.WALL:
            profile = _add_foot(_profile(seen, light), seen, foot)
    return None if light is None else plane(light + profile[:, None])


def find_foot_profile(seen: FaceView, room: Room) -> FootProfile | None:
    """The vertical profile of a wall, as far as it is seen.

    Parameters
    ----------
    seen : FaceView
        The wall.
    room : Room
        The room, with the camera of the picture.

    Returns
    -------
    FootProfile or None
        None if too little is seen to fit the wall's light.
    """
    light = _light(seen.values, seen, room)
    if light is None:
        return None
    return _profile(seen, light)


def _light(values: Plane, seen: FaceView, room: Room) -> Plane | None:
    rectified = seen.rectified
    known = seen.known.copy()
    if rectified.face.surface is Surface.WALL:
        known[rectified.up < FOOT] = False
        if room.ceiling is not None:
            known[rectified.up > room.ceiling - HEAD] = False
    side = max(2, round(SAMPLE / rectified.cell))
    side = max(side, round(np.sqrt(np.count_nonzero(known) / 800)))
    middles, means, shares = compute_cell_means(values, np.asarray(known), side)
    if len(middles) < LEAST_SAMPLES:
        return None
    away = cv2.distanceTransform((~seen.wanted).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    near = away[middles[:, 1].astype(int), middles[:, 0].astype(int)]
    shares = shares * np.maximum(np.clip(near / SHY, 0, 1) ** 2, SHY_TRUST)
    places = np.array([rectified.left, rectified.low]) + middles * rectified.cell
    light = fit_light(Samples(places, _corners(rectified, room, *middles.T), means, shares))
    # Light is evaluated at every fourth cell: it has no finer detail.
    rows = np.arange(0, rectified.shape[0] + 4, 4, dtype=float) + 0.5
    columns = np.arange(0, rectified.shape[1] + 4, 4, dtype=float) + 0.5
    across, down = np.meshgrid(columns, rows)
    grid = (
        np.array([rectified.left, rectified.low]) + np.column_stack([across.ravel(), down.ravel()]) * rectified.cell
    )
    found = light.at(grid, _corners(rectified, room, across.ravel(), down.ravel()))
    low, high = np.quantile(means, (DARK, 1 - DARK / 10), axis=0) + np.array([[-BEYOND], [BEYOND]])
    coarse = plane(np.clip(found, low, high).reshape(len(rows), len(columns), 3))
    matrix = np.array([[4.0, 0, 0], [0, 4.0, 0]])
    size = (rectified.shape[1], rectified.shape[0])
    return plane(cv2.warpAffine(coarse, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _profile(seen: FaceView, light: Plane) -> FootProfile:
    """The median of each row of the wall; rows at the foot are measured relative to the wall right above."""
    up, known = seen.rectified.up, seen.known
    rest = plane(seen.values - light)
    count = known.sum(1)
    values = np.zeros((len(count), 3), np.float32)
    over = np.asarray((up > FOOT) & (up < FOOT + ABOVE))
    base, has_base = _column_means(rest[over], known[over])
    for row in np.flatnonzero(count > ROW_CELLS):
        used = known[row] & has_base if up[row] <= FOOT else known[row]
        if np.count_nonzero(used) <= ROW_CELLS:
            count[row] = 0
            continue
        difference = rest[row, used] - base[used] if up[row] <= FOOT else rest[row, used]
        values[row] = np.median(difference, axis=0)
    low = up < FOOT + ABOVE
    return FootProfile(up, values, plane(count), plane((light[low] if low.any() else light).mean((0, 1))))


def _column_means(rest: Plane, known: Mask) -> tuple[Plane, Mask]:
    """The mean of each column's known cells (width x 3), and whether each column has enough known cells."""
    count = known.sum(0)
    total = (rest * known[..., None]).sum(0)
    return plane(total / np.maximum(count, 1)[:, None]), np.asarray(count > max(2, 0.4 * len(known)))


def _add_foot(own: FootProfile, seen: FaceView, foot: FootProfile | None) -> Plane:
    """The wall's own profile, with another wall's foot where hardly anything of its own foot is seen."""
    up, wanted = seen.rectified.up, seen.wanted.sum(1)
    values = own.at(up)
    high = up >= FOOT + 0.1
    # A few cells, such as cells between two things, say little about a whole wall.
    weight = (own.count / np.maximum(wanted, 1) - TOLD[0]) / (TOLD[1] - TOLD[0])
    values[high] *= np.clip(weight, 0, 1)[high, None]
    # A few cells at the edge of the picture say less than another wall of the room.
    hardly_seen = ~high & ((own.count <= ROW_CELLS) | (own.count < FEW * wanted))
    values[hardly_seen] = 0 if foot is None else _borrow_foot(foot, own, up)[hardly_seen]
    return values


def _borrow_foot(foot: FootProfile, own: FootProfile, up: Plane) -> Plane:
    """Another wall's foot on this wall; it keeps its color where the walls differ more than light explains."""
    values = foot.at(up)
    apart = foot.base - own.base
    painted = np.sign(apart) * np.maximum(np.abs(apart) - LIGHT_APART, 0)
    # Small differences are the other wall's light. Skirting is no brighter here than on the other wall.
    share = smoothstep(plane(np.abs(values).max(1)), *SKIRTING)[:, None]
    most = np.maximum(values + apart, 0)
    return plane(np.minimum((values + painted) * share, most))
