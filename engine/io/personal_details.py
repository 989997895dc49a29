"""Finds personal details in a photo's file, so that its owner can be warned before anything is published."""

from collections.abc import Mapping
from typing import Final

from PIL import ExifTags, IptcImagePlugin
from PIL.ImageFile import ImageFile

from engine.io.exif import UNREADABLE
from engine.types.file_facts import PersonalDetail

_BASE = ExifTags.Base
_UNIQUE_CAMERA_MODEL_SERIAL = 0xC62F
_TAGS: Final = {
    PersonalDetail.NAMES: (_BASE.Artist, _BASE.Copyright, _BASE.CameraOwnerName, _BASE.XPAuthor),
    PersonalDetail.SERIAL_NUMBERS: (
        _BASE.BodySerialNumber,
        _BASE.LensSerialNumber,
        _BASE.ImageUniqueID,
        _UNIQUE_CAMERA_MODEL_SERIAL,
    ),
    PersonalDetail.CAPTIONS: (
        _BASE.ImageDescription,
        _BASE.UserComment,
        _BASE.XPTitle,
        _BASE.XPComment,
        _BASE.XPKeywords,
        _BASE.XPSubject,
    ),
}
"""EXIF tags that hold each kind of detail, in the main or the capture part."""
_IPTC: Final = {
    PersonalDetail.PLACE: ((2, 90), (2, 92), (2, 95), (2, 101)),
    PersonalDetail.NAMES: ((2, 80), (2, 110), (2, 115), (2, 116), (2, 122)),
    PersonalDetail.CAPTIONS: ((2, 5), (2, 25), (2, 105), (2, 120)),
}
"""IPTC record and data set numbers that hold each kind of detail. In this order they are, for places: city,
sublocation, state, country; for names: by-line, credit, source, copyright, writer; for captions: title, keywords,
headline, caption.
"""
_XMP: Final = {
    PersonalDetail.PLACE: (b"GPSLatitude", b"photoshop:City", b"photoshop:State", b":Location"),
    PersonalDetail.NAMES: (b"dc:creator", b"dc:rights", b":OwnerName", b"photoshop:Credit", b":CreatorContact"),
    PersonalDetail.SERIAL_NUMBERS: (b"SerialNumber",),
    PersonalDetail.CAPTIONS: (b"dc:description", b"dc:title", b"dc:subject", b"photoshop:Headline"),
}
"""Names in XMP that hold each kind of detail."""
_LATITUDE: Final = 2
"""EXIF's GPS tag of the latitude."""


def find_personal_details(image: ImageFile) -> tuple[PersonalDetail, ...]:
    """Find which kinds of personal details the EXIF, IPTC and XMP of an opened picture hold.

    Call this before the orientation is applied, because that rewrites EXIF.

    Parameters
    ----------
    image : ImageFile
        The opened picture.

    Returns
    -------
    tuple of PersonalDetail
        Each kind once, in the order of PersonalDetail; metadata that cannot be read counts as empty.
    """
    found = {*_in_exif(image), *_in_iptc(image), *_in_xmp(image.info)}
    return tuple(each for each in PersonalDetail if each in found)


def _in_exif(image: ImageFile) -> set[PersonalDetail]:
    try:
        exif = image.getexif()
        tags = {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
        found = {detail for detail, wanted in _TAGS.items() if any(_has_text(tags.get(tag)) for tag in wanted)}
        return found | ({PersonalDetail.PLACE} if _LATITUDE in exif.get_ifd(ExifTags.IFD.GPSInfo) else set())
    except UNREADABLE:
        return set()


def _in_iptc(image: ImageFile) -> set[PersonalDetail]:
    try:
        records = IptcImagePlugin.getiptcinfo(image) or {}
    except UNREADABLE:
        return set()
    return {detail for detail, wanted in _IPTC.items() if any(records.get(each) for each in wanted)}


def _in_xmp(info: Mapping[str | tuple[int, int], object]) -> set[PersonalDetail]:
    packets = (info.get(name, b"") for name in ("xmp", "XML:com.adobe.xmp"))
    packet = b"".join(each if isinstance(each, bytes) else str(each).encode() for each in packets)
    return {detail for detail, names in _XMP.items() if any(name in packet for name in names)}


def _has_text(value: object) -> bool:
    """Whether a tag's value is more than blank text, which some cameras write.

    The first 8 bytes of UserComment name its encoding.
    """
    if isinstance(value, str):
        return bool(value.strip(" \0"))
    if isinstance(value, bytes):
        return bool(value[8:].replace(b"\0", b"").strip())
    return value is not None
