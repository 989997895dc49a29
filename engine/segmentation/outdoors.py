"""Decides whether a photo was taken outdoors, and corrects the labels of pixels accordingly."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import rgb_to_gray
from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import NetworkOutput

MIN_SURE_ODDS = 2.0
"""Minimum absolute log odds of a room at which it is certain where a photo was taken."""
MAX_GAIN = 4.0
"""Maximum factor for a label's share: if the net found almost only ceiling, other shares are not reliable."""
NOISE_SIGMA = 1.5
"""Sigma, in pixels, of the blur that removes noise."""
MAX_NOISE_SHARE = 0.6
"""Maximum share of the variance that the blur removes; above it a picture is only noise. Photos have up to 0.25."""
MAX_PLAIN_CONTRAST = 0.004
"""A picture with a smaller standard deviation of luma (0-1) is one plain tone."""
FULL_SKY_SHARE = 0.05
"""A photo with this share of sky was almost certainly not taken in a room: SKY_ODDS is subtracted completely."""
SKY_ODDS = 2.0
"""Log odds that are subtracted from those of a room for visible sky; a smaller share than FULL_SKY_SHARE subtracts
proportionally less.
"""
_OUTSIDE = [NUMBER[label] for label in list(Label)[: NUMBER[Label.PERSON]]]
_INSIDE = [NUMBER[label] for label in list(Label)[NUMBER[Label.WALL] :]]


def is_outdoors(output: NetworkOutput) -> bool:
    """Whether a photo was taken outdoors, by the net's facts and pixels.

    Parameters
    ----------
    output : NetworkOutput
        The net's output for the photo.

    Returns
    -------
    bool
        True if it is certain: an uncertain photo counts as taken in a room, so that no room gets a sky.
    """
    return measure_indoors(output) < -MIN_SURE_ODDS


def measure_indoors(output: NetworkOutput) -> float:
    """Compute the log odds that the photo was taken in a room.

    Parameters
    ----------
    output : NetworkOutput
        The net's output for the photo.

    Returns
    -------
    float
        Natural logarithm of the odds; negative if taken outdoors.
    """
    inside, outside = (_sum_shares(output.labels, indices) for indices in (_INSIDE, _OUTSIDE))
    sky = min(float(output.labels[..., NUMBER[Label.SKY]].mean()) / FULL_SKY_SHARE, 1.0)
    return (
        _compute_log_odds(output.indoors) + _compute_log_odds(inside / max(inside + outside, 1e-3)) - SKY_ODDS * sky
    )


def is_only_noise(small: Plane) -> bool:
    """Whether a small picture varies only from one pixel to the next, as noise does.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, 0-1.

    Returns
    -------
    bool
        True if a blur of NOISE_SIGMA removes more than MAX_NOISE_SHARE of the variance of its luma.
    """
    gray = rgb_to_gray(small)
    noise = gray - cv2.GaussianBlur(gray, (0, 0), NOISE_SIGMA)
    return bool(noise.var() > MAX_NOISE_SHARE * gray.var())


def is_one_tone(small: Plane) -> bool:
    """Whether a small picture is one plain tone.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, 0-1.

    Returns
    -------
    bool
        True if the standard deviation of its luma is below MAX_PLAIN_CONTRAST.
    """
    return bool(rgb_to_gray(small).std() < MAX_PLAIN_CONTRAST)


def restrict_to_outdoors(labels: Plane) -> Plane:
    """Redistribute the share of ceiling to the other labels, for a photo that is known to be taken outdoors.

    Without it, the net labels a plain gray or white sky partly as ceiling.

    Parameters
    ----------
    labels : (h, w, len(Label)) ndarray of float32
        Shares of each label, 0-1, summing to 1.

    Returns
    -------
    (h, w, len(Label)) ndarray of float32
        Shares that sum to 1; all labels but ceiling grow by the same factor, at most MAX_GAIN.
    """
    ceiling = labels[..., NUMBER[Label.CEILING], None]
    gain = np.minimum(1 / np.maximum(1 - ceiling, np.float32(1e-3)), np.float32(MAX_GAIN))
    redistributed = plane(labels * gain)
    redistributed[..., NUMBER[Label.CEILING], None] = 1 - (1 - ceiling) * gain
    return plane(redistributed)


def _sum_shares(labels: Plane, indices: list[int]) -> float:
    return float(labels[..., indices].sum())


def _compute_log_odds(probability: float) -> float:
    certain = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(certain / (1 - certain)))
