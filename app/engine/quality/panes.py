"""Whether one still sees the same through the windows, where no new thing stands before them."""

import cv2
import numpy as np

from app.engine.arrays import Mask, Plane, blurred, grown, plane, shrunk
from app.engine.quality.fixed import LEAST_OPENING
from app.engine.quality.things import Change
from app.engine.room.surface import PLACE, Surface

RIM, BEYOND, ASIDE = 2, 0.012, 0.04
"""Pixels left out along a window's edge; shares of the long side by which a thing reaches beyond it, and by which
it is wider before it than below, as a lampshade is wider than its pole.
"""
OTHER = 10.0
"""Levels between two views."""
COVERED, EDGE = 0.02, 2
"""The share of a pixel from which it is of a new thing, and the pixels around that are mixed with it."""
REACH, DIMMEST, BRIGHTEST = 0.01, 0.6, 1.15
"""Share of the long side over which light is even, and what a shadow leaves of a byte and a gleam makes of it: the
same view in other light is no other view.
"""


def view_changed(change: Change, surfaces: Plane, things: Plane | None = None, *, furnished: bool = False) -> float:
    """The share of a window that shows something else though nothing new stands before it; the worst window's.

    `things` (0-1) is where new ones are known to be; else they are what reaches before a window from beyond it, in
    rooms that were `furnished` with what may be wider above.
    """
    glass = np.asarray(surfaces[..., PLACE[Surface.WINDOW]] > 0.6, np.bool_)
    other = _other(change)
    if things is not None:
        other &= ~grown(np.asarray(things > COVERED, np.bool_), EDGE)
    count, parts, stats, _ = cv2.connectedComponentsWithStats(glass.astype(np.uint8))
    worst = 0.0
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= LEAST_OPENING * glass.size:
            window = np.asarray(parts == number, np.bool_)
            pane = shrunk(window, RIM)
            seen = other if things is not None else other & ~_before(window, change, ASIDE if furnished else 0.0)
            worst = max(worst, float(seen[pane].mean()) if pane.any() else 0.0)
    return worst


def _other(change: Change) -> Mask:
    """Where the result shows something else, and not the same in other light."""
    moved = _moved(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    return np.asarray(moved & _moved(_unlike(change), change))


def _moved(apart: Plane, change: Change) -> Mask:
    return np.asarray((cv2.GaussianBlur(apart, (0, 0), 0.8) > OTHER) & (change.free > 0.02), np.bool_)


def _unlike(change: Change) -> Plane:
    """By how many levels each pixel of the result is not the photo's in another light, even over REACH."""
    before, after = plane(change.before), plane(change.after)
    reach = REACH * max(before.shape)
    total = plane(blurred(plane((before * before).sum(-1)), reach) + np.float32(1))
    light = plane(np.clip(blurred(plane((before * after).sum(-1)), reach) / total, DIMMEST, BRIGHTEST))
    return plane(np.abs(after - before * light[..., None]).max(-1))


def _before(window: Mask, change: Change, aside: float) -> Mask:
    """What hangs together, up or down its column, with changed pixels beyond the window.

    And what is beside it, up to the share `aside` of the long side.
    """
    changed = _moved(plane(np.abs(plane(change.before) - plane(change.after)).max(-1)), change)
    around = ~grown(window, max(2, round(BEYOND * max(window.shape))))
    reached: Mask = _reached(changed, around, up=True) | _reached(changed, around, up=False)
    # So far along its row, not through what stayed as it was.
    for _ in range(round(aside * max(window.shape))):
        beside = cv2.dilate(reached.astype(np.uint8), np.ones((1, 3), np.uint8)) > 0
        reached = np.asarray(changed & beside, np.bool_)
    return reached


def _reached(other: Mask, around: Mask, *, up: bool) -> Mask:
    """Which changed pixels hang together, up or down their column, with changed ones beyond the window."""
    result = np.zeros_like(other)
    before = np.zeros(other.shape[1], np.bool_)
    order = range(len(other) - 1, -1, -1) if up else range(len(other))
    for row in order:
        before = other[row] & (around[row] | before)
        result[row] = before
    return result
