"""A small disk of a soak's own, in memory, which it may fill up or make read-only as it likes."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MEGABYTES = 192
COMMAND_SECONDS = 30
BLOCK = bytes(4096)
LOOK_SECONDS = 0.1
FILLER = ".filler"
Wait = Callable[[float], object]


class Disk:
    """A file system mounted on a folder."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def fill(self, seconds: float, wait: Wait = time.sleep) -> None:
        """Leave no room for so long, also not where files are removed meanwhile."""
        filler, over = self.place / FILLER, time.monotonic() + seconds
        try:
            with filler.open("wb", buffering=0) as file:
                while time.monotonic() < over:
                    _fill(file.fileno(), self.place)
                    wait(LOOK_SECONDS)
        finally:
            filler.unlink(missing_ok=True)

    def refuse(self, seconds: float, wait: Wait = time.sleep) -> bool:
        """Be read-only for so long. False when files open for writing left no moment for it."""
        over = time.monotonic() + seconds
        while not self._remounted("ro"):
            if time.monotonic() > over:
                return False
            wait(LOOK_SECONDS)
        try:
            wait(seconds)
        finally:
            self.mend()
        return True

    def mend(self) -> None:
        """Be as it was made."""
        assert self._remounted("rw"), self.place

    def _remounted(self, how: str) -> bool:
        return _run("mount", "-o", f"remount,{how}", str(self.place))


@contextmanager
def mounted(place: Path) -> Iterator[Disk]:
    """A disk on this folder, which is made; gone afterwards with all that is on it."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    assert _mount(place), f"nothing can be mounted on {place}"
    try:
        yield Disk(place)
    finally:
        # Lazily: what a killed process still holds open must not keep the folder.
        _run("umount", "-l", str(place))


def missing() -> str:
    """Why nothing can be mounted here; nothing where it can."""
    with tempfile.TemporaryDirectory(prefix="brightlist-disk-") as name:
        if os.geteuid() != 0 or not _mount(Path(name)):
            return "only root may mount file systems, and not in every container"
        _run("umount", "-l", name)
    return ""


def _mount(place: Path) -> bool:
    return _run("mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m,mode=700", "brightlist-soak", str(place))


def _fill(file: int, place: Path) -> None:
    with suppress(OSError):
        free = os.statvfs(place)
        held = os.fstat(file).st_size
        os.posix_fallocate(file, held, free.f_bavail * free.f_frsize)
    with suppress(OSError):
        while os.pwrite(file, BLOCK, os.fstat(file).st_size):
            pass


def _run(*command: str) -> bool:
    try:
        return subprocess.run(command, check=False, capture_output=True, timeout=COMMAND_SECONDS).returncode == 0
    except FileNotFoundError:
        return False
