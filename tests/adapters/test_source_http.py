"""Files come from customers' servers whole or not at all, only from vetted addresses, and never for long."""

import gzip
import ssl
from pathlib import Path
from time import monotonic

import pytest
import trustme

from app.adapters.source_http import HttpSource
from app.domain import limits
from app.domain.fetches import MAX_REDIRECTS, FetchError, FetchFault
from app.domain.sending import AddressNotAllowedError
from tests import receivers
from tests.adapters.test_address_policy import BAD, PUBLIC
from tests.receivers import GREETING, Handler, Visit, answering, running

CONTENT = b"\xff\xd8\xff" + bytes(range(256)) * 1000
DEADLINE_SECONDS = 60.0
AT_HOME = HttpSource(True, "localhost:8000", "Brightlist/1 (docs)", deadline_seconds=DEADLINE_SECONDS)


def read(url: str, source: HttpSource = AT_HOME) -> bytes:
    with source.open(url) as pieces:
        return b"".join(pieces)


def fault(url: str, source: HttpSource = AT_HOME) -> tuple[FetchFault, int | None]:
    with pytest.raises(FetchError) as failed:
        read(url, source)
    return failed.value.fault, failed.value.status


def fault_of(handler: Handler, source: HttpSource = AT_HOME) -> tuple[FetchFault, int | None]:
    with running(handler) as receiver:
        return fault(receiver.url, source)


def test_a_file_comes_whole_and_is_asked_for_without_anything_of_ours() -> None:
    with running(answering(200, {"Content-Type": "image/jpeg"}, CONTENT)) as receiver:
        assert read(f"{receiver.url}?signature=a%2Fb") == CONTENT
        [request] = receiver.wait_for(1)
    assert (request.method, request.path, request.body) == ("GET", "/hook?signature=a%2Fb", b"")
    assert request.headers == [
        ("host", f"127.0.0.1:{receiver.port}"),
        ("user-agent", "Brightlist/1 (docs)"),
        ("accept", "image/*, */*;q=0.5"),
        ("accept-encoding", "identity"),
        ("connection", "close"),
    ]


@pytest.mark.parametrize(
    "said",
    [
        GREETING + b"\r\n" + CONTENT,
        GREETING + b"Content-Encoding: identity\r\n\r\n" + CONTENT,
        GREETING + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(CONTENT), CONTENT),
    ],
)
def test_a_body_without_a_length_or_in_chunks_comes_too(said: bytes) -> None:
    with running(receivers.saying(said)) as receiver:
        assert read(receiver.url) == CONTENT


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_relative_ones_too(status: int) -> None:
    def handle(visit: Visit) -> None:
        path = visit.read_request().path
        visit.say(
            b"HTTP/1.1 %d Moved\r\nLocation: ../b#top\r\nContent-Length: 0\r\n\r\n" % status
            if path == "/hook"
            else GREETING + b"Content-Length: 2\r\n\r\nok"
        )

    with running(handle) as receiver:
        assert read(receiver.url) == b"ok"
        assert [each.path for each in receiver.requests] == ["/hook", "/b"]


def test_only_so_many_redirects_are_followed() -> None:
    with running(receivers.redirecting(302, "/hook")) as receiver:
        assert fault(receiver.url) == (FetchFault.TOO_MANY_REDIRECTS, None)
        assert len(receiver.requests) == 1 + MAX_REDIRECTS


@pytest.mark.parametrize(
    "to",
    [
        "http://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/",
        "http://[::ffff:169.254.169.254]/",
        "http://2852039166/",
        "http://localhost:8000/hook",
        "file:///etc/passwd",
        "ftp://127.0.0.1/",
        "//user:secret@127.0.0.1/",
        "http://[",
        "http://127.0.0.1:99999/",
        "http://exa mple/",
        "/" + "x" * 3000,
        "https://no-such-host.invalid/",
    ],
)
def test_a_redirect_is_vetted_as_the_first_address(to: str) -> None:
    with running(receivers.redirecting(302, to)) as receiver:
        assert fault(receiver.url) == (FetchFault.ADDRESS_NOT_ALLOWED, None)
        assert receiver.connections == 1


def test_a_redirect_without_a_place_is_a_refusal() -> None:
    assert fault_of(answering(302)) == (FetchFault.REFUSED, 302)


@pytest.mark.parametrize("address", BAD)
def test_no_name_leads_to_an_address_that_is_not_public(address: str) -> None:
    for answers in ([address], [PUBLIC, address]):
        source = HttpSource(False, None, "ua", resolve=lambda *_, found=answers: found)
        assert fault("https://photos.example/a.jpg", source) == (FetchFault.ADDRESS_NOT_ALLOWED, None)


