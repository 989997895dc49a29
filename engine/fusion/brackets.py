"""Brackets: frames of one photo in several exposures become one picture with the room and the window view."""

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
from engine.fusion.alignment import SMALL_SIDE, Motion, compose_motions, estimate_motion
from engine.fusion.pyramid_blending import Tones, blend_pyramids, compute_exposure_weights
from engine.fusion.shots import AlignedShot, BracketError, Shot
from engine.io.photo import DecodedPhoto
from engine.quality import limits
from engine.quality.ghosting import measure_ghosting
from engine.segmentation.scene import shrink_to

FEWEST, MOST = 2, 9
# Neighbors in exposure of one photo reach 0.6 and more after alignment, other photos of the same house 0.1.
LEAST_LIKENESS = 0.3
# A frame differs from what the reference foretells by more than this (0-1): something moved.
MOVED = 0.1
# How far the reference's own values may be off, as by light that is bent into the lens.
UNSURE = 0.03
MOST_GAIN = 1.2


def fuse_brackets(shots: Sequence[Shot]) -> DecodedPhoto:
    """One picture of 2 to 9 exposures of the same view, in any order; capture data are those of the middle one.

    Raises BracketError for too few or many frames, sizes or color profiles that differ, other views, and when
    something moved that would be seen twice.
    """
    ordered = check_brackets(shots)
    middle = int(np.argmax([shot.well_exposed for shot in ordered]))
    laid = align_brackets(ordered, middle)
    weights = _weights(laid, middle)
    # Small frames are made again where they are needed: nine as floats are 2 bytes a pixel of 24 megapixels.
    foretold = plane(sum(each.small() * weight[..., None] for each, weight in zip(laid, weights, strict=True)))
    pixels = blend_pyramids(laid, weights, _tones(foretold))
    refuse_doubles((each.small() for each in laid), pixels)
    return replace(ordered[middle].about, pixels=pixels, digest=join_digests(shots))


def check_brackets(shots: Sequence[Shot]) -> list[Shot]:
    """The frames from dark to light. Raises BracketError when they cannot be frames of one photo."""
    if not FEWEST <= len(shots) <= MOST:
        raise BracketError(f"Brackets need {FEWEST} to {MOST} frames of one photo, not {len(shots)}.")
    sizes = sorted({shot.shape[1::-1] for shot in shots})
    if len(sizes) > 1:
        named = " and ".join(f"{width} x {height}" for width, height in sizes)
        raise BracketError(f"The frames differ in size: {named} pixels.")
    if len({shot.about.profile.icc for shot in shots}) > 1:
        raise BracketError("The frames differ in their color profile.")
    return sorted(shots, key=lambda shot: (shot.brightness, shot.about.digest))


def align_brackets(ordered: Sequence[Shot], middle: int) -> list[AlignedShot]:
    """The frames laid over the middle one, each by way of its neighbor in exposure.

    Raises BracketError when neighbors have nothing in common.
    """
    # Each step leads from the frame nearer the middle to the one farther away.
    pairs = [
        (darker, lighter) if place >= middle else (lighter, darker)
        for place, (darker, lighter) in enumerate(pairwise(ordered))
    ]
    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda pair: estimate_full_motion(*pair), pairs))
    if any(likeness < LEAST_LIKENESS for _, likeness in found):
        raise BracketError("The frames do not show the same view.")
    steps = [motion for motion, _ in found]
    return [AlignedShot(shot, _find_motion(place, middle, steps)) for place, shot in enumerate(ordered)]


def estimate_full_motion(one: Shot, other: Shot) -> tuple[Motion | None, float]:
    """How the other frame lies to the one, for full size, and how like it is then; see `estimate_motion`."""
    return estimate_motion(one.about.pixels, other.about.pixels, one.shape)


def refuse_doubles(smalls: Iterable[Plane], merged: Pixels) -> None:
    """Raises BracketError when the merged picture shows ghosts of what is in its frames (small, 0-1, x 3)."""
    shown = rgb_to_gray(plane(shrink_to(merged, SMALL_SIDE)) / np.float32(255))
    unlike, in_worst_part = measure_ghosting([rgb_to_gray(small) for small in smalls], shown)
    if unlike > limits.DOUBLED or in_worst_part > limits.DOUBLED_PART:
        raise BracketError("Something moved between the frames: merged, it would be seen twice.")


def join_digests(shots: Sequence[Shot]) -> str:
    """One name for all the frames, whatever their order."""
    return hashlib.sha256("".join(sorted(shot.about.digest for shot in shots)).encode()).hexdigest()


def _weights(laid: Sequence[AlignedShot], middle: int) -> list[Plane]:
    """How much each frame counts at each place of a small size; they sum to 1."""
    reference = laid[middle].small()
    with ThreadPoolExecutor(THREADS) as threads:
        usable = threads.map(lambda each: None if each is laid[middle] else _usable(each, reference), laid)
        by_exposure = compute_exposure_weights(each.small() for each in laid)
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


def _usable(frame: AlignedShot, reference: Plane) -> Plane:
    """How far each place of a frame shows what the reference shows there, 0-1: moving things are left out."""
    strange = _find_moved(frame.small(), reference) | ~frame.covered()
    return plane(1 - np.clip(2 * gaussian_blur(plane(strange), 3.0), 0, 1))


def _find_moved(small: Plane, reference: Plane) -> Mask:
    """Where a frame differs from the reference otherwise than by its exposure."""
    gray = rgb_to_gray(reference)
    strange = np.zeros(gray.shape, np.bool_)
    for channel in range(3):
        own = small[..., channel]
        low, high = _match_exposure(matte(reference[..., channel]), matte(own))
        away = np.maximum(np.maximum(low - own, own - high), 0)
        strange |= box_filter(plane(away), 2) > MOVED
    # Where the reference is black or white it foretells nothing.
    strange &= (box_filter(gray, 2) > 0.06) & (box_filter(plane(reference.max(-1)), 2) < 0.94)
    return dilate(erode(strange, 2), 9)


def _match_exposure(values: Matte, like: Matte) -> tuple[Plane, Plane]:
    """The bytes UNSURE darker and UNSURE lighter, brought to the exposure of another frame, 0-1: each to the one of
    the same rank there.
    """
    ranks = np.linspace(0, 1, 129)
    # Every ninth pixel is enough to rank them by.
    from_these, to_these = (np.quantile(each[::3, ::3], ranks) / 255 for each in (values, like))
    levels = np.arange(256) / 255
    darker, lighter = (plane(np.interp(levels + off, from_these, to_these)) for off in (-UNSURE, UNSURE))
    return apply_lut(values, darker), apply_lut(values, lighter)


def _tones(foretold: Plane) -> Tones:
    """Black brought near black and white near white; `foretold` is roughly the picture to come, small, 0-1."""
    gray = rgb_to_gray(foretold)
    black = float(np.clip(np.quantile(gray, 0.004) - 0.02, 0, 0.05))
    white = float(np.clip(np.quantile(gray, 0.985), 0.75, 1.0))
    return Tones(black, min(MOST_GAIN, 0.97 / (white - black)))
