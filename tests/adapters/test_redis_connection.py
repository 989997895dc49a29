"""A Redis that was away is left alone for a while, and one call at a time finds out whether it is back."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from redis import RedisError

from app.adapters.redis_connection import PAUSE, CircuitBreaker, CircuitOpenError
from tests.fakes import FakeClock
from tests.waiting import PATIENCE_SECONDS


class Server:
    """Something that is called, and may be away."""

    def __init__(self) -> None:
        self.away = False
        self.calls = 0

    def __call__(self) -> str:
        self.calls += 1
        if self.away:
            raise RedisError("away")
        return "here"


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def breaker(clock: FakeClock) -> CircuitBreaker:
    return CircuitBreaker(clock)


def fail(breaker: CircuitBreaker, server: Server) -> None:
    server.away = True
    with pytest.raises(RedisError, match=r"^away$"):
        breaker.call(server)


def test_calls_go_through_while_it_answers(breaker: CircuitBreaker, server: Server) -> None:
    assert [breaker.call(server) for _ in range(3)] == ["here"] * 3


def test_after_a_failure_it_is_not_called_until_the_pause_is_over(
    breaker: CircuitBreaker, server: Server, clock: FakeClock
) -> None:
    fail(breaker, server)
    clock.now += PAUSE / 2
    with pytest.raises(CircuitOpenError):
        breaker.call(server)
    clock.now += PAUSE / 2
    fail(breaker, server)
    with pytest.raises(CircuitOpenError):
        breaker.call(server)
    assert server.calls == 2


def test_one_good_answer_after_the_pause_lets_all_calls_through(
    breaker: CircuitBreaker, server: Server, clock: FakeClock
) -> None:
    fail(breaker, server)
    server.away = False
    clock.now += PAUSE
    assert [breaker.call(server) for _ in range(3)] == ["here"] * 3


def test_while_one_call_finds_out_whether_it_is_back_no_other_waits(
    breaker: CircuitBreaker, server: Server, clock: FakeClock
) -> None:
    fail(breaker, server)
    clock.now += PAUSE
    asked, answered = threading.Event(), threading.Event()

    def slow() -> str:
        asked.set()
        assert answered.wait(PATIENCE_SECONDS)
        return "here"

    with ThreadPoolExecutor(1) as pool:
        probe = pool.submit(breaker.call, slow)
        assert asked.wait(PATIENCE_SECONDS)
        with pytest.raises(CircuitOpenError):
            breaker.call(server)
        answered.set()
        assert probe.result(PATIENCE_SECONDS) == "here"
    server.away = False
    assert breaker.call(server) == "here"


def test_a_clock_set_back_does_not_keep_it_away(breaker: CircuitBreaker, server: Server, clock: FakeClock) -> None:
    fail(breaker, server)
    server.away = False
    clock.pass_(hours=-1)
    assert breaker.call(server) == "here"


def test_what_is_no_fault_of_redis_changes_nothing(breaker: CircuitBreaker, server: Server) -> None:
    with pytest.raises(ZeroDivisionError):
        breaker.call(lambda: 1 / 0)
    assert breaker.call(server) == "here"
