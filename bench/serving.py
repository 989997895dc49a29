"""Runs the service, or single programs of it, in a folder of its own; ends every process, also on failure."""

import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import requests

from app.secret_key import secret_key
from app.settings import Settings, child_environment
from app.supervision.instance import MARK, end_leftovers, find_processes, mark_of

CHECKOUT = Path(__file__).parents[1]
START_SECONDS = 180
STOP_SECONDS = 15
EMAIL = "bench@example.com"
OWN = {"workers": 2, "rate_limit_reads": 1_000_000, "rate_limit_writes": 1_000_000}


class StartError(Exception):
    """What was started did not answer; the text holds its output."""


@dataclass(frozen=True, slots=True)
class Place:
    """A folder and a port of one bench."""

    settings: Settings
    output: Path

    @property
    def url(self) -> str:
        """Where the web process answers."""
        return f"http://127.0.0.1:{self.settings.port}"

    def start(self, *command: str) -> subprocess.Popen[bytes]:
        """Start a process that belongs to this place."""
        environment = {
            **child_environment(self.settings, secret_key(self.settings)),
            MARK: mark_of(self.settings.data_dir),
            "PYTHONUNBUFFERED": "1",
        }
        with self.output.open("ab") as output:
            return subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=output, stderr=subprocess.STDOUT)

    def command(self, *words: str) -> str:
        """Run one command of the operator and return what it prints."""
        whole = (sys.executable, "-m", "flask", "--app", "wsgi", *words)
        environment = child_environment(self.settings, secret_key(self.settings))
        done = subprocess.run(whole, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.strip()

    def account(self) -> str:
        """Make an account with credits for every order of a bench, and return its key's secret."""
        self.command("accounts", "create", EMAIL, "--credits", "100000")
        return self.command("keys", "create", EMAIL)

    def web(self) -> list[psutil.Process]:
        """The web server's processes: the master and those that answer."""
        return [each for each in find_processes(self.settings.data_dir) if "gunicorn" in each.cmdline()]

    def wait_for(self, url: str) -> None:
        """Return once the URL answers 200. Raises StartError."""
        deadline = time.monotonic() + START_SECONDS
        while not _answers(url):
            if time.monotonic() > deadline:
                raise StartError(self.output.read_text())
            time.sleep(0.1)


@contextmanager
def place(**settings: Any) -> Iterator[Place]:
    """A place in a temporary folder under these settings; whatever runs in it is ended when it is left."""
    with tempfile.TemporaryDirectory(prefix="brightlist-bench-") as folder:
        data_dir = Path(folder) / "data"
        here = Place(
            Settings(**{**OWN, "data_dir": data_dir, "port": free_port(), **settings}),
            Path(folder) / "output",
        )
        # Asked to end, a bench must still end what it started.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            yield here
        finally:
            end_leftovers(data_dir)


@contextmanager
def whole_service(**settings: Any) -> Iterator[tuple[Place, str]]:
    """The service as `flask up` runs it, ready for orders, and the secret of a key to it."""
    with place(**settings) as here:
        secret = here.account()
        run = here.start(sys.executable, "-m", "flask", "--app", "wsgi", "up")
        try:
            here.wait_for(f"{here.url}/readyz")
            yield here, secret
        finally:
            _end(run)


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _end(run: subprocess.Popen[bytes]) -> None:
    run.terminate()
    try:
        run.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        run.kill()
        run.wait()


def _answers(url: str) -> bool:
    try:
        return requests.get(url, timeout=2).ok
    except requests.RequestException:
        return False
