"""A webhook delivery arrives as it was written, and what the receiver answers is told truly and in short."""

import threading
from pathlib import Path
from time import monotonic

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.adapters.outgoing_http import BODY_BYTES
from app.adapters.webhook_http import KEPT_HEADER_CHARACTERS, HttpTransport
from app.domain.sending import AttemptOutcome, DeliveryRequest, DeliveryResult
from tests import receivers
from tests.ports import kept_port
from tests.receivers import EMPTY, GREETING, Handler, Receiver, answering, running

DEADLINE_SECONDS = 60.0
AT_HOME = HttpTransport(DEADLINE_SECONDS, True, None, "Brightlist/1 (docs)")
BODY = b'{"event": "job.completed", "\xc3\xa9": "\x00\xff"}'


def send(receiver: Receiver, body: bytes = BODY, by: HttpTransport = AT_HOME) -> DeliveryResult:
    return by.send(DeliveryRequest(receiver.url, {"X-Service-Signature": "sha256=ab"}, body))


def sent_to(handler: Handler) -> DeliveryResult:
    with running(handler) as receiver:
        return send(receiver)


def test_the_receiver_gets_the_very_bytes_under_the_very_headers() -> None:
    with running(answering(200, {"X-Answer": "yes"}, b"thanks")) as receiver:
        result = send(receiver)
        [request] = receiver.wait_for(1)
    assert (request.method, request.path, request.body) == ("POST", "/hook", BODY)
    assert request.headers == [
        ("host", f"127.0.0.1:{receiver.port}"),
        ("user-agent", "Brightlist/1 (docs)"),
        ("x-service-signature", "sha256=ab"),
        ("content-length", str(len(BODY))),
        ("connection", "close"),
    ]
    assert result.succeeded
    assert (result.outcome, result.status, result.body) == (AttemptOutcome.SUCCEEDED, 200, b"thanks")
    assert result.headers == {"Content-Length": "6", "X-Answer": "yes"}
    assert (result.message, result.address) == ("", "127.0.0.1")
    assert list(result.phases) == ["resolve", "connect", "answer"]
    assert all(0 <= seconds < DEADLINE_SECONDS for seconds in result.phases.values())


def test_an_empty_body_and_one_of_20_kb_arrive_too() -> None:
    with running(answering(204)) as receiver:
        for body in (b"", b"x" * 20_000):
            assert send(receiver, body).status == 204
        assert [len(request.body) for request in receiver.wait_for(2)] == [0, 20_000]


def test_the_request_may_name_another_user_agent_and_path() -> None:
    with running(answering(204)) as receiver:
        AT_HOME.send(DeliveryRequest(f"{receiver.url}//a;b?c=%20&d", {"User-Agent": "mine"}, b""))
        [request] = receiver.wait_for(1)
    assert request.header("User-Agent") == "mine"
    assert request.path == "/hook//a;b?c=%20&d"


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_2xx_is_a_success(status: int) -> None:
    assert sent_to(answering(status)).outcome is AttemptOutcome.SUCCEEDED


@pytest.mark.parametrize("status", [304, 400, 404, 410, 500, 503, 999])
def test_any_other_status_is_a_rejection_with_its_answer(status: int) -> None:
    result = sent_to(answering(status, {"X-Why": "no"}, b"" if status == 304 else b"gone"))
    assert (result.outcome, result.status, result.headers["X-Why"]) == (AttemptOutcome.REJECTED, status, "no")
    assert str(status) in result.message
    assert result.body == (b"" if status == 304 else b"gone")


def test_retry_after_is_handed_on() -> None:
    result = sent_to(receivers.too_many_requests("120"))
    assert (result.status, result.headers["Retry-After"], result.body) == (429, "120", b"slow down")


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
def test_nobody_is_followed(status: int) -> None:
    with running(answering()) as elsewhere:
        for to in (elsewhere.url, "http://169.254.169.254/", "/again"):
            with running(receivers.redirecting(status, to)) as receiver:
                result = send(receiver)
                assert receiver.connections == 1
            assert (result.outcome, result.headers["Location"]) == (AttemptOutcome.REJECTED, to)
            assert result.message == f"The receiver answered {status}; redirects are not followed."
        assert elsewhere.connections == 0


