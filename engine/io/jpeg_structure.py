"""The segments of a JPEG file, without decoding: how often its picture is scanned, and whether it has an end."""

import re

_BEGIN, _END_MARKER = b"\xff\xd8", b"\xff\xd9"
_SCAN, _END, _ALONE = 0xDA, 0xD9, 0x01
_SEQUENTIAL = frozenset({0xC0, 0xC1})
# Within a scan 0xFF is followed by 0x00 or a restart marker; more 0xFF before a marker are filling.
_NEXT_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")


def count_scans(content: bytes) -> int:
    """How many scans the first picture of a JPEG file has.

    What follows that picture, such as another picture or a phone's movie, is ignored.

    Parameters
    ----------
    content : bytes
        The file.

    Returns
    -------
    int
        1 for a baseline JPEG with interleaved components, more for a progressive one.

    References
    ----------
    .. [1] ITU-T T.81, annex B.
    """
    return _walk(content)[0]


def lacks_end(content: bytes) -> bool:
    """Whether a file is a JPEG whose first picture has no end marker, as some phones and transfers leave them.

    Parameters
    ----------
    content : bytes
        The file, of any format.

    Returns
    -------
    bool
        False for other formats.
    """
    return content.startswith(_BEGIN) and not _walk(content)[1]


def add_end(content: bytes, filling: bytes = b"") -> bytes:
    """The file with an end marker where it is a JPEG without one.

    Where the picture is one scan, data from the next marker on is a maker's own, and is left out.

    Parameters
    ----------
    content : bytes
        The file, of any format.
    filling : bytes, optional
        Put before the end marker that is added.

    Returns
    -------
    bytes
        `content` itself where nothing is missing.
    """
    if not lacks_end(content):
        return content
    return content[: _find_end_of_only_scan(content)] + filling + _END_MARKER


def _find_end_of_only_scan(content: bytes) -> int:
    """Where the scan ends of a sequential picture that has all its components in one; the file's end for others."""
    place, components = len(_BEGIN), 0
    while found := _NEXT_MARKER.search(content, place):
        marker, segment = found[1][0], content[found.end() : found.end() + 8]
        if len(segment) < 8:
            break
        place = found.end() + int.from_bytes(segment[:2], "big")
        if marker in _SEQUENTIAL:
            components = segment[7]
        if marker == _SCAN:
            behind = _NEXT_MARKER.search(content, place)
            return behind.start() if behind and segment[2] == components else len(content)
    return len(content)


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
