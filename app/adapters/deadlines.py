"""A point in time that holds whatever is being waited for: a resolver, a handshake, a receiver that drips."""

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
    """So many seconds from now, by a clock that nobody sets."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        """Seconds until then; 0 afterwards."""
        return max(0.0, self._end - time.monotonic())

    @property
    def over(self) -> bool:
        """Whether it has passed."""
        return not self.left

    def waits_for(self, work: Callable[[], Result]) -> Result:
        """What the work returns or raises. Raises TimeoutError at the deadline; the work is then left behind.

        For work that cannot be interrupted. Each has a thread of its own, so that one that hangs keeps no other
        waiting, and a daemon's, so that it keeps no process from ending.
        """
        outcome: Future[Result] = Future()

        def run() -> None:
            try:
                outcome.set_result(work())
            except Exception as error:
                outcome.set_exception(error)

        Thread(target=run, name="left to the deadline", daemon=True).start()
        return outcome.result(self.left)

    @contextmanager
    def cuts(self, connection: socket.socket) -> Iterator[None]:
        """While inside, the connection is shut down at the deadline, which ends every call that waits on it.

        A socket's own timeout starts again with each byte that drips in.
        """
        # TLS takes the descriptor over and its reader may close it: a copy is surely still this connection.
        with connection.dup() as copy:
            watch = Timer(self.left, _shut_down, (copy,))
            watch.daemon = True
            watch.start()
            try:
                yield
            finally:
                watch.cancel()
                # It must not be at work on a descriptor that is closed, and then somebody else's.
                watch.join()


class Phase(StrEnum):
    """What an attempt is at. The answer's phase ends with its headers."""

    RESOLVE = "resolve"
    CONNECT = "connect"
    TLS = "tls"
    ANSWER = "answer"


@dataclass(slots=True)
class Trace:
    """How far an attempt has come: at which phase it is, and the seconds for each one reached."""

    deadline: Deadline
    phase: Phase = Phase.RESOLVE
    seconds: dict[str, float] = field(default_factory=dict)
    address: str | None = None

    def note_address(self, address: str) -> None:
        """Keep the address that is tried."""
        self.address = address

    @contextmanager
    def at(self, phase: Phase) -> Iterator[None]:
        """Measures the phase, however it ends."""
        self.phase, start = phase, time.monotonic()
        try:
            yield
        finally:
            self.seconds[phase.value] = round(time.monotonic() - start, 4)


def _shut_down(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
