"""The classifier of outdoor and indoor photos, and what follows from it for each pixel."""

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.color.channels import rgb_to_gray
from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import NetworkOutput

MOST_RAISED = 4.0
"""The most by which a label's share is multiplied: where the net saw almost only ceiling, the rest says little."""
FINE = 1.5
"""Width in pixels (sigma) of the blur that evens out noise."""
MOST_FINE = 0.6
"""Largest share of the variance finer than FINE; above it a picture is only noise. Photos have up to a quarter."""
PLAIN = 0.004
"""A picture is one plain tone if the standard deviation of its luma (0-1) is below this."""
OPEN_SKY = 0.05
"""The share of sky at which it is nearly certain that a photo was not taken in a room; SKY_SAYS counts in full."""
SKY_SAYS = 2.0
"""What is subtracted from the log odds of a room for the sky in view: all of it from a share of OPEN_SKY on."""
_OUTSIDE = [NUMBER[label] for label in list(Label)[: NUMBER[Label.PERSON]]]
_INSIDE = [NUMBER[label] for label in list(Label)[NUMBER[Label.WALL] :]]


def is_outdoors(seen: NetworkOutput) -> bool:
    """Whether the net takes the photo for one taken outdoors, by the whole photo and by its pixels.

    Parameters
    ----------
    seen : NetworkOutput
        The net's output for the photo.

    Returns
    -------
    bool
        True where the log odds of a room are negative.
    """
    return measure_indoors(seen) < 0


def measure_indoors(seen: NetworkOutput) -> float:
    """The log odds that the photo was taken in a room.

    Parameters
    ----------
    seen : NetworkOutput
        The net's output for the photo.

    Returns
    -------
    float
        Natural logarithm of the odds; negative: taken outdoors.
    """
    inside, outside = (_share(seen.labels, among) for among in (_INSIDE, _OUTSIDE))
    sky = min(float(seen.labels[..., NUMBER[Label.SKY]].mean()) / OPEN_SKY, 1.0)
    return _odds(seen.indoors) + _odds(inside / max(inside + outside, 1e-3)) - SKY_SAYS * sky


def is_only_noise(small: Plane) -> bool:
    """Whether a small picture varies only from one pixel to the next, as noise does.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, 0-1.

    Returns
    -------
    bool
        True where more than MOST_FINE of its luma's variance is finer than FINE pixels.
    """
    gray = rgb_to_gray(small)
    fine = gray - cv2.GaussianBlur(gray, (0, 0), FINE)
    return bool(fine.var() > MOST_FINE * gray.var())


def is_one_tone(small: Plane) -> bool:
    """Whether a small picture is one plain tone.

    Parameters
    ----------
    small : (h, w, 3) ndarray of float32
        The small picture, gamma-coded, 0-1.

    Returns
    -------
    bool
        True where the standard deviation of its luma is below PLAIN.
    """
    return bool(rgb_to_gray(small).std() < PLAIN)


def restrict_to_outdoors(labels: Plane) -> Plane:
    """Redistribute the share of ceiling to the other labels, for a photo that is known to be taken outdoors.

    Otherwise the net takes a plain gray or white sky for half a ceiling, and is not sure that it is sky.

    Parameters
    ----------
    labels : (h, w, len(Label)) ndarray of float32
        Shares of each label, 0-1, summing to 1.

    Returns
    -------
    (h, w, len(Label)) ndarray of float32
        Shares that sum to 1; all labels but ceiling grow by the same factor, at most MOST_RAISED.
    """
    ceiling = labels[..., NUMBER[Label.CEILING], None]
    gain = np.minimum(1 / np.maximum(1 - ceiling, np.float32(1e-3)), np.float32(MOST_RAISED))
    found = plane(labels * gain)
    found[..., NUMBER[Label.CEILING], None] = 1 - (1 - ceiling) * gain
    return plane(found)


def _share(labels: Plane, among: list[int]) -> float:
    return float(labels[..., among].sum())


def _odds(probability: float) -> float:
    certain = float(np.clip(probability, 1e-3, 1 - 1e-3))
    return float(np.log(certain / (1 - certain)))
