"""Flash and ambient frames of one photo become one picture: the flash's clean colour, the ambient light's shape."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np

from app.engine.arrays import Matte, Pixels, Plane, plane, ramp
from app.engine.color.channels import brightest_channel, luminance, tripled
from app.engine.filters.guided import colour_model, refined
from app.engine.filters.smoothing import blurred
from app.engine.filters.strips import dither, for_each_strip, rounded, stretch, strips
from app.engine.fusion.alignment import Frame
from app.engine.fusion.brackets import LEAST_LIKENESS, checked, joint_digest, motion_of, refuse_doubles
from app.engine.fusion.shots import BracketError, Laid, Shot, in_bands
from app.engine.io.photo import Photo

# How far the picture's light and shade follow the ambient frame; the rest is the flash's, which fills corners.
AMBIENT_SHARE = 0.6
LEAST_LIGHT = 0.03
LEAST_GAIN, MOST_GAIN = 0.4, 2.5
# The light tones of the room end up here.
WHITE = 0.88
SHOULDER = 0.84
JUST_BELOW_WHITE = 0.985


@dataclass(frozen=True, slots=True)
class Shade:
    """Small maps that turn the flash picture's colours into the gain each place needs: slope (x 3) and offset."""

    slope: Plane
    offset: Plane


def blend(ambient: Shot, flashes: Sequence[Shot]) -> Photo:
    """One picture of a frame without flash and one or more with it, of the same view; data of the ambient frame.

    Colour comes from the flash, brightness in the large from the ambient frame, the view out of windows from the
    darker one. Raises BracketError as `fuse` does.
    """
    checked([ambient, *flashes])
    laid = [_laid(ambient, flash) for flash in flashes]
    small = Laid(ambient).small()
    lit = [each.small() for each in laid]
    flash = _without_hot_spots(lit)
    window = refined(_window(small, flash), small, ambient.whole().pixels, radius=4, softness=1e-3)
    pixels = _merged(laid, _shade(small, flash), window)
    refuse_doubles([small, *lit], pixels)
    return replace(ambient.about, pixels=pixels, digest=joint_digest([ambient, *flashes]))


def _laid(ambient: Shot, flash: Shot) -> Laid:
    motion, likeness = motion_of(ambient, flash)
    if likeness < LEAST_LIKENESS:
        raise BracketError("The frames do not show the same view.")
    return Laid(flash, motion)


def _without_hot_spots(flashes: Sequence[Plane]) -> Plane:
    """The flash frames (0-1) as one: where one is near white, the others count."""
    weights = [plane(1.02 - ramp(brightest_channel(flash), 0.75, 0.97)) for flash in flashes]
    total = plane(np.sum(weights, axis=0))
    mixed = np.zeros_like(flashes[0])
    for flash, weight in zip(flashes, weights, strict=True):
        mixed += flash * tripled(plane(weight / total))
    return mixed


def _shade(ambient: Plane, flash: Plane) -> Shade:
    """Gains that give the flash picture the ambient one's light and shade, but for edges, which stay its own."""
    wanted, own = (luminance(each) + LEAST_LIGHT for each in (ambient, flash))
    gain = np.clip(wanted / own, LEAST_GAIN, MOST_GAIN) ** AMBIENT_SHARE
    lit = float(np.quantile(blurred(luminance(plane(flash * gain[..., None])), 2), 0.85))
    gain = np.clip(gain * WHITE / max(lit, 0.1), LEAST_GAIN, MOST_GAIN)
    return Shade(*colour_model(plane(gain), flash, radius=max(2, max(gain.shape) // 40), softness=0.003))


def _window(ambient: Plane, flash: Plane) -> Plane:
    """Where the ambient frame is lit from outside, 0-1: light there, and the flash adds less than in the room."""
    light = ramp(brightest_channel(ambient), 0.55, 0.85)
    gain = plane((luminance(flash) + LEAST_LIGHT) / (luminance(ambient) + LEAST_LIGHT))
    darker = ramp(plane(gain / np.median(gain)), 0.85, 0.6)
    return blurred(plane(light * darker), 1.5)


def _merged(laid: Sequence[Laid], shade: Shade, window: Matte) -> Pixels:
    shape = laid[0].shot.shape
    result = np.empty(shape, np.uint8)

    def fill(frames: Sequence[Frame], rows: slice) -> None:
        flash = _without_hot_spots([plane(frame.part(rows)) * np.float32(1 / 255) for frame in frames])
        gain = plane(cv2.transform(flash * stretch(shade.slope, shape, rows), np.ones((1, 3), np.float32)))
        gain = np.clip(gain + stretch(shade.offset, shape, rows), LEAST_GAIN, MOST_GAIN)
        outside = plane(window[rows]) * np.float32(1 / 255)
        gain += (1 - gain) * outside
        peak = np.maximum(brightest_channel(flash) * gain, 1e-3)
        over = np.maximum(peak - SHOULDER, 0) / (1 - SHOULDER)
        gain *= (np.minimum(peak, SHOULDER) + (1 - SHOULDER) * over / (1 + over)) / peak
        value = np.minimum(flash * tripled(plane(gain)), JUST_BELOW_WHITE)
        result[rows] = rounded(value * 255 + tripled(dither(shape, rows)) * 0.5)

    for band, frames in in_bands(laid, next(strips(shape)).stop, 0):
        for_each_strip(shape, partial(fill, frames), band)
    return result
