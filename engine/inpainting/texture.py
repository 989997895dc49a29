"""Patch-based inpainting: fills a hole in a pattern by copying patches of its visible part.

A few offsets describe how a pattern repeats (He and Sun, "Statistics of Patch Offsets for Image Completion", 2012).
Each patch of the hole takes the offset whose content fits the cells around it best. Each cell then gets the mean of
all patches over it. This is done from small sizes of the picture to full size (Wexler, Shechtman and Irani,
"Space-Time Completion of Video", 2007).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import dilate
from engine.filters.smoothing import gaussian_blur
from engine.inpainting.patch_offsets import Box, InpaintingHole, Offset, choose_offsets, shift_box

PATCH = 4
"""Cells from the middle of a patch to its edge, at every size of the picture."""
TONE_SIGMA = 8.0
"""Sigma, in cells at full size, of the blur that separates tones from fine detail."""
MIN_COARSE_SIDE = 48
"""Minimum short side, in cells, of the smallest size."""
COARSE_ITERATIONS = 6
"""Iterations at each smaller size."""
FINE_ITERATIONS = 2
"""Iterations at full size."""
MIN_SOURCE_SHARE = 0.96
"""Minimum share of sources in a patch that may be copied."""
MAX_RARE_SHARE = 0.01
"""Share of patches; an offset that is taken by this share or less is not tried at larger sizes."""
MIN_HALVED = 0.6
"""Minimum share of the sources that remains when the picture is halved; else it is not halved."""
MIN_COMPARED = 50
"""Minimum number of pairs of cells by which is measured how well a pattern repeats at an offset."""
REPEAT_WEIGHT = 1.5
"""Weight, in the cost of an offset, of the difference between the visible pattern and itself at this offset; the
difference between patch and hole has weight 1.
"""


def inpaint(hole: InpaintingHole, min_length: int, offsets: Sequence[Offset] = ()) -> Plane:
    """Fill a hole with patches of its sources.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern, its sources and the cells to be filled, possibly none.
    min_length : int
        Length of the shortest offset, in cells; unused where `offsets` are given.
    offsets : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; by default the offsets by which the pattern repeats.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The values, unchanged outside the hole. Cells that no offset reaches get the mean of the sources near them.
    """
    return inpaint_reached(hole, min_length, offsets)[0]


def inpaint_reached(hole: InpaintingHole, min_length: int, offsets: Sequence[Offset] = ()) -> tuple[Plane, Mask]:
    """Fill a hole as `inpaint` does, and also return which cells an offset reached.

    Parameters
    ----------
    hole : InpaintingHole
        The pattern, its sources and the cells to be filled, possibly none.
    min_length : int
        Length of the shortest offset, in cells; unused where `offsets` are given.
    offsets : Sequence of tuple of int, optional
        The only offsets allowed, rows and columns; by default the offsets by which the pattern repeats.

    Returns
    -------
    values : (h, w, 3) ndarray of float32
        The values, filled.
    reached : (h, w) ndarray of bool
        Cells of the hole with content from a source.
    """
    if not hole.to_fill.any():
        return hole.values, np.zeros_like(hole.to_fill)
    full_size_offsets = list(offsets) or choose_offsets(hole, min_length)
    levels = [hole]
    while min(levels[-1].to_fill.shape) > 2 * MIN_COARSE_SIDE and len(levels) < 4:
        smaller = levels[-1].halve()
        if 4 * np.count_nonzero(smaller.source) < MIN_HALVED * np.count_nonzero(levels[-1].source):
            # Narrow strips of pattern are lost when they are halved.
            break
        levels.append(smaller)
    filled = np.zeros_like(hole.to_fill)
    values = _initialize_hole(levels[-1])
    for number in range(len(levels) - 1, -1, -1):
        level = levels[number]
        if number < len(levels) - 1:
            size = (level.to_fill.shape[1], level.to_fill.shape[0])
            larger = cv2.resize(values, size, interpolation=cv2.INTER_LINEAR)
            values = plane(np.where(level.to_fill[..., None], larger, level.values))
        level_offsets = _remove_duplicates(
            [(round(down / 2**number), round(across / 2**number)) for down, across in full_size_offsets]
        )
        iterations = FINE_ITERATIONS if number == 0 else COARSE_ITERATIONS
        for iteration in range(iterations):
            values, chosen, filled = _fill_once(
                level, values, level_offsets, sharp=number == 0 and iteration == iterations - 1
            )
            # Offsets that hardly any patch takes at this size are not tried at finer sizes.
            if iteration == iterations - 1 and number and chosen.any():
                full_size_offsets = _keep_used_offsets(full_size_offsets, level_offsets, chosen, number)
    return values, filled


def _keep_used_offsets(
    full_size_offsets: Sequence[Offset], offsets: Sequence[Offset], chosen: NDArray[np.int64], number: int
) -> list[Offset]:
    """The offsets that enough patches took at a smaller size, with their length at full size."""
    kept = {offset for offset, count in zip(offsets, chosen, strict=True) if count > MAX_RARE_SHARE * chosen.sum()}
    return [each for each in full_size_offsets if (round(each[0] / 2**number), round(each[1] / 2**number)) in kept]


def _initialize_hole(hole: InpaintingHole) -> Plane:
    weight = plane(hole.source)
    total = cv2.GaussianBlur(plane(hole.values * gray_to_rgb(weight)), (0, 0), 3)
    share = cv2.GaussianBlur(weight, (0, 0), 3)
    mean = hole.values[hole.source].mean(0) if hole.source.any() else np.zeros(3, np.float32)
    nearby = (total + 1e-3 * mean) / gray_to_rgb(plane(share + 1e-3))
    return plane(np.where(hole.to_fill[..., None], nearby, hole.values))


def _remove_duplicates(offsets: Sequence[Offset]) -> list[Offset]:
    return [each for each in dict.fromkeys(offsets) if each != (0, 0)]


def _fill_once(
    hole: InpaintingHole, values: Plane, offsets: Sequence[Offset], *, sharp: bool
) -> tuple[Plane, NDArray[np.int64], Mask]:
    """Fill the hole once; return the values, how many patches took each offset, and which cells were filled.

    A cell gets the weighted mean of the patches over it or, if `sharp`, mainly the values of the best offset.
    """
    box = _find_box(dilate(hole.to_fill, 2 * PATCH))
    to_fill = hole.to_fill[box]
    current = values[box]
    self_differences = [_measure_self_difference(hole, offset) for offset in offsets]
    trust = _compute_trust(to_fill)
    best = np.full(to_fill.shape, np.inf, np.float32)
    label = np.full(to_fill.shape, -1, np.int16)
    for number, offset in enumerate(offsets):
        cost = _compute_cost(hole, current, trust, box, offset) + np.float32(
            REPEAT_WEIGHT * self_differences[number]
        )
        better = cost < best
        best[better] = cost[better]
        label[better] = number
    choice = _Choice(hole, box, offsets, label, _compute_weights(best, trust))
    total, share = _mix_two_bands(choice) if sharp else _mix_patches(choice)
    result = values.copy()
    filled = to_fill & (share > 1e-9)
    part = result[box]
    part[filled] = (total / gray_to_rgb(plane(np.maximum(share, 1e-9))))[filled]
    counts = np.bincount(label[label >= 0], minlength=len(offsets)).astype(np.int64)
    reached = np.zeros_like(hole.to_fill)
    reached[box] = filled
    return result, counts, reached


def _compute_trust(to_fill: Mask) -> Plane:
    """The trust in each cell's value: 1 for known cells, less for cells deeper in the hole."""
    depth = cv2.distanceTransform(to_fill.astype(np.uint8), cv2.DIST_L2, 3)
    return plane(np.maximum(1.15 ** -np.minimum(depth, 40), 1e-3))


