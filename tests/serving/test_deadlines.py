"""Slow clients are bounded, and hold up nobody else."""

import threading
from collections.abc import Iterator

import pytest
from flask import Flask, Response

from app.serving import channel as channels
from app.serving import pace, requests
from app.serving.pace import MIN_BYTES, WINDOW_SECONDS, BodyBudget, Pace
from app.serving.requests import RequestParser
from app.serving.server import _adjustments
from tests.conformance.streams import fresh_url
from tests.conftest import PHOTO, Api
from tests.serving.conftest import THREADS, Site
from tests.waiting import PATIENCE_SECONDS, eventually

STREAMED = 30_000_000
SMALL_BUFFER = 4096


def test_every_portion_must_come_within_the_window() -> None:
    pace = Pace(0.0, 0)
    assert not pace.is_too_slow(WINDOW_SECONDS, MIN_BYTES - 1)
    assert not pace.is_too_slow(WINDOW_SECONDS, MIN_BYTES)
    assert not pace.is_too_slow(2 * WINDOW_SECONDS, 2 * MIN_BYTES - 1)
    assert pace.is_too_slow(2 * WINDOW_SECONDS + 1, 2 * MIN_BYTES - 1)


def test_room_is_taken_up_to_its_end_and_given_back() -> None:
    budget = BodyBudget(10)
    assert budget.reserve(6) and not budget.reserve(5) and budget.reserve(4)
    budget.release(4)
    assert budget.free_bytes == 4


def request_of(head: bytes) -> RequestParser:
    request = RequestParser(_adjustments(), BodyBudget(10**12))
    request.received(head)
    return request


def test_an_honest_upload_on_a_slow_line_has_hours_and_one_that_pauses_has_not() -> None:
    request = request_of(b"PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n")
    began, sent = request.head_ended_at, 0
    # 10 kB/s, looked at every ten seconds: 83 minutes in all.
    for second in range(10, 5000, 10):
        request.body_bytes_received = sent = sent + 100_000
        assert not request.is_overdue(began + second), second
    assert request.is_overdue(began + 5000 + WINDOW_SECONDS)


def test_a_body_has_an_end_however_steadily_it_comes() -> None:
    request = request_of(b"PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50000000\r\n\r\n")
    late = 0
    while not request.is_overdue(request.head_ended_at + late):
        late += 10
        request.body_bytes_received += 30_000
        assert late < 7200
    assert late > 3600


