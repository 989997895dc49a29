"""Patch-based inpainting: a pattern continued into a hole by moving what is seen of it, patch by patch.

Few offsets say how a pattern repeats (He and Sun, "Statistics of Patch Offsets for Image Completion", 2012); each
patch of the hole takes the one that fits what is around it best, from coarse to fine, by the mean of all patches
over a cell (Wexler, Shechtman and Irani, "Space-Time Completion of Video", 2007).
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
TONES = 8.0
"""Cells, at every size: from the middle of a patch to its edge; the sigma that parts tones from fine detail."""
COARSEST = 48
ROUNDS_COARSE, ROUNDS_FINE = 6, 2
LEAST_KNOWN = 0.96
RARE = 0.01
LEAST_HALVED = 0.6
"""Share of the sources that must be left when a picture is halved."""
LEAST_COMPARED = 50
PRIOR = 1.5
"""Weight, in the cost of an offset, of how little the pattern repeats by it; how badly a patch fits has 1."""


def inpaint(hole: InpaintingHole, least: int, moves: Sequence[Offset] = ()) -> Plane:
    """Fill a hole with patches of its sources.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern, its sources and the cells to be filled, maybe none.
    least : int
        Length of the shortest offset, in cells; unused where `moves` are given.
    moves : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; without any, those by which the pattern repeats.

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
        The pattern, its sources and the cells to be filled, maybe none.
    least : int
        Length of the shortest offset, in cells; unused where `moves` are given.
    moves : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; without any, those by which the pattern repeats.

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
            # Moves that serve hardly any patch here will not where the picture is larger.
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
    """The wanted cells as the patches over them have them; `sharp`: as those that fit best have them.

    And how many patches each move served, and which cells any did.
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
    """How far a cell's value may be relied on: known ones fully, in the hole less the deeper it lies."""
    deep = cv2.distanceTransform(wanted.astype(np.uint8), cv2.DIST_L2, 3)
    return plane(np.maximum(1.15 ** -np.minimum(deep, 40), 1e-3))


def _cost(hole: InpaintingHole, here: Plane, trust: Plane, box: Box, move: Offset) -> Plane:
    """How badly each patch fits when moved; infinite where it would not be of sources alone."""
    other, known = shift_box(hole.values, box, move), shift_box(plane(hole.source), box, move)
    apart = cv2.transform(cv2.absdiff(here, other) ** 2, np.ones((1, 3), np.float32))
    side = (2 * PATCH + 1, 2 * PATCH + 1)
    weight = trust * known
    share = cv2.blur(known, side, borderType=cv2.BORDER_CONSTANT)
    cost = cv2.blur(apart * weight, side) / np.maximum(cv2.blur(weight, side), 1e-6)
    return plane(np.where((share > LEAST_KNOWN) & (known > 0), cost, np.inf))


def _measure_self_difference(hole: InpaintingHole, move: Offset) -> float:
    """How far the pattern is from itself when moved, wherever it is seen: the mean square, of the three colors."""
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
    """Which move serves each patch of a box of the hole, and how much the patch counts."""

    hole: InpaintingHole
    box: Box
    moves: Sequence[Offset]
    label: NDArray[np.int16]
    weights: Plane

    def votes(self) -> Iterator[tuple[Offset, Plane]]:
        """Each move that serves any, with how much the patches over each cell that have it count together."""
        side = (2 * PATCH + 1, 2 * PATCH + 1)
        for number in np.unique(self.label[self.label >= 0]).tolist():
            own = plane(np.where(self.label == number, self.weights, 0))
            reached = shift_box(plane(self.hole.source), self.box, self.moves[number])
            yield self.moves[number], plane(cv2.blur(own, side, borderType=cv2.BORDER_CONSTANT) * reached)


def _mix_patches(choice: _Choice) -> tuple[Plane, Plane]:
    """The sum of what all patches over a cell have there, and of their weights."""
    total, share = np.zeros((*choice.label.shape, 3), np.float32), np.zeros(choice.label.shape, np.float32)
    for move, votes in choice.votes():
        total += shift_box(choice.hole.values, choice.box, move) * gray_to_rgb(votes)
        share += votes
    return total, share


def _two_bands(choice: _Choice) -> tuple[Plane, Plane]:
    """Fine detail from the move that fits best, tones mixed more widely, so that no seam shows."""
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
        # Only the strongest counts, but for a soft change from one to the next.
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
    """The values without their fine detail, by the known ones."""
    weight = plane(known)
    return plane(
        gaussian_blur(plane(values * gray_to_rgb(weight)), TONES)
        / gray_to_rgb(plane(gaussian_blur(weight, TONES) + 1e-6))
    )


def _towards_known(off: Plane, edge: Mask, wanted: Mask) -> Plane:
    """What tones are off by right beside the hole, fading into it."""
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
"""How far sources are searched for, in sizes of the thing."""
LEAST_AROUND = 24
LEAST_SOURCE = 0.6
"""Area of the sources, in areas of the thing, below which it is not filled."""


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
        A filled copy of `logs`; None where there are too few sources.
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
