"""What each pixel of a small picture shows, as a share of every kind of surface."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.segmentation.labels import Kind

FAINT = 0.08
"""What `insert_sky` subtracts from each share but the sky's: smaller shares mean nothing."""


def resize_shares(kinds: Plane, shape: tuple[int, ...]) -> Plane:
    """Resize shares to the size of a picture, bilinearly.

    Parameters
    ----------
    kinds : (rows, columns, N) ndarray of float32
        Shares of N kinds, labels or surfaces, 0-1.
    shape : tuple of int
        Shape of the picture, height and width first.

    Returns
    -------
    (h, w, N) ndarray of float32
        The shares, with the same sum at each pixel; each of the N maps is contiguous in memory.
    """
    maps = np.empty((kinds.shape[-1], *shape[:2]), np.float32)
    for found, large in zip(np.moveaxis(kinds, -1, 0), maps, strict=True):
        cv2.resize(np.ascontiguousarray(found), (shape[1], shape[0]), dst=large, interpolation=cv2.INTER_LINEAR)
    return plane(np.moveaxis(maps, 0, -1))


def insert_sky(found: Plane, sky: Plane) -> Plane:
    """Replace the share of sky by the refined one and rescale the other kinds to fill the rest.

    FAINT is subtracted from each other kind first: shares too faint to mean anything would spread an edit there.

    Parameters
    ----------
    found : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1.
    sky : (h, w) ndarray of float32
        The refined share of sky, 0-1.

    Returns
    -------
    (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1; a pixel with no kind left counts as THINGS.
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
    # Where the net saw nothing but sky, it is not known what else is there.
    maps[Kind.THINGS] += np.maximum(1 - sky - known * gain, 0)
    return plane(np.moveaxis(maps, 0, -1))
