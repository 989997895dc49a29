"""Finds the upright walls of a room: the planes along its main directions that agree best with its surfaces.

The unit of all lengths is the camera's height over the floor.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.geometry.camera import Camera
from engine.geometry.columns import EVIDENCE, Columns
from engine.geometry.segments import LineSegments, Numbers

LEFT, BACK, RIGHT = -1, 0, 1
MIN_OFFSET, MAX_OFFSET, OFFSET_COUNT = 0.25, 14.0, 34
"""The offsets of walls that the first pass tries: their range, in camera heights, and their number."""
CEILING_HEIGHTS: Numbers = np.exp(np.linspace(np.log(1.2), np.log(3.4), 16))
"""The heights of the ceiling that the first pass tries, in camera heights."""
CORNER_COST, EDGE_COST, IMPOSSIBLE = 1.5, 6.0, 1e6
"""Costs as log likelihoods: of a corner where two walls meet, of an edge where a wall ends in front of a farther
one, and of impossible outlines.
"""
MAX_GAP = 0.06
"""Difference of two log distances up to which walls meet: the corner lies somewhere between two sampled lines."""
REFINEMENTS = ((0.115, 13, 0.07, 7), (0.02, 9, 0.02, 7))
"""For each finer pass: the range of log offsets around each wall's own, their number, and both for the ceiling."""
MIN_LINES = 2
"""Least number of sampled lines that show a wall; others are left out."""


@dataclass(frozen=True, slots=True)
class OutlineWall:
    """A wall between two azimuths, in radians.

    `side` is LEFT (x = -offset), BACK (y = offset) or RIGHT (x = offset).
    """

    side: int
    offset: float
    start_azimuth: float
    end_azimuth: float

    def distance(self, azimuths: Numbers) -> Numbers:
        """The distances of the wall's plane at azimuths.

        Parameters
        ----------
        azimuths : (A,) ndarray of float64
            In radians, from the room's y to its x.

        Returns
        -------
        (A,) ndarray of float64
            Horizontal distances in camera heights; infinite where the plane is not in front of the camera.
        """
        return np.asarray(_measure_distances(np.array([self.side]), np.array([self.offset]), azimuths)[0])


@dataclass(frozen=True, slots=True)
class Outline:
    """Walls from left to right, and the ceiling's height; `fit` (0-1) is how well the surfaces agree with them."""

    walls: tuple[OutlineWall, ...]
    ceiling: float
    fit: float


@dataclass(frozen=True, slots=True)
class WallBorders:
    """What hints say about the corners of walls: they are at these azimuths, in radians, and unlikely elsewhere.

    For each upright line, `change` is the cost, as a log likelihood, of another wall than at the previous line, and
    `stay` is the cost of the same wall.
    """

    azimuths: tuple[float, ...]
    change: Numbers
    stay: Numbers


def find_outline(columns: Columns, borders: WallBorders | None = None) -> Outline:
    """Find the likeliest walls and ceiling.

    Dynamic programming (after [1]_) chooses one plane for each upright line of the picture, all lines together, for
    every likely height of the ceiling. Further passes try offsets and heights close to those found.

    Parameters
    ----------
    columns : Columns
        The evidence of the surfaces along upright lines.
    borders : WallBorders, optional
        What hints say about the corners.

    Returns
    -------
    Outline
        The walls and the ceiling's height, in camera heights.

    References
    ----------
    .. [1] Flint, Murray, Reid, "Manhattan Scene Understanding", 2011.
    """
    offsets = np.tile(np.exp(np.linspace(np.log(MIN_OFFSET), np.log(MAX_OFFSET), OFFSET_COUNT)), 3)
    sides = np.repeat([LEFT, BACK, RIGHT], OFFSET_COUNT)
    known = WallBorders((), *np.zeros((2, len(columns.azimuths)))) if borders is None else borders
    chosen, ceiling = _choose_planes(columns, sides, offsets, np.arange(len(sides)), CEILING_HEIGHTS, known)
    for spread, steps, ceiling_spread, ceiling_steps in REFINEMENTS:
        planes = np.unique(chosen)
        groups = np.repeat(np.arange(len(planes)), steps)
        sides, offsets = np.repeat(sides[planes], steps), np.repeat(offsets[planes], steps)
        offsets = offsets * np.exp(np.tile(np.linspace(-spread, spread, steps), len(planes)))
        ceilings = ceiling * np.exp(np.linspace(-ceiling_spread, ceiling_spread, ceiling_steps))
        chosen, ceiling = _choose_planes(columns, sides, offsets, groups, ceilings, known)
    walls = _make_walls(columns, sides, offsets, chosen)
    return Outline(walls, ceiling, score_outline(columns, walls, ceiling))


