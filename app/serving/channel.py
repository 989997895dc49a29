"""One connection: its requests in turn, and what it may cost in time."""

import contextlib
import fcntl
import socket
import struct
import termios
import threading
import time
from io import BytesIO
from typing import Any, Protocol

from flask import Flask
from waitress.channel import ClientDisconnected, HTTPChannel
from werkzeug.exceptions import RequestTimeout, ServiceUnavailable

from app.serving.pace import HEAD_SECONDS, KEEP_ALIVE_SECONDS, LINGER_SECONDS, MemoryRoom, Pace
from app.serving.requests import FULL, FULL_SECONDS, RequestParser
from app.serving.tasks import MOST_WAITING_BYTES, Task
from app.web import admission

ADMISSION_BYTES = 64 * 1024
"""Bodies beyond that are received only once the route has let their sender in."""
LINGER_BYTES = 64 * 1024 * 1024
DRAIN_SECONDS = 1.0
"""While the server stops, a connection that idled so long is closed."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class ChannelServer(Protocol):
    """What a connection asks of the server that took it in."""

    flask: Flask
    room: MemoryRoom
    draining: bool

    def add_task(self, task: "Channel | Admission") -> None:
        """Let a thread do it."""

    def pull_trigger(self) -> None:
        """Wake the main thread."""


class Admission:
    """A thread's work: asking the route whether it lets a large body in."""

    def __init__(self, channel: "Channel", request: RequestParser) -> None:
        self.channel, self.request = channel, request

    def service(self) -> None:
        """Ask, and let the channel go on."""
        environ = Task(self.channel, self.request).get_environment()
        environ["wsgi.input"] = BytesIO()
        answer = admission.admit(self.channel.server.flask, environ)
        self.channel.go_on(self.request, answer)

    def cancel(self) -> None:
        """The server stops."""
        self.channel.cancel()


