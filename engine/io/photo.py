"""Decodes photos within the limits, and encodes results in the photo's format with its profile and capture data."""

import hashlib
import io
import zlib
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
import pillow_heif
from PIL import Image, ImageOps
from PIL.ImageFile import ImageFile

from engine.arrays import Pixels
from engine.color.declared import read_declared
from engine.color.profiles import ColorProfile, convert_to_rgb
from engine.filters.strips import split_into_strips
from engine.io.exif import UNREADABLE, copy_capture_data
from engine.io.gps import find_place
from engine.io.jpeg_damage import is_damaged
from engine.io.jpeg_structure import add_end, count_scans, lacks_end
from engine.io.jpeg_tables import QUALITY, Table, choose_jpeg_tables
from engine.io.not_kept import find_not_kept
from engine.io.personal_details import find_personal_details
from engine.io.source_type import (
    Statement,
    find_strongest,
    make_save_options,
    read_source_type,
    read_statement_of,
)
from engine.io.tiff_pages import seek_largest_page, unpack_deep_planes
from engine.types.file_facts import DroppedContent, PersonalDetail
from engine.types.photo_limits import MAX_PIXELS, MAX_SCANS, MAX_SIDE
from engine.types.pictures import Picture, UnusablePhotoError
from engine.types.report import Reason
from engine.types.source_types import SourceType

# Greatest print resolution that is kept, in dots per inch.
MAX_DPI = 65_535
# Formats that are read. Pillow's JPEG includes MPO, a file of several pictures, of which the first is read.
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "TIFF")
# With this `quality`, Pillow does not scale the quantization tables.
UNSCALED_TABLES = -1
_JPEG_FORMATS = ("JPEG", "MPO")
_KEPT_FORMATS = ("PNG", "WEBP")
_UNSUPPORTED_MODES = {"LAB": "in CIE Lab", "F": "in floating point numbers", "HSV": "in HSV"}
# Arbitrary scan data: if a JPEG is truncated, appending it changes the decoded picture.
_FILLER = bytes(range(255)) * 16
_HDR = "The photo is in high dynamic range (PQ or HLG). Export it in standard range, or as a JPEG."
_DAMAGED = "The JPEG is damaged: a part of the picture cannot be read as it was written. Copy or export it again."
_BROKEN = "The file is damaged or is not a JPEG, PNG, WebP, HEIC or TIFF photo."

Image.MAX_IMAGE_PIXELS = MAX_PIXELS
# Loads the readers of all formats; a format whose reader is not loaded would be refused.
Image.init()
pillow_heif.register_heif_opener(thumbnails=False)


@dataclass(frozen=True, slots=True)
class DecodedPhoto:
    """A decoded photo, upright. `pixels` are in the color space of `profile`; `digest` is the SHA-256 of the file.

    `exif` is the capture data that the result keeps. `tables` are the JPEG quantization tables for the result, None
    for a photo without usable tables. `source_type` is the file's statement about synthetic parts, `description`
    the sentence that it has for people, empty where there is none. `personal_details` are the kinds of personal
    details in the file. `not_kept` is content of the file that the result will not have. `dpi` is the print
    resolution across and down, `place` the latitude and longitude in degrees; each is None where the file has none.
    `is_lossless` marks a lossless WebP, whose result is lossless too.
    """

    pixels: Pixels
    profile: ColorProfile
    exif: bytes
    format: str
    digest: str
    tables: tuple[Table, Table] | None = None
    source_type: SourceType | None = None
    description: str = ""
    personal_details: tuple[PersonalDetail, ...] = ()
    not_kept: tuple[DroppedContent, ...] = ()
    dpi: tuple[float, float] | None = None
    place: tuple[float, float] | None = None
    is_lossless: bool = False


