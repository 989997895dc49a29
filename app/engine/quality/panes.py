"""Whether one still sees the same through the windows, where no new thing stands before them."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, grown, plane, shrunk
from app.engine.quality.fixed import LEAST_OPENING
from app.engine.quality.things import Change
from app.engine.room.surface import PLACE, Surface

RIM, BEYOND = 2, 0.012
"""Pixels left out along a window's edge; share of the long side by which a thing reaches beyond it."""
OTHER = 10.0
"""Levels between two views; beside a shadow or a reflection."""


def view_changed(change: Change, surfaces: Plane) -> float:
    """The share of a window that shows something else though nothing reaches before it from beyond; the worst
    window's.
    """
    glass = np.asarray(surfaces[..., PLACE[Surface.WINDOW]] > 0.6, np.bool_)
    moved = np.abs(plane(change.before) - plane(change.after)).max(-1)
    other = np.asarray(cv2.GaussianBlur(moved, (0, 0), 0.8) > OTHER, np.bool_) & (change.free > 0.02)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(glass.astype(np.uint8))
    worst = 0.0
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= LEAST_OPENING * glass.size:
            worst = max(worst, _other_share(np.asarray(parts == number), other))
    return worst


def _other_share(window: Mask, other: Mask) -> float:
    pane = shrunk(window, RIM)
    if not pane.any():
        return 0.0
    around = ~grown(window, max(2, round(BEYOND * max(window.shape))))
    from_below, from_above = _reached(other, around, up=True), _reached(other, around, up=False)
    return float((other & ~from_below & ~from_above)[pane].mean())


def _reached(other: Mask, around: Mask, *, up: bool) -> Mask:
    """Which changed pixels hang together, up or down their column, with changed ones beyond the window."""
    result = np.zeros_like(other)
    before = np.zeros(other.shape[1], np.bool_)
    order = range(len(other) - 1, -1, -1) if up else range(len(other))
    for row in order:
        before = other[row] & (around[row] | before)
        result[row] = before
    return result
