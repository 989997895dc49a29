"""The gate between outdoor and indoor photos."""

import numpy as np

from app.engine.arrays import Plane
from app.engine.scene.labels import NUMBER, Label
from app.engine.scene.net import Seen

_OUTSIDE = [NUMBER[label] for label in list(Label)[: NUMBER[Label.PERSON]]]
_INSIDE = [NUMBER[label] for label in list(Label)[NUMBER[Label.WALL] :]]


def is_outdoors(seen: Seen) -> bool:
    """Whether the net takes the photo for one of the outside of a house, as a whole and pixel by pixel."""
    inside, outside = (_share(seen.labels, among) for among in (_INSIDE, _OUTSIDE))
    return bool(_odds(seen.indoors) + _odds(inside / max(inside + outside, 1e-3)) < 0)


def _share(labels: Plane, among: list[int]) -> float:
    return float(labels[..., among].sum())


def _odds(probability: float) -> float:
    certain = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(certain / (1 - certain)))
