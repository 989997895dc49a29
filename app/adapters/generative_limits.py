"""Bounds of the generative server for all workers together: calls at once, and a pause after failures in a row."""

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

MOST_FAILURES = 5
"""So many in a row, of all workers, and the server is left alone."""
PAUSE_SECONDS = 30
"""So long; then the next call finds out whether it is back, and one more failure leaves it alone again."""
NAMESPACE = "generative"
LOOK_SECONDS = 0.5
"""Between two looks for a free place."""
SPARE_SECONDS = 30
"""A place whose holder was killed is free so long after its call should have ended."""


@dataclass(frozen=True)
class LimitedServer:
    """Implements app.domain.ports.GenerativeServer by another one. `most_at_once`: None for any number of calls.

    What workers learn of the server from one another lies in Redis; while that is away, nothing is bounded here.
    """

    server: GenerativeServer
    redis_url: str = field(repr=False)
    most_at_once: int | None = None
    sleep: Callable[[float], None] = time.sleep

    def check(self) -> None:
        """Raise ServerBusyError while the server is left alone, so that nothing is paid for calls not made."""
        storage = self._storage()
        if storage is None or storage.state != STATE_OPEN or storage.opened_at is None:
            return
        left = storage.opened_at + timedelta(seconds=PAUSE_SECONDS) - datetime.now(UTC)
        if left > timedelta(0):
            raise ServerBusyError("it is left alone after failures in a row", left.total_seconds())

    def edit(self, request: GenerativeRequest) -> bytes:
        """The edited picture; waiting for a place counts as part of the call. Raises as the server itself does."""
        ends_at = time.monotonic() + request.timeout_seconds
        with self._place(request.timeout_seconds):
            left = max(0.1, ends_at - time.monotonic())
            return self._edit(replace(request, timeout_seconds=left))

    def _edit(self, request: GenerativeRequest) -> bytes:
        storage = self._storage()
        if storage is None:
            return self.server.edit(request)
        breaker = CircuitBreaker(
            fail_max=MOST_FAILURES,
            reset_timeout=PAUSE_SECONDS,
            # A server that refuses is there.
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
        except RedisError as away:
            log.warning("calls to the generative server are not bounded, Redis is away: %s", away)
            lock = None
        try:
            yield
        finally:
            if lock is not None:
                # It ended by itself, or Redis went away: then it will.
                with suppress(LockError, RedisError):
                    lock.release()

    def _take_place(self, seconds: float) -> Lock | None:
        ends_at = time.monotonic() + seconds
        while self.most_at_once is not None:
            for place in range(self.most_at_once):
                lock: Lock = self._redis.lock(f"{NAMESPACE}:place:{place}", timeout=seconds + SPARE_SECONDS)
                if lock.acquire(blocking=False):
                    return lock
            if time.monotonic() >= ends_at:
                raise ServerBusyError("all places are taken")
            self.sleep(LOOK_SECONDS)
        return None

    def _storage(self) -> CircuitRedisStorage | None:
        """What is known of the server; None while Redis is away."""
        try:
            return CircuitRedisStorage(STATE_CLOSED, self._redis, namespace=NAMESPACE)
        except RedisError as away:
            log.warning("failures of the generative server are not counted, Redis is away: %s", away)
            return None

    @cached_property
    def _redis(self) -> Redis:
        return redis_connection.connect(self.redis_url)
