"""Patch-based inpainting: continues a pattern into a hole by copying its visible part, patch by patch.

A few offsets describe how a pattern repeats (He and Sun, "Statistics of Patch Offsets for Image Completion", 2012).
Each patch of the hole takes the offset whose content fits best to the cells around it. From coarse sizes to fine
ones, each cell gets the mean of all patches over it (Wexler, Shechtman and Irani, "Space-Time Completion of Video",
2007).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import gaussian_blur, normalized_convolution
from engine.inpainting.patch_offsets import Box, InpaintingHole, Offset, choose_offsets, shift_box

PATCH = 4
"""Cells from the middle of a patch to its edge, at every size."""
TONES = 8.0
"""Sigma, in cells at full size, of the blur that separates tones from fine detail."""
COARSEST = 48
"""Least cells of the short side at the coarsest size."""
ROUNDS_COARSE = 6
"""Iterations at each coarser size."""
ROUNDS_FINE = 2
"""Iterations at full size."""
LEAST_KNOWN = 0.96
"""Share of a copied patch that sources must exceed."""
RARE = 0.01
"""Most share of patches that take an offset for the offset to be dropped at finer sizes."""
LEAST_HALVED = 0.6
"""Least share of the sources that must be left when a picture is halved."""
LEAST_COMPARED = 50
"""Least number of cells from which it is known how a pattern repeats by an offset."""
PRIOR = 1.5
"""Weight, in an offset's cost, of how badly the pattern repeats by it; how badly the patch fits has weight 1."""


def inpaint(hole: InpaintingHole, least: int, moves: Sequence[Offset] = ()) -> Plane:
    """Fill a hole with patches of its sources.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern, its sources and the cells to be filled, possibly none.
    least : int
        Length of the shortest offset, in cells; unused where `moves` are given.
    moves : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; by default the offsets by which the pattern repeats.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The values, unchanged outside the hole. Cells that no offset reaches have the mean of the sources near them.
    """
    return inpaint_reached(hole, least, moves)[0]


def inpaint_reached(hole: InpaintingHole, least: int, moves: Sequence[Offset] = ()) -> tuple[Plane, Mask]:
    """Fill a hole as `inpaint` does, and say which cells an offset reached.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern, its sources and the cells to be filled, possibly none.
    least : int
        Length of the shortest offset, in cells; unused where `moves` are given.
    moves : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; by default the offsets by which the pattern repeats.

    Returns
    -------
    values : (h, w, 3) ndarray of float32
        The values, filled.
    reached : (h, w) ndarray of bool
        Cells of the hole with content from a source.
    """
    if not hole.wanted.any():
        return hole.values, np.zeros_like(hole.wanted)
    offsets = list(moves) or choose_offsets(hole, least)
    levels = [hole]
    while min(levels[-1].wanted.shape) > 2 * COARSEST and len(levels) < 4:
        smaller = levels[-1].halve()
        if 4 * np.count_nonzero(smaller.source) < LEAST_HALVED * np.count_nonzero(levels[-1].source):
            # Narrow strips of pattern are lost when they are halved.
            break
        levels.append(smaller)
    filled = np.zeros_like(hole.wanted)
    values = _begin_hole(levels[-1])
    for number in range(len(levels) - 1, -1, -1):
        level = levels[number]
        if number < len(levels) - 1:
            size = (level.wanted.shape[1], level.wanted.shape[0])
            larger = cv2.resize(values, size, interpolation=cv2.INTER_LINEAR)
            values = plane(np.where(level.wanted[..., None], larger, level.values))
        tried = _distinct([(round(down / 2**number), round(across / 2**number)) for down, across in offsets])
        rounds = ROUNDS_FINE if number == 0 else ROUNDS_COARSE
        for turn in range(rounds):
            values, chosen, filled = _vote(level, values, tried, sharp=number == 0 and turn == rounds - 1)
            # Offsets that hardly any patch takes at this size are not tried at finer sizes.
            if turn == rounds - 1 and number and chosen.any():
                offsets = _count_served(offsets, tried, chosen, number)
    return values, filled


def _count_served(
    offsets: Sequence[Offset], moves: Sequence[Offset], chosen: NDArray[np.int64], number: int
) -> list[Offset]:
    kept = {move for move, count in zip(moves, chosen, strict=True) if count > RARE * chosen.sum()}
    return [each for each in offsets if (round(each[0] / 2**number), round(each[1] / 2**number)) in kept]


def _begin_hole(hole: InpaintingHole) -> Plane:
    weight = plane(hole.source)
    total = cv2.GaussianBlur(plane(hole.values * gray_to_rgb(weight)), (0, 0), 3)
    share = cv2.GaussianBlur(weight, (0, 0), 3)
    mean = hole.values[hole.source].mean(0) if hole.source.any() else np.zeros(3, np.float32)
    near = (total + 1e-3 * mean) / gray_to_rgb(plane(share + 1e-3))
    return plane(np.where(hole.wanted[..., None], near, hole.values))


