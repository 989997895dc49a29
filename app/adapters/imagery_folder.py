"""Public imagery from a folder of the operator's own pictures, each named by the address of its property."""

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
    """Implements app.domain.ports.Imagery with a folder.

    A file belongs to an address when its name without the extension and the address have the same slug (see
    domain.file_names): `12 Garden Lane, Springfield, IL 62704.jpg` and `12-garden-lane-springfield-il-62704.jpg`
    are the same property. Of several files, the first usable one in the order of names is taken. Subfolders are not
    searched.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, address: str) -> bytes | None:
        """The picture of the address, or None. Raises ImageryUnavailableError when the folder cannot be read."""
        address_slug = slug(address)
        if not address_slug:
            return None
        try:
            # The address is only compared with existing names; it never becomes a path.
            existing = (path.name for path in self._folder.iterdir())
            names = sorted(name for name in existing if _slug_of_address(name) == address_slug)
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
        with open(path, "rb", opener=_open_regular) as file:
            content = file.read(MAX_BYTES + 1)
        if sniff(content[:HEADER_BYTES]) is None or len(content) > MAX_BYTES:
            log.warning("imagery folder: %r is no picture of at most %d bytes", name, MAX_BYTES)
            return None
        return content


def _open_regular(path: str, flags: int) -> int:
    # Since the check the file may have been replaced by a link or a pipe: do not follow a link or wait for a pipe.
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _slug_of_address(name: str) -> str | None:
    stem, _, ending = name.rpartition(".")
    return slug(stem) if ending.lower() in ENDINGS else None
