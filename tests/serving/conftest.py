"""The web server in this process: its loop in one thread, two threads for the answers, two for uploads."""

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from waitress import wasyncore
from waitress.task import ThreadedTaskDispatcher

from app.serving import server as serving
from app.serving.server import Server
from tests.serving.lines import Line
from tests.waiting import PATIENCE_SECONDS, eventually

THREADS = 2
LOOK_SECONDS = 0.02


class Site:
    """A running server."""

    def __init__(self, app: Flask) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.pools = ThreadedTaskDispatcher(), ThreadedTaskDispatcher()
        for pool in self.pools:
            pool.set_thread_count(THREADS)
        self.sockets: dict[int, Any] = {}
        self.server = Server(app, self.listening, *self.pools, self.sockets)
        self.going = True
        self.loop = threading.Thread(target=self.look)
        self.loop.start()

    def look(self) -> None:
        while self.going:
            wasyncore.poll2(LOOK_SECONDS, self.sockets)

    def let_pass(self, seconds: float) -> None:
        """Wait until the server has looked after its connections, and again so much later."""
        until = time.monotonic() + seconds
        eventually("the server looks after its connections", lambda: self.server._next_check > until)

    def line(self, **options: int) -> Line:
        """A connection to it."""
        return Line(self.listening.getsockname()[1], **options)

    def stop(self) -> None:
        self.going = False
        self.loop.join(PATIENCE_SECONDS)
        for pool in self.pools:
            pool.shutdown(timeout=PATIENCE_SECONDS)
        # The loop may have ended before it saw that a client hung up: its kept request would stay for ever.
        for channel in [*self.server.active_channels.values()]:
            channel.handle_close()
        wasyncore.close_all(self.sockets)


@pytest.fixture
def site(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """The server over the application."""
    monkeypatch.setattr(serving, "DEADLINE_CHECK_SECONDS", 0.0)
    site = Site(app)
    with contextlib.closing(site.listening):
        yield site
        site.stop()
