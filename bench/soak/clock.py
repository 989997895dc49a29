"""The clock of a whole service, which a soak may set forwards and back: libfaketime stands in for the machine's."""

from pathlib import Path

LIBRARIES = tuple(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))


class Clock:
    """What the processes of one service take for the time: so many seconds from the machine's own."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "clock"
        self.set(0)

    def set(self, seconds: int) -> None:
        """Be so many seconds ahead of the machine, or behind it."""
        fresh = self._file.with_suffix(".new")
        fresh.write_text(f"{seconds:+d}\n")
        fresh.replace(self._file)

    def environ(self) -> dict[str, str]:
        """What a process is started with to go by this clock. What it measures, such as pauses, stays true."""
        return {
            "LD_PRELOAD": str(LIBRARIES[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_CACHE_DURATION": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_NO_SHARED_MEMORY": "1",
        }


def missing() -> str:
    """Why no clock can be set here; nothing where one can."""
    return "" if LIBRARIES else "libfaketime is not installed (Debian: apt install libfaketime)"