class Channel(HTTPChannel):
    """A connection. Reads, writes and deadlines are the main thread's; the work on requests is that of others."""

    server: ChannelServer
    request: RequestParser | None
    requests: list[RequestParser]
    current_outbuf_count: int

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.requests_lock = threading.RLock()
        self.idle_since = time.monotonic()
        self._has_answered = False
        self._admitting = False
        self._asks_for_body = False
        self._held_back = b""
        """What came and has not been read yet: until its sender is let in, the answer before it is given, or for
        one turn of the loop, so that nobody waits for the reading of many small chunks.
        """
        self._task: Task | None = None
        """The work that was left off until its reader has caught up."""
        self._refused = False
        self._lingers_until: float | None = None
        self._lingered_bytes = 0
        self._sent_bytes = 0
        self._pace: Pace | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way: between two requests, or before the end of a head."""
        at_head = self.request is None or not self.request.headers_finished
        return at_head and not self.requests and not self.total_outbufs_len

    def readable(self) -> bool:
        """Whether to look for more from the client."""
        if self._lingers_until is not None:
            return True
        return not (self._admitting or self._held_back) and bool(super().readable())

    def writable(self) -> bool:
        """Whether to look for room to send, or to close."""
        return bool(super().writable()) or self._asks_for_body or self._task is not None or self._reads_on

    def received(self, data: bytes) -> bool:
        """Sort what came into requests; one that is complete, or refused, goes to a thread."""
        if self._lingers_until is not None:
            self._lingered_bytes += len(data)
            if self._lingered_bytes > LINGER_BYTES:
                self.handle_close()
            return True
        with self.requests_lock:
            self._read_on(data)
        return True

    def handle_write(self) -> None:
        """Send what waits; after the answer to a refused request, hear its sender out."""
        if self._asks_for_body:
            self._asks_for_body = False
            self.write_soon(CONTINUE)
        if self._refused and self.close_when_flushed and not self.will_close:
            self._flush_exception(self._flush_some)
            if not self.total_outbufs_len and not self.will_close:
                self._linger()
                return
        super().handle_write()
        with self.requests_lock:
            self._read_on()
            if self._task is not None and self.total_outbufs_len <= MOST_WAITING_BYTES // 2:
                self.requests[0].task, self._task = self._task, None
                self.server.add_task(self)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the connection takes now and return how much that was."""
        sent: int = super().send(data, do_close=do_close)
        self._sent_bytes += sent
        return sent

    def handle_close(self) -> None:
        """End the connection and let go of all that it holds, but for what a thread works on."""
        super().handle_close()
        with self.requests_lock:
            if self.request is not None:
                self.request.close()
            if self._task is not None:
                self._task.close()
                self._task = None
                self._drop_requests()

    def check(self, now: float) -> None:
        """Cut the connection, or refuse its request, when the client is too slow."""
        if self._lingers_until is not None:
            if now > self._lingers_until:
                self.handle_close()
        elif self.total_outbufs_len:
            self._pace = self._pace or Pace(now, self._read_bytes())
            if self._pace.too_slow(now, self._read_bytes()):
                self.handle_close()
        elif self.requests or self._admitting:
            self._pace = None
        elif self.request is not None:
            if self.request.overdue(now):
                with self.requests_lock:
                    self.request.refuse(RequestTimeout())
                    self._settle()
        elif now - self.idle_since > self._idle_seconds():
            self.handle_close()

    def go_on(self, request: RequestParser, answer: Any) -> None:
        """Receive the body of a request that was let in; with an `answer`, give that instead."""
        with self.requests_lock:
            self._admitting = False
            if self.request is not request or not self.connected:
                return
            now = time.monotonic()
            request.pace = Pace(now, 0)
            if answer is not None:
                request.answer, request.completed = answer, True
            self._settle()
            self._read_on()
        self.server.pull_trigger()

    def service(self) -> None:
        """Work on the first request, in a thread."""
        with self.requests_lock:
            if not self.requests:
                return
            request = self.requests[0]
        task = request.task or Task(self, request)
        try:
            if self.connected:
                task.service()
        except ClientDisconnected:
            task.fail()
        except Exception:
            self.logger.exception("the answer to %s %s broke off", request.command, request.path)
            task.fail()
        with self.requests_lock:
            if task.paused and self.connected:
                self._task = task
            else:
                task.close()
                self._finish(request, task)
        self.server.pull_trigger()

    @property
    def _reads_on(self) -> bool:
        """Whether what is held back is read in the next turn."""
        if not self._held_back or self._admitting or self.requests or self.total_outbufs_len:
            return False
        return self.connected and not (self._refused or self.will_close or self.close_when_flushed)

    def _read_on(self, data: bytes = b"") -> None:
        """Read what was held back and what came since, unless something else comes first."""
        self._held_back += data
        if self._reads_on:
            self._held_back = self._take(self._held_back)

    def _take(self, data: bytes) -> bytes:
        """Read what belongs to one request, of a body in chunks as much as one turn may take; the rest."""
        if self.request is None:
            self.request = RequestParser(self.adj, self.server.room)
        request = self.request
        if not request.headers_finished:
            data = data[request.received(data) :]
            if request.headers_finished and not request.completed:
                self._weigh(request)
        if data and not (self._admitting or request.completed):
            data = data[request.received(data) :]
        if not self._admitting:
            self._settle()
        return b"" if self._refused else data

    def _weigh(self, request: RequestParser) -> None:
        """Refuse a body that is too large, and find out first whether a large one is wanted."""
        flask, environ = self.server.flask, request.environ()
        request.most_bytes = admission.max_body_bytes(flask, environ)
        if request.content_length > request.most_bytes:
            request.refuse(admission.too_large(request.most_bytes))
        elif request.content_length > self.server.room.free_bytes:
            request.refuse(ServiceUnavailable(FULL, retry_after=FULL_SECONDS))
        elif request.announced_bytes > ADMISSION_BYTES and admission.asks_before_body(flask, environ):
            self._admitting = True
            self.server.add_task(Admission(self, request))

    def _settle(self) -> None:
        """Hand the request over when it is complete; ask for its body where the client waits for that."""
        request = self.request
        if request is None:
            return
        if request.completed:
            self.request = None
            self._refused = bool(request.error or request.answer)
            if not request.empty:
                self.requests.append(request)
                if len(self.requests) == 1:
                    self.server.add_task(self)
        elif request.expect_continue and request.headers_finished and not self.requests:
            request.expect_continue = False
            # Written by the main thread: here it would take the second lock before the first.
            self._asks_for_body = True

    def _finish(self, request: RequestParser, task: Task) -> None:
        """Make ready for the next request, or for the end."""
        if task.close_on_finish or not self.connected:
            self.close_when_flushed = True
            self._drop_requests()
            return
        if self.current_outbuf_count > 0:
            # The next answer gets a buffer of its own, so that this one's is let go.
            self.current_outbuf_count = self.adj.outbuf_high_watermark
        request.close()
        self.requests.remove(request)
        self._has_answered, self.idle_since = True, time.monotonic()
        if self.requests:
            self.server.add_task(self)
        else:
            self._settle()

    def _drop_requests(self) -> None:
        for request in self.requests:
            request.close()
        self.requests = []

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Never let a thread wait for a reader: a task that is ahead of it is left off instead."""

    def _linger(self) -> None:
        """Closed while data still comes, the connection would be reset, and the answer lost on its way."""
        self.close_when_flushed = False
        self._lingers_until = time.monotonic() + LINGER_SECONDS
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def _idle_seconds(self) -> float:
        if self.server.draining:
            return DRAIN_SECONDS
        return KEEP_ALIVE_SECONDS if self._has_answered else HEAD_SECONDS

    def _read_bytes(self) -> int:
        """How much of the answers the client has taken: what lies in the kernel's buffer has not reached it."""
        waiting = bytes(4)
        with contextlib.suppress(OSError):
            waiting = fcntl.ioctl(self.socket.fileno(), termios.TIOCOUTQ, waiting)
        return self._sent_bytes - int(struct.unpack("i", waiting)[0])
