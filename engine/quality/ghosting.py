"""Measures ghosting in a picture merged of several frames."""

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
"""Correlation of a merged place with its most similar frame, below which it may be a ghost; other places have 0.9
and more.
"""
MIXTURE_RANGE: Final = (0.05, 0.25)
"""How much more a merged place correlates with each of two frames than these frames do with each other: up to the
first value it is one thing in another light, from the second value on it is certainly a ghost.
"""


def measure_ghosting(frames: Sequence[Plane], merged: Plane) -> tuple[float, float]:
    """How much of a merged picture is a mixture of its frames, in which moving things show twice.

    A mixture is not quite like any frame, but partly like two frames that are unlike each other. A place that is
    unlike every frame only because the flash or the tones left it little contrast is not a mixture.

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
    unlike = counted & (best < MIN_LIKENESS) & (mixture > 0.5)
    loss = np.clip((WHOLE_CORRELATION - best) / (WHOLE_CORRELATION - GONE_CORRELATION), 0, 1) * mixture
    return float(unlike.sum() / counted.sum()), find_worst_part(plane(counted * loss))


def _correlate_sampled(one: Plane, other: Plane) -> Plane:
    return correlate_edges(one, other)[::PART_SQUARE_DISTANCE, ::PART_SQUARE_DISTANCE]
