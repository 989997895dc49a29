"""Exposure brackets: frames of one photo fused into one picture that shows the room and the window view."""

import hashlib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np

from engine.arrays import Mask, Matte, Pixels, Plane, matte, plane
from engine.color.channels import rgb_to_gray
from engine.filters.morphology import dilate, erode
from engine.filters.smoothing import box_filter, gaussian_blur
from engine.filters.strips import THREADS, apply_lut
from engine.fusion.alignment import MIN_LIKENESS, SMALL_SIDE, Motion, compose_motions, estimate_motion
from engine.fusion.pyramid_blending import Tones, blend_pyramids, compute_exposure_weights
from engine.fusion.shots import AlignedShot, BracketError, Shot
from engine.io.photo import DecodedPhoto
from engine.quality import limits
from engine.quality.ghosting import measure_ghosting
from engine.segmentation.scene import shrink_to

MIN_FRAMES, MAX_FRAMES = 2, 9
"""The number of frames that a photo may have."""
MIN_MOVED_DIFFERENCE = 0.1
"""Least mean difference (0-1) of a frame from its prediction by the reference for a place to count as moved."""
REFERENCE_TOLERANCE = 0.03
"""Error (0-1) that the reference's own values may have, for example from stray light in the lens."""
MAX_GAIN = 1.2
"""The largest gain that the tone curve of the blend may have."""


def fuse_brackets(shots: Sequence[Shot]) -> DecodedPhoto:
    """Fuse two to nine exposures of one view into one picture.

    Parameters
    ----------
    shots : Sequence of Shot
        The frames, in any order.

    Returns
    -------
    DecodedPhoto
        The fused photo, with profile, format and capture data of the best-exposed frame, to which the other frames
        are aligned.

    Raises
    ------
    BracketError
        For too few or too many frames; where sizes, color profiles or views differ; where something that moved
        would be seen twice; where a file changed while it was read.
    """
    ordered = check_brackets(shots)
    middle = int(np.argmax([shot.well_exposed for shot in ordered]))
    aligned = align_brackets(ordered, middle)
    weights = _compute_weights(aligned, middle)
    # Small frames are warped again for each use: nine of them, held as floats, would take 2 bytes for each pixel of
    # a photo of 24 megapixels.
    rough = plane(sum(each.warp_small() * weight[..., None] for each, weight in zip(aligned, weights, strict=True)))
    pixels = blend_pyramids(aligned, weights, _choose_tones(rough))
    reject_ghosts((each.warp_small() for each in aligned), pixels)
    return replace(ordered[middle].small_photo, pixels=pixels, digest=join_digests(shots))


def check_brackets(shots: Sequence[Shot]) -> list[Shot]:
    """Check that the frames can belong to one photo, and sort them from dark to light.

    Parameters
    ----------
    shots : Sequence of Shot
        The frames, in any order.

    Returns
    -------
    list of Shot
        Sorted by mean brightness.

    Raises
    ------
    BracketError
        For fewer than MIN_FRAMES or more than MAX_FRAMES frames, and where sizes or color profiles differ.
    """
    if not MIN_FRAMES <= len(shots) <= MAX_FRAMES:
        raise BracketError(f"Brackets need {MIN_FRAMES} to {MAX_FRAMES} frames of one photo, not {len(shots)}.")
    sizes = sorted({shot.shape[1::-1] for shot in shots})
    if len(sizes) > 1:
        named = " and ".join(f"{width} x {height}" for width, height in sizes)
        raise BracketError(f"The frames differ in size: {named} pixels.")
    if len({shot.small_photo.profile.icc for shot in shots}) > 1:
        raise BracketError("The frames differ in their color profile.")
    return sorted(shots, key=lambda shot: (shot.brightness, shot.small_photo.digest))


def align_brackets(ordered: Sequence[Shot], middle: int) -> list[AlignedShot]:
    """Align all frames with one of them: align neighbors in exposure, and compose their motions.

    Parameters
    ----------
    ordered : Sequence of Shot
        The frames from dark to light.
    middle : int
        Index of the reference frame.

    Returns
    -------
    list of AlignedShot
        In the order of `ordered`.

    Raises
    ------
    BracketError
        Where neighbors do not show the same view.
    """
    # The first frame of each pair is the one nearer to the middle.
    pairs = [
        (darker, lighter) if place >= middle else (lighter, darker)
        for place, (darker, lighter) in enumerate(pairwise(ordered))
    ]
    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda pair: estimate_full_motion(*pair), pairs))
    if any(likeness < MIN_LIKENESS for _, likeness in found):
        raise BracketError("The frames do not show the same view.")
    steps = [motion for motion, _ in found]
    return [AlignedShot(shot, _find_motion(place, middle, steps)) for place, shot in enumerate(ordered)]


