"""Reads the segments of a JPEG file without decoding: the number of its scans, and whether it has an end marker."""

import re

# The markers with which a JPEG starts and ends.
_START_MARKER, _END_MARKER = b"\xff\xd8", b"\xff\xd9"
# Second bytes of markers: start of scan, end of image, and TEM, which has no segment.
_SCAN, _END, _TEM = 0xDA, 0xD9, 0x01
# Second bytes of the frame markers of pictures that are not progressive.
_SEQUENTIAL = frozenset({0xC0, 0xC1})
# A marker outside of scan data. In scan data, 0xFF is followed by 0x00 or belongs to a restart marker (0xD0-0xD7).
# Any number of 0xFF may precede a marker as padding.
_NEXT_MARKER = re.compile(rb"\xff+([^\x00\xd0-\xd7\xff])")


def count_scans(content: bytes) -> int:
    """Count the scans of the first picture in a JPEG file.

    Content after that picture, such as another picture or a phone's movie, is ignored.

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
    return _read_segments(content)[0]


def lacks_end(content: bytes) -> bool:
    """Whether a file is a JPEG whose first picture has no end marker; some phones and transfers leave it out.

    Parameters
    ----------
    content : bytes
        The file, of any format.

    Returns
    -------
    bool
        False for other formats.
    """
    return content.startswith(_START_MARKER) and not _read_segments(content)[1]


def add_end(content: bytes, filler: bytes = b"") -> bytes:
    """Add an end marker to a JPEG that has none.

    If the picture is a single scan, data after the scan is the camera maker's own and is removed.

    Parameters
    ----------
    content : bytes
        The file, of any format.
    filler : bytes, optional
        Bytes to insert before the added end marker.

    Returns
    -------
    bytes
        `content` itself where no end marker is missing.
    """
    if not lacks_end(content):
        return content
    return content[: _find_end_of_only_scan(content)] + filler + _END_MARKER


def _find_end_of_only_scan(content: bytes) -> int:
    """The end of the scan in a sequential picture with one scan; the end of the file for other pictures."""
    position, components = len(_START_MARKER), 0
    while found := _NEXT_MARKER.search(content, position):
        marker, segment = found[1][0], content[found.end() : found.end() + 8]
        if len(segment) < 8:
            break
        position = found.end() + int.from_bytes(segment[:2], "big")
        if marker in _SEQUENTIAL:
            components = segment[7]
        if marker == _SCAN:
            following = _NEXT_MARKER.search(content, position)
            return following.start() if following and segment[2] == components else len(content)
    return len(content)


def _read_segments(content: bytes) -> tuple[int, bool]:
    """The number of scans of the first picture, and whether it has an end marker."""
    scans, position = 0, len(_START_MARKER)
    while found := _NEXT_MARKER.search(content, position):
        marker, position = found[1][0], found.end()
        if marker == _END:
            return scans, True
        if marker == _TEM:
            continue
        # A segment is skipped by its length: it may contain markers of another picture, such as a thumbnail.
        position += int.from_bytes(content[position : position + 2], "big")
        scans += marker == _SCAN
    return scans, False