@pytest.mark.parametrize("start", [b"", b"G", b"GET /api/v1/user HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_head_that_trickles_is_given_up(site: Site, monkeypatch: pytest.MonkeyPatch, start: bytes) -> None:
    monkeypatch.setattr(requests, "HEAD_SECONDS", 0.2)
    monkeypatch.setattr(channels, "HEAD_SECONDS", 0.2)
    with site.line() as line:
        line.write(start)
        if start:
            answer = line.answer()
            assert answer.status == 408
            assert answer.headers["content-type"] == (
                "application/json" if b"/api" in start else "text/html; charset=utf-8"
            )
        assert line.is_closed()


def test_a_body_that_trickles_is_given_up(site: Site, api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "WINDOW_SECONDS", 0.2)
    path = fresh_url(api).removeprefix("http://localhost")
    with site.line() as line:
        line.send(f"PUT {path} HTTP/1.1", "Content-Length: 1000000", body=PHOTO[:100])
        answer = line.answer()
        assert (answer.status, answer.json["code"]) == (408, "timeout")
    eventually("its room is free again", lambda: site.server.body_budget.held_bytes == 0)


def test_a_connection_idles_between_requests_and_is_closed_in_the_end(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "HEAD_SECONDS", 0.01)
    monkeypatch.setattr(channels, "HEAD_SECONDS", 0.01)
    with site.line() as line:
        for _ in range(2):
            # The limit of a head is long over.
            assert line.ask("GET /healthz HTTP/1.1").headers.get("connection") is None
            site.let_pass(0.1)
        monkeypatch.setattr(channels, "KEEP_ALIVE_SECONDS", 0.0)
        assert line.is_closed()
    assert pace.KEEP_ALIVE_SECONDS > 90


@pytest.fixture
def streaming(app: Flask) -> Iterator[list[int]]:
    """What the route /stream has made so far, and how often it was closed."""
    made = [0, 0]

    def stream() -> Iterator[bytes]:
        try:
            while made[0] < STREAMED:
                made[0] += 100_000
                yield bytes(100_000)
        finally:
            made[1] += 1

    app.view_functions["health.healthz"], kept = lambda: Response(stream()), app.view_functions["health.healthz"]
    yield made
    app.view_functions["health.healthz"] = kept


def test_readers_that_do_not_read_hold_no_thread(site: Site, streaming: list[int]) -> None:
    lines = [site.line(buffer=SMALL_BUFFER) for _ in range(3 * THREADS)]
    for line in lines:
        line.send("GET /healthz HTTP/1.1")
    assert all(line.reader.readline().startswith(b"HTTP/1.1 200") for line in lines)
    with site.line() as other:
        assert other.ask("GET /sign-in HTTP/1.1").status == 200
    assert streaming[0] < STREAMED
    for line in lines:
        line.__exit__()
    eventually("what the application opened is closed", lambda: streaming[1] == 3 * THREADS)


def test_a_slow_reader_gets_all_of_it(site: Site, streaming: list[int]) -> None:
    with site.line(buffer=SMALL_BUFFER) as line:
        line.send("GET /healthz HTTP/1.1")
        received = len(line.reader.read(STREAMED // 100))
        while part := line.reader.read(1_000_000):
            received += len(part)
        assert received > STREAMED
    assert streaming[1] == 1


def test_a_reader_that_stays_away_is_given_up(
    site: Site, streaming: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "WINDOW_SECONDS", 0.2)
    with site.line(buffer=SMALL_BUFFER) as line:
        line.send("GET /healthz HTTP/1.1")
        eventually("what the application opened is closed", lambda: streaming[1] == 1)
        assert streaming[0] < STREAMED
        eventually("the connection is gone", lambda: not site.server.active_channels)


def test_a_server_that_stops_says_so_and_answers_what_is_under_way(site: Site, api: Api) -> None:
    path = fresh_url(api).removeprefix("http://localhost")
    with site.line() as idle, site.line() as sending:
        assert idle.ask("GET /healthz HTTP/1.1").status == 200
        sending.send(f"PUT {path} HTTP/1.1", f"Content-Length: {len(PHOTO)}", body=PHOTO[:10])
        eventually("both are there", lambda: len(site.server.active_channels) == 2)
        site.server.drain()
        assert idle.ask("GET /healthz HTTP/1.1").headers["connection"] == "close"
        sending.write(PHOTO[10:])
        answer = sending.answer()
        assert (answer.status, answer.headers["connection"]) == (200, "close")
        assert idle.is_closed() and sending.is_closed()


def test_beyond_the_most_connections_one_that_only_waits_makes_room(site: Site) -> None:
    site.server.max_connections = 3
    lines = [site.line() for _ in range(3)]
    assert lines[0].ask("GET /healthz HTTP/1.1").status == 200
    eventually("all are taken in", lambda: len(site.server.active_channels) == 3)
    with site.line() as another:
        assert another.ask("GET /healthz HTTP/1.1").status == 200
    assert len(site.server.active_channels) <= 3
    # The first one was answered since, so it has not waited as long.
    assert lines[1].is_closed()
    for line in lines:
        line.__exit__()


def test_requests_that_come_at_once_are_answered_in_turn(site: Site) -> None:
    with site.line() as line:
        one = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        line.write((one + "GET /api/v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n" + one).encode())
        assert [line.answer().status for _ in range(3)] == [200, 404, 200]


def test_uploads_that_take_long_to_store_hold_up_nobody(
    site: Site, api: Api, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = threading.Event()

    def slow_store(token: str) -> str:
        stored.wait(PATIENCE_SECONDS)
        return ""

    monkeypatch.setitem(app.view_functions, "files.upload", slow_store)
    path, content = fresh_url(api).removeprefix("http://localhost"), PHOTO + bytes(100_000)
    lines = [site.line() for _ in range(2 * THREADS)]
    for line in lines:
        line.send(f"PUT {path} HTTP/1.1", f"Content-Length: {len(content)}", body=content)
    with site.line() as other:
        assert other.ask("GET /healthz HTTP/1.1").status == 200
        assert not stored.is_set()
    stored.set()
    assert [line.answer().status for line in lines] == [200] * len(lines)
    for line in lines:
        line.__exit__()
