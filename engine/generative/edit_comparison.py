"""Compares an edit with the picture that was sent: matches its tone, finds changed content and kept structure."""

from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Pixels, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter

UNCHANGED_LEVELS = 3.0
"""Most levels by which an unchanged pixel may lie outside the range of nearby pixels in the other picture."""
CHANGED_LEVELS = 9.0
"""Least levels outside that range for a pixel to count as fully changed; between both limits it counts in part."""
MIN_PATCH_SHARE = 0.0001
"""Least share of the picture for a changed patch to count as an edit; smaller ones are differences in texture."""
MAX_GAIN = 1.3
"""The largest gain of a channel when the tone of an edit is matched; a larger difference is a real change."""
DARK_LEVEL = 24
"""Level that a channel must exceed in both pictures; below it, the ratio of the two is unreliable."""
CLIPPED_LEVEL = 238
"""Least level of a channel that may be clipped."""
GRAIN_VARIANCE = 4.0
"""Variance of grain (levels squared), added to all variances so that two flat windows correlate fully."""


@dataclass(frozen=True, slots=True)
class EditComparison:
    """An edit with its tone matched to its picture, and where the two differ.

    `edit`: (h, w, 3) bytes, sRGB. `changed` (h, w), 0-1: where the content differs. `alike` (h, w), 0-1: where the
    fine structure is the same, even if colors differ.
    """

    edit: Pixels
    changed: Plane
    alike: Plane

    @property
    def share(self) -> float:
        """How much of the picture has other content."""
        return float((self.changed > 0.5).mean())


def compare_edit(sent: Pixels, edit: Pixels, unchanged: Mask | None) -> EditComparison:
    """Compare an edit with the picture it was made from, once the tone of both is matched.

    Parameters
    ----------
    sent : (h, w, 3) ndarray of uint8
        The picture that was sent, gamma-coded sRGB.
    edit : (h, w, 3) ndarray of uint8
        Its edit, gamma-coded sRGB.
    unchanged : (h, w) ndarray of bool, or None
        Where nothing was to change; the tone is matched there. If None, the tone is matched where the fine
        structure is the same.

    Returns
    -------
    EditComparison
        The edit in the tone of `sent`, and where the two differ.
    """
    alike = _measure_same_structure(sent, edit)
    matched = _match_levels(sent, edit, alike > 0.7 if unchanged is None else unchanged)
    white = cv2.min(sent, edit) >= CLIPPED_LEVEL
    return EditComparison(matched, _find_changed(sent, matched, np.asarray(white, dtype=np.bool_)), alike)


def _match_levels(sent: Pixels, edit: Pixels, trusted: Mask) -> Pixels:
    """The edit with each channel at the level of `sent`, by the `trusted` pixels: models shift all tones."""
    channels = []
    for before, after in zip(cv2.split(sent), cv2.split(edit), strict=True):
        known = trusted & (before > DARK_LEVEL) & (after > DARK_LEVEL) & (before < 250) & (after < 250)
        gain = 1.0
        if known.mean() > 0.02:
            ratios = before[known].astype(np.float32) / after[known]
            gain = float(np.clip(np.median(ratios), 1 / MAX_GAIN, MAX_GAIN))
        channels.append(cv2.convertScaleAbs(after, alpha=gain))
    return np.asarray(cv2.merge(channels), dtype=np.uint8)


def _find_changed(sent: Pixels, edit: Pixels, white: Mask) -> Plane:
    """Where content differs, 0-1. Each pixel is compared with all pixels close by, so that edges may be displaced.

    Channels that are `white` (height x width x 3) in both pictures are ignored: they may be clipped.
    """
    # Both directions are compared. For example, if a cable was removed, the floor that replaces it in the edit is
    # not new, because `sent` shows such floor close by; but the edit shows nothing as dark as the cable close by.
    excess = np.where(white, 0, cv2.max(_measure_excess(edit, sent), _measure_excess(sent, edit))).max(-1)
    soft = smoothstep(plane(cv2.GaussianBlur(plane(excess), (0, 0), 1.0)), UNCHANGED_LEVELS, CHANGED_LEVELS)
    patches = _keep_large_patches(np.asarray(soft > 0.5, dtype=np.bool_))
    # All of a patch counts as changed; otherwise parts of an old outline that happen to match the new content would
    # be kept and look like a ghost.
    return plane(np.maximum(patches, np.where(dilate(patches, 2 * _compute_reach(sent)), soft, 0)))


def _measure_excess(picture: Pixels, other: Pixels) -> Pixels:
    """How many levels each channel is above the highest or below the lowest value close by in the other picture."""
    near = np.ones((2 * _compute_reach(picture) + 1,) * 2, np.uint8)
    above, below = cv2.subtract(picture, cv2.dilate(other, near)), cv2.subtract(cv2.erode(other, near), picture)
    return np.asarray(cv2.max(above, below), dtype=np.uint8)


def _keep_large_patches(mask: Mask) -> Mask:
    """The mask without small islands, and with gaps of less than about 1.6 % of the long side closed."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= MIN_PATCH_SHARE * mask.size
    large[0] = False
    radius = max(1, round(0.008 * max(mask.shape)))
    return erode(dilate(np.asarray(large[labels], dtype=np.bool_), radius), radius)


def _measure_same_structure(sent: Pixels, edit: Pixels) -> Plane:
    """How well luma correlates in a small window around each pixel, 0-1; two flat windows count as the same."""
    before, after = rgb_to_gray(plane(sent)), rgb_to_gray(plane(edit))
    radius = 2 * _compute_reach(sent)
    mean_before, mean_after = box_filter(before, radius), box_filter(after, radius)
    shared = box_filter(plane(before * after), radius) - mean_before * mean_after
    spread_before = np.maximum(box_filter(plane(before * before), radius) - mean_before**2, 0)
    spread_after = np.maximum(box_filter(plane(after * after), radius) - mean_after**2, 0)
    return smoothstep(
        plane(
            (shared + GRAIN_VARIANCE) / np.sqrt((spread_before + GRAIN_VARIANCE) * (spread_after + GRAIN_VARIANCE))
        ),
        0.5,
        0.9,
    )


def _compute_reach(picture: Pixels) -> int:
    """Pixels by which a redrawn edge may be displaced: one for each 768 pixels of the long side, at least one."""
    return max(1, round(float(max(picture.shape)) / 768))