def decode(stream: BinaryIO, max_pixels: int = MAX_PIXELS, min_side: int | None = None) -> DecodedPhoto:
    """Read a photo; its format is detected from the content alone.

    Parameters
    ----------
    stream : BinaryIO
        The file; read to its end.
    max_pixels : int, default MAX_PIXELS
        Greatest number of pixels that is accepted; at most MAX_PIXELS.
    min_side : int, optional
        Where it is given, a JPEG may be decoded at a reduced size with no side below this many pixels, which is
        several times faster.

    Returns
    -------
    DecodedPhoto
        The photo, upright, 8 bits per channel.

    Raises
    ------
    UnusablePhotoError
        Where the photo is broken, cut short, animated, in high dynamic range, of an unsupported format or color
        space, or beyond the limits.
    """
    content = stream.read()
    try:
        with Image.open(io.BytesIO(add_end(content)), formats=FORMATS) as image:
            seek_largest_page(image)
            check_limits(image, content, max_pixels)
            if min_side is not None:
                image.draft(None, (min_side, min_side))
            unpack_deep_planes(image)
            image.load()
            if lacks_end(content):
                _check_not_truncated(image, content, min_side)
            elif image.format in _JPEG_FORMATS and is_damaged(content):
                raise UnusablePhotoError(Reason.UNDECODABLE, _DAMAGED)
            format_name, exif, tables = image.format or "", copy_capture_data(image), choose_jpeg_tables(image)
            facts = _read_facts(image, content)
            declared = read_declared(image, content)
            if declared is not None and declared.is_hdr:
                raise UnusablePhotoError(Reason.UNDECODABLE, _HDR)
            # This is done in place, because a copy would take 4 bytes for each pixel, and only after all reads
            # above, which need the photo as it is stored.
            ImageOps.exif_transpose(image, in_place=True)
            profile, upright = convert_to_rgb(image, declared)
            digest = hashlib.sha256(content).hexdigest()
            pixels = _read_pixels(upright)
            return DecodedPhoto(pixels, profile, exif, format_name, digest, tables, **facts)
    except Image.DecompressionBombError as error:
        raise _too_many(max_pixels) from error
    except MemoryError as error:
        raise UnusablePhotoError(Reason.UNDECODABLE, "The photo needs too much memory to decode.") from error
    except DECODER_FAULTS as error:
        raise UnusablePhotoError(Reason.UNDECODABLE, _BROKEN) from error


def _read_facts(image: ImageFile, content: bytes) -> dict[str, Any]:
    """Facts in the file besides the picture, by their field of DecodedPhoto."""
    dpi = image.info.get("dpi")
    return {
        "source_type": read_source_type(image.info),
        "description": read_statement_of(image.info).description,
        "personal_details": find_personal_details(image),
        "not_kept": find_not_kept(image, content),
        "dpi": dpi if dpi and all(1 <= each <= MAX_DPI for each in dpi) else None,
        "place": find_place(image),
        "is_lossless": image.format == "WEBP" and _is_lossless_webp(content),
    }


def _is_lossless_webp(content: bytes) -> bool:
    """Whether the first picture among a WebP's chunks is stored without loss."""
    position = len("RIFFsizeWEBP")
    while (kind := content[position : position + 4]) not in (b"", b"VP8 ", b"VP8L"):
        size = int.from_bytes(content[position + 4 : position + 8], "little")
        position += 8 + size + size % 2
    return kind == b"VP8L"


def _check_not_truncated(image: Image.Image, content: bytes, min_side: int | None) -> None:
    """Refuse a JPEG that lacks more than its end marker, because the decoder would invent the rest of the picture.

    Raises UnusablePhotoError.
    """
    with Image.open(io.BytesIO(add_end(content, _FILLER)), formats=FORMATS) as filled:
        if min_side is not None:
            filled.draft(None, (min_side, min_side))
        if not np.array_equal(np.asarray(image), np.asarray(filled)):
            raise UnusablePhotoError(Reason.UNDECODABLE, _BROKEN)


def read_statement(content: bytes) -> Statement:
    """Read a file's statement of how the picture was made; no pixel is decoded.

    Parameters
    ----------
    content : bytes
        The file of a photo that `decode` accepts.

    Returns
    -------
    Statement
        Fields about which the file says nothing are empty.

    Raises
    ------
    OSError
        Where the file has none of FORMATS.
    """
    with Image.open(io.BytesIO(content), formats=FORMATS) as image:
        return read_statement_of(image.info)


