"""Brings a copy of a photo, resized, cropped or straightened, into the photo's own geometry."""

from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, plane
from engine.quality.structure import measure_structure
from engine.segmentation.scene import shrink_to

SIDE = 768
"""The long side, in pixels, at which pictures are compared."""
LEAST_SIDE = 96
"""Pixels of the shorter side below which pictures are not compared."""
LEAST_MATCHES, ALIKE = 25, 0.75
"""Points found in both from which the geometry is known; how much nearer than the next best one each must be."""
REPROJECTION = 2.0
SAME_PLACE, SAME_ASPECT = 0.006, 0.01
"""Shares of the long side up to which corners lie where they lay, and of the aspect up to which it is the same."""
STRAIGHT, BENT = 0.01, 2e-5
"""Turn and perspective of a transform below which it is a crop alone."""
LEAST_OVERLAP = 0.25
IN_PLACE, RELATED = 0.9, 0.3
"""The median correlation of edges from which two pictures of one aspect lie over each other for sure, and from
which they show the same at all."""


class Fit(StrEnum):
    """How the altered picture's geometry relates to the original's."""

    SAME = "same"
    RESIZED = "resized"
    CROPPED = "cropped"
    STRAIGHTENED = "straightened"


class NotComparable(Exception):
    """The two pictures do not show the same place, or too little of it; the message says which, for people."""


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Both pictures in the original's geometry, small sRGB bytes of one shape, and where both show anything."""

    before: Pixels
    after: Pixels
    shared: Mask
    fit: Fit


def align_pictures(original: Pixels, altered: Pixels) -> AlignedPair:
    """Bring the altered picture over the original.

    Parameters
    ----------
    original, altered : (H, W, 3) ndarray of uint8
        Gamma-coded sRGB, each of its own size.

    Returns
    -------
    AlignedPair
        Both small, in the original's geometry.

    Raises
    ------
    NotComparable
        Where a side is too short, where the two do not show the same place, or share too little of it.
    """
    if min(*original.shape[:2], *altered.shape[:2]) < LEAST_SIDE:
        raise NotComparable(f"A side is under {LEAST_SIDE} pixels: too small to tell anything.")
    before, small = shrink_to(original, SIDE), shrink_to(altered, SIDE)
    laid = None
    if abs(_aspect(original) / _aspect(altered) - 1) < SAME_ASPECT:
        laid = _lay_over(before, small, original.shape == altered.shape)
    alike = 0.0 if laid is None else measure_structure(to_gray(before), to_gray(laid.after), laid.shared).median
    if laid is not None and alike >= IN_PLACE:
        return laid
    found = _find_transform(before, small)
    if laid is not None and (found is None or _keeps_corners(found, before, small)):
        if found is None and alike < RELATED:
            raise NotComparable("The two pictures do not show the same place.")
        return laid
    if found is None:
        raise NotComparable("The pictures have other proportions, and too few points are found in both.")
    return _warp(before, altered, found, small.shape[1] / altered.shape[1])


def _aspect(pixels: Pixels) -> float:
    height, width = pixels.shape[:2]
    return float(width) / float(height)


def _lay_over(before: Pixels, small: Pixels, same_size: bool) -> AlignedPair:
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
    """The homography from the small altered picture to the original; None where it is not known."""
    finder = cv2.SIFT.create(nfeatures=1500, contrastThreshold=0.02)
    there, told_there = finder.detectAndCompute(cv2.cvtColor(before, cv2.COLOR_RGB2GRAY), None)
    here, told_here = finder.detectAndCompute(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), None)
    if min(len(there), len(here)) < LEAST_MATCHES:
        return None
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(told_here, told_there, k=2)
    good = [best[0] for best in pairs if len(best) == 2 and best[0].distance < ALIKE * best[1].distance]
    if len(good) < LEAST_MATCHES:
        return None
    source = plane([here[each.queryIdx].pt for each in good])
    target = plane([there[each.trainIdx].pt for each in good])
    # The same draws each time: whoever checks again gets the same answer.
    cv2.setRNGSeed(0)
    transform, kept = cv2.findHomography(source, target, cv2.RANSAC, REPROJECTION)
    if transform is None or int(kept.sum()) < LEAST_MATCHES:
        return None
    return np.asarray(transform, np.float64)


def _corners(pixels: Pixels) -> NDArray[np.float32]:
    height, width = pixels.shape[:2]
    return plane([[[0, 0], [width, 0], [width, height], [0, height]]])


def _keeps_corners(transform: NDArray[np.float64], before: Pixels, small: Pixels) -> bool:
    moved = cv2.perspectiveTransform(_corners(small), transform) - _corners(before)
    long_side: int = max(before.shape[0], before.shape[1])
    farthest = float(np.abs(moved).max())
    return bool(farthest <= SAME_PLACE * float(long_side))


def _warp(before: Pixels, altered: Pixels, transform: NDArray[np.float64], scale: float) -> AlignedPair:
    """The altered picture, sampled as finely as the original's small one, where both show anything."""
    height, width = before.shape[:2]
    linear = transform[:2, :2] / transform[2, 2]
    if float(np.linalg.det(linear)) <= 0:
        raise NotComparable("The two pictures do not show the same place.")
    # Averaged over areas first: a picture that is sampled too coarsely flickers.
    step = min(1.0, scale * float(np.sqrt(np.linalg.det(linear))))
    size = max(1, round(altered.shape[1] * step)), max(1, round(altered.shape[0] * step))
    fine = cv2.resize(altered, size, interpolation=cv2.INTER_AREA) if step < 1 else altered
    whole = transform @ np.diag(
        [scale * altered.shape[1] / fine.shape[1], scale * altered.shape[0] / fine.shape[0], 1]
    )
    after = cv2.warpPerspective(fine, whole, (width, height), flags=cv2.INTER_CUBIC)
    shown = cv2.warpPerspective(np.full(fine.shape[:2], 255, np.uint8), whole, (width, height))
    shared = np.asarray(cv2.erode(shown, np.ones((5, 5), np.uint8)) > 250, np.bool_)
    if float(shared.mean()) < LEAST_OVERLAP:
        raise NotComparable("The pictures share too little of what they show.")
    fit = Fit.CROPPED if _is_crop(transform) else Fit.STRAIGHTENED
    return AlignedPair(before, np.asarray(after, np.uint8), shared, fit)


def _is_crop(transform: NDArray[np.float64]) -> bool:
    whole = transform / transform[2, 2]
    turned: float = max(abs(whole[0, 1]), abs(whole[1, 0]), abs(whole[0, 0] / whole[1, 1] - 1))
    bent = float(np.abs(whole[2, :2]).max())
    return bool(turned < STRAIGHT and bent < BENT)
