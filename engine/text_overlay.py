"""Draws a disclosure label into a corner of a picture."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.arrays import Pixels

_WHITE = (255, 255, 255)
_STRIP_OPACITY = 0.62
# Share of the longer side: capitals are then 7 pixels high in a thumbnail of 240, where they must be legible.
_TEXT_SHARE = 0.042
_MIN_TEXT_SIZE = 10
_MAX_STRIP_WIDTH = 0.94
# Share of the height: without this limit, a label would cover half of a panorama.
_MAX_STRIP_HEIGHT = 0.34


def draw_label(pixels: Pixels, label: str, *, at_top: bool = False) -> None:
    """Write a label into the lower or upper left corner of a picture, in place.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        Changed in place: white words on a translucent black strip.
    label : str
        The label's text; it is set in one line or in two, by which it can be larger.
    at_top : bool, default False
        Whether the label is put in the upper corner, so that the lower corner is free for another label.
    """
    # In a view with the rows in reverse order, the upper corner is the lower one.
    strip = _draw_strip(label, pixels.shape[1], pixels.shape[0])
    _blend_strip(pixels[::-1] if at_top else pixels, strip[::-1] if at_top else strip)


def _draw_strip(label: str, width: int, height: int) -> Pixels:
    """White words on black, in one line or two, as large as the size of the picture permits."""
    size = max(_MIN_TEXT_SIZE, round(max(width, height) * _TEXT_SHARE))
    drawn = [_fit_lines(lines, size, width, height) for lines in ([label], _halve(label))]
    return max(drawn, key=lambda each: each[0])[1]


def _fit_lines(lines: Sequence[str], size: int, width: int, height: int) -> tuple[int, Pixels]:
    """The lines as a strip, and the size of their text, reduced until they fit."""
    strip = _draw_lines(lines, size)
    share = min(width * _MAX_STRIP_WIDTH / strip.shape[1], height * _MAX_STRIP_HEIGHT / strip.shape[0])
    if share >= 1:
        return size, strip
    size = max(1, int(size * share))
    return size, _draw_lines(lines, size)


def _halve(label: str) -> list[str]:
    """The label in two lines of about equal length; a single word stays in one line."""
    words = label.split()
    halves = ([" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words)))
    return min(halves, key=lambda lines: max(map(len, lines)), default=[label])


def _draw_lines(lines: Sequence[str], size: int) -> Pixels:
    font = ImageFont.load_default(size)
    boxes = [font.getbbox(line, anchor="ls") for line in lines]
    ascent, descent = round(size * 0.8), round(size * 0.25)
    across, above, step = round(size * 0.5), round(size * 0.25), round(size * 1.15)
    wide = max(round(right - left) for left, _, right, _ in boxes)
    strip = Image.new("RGB", (wide + 2 * across, ascent + descent + step * (len(lines) - 1) + 2 * above))
    draw = ImageDraw.Draw(strip)
    for number, (line, (left, *_)) in enumerate(zip(lines, boxes, strict=True)):
        at = across - left, above + ascent + number * step
        draw.text(at, line, font=font, fill=_WHITE, anchor="ls")
    return np.asarray(strip)


def _blend_strip(pixels: Pixels, strip: Pixels) -> None:
    """Blend the strip over the lower left corner: its white is opaque, its black translucent."""
    height, width = pixels.shape[:2]
    margin = min(round(strip.shape[0] * 0.3), max(0, (height - strip.shape[0]) // 2))
    strip = strip[: height - margin, : width - margin]
    rows = slice(height - margin - strip.shape[0], height - margin)
    columns = slice(margin, margin + strip.shape[1])
    ground = pixels[rows, columns]
    lit = strip.astype(np.float32) / 255
    dimmed = ground * (1 - _STRIP_OPACITY)
    pixels[rows, columns] = np.rint(dimmed + (255 - dimmed) * lit).astype(np.uint8)
