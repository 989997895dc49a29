"""A listening socket of one process: accepts connections, limits their number and checks their deadlines."""

import socket
import time
from collections import Counter
from functools import partial
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from app.serving.channel import ADMISSION_BYTES, Admission, Channel
from app.serving.pace import BodyBudget
from app.serving.parking import Lot
from app.web.parking import find_ended

MAX_ACCEPTED_AT_ONCE = 32
"""How many connections one turn of the loop accepts, so that existing connections are not delayed."""
DEADLINE_CHECK_SECONDS = 0.5
HEAD_BYTES = 32 * 1024
RECEIVED_BYTES = 64 * 1024
UNLIMITED = 10**30
"""The limits of a server until the worker sets them, and of waitress, whose own limits are not used."""


class Server(TcpWSGIServer):
    """Connections of one listening socket, answered by the threads of a dispatcher."""

    channel_class = Channel
    active_channels: dict[int, Channel]

    def __init__(  # the parts of one process, which its sockets share
        self,
        flask: Flask,
        listening: socket.socket,
        threads: ThreadedTaskDispatcher,
        upload_threads: ThreadedTaskDispatcher,
        sockets: dict[int, Any],
    ) -> None:
        self.flask = flask
        self.upload_threads = upload_threads
        self.log: Any = None
        self.body_budget = BodyBudget(UNLIMITED)
        self.lot = Lot(partial(find_ended, flask))
        self.max_connections = UNLIMITED
        self.draining = False
        self._next_check = 0.0
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        options = {"sockinfo": info, "bind_socket": False, "adj": _adjustments()}
        super().__init__(flask, sockets, True, listening, dispatcher=threads, **options)

    def add_task(self, task: Channel | Admission) -> None:
        """Put the task into the queue of the threads. Requests with large bodies have threads of their own, so that
        they do not delay others.
        """
        large = isinstance(task, Channel) and task.requests[0].held_bytes > ADMISSION_BYTES
        (self.upload_threads if large else self.task_dispatcher).add_task(task)

    def readable(self) -> bool:
        """Whether to accept connections. The loop calls this in each turn, so it also checks the deadlines."""
        now = time.monotonic()
        if now >= self._next_check:
            self._next_check = now + DEADLINE_CHECK_SECONDS
            for channel in list(self.active_channels.values()):
                channel.enforce_deadlines(now)
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Accept new connections; above the maximum, close an idle one for each."""
        for _ in range(MAX_ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                return
            if before >= self.max_connections:
                self._close_one()

    def drain(self) -> None:
        """Stop listening, and close each connection as soon as its request is answered; those that are kept are
        answered at once.

        The socket is closed at once: connections that waited in its queue would be reset when the process ends.
        """
        self.accepting = False
        self.draining = True
        self.socket.close()
        for channel in list(self.active_channels.values()):
            channel.hand_over()

    def getsockname(self) -> tuple[str, Any]:
        """The address and port, or "unix" and the path of the socket file."""
        if self.family == socket.AF_UNIX:
            return "unix", self.socket.getsockname()
        address: tuple[str, Any] = super().getsockname()
        return address

    def fix_addr(self, addr: Any) -> Any:
        """The client's address; empty for a socket file."""
        return addr if self.family != socket.AF_UNIX else ("", None)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Set TCP options, unless the connection uses a socket file."""
        if self.family != socket.AF_UNIX:
            super().set_socket_options(conn)

    def _close_one(self) -> None:
        """Close the longest idle connection of the client address with the most idle connections; if none is idle,
        close the newest connection.
        """
        channels = list(self.active_channels.values())
        idle = [channel for channel in channels if channel.is_idle]
        per_address = Counter(channel.addr[0] for channel in idle)
        most = max(per_address.values(), default=0)
        candidates = [channel for channel in idle if per_address[channel.addr[0]] == most]
        min(candidates or channels[-1:], key=lambda channel: channel.idle_since).handle_close()


def _adjustments() -> Adjustments:
    return Adjustments(
        recv_bytes=RECEIVED_BYTES,
        inbuf_overflow=RECEIVED_BYTES,
        max_request_header_size=HEAD_BYTES,
        # Each route has its own limit, which Channel checks.
        max_request_body_size=UNLIMITED,
        connection_limit=UNLIMITED,
        # The application decides by TRUSTED_PROXIES which proxy headers it uses.
        clear_untrusted_proxy_headers=False,
        log_socket_errors=False,
        ident=None,
    )
