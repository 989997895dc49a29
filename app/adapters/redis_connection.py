"""Redis as every process calls it: given up on quickly, and left alone for a while once it was away.

Libraries of circuit breakers were looked at: pybreaker holds its lock during a call, so that all threads of a web
process would wait for each other at every request; circuitbreaker lets every call through as a probe.
"""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, TypeVar

from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.retry import Retry

from app import metrics

PATIENCE_SECONDS = 0.5
"""So long may Redis keep one call waiting; then it counts as away."""
PAUSE = timedelta(seconds=5)
"""So long is a Redis that was away left alone, so that it does not slow down every request."""
Answer = TypeVar("Answer")


class CircuitOpenError(RedisError):
    """Redis was away a moment ago, and was not asked again."""


def options() -> dict[str, Any]:
    """How connections are made, for redis-py and for libraries that pass them on."""
    return {
        "socket_connect_timeout": PATIENCE_SECONDS,
        "socket_timeout": PATIENCE_SECONDS,
        # A connection that idled too long is worth a fresh one; a Redis that keeps silent is not asked twice.
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
    }


def connect(url: str) -> Redis:
    """Redis at this address; it is reached with the first command."""
    return Redis.from_url(url, **options())


class OwnConnections:
    """A client with one connection for each thread: to take one from a pool costs as much as a short question."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._of_thread = threading.local()

    def client(self) -> Redis:
        """That of this thread; Redis is reached with the first command."""
        found: Redis | None = getattr(self._of_thread, "client", None)
        if found is None:
            found = self._of_thread.client = Redis.from_url(self._url, single_connection_client=True, **options())
        return found


class CircuitBreaker:
    """Lets calls to Redis through while it answers; after one that failed, one in each PAUSE."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._away_at: datetime | None = None

    def call(self, act: Callable[[], Answer]) -> Answer:
        """What the act gives. Raises the RedisError of the act, or CircuitOpenError without calling it."""
        self._admit()
        try:
            answer = act()
        except RedisError:
            self._away_at = self._clock()
            metrics.FAULTS.labels("redis").inc()
            raise
        self._away_at = None
        return answer

    def _admit(self) -> None:
        now = self._clock()
        with self._lock:
            # A clock that was set back must not keep Redis away for long.
            if self._away_at is not None and timedelta(0) <= now - self._away_at < PAUSE:
                raise CircuitOpenError("Redis was away a moment ago")
            if self._away_at is not None:
                # While this call finds out whether Redis is back, no other waits for it too.
                self._away_at = now