def _read_pixels(image: Image.Image) -> Pixels:
    """The pixels of an RGB picture, read strip by strip, because Pillow would copy a whole picture three times."""
    result = np.empty((image.height, image.width, 3), np.uint8)
    for rows in split_into_strips(result.shape):
        result[rows] = np.asarray(image.crop((0, rows.start, image.width, rows.stop)))
    return result


# Exceptions that Pillow, its codecs and the HEIF library are known to raise for broken files.
DECODER_FAULTS = (
    *UNREADABLE,
    EOFError,
    RuntimeError,
    AssertionError,
    zlib.error,
    Image.DecompressionBombWarning,
)


def check_limits(image: Image.Image, content: bytes, max_pixels: int = MAX_PIXELS) -> None:
    """Refuse a photo beyond the limits before any pixel is decoded.

    Parameters
    ----------
    image : Image
        The opened photo.
    content : bytes
        The photo's file.
    max_pixels : int, default MAX_PIXELS
        Greatest number of pixels that is accepted.

    Raises
    ------
    UnusablePhotoError
        TOO_MANY_PIXELS; UNDECODABLE for a side over MAX_SIDE, an animation, an unsupported color space (Lab, HSV,
        floating point) and a JPEG of over MAX_SCANS scans.
    """
    width, height = image.size
    if width * height > max_pixels:
        raise _too_many(max_pixels)
    if max(width, height) > MAX_SIDE:
        raise UnusablePhotoError(Reason.UNDECODABLE, f"A side of the photo is over {MAX_SIDE} pixels long.")
    if image.format in _KEPT_FORMATS and getattr(image, "is_animated", False):
        raise UnusablePhotoError(Reason.UNDECODABLE, "The file is an animation, not a photo.")
    if image.mode in _UNSUPPORTED_MODES:
        raise UnusablePhotoError(
            Reason.UNDECODABLE, f"The photo is {_UNSUPPORTED_MODES[image.mode]}. Export it as RGB."
        )
    if image.format in _JPEG_FORMATS and count_scans(content) > MAX_SCANS:
        raise UnusablePhotoError(Reason.UNDECODABLE, f"The JPEG is split into over {MAX_SCANS} scans.")


def _too_many(max_pixels: int) -> UnusablePhotoError:
    return UnusablePhotoError(Reason.TOO_MANY_PIXELS, f"The photo is over {max_pixels // 1_000_000} megapixels.")


def encode(
    pixels: Pixels, photo: DecodedPhoto, source_type: SourceType | None = None, description: str | None = None
) -> Picture:
    """Encode a picture in the format of the photo (JPEG for HEIC and TIFF), with its profile and capture data.

    Parameters
    ----------
    pixels : (H, W, 3) ndarray of uint8
        Gamma-coded, in the color space of `photo`.
    photo : DecodedPhoto
        The photo whose format, profile, capture data, JPEG tables and print resolution are kept.
    source_type : SourceType, optional
        How the picture was altered. The stronger of this type and the photo's own type is written.
    description : str, optional
        A sentence for people about how it was altered; written only with a source type.

    Returns
    -------
    Picture
        The file, its media type and its size.
    """
    format_name = photo.format if photo.format in _KEPT_FORMATS else "JPEG"
    options = make_save_options(find_strongest(photo.source_type, source_type), format_name, description)
    options |= {"exif": photo.exif} if photo.exif else {}
    if format_name == "JPEG" and photo.tables:
        options |= {"qtables": photo.tables, "quality": UNSCALED_TABLES}
    if format_name == "WEBP" and photo.is_lossless:
        options |= _LOSSLESS
    if photo.dpi:
        options["dpi"] = photo.dpi
    if photo.profile.icc:
        options["icc_profile"] = photo.profile.icc
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, format_name, **(_OPTIONS[format_name] | options))
    height, width = pixels.shape[:2]
    return Picture(buffer.getvalue(), f"image/{format_name.lower()}", width, height)


_OPTIONS: dict[str, dict[str, object]] = {
    "JPEG": {"quality": QUALITY, "subsampling": 0},
    "PNG": {"compress_level": 3},
    "WEBP": {"quality": QUALITY, "method": 2},
}
# For a lossless WebP, `quality` is the encoder's effort.
_LOSSLESS: dict[str, object] = {"lossless": True, "quality": 40}