def _compute_cost(hole: InpaintingHole, current: Plane, trust: Plane, box: Box, offset: Offset) -> Plane:
    """The difference between each patch and its copy at the offset; infinite if the copy lacks sources."""
    other, known = shift_box(hole.values, box, offset), shift_box(plane(hole.source), box, offset)
    difference = cv2.transform(cv2.absdiff(current, other) ** 2, np.ones((1, 3), np.float32))
    side = (2 * PATCH + 1, 2 * PATCH + 1)
    weight = trust * known
    share = cv2.blur(known, side, borderType=cv2.BORDER_CONSTANT)
    cost = cv2.blur(difference * weight, side) / np.maximum(cv2.blur(weight, side), 1e-6)
    return plane(np.where((share > MIN_SOURCE_SHARE) & (known > 0), cost, np.inf))


def _measure_self_difference(hole: InpaintingHole, offset: Offset) -> float:
    """The mean squared difference, summed over colors, between the visible pattern and itself at the offset."""
    whole = slice(0, hole.to_fill.shape[0]), slice(0, hole.to_fill.shape[1])
    both = np.asarray((shift_box(plane(hole.source), whole, offset) > 0) & hole.source)
    if np.count_nonzero(both) < MIN_COMPARED:
        return 2 * float((hole.values[hole.source] ** 2).sum(1).mean()) if hole.source.any() else 0.0
    return float(((hole.values - shift_box(hole.values, whole, offset))[both] ** 2).sum(1).mean())


