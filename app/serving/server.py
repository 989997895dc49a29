"""The listening socket of one process: takes connections in, bounds their number, looks after their deadlines."""

import socket
import time
from collections import Counter
from typing import Any

from flask import Flask
from waitress.adjustments import Adjustments
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from app.serving.channel import ADMISSION_BYTES, Admission, Channel
from app.serving.pace import MemoryRoom

ACCEPTED_AT_ONCE = 32
CHECK_SECONDS = 0.5
HEAD_BYTES = 32 * 1024
RECEIVED_BYTES = 64 * 1024
UNLIMITED = 10**30


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
        self.room = MemoryRoom(UNLIMITED)
        self.most_connections = UNLIMITED
        self.draining = False
        self._next_check = 0.0
        info = (listening.family, listening.type, listening.proto, listening.getsockname())
        options = {"sockinfo": info, "bind_socket": False, "adj": _adjustments()}
        super().__init__(flask, sockets, True, listening, dispatcher=threads, **options)

    def add_task(self, task: Channel | Admission) -> None:
        """Let a thread do it. Large bodies have threads of their own: many at once would hold up all others."""
        large = isinstance(task, Channel) and task.requests[0].held_bytes > ADMISSION_BYTES
        (self.upload_threads if large else self.task_dispatcher).add_task(task)

    def readable(self) -> bool:
        """Whether to look for new connections; asked again and again, it also keeps the deadlines."""
        now = time.monotonic()
        if now >= self._next_check:
            self._next_check = now + CHECK_SECONDS
            for channel in list(self.active_channels.values()):
                channel.check(now)
        return bool(self.accepting)

    def handle_accept(self) -> None:
        """Take new connections in; when there are too many, another one that only waits has to go."""
        for _ in range(ACCEPTED_AT_ONCE):
            before = len(self.active_channels)
            super().handle_accept()
            if len(self.active_channels) == before:
                return
            if before >= self.most_connections:
                self._make_room()

    def drain(self) -> None:
        """Refuse new connections, and end each as soon as its request is answered.

        Who connects is refused once no process listens: left to wait, they would be cut off when this one ends.
        """
        self.accepting = False
        self.draining = True
        self.socket.close()

    def getsockname(self) -> tuple[str, Any]:
        """Address and port, or a socket file."""
        if self.family == socket.AF_UNIX:
            return "unix", self.socket.getsockname()
        address: tuple[str, Any] = super().getsockname()
        return address

    def fix_addr(self, addr: Any) -> Any:
        """Where a connection comes from; a socket file has no address to tell."""
        return addr if self.family != socket.AF_UNIX else ("", None)

    def set_socket_options(self, conn: socket.socket) -> None:
        """Prepare a connection."""
        if self.family != socket.AF_UNIX:
            super().set_socket_options(conn)

    def _make_room(self) -> None:
        """Close the connection that waits longest of the address that has most of those; else the newest."""
        channels = list(self.active_channels.values())
        idle = [channel for channel in channels if channel.is_idle]
        per_address = Counter(channel.addr[0] for channel in idle)
        most = max(per_address.values(), default=0)
        fitting = [channel for channel in idle if per_address[channel.addr[0]] == most]
        min(fitting or channels[-1:], key=lambda channel: channel.idle_since).handle_close()


def _adjustments() -> Adjustments:
    return Adjustments(
        recv_bytes=RECEIVED_BYTES,
        inbuf_overflow=RECEIVED_BYTES,
        max_request_header_size=HEAD_BYTES,
        # Each route has a limit of its own.
        max_request_body_size=UNLIMITED,
        connection_limit=UNLIMITED,
        # TRUSTED_PROXIES says whose headers count; the application reads them.
        clear_untrusted_proxy_headers=False,
        log_socket_errors=False,
        ident=None,
    )
