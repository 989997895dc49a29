"""Words in a corner of a picture, that say what is not real in it."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.arrays import Pixels

_WHITE = (255, 255, 255)
_STRIP_OPACITY = 0.62
# Of the longer side: capitals are 7 pixels high in a thumbnail of 240, where a listing service looks for the words.
_TEXT_SHARE = 0.042
_SMALLEST_TEXT = 10
_WIDEST_STRIP = 0.94
# Of a panorama's height, whose words would cover half of it.
_TALLEST_STRIP = 0.34


def draw_label(pixels: Pixels, label: str) -> None:
    """Write a label into the lower left corner of a picture, in place.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        Changed in place: white words on a translucent black strip.
    label : str
        Set in one line or two, whichever fits with the larger text.
    """
    _lay(pixels, _strip(label, pixels.shape[1], pixels.shape[0]))


def _strip(label: str, width: int, height: int) -> Pixels:
    """White words on black, in one line or two, at most as large as fits a picture of this size."""
    size = max(_SMALLEST_TEXT, round(max(width, height) * _TEXT_SHARE))
    drawn = [_fit(lines, size, width, height) for lines in ([label], _halve(label))]
    return max(drawn, key=lambda each: each[0])[1]


def _fit(lines: Sequence[str], size: int, width: int, height: int) -> tuple[int, Pixels]:
    """The lines as a strip, and the size of their text, smaller where they would not fit otherwise."""
    strip = _words(lines, size)
    share = min(width * _WIDEST_STRIP / strip.shape[1], height * _TALLEST_STRIP / strip.shape[0])
    if share >= 1:
        return size, strip
    size = max(1, int(size * share))
    return size, _words(lines, size)


def _halve(label: str) -> list[str]:
    """The label in two lines of nearly the same length; one of a single word as it is."""
    words = label.split()
    halves = ([" ".join(words[:place]), " ".join(words[place:])] for place in range(1, len(words)))
    return min(halves, key=lambda lines: max(map(len, lines)), default=[label])


def _words(lines: Sequence[str], size: int) -> Pixels:
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


def _lay(pixels: Pixels, strip: Pixels) -> None:
    """Blend the strip over the lower left corner: its white as it is, its black translucent."""
    height, width = pixels.shape[:2]
    margin = min(round(strip.shape[0] * 0.3), max(0, (height - strip.shape[0]) // 2))
    strip = strip[: height - margin, : width - margin]
    rows = slice(height - margin - strip.shape[0], height - margin)
    columns = slice(margin, margin + strip.shape[1])
    ground = pixels[rows, columns]
    lit = strip.astype(np.float32) / 255
    dimmed = ground * (1 - _STRIP_OPACITY)
    pixels[rows, columns] = np.rint(dimmed + (255 - dimmed) * lit).astype(np.uint8)
