"""Channels of a picture: gray from RGB, RGB from gray, the largest and the smallest channel."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Plane, plane


def gray_to_rgb(values: Plane) -> Plane:
    """Repeat one channel three times; OpenCV does it several times as fast as NumPy.

    Parameters
    ----------
    values : (h, w) ndarray of float32
        Values of any range.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The same values in each channel.
    """
    return plane(cv2.merge([values, values, values]))


def scale_channels(values: Plane, color: Sequence[float]) -> Plane:
    """Multiply one channel by each number of a color: one channel of the result for each number.

    Parameters
    ----------
    values : (h, w) ndarray of float32
        Values of any range.
    color : Sequence of float
        Three or more factors, one for each channel of the result.

    Returns
    -------
    (h, w, C) ndarray of float32
        C channels, one for each number of `color`.
    """
    return plane(cv2.merge([plane(values * np.float32(each)) for each in color]))


def rgb_to_gray(rgb: Plane) -> Plane:
    """The Rec. 601 luma of a picture.

    Parameters
    ----------
    rgb : (h, w, 3) ndarray of float32
        Values of any range, linear or gamma-coded.

    Returns
    -------
    (h, w) ndarray of float32
        Values in the range of `rgb`.
    """
    return plane(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))


def max_channel(rgb: Plane) -> Plane:
    """The largest of the three colors of each pixel.

    Parameters
    ----------
    rgb : (h, w, 3) ndarray of float32
        Values of any range.

    Returns
    -------
    (h, w) ndarray of float32
        Values in the range of `rgb`.
    """
    red, green, blue = cv2.split(rgb)
    return plane(cv2.max(cv2.max(red, green), blue))


def min_channel(rgb: Plane) -> Plane:
    """The smallest of the three colors of each pixel.

    Parameters
    ----------
    rgb : (h, w, 3) ndarray of float32
        Values of any range.

    Returns
    -------
    (h, w) ndarray of float32
        Values in the range of `rgb`.
    """
    red, green, blue = cv2.split(rgb)
    return plane(cv2.min(cv2.min(red, green), blue))


def neutralize_highlights(rgb: Plane) -> Plane:
    """Make light tones neutral on average, so that rules about colors also apply to photos in evening sun.

    Parameters
    ----------
    rgb : (h, w, 3) ndarray of float32
        A small picture, gamma-coded, 0-1; its lightest 30 percent count as light tones.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The picture with one gain for each channel; not clipped, so values may exceed 1.
    """
    gray = rgb_to_gray(rgb)
    light = rgb[gray >= np.quantile(gray, 0.7)].mean(0)
    return plane(rgb * (light.mean() / np.maximum(light, 0.05)))
