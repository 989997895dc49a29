"""File names: made safe for every file system, unique, or plain; and the header that names a download."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from urllib.parse import quote

from pathvalidate import sanitize_filename
from pathvalidate.handler import ReservedNameHandler

MAX_BYTES = 150
"""The longest name in archives in bytes of UTF-8, far below the 255 that file systems allow."""
MAX_IMAGE_BYTES = 200
"""The longest name of an image that is downloaded by itself."""


def make_unique(names: Iterable[str]) -> list[str]:
    """The names in order, made safe and unique: a second `front.jpg`, or `Front.JPG`, becomes `front (2).jpg`."""
    return _number(map(sanitize, names), lambda stem, ending: stem + ending)


def make_stems_unique(names: Iterable[str]) -> list[str]:
    """The names in order, made unique even without their extensions: `IMG_1.jpg` after `IMG_1.JPEG` becomes `IMG_1
    (2).jpg`.
    """
    return _number(names, lambda stem, _: stem)


def _number(names: Iterable[str], key: Callable[[str, str], str]) -> list[str]:
    """The names, each with a number in parentheses if its key, made from stem and extension, is taken already."""
    taken: set[str] = set()
    chosen = []
    for name in names:
        stem, extension = _parts(name)
        numbered, count = stem, 1
        while _folded(key(numbered, extension)) in taken:
            count += 1
            numbered = f"{stem} ({count})"
        taken.add(_folded(key(numbered, extension)))
        chosen.append(numbered + extension)
    return chosen


def sanitize(name: str) -> str:
    """The name made safe for every file system, and for readers.

    Control characters and direction marks are removed, path separators become `_`, device names of Windows get a
    leading `_`, and a name that is too long is cut before its extension. Never empty.
    """
    visible = "".join(each for each in unicodedata.normalize("NFC", name) if unicodedata.category(each)[0] != "C")
    stem, extension = _parts(visible.rstrip(" ."))
    stem = _cut_stem(stem, extension, MAX_BYTES).strip(" .")
    whole = (stem if stem.strip() else "file") + extension
    handler = ReservedNameHandler.add_leading_underscore
    return sanitize_filename(whole, "_", fs_encoding="utf-8", reserved_name_handler=handler)


def slug(text: str) -> str:
    """The text folded to lower-case words joined by hyphens, in any script.

    `12 Garden Lane, Springfield, IL 62704` becomes `12-garden-lane-springfield-il-62704`: compatibility characters
    and capitals are folded (NFKC, casefold), and every run of characters other than letters, digits and their
    accents becomes one hyphen, none at the ends. Empty when the text has no letter and no digit.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    words = "".join(each if unicodedata.category(each)[0] in "LNM" else " " for each in folded)
    return "-".join(words.split())


def plain_stem(name: str, max_length: int) -> str:
    """The name without folders and extension, as at most `max_length` ASCII letters, digits and hyphens; it may be
    empty.
    """
    own = re.split(r"[/\\]", name)[-1]
    stem = own.rpartition(".")[0] or own
    return slug(unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode())[:max_length].strip("-")


def cut(name: str, most_bytes: int) -> str:
    """The name with at most `most_bytes` of UTF-8: a longer name loses whole characters before its extension."""
    stem, extension = _parts(name)
    return (_cut_stem(stem, extension, most_bytes) + extension).rstrip(" .")


def attachment(file_name: str) -> str:
    """The Content-Disposition of a download with this name."""
    # Headers are ASCII: a name with other characters is sent twice, made plain and encoded by RFC 5987.
    plain = re.sub(r'[^\x20-\x7e]|[%"\\]', "_", file_name)
    header = f'attachment; filename="{plain}"'
    return header if plain == file_name else f"{header}; filename*=UTF-8''{quote(file_name, safe='')}"


def stem_of(name: str) -> str:
    """The name without its extension, by which make_stems_unique() tells names apart."""
    return _parts(name)[0]


def _cut_stem(stem: str, extension: str, most_bytes: int) -> str:
    return stem.encode()[: most_bytes - len(extension.encode())].decode(errors="ignore")


def _parts(name: str) -> tuple[str, str]:
    """The stem, and the extension with its dot. An extension of more than 5 characters counts as part of the
    stem."""
    stem, dot, extension = name.rpartition(".")
    return (stem, dot + extension) if dot and len(extension) <= 5 else (name, "")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