def test_the_connection_goes_to_the_vetted_address_though_the_name_has_changed(tmp_path: Path) -> None:
    authority, answers = trustme.CA(), [["127.0.0.1"], ["10.0.0.1"]]
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("photos.example").configure_cert(tls)
    source = HttpSource(True, None, "ua", resolve=lambda *_: answers.pop(0), ca_file=str(tmp_path / "ca.pem"))
    with running(answering(200, {}, CONTENT), tls=tls) as receiver:
        assert read(f"https://photos.example:{receiver.port}/", source) == CONTENT
        assert fault(f"https://photos.example:{receiver.port}/", source)[0] is FetchFault.ADDRESS_NOT_ALLOWED
        answers.append(["127.0.0.1"])
        assert fault(f"https://other.example:{receiver.port}/", source)[0] is FetchFault.UNREACHABLE


@pytest.mark.parametrize(
    "url",
    [
        "http://photos.example/a.jpg",
        "ftp://photos.example/a.jpg",
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "https://user:secret@photos.example/a.jpg",
        "https://photos.example/" + "x" * 2048,
        "https://photos.example/ä.jpg",
        "https://photos.example/a b",
        "https://photos.example/a#b",
        "https://photos.example:99999/",
        "https://",
        "//photos.example/a.jpg",
        "",
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_looked_up(url: str) -> None:
    source = HttpSource(False, None, "ua", resolve=lambda *_: pytest.fail("it was looked up"))
    with pytest.raises(AddressNotAllowedError):
        source.check(url)
    assert fault(url, source) == (FetchFault.ADDRESS_NOT_ALLOWED, None)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (204, FetchFault.REFUSED),
        (206, FetchFault.REFUSED),
        (304, FetchFault.REFUSED),
        (401, FetchFault.REFUSED),
        (404, FetchFault.REFUSED),
        (408, FetchFault.SOURCE_FAILED),
        (429, FetchFault.SOURCE_FAILED),
        (500, FetchFault.SOURCE_FAILED),
        (503, FetchFault.SOURCE_FAILED),
    ],
)
def test_any_status_but_200_is_a_fault_with_that_status(status: int, expected: FetchFault) -> None:
    assert fault_of(answering(status)) == (expected, status)


@pytest.mark.parametrize("encoding", ["gzip", "br", "x-gzip", "identity, gzip", "GZIP"])
def test_an_encoded_file_is_not_unfolded(encoding: str) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    assert fault_of(answering(200, {"Content-Encoding": encoding}, bomb)) == (FetchFault.ENCODED, None)


def test_a_file_that_says_that_it_is_too_large_is_not_read() -> None:
    head = GREETING + b"Content-Length: %d\r\n\r\n" % (limits.MAX_FILE_BYTES + 1)
    assert fault_of(receivers.answering_and_staying(head)) == (FetchFault.TOO_LARGE, None)


@pytest.mark.parametrize(
    "said",
    [
        GREETING + b"Content-Length: 1000\r\n\r\n" + CONTENT[:999],
        GREETING + b"Transfer-Encoding: chunked\r\n\r\n10\r\nshort",
        GREETING + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000,
        b"not HTTP at all\r\n\r\n",
        b"",
    ],
)
def test_what_breaks_off_or_is_no_http_is_the_servers_fault(said: bytes) -> None:
    assert fault_of(receivers.saying(said))[0] is FetchFault.SOURCE_FAILED


def test_who_does_not_listen_is_unreachable() -> None:
    with running(answering()) as receiver:
        url = receiver.url
    assert fault(url) == (FetchFault.UNREACHABLE, None)


@pytest.mark.parametrize(
    "handler",
    [
        receivers.dripping_status(),
        receivers.dripping_headers(),
        receivers.dripping_continues(),
        receivers.dripping_body(),
        receivers.dripping_chunks(),
        receivers.dripping(GREETING + b"\r\n", b"x"),
        receivers.silent,
    ],
)
def test_whoever_is_slow_is_left_at_the_deadline(handler: Handler) -> None:
    source = HttpSource(True, None, "ua", deadline_seconds=0.5)
    began = monotonic()
    assert fault_of(handler, source) == (FetchFault.TIMEOUT, None)
    assert monotonic() - began < DEADLINE_SECONDS


def test_a_fault_of_the_reader_is_not_taken_for_one_of_the_server() -> None:
    with (
        running(answering(200, {}, CONTENT)) as receiver,
        pytest.raises(OSError, match="disk full"),
        AT_HOME.open(receiver.url),
    ):
        raise OSError("disk full")


def test_nothing_of_the_environment_leads_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with running(answering(200, {}, b"direct")) as receiver:
        assert read(receiver.url) == b"direct"
