"""A page of a contact sheet: rows of pictures with a line of text above each."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from engine.arrays import Matte, Pixels

ROW_HEIGHT = 400
GAP, TEXT = 8, 22
_GROUND, _INK = (32, 32, 32), (235, 235, 235)


def fitted(pixels: Pixels | Matte, height: int = ROW_HEIGHT) -> Image.Image:
    """The picture, RGB, at this height, no wider than twice as much."""
    image = Image.fromarray(pixels).convert("RGB")
    scale = min(height / image.height, 2 * height / image.width)
    return image.resize(
        (max(1, round(image.width * scale)), max(1, round(image.height * scale))), Image.Resampling.BOX
    )


def crop(pixels: Pixels, side: int = ROW_HEIGHT) -> Image.Image:
    """The pixels as they are, in the middle of a square."""
    square = Image.new("RGB", (side, side), _GROUND)
    image = Image.fromarray(np.ascontiguousarray(pixels))
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


def page(rows: Sequence[tuple[str, Sequence[Image.Image]]]) -> Image.Image:
    """All rows below each other, each with its text."""
    width = max(sum(image.width + GAP for image in images) + GAP for _, images in rows)
    heights = [max((image.height for image in images), default=0) + TEXT + GAP for _, images in rows]
    sheet = Image.new("RGB", (max(width, 800), sum(heights) + GAP), _GROUND)
    pen, font = ImageDraw.Draw(sheet), ImageFont.load_default(15)
    top = GAP
    for (text, images), height in zip(rows, heights, strict=True):
        pen.text((GAP, top), text, _INK, font)
        left = GAP
        for image in images:
            sheet.paste(image, (left, top + TEXT))
            left += image.width + GAP
        top += height
    return sheet
