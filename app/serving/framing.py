"""Checks the head of a request, and reads a chunked body within limits.

Both are stricter than waitress: a request is refused if two programs could disagree about where it ends. One loop
reads for all connections, so the work of one call is limited, too.

References: RFC 9112, sections 2.2, 3.2, 5.2, 6.1 to 6.3 and 7.1.
"""

import re
from collections import Counter
from collections.abc import Callable

from waitress.buffers import OverflowableBuffer
from waitress.parser import ParsingError
from werkzeug.exceptions import BadRequest

MAX_LINE_BYTES = 1024
"""The longest line between chunks, for example the size of a chunk with its extensions."""
MAX_TRAILER_BYTES = 8 * 1024
BASE_FRAMING_BYTES, FRAMING_DIVISOR = 64 * 1024, 32
"""Everything except the content of the chunks may have BASE_FRAMING_BYTES, plus one byte for each FRAMING_DIVISOR
bytes of content: enough for a large photo in chunks of a few hundred bytes, not for one in chunks of one byte.
"""
MAX_STEPS_AT_ONCE = 192
"""How many steps one call may make. Each chunk takes three steps: its size, its content, its end."""
_FIRST_LINE = re.compile(rb"[!-~]+ [^\x00-\x20\x7f]+ HTTP/(1\.[01])")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?")
_FIELD = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*")


def check_head(head: bytes) -> None:
    """Raise ParsingError unless the head is clear about where the request ends and for which host it is."""
    first, *lines = head.rstrip(b"\r\n").split(b"\r\n")
    version = _FIRST_LINE.fullmatch(first)
    if not version:
        raise ParsingError("Start line is invalid")
    if any(line.startswith((b" ", b"\t")) for line in lines):
        raise ParsingError("A header is continued on a second line")
    fields = [
        (name.lower(), value.strip(b" \t").lower()) for name, _, value in (each.partition(b":") for each in lines)
    ]
    given = Counter(name for name, _ in fields)
    if given[b"host"] > 1 or (version[1] == b"1.1" and not given[b"host"]):
        raise ParsingError("There must be one Host header")
    if given[b"content-length"] > 1:
        raise ParsingError("Content-Length is given more than once")
    if given[b"transfer-encoding"]:
        if given[b"content-length"]:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")
        if version[1] == b"1.0":
            raise ParsingError("HTTP/1.0 has no Transfer-Encoding")
        codings = [
            each.strip() for name, value in fields if name == b"transfer-encoding" for each in value.split(b",")
        ]
        if b"" in codings or codings.count(b"chunked") > 1:
            raise ParsingError("Transfer-Encoding is invalid")


def can_begin_request(raw: bytes) -> bool:
    """Whether the bytes received so far can begin a request: its first line, after at most one blank line."""
    rest = raw.removeprefix(b"\r\n")
    return rest in {b"", b"\r"} or not rest[:1].isspace()


class ChunkedReceiver:
    """Reads a chunked body into a buffer, instead of waitress's receiver; `error`: why the body is refused."""

    completed = False
    error: BadRequest | None = None

    def __init__(self, buffer: OverflowableBuffer) -> None:
        self._buffer = buffer
        self._step: Callable[[bytes, int], int] = self._read_chunk_size
        self._line = b""
        self._chunk_bytes_left = 0
        self._pieces: list[bytes] = []
        self._body_bytes = 0
        self._framing_bytes = 0
        self._trailer_bytes = 0

    def __len__(self) -> int:
        return self._body_bytes

    def received(self, data: bytes) -> int:
        """Read `data`, in at most MAX_STEPS_AT_ONCE steps, and return how many bytes were read."""
        position = steps = 0
        while position < len(data) and steps < MAX_STEPS_AT_ONCE and not (self.completed or self.error):
            position = self._step(data, position)
            steps += 1
        if self._pieces:
            self._buffer.append(b"".join(self._pieces))
            self._pieces = []
        return position

    def getfile(self) -> object:
        """The body as a file."""
        return self._buffer.getfile()

    def getbuf(self) -> OverflowableBuffer:
        """The buffer that contains the body."""
        return self._buffer

    def _read_chunk_size(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line is not None:
            size = _SIZE.fullmatch(line)
            if size is None:
                self._refuse("A chunk of the body has no size that can be read.")
            else:
                self._chunk_bytes_left = int(size[1], 16)
                self._step = self._read_content if self._chunk_bytes_left else self._read_trailer
        return position

    def _read_content(self, data: bytes, position: int) -> int:
        piece = data[position : position + self._chunk_bytes_left]
        self._pieces.append(piece)
        self._chunk_bytes_left -= len(piece)
        self._body_bytes += len(piece)
        if not self._chunk_bytes_left:
            self._step = self._read_chunk_end
        return position + len(piece)

    def _read_chunk_end(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line:
            self._refuse("A chunk of the body is longer than its size.")
        elif line is not None:
            self._step = self._read_chunk_size
        return position

    def _read_trailer(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line == b"":
            self.completed = True
        elif line is not None:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > MAX_TRAILER_BYTES or not _FIELD.fullmatch(line):
                self._refuse("What follows the body is too long or cannot be read.")
        return position

    def _read_line(self, data: bytes, position: int) -> tuple[bytes | None, int]:
        """The next line without its CR and LF, or None if it is incomplete or refused; and the new position."""
        limit = min(len(data), position + MAX_LINE_BYTES - len(self._line))
        end = data.find(b"\n", position, limit)
        stop = end + 1 if end >= 0 else limit
        self._line += data[position:stop]
        self._count_framing(stop - position)
        if end < 0:
            if len(self._line) == MAX_LINE_BYTES:
                self._refuse("A line between the chunks of the body is too long.")
            return None, stop
        line, self._line = self._line, b""
        if not line.endswith(b"\r\n"):
            self._refuse("A line between the chunks of the body does not end with CR and LF.")
            return None, stop
        return line[:-2], stop

    def _count_framing(self, count: int) -> None:
        self._framing_bytes += count
        if self._framing_bytes > BASE_FRAMING_BYTES + self._body_bytes // FRAMING_DIVISOR:
            self._refuse("The chunks of the body are too small.")

    def _refuse(self, why: str) -> None:
        self.error = self.error or BadRequest(why)
