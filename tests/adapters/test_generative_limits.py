"""All workers together ask the generative server no more than they may, and leave it alone while it fails."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from redis import Redis

from app.adapters.generative_limits import MAX_FAILURES, NAMESPACE, PAUSE_SECONDS, LimitedServer
from engine.types.server import GenerativeRequest, ServerBusyError, ServerRefusedError
from tests.waiting import PATIENCE_SECONDS

REQUEST = GenerativeRequest(b"picture", None, "a sofa", PATIENCE_SECONDS)


class Scripted:
    """Does as it is told with each call."""

    def __init__(self, act: Callable[[], bytes] = lambda: b"edited") -> None:
        self.act, self.seen = act, []

    def edit(self, request: GenerativeRequest) -> bytes:
        self.seen.append(request)
        return self.act()


def fail() -> bytes:
    raise ServerBusyError("status 503")


def refuse() -> bytes:
    raise ServerRefusedError("status 400")


@pytest.fixture
def shared(redis_url: str) -> Iterator[Redis]:
    """What workers share, with nothing of other tests."""
    redis = Redis.from_url(redis_url)
    forget(redis)
    yield redis
    forget(redis)
    redis.close()


def forget(redis: Redis) -> None:
    for name in list(redis.scan_iter(f"{NAMESPACE}:*")):
        redis.delete(name)


def fail_often(server: LimitedServer, times: int = MAX_FAILURES) -> None:
    for _ in range(times):
        with pytest.raises(ServerBusyError):
            server.edit(REQUEST)


def pass_pause(redis: Redis) -> None:
    """As if the server had been left alone for long enough."""
    opened = int(redis.get(f"{NAMESPACE}:pybreaker:opened_at") or 0)
    redis.set(f"{NAMESPACE}:pybreaker:opened_at", opened - PAUSE_SECONDS - 1)


def test_after_failures_in_a_row_every_worker_leaves_the_server_alone(shared: Redis, redis_url: str) -> None:
    failing, other = Scripted(fail), Scripted()
    fail_often(LimitedServer(failing, redis_url))
    elsewhere = LimitedServer(other, redis_url)
    with pytest.raises(ServerBusyError) as busy:
        elsewhere.check()
    assert 0 < busy.value.retry_after_seconds <= PAUSE_SECONDS
    with pytest.raises(ServerBusyError):
        elsewhere.edit(REQUEST)
    assert (len(failing.seen), other.seen) == (MAX_FAILURES, [])


def test_one_call_after_the_pause_finds_out_whether_the_server_is_back(shared: Redis, redis_url: str) -> None:
    server = Scripted(fail)
    limited = LimitedServer(server, redis_url)
    fail_often(limited)
    pass_pause(shared)
    limited.check()
    fail_often(limited, 1)
    with pytest.raises(ServerBusyError):
        limited.check()
    pass_pause(shared)
    server.act = lambda: b"edited"
    limited.check()
    assert [limited.edit(REQUEST) for _ in range(2)] == [b"edited"] * 2
    fail_often(LimitedServer(Scripted(fail), redis_url), MAX_FAILURES - 1)
    limited.check()


def test_answers_between_failures_and_refusals_keep_the_server_in_use(shared: Redis, redis_url: str) -> None:
    limited = LimitedServer(Scripted(), redis_url)
    for _ in range(2):
        fail_often(LimitedServer(Scripted(fail), redis_url), MAX_FAILURES - 1)
        assert limited.edit(REQUEST) == b"edited"
    for _ in range(MAX_FAILURES):
        with pytest.raises(ServerRefusedError):
            LimitedServer(Scripted(refuse), redis_url).edit(REQUEST)
    limited.check()


def test_no_more_calls_go_on_at_once_than_there_are_places(shared: Redis, redis_url: str) -> None:
    lock, both, now, most = threading.Lock(), threading.Barrier(2), [0], [0]

    def count() -> bytes:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        both.wait(PATIENCE_SECONDS)
        with lock:
            now[0] -= 1
        return b"edited"

    with ThreadPoolExecutor(6) as pool:
        servers = [LimitedServer(Scripted(count), redis_url, 2, lambda _: None) for _ in range(6)]
        assert list(pool.map(lambda each: each.edit(REQUEST), servers)) == [b"edited"] * 6
    assert most == [2]
    assert list(shared.scan_iter(f"{NAMESPACE}:place:*")) == []


def test_who_finds_no_place_in_time_is_told_and_the_call_gets_the_time_that_is_left(
    shared: Redis, redis_url: str
) -> None:
    held = shared.lock(f"{NAMESPACE}:place:0", timeout=PATIENCE_SECONDS)
    assert held.acquire(blocking=False)
    server = Scripted()
    hasty = GenerativeRequest(b"picture", None, "a sofa", 0.0)
    with pytest.raises(ServerBusyError, match="places"):
        LimitedServer(server, redis_url, 1).edit(hasty)
    assert server.seen == []
    LimitedServer(server, redis_url, 1, lambda _: held.release()).edit(REQUEST)
    assert 0 < server.seen[0].timeout_seconds < REQUEST.timeout_seconds


def test_without_redis_the_server_is_asked_unbounded(tmp_path: Path) -> None:
    server = Scripted(fail)
    limited = LimitedServer(server, f"unix://{tmp_path}/nothing.sock", 1)
    fail_often(limited, 2 * MAX_FAILURES)
    limited.check()
    assert len(server.seen) == 2 * MAX_FAILURES
