"""Street View as Google documents it: what is asked, what each answer means, and that the key stays secret."""

import logging
import ssl
import time
import traceback
from collections.abc import Iterator

import pytest
import trustme

from app.adapters import imagery_street_view
from app.adapters.imagery_street_view import StreetView
from app.domain.ports import ImageryUnavailableError
from tests.fakes import photo
from tests.imagery_server import KEY, METADATA, PICTURE, Speaker, StreetViewServer, street_view_server
from tests.waiting import PATIENCE_SECONDS

GAP_SECONDS = 0.02
ADDRESS = "12 Garden Lane & Sons?, Springfield, IL 62704 #5"


@pytest.fixture
def server() -> Iterator[StreetViewServer]:
    with street_view_server() as server:
        server.pictures[ADDRESS] = photo()
        yield server


@pytest.fixture
def view(server: StreetViewServer) -> StreetView:
    return StreetView(server.url, KEY)


def paths(server: StreetViewServer) -> list[str]:
    return [path for path, _ in server.asked]


def test_the_free_question_comes_first_then_the_picture_towards_the_address(view, server) -> None:
    assert view.find(ADDRESS) == photo()
    common = {"location": ADDRESS, "source": "outdoor", "key": KEY}
    assert server.asked == [
        (METADATA, common),
        (PICTURE, {**common, "size": "640x640", "return_error_code": "true"}),
    ]


@pytest.mark.parametrize("status", ["ZERO_RESULTS", "NOT_FOUND"])
def test_without_imagery_no_picture_is_asked_for(view, server, status: str) -> None:
    server.says = status
    assert view.find(ADDRESS) is None
    assert paths(server) == [METADATA]


@pytest.mark.parametrize("status", ["OVER_QUERY_LIMIT", "REQUEST_DENIED", "INVALID_REQUEST", "UNKNOWN_ERROR"])
def test_trouble_is_named_and_may_pass(view, server, status: str) -> None:
    server.says = status
    with pytest.raises(ImageryUnavailableError, match=status):
        view.find(ADDRESS)
    assert paths(server) == [METADATA]


def test_imagery_that_went_away_between_the_calls_is_none(view, server) -> None:
    server.instead[PICTURE] = lambda speaker: speaker.say(404, b"")
    assert view.find(ADDRESS) is None


ODD_METADATA = {
    "server error": lambda s: s.say(500, b'{"status": "OK"}'),
    "forbidden": lambda s: s.say(403, b""),
    "empty": lambda s: s.say(200, b""),
    "page": lambda s: s.say(200, b"<html>"),
    "list": lambda s: s.say(200, b'["OK"]'),
    "number": lambda s: s.say(200, b'{"status": 7}'),
    "new word": lambda s: s.say(200, b'{"status": "%s"}' % KEY.encode()),
    "nested": lambda s: s.say(200, b"[" * 60_000),
    "bytes": lambda s: s.say(200, b"\xff\xfe\x00"),
    "too long": lambda s: s.say(200, b" " * 70_000 + b'{"status": "OK"}'),
    "cut short": lambda s: s.say(200, b'{"status": "OK"}', **{"Content-Length": "100"}),
    "no http": lambda s: s.wfile.write(b"hello\r\n"),
    "hang up": lambda s: s.connection.close(),
    "redirect": lambda s: s.say(302, b"", Location=f"{s.here.url}/elsewhere?key={KEY}"),
}


@pytest.mark.parametrize("answer", ODD_METADATA.values(), ids=ODD_METADATA)
def test_metadata_nobody_can_read_is_trouble(view, server, answer) -> None:
    server.instead[METADATA] = answer
    with pytest.raises(ImageryUnavailableError):
        view.find(ADDRESS)
    assert paths(server) == [METADATA]


ODD_PICTURES = {
    "refused": lambda s: s.say(403, photo()),
    "server error": lambda s: s.say(503, photo()),
    "page": lambda s: s.say(200, b"<html>", "image/jpeg"),
    "empty": lambda s: s.say(200, b""),
    "cut short": lambda s: s.say(200, photo(), **{"Content-Length": "100000"}),
    "redirect": lambda s: s.say(302, b"", Location=f"{s.here.url}/elsewhere"),
}


