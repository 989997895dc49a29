"""Checks masks of hints: PNG files in base64, whose structure is checked without decoding the picture."""

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAX_MASK_BYTES, MAX_TOTAL_MASK_BYTES = 24 * 1024, 96 * 1024
"""Bytes of one PNG file, and of all in a document: enough for the outlines of a surface, too few for noise."""
MIN_MASK_SIDE, MAX_MASK_SIDE = 64, 1024
"""Sides in pixels: smaller masks have no usable shape, larger masks have more detail than the engine uses."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, PALETTE = 0, 3
"""The color types of PNG that are read."""
BIT_DEPTHS = (1, 8)
NOT_A_PNG, OTHER_PNG, OTHER_SIZE, EMPTY, EVERYTHING = (
    "not_a_png",
    "other_png",
    "other_size",
    "too_small",
    "everything",
)
"""The codes of MaskError, which HintFaultCode has too."""
_BROKEN = "The PNG file is damaged."


class MaskError(Exception):
    """The mask cannot be used; `code` says why, the text says it for people."""

    def __init__(self, code: str, message: str) -> None:
        self.code = code
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class _Header:
    width: int
    height: int
    bit_depth: int

    @property
    def row_bytes(self) -> int:
        return (self.width * self.bit_depth + 7) // 8


def check_mask(text: str) -> int:
    """Check that a mask is a PNG file that can be used as one.

    Parameters
    ----------
    text : str
        The file in base64.

    Returns
    -------
    int
        The size of the file, in bytes.

    Raises
    ------
    MaskError
        For anything but a whole PNG file within the limits, with 1 or 8 bits of gray or palette a pixel, not
        interlaced, whose pixels are not all alike.
    """
    content = _decode(text)
    header, palette, data = _read_chunks(content)
    rows = _inflate(data, header)
    uniform = _find_uniform(rows, header)
    if uniform is not None:
        is_black = not any(palette[3 * uniform : 3 * uniform + 3]) if palette else uniform == 0
        raise MaskError(
            *((EMPTY, "Nothing is inside.") if is_black else (EVERYTHING, "This is the whole picture."))
        )
    return len(content)


def read_size(text: str) -> tuple[int, int]:
    """Read the width and height of a checked mask.

    Parameters
    ----------
    text : str
        The PNG file in base64.

    Returns
    -------
    tuple of int
        In pixels.
    """
    width, height = struct.unpack_from(">II", base64.b64decode(text[:32]), 16)
    return width, height


def has_shape(size: tuple[int, int], photo_size: tuple[int, int]) -> bool:
    """Whether a mask has the aspect ratio of the photo.

    Parameters
    ----------
    size, photo_size : tuple of int
        Width and height of the mask and of the upright photo, in pixels.

    Returns
    -------
    bool
        True if one of the mask's sides differs by at most one pixel from what the other requires.
    """
    (width, height), (photo_width, photo_height) = size, photo_size
    return (
        abs(width - height * photo_width / photo_height) <= 1
        or abs(height - width * photo_height / photo_width) <= 1
    )


def _decode(text: str) -> bytes:
    if len(text) > 4 * (MAX_MASK_BYTES // 3 + 1):
        raise MaskError(OTHER_SIZE, f"A mask has at most {MAX_MASK_BYTES // 1024} KB.")
    try:
        content = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise MaskError(NOT_A_PNG, "Give a PNG file in base64.") from None
    if not content.startswith(SIGNATURE):
        raise MaskError(NOT_A_PNG, "Give a PNG file in base64.")
    return content


def _read_chunks(content: bytes) -> tuple[_Header, bytes, bytes]:
    """The header, the palette (empty for gray) and the compressed data. A palette comes before the data."""
    chunks = list(_split_chunks(content))
    names = [name for name, _ in chunks]
    if names[:1] != [b"IHDR"] or names[-1] != b"IEND" or names.count(b"IHDR") + names.count(b"IEND") != 2:
        raise MaskError(NOT_A_PNG, _BROKEN)
    header, color_type = _read_header(chunks[0][1])
    places = [place for place, name in enumerate(names) if name == b"IDAT"]
    # A chunk whose name begins with a lower-case letter may be ignored; transparency has no meaning in a mask.
    known = {b"IHDR", b"PLTE", b"IDAT", b"IEND"}
    if any(name not in known and not name[:1].islower() for name in names) or b"tRNS" in names:
        raise MaskError(OTHER_PNG, "A mask has gray values or a palette, without transparency.")
    palette = b"".join(each for name, each in chunks[: places[0] if places else 0] if name == b"PLTE")
    if not places or places != list(range(places[0], places[-1] + 1)) or names.count(b"PLTE") > 1:
        raise MaskError(NOT_A_PNG, _BROKEN)
    if color_type == PALETTE and (not palette or len(palette) % 3 or len(palette) > 3 << header.bit_depth):
        raise MaskError(NOT_A_PNG, _BROKEN)
    data = b"".join(each for name, each in chunks if name == b"IDAT")
    return header, palette if color_type == PALETTE else b"", data


def _split_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = len(SIGNATURE)
    while place < len(content):
        if place + 12 > len(content):
            raise MaskError(NOT_A_PNG, _BROKEN)
        (length,) = struct.unpack_from(">I", content, place)
        end = place + 12 + length
        name, data = content[place + 4 : place + 8], content[place + 8 : end - 4]
        if end > len(content) or not name.isalpha() or not content.endswith(b"IEND\xaeB`\x82"):
            raise MaskError(NOT_A_PNG, _BROKEN)
        if struct.unpack_from(">I", content, end - 4)[0] != zlib.crc32(name + data):
            raise MaskError(NOT_A_PNG, _BROKEN)
        yield name, data
        place = end


def _read_header(data: bytes) -> tuple[_Header, int]:
    if len(data) != 13:
        raise MaskError(NOT_A_PNG, _BROKEN)
    width, height, bit_depth, color_type, compression, filtering, interlaced = struct.unpack(">IIBBBBB", data)
    if compression or filtering:
        raise MaskError(NOT_A_PNG, _BROKEN)
    if color_type not in (GRAY, PALETTE) or bit_depth not in BIT_DEPTHS or interlaced:
        message = "A mask has 1 or 8 bits a pixel, gray or with a palette, and is not interlaced."
        raise MaskError(OTHER_PNG, message)
    if not all(MIN_MASK_SIDE <= side <= MAX_MASK_SIDE for side in (width, height)):
        raise MaskError(OTHER_SIZE, f"A mask has {MIN_MASK_SIDE} to {MAX_MASK_SIDE} pixels a side.")
    return _Header(width, height, bit_depth), color_type


def _inflate(data: bytes, header: _Header) -> list[bytes]:
    """The rows, each with its filter byte in front; never more data is inflated than the header permits."""
    stride = header.row_bytes + 1
    stream = zlib.decompressobj()
    try:
        found = stream.decompress(data, header.height * stride + 1)
    except zlib.error:
        raise MaskError(NOT_A_PNG, _BROKEN) from None
    if len(found) != header.height * stride or not stream.eof or stream.unused_data:
        raise MaskError(NOT_A_PNG, _BROKEN)
    rows = [found[start : start + stride] for start in range(0, len(found), stride)]
    if any(row[0] > 4 for row in rows):
        raise MaskError(NOT_A_PNG, _BROKEN)
    return rows


def _find_uniform(rows: list[bytes], header: _Header) -> int | None:
    """The value of all pixels if they are equal, else None. The pixels in the last byte of a row do not count."""
    value, width = rows[0][1], header.row_bytes - 1
    if header.bit_depth == 1 and value not in (0, 255):
        return None
    # The bytes that each filter makes of a row of this value, as the first row and below another such row.
    same, half, zero = bytes([value]), bytes([value - value // 2]), bytes(1)
    rest = width - 1
    first = (same * width, same + zero * rest, same * width, same + half * rest, same + zero * rest)
    other = (same * width, same + zero * rest, zero * width, half + zero * rest, zero * width)
    expected = [first[rows[0][0]], *(other[row[0]] for row in rows[1:])]
    if any(row[1:-1] != each for row, each in zip(rows, expected, strict=True)):
        return None
    return min(value, 1) if header.bit_depth == 1 else value