def _distinct(offsets: Sequence[Offset]) -> list[Offset]:
    return [each for each in dict.fromkeys(offsets) if each != (0, 0)]


def _vote(
    hole: InpaintingHole, values: Plane, moves: Sequence[Offset], *, sharp: bool
) -> tuple[Plane, NDArray[np.int64], Mask]:
    """The values with the cells to be filled, how many patches took each move, and which cells were filled.

    A cell gets the weighted mean of the patches over it; `sharp`: mainly the values of the best move.
    """
    box = _box(dilate(hole.wanted, 2 * PATCH))
    wanted = hole.wanted[box]
    here = values[box]
    unlike = [_measure_self_difference(hole, move) for move in moves]
    trust = _trust(wanted)
    best = np.full(wanted.shape, np.inf, np.float32)
    label = np.full(wanted.shape, -1, np.int16)
    for number, move in enumerate(moves):
        cost = _cost(hole, here, trust, box, move) + np.float32(PRIOR * unlike[number])
        better = cost < best
        best[better] = cost[better]
        label[better] = number
    choice = _Choice(hole, box, moves, label, _weights(best, trust))
    total, share = _two_bands(choice) if sharp else _mix_patches(choice)
    result = values.copy()
    filled = wanted & (share > 1e-9)
    part = result[box]
    part[filled] = (total / gray_to_rgb(plane(np.maximum(share, 1e-9))))[filled]
    counts = np.bincount(label[label >= 0], minlength=len(moves)).astype(np.int64)
    reached = np.zeros_like(hole.wanted)
    reached[box] = filled
    return result, counts, reached


def _trust(wanted: Mask) -> Plane:
    """How much each cell's value is trusted: known cells fully, cells in the hole less the deeper they lie."""
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 3)
    return plane(np.maximum(1.15 ** -np.minimum(deep, 40), 1e-3))


def _cost(hole: InpaintingHole, here: Plane, trust: Plane, box: Box, move: Offset) -> Plane:
    """How badly each patch fits if copied by the move; infinite if it would not consist of sources."""
    other, known = shift_box(hole.values, box, move), shift_box(plane(hole.source), box, move)
    apart = cv2.transform(cv2.absdiff(here, other) ** 2, np.ones((1, 3), np.float32))
    side = (2 * PATCH + 1, 2 * PATCH + 1)
    weight = trust * known
    share = cv2.blur(known, side, borderType=cv2.BORDER_CONSTANT)
    cost = cv2.blur(apart * weight, side) / np.maximum(cv2.blur(weight, side), 1e-6)
    return plane(np.where((share > LEAST_KNOWN) & (known > 0), cost, np.inf))


def _measure_self_difference(hole: InpaintingHole, move: Offset) -> float:
    """The mean squared difference, over all colors together, between the visible pattern and itself when moved."""
    whole = slice(0, hole.wanted.shape[0]), slice(0, hole.wanted.shape[1])
    both = np.asarray((shift_box(plane(hole.source), whole, move) > 0) & hole.source)
    if np.count_nonzero(both) < LEAST_COMPARED:
        return 2 * float((hole.values[hole.source] ** 2).sum(1).mean()) if hole.source.any() else 0.0
    return float(((hole.values - shift_box(hole.values, whole, move))[both] ** 2).sum(1).mean())


def _weights(best: Plane, trust: Plane) -> Plane:
    finite = best[np.isfinite(best)]
    spread = float(np.quantile(finite, 0.75)) + 1e-9 if finite.size else 1.0
    return plane(np.where(np.isfinite(best), np.exp(-np.minimum(best, 1e9) / (2 * spread)) * trust + 1e-6, 0))


@dataclass(frozen=True, slots=True)
class _Choice:
    """Which move each patch in a box around the hole takes, and how much the patch counts."""

    hole: InpaintingHole
    box: Box
    moves: Sequence[Offset]
    label: NDArray[np.int16]
    weights: Plane

    def votes(self) -> Iterator[tuple[Offset, Plane]]:
        """Each move that any patch takes, with the total weight of these patches over each cell."""
        side = (2 * PATCH + 1, 2 * PATCH + 1)
        for number in np.unique(self.label[self.label >= 0]).tolist():
            own = plane(np.where(self.label == number, self.weights, 0))
            reached = shift_box(plane(self.hole.source), self.box, self.moves[number])
            yield self.moves[number], plane(cv2.blur(own, side, borderType=cv2.BORDER_CONSTANT) * reached)


