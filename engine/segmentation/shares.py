"""What each pixel of a small picture shows, as a share of every kind of surface."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.segmentation.labels import Kind

FAINT = 0.08


def resize_shares(kinds: Plane, shape: tuple[int, ...]) -> Plane:
    """The net's probabilities (rows x columns x kinds) for each pixel of a picture of `shape`; they sum to 1.

    Each kind's map lies in one piece: they are asked for one by one.
    """
    maps = np.empty((kinds.shape[-1], *shape[:2]), np.float32)
    for found, large in zip(np.moveaxis(kinds, -1, 0), maps, strict=True):
        cv2.resize(np.ascontiguousarray(found), (shape[1], shape[0]), dst=large, interpolation=cv2.INTER_LINEAR)
    return plane(np.moveaxis(maps, 0, -1))


def insert_sky(found: Plane, sky: Plane) -> Plane:
    """The shares with the sky as it was found exactly (height x width, 0-1); the other kinds share the rest.

    Shares too faint to mean anything are dropped: a step that mixes by shares must leave such pixels alone.
    """
    maps = np.moveaxis(found, -1, 0).copy()
    known = np.zeros_like(sky)
    for kind, share in enumerate(maps):
        if kind != Kind.SKY:
            np.maximum(share - np.float32(FAINT), 0, out=share)
            known += share
    gain = (1 - sky) / np.maximum(known, np.float32(1e-3))
    maps *= gain
    maps[Kind.SKY] = sky
    # Where only sky had been seen, nobody knows what else it is.
    maps[Kind.THINGS] += np.maximum(1 - sky - known * gain, 0)
    return plane(np.moveaxis(maps, 0, -1))
