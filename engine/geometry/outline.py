"""The upright walls of a room: which of many planes along its main directions agree with the surfaces in view.

Lengths are in heights of the camera over the floor.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Camera
from engine.geometry.columns import EVIDENCE, Columns
from engine.geometry.segments import LineSegments, Numbers

LEFT, BACK, RIGHT = -1, 0, 1
NEAREST, FARTHEST, OFFSETS = 0.25, 14.0, 34
CEILINGS: Numbers = np.exp(np.linspace(np.log(1.2), np.log(3.4), 16))
CORNER, EDGE, NEVER = 1.5, 6.0, 1e6
"""What a corner between two walls costs, and an edge behind which the room goes on."""
MEETS = 0.06
"""How far apart, as a logarithm, two walls may be where they meet: lines are some way apart."""
FINER = ((0.115, 13, 0.07, 7), (0.02, 9, 0.02, 7))
"""For each pass: the range around each wall's distance, as a logarithm, its steps, and both for the ceiling."""
LEAST_LINES = 2


@dataclass(frozen=True, slots=True)
class Stretch:
    """A wall between two azimuths; `side` is LEFT (x = -offset), BACK (y = offset) or RIGHT (x = offset)."""

    side: int
    offset: float
    first: float
    last: float

    def distance(self, azimuths: Numbers) -> Numbers:
        """How far away the wall's plane is at azimuths.

        Parameters
        ----------
        azimuths : (A,) ndarray of float64
            In radians, from the room's y to its x.

        Returns
        -------
        (A,) ndarray of float64
            Level distances in heights of the camera; infinite where the plane is not in front of the camera.
        """
        return np.asarray(_distances(np.array([self.side]), np.array([self.offset]), azimuths)[0])


@dataclass(frozen=True, slots=True)
class Outline:
    """Walls from left to right, the ceiling's height, and `fit`: the evidence, by the most that could be, 0-1."""

    stretches: tuple[Stretch, ...]
    ceiling: float
    fit: float


def find_outline(columns: Columns) -> Outline:
    """The likeliest walls and ceiling.

    For each upright line of the picture one plane is chosen, all lines together by dynamic programming (after
    [1]_), for every likely height of the ceiling; then again in finer steps.

    Parameters
    ----------
    columns : Columns
        The evidence of the surfaces along upright lines.

    Returns
    -------
    Outline
        The walls and the ceiling's height, in heights of the camera.

    References
    ----------
    .. [1] Flint, Murray, Reid, "Manhattan Scene Understanding", 2011.
    """
    offsets = np.tile(np.exp(np.linspace(np.log(NEAREST), np.log(FARTHEST), OFFSETS)), 3)
    sides = np.repeat([LEFT, BACK, RIGHT], OFFSETS)
    chosen, ceiling, _ = _best(columns, sides, offsets, np.arange(len(sides)), CEILINGS)
    for spread, steps, high, highs in FINER:
        few = np.unique(chosen)
        groups = np.repeat(np.arange(len(few)), steps)
        sides, offsets = np.repeat(sides[few], steps), np.repeat(offsets[few], steps)
        offsets = offsets * np.exp(np.tile(np.linspace(-spread, spread, steps), len(few)))
        ceilings = ceiling * np.exp(np.linspace(-high, high, highs))
        chosen, ceiling, _ = _best(columns, sides, offsets, groups, ceilings)
    walls = _stretches(columns, sides, offsets, chosen)
    return Outline(walls, ceiling, score_outline(columns, walls, ceiling))


