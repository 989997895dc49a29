"""Words in a corner of a picture, that say what is not real in it."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from app.engine.arrays import Pixels

_WHITE = (255, 255, 255)
_STRIP_OPACITY = 0.62
# Of the shorter side: readable when the whole picture is as wide as a phone.
_TEXT_SHARE = 0.032
_SMALLEST_TEXT = 10
_WIDEST_STRIP = 0.94


def draw_label(pixels: Pixels, label: str) -> None:
    """Write the label into the lower left corner of the picture, height x width x 3 bytes, in place."""
    _lay(pixels, _strip(label, pixels.shape[1], pixels.shape[0]))


def _strip(label: str, width: int, height: int) -> Pixels:
    """White words on black, at most as wide as fits a picture of this size."""
    size = max(_SMALLEST_TEXT, round(min(width, height) * _TEXT_SHARE))
    strip = _words(label, size)
    if strip.shape[1] > width * _WIDEST_STRIP:
        strip = _words(label, max(1, int(size * width * _WIDEST_STRIP / strip.shape[1])))
    return strip


def _words(label: str, size: int) -> Pixels:
    font = ImageFont.load_default(size)
    left, _, right, _ = font.getbbox(label, anchor="ls")
    ascent, descent = round(size * 0.8), round(size * 0.25)
    across, above = round(size * 0.7), round(size * 0.4)
    strip = Image.new("RGB", (round(right - left) + 2 * across, ascent + descent + 2 * above))
    ImageDraw.Draw(strip).text((across - left, above + ascent), label, font=font, fill=_WHITE, anchor="ls")
    return np.asarray(strip)


def _lay(pixels: Pixels, strip: Pixels) -> None:
    """Lay the strip over the lower left corner: its white as it is, its black shining through."""
    height, width = pixels.shape[:2]
    margin = min(round(strip.shape[0] * 0.5), max(0, (height - strip.shape[0]) // 2))
    strip = strip[: height - margin, : width - margin]
    rows = slice(height - margin - strip.shape[0], height - margin)
    columns = slice(margin, margin + strip.shape[1])
    ground = pixels[rows, columns]
    lit = strip.astype(np.float32) / 255
    dimmed = ground * (1 - _STRIP_OPACITY)
    pixels[rows, columns] = np.rint(dimmed + (255 - dimmed) * lit).astype(np.uint8)
