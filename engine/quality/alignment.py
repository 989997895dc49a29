"""Aligns a resized, cropped or straightened copy of a photo with the photo."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, plane
from engine.quality.structure import measure_structure
from engine.segmentation.scene import shrink_to

COMPARED_SIDE = 768
"""The long side, in pixels, at which pictures are compared."""
MIN_SIDE = 96
"""Least short side, in pixels, of a picture that can be compared."""
MIN_MATCHES = 25
"""Least number of points matched in both pictures for the geometry to count as known."""
MAX_DISTANCE_RATIO = 0.75
"""Largest descriptor distance of a point's best match, as a share of the distance of its second-best match."""
MAX_REPROJECTION_ERROR = 2.0
"""Largest distance, in pixels, between a matched point and its position by the homography."""
MAX_CORNER_MOVE = 0.006
"""Largest movement of a corner, as a share of the long side, in an altered picture with the original's framing."""
MAX_ASPECT_DIFFERENCE = 0.01
"""Largest relative difference of two aspect ratios for them to count as the same."""
MAX_CROP_ROTATION = 0.01
"""Largest element of a homography for rotation or uneven scaling that still counts as a crop."""
MAX_CROP_PERSPECTIVE = 2e-5
"""Largest perspective element of a homography (per pixel) that still counts as a crop."""
MIN_OVERLAP = 0.25
"""Least share of the original that the altered picture must show."""
MIN_CERTAIN_CORRELATION = 0.9
"""Least median correlation of edges at which two pictures with the same aspect ratio are certainly aligned."""
MIN_RELATED_CORRELATION = 0.3
"""Least median correlation of edges at which two such pictures show the same place."""


class Fit(StrEnum):
    """How the altered picture's geometry relates to the original's."""

    SAME = "same"
    RESIZED = "resized"
    CROPPED = "cropped"
    STRAIGHTENED = "straightened"