def score_outline(columns: Columns, walls: tuple[Stretch, ...], ceiling: float) -> float:
    """How well the surfaces agree with an outline.

    Parameters
    ----------
    columns : Columns
        The evidence of the surfaces along upright lines.
    walls : tuple of Stretch
        The walls from left to right.
    ceiling : float
        Height of the ceiling over the floor, in heights of the camera.

    Returns
    -------
    float
        0-1; 1 where every sample's likeliest region is the outline's, and without walls.
    """
    got = most = 0.0
    for wall in walls:
        inside = (columns.azimuths >= wall.first) & (columns.azimuths <= wall.last)
        scores = _scores(columns, wall.distance(columns.azimuths)[None], np.array([ceiling]))[0, 0]
        got += float(scores[inside].sum())
        best = np.diff(columns.below, axis=1, prepend=0).max(-1).sum(1)
        most += float(best[inside].sum())
    return float(np.exp((got - most) / max(_measure_visible(columns), 1e-6) * 4))


def _measure_visible(columns: Columns) -> float:
    """How much of the lines is in the picture, in the unit of evidence for e-fold likelihood."""
    step = np.diff(columns.below, axis=1, prepend=0)
    return float((step != 0).any(-1).sum() * np.abs(columns.step) * 180 / np.pi * EVIDENCE)


def _distances(sides: NDArray[np.int64], offsets: Numbers, azimuths: Numbers) -> Numbers:
    """Planes x azimuths: how far off planes are, infinite where they are not before the camera."""
    sine, cosine = np.sin(azimuths), np.cos(azimuths)
    reach = np.where((sides == BACK)[:, None], cosine, sides[:, None] * sine)
    return np.where(reach > 0.02, offsets[:, None] / np.maximum(reach, 0.02), np.inf)


def _scores(columns: Columns, distances: Numbers, ceilings: Numbers) -> Numbers:
    """Ceilings x planes x azimuths: the evidence for the floor up to a wall's foot, the wall, the ceiling above."""
    foot = -np.arctan(1 / np.maximum(distances, 1e-3))
    top = np.arctan((ceilings[:, None, None] - 1) / np.maximum(distances, 1e-3))
    lower = columns.up_to(foot, 0) - columns.up_to(foot, 1)
    upper = columns.up_to(top, 1) + columns.all_of(2) - columns.up_to(top, 2)
    return np.where(np.isfinite(distances), lower + upper, -NEVER)


def _best(
    columns: Columns, sides: NDArray[np.int64], offsets: Numbers, groups: NDArray[np.int64], ceilings: Numbers
) -> tuple[NDArray[np.int64], float, float]:
    """The plane of each line, the ceiling and the score; planes of one group never stand beside each other."""
    distances = _distances(sides, offsets, columns.azimuths)
    scores = _scores(columns, distances, ceilings)
    logs = np.log(np.where(np.isfinite(distances), distances, 1e9))
    apart = groups[:, None] == groups[None, :]
    same = np.eye(len(groups), dtype=bool)
    total, came = scores[..., 0], []
    for line in range(1, len(columns.azimuths)):
        gap = np.minimum(
            np.abs(logs[:, None, line] - logs[None, :, line]),
            np.abs(logs[:, None, line - 1] - logs[None, :, line - 1]),
        )
        crossing = (logs[:, None, line] - logs[None, :, line]) * (
            logs[:, None, line - 1] - logs[None, :, line - 1]
        ) <= 0
        price = np.where((gap < MEETS) | crossing, CORNER, EDGE)
        price = np.where(sides[:, None] == sides[None, :], EDGE, price)
        price = np.where(apart, NEVER, price)
        price[same] = 0
        moved = total[:, :, None] - price[None]
        before = moved.argmax(1)
        came.append(before)
        total = np.take_along_axis(moved, before[:, None], 1)[:, 0] + scores[..., line]
    high = int(total.max(1).argmax())
    return _path(total[high], [each[high] for each in came]), float(ceilings[high]), float(total[high].max())


