"""A test leaves no thread and no process behind: the next one in its process would pay for it, now and then.

A conftest that takes these fixtures up holds every test below it to that.
"""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import eventually


def _children() -> set[int]:
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        try:
            found.update(map(int, (task / "children").read_text().split()))
        except OSError:
            continue  # a thread that has just ended, or a kernel that does not tell
    return found


def _end(what: str, left: Callable[[], set[Any]]) -> None:
    try:
        # What was told to end may take a moment to.
        eventually(f"the {what} of the test have ended", lambda: not left())
    except AssertionError:
        pytest.fail(f"the test left {what} behind: {left()}")


@pytest.fixture(autouse=True)
def leaves_no_thread() -> Iterator[None]:
    """Threads that came with the test, and not with what several share, end with it."""
    before = set(threading.enumerate())
    yield
    _end("threads", lambda: set(threading.enumerate()) - before)


@pytest.fixture(autouse=True)
def leaves_no_process() -> Iterator[None]:
    """So do child processes. Not for tests that start a shared service anew: it stays."""
    before = _children()
    yield
    _end("processes", lambda: _children() - before)
