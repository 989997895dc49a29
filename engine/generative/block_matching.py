"""Block matching: how far the parts of a picture moved in an edit of it."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.filters.smoothing import gradient_magnitude

BLOCK, STEP, REACH = 48, 32, 20
"""Pixels, for pictures with a long side of about 768: a block's side, from block to block, how far it is sought."""
TEXTURED = 0.01
"""The least spread of edge strength (luma of 0-1 a pixel) that makes a block findable."""
CORNERED = 0.06
"""How strong the edges across a block's main direction must be, against those along it."""
ALIKE = 0.6
"""The correlation from which a block counts as found."""
STILL_ALIKE = 0.45
"""The correlation at its own place, if it is a peak there, that keeps a block in place: it may be half covered by
something new, and the rest of it, a piece of a straight line, look better further along that line.
"""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The matches of the blocks with texture: how many there are, how many were found, how far those moved.

    `moves` is count x 2 float32: pixels right and down, 0 for a block that is found in its place.
    """

    textured: int
    moves: Plane

    @property
    def found(self) -> float:
        """The share of the textured blocks that was found; 0 without any, as nothing then confirms the view."""
        return len(self.moves) / self.textured if self.textured else 0.0

    def in_place(self, tolerance: float) -> float:
        """The share of the found blocks that stayed in place.

        Parameters
        ----------
        tolerance : float
            Pixels that a block may have moved.

        Returns
        -------
        float
            0-1; 1 where no block was found.
        """
        if not len(self.moves):
            return 1.0
        return float((np.hypot(self.moves[:, 0], self.moves[:, 1]) <= tolerance).mean())


def match_blocks(before: Plane, after: Plane) -> Blocks:
    """Find every textured block of one picture in another.

    Template matching by normalized correlation [1]_ of edge strength, so that other light and color do not matter;
    a parabola through the highest values gives fractions of a pixel.

    Parameters
    ----------
    before : (h, w) ndarray of float32
        Luma of the first picture, 0-1, its long side about 768.
    after : (h, w) ndarray of float32
        Luma of the second one, 0-1.

    Returns
    -------
    Blocks
        How many blocks have texture, and how far those found moved.

    References
    ----------
    .. [1] Lewis, "Fast Normalized Cross-Correlation", 1995.
    """
    edges, others = gradient_magnitude(before), gradient_magnitude(after)
    textured, moves = 0, []
    for top, left in _places(edges.shape):
        block = edges[top : top + BLOCK, left : left + BLOCK]
        if block.std() < TEXTURED or not _has_corners(before[top : top + BLOCK, left : left + BLOCK]):
            continue
        textured += 1
        # The picture ends somewhere: blocks near its border are sought less far outwards.
        up, back = max(0, top - REACH), max(0, left - REACH)
        around = others[up : top + BLOCK + REACH, back : left + BLOCK + REACH]
        alike = plane(cv2.matchTemplate(around, block, cv2.TM_CCOEFF_NORMED))
        move = _move(alike, top - up, left - back)
        if move is not None:
            moves.append(move)
    return Blocks(textured, plane(moves).reshape(-1, 2))


def _places(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    height, width = shape[:2]
    for top in range(0, height - BLOCK + 1, STEP):
        for left in range(0, width - BLOCK + 1, STEP):
            yield top, left


def _has_corners(block: Plane) -> bool:
    """Whether the edges of a block run in more than one direction; along a single one it could be anywhere.

    The smaller eigenvalue of the structure tensor against the larger (Shi and Tomasi, "Good Features to Track",
    1994).
    """
    down, right = np.gradient(block)
    across, steep, both = float((right**2).sum()), float((down**2).sum()), float((right * down).sum())
    middle, spread = (across + steep) / 2, float(np.hypot((across - steep) / 2, both))
    return middle - spread >= CORNERED * (middle + spread)


def _move(alike: Plane, top: int, left: int) -> tuple[float, float] | None:
    """How far the best place is from (top, left), or None when nowhere is alike."""
    best = float(alike.max())
    if not np.isfinite(best) or best < ALIKE:
        return None
    if alike[top, left] >= STILL_ALIKE and _is_peak(alike, top, left):
        return 0.0, 0.0
    row, column = np.unravel_index(int(alike.argmax()), alike.shape)
    down = row - top + _fraction(alike[:, column], int(row))
    right = column - left + _fraction(alike[row], int(column))
    return float(right), float(down)


def _is_peak(alike: Plane, row: int, column: int) -> bool:
    near = alike[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return bool(alike[row, column] >= near.max() - 0.01)


def _fraction(line: Plane, at: int) -> float:
    """Where between the pixels the highest point of a line lies, from -0.5 to 0.5."""
    if not 0 < at < len(line) - 1:
        return 0.0
    before, peak, after = float(line[at - 1]), float(line[at]), float(line[at + 1])
    bend = before - 2 * peak + after
    return 0.5 * (before - after) / bend if bend < -1e-9 else 0.0