def _path(total: Numbers, came: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    chosen = [int(total.argmax())]
    for before in reversed(came):
        chosen.append(int(before[chosen[-1]]))
    return np.array(chosen[::-1])


def _stretches(
    columns: Columns, sides: NDArray[np.int64], offsets: Numbers, chosen: NDArray[np.int64]
) -> tuple[Stretch, ...]:
    """The lines of one plane after another as walls; what only one line sees is none."""
    half = float(columns.azimuths[1] - columns.azimuths[0]) / 2
    starts = [0, *(np.flatnonzero(np.diff(chosen)) + 1), len(chosen)]
    found = []
    for first, end in pairwise(starts):
        if end - first >= LEAST_LINES:
            plane = int(chosen[first])
            left, right = float(columns.azimuths[first]) - half, float(columns.azimuths[end - 1]) + half
            found.append(Stretch(int(sides[plane]), float(offsets[plane]), left, right))
    return tuple(found)


NEAR = np.radians(0.9)
"""About how far off in elevation a wall's foot from the surfaces may be."""
KERNEL = np.radians(0.12)
ALONG = np.radians(1.5)
LEAST_VOTES = 0.25
"""Radians of azimuth along which edges must lie to be believed fully."""


def snap_outline(outline: Outline, columns: Columns, camera: Camera, segments: LineSegments) -> Outline:
    """The outline with its walls moved to the edges along their feet.

    Parameters
    ----------
    outline : Outline
        The walls and the ceiling; the ceiling stays, and so does a wall with no edge near its foot.
    columns : Columns
        The evidence of the surfaces along upright lines, for the new `fit`.
    camera : Camera
        The camera that took the picture, one unit over the floor.
    segments : LineSegments
        The straight edges of the picture.

    Returns
    -------
    Outline
        The outline with its walls at the edges.
    """
    feet = [_edges(wall, camera, segments) for wall in outline.stretches]
    walls = tuple(_shift_wall(wall, *each) for wall, each in zip(outline.stretches, feet, strict=True))
    return Outline(walls, outline.ceiling, score_outline(columns, walls, outline.ceiling))


def _edges(wall: Stretch, camera: Camera, segments: LineSegments) -> tuple[Numbers, Numbers]:
    """Offsets at which edges along the wall would lie on the floor, and the azimuths they cover."""
    ends = segments.ends.reshape(-1, 2)
    rays = camera.rays(ends)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = -1 / rays[:, 2]
    spots = (rays[:, :2] * reach[:, None]).reshape(-1, 2, 2)
    before = (reach.reshape(-1, 2) > 0).all(1) & np.isfinite(spots).all((1, 2))
    axis = 1 if wall.side == BACK else 0
    sign = 1.0 if wall.side == BACK else float(wall.side)
    offsets = sign * spots[:, :, axis]
    sides = np.arctan2(spots[:, :, 0], spots[:, :, 1])
    cover = np.minimum(sides.max(1), wall.last + 0.02) - np.maximum(sides.min(1), wall.first - 0.02)
    middles = offsets.mean(1)
    distance = np.maximum(wall.distance(sides.mean(1)), 0.05)
    # Both ends at one offset, as far as elevations tell.
    tilt = np.abs(np.arctan(distance * middles / wall.offset) - np.arctan(distance * offsets[:, 0] / wall.offset))
    good = before & (cover > 0) & (middles > 0) & (tilt < NEAR)
    return middles[good], np.maximum(cover[good], 0)


def _shift_wall(wall: Stretch, offsets: Numbers, cover: Numbers) -> Stretch:
    if not len(offsets):
        return wall
    middle = float(wall.distance(np.array([(wall.first + wall.last) / 2]))[0])
    lean = np.arctan(wall.offset / (offsets * middle)) - np.arctan(1 / middle)
    votes = cover * np.exp(-((lean / NEAR) ** 2) / 2)
    tried = np.linspace(-2 * NEAR, 2 * NEAR, 121)
    heap = np.exp(-(((tried[:, None] - lean[None]) / KERNEL) ** 2) / 2) @ votes
    best = int(heap.argmax())
    if heap[best] < LEAST_VOTES * (wall.last - wall.first):
        return wall
    elevation = np.arctan(1 / middle) + tried[best]
    return replace(wall, offset=float(wall.offset / (middle * np.tan(elevation))))
