"""Calls the application for one request, and gives the answer to the channel as fast as the client receives it."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from time import monotonic, time
from types import SimpleNamespace
from typing import Any
from wsgiref.types import WSGIEnvironment

from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.task import WSGITask

from app.serving.parking import StayParking
from app.web import admission
from app.web.bodies import ARRIVAL_SECONDS
from app.web.parking import PARKING

MAX_UNSENT_BYTES = 256 * 1024
"""A task pauses when more of its answer than this is unsent, and continues when half of this is left."""


class Task(WSGITask):
    """The work on one request. It is `paused` while the client is slow; the next service() continues it. If the
    application keeps the request, by the `parking`, the work ends without an answer, and begins again later.
    """

    content_length: int | None
    paused = False
    parking: StayParking | None = None
    _chunks: Iterator[bytes] | None = None
    _close: Callable[[], object] | None = None

    def service(self) -> None:
        """Do the work until it is done or `paused`."""
        try:
            if self._chunks is None:
                self.start()
                self._call_application()
            if self.parking is None or not self.parking.is_kept:
                self._write_chunks()
                if not self.paused:
                    self._end()
        except OSError:
            self.fail()
        finally:
            if not self.paused:
                self.close()

    def fail(self) -> None:
        """Mark the work as ended, and the connection as to be closed."""
        self.paused, self.close_on_finish = False, True

    def close(self) -> None:
        """Call close() of the application's answer, as WSGI requires; only once."""
        close, self._close = self._close, None
        if close is not None:
            close()

    def build_response_header(self) -> bytes:
        """The head, with "Connection: close" if the request was refused or the server stops."""
        if self.request.error or self.request.answer or self.channel.server.draining:
            self.set_close_on_finish()
        head: bytes = super().build_response_header()
        return head

    def _call_application(self) -> None:
        environ = self.get_environment()
        environ["RAW_URI"] = self.request.request_uri
        if self.request.was_kept:
            # The body was read when the request arrived.
            environ["wsgi.input"].seek(0)
        environ[ARRIVAL_SECONDS] = monotonic() - self.request.began_at
        environ[PARKING] = self.parking = StayParking(self.channel.server.lot, self.request.was_kept)
        answer = self._choose_application(environ)(environ, self._start_response)
        self._close = getattr(answer, "close", None)
        if self.parking.is_kept:
            return
        self._chunks = iter(answer)
        if isinstance(answer, ReadOnlyFileBasedBuffer) and (size := answer.prepare(self.content_length)):
            self.content_length = size
            self.write(b"")
            self.channel.write_soon(answer)
            # The channel closes the file after sending it.
            self._chunks, self._close = iter(()), None
            self.content_bytes_written = size
        elif self.content_length is None and hasattr(answer, "__len__") and len(answer) == 1:
            first = next(self._chunks)
            self.content_length = len(first)
            self.write(first)

    def _choose_application(self, environ: WSGIEnvironment) -> Callable[..., Any]:
        server = self.channel.server
        if self.request.error is not None:
            return admission.refusal(server.flask, environ, self.request.error)
        application: Callable[..., Any] = self.request.answer or server.application
        return application

    def _start_response(self, status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> Any:
        if exc_info and self.wrote_header:
            raise exc_info[1]
        self.complete = True
        self.status, self.response_headers = status, list(headers)
        lengths = [value for name, value in headers if name.lower() == "content-length"]
        self.content_length = int(lengths[0]) if lengths else None
        return self.write

    def _write_chunks(self) -> None:
        self.paused = False
        for chunk in self._chunks or ():
            if chunk:
                self.write(chunk)
            if self.channel.total_outbufs_len > MAX_UNSENT_BYTES:
                self.paused = True
                return

    def _end(self) -> None:
        missing = self.content_length is not None and self.content_bytes_written != self.content_length
        if missing and self.has_body and self.request.command != "HEAD":
            # Closing the connection tells a client that waits for the rest that there is none.
            self.set_close_on_finish()
        self.finish()
        log = self.channel.server.log
        if log is not None and log.access_log_enabled:
            headers = list(self.request.headers.items())
            sent = SimpleNamespace(
                status=self.status, sent=self.content_bytes_written, headers=self.response_headers
            )
            log.access(
                sent, SimpleNamespace(headers=headers), self.environ, timedelta(seconds=time() - self.start_time)
            )
