"""Files among photos that are none: told by their first bytes, never taken for what they hold a thumbnail of."""

import struct

import pytest

from app.domain.unsupported_files import (
    ENDINGS,
    NO_PHOTO,
    WORDS,
    UnsupportedKind,
    explain,
    is_companion,
    is_live_photo_video,
    recognize,
)
from engine.types.media import HEADER_BYTES, MediaType, list_endings, sniff

SHORT, LONG = 3, 4


def tiff(*tags: tuple[int, int, int], order: str = "<", start: int = 8) -> bytes:
    """A TIFF's beginning with these tags (number, type, value) of its first picture."""
    magic = b"II*\0" if order == "<" else b"MM\0*"
    entries = b"".join(
        struct.pack(f"{order}HHI", tag, kind, 1)
        + (struct.pack(f"{order}HH", value, 0) if kind == SHORT else struct.pack(f"{order}I", value))
        for tag, kind, value in tags
    )
    head = magic + struct.pack(f"{order}I", start) + bytes(start - 8)
    return head + struct.pack(f"{order}H", len(tags)) + entries + bytes(4)


NIKON = tiff((0xFE, LONG, 1), (0x100, LONG, 160), (0x14A, LONG, 900), order=">")
SONY = tiff((0xFE, LONG, 1), (0x100, SHORT, 1616), (0x14A, LONG, 900))
ADOBE = tiff((0xFE, LONG, 0), (0x100, LONG, 6000), (0xC612, 1, 0x0401))
CANON = b"II*\0\x10\0\0\0CR\2\0" + bytes(4) + struct.pack("<H", 1) + struct.pack("<HHII", 0x100, SHORT, 1, 5616)
SENSOR = tiff((0x100, LONG, 6000), (0x106, SHORT, 0x8023))


@pytest.mark.parametrize(
    ("header", "kind"),
    [
        (NIKON, UnsupportedKind.CAMERA_RAW),
        (SONY, UnsupportedKind.CAMERA_RAW),
        (ADOBE, UnsupportedKind.CAMERA_RAW),
        (CANON, UnsupportedKind.CAMERA_RAW),
        (SENSOR, UnsupportedKind.CAMERA_RAW),
        (b"\0\0\0\x18ftypcrx \0\0\0\1crx isom", UnsupportedKind.CAMERA_RAW),
        (b"FUJIFILMCCD-RAW 0201", UnsupportedKind.CAMERA_RAW),
        (b"IIRO\x08\0\0\0", UnsupportedKind.CAMERA_RAW),
        (b"IIU\0\x18\0\0\0", UnsupportedKind.CAMERA_RAW),
        (b"II\x1a\0\0\0HEAPCCDR", UnsupportedKind.CAMERA_RAW),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  ", UnsupportedKind.VIDEO),
        (b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", UnsupportedKind.VIDEO),
        (b"\0\0\0\x08wide\0\0\0\0mdat", UnsupportedKind.VIDEO),
        (b"RIFF\x10\0\0\0AVI LIST", UnsupportedKind.VIDEO),
        (b"\x1a\x45\xdf\xa3\x01", UnsupportedKind.VIDEO),
        (b"%PDF-1.7", UnsupportedKind.PDF),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", UnsupportedKind.AVIF),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", UnsupportedKind.AVIF),
        (b"\xff\x0a\xfa\x7f\x01", UnsupportedKind.JPEG_XL),
        (b"\0\0\0\x0cJXL \r\n\x87\n\0\0\0\x14ftypjxl ", UnsupportedKind.JPEG_XL),
    ],
)
def test_each_kind_is_told_by_its_first_bytes_and_is_no_photo(header: bytes, kind: UnsupportedKind) -> None:
    assert recognize(header) is kind
    assert sniff(header[:HEADER_BYTES]) is None
    assert explain(header) == WORDS[kind]


@pytest.mark.parametrize(
    "header",
    [
        tiff((0xFE, LONG, 0), (0x100, LONG, 6000), (0x106, SHORT, 2)),
        tiff((0xFE, LONG, 1), (0x100, LONG, 160)),
        tiff((0x100, LONG, 6000), (0x14A, LONG, 900), order=">"),
        b"II*\0\x08\0\0\0",
        b"II*\0\xff\xff\xff\xff",
        b"MM\0*\0\0\0\x08\xff\xff" + bytes(40),
        b"MM\0*",
        b"II+\0\x08\0\0\0",
        b"MM\0+\0\x08\0\0",
    ],
)
def test_a_tiff_of_a_program_stays_a_photo(header: bytes) -> None:
    assert recognize(header) is None
    assert sniff(header) is MediaType.TIFF


def test_what_is_none_of_them_is_told_which_formats_are_taken() -> None:
    assert explain(b"") == "The file is empty."
    assert explain(b"<html>") == NO_PHOTO
    assert recognize(b"\0\0\0\x18ftypjp2 \0\0\0\0jp2 ") is None


def test_no_ending_stands_for_two_kinds() -> None:
    every = [ending for endings in ENDINGS.values() for ending in endings] + list_endings()
    assert len(every) == len(set(every))


@pytest.mark.parametrize(
    ("name", "nobody_chose_it"),
    [
        ("Thumbs.db", True),
        ("shoot/.DS_Store", True),
        ("._IMG_1.JPG", True),
        ("desktop.ini", True),
        ("IMG_1.AAE", True),
        ("DSC1.xmp", True),
        ("kitchen.jpg", False),
        ("notes.txt", False),
        ("IMG_1.MOV", False),
    ],
)
def test_what_systems_put_beside_photos_is_nothing_that_anybody_chose(name: str, nobody_chose_it: bool) -> None:
    assert is_companion(name) is nobody_chose_it


def test_the_moving_half_of_a_live_photo_goes_with_its_still_one() -> None:
    assert is_live_photo_video("IMG_0042.MOV", ["IMG_0041.HEIC", "IMG_0042.HEIC"])
    assert is_live_photo_video("phone/img_0042.mov", ["IMG_0042.jpg"])
    assert not is_live_photo_video("IMG_0042.MOV", ["IMG_0041.HEIC"])
    assert not is_live_photo_video("IMG_0042.PDF", ["IMG_0042.HEIC"])
