"""Limits on calls to the generative server by all workers together: how many at once, and a pause after
failures.
"""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property

from pybreaker import STATE_CLOSED, STATE_OPEN, CircuitBreaker, CircuitBreakerError, CircuitRedisStorage
from redis import Redis, RedisError
from redis.exceptions import LockError
from redis.lock import Lock

from app.adapters import redis_connection
from engine.types.server import GenerativeRequest, GenerativeServer, ServerBusyError, ServerRefusedError

log = logging.getLogger(__name__)

MAX_FAILURES = 5
"""How many calls in a row, by all workers, must fail before no more calls are made for PAUSE_SECONDS."""
PAUSE_SECONDS = 30
"""How long no calls are made. Then the next call is a test; if it fails, another pause begins."""
NAMESPACE = "generative"
POLL_SECONDS = 0.5
"""The time between two tries to get a free place."""
EXTRA_SECONDS = 30
"""When a worker is killed during a call, its place becomes free this long after the time limit of the call."""


@dataclass(frozen=True)
class LimitedServer:
    """Implements app.domain.ports.GenerativeServer by calls to another one, `server`, with limits.

    `most_at_once`: how many calls may run at a time, each of which takes one place; None for no limit. Places and
    failures are shared between workers in Redis; while Redis is unreachable there are no limits.
    """

    server: GenerativeServer
    redis_url: str = field(repr=False)
    most_at_once: int | None = None
    sleep: Callable[[float], None] = time.sleep

    def check(self) -> None:
        """Raises ServerBusyError during a pause, so that no call is counted that would not be made."""
        storage = self._storage()
        if storage is None or storage.state != STATE_OPEN or storage.opened_at is None:
            return
        left = storage.opened_at + timedelta(seconds=PAUSE_SECONDS) - datetime.now(UTC)
        if left > timedelta(0):
            raise ServerBusyError("it is left alone after failures in a row", left.total_seconds())

    def edit(self, request: GenerativeRequest) -> bytes:
        """The edited picture; the wait for a place counts toward the request's timeout.

        Raises the exceptions of `server`, and ServerBusyError during a pause or when no place became free in time.
        """
        ends_at = time.monotonic() + request.timeout_seconds
        with self._place(request.timeout_seconds):
            left = max(0.1, ends_at - time.monotonic())
            return self._edit(replace(request, timeout_seconds=left))

    def _edit(self, request: GenerativeRequest) -> bytes:
        storage = self._storage()
        if storage is None:
            return self.server.edit(request)
        breaker = CircuitBreaker(
            fail_max=MAX_FAILURES,
            reset_timeout=PAUSE_SECONDS,
            # A refusal shows that the server works.
            exclude=[ServerRefusedError],
            state_storage=storage,
            throw_new_error_on_trip=False,
        )
        try:
            return breaker.call(self.server.edit, request)
        except CircuitBreakerError:
            raise ServerBusyError("it is left alone after failures in a row", PAUSE_SECONDS) from None

    @contextmanager
    def _place(self, seconds: float) -> Iterator[None]:
        try:
            lock = self._take_place(seconds)
        except RedisError as unreachable:
            log.warning("calls to the generative server are not bounded, Redis is away: %s", unreachable)
            lock = None
        try:
            yield
        finally:
            if lock is not None:
                # Ignored: the lock has expired already, or Redis is unreachable and the lock will expire.
                with suppress(LockError, RedisError):
                    lock.release()

    def _take_place(self, seconds: float) -> Lock | None:
        ends_at = time.monotonic() + seconds
        while self.most_at_once is not None:
            for place in range(self.most_at_once):
                lock: Lock = self._redis.lock(f"{NAMESPACE}:place:{place}", timeout=seconds + EXTRA_SECONDS)
                if lock.acquire(blocking=False):
                    return lock
            if time.monotonic() >= ends_at:
                raise ServerBusyError("all places are taken")
            self.sleep(POLL_SECONDS)
        return None

    def _storage(self) -> CircuitRedisStorage | None:
        """The state of the circuit breaker; None while Redis is unreachable."""
        try:
            return CircuitRedisStorage(STATE_CLOSED, self._redis, namespace=NAMESPACE)
        except RedisError as unreachable:
            log.warning("failures of the generative server are not counted, Redis is away: %s", unreachable)
            return None

    @cached_property
    def _redis(self) -> Redis:
        return redis_connection.connect(self.redis_url)