def test_interim_answers_are_passed_over() -> None:
    interim = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    result = sent_to(receivers.saying(interim, GREETING, b"Content-Length: 2\r\n\r\nok"))
    assert (result.outcome, result.status, result.body) == (AttemptOutcome.SUCCEEDED, 200, b"ok")


@pytest.mark.parametrize("stays", [True, False])
def test_an_answer_before_the_body_was_read_counts(stays: bool) -> None:
    def hasty(visit: receivers.Visit) -> None:
        visit.connection.recv(1)
        visit.say(b"HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno")
        if stays:
            visit.wait()

    with running(hasty) as receiver:
        result = send(receiver, b"x" * (20_000 if stays else 20_000_000))
    assert (result.outcome, result.status, result.body) == (AttemptOutcome.REJECTED, 413, b"no")


def test_only_16_kb_of_a_body_are_read() -> None:
    left_over: list[int] = []

    def generous(visit: receivers.Visit) -> None:
        try:
            receivers.answering_ten_megabytes(visit)
        except OSError:
            left_over.append(1)
            raise

    for handler in (generous, receivers.saying(GREETING + b"\r\n" + b"x" * 100_000)):
        result = sent_to(handler)
        assert (result.outcome, result.body) == (AttemptOutcome.SUCCEEDED, b"x" * BODY_BYTES)
    assert left_over, "all of the 10 MB were fetched"


def test_a_bomb_is_kept_as_it_came() -> None:
    result = sent_to(receivers.gzip_bomb())
    assert result.outcome is AttemptOutcome.SUCCEEDED
    assert result.body.startswith(b"\x1f\x8b")
    assert len(result.body) <= BODY_BYTES


def chunked(*chunks: bytes) -> bytes:
    framed = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
    return GREETING + b"Transfer-Encoding: chunked\r\n\r\n" + framed


@pytest.mark.parametrize(
    ("said", "body"),
    [
        (chunked(b"one ", b"two", b""), b"one two"),
        (chunked(b"y" * 9000, b"y" * 9000, b""), b"y" * BODY_BYTES),
        (chunked(b"one ", b"two"), b"one two"),
        (chunked(b"one ") + b"nonsense\r\n", b"one "),
        (chunked(*[b"z"] * 30_000), None),
        (chunked(b"one ") + b"-5\r\nabcdefgh", None),
        (chunked(b"one", b"")[:-2] + b"Trailer: 1\r\n" * 30_000, None),
        (GREETING + b"Content-Length: 100\r\n\r\nshort", b"short"),
        (GREETING + b"Content-Length: nonsense\r\n\r\nbody", b"body"),
        (GREETING + b"Content-Length: -1\r\n\r\nbody", b"body"),
        (GREETING + b"Content-Length: 0\r\n\r\nmore", b""),
        (b"HTTP/1.1 204 No Content\r\n\r\nmore", b""),
        (b"HTTP/1.0 200 OK\r\n\r\nold", b"old"),
    ],
)
def test_trouble_with_the_body_does_not_undo_the_success(said: bytes, body: bytes | None) -> None:
    result = sent_to(receivers.saying(said))
    assert result.outcome is AttemptOutcome.SUCCEEDED
    assert len(result.body) <= BODY_BYTES
    if body is not None:
        assert result.body == body


@pytest.mark.parametrize(
    "said", [GREETING + b"Content-Length: 4\r\n\r\nbody", chunked(b"body", b""), EMPTY, b"HTTP/1.1 204 A\r\n\r\n"]
)
def test_a_receiver_that_stays_on_the_line_keeps_nobody(said: bytes) -> None:
    start = monotonic()
    with running(receivers.answering_and_staying(said)) as receiver:
        result = HttpTransport(DEADLINE_SECONDS, True, None, "ua").send(DeliveryRequest(receiver.url, {}, BODY))
    assert result.outcome is AttemptOutcome.SUCCEEDED
    assert monotonic() - start < DEADLINE_SECONDS / 2


