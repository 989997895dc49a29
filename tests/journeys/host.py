"""One host of the service: a DATA_DIR of its own, and what `flask up` keeps running over it."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.supervision.instance import end_leftovers, find_processes
from tests.budgets import Dear, spend
from tests.networks import Namespace
from tests.waiting import PATIENCE_SECONDS

WORK = r"(processes|wait_for_web \S+ \d+) work"
"""What stands in the command line of every program that works a queue; at its end, of those that work on photos."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a host of a service is: its name, its own settings, and its network where it is not this machine's."""

    name: str
    settings: dict[str, str]
    namespace: Namespace | None = None


class Host:
    """The process tree of one DATA_DIR, below a folder of the service's, run from the code of `code`."""

    def __init__(self, folder: Path, place: Place, settings: dict[str, str], code: Path) -> None:
        self.data_dir = folder / place.name / "var"
        self.log = folder / place.name / "log"
        self.environ = {**os.environ, "DATA_DIR": str(self.data_dir), **settings, **place.settings}
        self.namespace = place.namespace
        self.up: subprocess.Popen[bytes] | None = None
        self._code = code

    def start(self) -> None:
        """Start it; it is not ready yet."""
        spend(Dear.SERVICES)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        enter = self.namespace.enter if self.namespace else ()
        command = [*enter, sys.executable, "-m", "flask", "--app", "wsgi", "up"]
        with self.log.open("ab") as log:
            self.up = subprocess.Popen(command, cwd=self._code, env=self.environ, stdout=log, stderr=log)

    def runs(self) -> bool:
        """Whether its command runs."""
        return self.up is not None and self.up.poll() is None

    def has_begun(self) -> bool:
        """Whether programs of this start run: what a killed one left runs, too, until this one has ended it."""
        assert self.up is not None
        assert self.up.poll() is None, self.log.read_text()
        return bool(psutil.Process(self.up.pid).children())

    def crash(self) -> None:
        """Kill its command and its supervisor; what they started lives on."""
        if self.up is not None:
            self.up.kill()
            self.up.wait()
        for process in self.processes("supervisord"):
            process.kill()

    def stop(self) -> None:
        """Ask it to end."""
        assert self.up is not None
        self.up.send_signal(signal.SIGTERM)

    def status(self) -> int:
        """The exit status, once it has ended."""
        assert self.up is not None
        return self.up.wait(PATIENCE_SECONDS)

    def kill_everything(self) -> None:
        """End all of it."""
        if self.up is not None:
            self.up.kill()
            self.up.wait()
        end_leftovers(self.data_dir)

    def at_photos(self) -> list[psutil.Process]:
        """The processes that its workers forked for one photo each."""
        parents = {}
        for process in self.processes(f"{WORK} photos$"):
            with suppress(psutil.Error):
                parents[process] = process.ppid()
        workers = {process.pid for process in parents}
        return [process for process, parent in parents.items() if parent in workers]

    def processes(self, pattern: str) -> list[psutil.Process]:
        """Its living processes whose command line matches."""
        found = []
        for process in find_processes(self.data_dir):
            with suppress(psutil.Error):
                if re.search(pattern, " ".join(process.cmdline())):
                    found.append(process)
        return found
