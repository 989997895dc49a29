"""Measures ghosts in a picture merged from several frames: moving things that are seen twice."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from itertools import combinations
from typing import Final

import numpy as np

from engine.arrays import Plane, plane
from engine.filters.strips import THREADS
from engine.quality.structure import (
    GONE_CORRELATION,
    PART_SQUARE_DISTANCE,
    WHOLE_CORRELATION,
    correlate_edges,
    find_structure,
    find_worst_part,
)

MIN_LIKENESS: Final = 0.7
"""Correlation of a merged place with its most similar frame; below it, the place may be a ghost."""
MIXTURE_RANGE: Final = (0.05, 0.25)
"""By how much a merged place correlates more with two frames than the two frames correlate with each other.

Up to the first value, the place shows one thing in different light; from the second value on, it is certainly a
ghost.
"""


def measure_ghosting(frames: Sequence[Plane], merged: Plane) -> tuple[float, float]:
    """Measure how much of a merged picture is a mixture of frames, in which moving things are seen twice.

    A mixture resembles two frames in part, and these frames differ from each other. A place is no mixture if it
    differs from every frame only because flash or tones left it little contrast.

    Parameters
    ----------
    frames : Sequence of (h, w) ndarray of float32
        Luma of the aligned frames, 0-1.
    merged : (h, w) ndarray of float32
        Luma of the merged picture, 0-1.

    Returns
    -------
    share : float
        Share of the merged picture's structure that is a mixture, 0-1; 0 if there is too little structure.
    worst : float
        Loss of structure in the worst part of the merged picture, 0-1; 0 if there is too little structure.
    """
    counted = find_structure(merged, merged, np.ones(merged.shape, np.bool_))[
        ::PART_SQUARE_DISTANCE, ::PART_SQUARE_DISTANCE
    ]
    if counted.sum() < 32:
        return 0.0, 0.0
    with ThreadPoolExecutor(THREADS) as threads:
        alike = list(threads.map(partial(_correlate_sampled, merged), frames))
        pairs = list(combinations(range(len(frames)), 2))
        between = threads.map(lambda pair: _correlate_sampled(frames[pair[0]], frames[pair[1]]), pairs)
        mixed = [
            np.minimum(alike[one], alike[other]) - each for (one, other), each in zip(pairs, between, strict=True)
        ]
    best = plane(reduce(np.maximum, alike))
    mixture = np.clip(
        (reduce(np.maximum, mixed, np.zeros_like(best)) - MIXTURE_RANGE[0]) / (MIXTURE_RANGE[1] - MIXTURE_RANGE[0]),
        0,
        1,
    )
    ghosts = counted & (best < MIN_LIKENESS) & (mixture > 0.5)
    loss = np.clip((WHOLE_CORRELATION - best) / (WHOLE_CORRELATION - GONE_CORRELATION), 0, 1) * mixture
    return float(ghosts.sum() / counted.sum()), find_worst_part(plane(counted * loss))


def _correlate_sampled(one: Plane, other: Plane) -> Plane:
    return correlate_edges(one, other)[::PART_SQUARE_DISTANCE, ::PART_SQUARE_DISTANCE]
