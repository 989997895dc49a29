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
"""Meters: the side of the squares whose mean colors are the samples of the light."""
FOOT, HEAD = 0.22, 0.2
"""Meters of a wall above the floor and below the ceiling that may be skirting or molding."""
ROW_CELLS = 6
FEW, TOLD = 0.1, (0.3, 1.0)
"""Shares of what is wanted of a row that must be seen of it: at the foot; above, to count at all, and fully."""
SKIRTING = 0.06, 0.15
"""Logarithms from which on what differs at a wall's foot is skirting, and is so surely."""
LIGHT_APART = 0.3
"""Logarithms by which light alone makes walls of one room differ."""
ABOVE = 0.25
DARK, BEYOND = 0.4, 0.03
"""The light behind things may be by BEYOND (logarithms) darker than this share of what is seen, or lighter
than nearly all: what stands in a room darkens what is around it."""
SHY, SHY_TRUST = 0.6, 0.03
"""Meters from things within which their shadows lie, and how far the light there is believed."""


def _corners(rectified: RectifiedPlane, room: Room, columns: Points, rows: Points) -> Points:
    """Meters from these cells to the edges of their face, kind by kind."""
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

    `up` (N) is their height in meters, `values` (N, 3) the difference in logarithms, `count` (N) the cells that it
    was measured on; `base` (3 logarithms) is the mean of the wall's light at its foot.
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
            Logarithms to add to the light; 0 beyond the rows of which enough is seen.
        """
        enough = self.count > ROW_CELLS
        if not enough.any():
            return np.zeros((len(up), 3), np.float32)
        each = [np.interp(up, self.up[enough], self.values[enough, channel], 0, 0) for channel in range(3)]
        return plane(np.column_stack(each))


def find_wall_color(walls: Iterable[FaceView]) -> Plane | None:
    """The median color of what is seen of the walls.

    Parameters
    ----------
    walls : Iterable of FaceView
        The walls of one room.

    Returns
    -------
    (3,) ndarray of float32 or None
        Logarithms of the color; None where nothing is seen.
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
        The room, its camera that of the picture.
    foot : FootProfile or None
        The profile of another wall, for a wall whose own foot is hardly seen; None: no other is known.
    usual : (3,) ndarray of float32, optional
        The color, in logarithms, of a face of which too little is seen.

    Returns
    -------
    (h, w, 3) ndarray of float32 or None
        Logarithms of colors; None where too little is seen and no `usual` color is given.
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
        The room, its camera that of the picture.

    Returns
    -------
    FootProfile or None
        None where too little is seen to fit the wall's light.
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
    # Light has no finer forms than this.
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
    """The middle value of each row of the wall; of the rows at its foot, against the wall right above."""
    up, known = seen.rectified.up, seen.known
    rest = plane(seen.values - light)
    count = known.sum(1)
    values = np.zeros((len(count), 3), np.float32)
    over = np.asarray((up > FOOT) & (up < FOOT + ABOVE))
    base, has_base = _column_means(rest[over], known[over])
    for row in np.flatnonzero(count > ROW_CELLS):
        here = known[row] & has_base if up[row] <= FOOT else known[row]
        if np.count_nonzero(here) <= ROW_CELLS:
            count[row] = 0
            continue
        apart = rest[row, here] - base[here] if up[row] <= FOOT else rest[row, here]
        values[row] = np.median(apart, axis=0)
    low = up < FOOT + ABOVE
    return FootProfile(up, values, plane(count), plane((light[low] if low.any() else light).mean((0, 1))))


def _column_means(rest: Plane, known: Mask) -> tuple[Plane, Mask]:
    """Width x 3: the mean of each column's known cells, and which columns have enough of them."""
    count = known.sum(0)
    total = (rest * known[..., None]).sum(0)
    return plane(total / np.maximum(count, 1)[:, None]), np.asarray(count > max(2, 0.4 * len(known)))


def _add_foot(own: FootProfile, seen: FaceView, foot: FootProfile | None) -> Plane:
    up, wanted = seen.rectified.up, seen.wanted.sum(1)
    values = own.at(up)
    high = up >= FOOT + 0.1
    # A few cells, such as those between two things, say little of a whole wall.
    weight = (own.count / np.maximum(wanted, 1) - TOLD[0]) / (TOLD[1] - TOLD[0])
    values[high] *= np.clip(weight, 0, 1)[high, None]
    # A few cells at the edge of the picture say less than another wall of the room.
    strange = ~high & ((own.count <= ROW_CELLS) | (own.count < FEW * wanted))
    values[strange] = 0 if foot is None else _borrow_foot(foot, own, up)[strange]
    return values


def _borrow_foot(foot: FootProfile, own: FootProfile, up: Plane) -> Plane:
    """Another wall's foot on this wall: of the same color, where the walls are of others than light explains."""
    values = foot.at(up)
    apart = foot.base - own.base
    painted = np.sign(apart) * np.maximum(np.abs(apart) - LIGHT_APART, 0)
    # What differs little is that wall's light; skirting is no brighter than where it is seen.
    share = smoothstep(plane(np.abs(values).max(1)), *SKIRTING)[:, None]
    most = np.maximum(values + apart, 0)
    return plane(np.minimum((values + painted) * share, most))
