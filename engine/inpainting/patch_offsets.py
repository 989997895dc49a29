"""The dominant offsets by which a pattern repeats, for a hole in it."""

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
OFFSETS_SIDE = 560
"""Most cells of the long side at which offsets are searched for; a larger pattern is shrunk."""
REPEATS = 36
"""Most offsets by which the pattern repeats."""
OTHERS = 28
"""Most further offsets, which reach cells that the repeats do not reach."""


@dataclass(frozen=True, slots=True)
class InpaintingHole:
    """A pattern (height x width x 3), the cells that content may be copied from, and the cells to be filled.

    `edge` is where the values are known, whether the cells are sources or not; None if only sources are known.
    """

    values: Plane
    source: Mask
    wanted: Mask
    edge: Mask | None = None

    def halve(self) -> "InpaintingHole":
        """The hole at half the size.

        Returns
        -------
        InpaintingHole
            A cell is a source if all of it was, and to be filled if any of it was; `edge` is None.
        """
        height, width = self.wanted.shape
        size = (max(1, width // 2), max(1, height // 2))
        source = cv2.resize(self.source.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        wanted = cv2.resize(self.wanted.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0
        weight = gray_to_rgb(plane(self.source))
        total = cv2.resize(plane(self.values * weight), size, interpolation=cv2.INTER_AREA)
        values = total / gray_to_rgb(plane(np.maximum(source, 1e-3)))
        return InpaintingHole(plane(values), np.asarray((source > 0.99) & ~wanted), np.asarray(wanted))


def shift_box(values: Plane, box: Box, move: Offset) -> Plane:
    """The values of a box moved by an offset.

    Parameters
    ----------
    values : (h, w) or (h, w, 3) ndarray of float32
        Values of any range.
    box : tuple of slice
        Rows and columns, before the move.
    move : tuple of int
        Rows and columns to move by.

    Returns
    -------
    ndarray of float32
        As large as the box; 0 beyond the values.
    """
    height, width = values.shape[:2]
    rows, columns = (slice(part.start + by, part.stop + by) for part, by in zip(box, move, strict=True))
    result = np.zeros((rows.stop - rows.start, columns.stop - columns.start, *values.shape[2:]), np.float32)
    top, bottom = max(rows.start, 0), min(rows.stop, height)
    left, right = max(columns.start, 0), min(columns.stop, width)
    if top < bottom and left < right:
        place = slice(top - rows.start, bottom - rows.start), slice(left - columns.start, right - columns.start)
        result[place] = values[top:bottom, left:right]
    return result


def choose_offsets(hole: InpaintingHole, least: int) -> list[Offset]:
    """The dominant offsets by which a pattern repeats, and further offsets for cells that these do not reach.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern and the cells to be filled.
    least : int
        Length of the shortest offset, in cells.

    Returns
    -------
    list of tuple of int
        Rows and columns, the most likely period first; at most REPEATS + OTHERS offsets.

    References
    ----------
    .. [1] He, Sun, "Statistics of Patch Offsets for Image Completion", 2012.
    """
    height, width = hole.wanted.shape
    step = max(1, -(-max(height, width) // OFFSETS_SIDE))
    small = hole if step == 1 else _shrink_hole(hole, step)
    alike, shared = _measure_likeness(small)
    reach = _cross_correlate(plane(small.wanted), plane(small.source))
    reached = reach / max(float(np.count_nonzero(small.wanted)), 1)
    rows, columns = (np.arange(count, dtype=np.float32) - count // 2 for count in alike.shape)
    far = np.asarray(np.hypot(rows[:, None], columns) * step >= least)
    usable = far & (reached > 0.02) & (shared > 0.05 * shared.max())
    repeats = _peaks(
        np.where(usable, alike + 0.1 * np.sqrt(np.clip(reached, 0, 1)), -np.inf), REPEATS, max(2, 6 // step)
    )
    others = _add_covering_offsets(small, np.where(far, reached, 0), repeats)
    return [(down * step, across * step) for down, across in [*repeats, *others]]


def _shrink_hole(hole: InpaintingHole, step: int) -> InpaintingHole:
    size = (hole.wanted.shape[1] // step, hole.wanted.shape[0] // step)
    source = cv2.resize(plane(hole.source), size, interpolation=cv2.INTER_AREA)
    wanted = cv2.resize(plane(hole.wanted), size, interpolation=cv2.INTER_AREA) > 0
    values = cv2.resize(hole.values, size, interpolation=cv2.INTER_AREA)
    return InpaintingHole(plane(values), np.asarray((source > 0.99) & ~wanted), np.asarray(wanted))


def _measure_likeness(hole: InpaintingHole) -> tuple[Plane, Plane]:
    """For every offset (zero is in the middle): how similar sources are, and how many of them are compared.

    Similarity is 1 minus the mean squared difference over the difference that unrelated cells would have.
    """
    mask = plane(hole.source)
    gray = plane(hole.values.mean(2) * mask)
    fine = plane(gray - gaussian_blur(gray, 12) / np.maximum(gaussian_blur(mask, 12), 1e-3)) * mask
    fine = np.clip(fine, *np.quantile(fine[hole.source], (0.005, 0.995)))
    shared = _cross_correlate(mask, mask)
    squares = _cross_correlate(plane(fine**2), mask) + _cross_correlate(mask, plane(fine**2))
    apart = squares - 2 * _cross_correlate(fine, fine)
    usual = 2 * float((fine**2).sum()) / max(float(mask.sum()), 1)
    alike = 1 - apart / (np.maximum(shared, 1) * max(usual, 1e-9))
    return plane(alike), plane(shared)


def _cross_correlate(one: Plane, other: Plane) -> Plane:
    """The sum over p of one(p) * other(p + move) for every move; no move is in the middle."""
    height, width = one.shape
    size = (cv2.getOptimalDFTSize(2 * height), cv2.getOptimalDFTSize(2 * width))
    spectra = []
    for each in (one, other):
        padded = np.zeros(size, np.float32)
        padded[:height, :width] = each
        spectra.append(cv2.dft(padded))
    product = cv2.mulSpectrums(spectra[1], spectra[0], 0, conjB=True)
    whole = cv2.dft(product, flags=cv2.DFT_INVERSE | cv2.DFT_SCALE | cv2.DFT_REAL_OUTPUT)
    middle = np.roll(whole, (height, width), (0, 1))
    return plane(middle[: 2 * height, : 2 * width])


def _peaks(score: np.ndarray, count: int, apart: int) -> list[Offset]:
    """The moves with the highest scores; no two of them are nearer to each other than `apart`."""
    score = score.copy()
    found: list[Offset] = []
    middle = np.array(score.shape) // 2
    for _ in range(count):
        row, column = np.unravel_index(int(np.argmax(score)), score.shape)
        if not np.isfinite(score[row, column]):
            break
        found.append((int(row - middle[0]), int(column - middle[1])))
        score[max(0, row - apart) : row + apart + 1, max(0, column - apart) : column + apart + 1] = -np.inf
    return found


def _add_covering_offsets(hole: InpaintingHole, reached: np.ndarray, chosen: Sequence[Offset]) -> list[Offset]:
    """Further moves: first moves that reach sources for most cells still unreached, then moves that reach most."""
    whole = (slice(0, hole.wanted.shape[0]), slice(0, hole.wanted.shape[1]))
    left = hole.wanted.copy()
    source = plane(hole.source)
    for move in chosen:
        left &= shift_box(source, whole, move) == 0
    found: list[Offset] = []
    least = max(3, min(hole.wanted.shape) // 24)
    for _ in range(OTHERS // 2):
        if np.count_nonzero(left) < 4:
            break
        score = _cross_correlate(plane(left), source)
        best = _peaks(score, 1, least)
        if not best or score.max() < 1:
            break
        found += best
        left &= shift_box(source, whole, best[0]) == 0
    return found + _peaks(np.where(reached > 0.05, reached, -np.inf), OTHERS - len(found), least)