def _mix_patches(choice: _Choice) -> tuple[Plane, Plane]:
    """For each cell, the weighted sum of the values that the patches over it give, and the sum of the weights."""
    total, share = np.zeros((*choice.label.shape, 3), np.float32), np.zeros(choice.label.shape, np.float32)
    for move, votes in choice.votes():
        total += shift_box(choice.hole.values, choice.box, move) * gray_to_rgb(votes)
        share += votes
    return total, share


def _two_bands(choice: _Choice) -> tuple[Plane, Plane]:
    """Fine detail from the best move, and tones mixed more widely so that no seam shows; with their weights."""
    hole, box = choice.hole, choice.box
    weight = plane(hole.source)
    tones = _tones(hole.values, hole.source)
    detail = plane(hole.values - tones)
    shape = choice.label.shape
    fine, tone = np.zeros((*shape, 3), np.float32), np.zeros((*shape, 3), np.float32)
    share, wide, most = (np.zeros(shape, np.float32) for _ in range(3))
    for _, votes in choice.votes():
        np.maximum(most, votes, out=most)
    for move, votes in choice.votes():
        # Only the strongest move counts, apart from soft transitions between moves.
        best = plane((votes / np.maximum(most, 1e-12)) ** 8)
        fine += shift_box(detail, box, move) * gray_to_rgb(best)
        share += best
        soft = gaussian_blur(plane(best * shift_box(weight, box, move)), TONES)
        tone += shift_box(tones, box, move) * gray_to_rgb(soft)
        wide += soft
    tone /= gray_to_rgb(plane(np.maximum(wide, 1e-6)))
    edge = hole.source if hole.edge is None else hole.edge
    tone += _towards_known(plane(_tones(hole.values, edge)[box] - tone), edge[box], hole.wanted[box])
    return plane(fine / gray_to_rgb(plane(np.maximum(share, 1e-6))) + tone), plane(share > 1e-6)


def _tones(values: Plane, known: Mask) -> Plane:
    """The values without their fine detail, computed from known cells."""
    weight = plane(known)
    return plane(
        gaussian_blur(plane(values * gray_to_rgb(weight)), TONES)
        / gray_to_rgb(plane(gaussian_blur(weight, TONES) + 1e-6))
    )


def _towards_known(off: Plane, edge: Mask, wanted: Mask) -> Plane:
    """The error of tones right beside the hole, fading out inside it."""
    ring = plane(edge & dilate(wanted, 2 * PATCH))
    near = gaussian_blur(plane(off * gray_to_rgb(ring)), TONES) / gray_to_rgb(
        plane(gaussian_blur(ring, TONES) + 1e-4)
    )
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 3)
    return plane(near * gray_to_rgb(plane(np.exp(-deep / (3 * TONES)))))


def _box(mask: Mask) -> Box:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


AROUND = 1.6
"""How far around a thing sources are searched for, in sizes of the thing."""
LEAST_AROUND = 24
"""Least distance, in pixels, over which sources are searched for."""
LEAST_SOURCE = 0.6
"""Least area of the sources, in areas of the thing, for the thing to be filled."""


def inpaint_part(logs: Plane, part: Mask, things: Mask, labels: NDArray[np.uint8]) -> Plane | None:
    """Fill one thing from what lies around it, without a room.

    Only the surfaces right around the thing serve as sources.

    Parameters
    ----------
    logs : (h, w, 3) ndarray of float32
        Logarithms of the picture's colors.
    part : (h, w) ndarray of bool
        The thing to be filled.
    things : (h, w) ndarray of bool
        All things, none of which is a source.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.

    Returns
    -------
    (h, w, 3) ndarray of float32 or None
        A filled copy of `logs`; None if there are too few sources.
    """
    rows, columns = np.flatnonzero(part.any(1)), np.flatnonzero(part.any(0))
    reach = max(LEAST_AROUND, int(AROUND * max(rows[-1] - rows[0], columns[-1] - columns[0])))
    box = (
        slice(max(0, int(rows[0]) - reach), int(rows[-1]) + reach + 1),
        slice(max(0, int(columns[0]) - reach), int(columns[-1]) + reach + 1),
    )
    wanted, near = part[box], labels[box]
    ring = dilate(wanted, 6) & ~things[box]
    if not ring.any():
        return None
    counts = np.bincount(near[ring])
    usual = np.flatnonzero(counts > 0.1 * counts.sum())
    source = erode(np.asarray(np.isin(near, usual) & ~things[box]), 2)
    if np.count_nonzero(source) < LEAST_SOURCE * np.count_nonzero(wanted):
        return None
    values = logs[box]
    base = normalized_convolution(values, plane(source), max(4.0, reach / 6))
    rest = plane((values - base) * gray_to_rgb(plane(source)))
    fine = inpaint(InpaintingHole(rest, source, wanted), 4)
    done = logs.copy()
    done[box] = np.where(wanted[..., None], base + fine, values)
    return plane(done)
