"""Fits the base layer of a face: smooth light and, for a wall, a vertical profile such as skirting."""

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
from engine.inpainting.light import MIN_SAMPLES, Samples, compute_cell_means, fit_light

SAMPLE_SIDE = 0.12
"""Side, in meters, of the squares whose mean colors are the samples of the light."""
FOOT_HEIGHT = 0.22
"""Height above the floor, in meters, up to which a wall may have skirting."""
HEAD_HEIGHT = 0.2
"""Distance below the ceiling, in meters, within which a wall may have molding."""
TOO_FEW_CELLS = 6
"""A row with this many known cells or fewer is not used."""
MIN_FOOT_KNOWN = 0.1
"""Minimum number of known cells in a row at the foot, per cell to be filled: with fewer, another wall's foot is
used.
"""
ROW_WEIGHT = (0.3, 1.0)
"""Known cells in a row above the foot, per cell to be filled there: up to the first value the row has weight 0,
from the second on weight 1.
"""
SKIRTING_CONTRAST = 0.06, 0.15
"""Difference between a wall's foot and the wall (logarithms): up to the first value the foot is not skirting, from
the second on it certainly is.
"""
MAX_LIGHT_DIFFERENCE = 0.3
"""Maximum difference (logarithms) between two walls of one room that light alone can explain."""
ABOVE_FOOT = 0.25
"""Height, in meters, of the strip right above the foot with which the foot is compared."""
DARK_QUANTILE = 0.4
"""Quantile of the visible light that limits how dark the light behind things may be: things cast shadows around
them. The quantile 1 - DARK_QUANTILE / 10 limits how bright it may be.
"""
QUANTILE_MARGIN = 0.03
"""Logarithms by which the light behind things may exceed these two limits."""
SHADOW_REACH = 0.6
"""Distance from things, in meters, within which their shadows lie."""
MIN_SHADOW_TRUST = 0.03
"""Minimum trust in samples of light within these shadows, 0-1."""


