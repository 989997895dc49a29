"""One connection: reads its requests, answers one after the other, and enforces time limits."""

import contextlib
import fcntl
import socket
import struct
import termios
import threading
import time
from functools import partial
from io import BytesIO
from typing import Any, Protocol

from flask import Flask
from waitress.channel import ClientDisconnected, HTTPChannel
from werkzeug.exceptions import RequestTimeout, ServiceUnavailable

from app.serving.pace import HEAD_SECONDS, KEEP_ALIVE_SECONDS, LINGER_SECONDS, BodyBudget, Pace
from app.serving.parking import Lot, Stay
from app.serving.requests import FULL_MESSAGE, FULL_RETRY_SECONDS, RequestParser
from app.serving.tasks import MAX_UNSENT_BYTES, Task
from app.web import admission

ADMISSION_BYTES = 64 * 1024
"""A longer body is received only after the route admitted its sender, for example checked the API key."""
LINGER_BYTES = 64 * 1024 * 1024
"""How many bytes a client may still send, which are ignored, after its request was refused."""
DRAIN_SECONDS = 1.0
"""While the server stops, a connection that was idle for this time is closed."""
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class ChannelServer(Protocol):
    """The part of the server that its connections use."""

    flask: Flask
    body_budget: BodyBudget
    lot: Lot
    draining: bool

    def add_task(self, task: "Channel | Admission") -> None:
        """Put the task into the queue of the threads."""

    def pull_trigger(self) -> None:
        """Wake the main thread."""


class Admission:
    """A task for a thread: asks the route whether to admit a request with a large body."""

    def __init__(self, channel: "Channel", request: RequestParser) -> None:
        self.channel, self.request = channel, request

    def service(self) -> None:
        """Ask the route, and tell the channel the answer."""
        environ = Task(self.channel, self.request).get_environment()
        environ["wsgi.input"] = BytesIO()
        answer = admission.admit(self.channel.server.flask, environ)
        self.channel.end_admission(self.request, answer)

    def cancel(self) -> None:
        """Close the channel, because the server stops."""
        self.channel.cancel()


