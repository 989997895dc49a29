"""Finds the offsets by which a pattern repeats, to fill a hole in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.smoothing import gaussian_blur

Offset = tuple[int, int]
"""Rows and columns from a cell to the cell that its content is copied from."""
Box = tuple[slice, slice]
"""Rows and columns."""
WORKING_SIDE = 560
"""Long side, in cells, to which a larger pattern is shrunk before offsets are searched for."""
MAX_REPEATS = 36
"""Maximum number of offsets by which the pattern repeats."""
MAX_OTHERS = 28
"""Maximum number of further offsets, for cells that the repeats do not reach."""


@dataclass(frozen=True, slots=True)
class InpaintingHole:
    """A pattern (height x width x 3), the cells that content may be copied from, and the cells to be filled.

    `known` are the cells with known values, sources or not; None if only sources are known.
    """

    values: Plane
    source: Mask
    to_fill: Mask
    known: Mask | None = None

    def halve(self) -> "InpaintingHole":
        """The hole at half the size.

        Returns
        -------
        InpaintingHole
            A cell is a source if all its parts were, and is to be filled if any part was; `known` is None.
        """
        height, width = self.to_fill.shape
        size = (max(1, width // 2), max(1, height // 2))
        source = cv2.resize(self.source.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        to_fill = cv2.resize(self.to_fill.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0
        weight = gray_to_rgb(plane(self.source))
        total = cv2.resize(plane(self.values * weight), size, interpolation=cv2.INTER_AREA)
        values = total / gray_to_rgb(plane(np.maximum(source, 1e-3)))
        return InpaintingHole(plane(values), np.asarray((source > 0.99) & ~to_fill), np.asarray(to_fill))


def shift_box(values: Plane, box: Box, offset: Offset) -> Plane:
    """Move a box by an offset and return the values there.

    Parameters
    ----------
    values : (h, w) or (h, w, 3) ndarray of float32
        Values of any range.
    box : tuple of slice
        Rows and columns, before the box is moved.
    offset : tuple of int
        Rows and columns to move by.

    Returns
    -------
    ndarray of float32
        As large as the box; 0 beyond the values.
    """
    height, width = values.shape[:2]
    rows, columns = (slice(part.start + shift, part.stop + shift) for part, shift in zip(box, offset, strict=True))
    result = np.zeros((rows.stop - rows.start, columns.stop - columns.start, *values.shape[2:]), np.float32)
    top, bottom = max(rows.start, 0), min(rows.stop, height)
    left, right = max(columns.start, 0), min(columns.stop, width)
    if top < bottom and left < right:
        place = slice(top - rows.start, bottom - rows.start), slice(left - columns.start, right - columns.start)
        result[place] = values[top:bottom, left:right]
    return result


def choose_offsets(hole: InpaintingHole, min_length: int) -> list[Offset]:
    """Choose the offsets by which a pattern repeats best, and further offsets for cells that these do not reach.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern and the cells to be filled.
    min_length : int
        Length of the shortest offset, in cells.

    Returns
    -------
    list of tuple of int
        Rows and columns, the most likely period first; at most MAX_REPEATS + MAX_OTHERS offsets.

    References
    ----------
    .. [1] He, Sun, "Statistics of Patch Offsets for Image Completion", 2012.
    """
    height, width = hole.to_fill.shape
    step = max(1, -(-max(height, width) // WORKING_SIDE))
    small = hole if step == 1 else _shrink_hole(hole, step)
    similarity, compared = _measure_similarity(small)
    reach_count = _cross_correlate(plane(small.to_fill), plane(small.source))
    reached_share = reach_count / max(float(np.count_nonzero(small.to_fill)), 1)
    rows, columns = (np.arange(count, dtype=np.float32) - count // 2 for count in similarity.shape)
    long_enough = np.asarray(np.hypot(rows[:, None], columns) * step >= min_length)
    usable = long_enough & (reached_share > 0.02) & (compared > 0.05 * compared.max())
    repeats = _find_peaks(
        np.where(usable, similarity + 0.1 * np.sqrt(np.clip(reached_share, 0, 1)), -np.inf),
        MAX_REPEATS,
        max(2, 6 // step),
    )
    others = _add_covering_offsets(small, np.where(long_enough, reached_share, 0), repeats)
    return [(down * step, across * step) for down, across in [*repeats, *others]]


def _shrink_hole(hole: InpaintingHole, step: int) -> InpaintingHole:
    size = (hole.to_fill.shape[1] // step, hole.to_fill.shape[0] // step)
    source = cv2.resize(plane(hole.source), size, interpolation=cv2.INTER_AREA)
    to_fill = cv2.resize(plane(hole.to_fill), size, interpolation=cv2.INTER_AREA) > 0
    values = cv2.resize(hole.values, size, interpolation=cv2.INTER_AREA)
    return InpaintingHole(plane(values), np.asarray((source > 0.99) & ~to_fill), np.asarray(to_fill))


def _measure_similarity(hole: InpaintingHole) -> tuple[Plane, Plane]:
    """For every offset (zero is in the middle): the similarity of sources, and the number of cells compared.

    Similarity is 1 - d / u, where d is the mean squared difference, and u that of unrelated cells.
    """
    mask = plane(hole.source)
    gray = plane(hole.values.mean(2) * mask)
    detail = plane(gray - gaussian_blur(gray, 12) / np.maximum(gaussian_blur(mask, 12), 1e-3)) * mask
    detail = np.clip(detail, *np.quantile(detail[hole.source], (0.005, 0.995)))
    compared = _cross_correlate(mask, mask)
    squares = _cross_correlate(plane(detail**2), mask) + _cross_correlate(mask, plane(detail**2))
    differences = squares - 2 * _cross_correlate(detail, detail)
    expected = 2 * float((detail**2).sum()) / max(float(mask.sum()), 1)
    similarity = 1 - differences / (np.maximum(compared, 1) * max(expected, 1e-9))
    return plane(similarity), plane(compared)


def _cross_correlate(first: Plane, second: Plane) -> Plane:
    """The sum over p of first(p) * second(p + offset) for every offset; offset zero is in the middle."""
    height, width = first.shape
    size = (cv2.getOptimalDFTSize(2 * height), cv2.getOptimalDFTSize(2 * width))
    spectra = []
    for each in (first, second):
        padded = np.zeros(size, np.float32)
        padded[:height, :width] = each
        spectra.append(cv2.dft(padded))
    product = cv2.mulSpectrums(spectra[1], spectra[0], 0, conjB=True)
    whole = cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    middle = np.roll(whole, (height, width), (0, 1))
    return plane(middle[: 2 * height, : 2 * width])


def _find_peaks(score: np.ndarray, count: int, spacing: int) -> list[Offset]:
    """The offsets with the highest scores; any two are more than `spacing` apart in rows or columns."""
    score = score.copy()
    found: list[Offset] = []
    middle = np.array(score.shape) // 2
    for _ in range(count):
        row, column = np.unravel_index(int(np.argmax(score)), score.shape)
        if not np.isfinite(score[row, column]):
            break
        found.append((int(row - middle[0]), int(column - middle[1])))
        score[max(0, row - spacing) : row + spacing + 1, max(0, column - spacing) : column + spacing + 1] = -np.inf
    return found


def _add_covering_offsets(
    hole: InpaintingHole, reached_share: np.ndarray, chosen: Sequence[Offset]
) -> list[Offset]:
    """Further offsets: first those that reach sources for most unreached cells, then for most cells of all."""
    whole = (slice(0, hole.to_fill.shape[0]), slice(0, hole.to_fill.shape[1]))
    unreached = hole.to_fill.copy()
    source = plane(hole.source)
    for offset in chosen:
        unreached &= shift_box(source, whole, offset) == 0
    found: list[Offset] = []
    min_length = max(3, min(hole.to_fill.shape) // 24)
    for _ in range(MAX_OTHERS // 2):
        if np.count_nonzero(unreached) < 4:
            break
        score = _cross_correlate(plane(unreached), source)
        best = _find_peaks(score, 1, min_length)
        if not best or score.max() < 1:
            break
        found += best
        unreached &= shift_box(source, whole, best[0]) == 0
    return found + _find_peaks(
        np.where(reached_share > 0.05, reached_share, -np.inf), MAX_OTHERS - len(found), min_length
    )