def _measure_edge_distances(rectified: RectifiedPlane, room: Room, columns: Points, rows: Points) -> Points:
    """Distances, in meters, from cells to the edges of their face: one column for each kind of edge.

    50 meters stand for an edge that the face does not have.
    """
    face = rectified.face
    across, up = rectified.left + columns * rectified.cell, rectified.low + rows * rectified.cell
    if face.surface is Surface.WALL:
        top = 50.0 if room.ceiling is None else room.ceiling
        sides = np.minimum(across - max(face.low, -50), min(face.high, 50) - across)
        return np.asarray(np.maximum(np.column_stack([up, top - up, sides]), 0), dtype=np.float64)
    distances = [np.full(len(across), 50.0)]
    for wall in room.walls:
        normal = wall.inward
        points = np.column_stack([across, up])
        distances.append(np.abs(points @ normal[:2] - wall.distance))
    return np.asarray(np.min(distances, axis=0)[:, None])


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
    def foot_cells(self) -> float:
        """The number of cells in which the wall's foot is visible."""
        return float(self.count[self.up < FOOT_HEIGHT].sum())

    def at(self, up: Plane) -> Plane:
        """Evaluate the profile at some heights, interpolated linearly.

        Parameters
        ----------
        up : (N,) ndarray of float32
            Heights over the floor, in meters.

        Returns
        -------
        (N, 3) ndarray of float32
            Logarithms to add to the light; 0 beyond the rows with enough known cells.
        """
        enough = self.count > TOO_FEW_CELLS
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
        Logarithms of the color; None if no part of the walls is visible.
    """
    visible = [each.values[each.known][:: max(1, np.count_nonzero(each.known) // 2000)] for each in walls]
    every = np.vstack(visible) if visible else np.zeros((0, 3), np.float32)
    return plane(np.median(every, axis=0)) if len(every) else None


def fit_base_layer(
    view: FaceView, room: Room, other_foot: FootProfile | None, wall_color: Plane | None = None
) -> Plane | None:
    """Fit the light of a face and, of a wall, its vertical profile, and evaluate them at every cell.

    Parameters
    ----------
    view : FaceView
        The face.
    room : Room
        The room, with the camera of the picture.
    other_foot : FootProfile or None
        The profile of another wall, used where this wall's own foot is hardly visible; None if there is none.
    wall_color : (3,) ndarray of float32, optional
        The color, in logarithms, to assume for a face if too little of it is visible.

    Returns
    -------
    (h, w, 3) ndarray of float32 or None
        Logarithms of colors; None if too little is visible and no `wall_color` is given.
    """
    profile = np.zeros((view.rectified.shape[0], 3), np.float32)
    light = None
    for _ in range(3 if view.rectified.face.surface is Surface.WALL else 1):
        light = _fit_visible_light(plane(view.values - profile[:, None]), view, room)
        if light is None and wall_color is not None:
            light = plane(np.broadcast_to(wall_color, view.values.shape))
        if light is None:
            return None
        if view.rectified.face.surface is Surface.WALL:
            profile = _add_foot(_measure_profile(view, light), view, other_foot)
    return None if light is None else plane(light + profile[:, None])


def find_foot_profile(view: FaceView, room: Room) -> FootProfile | None:
    """The vertical profile of the visible part of a wall.

    Parameters
    ----------
    view : FaceView
        The wall.
    room : Room
        The room, with the camera of the picture.

    Returns
    -------
    FootProfile or None
        None if too little is visible to fit the wall's light.
    """
    light = _fit_visible_light(view.values, view, room)
    if light is None:
        return None
    return _measure_profile(view, light)


def _fit_visible_light(values: Plane, view: FaceView, room: Room) -> Plane | None:
    rectified = view.rectified
    known = view.known.copy()
    if rectified.face.surface is Surface.WALL:
        known[rectified.up < FOOT_HEIGHT] = False
        if room.ceiling is not None:
            known[rectified.up > room.ceiling - HEAD_HEIGHT] = False
    side = max(2, round(SAMPLE_SIDE / rectified.cell))
    side = max(side, round(np.sqrt(np.count_nonzero(known) / 800)))
    middles, means, shares = compute_cell_means(values, np.asarray(known), side)
    if len(middles) < MIN_SAMPLES:
        return None
    distance = cv2.distanceTransform((~view.to_fill).astype(np.uint8), cv2.DIST_L2, 5) * np.float32(rectified.cell)
    sample_distance = distance[middles[:, 1].astype(int), middles[:, 0].astype(int)]
    shares = shares * np.maximum(np.clip(sample_distance / SHADOW_REACH, 0, 1) ** 2, MIN_SHADOW_TRUST)
    places = np.array([rectified.left, rectified.low]) + middles * rectified.cell
    light = fit_light(Samples(places, _measure_edge_distances(rectified, room, *middles.T), means, shares))
    # Light is evaluated at every fourth cell: it has no finer detail.
    rows = np.arange(0, rectified.shape[0] + 4, 4, dtype=float) + 0.5
    columns = np.arange(0, rectified.shape[1] + 4, 4, dtype=float) + 0.5
    across, down = np.meshgrid(columns, rows)
    grid = (
        np.array([rectified.left, rectified.low]) + np.column_stack([across.ravel(), down.ravel()]) * rectified.cell
    )
    found = light.at(grid, _measure_edge_distances(rectified, room, across.ravel(), down.ravel()))
    low, high = np.quantile(means, (DARK_QUANTILE, 1 - DARK_QUANTILE / 10), axis=0) + np.array(
        [[-QUANTILE_MARGIN], [QUANTILE_MARGIN]]
    )
    coarse = plane(np.clip(found, low, high).reshape(len(rows), len(columns), 3))
    matrix = np.array([[4.0, 0, 0], [0, 4.0, 0]])
    size = (rectified.shape[1], rectified.shape[0])
    return plane(cv2.warpAffine(coarse, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _measure_profile(view: FaceView, light: Plane) -> FootProfile:
    """The median of each row of the wall, minus the light; at the foot also minus the wall right above it."""
    up, known = view.rectified.up, view.known
    residual = plane(view.values - light)
    count = known.sum(1)
    values = np.zeros((len(count), 3), np.float32)
    above_foot = np.asarray((up > FOOT_HEIGHT) & (up < FOOT_HEIGHT + ABOVE_FOOT))
    base, has_base = _compute_column_means(residual[above_foot], known[above_foot])
    for row in np.flatnonzero(count > TOO_FEW_CELLS):
        used = known[row] & has_base if up[row] <= FOOT_HEIGHT else known[row]
        if np.count_nonzero(used) <= TOO_FEW_CELLS:
            count[row] = 0
            continue
        difference = residual[row, used] - base[used] if up[row] <= FOOT_HEIGHT else residual[row, used]
        values[row] = np.median(difference, axis=0)
    low = up < FOOT_HEIGHT + ABOVE_FOOT
    return FootProfile(up, values, plane(count), plane((light[low] if low.any() else light).mean((0, 1))))


def _compute_column_means(residual: Plane, known: Mask) -> tuple[Plane, Mask]:
    """The mean of each column's known cells (width x 3), and whether each column has enough known cells."""
    count = known.sum(0)
    total = (residual * known[..., None]).sum(0)
    return plane(total / np.maximum(count, 1)[:, None]), np.asarray(count > max(2, 0.4 * len(known)))


def _add_foot(own: FootProfile, view: FaceView, other_foot: FootProfile | None) -> Plane:
    """The wall's own profile, with another wall's foot where its own foot is hardly visible."""
    up, to_fill = view.rectified.up, view.to_fill.sum(1)
    values = own.at(up)
    high = up >= FOOT_HEIGHT + 0.1
    # A few known cells, for example between two things, say little about a whole wall.
    weight = (own.count / np.maximum(to_fill, 1) - ROW_WEIGHT[0]) / (ROW_WEIGHT[1] - ROW_WEIGHT[0])
    values[high] *= np.clip(weight, 0, 1)[high, None]
    # A few known cells, for example at the picture's edge, say less about the foot than another wall does.
    hardly_seen = ~high & ((own.count <= TOO_FEW_CELLS) | (own.count < MIN_FOOT_KNOWN * to_fill))
    values[hardly_seen] = 0 if other_foot is None else _borrow_foot(other_foot, own, up)[hardly_seen]
    return values


def _borrow_foot(other_foot: FootProfile, own: FootProfile, up: Plane) -> Plane:
    """Another wall's foot on this wall. It keeps its own color if the walls differ more than light explains."""
    values = other_foot.at(up)
    difference = other_foot.base - own.base
    paint_difference = np.sign(difference) * np.maximum(np.abs(difference) - MAX_LIGHT_DIFFERENCE, 0)
    # Small differences come from the other wall's light. Skirting is not brighter here than on the other wall.
    share = smoothstep(plane(np.abs(values).max(1)), *SKIRTING_CONTRAST)[:, None]
    upper_bound = np.maximum(values + difference, 0)
    return plane(np.minimum((values + paint_difference) * share, upper_bound))
