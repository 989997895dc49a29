"""How slow a client may be, and the room on disk for what clients have sent so far."""

from dataclasses import dataclass, field
from threading import Lock

HEAD_SECONDS = 20.0
"""From a request's first byte to the end of its headers; on a new connection from its start."""
KEEP_ALIVE_SECONDS = 100.0
"""So long may a connection idle between requests: longer than clients keep theirs, 90 s at most by default."""
LINGER_SECONDS = 10.0
"""So long may a client that was refused go on to send before the connection is cut."""
LEAST_BYTES, WINDOW_SECONDS = 60_000, 30.0
"""At least so many bytes must move in so much time, either way: 2 kB/s."""
BODY_SECONDS, BODY_RATE = 60.0, 8_000
"""A body must be there after so many seconds and one more for each so many bytes that it announces."""


@dataclass(slots=True)
class Pace:
    """Whether bytes move fast enough: every LEAST_BYTES of them within WINDOW_SECONDS."""

    since: float
    moved: int

    def too_slow(self, now: float, moved: int) -> bool:
        """Take note of how many bytes have moved in all by now."""
        if moved - self.moved >= LEAST_BYTES:
            self.since, self.moved = now, moved
        return now - self.since > WINDOW_SECONDS


@dataclass(slots=True)
class MemoryRoom:
    """The bytes of all bodies that one process holds at the moment, and how many there may be."""

    most_bytes: int
    held_bytes: int = 0
    lock: Lock = field(default_factory=Lock)

    @property
    def free_bytes(self) -> int:
        """How many bytes there is room for."""
        return self.most_bytes - self.held_bytes

    def take(self, count: int) -> bool:
        """Hold so many bytes more; False, and nothing held, when there is no room for them."""
        with self.lock:
            if self.held_bytes + count > self.most_bytes:
                return False
            self.held_bytes += count
            return True

    def give(self, count: int) -> None:
        """Hold so many bytes less."""
        with self.lock:
            self.held_bytes -= count
