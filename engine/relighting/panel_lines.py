"""Tells the relief of doors and drawers (frames, panels, gaps) from the grain of their wood."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.filters.smoothing import gaussian_blur

DIRECTIONS = 16
"""Number of directions, over half a turn, along which lines are sought."""
HALF_LENGTH = 1 / 110
"""Half of the length, as a share of the long side, over which a line must go on; grain is shorter or wavy."""
MAX_DETAIL = (-1.1, 0.6)
"""The range of detail, in natural logarithms of luminance, that counts: darker things are no relief."""
COMMON_SIGMA = 1 / 26
"""Sigma, as a share of the long side, of the blur that gives the common strength of lines around each place."""
MIN_COMMON = 0.03
"""Least common strength, in natural logarithms: lines of even surfaces are noise."""
RELIEF = (0.9, 1.8)
"""Multiples of the common strength: lines below the first are grain, lines above the second are relief."""


def find_panel_lines(detail: Plane, surface: Mask) -> Plane:
    """Find the relief of fronts: long, straight lines that are much stronger than the surface's other structure.

    The luminance is averaged along each direction. Lines of the relief stay, because they are straight; grain is
    averaged away, or is as strong as everywhere on the surface.

    Parameters
    ----------
    detail : (h, w) ndarray of float32
        Natural logarithm of the luminance over that of the smooth light.
    surface : (h, w) ndarray of bool
        Where the fronts are, without handles and other things.

    Returns
    -------
    (h, w) ndarray of float32
        Natural logarithm of the relief's light over the smooth light; 0 where there is no relief.
    """
    weight = plane(surface)
    values = plane(np.clip(detail, *MAX_DETAIL) * weight)
    strongest = plane(np.zeros_like(values))
    for kernel in _make_kernels(max(4, round(HALF_LENGTH * max(detail.shape)))):
        along = cv2.filter2D(values, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        known = cv2.filter2D(weight, -1, kernel, borderType=cv2.BORDER_CONSTANT)
        mean = along / np.maximum(known, 0.25)
        strongest = plane(np.where(np.abs(mean) > np.abs(strongest), mean, strongest))
    strength = plane(np.abs(strongest) * weight)
    sigma = COMMON_SIGMA * max(detail.shape)
    common = gaussian_blur(strength, sigma) / np.maximum(gaussian_blur(weight, sigma), 1e-3)
    kept = smoothstep(plane(strength / np.maximum(common, MIN_COMMON)), *RELIEF)
    return plane(strongest * kept * weight)


def _make_kernels(half: int) -> list[NDArray[np.float32]]:
    """Lines of twice `half` pixels and one through the middle, one for each direction; each sums to 1."""
    kernels = []
    for number in range(DIRECTIONS):
        angle = np.pi * number / DIRECTIONS
        reach = np.array([np.cos(angle), np.sin(angle)]) * half
        ends = [tuple(int(each) for each in np.round((half + side * reach) * 16)) for side in (-1, 1)]
        kernel = np.zeros((2 * half + 1, 2 * half + 1), np.uint8)
        cv2.line(kernel, ends[0], ends[1], 255, 1, cv2.LINE_AA, 4)
        kernels.append(plane(kernel / kernel.sum()))
    return kernels
