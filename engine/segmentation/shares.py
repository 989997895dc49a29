"""Resizes the shares of kinds in each pixel, and inserts a refined share of sky."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.segmentation.labels import Kind

NOISE_SHARE = 0.08
"""`insert_sky` subtracts this from all shares except the sky's: smaller shares are noise."""


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
    for share, resized in zip(np.moveaxis(kinds, -1, 0), maps, strict=True):
        cv2.resize(np.ascontiguousarray(share), (shape[1], shape[0]), dst=resized, interpolation=cv2.INTER_LINEAR)
    return plane(np.moveaxis(maps, 0, -1))


def insert_sky(shares: Plane, sky: Plane) -> Plane:
    """Replace the share of sky by the refined one and rescale the other kinds to fill the rest.

    NOISE_SHARE is subtracted from each other kind first. Else the rescaling would enlarge noise.

    Parameters
    ----------
    shares : (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1.
    sky : (h, w) ndarray of float32
        The refined share of sky, 0-1.

    Returns
    -------
    (h, w, len(Kind)) ndarray of float32
        Shares of each kind, 0-1, summing to 1; a pixel with no kind left counts as THINGS.
    """
    maps = np.moveaxis(shares, -1, 0).copy()
    sum_of_others = np.zeros_like(sky)
    for kind, share in enumerate(maps):
        if kind != Kind.SKY:
            np.maximum(share - np.float32(NOISE_SHARE), 0, out=share)
            sum_of_others += share
    gain = (1 - sky) / np.maximum(sum_of_others, np.float32(1e-3))
    maps *= gain
    maps[Kind.SKY] = sky
    # Where the net found only sky, the rest of the pixel has no known kind.
    maps[Kind.THINGS] += np.maximum(1 - sky - sum_of_others * gain, 0)
    return plane(np.moveaxis(maps, 0, -1))
