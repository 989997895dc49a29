"""Smoothing filters: Gaussian, box, normalized convolution; local standard deviation and gradient magnitude."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb


def gaussian_blur(values: Plane, sigma: float) -> Plane:
    """Gaussian blur; wide blurs are computed at a smaller size, where they cost little.

    Parameters
    ----------
    values : (H, W) or (H, W, 3) ndarray of float32
        In any range.
    sigma : float
        In pixels; values below 0.3 or above half the long side are clipped.

    Returns
    -------
    ndarray of float32
        The blurred values, in the shape of `values`; beyond the border, the border's values are repeated.
    """
    height, width = values.shape[:2]
    sigma = min(sigma, max(height, width) / 2)
    step = min(int(sigma / 4), min(height, width) // 8)
    if step < 2:
        return plane(cv2.GaussianBlur(values, (0, 0), max(sigma, 0.3), borderType=cv2.BORDER_REPLICATE))
    small = cv2.resize(values, (width // step, height // step), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / step, borderType=cv2.BORDER_REPLICATE)
    return plane(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def box_filter(values: Plane, radius: int) -> Plane:
    """The mean over a square around each pixel.

    Parameters
    ----------
    values : (H, W) or (H, W, 3) ndarray of float32
        In any range.
    radius : int
        In pixels; the square's side is 2 * radius + 1.

    Returns
    -------
    ndarray of float32
        The means, in the shape of `values`; the picture is reflected at its border.
    """
    side = 2 * radius + 1
    return plane(cv2.blur(values, (side, side), borderType=cv2.BORDER_REFLECT))


def gradient_magnitude(values: Plane) -> Plane:
    """Measure how steep the plane is at each pixel, by 3 x 3 Sobel filters.

    Parameters
    ----------
    values : (H, W) ndarray of float32
        In any range.

    Returns
    -------
    (H, W) ndarray of float32
        Change of value per pixel.
    """
    across = cv2.Sobel(values, cv2.CV_32F, 1, 0, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    down = cv2.Sobel(values, cv2.CV_32F, 0, 1, ksize=3, scale=0.125, borderType=cv2.BORDER_REPLICATE)
    return plane(cv2.magnitude(across, down))


def local_std(values: Plane, radius: int) -> Plane:
    """The standard deviation over a square around each pixel.

    Parameters
    ----------
    values : (H, W) ndarray of float32
        In any range.
    radius : int
        In pixels; the square's side is 2 * radius + 1.

    Returns
    -------
    (H, W) ndarray of float32
        In units of `values`.
    """
    mean = box_filter(values, radius)
    return plane(np.sqrt(np.maximum(box_filter(values * values, radius) - mean * mean, 0)))


def normalized_convolution(colors: Plane, weight: Plane, sigma: float) -> Plane:
    """Spread colors from places of high weight into places of low weight, by normalized convolution [1]_.

    Parameters
    ----------
    colors : (h, w, 3) ndarray of float32
        In any range.
    weight : (h, w) ndarray of float32
        How much each pixel's color is known, 0-1.
    sigma : float
        Of the Gaussian, in pixels. A Gaussian six times as wide counts a little, and the mean of all colors still
        less: they fill places far from any weight.

    Returns
    -------
    (h, w, 3) ndarray of float32
        The weighted mean color around each pixel.

    References
    ----------
    .. [1] Knutsson, Westin, "Normalized and Differential Convolution", 1993.
    """
    weighted = plane(colors * gray_to_rgb(weight))
    near = gaussian_blur(weighted, sigma)
    far_sigma = sigma * 6
    far = gaussian_blur(weighted, far_sigma)
    near_weight, far_weight = gaussian_blur(weight, sigma), gaussian_blur(weight, far_sigma)
    total = near_weight + 0.01 * far_weight + 1e-6
    whole = plane(cv2.sumElems(weighted)[:3]) / np.float32(max(float(weight.sum()), 1e-6))
    return plane((near + 0.01 * far + 1e-6 * whole) / gray_to_rgb(plane(total)))
