"""Channels of a picture: gray, largest and smallest channel, gray to RGB."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.arrays import Plane, plane


def gray_to_rgb(values: Plane) -> Plane:
    """Height x width values repeated for the three colors: NumPy's own way of it takes several times as long."""
    return plane(cv2.merge([values, values, values]))


def scale_channels(values: Plane, color: Sequence[float]) -> Plane:
    """Height x width values times each of three or more numbers: height x width x as many."""
    return plane(cv2.merge([plane(values * np.float32(each)) for each in color]))


def rgb_to_gray(rgb: Plane) -> Plane:
    """Height x width Rec. 601 luma of a height x width x 3 plane, in the same range."""
    return plane(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))


def max_channel(rgb: Plane) -> Plane:
    """Height x width: the largest of the three colors of each pixel."""
    red, green, blue = cv2.split(rgb)
    return plane(cv2.max(cv2.max(red, green), blue))


def min_channel(rgb: Plane) -> Plane:
    """Height x width: the smallest of the three colors of each pixel."""
    red, green, blue = cv2.split(rgb)
    return plane(cv2.min(cv2.min(red, green), blue))


def neutralize_highlights(rgb: Plane) -> Plane:
    """The picture with its light tones made neutral on average, so that color rules hold in evening sun too."""
    gray = rgb_to_gray(rgb)
    light = rgb[gray >= np.quantile(gray, 0.7)].mean(0)
    return plane(rgb * (light.mean() / np.maximum(light, 0.05)))