class NotComparable(Exception):
    """The pictures show different places, share too little, or are too small; the message says which."""


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Both pictures in the original's geometry, as small sRGB bytes of one shape.

    `shared` is the area that both pictures show.
    """

    before: Pixels
    after: Pixels
    shared: Mask
    fit: Fit


def align_pictures(original: Pixels, altered: Pixels) -> AlignedPair:
    """Align the altered picture with the original.

    Parameters
    ----------
    original, altered : (H, W, 3) ndarray of uint8
        Gamma-coded sRGB, each of its own size.

    Returns
    -------
    AlignedPair
        Both pictures, small, in the original's geometry.

    Raises
    ------
    NotComparable
        If a side is too short, or the two pictures show different places or share too little.
    """
    if min(*original.shape[:2], *altered.shape[:2]) < MIN_SIDE:
        raise NotComparable(f"A side is under {MIN_SIDE} pixels: too small to tell anything.")
    before, small = shrink_to(original, COMPARED_SIDE), shrink_to(altered, COMPARED_SIDE)
    overlaid = None
    if abs(_compute_aspect(original) / _compute_aspect(altered) - 1) < MAX_ASPECT_DIFFERENCE:
        overlaid = _overlay(before, small, original.shape == altered.shape)
    alike = (
        0.0
        if overlaid is None
        else measure_structure(to_gray(before), to_gray(overlaid.after), overlaid.shared).median
    )
    if overlaid is not None and alike >= MIN_CERTAIN_CORRELATION:
        return overlaid
    transform = _find_transform(before, small)
    if overlaid is not None and (transform is None or _keeps_corners(transform, before, small)):
        if transform is None and alike < MIN_RELATED_CORRELATION:
            raise NotComparable("The two pictures do not show the same place.")
        return overlaid
    if transform is None:
        raise NotComparable("The pictures have other proportions, and too few points are found in both.")
    return _warp(before, altered, transform, small.shape[1] / altered.shape[1])


def _compute_aspect(pixels: Pixels) -> float:
    height, width = pixels.shape[:2]
    return float(width) / float(height)


def _overlay(before: Pixels, small: Pixels, same_size: bool) -> AlignedPair:
    height, width = before.shape[:2]
    after = small
    if small.shape != before.shape:
        after = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)
    return AlignedPair(before, after, np.ones((height, width), np.bool_), Fit.SAME if same_size else Fit.RESIZED)


def to_gray(pixels: Pixels) -> NDArray[np.float32]:
    """Rec. 601 luma of a picture.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        Gamma-coded RGB.

    Returns
    -------
    (H, W) ndarray of float32
        0-1.
    """
    return plane(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)) / np.float32(255)


def _find_transform(before: Pixels, small: Pixels) -> NDArray[np.float64] | None:
    """The homography from the small altered picture to the original; None if it cannot be found."""
    finder = cv2.SIFT.create(nfeatures=1500, contrastThreshold=0.02)
    original_points, original_descriptors = finder.detectAndCompute(cv2.cvtColor(before, cv2.COLOR_RGB2GRAY), None)
    altered_points, altered_descriptors = finder.detectAndCompute(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), None)
    if min(len(original_points), len(altered_points)) < MIN_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(altered_descriptors, original_descriptors, k=2)
    good = [
        best[0] for best in pairs if len(best) == 2 and best[0].distance < MAX_DISTANCE_RATIO * best[1].distance
    ]
    if len(good) < MIN_MATCHES:
        return None
    source = plane([altered_points[each.queryIdx].pt for each in good])
    target = plane([original_points[each.trainIdx].pt for each in good])
    # RANSAC draws at random; with a fixed seed, another check of the same pictures gives the same answer.
    cv2.setRNGSeed(0)
    transform, kept = cv2.findHomography(source, target, cv2.RANSAC, MAX_REPROJECTION_ERROR)
    if transform is None or int(kept.sum()) < MIN_MATCHES:
        return None
    return np.asarray(transform, np.float64)


def _list_corners(pixels: Pixels) -> NDArray[np.float32]:
    height, width = pixels.shape[:2]
    return plane([[[0, 0], [width, 0], [width, height], [0, height]]])


def _keeps_corners(transform: NDArray[np.float64], before: Pixels, small: Pixels) -> bool:
    moved = cv2.perspectiveTransform(_list_corners(small), transform) - _list_corners(before)
    long_side: int = max(before.shape[0], before.shape[1])
    farthest = float(np.abs(moved).max())
    return bool(farthest <= MAX_CORNER_MOVE * float(long_side))


def _warp(before: Pixels, altered: Pixels, transform: NDArray[np.float64], scale: float) -> AlignedPair:
    """Warp the altered picture onto the original's small copy, at the resolution of that copy."""
    height, width = before.shape[:2]
    linear = transform[:2, :2] / transform[2, 2]
    if float(np.linalg.det(linear)) <= 0:
        raise NotComparable("The two pictures do not show the same place.")
    # Shrunk by averaging before it is warped, to prevent aliasing.
    step = min(1.0, scale * float(np.sqrt(np.linalg.det(linear))))
    size = max(1, round(altered.shape[1] * step)), max(1, round(altered.shape[0] * step))
    fine = cv2.resize(altered, size, interpolation=cv2.INTER_AREA) if step < 1 else altered
    whole = transform @ np.diag(
        [scale * altered.shape[1] / fine.shape[1], scale * altered.shape[0] / fine.shape[0], 1]
    )
    after = cv2.warpPerspective(fine, whole, (width, height), flags=cv2.INTER_CUBIC)
    shown = cv2.warpPerspective(np.full(fine.shape[:2], 255, np.uint8), whole, (width, height))
    shared = np.asarray(cv2.erode(shown, np.ones((5, 5), np.uint8)) > 250, np.bool_)
    if float(shared.mean()) < MIN_OVERLAP:
        raise NotComparable("The pictures share too little of what they show.")
    fit = Fit.CROPPED if _is_crop(transform) else Fit.STRAIGHTENED
    return AlignedPair(before, np.asarray(after, np.uint8), shared, fit)


def _is_crop(transform: NDArray[np.float64]) -> bool:
    whole = transform / transform[2, 2]
    rotation: float = max(abs(whole[0, 1]), abs(whole[1, 0]), abs(whole[0, 0] / whole[1, 1] - 1))
    perspective = float(np.abs(whole[2, :2]).max())
    return bool(rotation < MAX_CROP_ROTATION and perspective < MAX_CROP_PERSPECTIVE)
