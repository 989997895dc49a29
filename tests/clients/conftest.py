"""The Python client in front of the application in this process: requests reach it without a socket."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from brightlist import Brightlist
from brightlist.cli import main
from brightlist.cli.surroundings import Surroundings
from click.testing import CliRunner, Result
from flask import Flask
from requests.adapters import BaseAdapter
from urllib3 import HTTPResponse

from app.container import Container
from tests.conformance.conftest import contract
from tests.conformance.contract import Contract
from tests.conftest import Api, work
from tests.fakes import photo

__all__ = ["contract"]

URL = "http://localhost"
Fault = Callable[[requests.PreparedRequest], requests.Response | None]


@dataclass
class InProcess(BaseAdapter):
    """Brings requests to the application. `always` and the next one of `faults` are asked first what becomes of a
    request; `seen`: method and path of all.
    """

    app: Flask
    faults: list[Fault] = field(default_factory=list)
    always: Fault = lambda request: None
    seen: list[str] = field(default_factory=list)

    def send(self, request: requests.PreparedRequest, **_: Any) -> requests.Response:
        url = urlsplit(request.url)
        self.seen.append(f"{request.method} {url.path}")
        made = self.always(request)
        if made is None and self.faults:
            made = self.faults.pop(0)(request)
        return made if made is not None else self.ask(request)

    def ask(self, request: requests.PreparedRequest) -> requests.Response:
        """What the application answers."""
        url = urlsplit(request.url)
        body = request.body.read() if hasattr(request.body, "read") else request.body
        path = f"{url.path}?{url.query}" if url.query else url.path
        # Uncompressed: what watches the answers reads them as they are sent.
        headers = {name: value for name, value in request.headers.items() if name != "Accept-Encoding"}
        answer = self.app.test_client().open(path, base_url=URL, method=request.method, headers=headers, data=body)
        return respond(request, answer.status_code, dict(answer.headers), answer.data)

    def close(self) -> None:
        """Nothing is open."""

    def session(self) -> requests.Session:
        """A session whose requests come here, others go to sockets."""
        session = requests.Session()
        session.mount(URL, self)
        return session


def respond(
    request: requests.PreparedRequest, status: int, headers: Mapping[str, str] | None = None, body: bytes = b""
) -> requests.Response:
    """An answer as requests gives it."""
    response = requests.Response()
    response.status_code = status
    response.headers.update(headers or {})
    response.raw = HTTPResponse(BytesIO(body), headers=headers, preload_content=False)
    response.request, response.url = request, request.url or ""
    return response


def passing(_: requests.PreparedRequest) -> None:
    """No fault."""


def cut(request: requests.PreparedRequest) -> requests.Response:
    """The connection breaks before the service has the request."""
    raise requests.ConnectionError("cut", request=request)


def cut_after(adapter: InProcess) -> Fault:
    """The connection breaks after the service has done what was asked."""

    def fault(request: requests.PreparedRequest) -> requests.Response:
        adapter.ask(request)
        return cut(request)

    return fault


def answering(status: int, headers: Mapping[str, str] | None = None, body: bytes = b"") -> Fault:
    """The service answers so."""
    return lambda request: respond(request, status, headers, body)


@pytest.fixture
def wire(app: Flask, contract: Contract) -> InProcess:
    """The way to the application, whose every answer is held to its document."""
    return InProcess(app)


@dataclass
class Pauses:
    """How long was waited; `meanwhile` happens in each."""

    seconds: list[float] = field(default_factory=list)
    meanwhile: Callable[[], object] = lambda: None

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.meanwhile()


@pytest.fixture
def pauses(container: Container) -> Pauses:
    """Pauses that take no time, in which workers work."""
    return Pauses(meanwhile=partial(work, container))


@pytest.fixture
def client(api: Api, wire: InProcess, pauses: Pauses) -> Brightlist:
    """The client of an account with 100 credits."""
    return Brightlist(api.secret, URL, sleep=pauses, make_session=wire.session)


@dataclass
class Shell:
    """The command line of somebody who is signed in."""

    around: Surroundings
    run: Callable[..., Result]


@pytest.fixture
def shell(
    api: Api, wire: InProcess, pauses: Pauses, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Shell]:
    """Runs `brightlist` with these words, in a folder of its own."""
    monkeypatch.setenv("BRIGHTLIST_URL", URL)
    monkeypatch.setenv("BRIGHTLIST_API_KEY", api.secret)
    monkeypatch.chdir(tmp_path)
    around = Surroundings(tmp_path / "config", wire.session, pauses)

    def run(*words: str, typed: str | None = None) -> Result:
        return CliRunner().invoke(main, list(words), obj=around, input=typed)

    yield Shell(around, run)


@pytest.fixture
def rooms(tmp_path: Path) -> Path:
    """A folder with three photos of rooms."""
    folder = tmp_path / "rooms"
    folder.mkdir()
    for name in ("bath.jpg", "kitchen.jpg", "living.jpg"):
        (folder / name).write_bytes(photo(name))
    return folder
