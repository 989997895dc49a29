"""How a request is framed: a head that can be read in one way only, and a body in chunks, within bounds.

Both are stricter than waitress, whose own bounds are lifted since each route has its own: where two readers could
see different ends of a request, it is refused. One loop reads for everybody, so what one call does is bounded, too.

References: RFC 9112, sections 2.2, 3.2, 5.2, 6.1 to 6.3 and 7.1.
"""

import re
from collections import Counter
from collections.abc import Callable

from waitress.buffers import OverflowableBuffer
from waitress.parser import ParsingError
from werkzeug.exceptions import BadRequest

LINE_BYTES = 1024
"""A line that says how long a chunk is, with its extensions."""
TRAILER_BYTES = 8 * 1024
FRAMING_BYTES, FRAMING_SHARE = 64 * 1024, 32
"""What frames a body may take so many bytes, and one more for every so many of the body: a large photo in chunks of
a few hundred bytes is within that, one in chunks of a byte is not.
"""
STEPS_AT_ONCE = 192
"""Of three steps each chunk is read: its size, what it holds, its end."""
_FIRST_LINE = re.compile(rb"[!-~]+ [^\x00-\x20\x7f]+ HTTP/(1\.[01])")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[\t\x20-\x7e\x80-\xff]*)?")
_FIELD = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*")


def check_head(head: bytes) -> None:
    """Raise ParsingError unless there is one way to read where the request ends, and for which host it is."""
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


def begins_a_request(raw: bytes) -> bool:
    """Whether what has come so far can begin a request: after one blank line at most, its first line."""
    rest = raw.removeprefix(b"\r\n")
    return rest in {b"", b"\r"} or not rest[:1].isspace()


class ChunkedReceiver:
    """A body in chunks on its way into a buffer, in the place of waitress's; `error` says why it is refused."""

    completed = False
    error: BadRequest | None = None

    def __init__(self, buffer: OverflowableBuffer) -> None:
        self._buffer = buffer
        self._step: Callable[[bytes, int], int] = self._read_size
        self._line = b""
        self._left = 0
        self._pieces: list[bytes] = []
        self._body_bytes = 0
        self._framing_bytes = 0
        self._trailer_bytes = 0

    def __len__(self) -> int:
        return self._body_bytes

    def received(self, data: bytes) -> int:
        """Take in what came, STEPS_AT_ONCE at most, and return how much of it that was."""
        position = steps = 0
        while position < len(data) and steps < STEPS_AT_ONCE and not (self.completed or self.error):
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
        """What holds the body."""
        return self._buffer

    def _read_size(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line is not None:
            size = _SIZE.fullmatch(line)
            if size is None:
                self._refuse("A chunk of the body has no size that can be read.")
            else:
                self._left = int(size[1], 16)
                self._step = self._read_piece if self._left else self._read_trailer
        return position

    def _read_piece(self, data: bytes, position: int) -> int:
        piece = data[position : position + self._left]
        self._pieces.append(piece)
        self._left -= len(piece)
        self._body_bytes += len(piece)
        if not self._left:
            self._step = self._read_end
        return position + len(piece)

    def _read_end(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line:
            self._refuse("A chunk of the body is longer than its size.")
        elif line is not None:
            self._step = self._read_size
        return position

    def _read_trailer(self, data: bytes, position: int) -> int:
        line, position = self._read_line(data, position)
        if line == b"":
            self.completed = True
        elif line is not None:
            self._trailer_bytes += len(line)
            if self._trailer_bytes > TRAILER_BYTES or not _FIELD.fullmatch(line):
                self._refuse("What follows the body is too long or cannot be read.")
        return position

    def _read_line(self, data: bytes, position: int) -> tuple[bytes | None, int]:
        """The next line without its end, None while that is missing, and how far the data has been read."""
        until = min(len(data), position + LINE_BYTES - len(self._line))
        end = data.find(b"\n", position, until)
        upto = end + 1 if end >= 0 else until
        self._line += data[position:upto]
        self._count_framing(upto - position)
        if end < 0:
            if len(self._line) == LINE_BYTES:
                self._refuse("A line between the chunks of the body is too long.")
            return None, upto
        line, self._line = self._line, b""
        if not line.endswith(b"\r\n"):
            self._refuse("A line between the chunks of the body does not end with CR and LF.")
            return None, upto
        return line[:-2], upto

    def _count_framing(self, count: int) -> None:
        self._framing_bytes += count
        if self._framing_bytes > FRAMING_BYTES + self._body_bytes // FRAMING_SHARE:
            self._refuse("The chunks of the body are too small.")

    def _refuse(self, why: str) -> None:
        self.error = self.error or BadRequest(why)