@pytest.mark.parametrize(
    "handler",
    [
        receivers.closing_at_once,
        receivers.saying(b""),
        receivers.saying(b"\x00\xff" * 100),
        receivers.saying(b"<html>hello</html>\r\n\r\n"),
        receivers.saying(b"SSH-2.0-OpenSSH_9\r\n"),
        receivers.saying(b"HTTP/1.1 200"),
        receivers.saying(GREETING),
        receivers.saying(GREETING, b"Content-Length: 5\r\n"),
        receivers.saying(GREETING, b"Content-Length: 0\r"),
        receivers.saying(b"HTTP/1.1 abc OK\r\n\r\n"),
        receivers.saying(b"HTTP/1.1 99 OK\r\n\r\n"),
        receivers.saying(b"HTTP/2 200 OK\r\n\r\n"),
        receivers.saying(b"HTTP/1.1 100 Continue\r\n\r\n"),
        receivers.saying(b"HTTP/1.1 103 Early Hints\r\n\r\n"),
        receivers.saying(b"HTTP/1.1 200 " + b"O" * 70_000 + b"\r\n\r\n"),
        receivers.saying(GREETING, b"X-Long: " + b"x" * 70_000 + b"\r\n\r\n"),
        receivers.saying(GREETING, b"X-Long: " + b"x" * 40_000 + b"\r\nX-Too: " + b"x" * 40_000 + b"\r\n\r\n"),
        receivers.saying(GREETING, b"X-Many: 1\r\n" * 200, b"\r\n"),
        receivers.endless_headers,
        receivers.endless_continues,
    ],
)
def test_what_is_no_answer_is_broken(handler: Handler) -> None:
    result = sent_to(handler)
    assert result.outcome is AttemptOutcome.BROKEN_ANSWER
    assert result.message.endswith(".")
    assert (result.status, result.body, result.headers) == (None, b"", {})
    assert result.phases["answer"] < DEADLINE_SECONDS / 2


def test_headers_are_kept_readable_and_few() -> None:
    head = b"Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Latin: caf\xe9\r\nX-Fold: one\r\n two\x00\x1b[31m\r\n"
    result = sent_to(receivers.saying(GREETING, head, b"Content-Length: 0\r\nX-Huge: " + b"x" * 9000 + b"\r\n\r\n"))
    assert result.headers == {
        "Set-Cookie": "a=1, b=2",
        "X-Latin": "café",
        "X-Fold": "one two [31m",
        "Content-Length": "0",
    }
    many = b"".join(b"X-%d: %s\r\n" % (number, b"y" * 500) for number in range(50))
    kept = sent_to(receivers.saying(GREETING, many, b"\r\n")).headers
    assert 5000 < sum(len(name) + len(value) for name, value in kept.items()) <= KEPT_HEADER_CHARACTERS


def test_no_cookie_comes_back() -> None:
    with running(answering(200, {"Set-Cookie": "a=1; Path=/"})) as receiver:
        send(receiver)
        send(receiver)
        requests = receiver.wait_for(2)
    assert all("cookie" not in dict(request.headers) for request in requests)


