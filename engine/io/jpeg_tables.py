"""Chooses JPEG quantization tables for a result: the photo's or finer ones, so that unchanged places stay equal."""

import io
from functools import cache
from math import ceil

from PIL import ExifTags, Image, JpegImagePlugin

# The JPEG and WebP quality of results.
QUALITY = 92
# Side of a JPEG's blocks, and so of its tables.
BLOCK_SIDE = 8
# EXIF orientations with which width and height of the stored photo are swapped.
SWAPPED_ORIENTATIONS = (5, 6, 7, 8)
Table = tuple[int, ...]


def choose_jpeg_tables(image: Image.Image) -> tuple[Table, Table] | None:
    """Choose the quantization tables for the result of an opened photo.

    Each step is a whole divisor of the photo's step, so values that were already rounded to the photo's step do not
    change when they are rounded again. No step is coarser than the luma step at QUALITY.

    Parameters
    ----------
    image : Image
        The opened photo, before its orientation is applied.

    Returns
    -------
    tuple of (Table, Table) or None
        64 steps each for luma and for chroma, row by row, transposed where the upright picture's sides are swapped;
        None where the photo is not a grayscale or RGB JPEG with valid tables.
    """
    if not isinstance(image, JpegImagePlugin.JpegImageFile) or image.mode not in {"L", "RGB"}:
        return None
    own = [tuple(image.quantization.get(layer[3], ())) for layer in (image.layer[0], image.layer[-1])]
    if any(len(table) != BLOCK_SIDE * BLOCK_SIDE or 0 in table for table in own):
        return None
    if image.getexif().get(ExifTags.Base.Orientation) in SWAPPED_ORIENTATIONS:
        own = [
            tuple(table[column * BLOCK_SIDE + row] for row in range(BLOCK_SIDE) for column in range(BLOCK_SIDE))
            for table in own
        ]
    # Many photos store chroma at half size, results at full size. Steps as fine as luma's keep most of it.
    luma, chroma = (_divide_table(table, _get_coarsest_steps()) for table in own)
    return luma, chroma


@cache
def _get_coarsest_steps() -> Table:
    """The luma steps at QUALITY; its chroma steps are coarser."""
    buffer = io.BytesIO()
    Image.new("RGB", (BLOCK_SIDE, BLOCK_SIDE)).save(buffer, "JPEG", quality=QUALITY)
    buffer.seek(0)
    with JpegImagePlugin.JpegImageFile(buffer) as image:
        return tuple(image.quantization[0])


def _divide_table(own: Table, coarsest: Table) -> Table:
    """The table with each step divided until it is at most as coarse as in `coarsest`."""
    return tuple(_find_divisor(step, maximum) for step, maximum in zip(own, coarsest, strict=True))


def _find_divisor(step: int, maximum: int) -> int:
    """The largest whole divisor of a step that is at most `maximum`."""
    return next(step // parts for parts in range(ceil(step / maximum), step + 1) if step % parts == 0)
