"""Whether a picture merged of several frames shows everything once: no ghosts, no frame beside the others."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import reduce
from typing import Final

import numpy as np

from app.engine.arrays import Plane, plane
from app.engine.fullsize import THREADS
from app.engine.quality.structure import GONE, PART_STEP, WHOLE, correlation, structured, worst_part

MOSTLY: Final = 0.7
"""A merged place is like one of its frames by 0.9 and more; where two show through, by less than this."""


def doubled(frames: Sequence[Plane], merged: Plane) -> tuple[float, float]:
    """The share of a merged picture that is like none of its frames, and how much of its worst part is lost.

    Grey planes 0-1 of one size, the frames laid over each other; 0 and 0 without structure to compare.
    """
    with ThreadPoolExecutor(THREADS) as threads:
        alike = threads.map(lambda frame: correlation(frame, merged)[::PART_STEP, ::PART_STEP], frames)
        best = plane(reduce(np.maximum, alike))
    everywhere = np.ones(merged.shape, np.bool_)
    counted = structured(merged, merged, everywhere)[::PART_STEP, ::PART_STEP]
    if counted.sum() < 32:
        return 0.0, 0.0
    bent = np.clip((WHOLE - best) / (WHOLE - GONE), 0, 1)
    return float((best < MOSTLY)[counted].mean()), worst_part(plane(counted * bent))
