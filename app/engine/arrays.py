"""The array shapes the engine speaks of, and the few OpenCV filters it uses, under those types."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

# Height x width x 3, red green blue, 0-255, gamma-coded in the photo's own colour space unless said otherwise.
Pixels = NDArray[np.uint8]
# Height x width, 0-255: how much of each pixel belongs to a region.
Matte = NDArray[np.uint8]
# Height x width (or x 3), usually 0-1.
Plane = NDArray[np.float32]
Mask = NDArray[np.bool_]


def plane(values: object) -> Plane:
    """The values as a float32 plane; no copy when they already are one."""
    return np.asarray(values, dtype=np.float32)


def matte(values: object) -> Matte:
    """Values of 0-1 as a matte of 0-255."""
    return np.asarray(np.clip(np.asarray(values) * 255 + 0.5, 0, 255), dtype=np.uint8)


def blurred(values: Plane, sigma: float) -> Plane:
    """Gaussian blur; `sigma` in pixels. Wide ones are found at a smaller size, where they cost little."""
    height, width = values.shape[:2]
    sigma = min(sigma, max(height, width) / 2)
    step = min(int(sigma / 4), min(height, width) // 8)
    if step < 2:
        return plane(cv2.GaussianBlur(values, (0, 0), max(sigma, 0.3), borderType=cv2.BORDER_REPLICATE))
    small = cv2.resize(values, (width // step, height // step), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / step, borderType=cv2.BORDER_REPLICATE)
    return plane(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def box_mean(values: Plane, radius: int) -> Plane:
    """The mean over a square of 2 * radius + 1 pixels."""
    side = 2 * radius + 1
    return plane(cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT))


def grown(mask: Mask, radius: int) -> Mask:
    """The mask widened by `radius` pixels in every direction."""
    return np.asarray(cv2.dilate(mask.astype(np.uint8), _disc(radius)) > 0, dtype=np.bool_)


def shrunk(mask: Mask, radius: int) -> Mask:
    """The mask narrowed by `radius` pixels; the picture's border does not narrow it."""
    return np.asarray(cv2.erode(mask.astype(np.uint8), _disc(radius)) > 0, dtype=np.bool_)


def _disc(radius: int) -> NDArray[np.uint8]:
    side = 2 * max(radius, 0) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), dtype=np.uint8)


def tripled(values: Plane) -> Plane:
    """Height x width values repeated for the three colours: NumPy's own way of it takes several times as long."""
    return plane(cv2.merge([values, values, values]))


def coloured(values: Plane, colour: Sequence[float]) -> Plane:
    """Height x width values times each of three or more numbers: height x width x as many."""
    return plane(cv2.merge([plane(values * np.float32(each)) for each in colour]))


def luminance(rgb: Plane) -> Plane:
    """Height x width Rec. 601 luma of a height x width x 3 plane, in the same range."""
    return plane(cv2.cvtColor(rgb, cv2.COLOR_RGB2GRAY))


def edge_strength(values: Plane) -> Plane:
    """How steep the plane is at each pixel: central differences, in value per pixel."""
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    return plane(cv2.magnitude(across, down))


def spread(values: Plane, radius: int) -> Plane:
    """The standard deviation over a square of 2 * radius + 1 pixels."""
    mean = box_mean(values, radius)
    return plane(np.sqrt(np.maximum(box_mean(values * values, radius) - mean * mean, 0)))


def ramp(values: Plane, low: float, high: float) -> Plane:
    """A smooth step: 0 below `low`, 1 above `high` (or the reverse when low > high)."""
    share = np.clip((values - low) / (high - low), 0, 1)
    return plane(share * share * (3 - 2 * share))


def spread_from(colours: Plane, weight: Plane, sigma: float) -> Plane:
    """Colours carried into the places of little weight from the weighted places around (normalised convolution)."""
    weighted = plane(colours * tripled(weight))
    near = blurred(weighted, sigma)
    far_sigma = sigma * 6
    far = blurred(weighted, far_sigma)
    near_weight, far_weight = blurred(weight, sigma), blurred(weight, far_sigma)
    total = near_weight + 0.01 * far_weight + 1e-6
    whole = plane(cv2.sumElems(weighted)[:3]) / np.float32(max(float(weight.sum()), 1e-6))
    return plane((near + 0.01 * far + 1e-6 * whole) / tripled(plane(total)))


def brightest_channel(rgb: Plane) -> Plane:
    """Height x width: the largest of the three colours of each pixel."""
    red, green, blue = cv2.split(rgb)
    return plane(cv2.max(cv2.max(red, green), blue))


def weakest_channel(rgb: Plane) -> Plane:
    """Height x width: the smallest of the three colours of each pixel."""
    red, green, blue = cv2.split(rgb)
    return plane(cv2.min(cv2.min(red, green), blue))


def like_neutral_light(rgb: Plane) -> Plane:
    """The picture with its light tones made neutral on average, so that colour rules hold in evening sun too."""
    grey = luminance(rgb)
    light = rgb[grey >= np.quantile(grey, 0.7)].mean(0)
    return plane(rgb * (light.mean() / np.maximum(light, 0.05)))
