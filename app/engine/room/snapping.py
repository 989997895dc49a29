"""Walls drawn to the straight edges along their feet and tops: the surfaces say about where, the edges where."""

from dataclasses import replace

import numpy as np

from app.engine.room.camera import Camera
from app.engine.room.columns import Columns
from app.engine.room.outline import BACK, Outline, Stretch, fit_of
from app.engine.room.segments import Numbers, Segments

NEAR = np.radians(0.9)
"""About how far off in elevation a wall's foot from the surfaces may be."""
KERNEL = np.radians(0.12)
ALONG = np.radians(1.5)
LEAST_VOTES = 0.25
"""Radians of azimuth along which edges must lie to be believed fully."""


def snapped(outline: Outline, columns: Columns, camera: Camera, segments: Segments) -> Outline:
    """The outline with its ceiling and its walls where the edges are; what has no edge near stays."""
    feet = [_edges(wall, camera, segments, 0.0) for wall in outline.stretches]
    walls = tuple(_moved(wall, *each) for wall, each in zip(outline.stretches, feet, strict=True))
    return Outline(walls, outline.ceiling, fit_of(columns, walls, outline.ceiling))


def _edges(wall: Stretch, camera: Camera, segments: Segments, height: float) -> tuple[Numbers, Numbers]:
    """Offsets at which edges along the wall would lie on the plane at `height`, and the azimuths they cover."""
    ends = segments.ends.reshape(-1, 2)
    rays = camera.rays(ends)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = (height - 1) / rays[:, 2]
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


def _moved(wall: Stretch, offsets: Numbers, cover: Numbers) -> Stretch:
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
