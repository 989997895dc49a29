"""Limits for slow clients, and for the space that request bodies use while they are processed."""

from dataclasses import dataclass, field
from threading import Lock

HEAD_SECONDS = 20.0
"""Within this time the headers of a request must arrive, counted from its first byte, or from the start of a new
connection.
"""
KEEP_ALIVE_SECONDS = 100.0
"""How long a connection may be idle between requests: longer than clients keep theirs, by default 90 s at most."""
LINGER_SECONDS = 10.0
"""How long a client may continue to send after its request was refused; then the connection is closed."""
MIN_BYTES, WINDOW_SECONDS = 60_000, 30.0
"""At least MIN_BYTES must be received, or sent, in each WINDOW_SECONDS: 2 kB/s."""
BODY_SECONDS, BODY_RATE = 60.0, 8_000
"""A body must arrive within BODY_SECONDS, plus one second for each BODY_RATE bytes of its announced length."""


@dataclass(slots=True)
class Pace:
    """Measures whether at least MIN_BYTES are transferred in each WINDOW_SECONDS."""

    since: float
    moved: int

    def is_too_slow(self, now: float, moved: int) -> bool:
        """Whether too few bytes were transferred; `moved`: all bytes so far. MIN_BYTES start a new window."""
        if moved - self.moved >= MIN_BYTES:
            self.since, self.moved = now, moved
        return now - self.since > WINDOW_SECONDS


@dataclass(slots=True)
class BodyBudget:
    """Limits the total bytes of the request bodies that one process keeps at the same time."""

    max_bytes: int
    held_bytes: int = 0
    lock: Lock = field(default_factory=Lock)

    @property
    def free_bytes(self) -> int:
        """How many bytes can still be reserved."""
        return self.max_bytes - self.held_bytes

    def reserve(self, count: int) -> bool:
        """Reserve `count` bytes; False, without any change, when fewer are free."""
        with self.lock:
            if self.held_bytes + count > self.max_bytes:
                return False
            self.held_bytes += count
            return True

    def release(self, count: int) -> None:
        """Release `count` reserved bytes."""
        with self.lock:
            self.held_bytes -= count