@pytest.mark.parametrize("answer", ODD_PICTURES.values(), ids=ODD_PICTURES)
def test_a_picture_that_is_none_is_trouble(view, server, answer) -> None:
    server.instead[PICTURE] = answer
    with pytest.raises(ImageryUnavailableError):
        view.find(ADDRESS)
    assert paths(server) == [METADATA, PICTURE]


def test_a_picture_beyond_the_limit_is_not_taken_in(view, server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagery_street_view, "MAX_PICTURE_BYTES", len(photo()))
    assert view.find(ADDRESS) == photo()
    monkeypatch.setattr(imagery_street_view, "MAX_PICTURE_BYTES", len(photo()) - 1)
    with pytest.raises(ImageryUnavailableError, match="more than"):
        view.find(ADDRESS)


def drip(before: bytes) -> object:
    """Never quiet for long, and not done before every other limit is over."""

    def speak(speaker: Speaker) -> None:
        speaker.close_connection = True
        speaker.wfile.write(before)
        try:
            for _ in range(round(PATIENCE_SECONDS / GAP_SECONDS)):
                speaker.wfile.write(b"x")
                time.sleep(GAP_SECONDS)
        except OSError:
            pass  # the other side has had enough: what the test waits for

    return speak


HEAD = b"HTTP/1.0 200 OK\r\n"


@pytest.mark.long
@pytest.mark.parametrize("before", [b"", HEAD, HEAD + b"\r\n\xff\xd8\xff", HEAD + b"Content-Length: 99999\r\n\r\n"])
def test_the_deadline_holds_however_slowly_the_answer_drips(server, before: bytes) -> None:
    server.instead[PICTURE] = drip(before)
    began = time.monotonic()
    with pytest.raises(ImageryUnavailableError):
        StreetView(server.url, KEY, deadline_seconds=0.3).find(ADDRESS)
    assert 0.2 < time.monotonic() - began < PATIENCE_SECONDS / 2


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secure(authority: trustme.CA) -> Iterator[StreetViewServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    with street_view_server(context) as server:
        server.pictures[ADDRESS] = photo()
        yield server


def test_a_certificate_is_verified(secure: StreetViewServer, authority: trustme.CA) -> None:
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    assert StreetView(secure.url, KEY, tls=trusting).find(ADDRESS) == photo()
    with pytest.raises(ImageryUnavailableError, match="certificate verify failed"):
        StreetView(secure.url, KEY).find(ADDRESS)
    elsewhere = secure.url.replace("localhost", "127.0.0.1")
    with pytest.raises(ImageryUnavailableError, match="certificate verify failed"):
        StreetView(elsewhere, KEY, tls=trusting).find(ADDRESS)


def test_proxies_of_the_environment_are_left_aside(view, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
        monkeypatch.setenv(name.upper(), "http://127.0.0.1:1")
    assert view.find(ADDRESS) == photo()


BROKEN = {
    "denied": lambda server: StreetView(server.url, KEY + "x"),
    "away": lambda server: StreetView("http://127.0.0.1:1", KEY),
    "unknown host": lambda server: StreetView("http://nowhere.invalid", KEY),
    "impossible host": lambda server: StreetView(f"http://{'x' * 70}.example", KEY),
    "impossible path": lambda server: StreetView(f"{server.url}/a b", KEY),
    "no http": lambda server: (
        server.instead.update({METADATA: ODD_METADATA["no http"]}) or StreetView(server.url, KEY)
    ),
    "redirect": lambda server: (
        server.instead.update({METADATA: ODD_METADATA["redirect"]}) or StreetView(server.url, KEY)
    ),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_the_key_is_in_no_message_and_no_log(server, broken, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG), pytest.raises(ImageryUnavailableError) as caught:
        broken(server).find(ADDRESS)
    logging.getLogger().error("told", exc_info=caught.value)
    told = caplog.text + "".join(traceback.format_exception(caught.value))
    error: BaseException | None = caught.value
    while error is not None:  # the whole chain, shown or not
        told += repr(error)
        error = error.__cause__ or error.__context__
    assert "AIza" not in told
    assert "secret" not in told
