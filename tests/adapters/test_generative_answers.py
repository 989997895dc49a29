"""What is made of every kind of answer a picture server gives."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from app.adapters import generative_http
from app.adapters.generative_http import ImagesEditServer
from engine.types.server import ServerBusyError, ServerRefusedError
from tests import edit_server
from tests.adapters.test_generative_http import REQUEST, good, inverted
from tests.ports import kept_port
from tests.waiting import PATIENCE_SECONDS


def busy(answer: edit_server.Answer) -> ServerBusyError:
    """What comes of an answer that must count as trouble."""
    with edit_server.running(answer) as server, pytest.raises(ServerBusyError) as caught:
        ImagesEditServer(server.url).edit(REQUEST)
    return caught.value


def refused(answer: edit_server.Answer, key: str = "secret-key") -> ServerRefusedError:
    """What comes of an answer that must count as a refusal."""
    with edit_server.running(answer) as server, pytest.raises(ServerRefusedError) as caught:
        ImagesEditServer(server.url, key).edit(REQUEST)
    return caught.value


@pytest.mark.parametrize("code", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_trouble_that_may_pass_is_told_as_such_with_the_time_to_wait(code: int) -> None:
    trouble = busy(edit_server.status(code, Retry_After="12"))
    assert trouble.retry_after_seconds == 12
    assert str(trouble) == f"status {code}"


def test_the_time_to_wait_may_be_a_date_and_may_be_nonsense() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert 80 < (busy(edit_server.status(429, Retry_After=soon)).retry_after_seconds or 0) < 91
    assert busy(edit_server.status(429, Retry_After="Thu, 01 Jan 1970 00:00:00 GMT")).retry_after_seconds == 0
    assert busy(edit_server.status(429, Retry_After="soon")).retry_after_seconds is None
    assert busy(edit_server.status(429)).retry_after_seconds is None


@pytest.mark.parametrize("code", [204, 301, 304, 400, 401, 403, 404, 405, 413, 415, 422])
def test_what_asking_again_cannot_help_is_a_refusal(code: int) -> None:
    assert str(code) in str(refused(edit_server.status(code, "invalid_value")))


def test_an_account_without_money_is_a_refusal_though_it_says_too_many_requests() -> None:
    assert "insufficient_quota" in str(refused(edit_server.status(429, "insufficient_quota")))


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_goes_nowhere_else(code: int) -> None:
    with edit_server.running(good) as other:
        moved = edit_server.status(code, Location=f"{other.url}/images/edits")
        with edit_server.running(moved) as server, pytest.raises(ServerRefusedError):
            ImagesEditServer(server.url, "secret-key").edit(REQUEST)
    assert other.seen == []


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {},
        {"data": []},
        {"data": [{}]},
        {"data": [{"b64_json": ""}]},
        {"data": [{"b64_json": 3}]},
        {"data": [{"b64_json": "not base64!"}]},
        {"data": [{"b64_json": "QUJ"}]},
        {"data": {"0": 1}},
        {"data": "b64_json"},
    ],
)
def test_an_answer_without_a_picture_is_trouble(document: object) -> None:
    assert busy(edit_server.says(document))


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 100_000])
def test_an_answer_that_is_no_json_is_trouble(body: bytes) -> None:
    assert busy(edit_server.raw(body))


def test_an_address_on_the_same_host_is_fetched() -> None:
    with edit_server.running(edit_server.address(inverted)) as server:
        edited = edit_server.decoded(ImagesEditServer(server.url, "secret-key").edit(REQUEST))
    assert (edited[8:] == 165).all()
    assert server.seen[1].path == "/pictures/0.png"


@pytest.mark.parametrize(
    "scheme", ["http://127.0.0.1:1", "https://", "//elsewhere.example", "file:", "http://[::1"]
)
def test_an_address_on_another_host_is_refused_and_not_asked(scheme: str) -> None:
    with edit_server.running(good) as other:
        base = other.url if scheme == "https://" else scheme
        with edit_server.running(edit_server.address(inverted, base)) as server, pytest.raises(ServerRefusedError):
            ImagesEditServer(server.url, "secret-key").edit(REQUEST)
    assert other.seen == []


@contextmanager
def dripping_head(seconds: float) -> Iterator[str]:
    """The address of a server whose headers do not end before all patience is over."""
    stop = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connection, _ = listener.accept()
        with connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            for _ in range(round(PATIENCE_SECONDS / seconds)):
                if stop.wait(seconds):
                    return
                connection.sendall(b"a")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        stop.set()
        thread.join()
        listener.close()


@pytest.fixture(params=["hang", "drip", "drip in the head"])
def slow(request: pytest.FixtureRequest) -> Iterator[str]:
    answers = {"hang": edit_server.hang(), "drip": edit_server.drip(0.05)}
    if request.param in answers:
        with edit_server.running(answers[request.param]) as server:
            yield server.url
        return
    with dripping_head(0.05) as url:
        yield url


@pytest.mark.long
def test_the_deadline_holds_however_the_server_drips(slow: str) -> None:
    started = time.monotonic()
    with pytest.raises(ServerBusyError, match="no answer"):
        ImagesEditServer(slow).edit(replace(REQUEST, timeout_seconds=0.4))
    assert time.monotonic() - started < PATIENCE_SECONDS / 2


def test_an_answer_without_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generative_http, "ANSWER_BYTES", 3_000_000)
    with (
        edit_server.running(edit_server.flood()) as server,
        pytest.raises(ServerBusyError, match="more than 3000000"),
    ):
        ImagesEditServer(server.url).edit(REQUEST)


def test_a_server_that_is_not_there_is_trouble() -> None:
    with kept_port() as port, pytest.raises(ServerBusyError, match="no answer"):
        ImagesEditServer(f"http://127.0.0.1:{port}/v1").edit(REQUEST)


def test_proxies_and_passwords_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with edit_server.running(good) as proxy, edit_server.running(good) as server:
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        monkeypatch.setenv("http_proxy", proxy.url)
        ImagesEditServer(server.url, None).edit(REQUEST)
        assert len(server.seen) == 1
        assert proxy.seen == []


def test_no_error_tells_key_or_prompt() -> None:
    refusal = refused(edit_server.status(400, "bad value: Paint it"))
    assert "Paint" not in str(refusal)
    assert "secret" not in repr(ImagesEditServer("http://localhost/v1", "secret-key"))
    for key in ("secret\nkey", "secret\u20ackey"):
        with edit_server.running(good) as server, pytest.raises((ServerBusyError, ServerRefusedError)) as caught:
            ImagesEditServer(server.url, key).edit(REQUEST)
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert server.seen == []
