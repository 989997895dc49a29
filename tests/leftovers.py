"""A test leaves no thread and no process behind: the next one in its process would pay for it, now and then.

A conftest that takes `leaves_nothing` up holds every test below it to that.
"""

import threading
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(autouse=True)
def leaves_nothing() -> Iterator[None]:
    """Threads and child processes that came with the test, and not with what several share, end with it."""
    threads, children = set(threading.enumerate()), _children()

    def left() -> list[object]:
        return [*(set(threading.enumerate()) - threads), *(_children() - children)]

    yield
    try:
        # What was told to end may take a moment to.
        eventually("threads and processes of the test have ended", lambda: not left())
    except AssertionError:
        pytest.fail(f"the test left behind: {left()}")
