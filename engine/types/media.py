"""The picture formats that the service accepts, recognized by a file's first bytes and never by its name."""

from enum import StrEnum

from engine.types.camera_raw import is_camera_raw

HEADER_BYTES = 2048
"""Number of first bytes that are enough to recognize a camera's raw file, which begins like a TIFF."""
FORMATS = "JPEG, PNG, WebP, HEIC or TIFF"
"""The formats as messages and pages list them."""


class MediaType(StrEnum):
    """The formats a photo may come in."""

    JPEG = "image/jpeg"
    PNG = "image/png"
    WEBP = "image/webp"
    HEIC = "image/heic"
    TIFF = "image/tiff"


SHOWN_BY_BROWSERS = frozenset({MediaType.JPEG, MediaType.PNG, MediaType.WEBP})
"""The formats that every browser can show."""
_ENDINGS = {
    MediaType.JPEG: ("jpg", "jpeg", "jpe", "jfif"),
    MediaType.PNG: ("png",),
    MediaType.WEBP: ("webp",),
    MediaType.HEIC: ("heic", "heif", "hif"),
    MediaType.TIFF: ("tif", "tiff"),
}
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs", b"mif1", b"msf1"})
_TIFF_STARTS = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
"""The last two are BigTIFF, whose offsets have 8 bytes."""
_MIN_BYTES = 64
"""Number of first bytes that are enough to recognize every format except a camera's raw file."""
_AVIF_BRANDS = frozenset({b"avif", b"avis"})


def list_endings() -> list[str]:
    """List the file name extensions of all formats.

    Returns
    -------
    list of str
        In lower case, without the dot.
    """
    return [ending for endings in _ENDINGS.values() for ending in endings]


def fit_file_name(file_name: str, media_type: MediaType) -> str:
    """Add an extension to a file name that does not fit the content: `plan.exe`, a JPEG, becomes `plan.exe.jpg`.

    Parameters
    ----------
    file_name : str
        The file's current name.
    media_type : MediaType
        The file's format.

    Returns
    -------
    str
        The unchanged name where its extension fits, in upper or lower case.
    """
    endings = _ENDINGS[media_type]
    fits = file_name.lower().rpartition(".")[2] in endings
    return file_name if fits else f"{file_name}.{endings[0]}"


def has_enough_bytes(header: bytes) -> bool:
    """Whether these first bytes of a file are enough for `sniff`.

    Parameters
    ----------
    header : bytes
        The first bytes that were received so far.

    Returns
    -------
    bool
        True from HEADER_BYTES on for a file that begins like a TIFF, from 64 bytes on for others.
    """
    return len(header) >= (HEADER_BYTES if header[:4] in _TIFF_STARTS else _MIN_BYTES)


def sniff(header: bytes) -> MediaType | None:
    """Recognize the format of a file.

    Parameters
    ----------
    header : bytes
        The first HEADER_BYTES of the file, or all of a shorter one.

    Returns
    -------
    MediaType or None
        None for any other format, also for camera raw files and AVIF.
    """
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
    """Whether a file is an AVIF picture, which has the same container (HEIF) as a HEIC one.

    Parameters
    ----------
    header : bytes
        The first bytes of the file, as for `sniff`.

    Returns
    -------
    bool
        True where AVIF is the file's main brand, or a compatible one of a general HEIF picture (mif1).
    """
    major = header[8:12]
    if header[4:8] != b"ftyp" or major not in {b"mif1", *_AVIF_BRANDS}:
        return False
    size = min(int.from_bytes(header[:4], "big"), len(header))
    return major in _AVIF_BRANDS or any(header[at : at + 4] in _AVIF_BRANDS for at in range(16, size, 4))
