"""Recognizes raw files of cameras by their first bytes; many are TIFF files that begin with a thumbnail."""

from collections.abc import Mapping

_STARTS = (b"FUJIFILMCCD-RAW", b"IIRO", b"IIRS", b"MMOR", b"IIU\0", b"FOVb", b"\0MRM", b"IIII", b"MMMM")
"""First bytes of Fujifilm, Olympus (3), Panasonic, Sigma, Minolta and Phase One (2)."""
_TIFF = {b"II*\0": "little", b"MM\0*": "big"}
_TAG_BYTES = 12
_SUBFILE_TYPE, _PHOTOMETRIC, _SUB_IFDS, _DNG_VERSION = 0x00FE, 0x0106, 0x014A, 0xC612
_SMALLER_COPY, _SENSOR = 1, 0x8023


def is_camera_raw(header: bytes) -> bool:
    """Whether a file with these first bytes is a camera's raw file.

    Parameters
    ----------
    header : bytes
        The first media.HEADER_BYTES of the file, or all of a shorter one.

    Returns
    -------
    bool
        True for a maker's own format, and for a TIFF that is a DNG, holds sensor data, is Canon's CR2 or begins
        with a thumbnail and refers to further pictures.
    """
    if header.startswith(_STARTS) or header[6:14] == b"HEAPCCDR" or header[4:12] == b"ftypcrx ":
        return True
    tags = _read_first_tags(header)
    is_thumbnail = bool(tags.get(_SUBFILE_TYPE, 0) & _SMALLER_COPY) and _SUB_IFDS in tags
    is_canon = bool(tags) and header[8:10] == b"CR"
    return is_canon or is_thumbnail or _DNG_VERSION in tags or tags.get(_PHOTOMETRIC) == _SENSOR


def _read_first_tags(header: bytes) -> Mapping[int, int]:
    """The first value of each tag of a TIFF's first picture, as far as the header contains them."""
    order = _TIFF.get(header[:4])
    if order is None:
        return {}
    big = order == "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(header[at : at + size], "big" if big else "little")

    first = number(4, 4)
    tags = {}
    for place in range(number(first, 2)):
        at = first + 2 + place * _TAG_BYTES
        if at + _TAG_BYTES > len(header):
            break
        # Tag type 3 is a number of two bytes, stored in the first two of the four bytes of a value.
        tags[number(at, 2)] = number(at + 8, 2 if number(at + 2, 2) == 3 else 4)
    return tags