def estimate_full_motion(one: Shot, other: Shot) -> tuple[Motion | None, float]:
    """Estimate the movement between two frames at full size, and how alike the aligned frames are.

    Parameters
    ----------
    one, other : Shot
        Reference frame and other frame, of the same size.

    Returns
    -------
    motion : (2, 3) ndarray of float32 or None
        Maps pixels of `one` to pixels of `other`; None where nothing moved or the movement cannot be found.
    likeness : float
        Correlation of local contrast, -1 to 1; 1 where it cannot be measured.
    """
    return estimate_motion(one.small_photo.pixels, other.small_photo.pixels, one.shape)


def reject_ghosts(smalls: Iterable[Plane], merged: Pixels) -> None:
    """Reject a merged picture in which things that moved between the frames are seen twice.

    Parameters
    ----------
    smalls : Iterable of (h, w, 3) ndarray of float32
        The aligned frames at a small size, long side at most SMALL_SIDE, 0-1.
    merged : (H, W, 3) ndarray of uint8
        The merged picture, full size.

    Raises
    ------
    BracketError
        Where more of the picture than the limits allow is a mixture of frames that differ.
    """
    merged_luma = rgb_to_gray(plane(shrink_to(merged, SMALL_SIDE)) / np.float32(255))
    ghost_share, ghost_loss = measure_ghosting([rgb_to_gray(small) for small in smalls], merged_luma)
    if ghost_share > limits.MAX_GHOST_SHARE or ghost_loss > limits.MAX_GHOST_LOSS:
        raise BracketError("Something moved between the frames: merged, it would be seen twice.")


def join_digests(shots: Sequence[Shot]) -> str:
    """One digest for a set of frames; it does not depend on their order.

    Parameters
    ----------
    shots : Sequence of Shot
        The frames.

    Returns
    -------
    str
        SHA-256 of their sorted digests, hexadecimal.
    """
    return hashlib.sha256("".join(sorted(shot.small_photo.digest for shot in shots)).encode()).hexdigest()


def _compute_weights(aligned: Sequence[AlignedShot], middle: int) -> list[Plane]:
    """The weight of each frame at each pixel of the small size; they sum to 1."""
    reference = aligned[middle].warp_small()
    with ThreadPoolExecutor(THREADS) as threads:
        usable = threads.map(
            lambda each: None if each is aligned[middle] else _find_usable(each, reference), aligned
        )
        by_exposure = compute_exposure_weights(each.warp_small() for each in aligned)
        weights = [
            each if own is None else plane(each * own) for each, own in zip(by_exposure, usable, strict=True)
        ]
    total = plane(np.sum(weights, axis=0) + 1e-9)
    return [plane(weight / total) for weight in weights]


def _find_motion(place: int, middle: int, steps: Sequence[Motion | None]) -> Motion | None:
    path = steps[middle:place] if place > middle else reversed(steps[place:middle])
    motion: Motion | None = None
    for step in path:
        motion = compose_motions(motion, step)
    return motion


def _find_usable(frame: AlignedShot, reference: Plane) -> Plane:
    """How far each pixel of a frame shows the same content as the reference, 0-1; 0 where something moved."""
    different = _find_moved(frame.warp_small(), reference) | ~frame.find_covered()
    return plane(1 - np.clip(2 * gaussian_blur(plane(different), 3.0), 0, 1))


def _find_moved(small: Plane, reference: Plane) -> Mask:
    """Where a frame differs from the reference by more than its exposure."""
    gray = rgb_to_gray(reference)
    different = np.zeros(gray.shape, np.bool_)
    for channel in range(3):
        own = small[..., channel]
        low, high = _match_exposure(matte(reference[..., channel]), matte(own))
        excess = np.maximum(np.maximum(low - own, own - high), 0)
        different |= box_filter(plane(excess), 2) > MIN_MOVED_DIFFERENCE
    # Where the reference is black or white, it predicts nothing about the frame.
    different &= (box_filter(gray, 2) > 0.06) & (box_filter(plane(reference.max(-1)), 2) < 0.94)
    return dilate(erode(different, 2), 9)


def _match_exposure(values: Matte, like: Matte) -> tuple[Plane, Plane]:
    """The lowest and highest values (0-1) expected in a frame with the exposure of `like`, by matching histograms.

    Each value may be REFERENCE_TOLERANCE too high or too low.
    """
    ranks = np.linspace(0, 1, 129)
    # Every ninth pixel is enough for the quantiles.
    source, target = (np.quantile(each[::3, ::3], ranks) / 255 for each in (values, like))
    levels = np.arange(256) / 255
    darker, lighter = (
        plane(np.interp(levels + error, source, target)) for error in (-REFERENCE_TOLERANCE, REFERENCE_TOLERANCE)
    )
    return apply_lut(values, darker), apply_lut(values, lighter)


def _choose_tones(rough: Plane) -> Tones:
    """The tone curve that brings the darkest tones near black and the lightest near white.

    `rough` is roughly the blend, small, 0-1.
    """
    gray = rgb_to_gray(rough)
    black = float(np.clip(np.quantile(gray, 0.004) - 0.02, 0, 0.05))
    white = float(np.clip(np.quantile(gray, 0.985), 0.75, 1.0))
    return Tones(black, min(MAX_GAIN, 0.97 / (white - black)))