def score_outline(columns: Columns, walls: tuple[OutlineWall, ...], ceiling: float) -> float:
    """Measure how well the surfaces agree with an outline.

    Parameters
    ----------
    columns : Columns
        The evidence of the surfaces along upright lines.
    walls : tuple of OutlineWall
        The walls from left to right.
    ceiling : float
        Height of the ceiling over the floor, in camera heights.

    Returns
    -------
    float
        0-1; 1 where the outline gives every sample its likeliest region, and where there are no walls.
    """
    reached = possible = 0.0
    for wall in walls:
        inside = (columns.azimuths >= wall.start_azimuth) & (columns.azimuths <= wall.end_azimuth)
        scores = _score_planes(columns, wall.distance(columns.azimuths)[None], np.array([ceiling]))[0, 0]
        reached += float(scores[inside].sum())
        best = np.diff(columns.below, axis=1, prepend=0).max(-1).sum(1)
        possible += float(best[inside].sum())
    # Missing evidence counts four times: half a log unit per degree less gives a fit of 0.14.
    return float(np.exp((reached - possible) / max(_measure_visible_evidence(columns), 1e-6) * 4))


def _measure_visible_evidence(columns: Columns) -> float:
    """The part of the lines that the picture shows, as the evidence that it gives at one log unit per degree."""
    step = np.diff(columns.below, axis=1, prepend=0)
    return float((step != 0).any(-1).sum() * np.abs(columns.step) * 180 / np.pi * EVIDENCE)


def _measure_distances(sides: NDArray[np.int64], offsets: Numbers, azimuths: Numbers) -> Numbers:
    """Planes x azimuths: the horizontal distances of planes, infinite where they are not in front of the camera."""
    sine, cosine = np.sin(azimuths), np.cos(azimuths)
    # Below 0.02, about one degree, a plane counts as parallel to the line of sight.
    slope = np.where((sides == BACK)[:, None], cosine, sides[:, None] * sine)
    return np.where(slope > 0.02, offsets[:, None] / np.maximum(slope, 0.02), np.inf)


def _score_planes(columns: Columns, distances: Numbers, ceilings: Numbers) -> Numbers:
    """Ceilings x planes x azimuths: the evidence for floor below a plane's foot, then wall, then ceiling."""
    foot = -np.arctan(1 / np.maximum(distances, 1e-3))
    top = np.arctan((ceilings[:, None, None] - 1) / np.maximum(distances, 1e-3))
    lower = columns.up_to(foot, 0) - columns.up_to(foot, 1)
    upper = columns.up_to(top, 1) + columns.all_of(2) - columns.up_to(top, 2)
    return np.where(np.isfinite(distances), lower + upper, -IMPOSSIBLE)


def _choose_planes(
    columns: Columns,
    sides: NDArray[np.int64],
    offsets: Numbers,
    groups: NDArray[np.int64],
    ceilings: Numbers,
    borders: WallBorders,
) -> tuple[NDArray[np.int64], float]:
    """The index of each line's plane, and the ceiling's height; neighboring lines never have two planes of a group.

    These are the steps of the Viterbi algorithm: `total` has the best score of each plane up to the current line.
    """
    distances = _measure_distances(sides, offsets, columns.azimuths)
    scores = _score_planes(columns, distances, ceilings)
    logs = np.log(np.where(np.isfinite(distances), distances, 1e9))
    same_group = groups[:, None] == groups[None, :]
    same_plane = np.eye(len(groups), dtype=bool)
    same_side = sides[:, None] == sides[None, :]
    total, previous = scores[..., 0], []
    before = logs[:, None, 0] - logs[None, :, 0]
    for line in range(1, len(columns.azimuths)):
        apart = logs[:, None, line] - logs[None, :, line]
        meet = (np.minimum(np.abs(apart), np.abs(before)) < MAX_GAP) | (apart * before <= 0)
        before = apart
        cost = np.where(meet & ~same_side, CORNER_COST, EDGE_COST)
        cost = np.where(same_group, IMPOSSIBLE, cost + borders.change[line])
        cost[same_plane] = borders.stay[line]
        candidates = total[:, :, None] - cost[None]
        best_before = candidates.argmax(1)
        previous.append(best_before)
        total = np.take_along_axis(candidates, best_before[:, None], 1)[:, 0] + scores[..., line]
    best = int(total.max(1).argmax())
    return _trace_choices(total[best], [each[best] for each in previous]), float(ceilings[best])


