"""A request has one end and no other: chunks and heads are read as h11 reads them, or refused, within bounds."""

import h11
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from waitress.adjustments import Adjustments

from app.serving import framing
from app.serving.framing import MAX_STEPS_AT_ONCE
from app.serving.pace import BodyBudget
from app.serving.requests import RequestParser
from tests.conftest import Api
from tests.serving.conftest import Site

POST = b"POST /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
PIECES = [
    *(b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b";", b",", b"0", b"1", b"5", b"a", b"0x1", b"+1", b"-1", b"1_0"),
    *(
        b"0\r\n",
        b"0\r\n\r\n",
        b"1\r\nx\r\n",
        b"5\r\nhello\r\n",
        b"5;name=value\r\nhello\r\n",
        b"X: y\r\n",
        b" folded\r\n",
    ),
    *(b"GET / HTTP/1.1\r\n", b"POST / HTTP/1.1\r\n", b"POST / HTTP/1.0\r\n", b"Host: a\r\n", b"Host: b\r\n"),
    *(b"Content-Length: 5\r\n", b"Content-Length: 05\r\n", b"Content-Length: 5, 5\r\n", b"Content-Length:\r\n"),
    *(b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: \r\n", b"Transfer-Encoding: chunked, chunked\r\n"),
    *(b"transfer-encoding: CHUNKED\r\n", b"Transfer-Encoding : chunked\r\n", b"Transfer-Encoding: x, chunked\r\n"),
    *(b"\x00", b"\x0b", b"\x85", b"\xff", b"hello"),
]
"""What framings are made of, whole or spoiled."""


def read(stream: bytes, at_once: int = 0) -> RequestParser:
    """What the parser makes of a stream that comes in pieces of so many bytes."""
    parser = RequestParser(
        Adjustments(max_request_body_size=10**9, max_request_header_size=32_768), BodyBudget(10**9)
    )
    while stream and not parser.completed:
        taken = parser.received(stream[: at_once or len(stream)])
        stream = stream[taken:]
    parser.rest = stream
    return parser


def body(parser: RequestParser) -> bytes:
    return parser.get_body_stream().read()


def read_strictly(stream: bytes) -> tuple[bytes, bytes] | None:
    """Body and rest as h11 reads them; None where it does not, or not to the end.

    Of the blank line that RFC 9112 (2.2) lets a server skip, h11 knows nothing.
    """
    connection, parts = h11.Connection(h11.SERVER), []
    connection.receive_data(stream.removeprefix(b"\r\n"))
    try:
        while not isinstance(event := connection.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA or isinstance(event, h11.ConnectionClosed):
                return None
            if isinstance(event, h11.Data):
                parts.append(bytes(event.data))
    except h11.RemoteProtocolError:
        return None
    return b"".join(parts), connection.trailing_data[0]


@given(st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from([b"", CHUNKED, POST]), st.integers(0, 3))
@example([b"0\r\n\r\n", b"GET / HTTP/1.1\r\n"], CHUNKED, 0)
@example([b"5;name=value\r\nhello\r\n", b"0\r\n", b"X: y\r\n", b"\r\n", b"hello"], CHUNKED, 1)
def test_whatever_is_taken_is_read_as_a_strict_reader_reads_it(
    pieces: list[bytes], start: bytes, at_once: int
) -> None:
    stream = start + b"".join(pieces)
    parser = read(stream, at_once)
    if parser.completed and not parser.error:
        assert (body(parser), parser.rest) == read_strictly(stream)
    parser.close()


@given(st.lists(st.binary(min_size=1, max_size=300), max_size=8), st.integers(0, 5))
def test_a_body_in_chunks_is_what_was_sent_however_it_comes(chunks: list[bytes], at_once: int) -> None:
    sent = b"".join(b"%X;a=b\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    parser = read(CHUNKED + sent + b"0\r\nExpires: never\r\n\r\nnext", at_once)
    assert (parser.error, parser.rest, body(parser)) == (None, b"next", b"".join(chunks))
    assert parser.headers["CONTENT_LENGTH"] == str(sum(map(len, chunks)))
    parser.close()


BODIES = {
    "a trailer without end": b"0\r\nX: " + b"a" * 20_000,
    "trailers without end": b"0\r\n" + b"X: y\r\n" * 4_000,
    "a trailer that is none": b"0\r\nno field\r\n\r\n",
    "a control line without end": b"1" * 2_000,
    "extensions without end": b"1;" + b"a=b;" * 1_000,
    "blank lines before a size": b"\r\n5\r\nhello\r\n0\r\n\r\n",
    "blank lines without end": b"\r\n" * 10_000,
    "chunks of a byte": b"1\r\nx\r\n" * 20_000,
    "a chunk beyond its size": b"1\r\nxy\r\n0\r\n\r\n",
    "lines that end with LF": b"1\nx\n0\n\n",
    "an end of a chunk with LF": b"1\r\nx\n0\r\n\r\n",
    "a size with a sign": b"+1\r\nx\r\n0\r\n\r\n",
    "a size with a prefix": b"0x1\r\nx\r\n0\r\n\r\n",
    "a size beyond all sizes": b"f" * 17 + b"\r\n",
    "no size": b";a=b\r\nx\r\n0\r\n\r\n",
    "NUL in an extension": b"1;\x00\r\nx\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("sent", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize("at_once", [0, 1, 1000])
def test_a_body_that_is_badly_framed_or_mostly_frame_is_refused(sent: bytes, at_once: int) -> None:
    parser = read(CHUNKED + sent, at_once)
    assert parser.completed
    assert parser.error.code == 400
    parser.close()


HEADS = {
    "length and chunks": (b"Content-Length: 5", b"Transfer-Encoding: chunked"),
    "chunks twice": (b"Transfer-Encoding: chunked, chunked",),
    "chunks in two headers": (b"Transfer-Encoding: chunked", b"Transfer-Encoding: chunked"),
    "no coding": (b"Transfer-Encoding:",),
    "no coding beside chunks": (b"Transfer-Encoding: ,chunked",),
    "two equal lengths": (b"Content-Length: 5", b"Content-Length: 5"),
    "a folded header": (b"X: a", b" b"),
    "a folded coding": (b"Transfer-Encoding:", b" chunked"),
    "a second host": (b"Host: example.com",),
    "a space before the colon": (b"Transfer-Encoding : chunked",),
    "LF in a header": (b"X: a\nTransfer-Encoding: chunked",),
}
STREAMS = {
    **{name: POST + b"\r\n".join(lines) + b"\r\n\r\n" for name, lines in HEADS.items()},
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "chunks in HTTP/1.0": b"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
    "no version": b"GET /\r\nHost: a\r\n\r\n",
    "a version of its own": b"GET / HTTP/1.2\r\nHost: a\r\n\r\n",
    "a space before the first line": b" GET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "two blank lines before it": b"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
    "LF before it": b"\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
}


@pytest.mark.parametrize("stream", STREAMS.values(), ids=STREAMS.keys())
@pytest.mark.parametrize("at_once", [0, 1])
def test_a_head_that_two_readers_could_read_in_two_ways_is_refused(stream: bytes, at_once: int) -> None:
    parser = read(stream, at_once)
    assert parser.completed
    assert parser.error.code == 400
    parser.close()


def test_what_clients_do_send_is_taken() -> None:
    for head in (
        b"GET / HTTP/1.0\r\n\r\n",
        b"\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET http://a/ HTTP/1.1\r\nhost: a\r\n\r\n",
    ):
        parser = read(head)
        assert (parser.completed, parser.error) == (True, None)
    small = b"".join(b"%x\r\n%s\r\n" % (256, bytes(256)) for _ in range(40_000))
    parser = read(CHUNKED + small + b"0\r\n\r\n")
    assert parser.error is None
    assert len(body(parser)) == 256 * 40_000
    parser.close()


def test_one_call_reads_so_many_chunks_and_no_more() -> None:
    parser = read(CHUNKED)
    chunks = b"1\r\nx\r\n" * 10_000
    assert parser.received(chunks) == MAX_STEPS_AT_ONCE // 3 * 6
    parser.close()


def test_a_body_of_many_small_chunks_is_read_on_turn_by_turn_to_its_end_and_others_are_answered(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(framing, "BASE_FRAMING_BYTES", 10**9)
    with site.line() as line, site.line() as other:
        line.send("POST /api/v1/nothing HTTP/1.1", "Transfer-Encoding: chunked", body=b"1\r\nx\r\n" * 20_000)
        assert other.ask("GET /healthz HTTP/1.1").status in {200, 503}
        line.write(b"0\r\n\r\n")
        assert line.answer().json["code"] == "not_found"


def test_requests_sent_without_waiting_for_answers_are_answered_in_turn(site: Site, api: Api) -> None:
    with site.line() as line:
        line.write(b"GET /api/v1/rules/crmls HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300)
        assert {line.answer().json["id"] for _ in range(300)} == {"crmls"}
        line.write(b"GET /api/v1/rules/crmls HTTP/1.1\r\nHost: localhost\r\n\r\nno request\r\n\r\n")
        assert [line.answer().status for _ in range(2)] == [200, 400]
        assert line.is_closed()
