"""What a photo's file says of places and people: found, to warn its owner before anything is public."""

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
"""EXIF tags, of the main and of the capture part."""
_IPTC: Final = {
    PersonalDetail.PLACE: ((2, 90), (2, 92), (2, 95), (2, 101)),
    PersonalDetail.NAMES: ((2, 80), (2, 110), (2, 115), (2, 116), (2, 122)),
    PersonalDetail.CAPTIONS: ((2, 5), (2, 25), (2, 105), (2, 120)),
}
"""Record and data set: city, sublocation, state, country; by-line, credit, source, copyright, writer; title,
keywords, headline, caption.
"""
_XMP: Final = {
    PersonalDetail.PLACE: (b"GPSLatitude", b"photoshop:City", b"photoshop:State", b":Location"),
    PersonalDetail.NAMES: (b"dc:creator", b"dc:rights", b":OwnerName", b"photoshop:Credit", b":CreatorContact"),
    PersonalDetail.SERIAL_NUMBERS: (b"SerialNumber",),
    PersonalDetail.CAPTIONS: (b"dc:description", b"dc:title", b"dc:subject", b"photoshop:Headline"),
}
_LATITUDE: Final = 2


def find_personal_details(image: ImageFile) -> tuple[PersonalDetail, ...]:
    """Which kinds of personal details the EXIF, IPTC and XMP of an opened picture hold.

    Call it before the orientation is applied, which rewrites EXIF.

    Parameters
    ----------
    image : ImageFile
        The opened picture.

    Returns
    -------
    tuple of PersonalDetail
        In the order of PersonalDetail; a part that cannot be read counts as empty.
    """
    found = {*_in_exif(image), *_in_iptc(image), *_in_xmp(image.info)}
    return tuple(each for each in PersonalDetail if each in found)


def _in_exif(image: ImageFile) -> set[PersonalDetail]:
    try:
        exif = image.getexif()
        tags = {**exif, **exif.get_ifd(ExifTags.IFD.Exif)}
        found = {detail for detail, wanted in _TAGS.items() if any(_says(tags.get(tag)) for tag in wanted)}
        return found | ({PersonalDetail.PLACE} if _LATITUDE in exif.get_ifd(ExifTags.IFD.GPSInfo) else set())
    except UNREADABLE:
        return set()


def _in_iptc(image: ImageFile) -> set[PersonalDetail]:
    try:
        said = IptcImagePlugin.getiptcinfo(image) or {}
    except UNREADABLE:
        return set()
    return {detail for detail, wanted in _IPTC.items() if any(said.get(each) for each in wanted)}


def _in_xmp(info: Mapping[str | tuple[int, int], object]) -> set[PersonalDetail]:
    packets = (info.get(name, b"") for name in ("xmp", "XML:com.adobe.xmp"))
    packet = b"".join(each if isinstance(each, bytes) else str(each).encode() for each in packets)
    return {detail for detail, names in _XMP.items() if any(name in packet for name in names)}


def _says(value: object) -> bool:
    """Whether a tag has a text: cameras write blank ones. UserComment begins with eight bytes of its coding."""
    if isinstance(value, str):
        return bool(value.strip(" \0"))
    if isinstance(value, bytes):
        return bool(value[8:].replace(b"\0", b"").strip())
    return value is not None
