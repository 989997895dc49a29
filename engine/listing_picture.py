"""Makes pictures for listing services: JPEG in sRGB, within their limits of size and bytes, with a label."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np
from PIL import ExifTags, Image

from engine.arrays import Pixels
from engine.io.photo import DecodedPhoto, decode
from engine.io.source_type import declare_altered, make_save_options
from engine.text_overlay import draw_label
from engine.types.enhancements import describe_disclosure
from engine.types.pictures import ListingPicture, Picture, UnusablePhotoError
from engine.types.report import Reason

USUAL_SIDE = 2048
"""The longer side in pixels where a service states no size: large enough for every known one."""
QUALITIES = (90, 84, 78, 70, 60, 50)
"""JPEG qualities, tried in this order until the file is small enough."""
_SAFE_SHARE = 0.97
"""Share of a service's limit of bytes that a file may have: some services count data that they add."""
_SHRINK_FACTOR = 0.8
_MIN_SIDE = 64
_SRGB = 1


@dataclass(frozen=True, slots=True)
class JpegListingPictures:
    """Makes pictures for listing services on this machine's processor."""

    def make(self, picture: BinaryIO, wanted: ListingPicture) -> Picture:
        """Make a picture as a listing service requires it, with capture data but without the place; see the port.

        Parameters
        ----------
        picture : BinaryIO
            The file of a stored picture.
        wanted : ListingPicture
            Size, bytes, label and disclosure.

        Returns
        -------
        Picture
            A JPEG in sRGB. It has the disclosure and the IPTC's source type; without a disclosure, it keeps the
            statement of the stored file.

        Raises
        ------
        UnusablePhotoError
            Where the file cannot be decoded within the limits, or cannot be made small enough.
        """
        photo = decode(picture)
        whole = Image.fromarray(photo.pixels)
        small = _resize(whole, _find_size(whole.size, wanted))
        pixels = np.array(photo.profile.to_srgb(np.asarray(small)))
        for each in _shrink_repeatedly(pixels):
            if wanted.label is not None:
                draw_label(each, wanted.label, at_top=wanted.label_at_top)
            if content := _encode_below(each, wanted, _make_save_options(photo, wanted)):
                height, width = each.shape[:2]
                return Picture(content, "image/jpeg", width, height)
        raise UnusablePhotoError(Reason.TOO_MANY_PIXELS, "The picture cannot be made as small as the service asks.")


def _find_size(size: tuple[int, int], wanted: ListingPicture) -> tuple[int, int]:
    """The size that covers the service's ideal in the picture's orientation, or the usual size; never enlarged."""
    longer, shorter = max(size), min(size)
    if wanted.width and wanted.height:
        ideal = max(wanted.width, wanted.height), min(wanted.width, wanted.height)
        scale = max(ideal[0] / longer, ideal[1] / shorter)
    else:
        scale = USUAL_SIDE / longer
    if scale >= 1:
        return size
    width, height = (max(1, round(each * scale)) for each in size)
    return width, height


def _resize(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    return picture if picture.size == size else picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=3.0)


def _shrink_repeatedly(pixels: Pixels) -> Iterator[Pixels]:
    """Yield a copy of the picture, then smaller and smaller ones, all without a label."""
    yield pixels.copy()
    whole = Image.fromarray(pixels)
    width, height = whole.size
    while max(width, height) * _SHRINK_FACTOR >= _MIN_SIDE:
        width, height = max(1, round(width * _SHRINK_FACTOR)), max(1, round(height * _SHRINK_FACTOR))
        yield np.array(_resize(whole, (width, height)))


def _encode_below(pixels: Pixels, wanted: ListingPicture, options: dict[str, object]) -> bytes | None:
    """The JPEG at the best quality at which it is small enough; None if there is no such quality."""
    most = wanted.max_bytes
    for quality in QUALITIES:
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, "JPEG", quality=quality, optimize=True, **options)
        if most is None or buffer.tell() < most * _SAFE_SHARE:
            return buffer.getvalue()
    return None


def _make_save_options(photo: DecodedPhoto, wanted: ListingPicture) -> dict[str, object]:
    """Pillow's options; an altered picture is declared even if its file, from an old release, does not say so."""
    kind, words = photo.source_type, photo.description
    if wanted.disclosure:
        kind, words = declare_altered(kind), describe_disclosure(wanted.disclosure)
    said = make_save_options(kind, "JPEG", words)
    exif = Image.Exif()
    if photo.exif:
        exif.load(photo.exif)
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.ColorSpace] = _SRGB
    return {**said, "exif": exif.tobytes()}
