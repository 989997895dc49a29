"""The web processes as `make run` starts them, without the rest of the service."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import psutil
import pytest
import requests

from app.container import Container
from app.settings import Settings, child_environment
from app.supervision.instance import MARK, end_leftovers, find_processes, mark_of
from app.supervision.programs import list_programs
from tests.apps import over
from tests.conftest import Api, new_api
from tests.ports import kept_port
from tests.serving.lines import Line
from tests.waiting import PATIENCE_SECONDS, eventually

CHECKOUT = Path(__file__).parents[2]


class Web:
    """The running processes."""

    def __init__(self, settings: Settings, log: Path) -> None:
        self.settings, self.log = settings, log
        command = next(each.command for each in list_programs(settings) if each.name == "web")
        environ = {**child_environment(settings, "s" * 32), MARK: mark_of(settings.data_dir)}
        with log.open("wb") as output:
            self.master = subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=output, stderr=output)

    def line(self, **options: int) -> Line:
        """A connection."""
        return Line(self.settings.port, **options)

    def answers(self) -> bool:
        """Whether somebody is there."""
        assert self.master.poll() is None, self.log.read_text()
        with suppress(requests.RequestException):
            return requests.get(f"http://127.0.0.1:{self.settings.port}/healthz", timeout=PATIENCE_SECONDS).ok
        return False

    def workers(self) -> list[psutil.Process]:
        """Those that answer."""
        return [each for each in find_processes(self.settings.data_dir) if each.pid != self.master.pid]

    def stop(self) -> int:
        """Ask it to end; its exit status."""
        self.master.send_signal(signal.SIGTERM)
        return self.master.wait(PATIENCE_SECONDS)


@contextmanager
def serving(settings: Settings, log: Path) -> Iterator[Web]:
    """The web processes, ready."""
    web = Web(settings, log)
    try:
        eventually("the web processes answer", web.answers)
        yield web
    finally:
        web.master.kill()
        web.master.wait()
        end_leftovers(settings.data_dir)


@pytest.fixture
def web(settings: Settings, tmp_path: Path) -> Iterator[Web]:
    """The web processes over the test's database."""
    with kept_port() as port:
        given = {**dict(settings), "port": port, "host": "127.0.0.1"}
        with serving(Settings(**given), tmp_path / "log") as web:
            yield web


@pytest.fixture
def customer(container: Container) -> Api:
    """A key, and a client that needs no running service, on the same database."""
    # The processes know the time.
    container.clock = lambda: datetime.now(UTC)
    return new_api(over(container), container, "jo@example.com")
