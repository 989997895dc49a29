"""A real server process whose requests stop where a test wants them to: `python -m tests.faults.held_server …`.

The outer ports alone are told to wait: storage before the order's transaction, the queue after its commit.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from werkzeug.serving import make_server

from app.application import create_app
from app.container import Container
from app.domain.ports import FileStat, QueueName
from app.settings import load_settings
from tests.waiting import eventually

HELD = ".held"
Wait = Callable[[], None]


class HeldStorage:
    """The storage, which answers `stat` when the test lets it."""

    def __init__(self, real: Any, wait: Wait) -> None:
        self._real, self._wait = real, wait

    def stat(self, key: str) -> FileStat | None:
        self._wait()
        found: FileStat | None = self._real.stat(key)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


class HeldQueue:
    """A queue that nobody hears, and that takes a wake-up when the test lets it."""

    def __init__(self, wait: Wait) -> None:
        self._wait = wait

    def notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        self._wait()


def waiting_while(holding: Path) -> Wait:
    """Waits as long as the file `holding` is there; says so by another beside it."""

    def wait() -> None:
        if holding.exists():
            holding.with_suffix(HELD).touch()
            eventually("the test lets the request go on", lambda: not holding.exists())

    return wait


def going_on() -> None:
    """Waits for nothing."""


def main(port: int, where: str, holding: str) -> None:
    """Serve until killed."""
    container = Container(load_settings())
    wait = waiting_while(Path(holding))
    container.storage = HeldStorage(container.storage, wait if where == "storage" else going_on)
    container.queue = HeldQueue(wait if where == "queue" else going_on)
    make_server("127.0.0.1", port, create_app(container=container), threaded=True).serve_forever()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
