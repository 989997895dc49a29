"""Tries are counted for all processes in Redis, and while that is away in each process by itself."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from flask import Flask
from redis import Redis

from app.application import create_app
from app.container import Container
from app.domain.errors import RateLimited
from app.domain.sign_in_limits import CODES_PER_HOUR
from app.settings import Settings
from app.web import attempt_limits, rate_limits
from app.web.rate_limits import ProcessCounters, RateQuota
from tests.fakes import FakeClock, FakeQueue

Try = Callable[..., int]
"""How many seconds somebody has to wait; 0 for an admitted try."""


def trying(app: Flask) -> Try:
    def try_(whom: str, address: str = "192.0.2.1", quota: RateQuota = RateQuota.SIGN_INS) -> int:
        with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
            try:
                attempt_limits.count(quota, whom)
            except RateLimited as refusal:
                return refusal.retry_after_seconds
            return 0

    return try_


def another_process(settings: Settings, clock: FakeClock) -> Flask:
    container = Container(settings, clock)
    container.queue = FakeQueue()
    return create_app(container=container)


@pytest.fixture
def with_redis(settings: Settings, redis_url: str) -> Settings:
    """Settings with a Redis that works and has counted nothing yet."""
    Redis.from_url(redis_url).flushdb()
    return settings.model_copy(update={"redis_url": redis_url, "rate_limit_sign_ins": 3})


def test_all_processes_count_together(with_redis: Settings, clock: FakeClock) -> None:
    first, second = (trying(another_process(with_redis, clock)) for _ in range(2))
    assert [first("a"), second("a"), first("a")] == [0, 0, 0]
    assert 0 < second("a") <= 61
    assert 0 < second("b") <= 61, "the address is spent too"
    assert second("b", "192.0.2.2") == 0
    assert 0 < first("a", "192.0.2.3") <= 61, "and the name, wherever it comes from"


def test_nothing_personal_lies_in_redis(with_redis: Settings, clock: FakeClock, redis_url: str) -> None:
    trying(another_process(with_redis, clock))("Jo@example.com" + "x" * 10_000)
    names = " ".join(map(str, Redis.from_url(redis_url).keys()))
    assert "example" not in names
    assert len(names) < 400


def test_a_name_is_the_same_however_it_is_written(with_redis: Settings, clock: FakeClock) -> None:
    try_ = trying(another_process(with_redis, clock))
    for number, whom in enumerate(("Jo@example.com", " jo@example.com", "JO@EXAMPLE.COM")):
        assert try_(whom, f"192.0.2.{number}") == 0
    assert try_("jo@example.com", "192.0.2.9")


def test_without_redis_a_process_counts_by_itself(app: Flask, clock: FakeClock) -> None:
    try_ = trying(app)
    assert [try_("a", f"192.0.2.{number}") for number in range(10)] == [0] * 10
    assert try_("a", "192.0.2.99") == 60
    clock.pass_(seconds=59)
    assert try_("a", "192.0.2.99") == 1
    clock.pass_(seconds=1)
    assert try_("a", "192.0.2.99") == 0


def test_codes_have_an_hour_for_an_account_and_a_minute_for_an_address(app: Flask, clock: FakeClock) -> None:
    try_ = trying(app)
    for _ in range(CODES_PER_HOUR):
        assert try_("acc_1", quota=RateQuota.CODES) == 0
    assert try_("acc_2", quota=RateQuota.CODES) == 60
    assert try_("acc_1", "192.0.2.2", quota=RateQuota.CODES) == 3600
    clock.pass_(minutes=1)
    assert try_("acc_2", quota=RateQuota.CODES) == 0


def test_one_kind_of_try_does_not_spend_another(app: Flask) -> None:
    try_ = trying(app)
    for _ in range(11):
        try_("a")
    assert try_("a")
    assert try_("a", quota=RateQuota.RESETS) == 0


def test_a_clock_set_back_keeps_nobody_out_for_long(app: Flask, clock: FakeClock) -> None:
    try_ = trying(app)
    for _ in range(11):
        try_("a")
    clock.pass_(hours=-5)
    assert try_("a") == 0


def test_a_flood_of_names_takes_bounded_room(monkeypatch: pytest.MonkeyPatch, clock: FakeClock) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEPT", 100)
    windows = ProcessCounters()
    for number in range(1000):
        windows.spend(RateQuota.SIGN_INS, str(number), 10, timedelta(minutes=1), clock())
    assert len(windows.open) <= 100
    assert (RateQuota.SIGN_INS, "999") in windows.open
