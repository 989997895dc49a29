"""Block matching: measures how far the parts of a picture moved in an edit."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.filters.smoothing import gradient_magnitude

BLOCK = 48
"""Side of a block, in pixels. The values in pixels are for pictures with a long side of about 768."""
BLOCK_DISTANCE = 32
"""Pixels from one block to the next."""
SEARCH_REACH = 20
"""Distance from a block's place, in pixels in each direction, in which the block is searched for."""
MIN_TEXTURE = 0.01
"""Least standard deviation of edge strength (luma of 0-1 per pixel) for a block to count as textured."""
MIN_CORNER_RATIO = 0.06
"""Least ratio of the structure tensor's smaller to its larger eigenvalue for a block to count as textured."""
MIN_CORRELATION = 0.6
"""Least correlation for a block to count as found."""
MIN_CORRELATION_IN_PLACE = 0.45
"""Least correlation, at a local peak in a block's own place, for the block to count as not moved.

This is lower than MIN_CORRELATION, because something new may cover half of a block. If only a straight line of the
block remains, another place along the line may correlate better.
"""


@dataclass(frozen=True, slots=True)
class Blocks:
    """The matches of blocks. `textured`: how many blocks have texture.

    `moves` (number of found blocks x 2, float32): pixels right and down; 0 for a block found in its place.
    """

    textured: int
    moves: Plane

    @property
    def found_share(self) -> float:
        """The share of textured blocks that were found; 0 if there are no textured blocks."""
        return len(self.moves) / self.textured if self.textured else 0.0

    def measure_in_place(self, tolerance: float) -> float:
        """The share of the found blocks that stayed in place.

        Parameters
        ----------
        tolerance : float
            Most pixels that a block may have moved to count as in place.

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

    Matches templates by normalized correlation [1]_ of edge strength, which changes of light and color hardly
    affect. A parabola through the highest values gives fractions of a pixel.

    Parameters
    ----------
    before : (h, w) ndarray of float32
        Luma of the first picture, 0-1, its long side about 768.
    after : (h, w) ndarray of float32
        Luma of the second picture, 0-1.

    Returns
    -------
    Blocks
        How many blocks have texture, and how far each block that was found has moved.

    References
    ----------
    .. [1] Lewis, "Fast Normalized Cross-Correlation", 1995.
    """
    edges, other_edges = gradient_magnitude(before), gradient_magnitude(after)
    textured, moves = 0, []
    for top, left in _list_places(edges.shape):
        block = edges[top : top + BLOCK, left : left + BLOCK]
        if block.std() < MIN_TEXTURE or not _has_corners(before[top : top + BLOCK, left : left + BLOCK]):
            continue
        textured += 1
        # Near the picture's border, the search ends at the border.
        first_row, first_column = max(0, top - SEARCH_REACH), max(0, left - SEARCH_REACH)
        around = other_edges[first_row : top + BLOCK + SEARCH_REACH, first_column : left + BLOCK + SEARCH_REACH]
        correlation = plane(cv2.matchTemplate(around, block, cv2.TM_CCOEFF_NORMED))
        move = _find_move(correlation, top - first_row, left - first_column)
        if move is not None:
            moves.append(move)
    return Blocks(textured, plane(moves).reshape(-1, 2))


def _list_places(shape: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    height, width = shape[:2]
    for top in range(0, height - BLOCK + 1, BLOCK_DISTANCE):
        for left in range(0, width - BLOCK + 1, BLOCK_DISTANCE):
            yield top, left


def _has_corners(block: Plane) -> bool:
    """Whether a block has edges in more than one direction; otherwise it would match anywhere along the edge.

    Compares the eigenvalues of the structure tensor (Shi and Tomasi, "Good Features to Track", 1994).
    """
    down, right = np.gradient(block)
    across, steep, both = float((right**2).sum()), float((down**2).sum()), float((right * down).sum())
    middle, spread = (across + steep) / 2, float(np.hypot((across - steep) / 2, both))
    return middle - spread >= MIN_CORNER_RATIO * (middle + spread)


def _find_move(correlation: Plane, top: int, left: int) -> tuple[float, float] | None:
    """How far the best match is from (top, left), in pixels right and down; None where nothing matches."""
    best = float(correlation.max())
    if not np.isfinite(best) or best < MIN_CORRELATION:
        return None
    if correlation[top, left] >= MIN_CORRELATION_IN_PLACE and _is_peak(correlation, top, left):
        return 0.0, 0.0
    row, column = np.unravel_index(int(correlation.argmax()), correlation.shape)
    down = row - top + _refine_peak(correlation[:, column], int(row))
    right = column - left + _refine_peak(correlation[row], int(column))
    return float(right), float(down)


def _is_peak(correlation: Plane, row: int, column: int) -> bool:
    near = correlation[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
    return bool(correlation[row, column] >= near.max() - 0.01)


def _refine_peak(line: Plane, index: int) -> float:
    """The offset (-0.5 to 0.5) of a parabola's peak from the highest pixel, at `index`."""
    if not 0 < index < len(line) - 1:
        return 0.0
    previous, peak, following = float(line[index - 1]), float(line[index]), float(line[index + 1])
    bend = previous - 2 * peak + following
    return 0.5 * (previous - following) / bend if bend < -1e-9 else 0.0