def _trace_choices(total: Numbers, previous: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The chosen plane of each line, from the last line back to the first."""
    chosen = [int(total.argmax())]
    for best_before in reversed(previous):
        chosen.append(int(best_before[chosen[-1]]))
    return np.array(chosen[::-1])


def _make_walls(
    columns: Columns, sides: NDArray[np.int64], offsets: Numbers, chosen: NDArray[np.int64]
) -> tuple[OutlineWall, ...]:
    """One wall for each run of lines with the same plane; runs of fewer than MIN_LINES lines are left out."""
    half = float(columns.azimuths[1] - columns.azimuths[0]) / 2
    starts = [0, *(np.flatnonzero(np.diff(chosen)) + 1), len(chosen)]
    found = []
    for first, end in pairwise(starts):
        if end - first >= MIN_LINES:
            plane = int(chosen[first])
            left, right = float(columns.azimuths[first]) - half, float(columns.azimuths[end - 1]) + half
            found.append(OutlineWall(int(sides[plane]), float(offsets[plane]), left, right))
    return tuple(found)


MAX_MOVE = 0.06
"""Difference of log distances up to which two walls are moved to meet at a hinted corner."""
MAX_CORNER_SHIFT = 0.15
"""Radians from a hinted corner up to which the end of a wall is moved there."""


def join_walls(outline: Outline, columns: Columns, borders: WallBorders) -> Outline:
    """Move neighboring walls so that they meet where hints say so, each by the same share of its distance.

    Parameters
    ----------
    outline : Outline
        The walls and the ceiling.
    columns : Columns
        The evidence of the surfaces along upright lines, for the new `fit`.
    borders : WallBorders
        Where walls meet.

    Returns
    -------
    Outline
        The outline with the walls moved, except those that are far from meeting.
    """
    walls = list(outline.walls)
    for azimuth in borders.azimuths:
        for number, (one, other) in enumerate(pairwise(walls)):
            distances = [float(each.distance(np.array([azimuth]))[0]) for each in (one, other)]
            if (one.side == BACK) == (other.side == BACK) or not np.isfinite(distances).all():
                continue
            move = float(np.log(distances[1] / distances[0])) / 2
            if abs(azimuth - one.end_azimuth) < MAX_CORNER_SHIFT and abs(2 * move) < MAX_MOVE:
                walls[number] = replace(one, offset=one.offset * float(np.exp(move)), end_azimuth=azimuth)
                walls[number + 1] = replace(
                    other, offset=other.offset * float(np.exp(-move)), start_azimuth=azimuth
                )
    return Outline(tuple(walls), outline.ceiling, score_outline(columns, tuple(walls), outline.ceiling))


MAX_ERROR = np.radians(0.9)
"""Radians of elevation by which a wall's foot, as found from the surfaces, is usually off."""
KERNEL_WIDTH = np.radians(0.12)
"""Radians of elevation over which the votes of neighboring edges add up."""
MIN_VOTES = 0.25
"""Share of a wall's width that edges must cover; with less, the wall is not moved."""


def snap_outline(outline: Outline, columns: Columns, camera: Camera, segments: LineSegments) -> Outline:
    """Move the walls of an outline to the straight edges along their feet.

    Parameters
    ----------
    outline : Outline
        The walls and the ceiling; the ceiling is not moved, nor is a wall without an edge near its foot.
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
    feet = [_find_floor_edges(wall, camera, segments) for wall in outline.walls]
    walls = tuple(_shift_wall(wall, *each) for wall, each in zip(outline.walls, feet, strict=True))
    return Outline(walls, outline.ceiling, score_outline(columns, walls, outline.ceiling))


def _find_floor_edges(wall: OutlineWall, camera: Camera, segments: LineSegments) -> tuple[Numbers, Numbers]:
    """For each edge that may be the wall's foot: its offset if it lies on the floor, and the azimuths it covers."""
    ends = segments.ends.reshape(-1, 2)
    rays = camera.rays(ends)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = -1 / rays[:, 2]
    spots = (rays[:, :2] * scale[:, None]).reshape(-1, 2, 2)
    on_floor = (scale.reshape(-1, 2) > 0).all(1) & np.isfinite(spots).all((1, 2))
    axis = 1 if wall.side == BACK else 0
    sign = 1.0 if wall.side == BACK else float(wall.side)
    offsets = sign * spots[:, :, axis]
    azimuths = np.arctan2(spots[:, :, 0], spots[:, :, 1])
    first, last = wall.start_azimuth - 0.02, wall.end_azimuth + 0.02
    cover = np.minimum(azimuths.max(1), last) - np.maximum(azimuths.min(1), first)
    middles = offsets.mean(1)
    distance = np.maximum(wall.distance(azimuths.mean(1)), 0.05)
    # An edge along the wall has the same offset at both ends, within MAX_ERROR of elevation.
    tilt = np.abs(np.arctan(distance * middles / wall.offset) - np.arctan(distance * offsets[:, 0] / wall.offset))
    good = on_floor & (cover > 0) & (middles > 0) & (tilt < MAX_ERROR)
    return middles[good], np.maximum(cover[good], 0)


def _shift_wall(wall: OutlineWall, offsets: Numbers, cover: Numbers) -> OutlineWall:
    """The wall at the elevation of its foot for which most edges vote, each by the azimuths it covers."""
    if not len(offsets):
        return wall
    middle = float(wall.distance(np.array([(wall.start_azimuth + wall.end_azimuth) / 2]))[0])
    shift = np.arctan(wall.offset / (offsets * middle)) - np.arctan(1 / middle)
    votes = cover * np.exp(-((shift / MAX_ERROR) ** 2) / 2)
    tried = np.linspace(-2 * MAX_ERROR, 2 * MAX_ERROR, 121)
    density = np.exp(-(((tried[:, None] - shift[None]) / KERNEL_WIDTH) ** 2) / 2) @ votes
    best = int(density.argmax())
    if density[best] < MIN_VOTES * (wall.end_azimuth - wall.start_azimuth):
        return wall
    elevation = np.arctan(1 / middle) + tried[best]
    return replace(wall, offset=float(wall.offset / (middle * np.tan(elevation))))
