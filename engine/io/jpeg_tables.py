"""JPEG quantization tables for a result: the photo's made finer, so that untouched places stay as they were."""

import io
from functools import cache
from math import ceil

from PIL import ExifTags, Image, JpegImagePlugin

QUALITY = 92
SIDE = 8
# The EXIF orientations of a photo that is stored lying on its side.
ON_ITS_SIDE = (5, 6, 7, 8)
Table = tuple[int, ...]


def choose_jpeg_tables(image: Image.Image) -> tuple[Table, Table] | None:
    """Quantization tables for the result of an opened photo.

    Every step divides the photo's: values that were rounded to it once are unchanged by a second rounding. None is
    coarser than the luma's at QUALITY.

    Parameters
    ----------
    image : Image
        The opened photo, before its orientation is applied.

    Returns
    -------
    tuple of (Table, Table) or None
        64 steps each for luma and for chroma, row by row, turned as the upright picture is; None where the photo is
        no grayscale or RGB JPEG with valid tables.
    """
    if not isinstance(image, JpegImagePlugin.JpegImageFile) or image.mode not in {"L", "RGB"}:
        return None
    own = [tuple(image.quantization.get(layer[3], ())) for layer in (image.layer[0], image.layer[-1])]
    if any(len(table) != SIDE * SIDE or 0 in table for table in own):
        return None
    if image.getexif().get(ExifTags.Base.Orientation) in ON_ITS_SIDE:
        own = [tuple(table[column * SIDE + row] for row in range(SIDE) for column in range(SIDE)) for table in own]
    # Color of full size was often stored at half: as fine as lightness it loses least.
    light, color = (_divide_table(table, _coarsest()) for table in own)
    return light, color


@cache
def _coarsest() -> Table:
    """The steps of lightness at QUALITY; those of color are coarser."""
    buffer = io.BytesIO()
    Image.new("RGB", (SIDE, SIDE)).save(buffer, "JPEG", quality=QUALITY)
    buffer.seek(0)
    with JpegImagePlugin.JpegImageFile(buffer) as image:
        return tuple(image.quantization[0])


def _divide_table(own: Table, coarsest: Table) -> Table:
    return tuple(_divisor(step, most) for step, most in zip(own, coarsest, strict=True))


def _divisor(step: int, most: int) -> int:
    """The largest whole divisor of a step that is at most `most`."""
    return next(step // parts for parts in range(ceil(step / most), step + 1) if step % parts == 0)
