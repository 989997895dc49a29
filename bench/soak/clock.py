"""The clock of a whole service, which a soak may set forwards and back: clock.c stands in for libc's."""

import mmap
import shutil
import struct
import subprocess
from pathlib import Path

SOURCE = Path(__file__).with_name("clock.c")
OFFSET = struct.Struct("=q")


class Clock:
    """What the processes of one service take for the time: so many seconds from the machine's own."""

    def __init__(self, folder: Path) -> None:
        self._file, self._library = folder / "clock-offset", folder / "clock.so"
        self._file.write_bytes(OFFSET.pack(0))
        subprocess.run(["cc", "-shared", "-fPIC", "-O2", "-o", self._library, SOURCE], check=True)

    def set(self, seconds: int) -> None:
        """Be so many seconds ahead of the machine, or behind it."""
        with self._file.open("r+b") as file, mmap.mmap(file.fileno(), OFFSET.size) as shared:
            shared[:] = OFFSET.pack(seconds)

    def environ(self) -> dict[str, str]:
        """What a process is started with to go by this clock. What it measures, such as pauses, stays true."""
        return {"LD_PRELOAD": str(self._library), "CLOCK_OFFSET_FILE": str(self._file)}


def missing() -> str:
    """Why no clock can be set here; nothing where one can."""
    return "" if shutil.which("cc") else "there is no C compiler (cc)"