def test_proxies_of_the_environment_and_a_netrc_are_ignored(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine 127.0.0.1 login me password secret\nmachine localhost login me password secret\n")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with running(answering()) as proxy, running(answering(204)) as receiver:
        for name in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
            monkeypatch.setenv(name.upper(), f"http://127.0.0.1:{proxy.port}")
        assert send(receiver).status == 204
        [request] = receiver.wait_for(1)
        assert proxy.connections == 0
    assert "authorization" not in dict(request.headers)


def test_a_refused_connection_is_told() -> None:
    with kept_port() as port:
        result = AT_HOME.send(DeliveryRequest(f"http://127.0.0.1:{port}/hook", {}, BODY))
    assert (result.outcome, result.message) == (AttemptOutcome.NOT_CONNECTED, "The connection was refused.")
    assert (result.address, list(result.phases)) == ("127.0.0.1", ["resolve", "connect"])


def test_an_attempt_is_made_once_even_when_it_breaks() -> None:
    with running(receivers.closing_at_once) as receiver:
        send(receiver)
        assert receiver.connections == 1


def test_many_threads_send_at_once_and_nothing_is_left_behind() -> None:
    patient, short = (HttpTransport(seconds, True, None, "ua") for seconds in (DEADLINE_SECONDS, 0.3))
    results: list[DeliveryResult] = []

    def work(transport: HttpTransport, receiver: Receiver) -> None:
        results.extend(send(receiver, by=transport) for _ in range(3))

    before = threading.active_count(), open_files()
    with running(answering(200, {}, b"ok")) as good, running(receivers.silent) as bad:
        both = ((patient, good), (short, bad))
        threads = [threading.Thread(target=work, args=each) for each in both for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    outcomes = [result.outcome for result in results]
    assert outcomes.count(AttemptOutcome.SUCCEEDED) == outcomes.count(AttemptOutcome.TIMEOUT) == 24
    assert (threading.active_count(), open_files()) == before


@pytest.mark.parametrize(
    "handler",
    [answering(), receivers.closing_at_once, receivers.saying(b"?"), receivers.silent, receivers.gzip_bomb()],
)
def test_no_attempt_leaves_a_thread_or_a_descriptor(handler: Handler) -> None:
    transport = HttpTransport(0.1, True, None, "ua")
    before = threading.active_count(), open_files()
    with running(handler) as receiver, kept_port() as closed:
        urls = (receiver.url, receiver.url.replace("http:", "https:"), f"http://127.0.0.1:{closed}/hook")
        for url in (*urls, "http://10.0.0.1/"):
            transport.send(DeliveryRequest(url, {}, BODY))
    assert (threading.active_count(), open_files()) == before


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


PIECES = st.one_of(
    st.sampled_from([b"HTTP/1.1 ", b"200 OK", b"\r\n", b"\n", b"\r\n\r\n", b": ", b"Content-Length: 3", b"5\r\n"]),
    st.sampled_from([b"Transfer-Encoding: chunked\r\n", b"HTTP/1.1 100 \r\n\r\n", b"\x00", b"From ", b" ", b":"]),
    st.binary(max_size=20),
)


class Parrot:
    """A receiver that says whatever it was told to and hangs up."""

    words = b""

    def __call__(self, visit: receivers.Visit) -> None:
        receivers.saying(self.words)(visit)


@pytest.mark.long
def test_whatever_is_said_an_attempt_ends_in_a_receipt() -> None:
    parrot = Parrot()
    beginnings = [b"", GREETING, GREETING + b"Transfer-Encoding: chunked\r\n\r\n"]

    @settings(max_examples=150)
    @given(st.sampled_from(beginnings), st.lists(PIECES).map(b"".join))
    def check(beginning: bytes, rest: bytes) -> None:
        parrot.words = beginning + rest
        result = send(receiver)
        assert result.outcome in (AttemptOutcome.SUCCEEDED, AttemptOutcome.REJECTED, AttemptOutcome.BROKEN_ANSWER)
        assert (result.status is None) == (result.outcome is AttemptOutcome.BROKEN_ANSWER)
        assert not any(ord(letter) < 32 for value in result.headers.values() for letter in value)

    with running(parrot) as receiver:
        check()


@pytest.mark.skipif(not receivers.is_here("::1"), reason="no IPv6 here")
def test_a_receiver_over_ipv6_is_reached() -> None:
    with running(answering(204), address="::1") as receiver:
        result = send(receiver)
        [request] = receiver.wait_for(1)
    assert (result.status, result.address) == (204, "::1")
    assert request.header("Host") == f"[::1]:{receiver.port}"
