"""Blends flash and ambient frames of one photo: color from the flash, light and shade from the ambient frame."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, max_channel, rgb_to_gray
from engine.filters.guided import fit_color_model, refine_mask
from engine.filters.smoothing import gaussian_blur
from engine.filters.strips import enlarge_map, make_dither, round_to_bytes, run_strips, split_into_strips
from engine.fusion.alignment import MIN_LIKENESS, AlignmentFrame
from engine.fusion.brackets import check_brackets, estimate_full_motion, join_digests, reject_ghosts
from engine.fusion.shots import AlignedShot, BracketError, Shot, read_bands
from engine.io.photo import DecodedPhoto

AMBIENT_SHARE = 0.6
"""Exponent of the ambient frame's light and shade; that of the flash, which lights corners, is the rest to 1."""
DARK_OFFSET = 0.03
"""Luma (0-1) added to both frames before they are compared, so that dark noise counts little."""
MIN_GAIN, MAX_GAIN = 0.4, 2.5
"""The range of the gains that the flash picture may get."""
TARGET_WHITE = 0.88
"""Luma (0-1) to which the 0.85 quantile of the room is brought."""
SHOULDER = 0.84
"""Value (0-1) above which light tones are compressed."""
MAX_VALUE = 0.985
"""The largest value (0-1) of the result."""


@dataclass(frozen=True, slots=True)
class AmbientShade:
    """A linear model, as small maps, that gives each pixel's gain from the flash picture's three colors."""

    slope: Plane
    offset: Plane


def blend_flash(ambient: Shot, flashes: Sequence[Shot]) -> DecodedPhoto:
    """Blend one ambient frame with one or more flash frames of the same view.

    Color comes from the flash, large-scale brightness from the ambient frame. In the view through windows the flash
    frames keep their own brightness.

    Parameters
    ----------
    ambient : Shot
        The frame without flash, to which the others are aligned.
    flashes : Sequence of Shot
        The frames with flash, at least one.

    Returns
    -------
    DecodedPhoto
        The blended photo, with profile, format and capture data of the ambient frame.

    Raises
    ------
    BracketError
        For too many frames; where sizes, color profiles or views differ; where something that moved would be seen
        twice; where a file changed while it was read.
    """
    check_brackets([ambient, *flashes])
    aligned = [_align_flash(ambient, flash) for flash in flashes]
    small = AlignedShot(ambient).warp_small()
    flash_frames = [each.warp_small() for each in aligned]
    flash = _remove_hot_spots(flash_frames)
    window = refine_mask(
        _find_window_light(small, flash), small, ambient.decode_whole().pixels, radius=4, softness=1e-3
    )
    pixels = _merge(aligned, _compute_shade(small, flash), window)
    reject_ghosts([small, *flash_frames], pixels)
    return replace(ambient.small_photo, pixels=pixels, digest=join_digests([ambient, *flashes]))


def _align_flash(ambient: Shot, flash: Shot) -> AlignedShot:
    motion, likeness = estimate_full_motion(ambient, flash)
    if likeness < MIN_LIKENESS:
        raise BracketError("The frames do not show the same view.")
    return AlignedShot(flash, motion)


def _remove_hot_spots(flashes: Sequence[Plane]) -> Plane:
    """The mean of the flash frames (0-1); where a frame is near white, the others count more."""
    weights = [plane(1.02 - smoothstep(max_channel(flash), 0.75, 0.97)) for flash in flashes]
    total = plane(np.sum(weights, axis=0))
    mixed = np.zeros_like(flashes[0])
    for flash, weight in zip(flashes, weights, strict=True):
        mixed += flash * gray_to_rgb(plane(weight / total))
    return mixed


def _compute_shade(ambient: Plane, flash: Plane) -> AmbientShade:
    """Gains that give the flash picture the light and shade of the ambient picture, but keep its own edges."""
    ambient_luma, flash_luma = (rgb_to_gray(each) + DARK_OFFSET for each in (ambient, flash))
    gain = np.clip(ambient_luma / flash_luma, MIN_GAIN, MAX_GAIN) ** AMBIENT_SHARE
    light_tone = float(np.quantile(gaussian_blur(rgb_to_gray(plane(flash * gain[..., None])), 2), 0.85))
    gain = np.clip(gain * TARGET_WHITE / max(light_tone, 0.1), MIN_GAIN, MAX_GAIN)
    return AmbientShade(*fit_color_model(plane(gain), flash, radius=max(2, max(gain.shape) // 40), softness=0.003))


def _find_window_light(ambient: Plane, flash: Plane) -> Plane:
    """Where the ambient frame shows a window, 0-1: light places to which the flash adds less than to the room."""
    light = smoothstep(max_channel(ambient), 0.55, 0.85)
    gain = plane((rgb_to_gray(flash) + DARK_OFFSET) / (rgb_to_gray(ambient) + DARK_OFFSET))
    little_flash = smoothstep(plane(gain / np.median(gain)), 0.85, 0.6)
    return gaussian_blur(plane(light * little_flash), 1.5)


def _merge(aligned: Sequence[AlignedShot], shade: AmbientShade, window: Matte) -> Pixels:
    shape = aligned[0].shot.shape
    result = np.empty(shape, np.uint8)

    def fill(frames: Sequence[AlignmentFrame], rows: slice) -> None:
        flash = _remove_hot_spots([plane(frame.warp_part(rows)) * np.float32(1 / 255) for frame in frames])
        gain = plane(cv2.transform(flash * enlarge_map(shade.slope, shape, rows), np.ones((1, 3), np.float32)))
        gain = np.clip(gain + enlarge_map(shade.offset, shape, rows), MIN_GAIN, MAX_GAIN)
        window_share = plane(window[rows]) * np.float32(1 / 255)
        gain += (1 - gain) * window_share
        peak = np.maximum(max_channel(flash) * gain, 1e-3)
        over = np.maximum(peak - SHOULDER, 0) / (1 - SHOULDER)
        gain *= (np.minimum(peak, SHOULDER) + (1 - SHOULDER) * over / (1 + over)) / peak
        value = np.minimum(flash * gray_to_rgb(plane(gain)), MAX_VALUE)
        result[rows] = round_to_bytes(value * 255 + gray_to_rgb(make_dither(rows, slice(0, shape[1]))) * 0.5)

    for band, frames in read_bands(aligned, next(split_into_strips(shape)).stop, 0):
        run_strips(shape, partial(fill, frames), band)
    return result
