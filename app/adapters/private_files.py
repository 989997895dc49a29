"""Files that only their owner may read, written atomically."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def keep(file: Path, content: bytes) -> None:
    """Make the file unless it exists; of several processes at once the first one makes it. Raises OSError."""
    # A hard link never replaces a file: the first process wins, and nobody ever reads half a key.
    with _drafted(file, content) as draft, suppress(FileExistsError):
        file.hardlink_to(draft)


def replace(file: Path, content: bytes) -> None:
    """Write the file, or replace it. Raises OSError, and then leaves no temporary file."""
    with _drafted(file, content) as draft:
        draft.replace(file)


@contextmanager
def _drafted(file: Path, content: bytes) -> Iterator[Path]:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, aside = tempfile.mkstemp(".part", ".", file.parent)  # 0600 from the start
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        yield Path(aside)
    finally:
        Path(aside).unlink(missing_ok=True)
