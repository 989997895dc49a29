"""The segments of a JPEG file, without decoding: how often its picture is scanned, and whether it has an end."""

import re

_BEGIN, _END_MARKER = b"\xff\xd8", b"\xff\xd9"
_SCAN, _END, _ALONE = 0xDA, 0xD9, 0x01
# Within a scan 0xFF is followed by 0x00 or a restart marker; more 0xFF before a marker are filling.
_NEXT_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")


def count_scans(content: bytes) -> int:
    """How many scans the first picture of a JPEG file has; what follows it, another picture or a phone's movie, is
    not looked at.

    References
    ----------
    ITU-T T.81, annex B.
    """
    return _walk(content)[0]


def lacks_end(content: bytes) -> bool:
    """Whether a file is a JPEG whose first picture has no end marker, as some phones and transfers leave them."""
    return content.startswith(_BEGIN) and not _walk(content)[1]


def add_end(content: bytes) -> bytes:
    """The file; a JPEG with an end marker where its own is missing."""
    return content + _END_MARKER if lacks_end(content) else content


def _walk(content: bytes) -> tuple[int, bool]:
    """The number of scans, and whether the end came."""
    scans, place = 0, len(_BEGIN)
    while found := _NEXT_MARKER.search(content, place):
        marker, place = found[1][0], found.end()
        if marker == _END:
            return scans, True
        if marker == _ALONE:
            continue
        # A segment says its own length: what it holds, a small picture for example, is none of this one's.
        place += int.from_bytes(content[place : place + 2], "big")
        scans += marker == _SCAN
    return scans, False
