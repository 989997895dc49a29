"""The server of tests/diffusion_server as a process of its own, and the environment that it needs."""

import fcntl
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import psutil

from tests.ports import KeptPort
from tests.waiting import PATIENCE_SECONDS, eventually

ROOT = Path(__file__).parents[1]
ENVIRONMENT = ROOT / "build" / "diffusion"
STAMP = "build/diffusion.stamp"
INSTALL_SECONDS = 480
START_SECONDS = 300
"""To import and compile takes ten seconds of both cores, if nobody else wants them."""


class DiffusionProcess:
    """A picture server with a tiny model, at one address for all of its starts."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder, self._key = folder, key
        self._port = KeptPort()
        self.url = f"http://127.0.0.1:{self._port.number}/v1"
        self._starts = 0
        self._running: subprocess.Popen[bytes] | None = None

    def start(self, *options: str) -> None:
        """Start anew, and wait until it answers."""
        self.kill()
        self._starts += 1
        words = ["--port", str(self._port.number), "--key", self._key, "--cache", str(self._folder / "compiled")]
        command = [str(ENVIRONMENT / "bin" / "python"), "-m", "tests.diffusion_server", *words, *options]
        # Compiled each time anew, what it imports would take longer than all the rest.
        environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        with self._log.open("wb") as out, self._log.with_suffix(".errors").open("wb") as errors:
            self._running = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=out, stderr=errors)
        eventually("the diffusion model is loaded and compiled", self._ready, START_SECONDS)

    def be_up(self) -> None:
        """Start unless it runs."""
        if self._running is None or self._running.poll() is not None:
            self.start()

    def halted(self) -> bool:
        """Whether it stands still, as `--stop-at-step` has it."""
        assert self._running is not None
        return psutil.Process(self._running.pid).status() == psutil.STATUS_STOPPED

    def kill(self) -> None:
        """End it at once, whatever it is doing."""
        if self._running is not None:
            self._running.kill()
            self._running.wait(PATIENCE_SECONDS)

    def close(self) -> None:
        """End it for good."""
        self.kill()
        self._port.let_go()

    def events(self, name: str) -> list[dict[str, Any]]:
        """What it told of by this name since its last start."""
        whole = self._log.read_text().rpartition("\n")[0]
        told = [json.loads(line) for line in whole.splitlines()]
        return [each for each in told if each["event"] == name]

    @property
    def _log(self) -> Path:
        return self._folder / f"{self._starts}.events"

    def _ready(self) -> bool:
        assert self._running is not None
        assert self._running.poll() is None, self._log.with_suffix(".errors").read_text()
        return bool(self.events("ready"))


def install() -> None:
    """Make the environment unless it is there, once for all processes of a run."""
    (ROOT / "build").mkdir(exist_ok=True)
    # What a make above told its own processes is nothing to this one.
    environ = {
        name: value for name, value in os.environ.items() if name not in {"MAKEFLAGS", "MFLAGS", "MAKELEVEL"}
    }
    with (ROOT / "build" / "diffusion.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = ["make", "--no-print-directory", STAMP]
        kept: dict[str, Any] = {"cwd": ROOT, "env": environ, "timeout": INSTALL_SECONDS}
        made = subprocess.run(command, capture_output=True, text=True, check=False, **kept)
    assert made.returncode == 0, (
        f"The packages of deploy/requirements/diffusion.txt could not be installed (no network?):\n{made.stderr}"
    )
