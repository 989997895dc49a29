"""Names of files: safe wherever they are unpacked, no two alike, in plain words, and how downloads bear them."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from urllib.parse import quote

from pathvalidate import sanitize_filename
from pathvalidate.handler import ReservedNameHandler

MAX_BYTES = 150
"""Of a name in UTF-8, far below the 255 that file systems take."""


def make_unique(names: Iterable[str]) -> list[str]:
    """The names in order, made safe, the second `front.jpg` (or `Front.JPG`) called `front (2).jpg`."""
    return _number(map(sanitize, names), lambda stem, ending: stem + ending)


def make_stems_unique(names: Iterable[str]) -> list[str]:
    """The names in order, no two alike but for their ending: `IMG_1.jpg` after `IMG_1.JPEG` is `IMG_1 (2).jpg`."""
    return _number(names, lambda stem, _: stem)


def _number(names: Iterable[str], mark: Callable[[str, str], str]) -> list[str]:
    """The names, those with a number whose mark, made of stem and ending, stood there before."""
    taken: set[str] = set()
    chosen = []
    for name in names:
        stem, ending = _parts(name)
        numbered, count = stem, 1
        while _folded(mark(numbered, ending)) in taken:
            count += 1
            numbered = f"{stem} ({count})"
        taken.add(_folded(mark(numbered, ending)))
        chosen.append(numbered + ending)
    return chosen


def sanitize(name: str) -> str:
    """The name without what some file system, or the reader's eye, could take for something else.

    Control and direction marks go, separators become `_`, device names of Windows get a `_` before them, and what
    is too long is cut before its ending. Never empty.
    """
    seen = "".join(each for each in unicodedata.normalize("NFC", name) if unicodedata.category(each)[0] != "C")
    stem, ending = _parts(seen.rstrip(" ."))
    stem = _cut_stem(stem, ending, MAX_BYTES).strip(" .")
    whole = (stem if stem.strip() else "file") + ending
    before = ReservedNameHandler.add_leading_underscore
    return sanitize_filename(whole, "_", fs_encoding="utf-8", reserved_name_handler=before)


def slug(text: str) -> str:
    """The text folded to lower-case words joined by hyphens, in any script.

    `12 Garden Lane, Springfield, IL 62704` is `12-garden-lane-springfield-il-62704`: compatibility forms and
    capitals are folded (NFKC, casefold), and every run of anything but letters, digits and their accents is one
    hyphen, with none at the ends. Empty when the text has no letter and no digit.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = "".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in folded)
    return "-".join(words.split())


def plain_stem(name: str, most: int) -> str:
    """The name without folders and ending, as at most so many plain letters, digits and hyphens; empty for none."""
    own = re.split(r"[/\\]", name)[-1]
    stem = own.rpartition(".")[0] or own
    return slug(unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode())[:most].strip("-")


def cut(name: str, most_bytes: int) -> str:
    """The name with so many bytes of UTF-8 at most: what is too long loses whole characters before its ending."""
    stem, ending = _parts(name)
    return (_cut_stem(stem, ending, most_bytes) + ending).rstrip(" .")


def attachment(file_name: str) -> str:
    """The Content-Disposition of a download with this name."""
    # Headers are ASCII; the exact name stands beside the plain one where that cannot say it.
    plain = re.sub(r'[^\x20-\x7e]|[%"\\]', "_", file_name)
    header = f'attachment; filename="{plain}"'
    return header if plain == file_name else f"{header}; filename*=UTF-8''{quote(file_name, safe='')}"


def _cut_stem(stem: str, ending: str, most_bytes: int) -> str:
    return stem.encode()[: most_bytes - len(ending.encode())].decode(errors="ignore")


def _parts(name: str) -> tuple[str, str]:
    """What is before the ending, and the ending with its dot, if it is one."""
    stem, dot, ending = name.rpartition(".")
    return (stem, dot + ending) if dot and len(ending) <= 5 else (name, "")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
