"""A small disk of a soak's own, which it may fill up, make read-only or hold up as it likes."""

import os
import shutil
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
STALL_SECONDS = 1.5
"""So long each write waits at the most while the disk is slow."""
REST_SECONDS = 0.2
FILLER = ".filler"
MOUNTED = "loop,noatime"
# In a process of its own: the disk goes on whatever becomes of the soak.
STALL = 'fsfreeze -f "$0" && sleep "$1"; fsfreeze -u "$0"'
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

    def slow_down(self, seconds: float, wait: Wait = time.sleep) -> None:
        """Let whoever writes wait for STALL_SECONDS, again and again, for so long."""
        over = time.monotonic() + seconds
        while time.monotonic() < over:
            assert _run("sh", "-c", STALL, str(self.place), str(STALL_SECONDS)), self.place
            wait(REST_SECONDS)

    def mend(self) -> None:
        """Be as it was made."""
        assert self._remounted("rw"), self.place

    def _remounted(self, how: str) -> bool:
        return _run("mount", "-o", f"remount,{how}", str(self.place))


@contextmanager
def mounted(place: Path, slows: bool = False) -> Iterator[Disk]:
    """A disk on this folder, which is made; gone afterwards with all that is on it.

    One that `slows` is a file's, and needs a machine where those can be mounted; others are kept in memory.
    """
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="brightlist-disk-") as name:
        assert _mount(place, Path(name) / "image" if slows else None), f"nothing can be mounted on {place}"
        try:
            yield Disk(place)
        finally:
            # Lazily: what a killed process still holds open must not keep the folder.
            _run("umount", "-l", str(place))


def missing(slows: bool = False) -> str:
    """Why no such disk can be mounted here; nothing where one can."""
    with tempfile.TemporaryDirectory(prefix="brightlist-disk-") as name:
        place = Path(name) / "place"
        place.mkdir()
        if os.geteuid() != 0 or not _mount(place, Path(name) / "image" if slows else None):
            return "only root may mount file systems, and not in every container"
        _run("umount", "-l", str(place))
    return ""


def _mount(place: Path, image: Path | None) -> bool:
    if image is None:
        how = f"size={MEGABYTES}m,mode=700"
        return _run("mount", "-t", "tmpfs", "-o", how, "brightlist-soak", str(place))
    with image.open("wb") as file:
        file.truncate(MEGABYTES * 2**20)
    # No room kept for root, no times of reading: what only reads must not wait for a disk that takes no writes.
    if not (
        _run("mkfs.ext4", "-q", "-m", "0", str(image)) and _run("mount", "-o", MOUNTED, str(image), str(place))
    ):
        return False
    shutil.rmtree(place / "lost+found")
    place.chmod(0o700)
    return True


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
