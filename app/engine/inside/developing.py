"""A room picture developed at full size from what was decided at a small one.

The small picture's grey and its developed grey give, place by place, a linear model from one to the other; the
model is stretched and applied at full size, so that real edges are kept. After Chen, Adams, Wadhwa and Hasinoff,
"Bilateral Guided Upsampling" (2016), with the guided filter's models instead of the grid's.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from app.engine.arrays import Pixels, Plane, box_mean, plane
from app.engine.fullsize import dither, light_of, stretch, worked

MODEL_RADIUS, MODEL_SOFTNESS = 5, 4e-4
LEAST_SCALE, MOST_SCALE = 0.5, 3.2
# Lumas (0-255) below which a pixel is too dark for its own scale to be told.
DARK = 3.0
JUST_BELOW_WHITE = 252.5
# White stays white: the balance fades out while a pixel's weakest colour goes from here to 255.
FADES_FROM = 228.0
# A warm place is lit by lamps: its red is lowered by this much of what its blue is raised by.
RED_OF_BLUE = 0.55


@dataclass(frozen=True, slots=True)
class Development:
    """`gains` (3) are those of the whole picture; small maps: `warmth`, how far each place is still too warm (what
    its blue is raised by), and `grey`, 0-1, what the picture's grey becomes.
    """

    gains: Plane
    warmth: Plane
    grey: Plane


def developed(pixels: Pixels, grey: Plane, how: Development) -> Pixels:
    """The developed picture; `grey` (small, 0-1) is the picture's own, which `how.grey` was made from."""
    slope, offset = _model(grey, how.grey)
    maps = plane(cv2.merge([slope, plane(offset * 255), how.warmth]))
    red_gain, green_gain, blue_gain = (float(gain) for gain in how.gains)

    def gains_of(part: Pixels, rows: slice, columns: slice, shape: tuple[int, ...]) -> Plane:
        slope, offset, warmth = (plane(each) for each in cv2.split(stretch(maps, shape, rows, columns)))
        red, green, blue = (plane(channel) for channel in cv2.split(part))
        scale = _scale(red, green, blue, slope, offset, dither(shape, rows, columns))
        faded = np.float32(255) - cv2.min(cv2.min(red, green), blue)
        faded = np.minimum(faded * np.float32(1 / (255.0 - FADES_FROM)), np.float32(1))
        balance = (
            1 + (np.float32(red_gain) - 1 - np.float32(red_gain * RED_OF_BLUE) * warmth) * faded,
            1 + np.float32(green_gain - 1) * faded,
            1 + (np.float32(blue_gain) - 1 + np.float32(blue_gain) * warmth) * faded,
        )
        peak = cv2.max(cv2.max(red * balance[0], green * balance[1]), blue * balance[2])
        highest = np.maximum(np.float32(JUST_BELOW_WHITE) / np.maximum(peak, np.float32(1)), np.float32(1))
        scale = np.minimum(scale, highest)
        return plane(cv2.merge([gain * scale for gain in balance]))

    def strip_of(strip: Pixels, rows: slice) -> Pixels:
        lit = cv2.multiply(strip, light_of(pixels, rows, slice(0, pixels.shape[1]), gains_of), dtype=cv2.CV_8U)
        # One pixel may be lighter than those its light was found on: it is not made white by that.
        return np.minimum(np.asarray(lit, np.uint8), np.maximum(strip, np.uint8(JUST_BELOW_WHITE)))

    return worked(pixels, strip_of)


def _scale(red: Plane, green: Plane, blue: Plane, slope: Plane, offset: Plane, noise: Plane) -> Plane:
    """What each pixel is multiplied by so that its grey becomes the wanted one; a little noise against bands."""
    grey = cv2.scaleAdd(blue, 0.114, cv2.addWeighted(red, 0.299, green, 0.587, 0))
    wanted = cv2.add(cv2.multiply(grey, slope), offset)
    wanted = cv2.scaleAdd(noise, 0.5, wanted)
    return plane(
        np.clip(wanted / np.maximum(grey, np.float32(DARK)), np.float32(LEAST_SCALE), np.float32(MOST_SCALE))
    )


def _model(grey: Plane, wanted: Plane) -> tuple[Plane, Plane]:
    """Slope and offset, place by place, of wanted = slope * grey + offset."""
    mean, wanted_mean = box_mean(grey, MODEL_RADIUS), box_mean(wanted, MODEL_RADIUS)
    variance = box_mean(grey * grey, MODEL_RADIUS) - mean * mean
    shared = box_mean(grey * wanted, MODEL_RADIUS) - mean * wanted_mean
    # Where all is flat, the slope is that of the proportion, so that noise grows no more than the light does.
    ratio = plane((wanted_mean + 0.01) / (mean + 0.01))
    slope = plane((shared + MODEL_SOFTNESS * ratio) / (variance + MODEL_SOFTNESS))
    slope = plane(np.clip(slope, 0, MOST_SCALE))
    offset = plane(wanted_mean - slope * mean)
    return box_mean(slope, MODEL_RADIUS), box_mean(offset, MODEL_RADIUS)
