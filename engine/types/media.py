"""Which picture formats the service takes, recognized by a file's first bytes and never by its name."""

from enum import StrEnum

from engine.types.camera_raw import is_camera_raw

HEADER_BYTES = 2048
"""So many tell a camera's raw file, which begins as a TIFF does."""
FORMATS = "JPEG, PNG, WebP, HEIC or TIFF"
"""As messages and pages name them."""


class MediaType(StrEnum):
    """The formats a photo may come in."""

    JPEG = "image/jpeg"
    PNG = "image/png"
    WEBP = "image/webp"
    HEIC = "image/heic"
    TIFF = "image/tiff"


SHOWN_BY_BROWSERS = frozenset({MediaType.JPEG, MediaType.PNG, MediaType.WEBP})
"""Those that every browser can show."""
_ENDINGS = {
    MediaType.JPEG: ("jpg", "jpeg", "jpe", "jfif"),
    MediaType.PNG: ("png",),
    MediaType.WEBP: ("webp",),
    MediaType.HEIC: ("heic", "heif", "hif"),
    MediaType.TIFF: ("tif", "tiff"),
}
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
_TIFF_STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
"""The last two: BigTIFF, whose offsets have 8 bytes."""
_FEW_BYTES = 64
_AVIF_BRANDS = frozenset({b"avif", b"avis"})


def list_endings() -> list[str]:
    """The endings of names that photos of these formats have."""
    return [ending for endings in _ENDINGS.values() for ending in endings]


def fitting_name(file_name: str, media_type: MediaType) -> str:
    """The name with an ending that tells the truth: a JPEG called `plan.exe` is given as `plan.exe.jpg`."""
    endings = _ENDINGS[media_type]
    fits = file_name.lower().rpartition(".")[2] in endings
    return file_name if fits else f"{file_name}.{endings[0]}"


def is_told(header: bytes) -> bool:
    """Whether so many first bytes of a file tell its format already: all but a TIFF's need few."""
    return len(header) >= (HEADER_BYTES if header[:4] in _TIFF_STARTS else _FEW_BYTES)


def sniff(header: bytes) -> MediaType | None:
    """The format that the first HEADER_BYTES of a file announce, or None."""
    if header.startswith(b"\xff\xd8\xff"):
        return MediaType.JPEG
    if header.startswith(b"\x89PNG\r\n\x1a\n"):
        return MediaType.PNG
    if header[:4] == b"RIFF" and header[8:12] == b"WEBP":
        return MediaType.WEBP
    if header[:4] in _TIFF_STARTS:
        return None if is_camera_raw(header) else MediaType.TIFF
    return MediaType.HEIC if _is_heif(header) else None


def _is_heif(header: bytes) -> bool:
    if header[4:8] != b"ftyp":
        return False
    major = header[8:12]
    return major in _HEIF_BRANDS and not is_avif(header)


def is_avif(header: bytes) -> bool:
    """Whether a file that begins so is an AVIF picture, which lies in the same boxes as a HEIC one."""
    major = header[8:12]
    if header[4:8] != b"ftyp" or major not in {b"mif1", *_AVIF_BRANDS}:
        return False
    size = min(int.from_bytes(header[:4], "big"), len(header))
    return major in _AVIF_BRANDS or any(header[at : at + 4] in _AVIF_BRANDS for at in range(16, size, 4))
