"""What each pixel of a small picture shows, as a share of every kind of surface."""

import cv2
import numpy as np

from app.engine.arrays import Plane, plane
from app.engine.scene.kinds import Kind

FAINT = 0.08


def shares(kinds: Plane, shape: tuple[int, ...]) -> Plane:
    """The net's probabilities (rows x columns x kinds) for each pixel of a picture of `shape`; they sum to 1."""
    return plane(cv2.resize(kinds, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR))


def with_sky(found: Plane, sky: Plane) -> Plane:
    """The shares with the sky as it was found exactly (height x width, 0-1); the other kinds share the rest.

    Shares too faint to mean anything are dropped: a step that mixes by shares must leave such pixels alone.
    """
    exact = np.maximum(found - np.float32(FAINT), 0)
    exact[..., Kind.SKY] = 0
    known = exact @ np.ones(exact.shape[-1], np.float32)
    gain = (1 - sky) / np.maximum(known, np.float32(1e-3))
    exact *= gain[..., None]
    exact[..., Kind.SKY] = sky
    # Where only sky had been seen, nobody knows what else it is.
    exact[..., Kind.THINGS] += np.maximum(1 - sky - known * gain, 0)
    return plane(exact)