class Channel(HTTPChannel):
    """A connection. The main thread reads, writes and enforces deadlines; other threads work on requests."""

    server: ChannelServer
    request: RequestParser | None
    requests: list[RequestParser]
    current_outbuf_count: int

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.requests_lock = threading.RLock()
        self.idle_since = time.monotonic()
        self._has_answered = False
        self._awaits_admission = False
        self._must_send_continue = False
        self._held_back = b""
        """Received bytes that are parsed later: when the sender was admitted, when the previous answer was sent, or
        in the next turn of the loop, so that many small chunks do not delay other connections.
        """
        self._paused_task: Task | None = None
        """The task that is paused until the client has received enough of the answer."""
        self._stay: Stay | None = None
        """The stay of the first request while it is kept to wait for a job."""
        self._has_refused = False
        self._linger_deadline: float | None = None
        self._ignored_bytes = 0
        self._sent_bytes = 0
        self._pace: Pace | None = None

    @property
    def is_idle(self) -> bool:
        """Whether the connection is between two requests, or has not received a whole head yet."""
        at_head = self.request is None or not self.request.headers_finished
        return at_head and not self.requests and not self.total_outbufs_len

    def readable(self) -> bool:
        """Whether the loop should wait for data from the client."""
        if self._linger_deadline is not None:
            return True
        if self._awaits_admission or self._held_back:
            return False
        # While a request is kept, reading shows that the client has hung up.
        return self._stay is not None or bool(super().readable())

    def writable(self) -> bool:
        """Whether the loop should call handle_write() when the socket can take data."""
        has_work = self._must_send_continue or self._paused_task is not None or self._can_parse_held_back
        return has_work or bool(super().writable())

    def received(self, data: bytes) -> bool:
        """Parse received data into requests; a complete or refused request is put into the queue of the threads."""
        if self._linger_deadline is not None:
            self._ignored_bytes += len(data)
            if self._ignored_bytes > LINGER_BYTES:
                self.handle_close()
            return True
        with self.requests_lock:
            self._parse_held_back(data)
        return True

    def handle_write(self) -> None:
        """Send waiting data; after the answer to a refused request, continue to receive for a while."""
        if self._must_send_continue:
            self._must_send_continue = False
            self.write_soon(CONTINUE)
        if self._has_refused and self.close_when_flushed and not self.will_close:
            self._flush_exception(self._flush_some)
            if not self.total_outbufs_len and not self.will_close:
                self._linger()
                return
        super().handle_write()
        with self.requests_lock:
            self._parse_held_back()
            if self._paused_task is not None and self.total_outbufs_len <= MAX_UNSENT_BYTES // 2:
                self.requests[0].resumed_task, self._paused_task = self._paused_task, None
                self.server.add_task(self)

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send as much as the socket takes now, and return how many bytes that was."""
        sent: int = super().send(data, do_close=do_close)
        self._sent_bytes += sent
        return sent

    def handle_close(self) -> None:
        """Close the connection and free its resources, except those of a task that a thread works on."""
        super().handle_close()
        with self.requests_lock:
            if self.request is not None:
                self.request.close()
            if self._paused_task is not None:
                self._paused_task.close()
                self._paused_task = None
                self._drop_requests()
            if self._stay is not None:
                self.server.lot.leave(self._stay)
                self._stay = None
                self._drop_requests()

    def enforce_deadlines(self, now: float) -> None:
        """Close the connection, or refuse its request, when the client is too slow."""
        if self._linger_deadline is not None:
            if now > self._linger_deadline:
                self.handle_close()
        elif self.total_outbufs_len:
            self._pace = self._pace or Pace(now, self._received_bytes())
            if self._pace.is_too_slow(now, self._received_bytes()):
                self.handle_close()
        elif self.requests or self._awaits_admission:
            self._pace = None
            stay = self._stay
            if stay is not None and now > stay.until:
                self.hand_over(stay)
        elif self.request is not None:
            if self.request.is_overdue(now):
                with self.requests_lock:
                    self.request.refuse(RequestTimeout())
                    self._queue_request()
        elif now - self.idle_since > self._idle_seconds():
            self.handle_close()

    def end_admission(self, request: RequestParser, answer: Any) -> None:
        """Receive the body of an admitted request (`answer` is None); otherwise send `answer` instead."""
        with self.requests_lock:
            self._awaits_admission = False
            if self.request is not request or not self.connected:
                return
            now = time.monotonic()
            request.pace = Pace(now, 0)
            if answer is not None:
                request.answer, request.completed = answer, True
            self._queue_request()
            self._parse_held_back()
        self.server.pull_trigger()

    def hand_over(self, stay: Stay | None = None) -> None:
        """Let a thread work again on the request that is kept, if `stay` is its stay or None. Any thread may call
        this.
        """
        with self.requests_lock:
            if self._stay is not None and stay in (None, self._stay):
                self.server.lot.leave(self._stay)
                self._stay = None
                self.server.add_task(self)

    def service(self) -> None:
        """Work on the first request. Runs in a thread."""
        with self.requests_lock:
            if not self.requests:
                return
            request = self.requests[0]
        task = request.resumed_task or Task(self, request)
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
                self._paused_task = task
            elif not self._keep(request, task):
                task.close()
                self._finish_request(request, task)
        self.server.pull_trigger()

    def _keep(self, request: RequestParser, task: Task) -> bool:
        """Keep the request if the application wants that and the client is there; its stay ends otherwise."""
        stay = task.parking.stay if task.parking else None
        if stay is None:
            return False
        if task.close_on_finish or not self.connected:
            self.server.lot.leave(stay)
            return False
        request.was_kept, self._stay, stay.wake = True, stay, partial(self.hand_over, stay)
        if self.server.draining:
            self.hand_over()
        return True

    @property
    def _can_parse_held_back(self) -> bool:
        """Whether data is held back that can be parsed now."""
        if not self._held_back or self._awaits_admission or self.requests or self.total_outbufs_len:
            return False
        return self.connected and not (self._has_refused or self.will_close or self.close_when_flushed)

    def _parse_held_back(self, data: bytes = b"") -> None:
        """Parse the data that was held back, followed by `data`, if that is possible now."""
        self._held_back += data
        if self._can_parse_held_back:
            self._held_back = self._parse(self._held_back)

    def _parse(self, data: bytes) -> bytes:
        """Parse the part of `data` that belongs to the current request, of a chunked body at most as much as one
        turn may take. Returns the rest.
        """
        if self.request is None:
            self.request = RequestParser(self.adj, self.server.body_budget)
        request = self.request
        if not request.headers_finished:
            data = data[request.received(data) :]
            if request.headers_finished and not request.completed:
                self._check_size(request)
        if data and not (self._awaits_admission or request.completed):
            data = data[request.received(data) :]
        if not self._awaits_admission:
            self._queue_request()
        return b"" if self._has_refused else data

    def _check_size(self, request: RequestParser) -> None:
        """Refuse a body that is too large; for another large body, let a thread ask the route for admission."""
        flask, environ = self.server.flask, request.routing_environ()
        request.max_body_bytes = admission.max_body_bytes(flask, environ)
        if request.content_length > request.max_body_bytes:
            request.refuse(admission.too_large(request.max_body_bytes))
        elif request.content_length > self.server.body_budget.free_bytes:
            request.refuse(ServiceUnavailable(FULL_MESSAGE, retry_after=FULL_RETRY_SECONDS))
        elif request.announced_bytes > ADMISSION_BYTES and admission.asks_before_body(flask, environ):
            self._awaits_admission = True
            self.server.add_task(Admission(self, request))

    def _queue_request(self) -> None:
        """Queue the current request if it is complete; else send "100 Continue" if the client waits for that."""
        request = self.request
        if request is None:
            return
        if request.completed:
            self.request = None
            self._has_refused = bool(request.error or request.answer)
            if not request.empty:
                self.requests.append(request)
                if len(self.requests) == 1:
                    self.server.add_task(self)
        elif request.expect_continue and request.headers_finished and not self.requests:
            request.expect_continue = False
            # The main thread sends it, because locking the output here could cause a deadlock.
            self._must_send_continue = True

    def _finish_request(self, request: RequestParser, task: Task) -> None:
        """Prepare for the next request, or for closing the connection."""
        if task.close_on_finish or not self.connected:
            self.close_when_flushed = True
            self._drop_requests()
            return
        if self.current_outbuf_count > 0:
            # The next answer gets a new buffer, so that the memory of this one's buffer is freed.
            self.current_outbuf_count = self.adj.outbuf_high_watermark
        request.close()
        self.requests.remove(request)
        self._has_answered, self.idle_since = True, time.monotonic()
        if self.requests:
            self.server.add_task(self)
        else:
            self._queue_request()

    def _drop_requests(self) -> None:
        for request in self.requests:
            request.close()
        self.requests = []

    def _flush_outbufs_below_high_watermark(self) -> None:
        """Do nothing: waitress lets the thread wait for the client here; our tasks pause instead."""

    def _linger(self) -> None:
        """Stop sending, but receive for a while: closing a socket with unread data resets the connection, and the
        client may lose the answer.
        """
        self.close_when_flushed = False
        self._linger_deadline = time.monotonic() + LINGER_SECONDS
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)

    def _idle_seconds(self) -> float:
        if self.server.draining:
            return DRAIN_SECONDS
        return KEEP_ALIVE_SECONDS if self._has_answered else HEAD_SECONDS

    def _received_bytes(self) -> int:
        """How many bytes of the answers the client has received, without those in the kernel's send buffer."""
        unsent = bytes(4)
        with contextlib.suppress(OSError):
            unsent = fcntl.ioctl(self.socket.fileno(), termios.TIOCOUTQ, unsent)
        return self._sent_bytes - int(struct.unpack("i", unsent)[0])
