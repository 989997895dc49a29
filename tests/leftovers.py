"""A test ends what it started: a thread that it leaves fails it, a process fails the last test of its file.

What one test leaves goes on in the next one, which then fails for a reason that nobody sees in it.
"""

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import psutil
import pytest

from tests.waiting import eventually

SHARED = {
    "flask --app wsgi up": "the whole service, which journeys start again",
    "playwright": "drives the browser",
    "multiprocessing.resource_tracker": "Python's own, which ends with its process",
}
"""Processes by a part of their command line that outlive a file, and why they may."""
KEPT = {
    "renewals": "of claims on Idempotency-Keys; without any it ends within two seconds and writes nothing",
    "PubSubWorkerThread": "RQ's, which waits for it a second and lets it end by itself",
    "sender_": "those of a worker for webhooks, which its process keeps",
}
"""Threads by the beginning of their name or class that outlive a test, and why they may."""


@dataclass(eq=False)
class Leftovers:
    """The guard: knows what fixtures of more than one test have started, and finds what else is still there."""

    threads: set[threading.Thread] = field(default_factory=set)
    processes: set[psutil.Process] = field(default_factory=set)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        """What a fixture starts for several tests may live as long as it does."""
        if fixturedef.scope == "function":
            return (yield)
        before = set(threading.enumerate()), set(children())
        try:
            return (yield)
        finally:
            self.threads |= set(threading.enumerate()) - before[0]
            self.processes |= set(children()) - before[1]

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """What is there before the test is none of its."""
        item.stash[_BEFORE] = set(threading.enumerate())
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
        """Fail the test for what is still there once all of its fixtures are gone."""
        result = yield
        known = item.stash[_BEFORE] | self.threads
        if self._left_threads(known):
            _await(f"the threads of {item.nodeid} have ended", lambda: self._left_threads(known))
        if (nextitem is None or nextitem.path != item.path) and self._left_processes():
            _await(f"the processes of {item.path.name} have ended", self._left_processes)
        return result

    def _left_threads(self, known: set[threading.Thread]) -> list[str]:
        left = [each for each in threading.enumerate() if each not in known]
        named = {each: (each.name, type(each).__name__) for each in left}
        return [each.name for each in left if not any(name.startswith(tuple(KEPT)) for name in named[each])]

    def _left_processes(self) -> list[str]:
        commands = []
        for process in children():
            with suppress(psutil.Error):
                if process not in self.processes and process.status() != psutil.STATUS_ZOMBIE:
                    commands.append(" ".join(process.cmdline()))
        return [each for each in commands if not any(part in each for part in SHARED)]


_BEFORE: pytest.StashKey[set[threading.Thread]] = pytest.StashKey()


def children() -> list[psutil.Process]:
    """The processes that this one started and that have not been waited for."""
    return psutil.Process().children()


def _await(what: str, left: Any) -> None:
    try:
        eventually(what, lambda: not left())
    except AssertionError:
        pytest.fail(f"{what}: not so: {left()}", pytrace=False)
