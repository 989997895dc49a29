"""Names for files that leave us: safe wherever they are unpacked, no two alike, and how downloads bear them."""

import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import quote

MAX_BYTES = 150
"""Of a name in UTF-8, far below the 255 that file systems take."""
_RESERVED = "".join(chr(code) for code in range(32)) + '<>:"/\\|?*\x7f'
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{digit}" for name in ("com", "lpt") for digit in "123456789")}
)


def make_unique(names: Iterable[str]) -> list[str]:
    """The names in order, made safe, the second `front.jpg` (or `Front.JPG`) called `front (2).jpg`."""
    taken: set[str] = set()
    chosen = []
    for name in names:
        stem, ending = _parts(sanitize(name))
        candidate, count = stem + ending, 1
        while _folded(candidate) in taken:
            count += 1
            candidate = f"{stem} ({count}){ending}"
        taken.add(_folded(candidate))
        chosen.append(candidate)
    return chosen


def sanitize(name: str) -> str:
    """The name without what some file system, or the reader's eye, could take for something else.

    Control and direction marks go, separators become `_`, device names of Windows get a `_` before them, and what
    is too long is cut before its ending. Never empty.
    """
    kept = "".join(each for each in unicodedata.normalize("NFC", name) if unicodedata.category(each)[0] != "C")
    stem, ending = _parts("".join("_" if each in _RESERVED else each for each in kept).rstrip(" ."))
    room = MAX_BYTES - len(ending.encode())
    stem = stem.encode()[:room].decode(errors="ignore").strip(" .") or "file"
    return f"_{stem}{ending}" if stem.partition(".")[0].casefold() in _DEVICES else stem + ending


def attachment(file_name: str) -> str:
    """The Content-Disposition of a download with this name."""
    # Headers are ASCII; the exact name stands beside the plain one where that cannot say it.
    plain = re.sub(r'[^\x20-\x7e]|[%"\\]', "_", file_name)
    header = f'attachment; filename="{plain}"'
    return header if plain == file_name else f"{header}; filename*=UTF-8''{quote(file_name, safe='')}"


def _parts(name: str) -> tuple[str, str]:
    """What is before the ending, and the ending with its dot, if it is one."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if dot and len(ending) <= 5 else (name, "")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
