"""Dilation and erosion of masks."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask


def dilate(mask: Mask, radius: int) -> Mask:
    """The mask dilated by a disc.

    Parameters
    ----------
    mask : (H, W) ndarray of bool
        The mask; it is not changed.
    radius : int
        Of the disc, in pixels; the mask is not widened by 0 or less.

    Returns
    -------
    (H, W) ndarray of bool
        The wider mask.
    """
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _disc(radius)) > 0, dtype=np.bool_)


def erode(mask: Mask, radius: int) -> Mask:
    """The mask eroded by a disc; the picture's border does not narrow it.

    Parameters
    ----------
    mask : (H, W) ndarray of bool
        The mask; it is not changed.
    radius : int
        Of the disc, in pixels; the mask is not narrowed by 0 or less.

    Returns
    -------
    (H, W) ndarray of bool
        The narrower mask.
    """
    return np.asarray(cv2.erode(mask.astype(np.uint8), _disc(radius)) > 0, dtype=np.bool_)


def _disc(radius: int) -> NDArray[np.uint8]:
    side = 2 * max(radius, 0) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), dtype=np.uint8)