def _compute_weights(best: Plane, trust: Plane) -> Plane:
    finite = best[np.isfinite(best)]
    spread = float(np.quantile(finite, 0.75)) + 1e-9 if finite.size else 1.0
    return plane(np.where(np.isfinite(best), np.exp(-np.minimum(best, 1e9) / (2 * spread)) * trust + 1e-6, 0))


@dataclass(frozen=True, slots=True)
class _Choice:
    """The offset (`label`) and the weight of each patch in a box around the hole."""

    hole: InpaintingHole
    box: Box
    offsets: Sequence[Offset]
    label: NDArray[np.int16]
    weights: Plane

    def votes(self) -> Iterator[tuple[Offset, Plane]]:
        """Yield each offset that any patch takes, with the total weight of these patches over each cell."""
        side = (2 * PATCH + 1, 2 * PATCH + 1)
        for number in np.unique(self.label[self.label >= 0]).tolist():
            weight = plane(np.where(self.label == number, self.weights, 0))
            reached = shift_box(plane(self.hole.source), self.box, self.offsets[number])
            yield self.offsets[number], plane(cv2.blur(weight, side, borderType=cv2.BORDER_CONSTANT) * reached)


def _mix_patches(choice: _Choice) -> tuple[Plane, Plane]:
    """For each cell, the weighted sum of the values from the patches over it, and the sum of their weights."""
    total, share = np.zeros((*choice.label.shape, 3), np.float32), np.zeros(choice.label.shape, np.float32)
    for offset, votes in choice.votes():
        total += shift_box(choice.hole.values, choice.box, offset) * gray_to_rgb(votes)
        share += votes
    return total, share


def _mix_two_bands(choice: _Choice) -> tuple[Plane, Plane]:
    """Values with fine detail from the best offset and tones mixed more widely, which hides seams; and weights."""
    hole, box = choice.hole, choice.box
    weight = plane(hole.source)
    tones = _blur_tones(hole.values, hole.source)
    detail = plane(hole.values - tones)
    shape = choice.label.shape
    detail_sum, tone_sum = np.zeros((*shape, 3), np.float32), np.zeros((*shape, 3), np.float32)
    share, tone_share, strongest = (np.zeros(shape, np.float32) for _ in range(3))
    for _, votes in choice.votes():
        np.maximum(strongest, votes, out=strongest)
    for offset, votes in choice.votes():
        # The high power makes the strongest offset dominate, with soft transitions between offsets.
        best = plane((votes / np.maximum(strongest, 1e-12)) ** 8)
        detail_sum += shift_box(detail, box, offset) * gray_to_rgb(best)
        share += best
        soft_weight = gaussian_blur(plane(best * shift_box(weight, box, offset)), TONE_SIGMA)
        tone_sum += shift_box(tones, box, offset) * gray_to_rgb(soft_weight)
        tone_share += soft_weight
    tone_sum /= gray_to_rgb(plane(np.maximum(tone_share, 1e-6)))
    known = hole.source if hole.known is None else hole.known
    tone_sum += _compute_tone_correction(
        plane(_blur_tones(hole.values, known)[box] - tone_sum), known[box], hole.to_fill[box]
    )
    return plane(detail_sum / gray_to_rgb(plane(np.maximum(share, 1e-6))) + tone_sum), plane(share > 1e-6)


def _blur_tones(values: Plane, known: Mask) -> Plane:
    """Blur the known values, which removes fine detail."""
    weight = plane(known)
    return plane(
        gaussian_blur(plane(values * gray_to_rgb(weight)), TONE_SIGMA)
        / gray_to_rgb(plane(gaussian_blur(weight, TONE_SIGMA) + 1e-6))
    )


def _compute_tone_correction(error: Plane, edge: Mask, to_fill: Mask) -> Plane:
    """The error of tones right beside the hole, fading out inside the hole."""
    ring = plane(edge & dilate(to_fill, 2 * PATCH))
    nearby = gaussian_blur(plane(error * gray_to_rgb(ring)), TONE_SIGMA) / gray_to_rgb(
        plane(gaussian_blur(ring, TONE_SIGMA) + 1e-4)
    )
    depth = cv2.distanceTransform(to_fill.astype(np.uint8), cv2.DIST_L2, 3)
    return plane(nearby * gray_to_rgb(plane(np.exp(-depth / (3 * TONE_SIGMA)))))


def _find_box(mask: Mask) -> Box:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
