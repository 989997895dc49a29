"""Public imagery from a folder of the operator's own pictures, each named by its address."""

import logging
import os
from pathlib import Path

from app.domain.file_names import slug
from app.domain.ports import ImageryUnavailableError
from engine.types.media import HEADER_BYTES, sniff

log = logging.getLogger(__name__)

ENDINGS = frozenset({"jpg", "jpeg", "png", "webp", "heic", "heif", "tif", "tiff"})
MAX_BYTES = 50 * 1024**2


class ImageryFolder:
    """The imagery port over a folder.

    A picture is found when its name without the ending and the address asked for come to the same slug (see
    domain.file_names): `12 Garden Lane, Springfield, IL 62704.jpg` and `12-garden-lane-springfield-il-62704.jpg`
    are both that house. Of several the first by name is given. Subfolders are not looked into.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, address: str) -> bytes | None:
        """The picture of the address, or None. Raises ImageryUnavailableError when the folder cannot be read."""
        wanted = slug(address)
        if not wanted:
            return None
        try:
            # The address is compared with names that are there and never becomes a path itself.
            there = (path.name for path in self._folder.iterdir())
            names = sorted(name for name in there if _shown_address(name) == wanted)
            found = (self._read(name) for name in names)
            return next((content for content in found if content is not None), None)
        except OSError as error:
            raise ImageryUnavailableError(f"the imagery folder cannot be read: {error}") from error

    def _read(self, name: str) -> bytes | None:
        root = Path(os.path.realpath(self._folder, strict=True))
        path = Path(os.path.realpath(root / name))
        if not path.is_relative_to(root) or not path.is_file():
            log.warning("imagery folder: %r is no file of the folder", name)
            return None
        with open(path, "rb", opener=_not_following) as file:
            content = file.read(MAX_BYTES + 1)
        if sniff(content[:HEADER_BYTES]) is None or len(content) > MAX_BYTES:
            log.warning("imagery folder: %r is no picture of at most %d bytes", name, MAX_BYTES)
            return None
        return content


def _not_following(path: str, flags: int) -> int:
    # Nor waiting: what was a file a moment ago may be a link or a pipe now.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _shown_address(name: str) -> str | None:
    stem, _, ending = name.rpartition(".")
    return slug(stem) if ending.lower() in ENDINGS else None
