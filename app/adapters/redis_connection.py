"""Connections to Redis for all processes, with short timeouts and a circuit breaker: after a failed call, no more
calls are made for a while.

No circuit breaker library fits: pybreaker holds its lock during a call, so all threads of a web process would wait
for each other at every request; circuitbreaker lets every call through as a probe.
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

TIMEOUT_SECONDS = 0.5
"""How long one call waits for Redis; after that, Redis counts as unreachable."""
PAUSE = timedelta(seconds=5)
"""How long an unreachable Redis is not called, so that it does not slow down every request."""
Answer = TypeVar("Answer")


class CircuitOpenError(RedisError):
    """Redis was not called, because less than PAUSE ago it was unreachable."""


def make_options() -> dict[str, Any]:
    """Connection options for redis-py, and for libraries that pass them to redis-py."""
    return {
        "socket_connect_timeout": TIMEOUT_SECONDS,
        "socket_timeout": TIMEOUT_SECONDS,
        # One retry, with a new connection, where an idle one was closed; none after a timeout.
        "retry": Retry(NoBackoff(), 1, supported_errors=(RedisConnectionError,)),
    }


def connect(url: str) -> Redis:
    """A client for the Redis at this URL, with a connection pool. It connects with the first command."""
    return Redis.from_url(url, **make_options())


class PerThreadClients:
    """One client with one connection for each thread: taking one from a pool takes as long as a short command."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._local = threading.local()

    def client(self) -> Redis:
        """The client of the calling thread. It connects with its first command."""
        found: Redis | None = getattr(self._local, "client", None)
        if found is None:
            found = self._local.client = Redis.from_url(self._url, single_connection_client=True, **make_options())
        return found


class CircuitBreaker:
    """Lets all calls to Redis through while it answers; after a failed call, one call in each PAUSE until one
    succeeds.
    """

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failed_at: datetime | None = None

    def call(self, act: Callable[[], Answer]) -> Answer:
        """The return value of `act`. Raises the RedisError of `act`, or CircuitOpenError without calling it."""
        self._admit()
        try:
            answer = act()
        except RedisError:
            self._failed_at = self._clock()
            metrics.FAULTS.labels("redis").inc()
            raise
        self._failed_at = None
        return answer

    def _admit(self) -> None:
        now = self._clock()
        with self._lock:
            # A failure in the future was recorded before the clock was set back; it must not prolong the pause.
            if self._failed_at is not None and timedelta(0) <= now - self._failed_at < PAUSE:
                raise CircuitOpenError("Redis was away a moment ago")
            if self._failed_at is not None:
                # This call tests whether Redis answers again; meanwhile the other calls still fail at once.
                self._failed_at = now
