"""Finds, before a photo is ordered, the content of its file that its result will not have."""

from collections.abc import Iterator

from PIL import Image
from PIL.TiffImagePlugin import BITSPERSAMPLE, TiffImageFile

from engine.io.exif import UNREADABLE
from engine.types.file_facts import DroppedContent

# Position of the bit depth in a PNG's content.
_PNG_DEPTH_INDEX = 24
# Bits of each color in a result.
_RESULT_BITS = 8
# A photo with a gain map (Ultra HDR) has one of these words in its XMP, or this kind of auxiliary picture in HEIC.
_GAIN_MAP_WORDS = (b"hdrgm:", b"HDRGainMap")
_GAIN_MAP_KIND = "hdrgainmap"


def find_not_kept(image: Image.Image, content: bytes) -> tuple[DroppedContent, ...]:
    """Find content of a photo that its result will not have: more than 8 bits, a gain map, more pictures.

    Parameters
    ----------
    image : Image
        The opened photo.
    content : bytes
        The photo's file.

    Returns
    -------
    tuple of DroppedContent
        Empty where the file cannot be read.
    """
    try:
        return tuple(_find(image, content))
    except UNREADABLE:
        return ()


def _find(image: Image.Image, content: bytes) -> Iterator[DroppedContent]:
    if _read_depth(image, content) > _RESULT_BITS:
        yield DroppedContent.DEPTH
    has_gain_map = _has_gain_map(image)
    if has_gain_map:
        yield DroppedContent.GAIN_MAP
    # An Ultra HDR photo has its gain map as a second picture.
    if getattr(image, "n_frames", 1) > (2 if has_gain_map else 1):
        yield DroppedContent.OTHER_PICTURES


def _read_depth(image: Image.Image, content: bytes) -> int:
    """Bits of each color in the file; Pillow itself reduces most pictures to 8."""
    if image.format == "PNG":
        return content[_PNG_DEPTH_INDEX]
    if isinstance(image, TiffImageFile):
        return int(max(image.tag_v2.get(BITSPERSAMPLE, (_RESULT_BITS,))))
    return int(image.info.get("bit_depth", _RESULT_BITS))


def _has_gain_map(image: Image.Image) -> bool:
    packet = image.info.get("xmp", b"")
    packet = packet if isinstance(packet, bytes) else str(packet).encode()
    kinds = " ".join(map(str, image.info.get("aux", ()))).lower()
    return any(word in packet for word in _GAIN_MAP_WORDS) or _GAIN_MAP_KIND in kinds
