"""Work killed at each of its steps in turn: before and after every commit, before every act on store or outside."""

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import event
from sqlalchemy.orm import Session

from app.container import Container
from tests.faulty_storage import FaultyStorage
from tests.waiting import eventually

MOST_STEPS = 60
"""More than any work has: a count that does not end is a fault of the test."""


@dataclass
class Steps:
    """Counts the steps of one forked process, and kills it at the one that is its turn."""

    turn: int
    log: Path
    count: int = 0

    def reach(self, name: str) -> None:
        """Come to a step; what is named was not done yet."""
        self.count += 1
        if self.count == self.turn:
            self.note(f"killed at {name}")
            os.kill(os.getpid(), signal.SIGKILL)

    def note(self, line: str) -> None:
        """Tell the test, which sees nothing else of the process."""
        with self.log.open("a") as log:
            log.write(f"{line}\n")


def killed(container: Container, steps: Steps, work: Callable[[Container, Steps], None]) -> bool:
    """Do the work in a forked process that dies at its step; False when there were fewer steps, and it is done."""
    child = os.fork()
    if child == 0:
        try:
            _watch(container, steps)
            work(container, steps)
        except BaseException as error:
            steps.note(repr(error))
            os._exit(1)
        os._exit(0)
    try:
        _, status = eventually("the forked process ends", lambda: _ended(child))
    except AssertionError:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, steps.log.read_text()
    return os.WIFSIGNALED(status)


def _ended(child: int) -> tuple[int, int] | None:
    pid, status = os.waitpid(child, os.WNOHANG)
    return (pid, status) if pid else None


def _watch(container: Container, steps: Steps) -> None:
    container.database.forget_connections()
    container.storage = FaultyStorage(container.storage, before=steps.reach)
    event.listen(container.database.engine, "commit", lambda _: steps.reach("commit"))
    event.listen(Session, "after_commit", lambda _: steps.reach("after the commit"))
