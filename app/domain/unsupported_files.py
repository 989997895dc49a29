"""Files among photos that the service does not accept: their kinds, and the messages for customers."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Any

from engine.types.camera_raw import is_camera_raw
from engine.types.media import FORMATS, is_avif, list_endings


class UnsupportedKind(StrEnum):
    """The kinds of unsupported files that have a message of their own."""

    CAMERA_RAW = "camera_raw"
    VIDEO = "video"
    PDF = "pdf"
    AVIF = "avif"
    JPEG_XL = "jpeg_xl"


WORDS: Mapping[UnsupportedKind, str] = {
    UnsupportedKind.CAMERA_RAW: "This is a camera raw file. Export it as JPEG or TIFF and add that instead.",
    UnsupportedKind.VIDEO: "This is a video. Only photos can be enhanced.",
    UnsupportedKind.PDF: "This is a PDF. Export its pictures as JPEG and add those instead.",
    UnsupportedKind.AVIF: "This is an AVIF picture. Export it as JPEG and add that instead.",
    UnsupportedKind.JPEG_XL: "This is a JPEG XL picture. Export it as JPEG and add that instead.",
}
NO_PHOTO = f"The file is not {FORMATS}."
EMPTY = "The file is empty."

ENDINGS: Mapping[UnsupportedKind, Sequence[str]] = {
    UnsupportedKind.CAMERA_RAW: (
        *("3fr", "arw", "cr2", "cr3", "crw", "dng", "erf", "iiq", "mrw", "nef", "nrw", "orf"),
        *("pef", "raf", "raw", "rw2", "rwl", "srw", "x3f"),
    ),
    UnsupportedKind.VIDEO: ("3gp", "avi", "m4v", "mkv", "mov", "mp4", "mpg", "mts", "webm"),
    UnsupportedKind.PDF: ("pdf",),
    UnsupportedKind.AVIF: ("avif",),
    UnsupportedKind.JPEG_XL: ("jxl",),
}
"""Kind -> extensions of file names. Browsers use them to decide which files not to upload; the server decides by
content.
"""
COMPANION_ENDINGS: Sequence[str] = ("aae", "ini", "lrv", "thm", "xmp")
"""Extensions of files that cameras, systems and programs put beside photos. Customers did not choose such files, so
they are ignored without a message.
"""
_COMPANION_NAMES = ("thumbs.db",)
_JPEG_XL_STARTS = (b"\xff\x0a", b"\0\0\0\x0cJXL \r\n\x87\n")
_VIDEO_BOXES = (b"moov", b"mdat", b"wide")
_VIDEO_BRANDS = (b"qt  ", b"isom", b"iso", b"mp4", b"M4V", b"avc1", b"3gp", b"MSNV", b"dash", b"f4v")


def recognize(header: bytes) -> UnsupportedKind | None:
    """The kind of a file that media.sniff() does not recognize, by the file's first bytes; None for kinds without a
    message.
    """
    if is_camera_raw(header):
        return UnsupportedKind.CAMERA_RAW
    if header.startswith(b"%PDF-"):
        return UnsupportedKind.PDF
    if is_avif(header):
        return UnsupportedKind.AVIF
    if header.startswith(_JPEG_XL_STARTS):
        return UnsupportedKind.JPEG_XL
    return UnsupportedKind.VIDEO if _is_video(header) else None


def explain(header: bytes) -> str:
    """Why a file with these first bytes is not accepted, in words."""
    if not header:
        return EMPTY
    found = recognize(header)
    return WORDS[found] if found else NO_PHOTO


def is_companion(file_name: str) -> bool:
    """Whether a file with this name is hidden, or is of a kind that cameras or systems put beside photos."""
    name = _base_name(file_name)
    return name.startswith(".") or name in _COMPANION_NAMES or name.rpartition(".")[2] in COMPANION_ENDINGS


def is_live_photo_video(file_name: str, others: Sequence[str]) -> bool:
    """Whether the file is the video of a Live Photo whose photo, with the same name, is among the `others`."""
    name, _, ending = _base_name(file_name).rpartition(".")
    stills = {_base_name(other).rpartition(".")[0] for other in others}
    return ending in ENDINGS[UnsupportedKind.VIDEO] and name in stills


def describe_for_browsers() -> dict[str, Any]:
    """The rules for JavaScript on pages, which looks only at names: which files not to upload, and what to say."""
    return {
        "photos": list_endings(),
        "kinds": [{"endings": ENDINGS[kind], "words": WORDS[kind], "kind": kind} for kind in UnsupportedKind],
        "beside": [*COMPANION_ENDINGS],
        "besideNames": [*_COMPANION_NAMES],
        "noPhoto": NO_PHOTO,
        "empty": EMPTY,
    }


def _base_name(file_name: str) -> str:
    return PurePosixPath(file_name.replace("\\", "/")).name.lower()


def _is_video(header: bytes) -> bool:
    if header[:4] == b"RIFF" and header[8:12] == b"AVI ":
        return True
    if header.startswith((b"\x1a\x45\xdf\xa3", b"\0\0\1\xba", b"\0\0\1\xb3")):
        return True
    return header[4:8] in _VIDEO_BOXES or (header[4:8] == b"ftyp" and header[8:12].startswith(_VIDEO_BRANDS))
