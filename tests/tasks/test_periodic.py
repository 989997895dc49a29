"""The loop of the sweep's timers."""

import os
import signal
import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from app.tasks import periodic
from tests.waiting import PATIENCE_SECONDS


@pytest.fixture(autouse=True)
def _own_signals() -> Iterator[None]:
    """The loop takes the signals that end it; afterwards they are the suite's again."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_silent_store_holds_up_no_timer_that_does_not_ask_it() -> None:
    silent, released = threading.Event(), threading.Event()
    beats: list[bool] = []

    def ask() -> None:
        silent.set()
        released.wait(PATIENCE_SECONDS)

    def beat() -> None:
        silent.wait(PATIENCE_SECONDS)
        beats.append(released.is_set())
        if len(beats) == 2:
            os.kill(os.getpid(), signal.SIGTERM)

    timers = [("ask the store", 60, ask, True), ("beat", 0, beat, False)]
    periodic.run_forever(SimpleNamespace(timers=lambda: iter(timers)))
    released.set()
    assert beats == [False, False]


def test_a_timer_that_breaks_is_tried_again() -> None:
    tries: list[int] = []

    def fail() -> None:
        tries.append(1)
        if len(tries) == 2:
            os.kill(os.getpid(), signal.SIGTERM)
        raise OSError

    periodic.run_forever(SimpleNamespace(timers=lambda: iter([("fail", 0, fail, False)])))
    assert len(tries) == 2
