"""The gate between outdoor and indoor photos."""

import numpy as np

from app.engine.scene.kinds import INDOOR_KINDS, Kind
from app.engine.scene.net import Seen


def is_outdoors(seen: Seen) -> bool:
    """Whether the net takes the photo for one of the outside of a house, as a whole and pixel by pixel."""
    inside = float(seen.kinds[..., list(INDOOR_KINDS)].sum())
    known = seen.kinds.shape[0] * seen.kinds.shape[1] - float(seen.kinds[..., Kind.THINGS].sum())
    return bool(_odds(seen.indoors) + _odds(inside / max(known, 1e-3)) < 0)


def _odds(probability: float) -> float:
    certain = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(certain / (1 - certain)))
