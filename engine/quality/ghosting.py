"""Measures ghosting in a picture merged of several frames."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial, reduce
from itertools import combinations
from typing import Final

import numpy as np

from engine.arrays import Plane, plane
from engine.filters.strips import THREADS
from engine.quality.structure import GONE, PART_STEP, WHOLE, correlate_edges, find_structure, find_worst_part

MOSTLY: Final = 0.7
"""A merged place is like one of its frames by 0.9 and more; where two show through, by less than this."""
BOTH: Final = (0.05, 0.25)
"""By how much more a merged place is like either of two frames than they are like each other, as correlation: what
is a ghost for sure has the second, what has less than the first is one thing in another light.
"""


def measure_ghosting(frames: Sequence[Plane], merged: Plane) -> tuple[float, float]:
    """How much of a merged picture is a mixture of its frames, in which moving things show twice.

    A mixture is like none of the frames, but like two that are unlike each other. Where it is like none because the
    flash or the tones left little of its contrast, it shows nothing twice.

    Parameters
    ----------
    frames : Sequence of (h, w) ndarray of float32
        Luma of the aligned frames, 0-1.
    merged : (h, w) ndarray of float32
        Luma of the merged picture, 0-1.

    Returns
    -------
    share : float
        Of the merged picture's structure that is a mixture, 0-1; 0 where there is too little structure to compare.
    worst : float
        The loss in its worst part, 0-1; likewise.
    """
    counted = find_structure(merged, merged, np.ones(merged.shape, np.bool_))[::PART_STEP, ::PART_STEP]
    if counted.sum() < 32:
        return 0.0, 0.0
    with ThreadPoolExecutor(THREADS) as threads:
        alike = list(threads.map(partial(_alike, merged), frames))
        pairs = list(combinations(range(len(frames)), 2))
        between = threads.map(lambda pair: _alike(frames[pair[0]], frames[pair[1]]), pairs)
        mixed = [
            np.minimum(alike[one], alike[other]) - each for (one, other), each in zip(pairs, between, strict=True)
        ]
    best = plane(reduce(np.maximum, alike))
    mixture = np.clip((reduce(np.maximum, mixed, np.zeros_like(best)) - BOTH[0]) / (BOTH[1] - BOTH[0]), 0, 1)
    unlike = counted & (best < MOSTLY) & (mixture > 0.5)
    bent = np.clip((WHOLE - best) / (WHOLE - GONE), 0, 1) * mixture
    return float(unlike.sum() / counted.sum()), find_worst_part(plane(counted * bent))


def _alike(one: Plane, other: Plane) -> Plane:
    return correlate_edges(one, other)[::PART_STEP, ::PART_STEP]
