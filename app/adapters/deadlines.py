"""Deadlines for network calls. They also end waits that a timeout does not end: a look-up, a handshake, an answer
that comes byte by byte.
"""

import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import StrEnum
from threading import Thread, Timer
from typing import TypeVar

Result = TypeVar("Result")


class Deadline:
    """A point in time, `seconds` from now, by the monotonic clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until the deadline; 0 after it."""
        return max(0.0, self._end - time.monotonic())

    @property
    def is_over(self) -> bool:
        """Whether the deadline has passed."""
        return not self.left

    def wait_for(self, work: Callable[[], Result]) -> Result:
        """Return or raise what the work does. Raises TimeoutError at the deadline; the work then continues,
        and its result is ignored.

        For work that cannot be interrupted. It runs in its own thread, so that it delays no other work when it
        hangs, and in a daemon thread, so that the process can end.
        """
        outcome: Future[Result] = Future()

        def run() -> None:
            try:
                outcome.set_result(work())
            except Exception as error:
                outcome.set_exception(error)

        Thread(target=run, name="work with a deadline", daemon=True).start()
        return outcome.result(self.left)

    @contextmanager
    def limit(self, connection: socket.socket) -> Iterator[None]:
        """Shut the connection down at the deadline, if it passes inside the block; this ends every call that waits
        for the connection.

        A timeout of the socket would start again with each byte received.
        """
        # wrap_socket() takes over the descriptor, and a reader may close it, so use a duplicate.
        with connection.dup() as copy:
            watch = Timer(self.left, _shut_down, (copy,))
            watch.daemon = True
            watch.start()
            try:
                yield
            finally:
                watch.cancel()
                # Else the timer might shut down a descriptor that the system has given to another file meanwhile.
                watch.join()


class Phase(StrEnum):
    """The phases of an attempt. ANSWER ends when the headers have been received."""

    RESOLVE = "resolve"
    CONNECT = "connect"
    TLS = "tls"
    ANSWER = "answer"


@dataclass(slots=True)
class Trace:
    """The progress of an attempt: its current `phase`, and the `seconds` that each phase so far took."""

    deadline: Deadline
    phase: Phase = Phase.RESOLVE
    seconds: dict[str, float] = field(default_factory=dict)
    address: str | None = None

    def note_address(self, address: str) -> None:
        """Record the address that is tried."""
        self.address = address

    @contextmanager
    def at(self, phase: Phase) -> Iterator[None]:
        """Measure the phase's seconds, also when it ends with an exception."""
        self.phase, start = phase, time.monotonic()
        try:
            yield
        finally:
            self.seconds[phase.value] = round(time.monotonic() - start, 4)


def _shut_down(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
