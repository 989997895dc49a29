"""Files that only their owner may read, written atomically."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def keep(file: Path, content: bytes) -> None:
    """Create the file unless it exists, also when several processes do so at the same time. Raises OSError."""
    # A hard link never replaces a file, so the first process wins; and nobody can read an incomplete file.
    with _write_draft(file, content) as draft, suppress(FileExistsError):
        file.hardlink_to(draft)


def replace(file: Path, content: bytes) -> None:
    """Write the file, or replace it. Raises OSError, and then leaves no temporary file."""
    with _write_draft(file, content) as draft:
        draft.replace(file)


@contextmanager
def _write_draft(file: Path, content: bytes) -> Iterator[Path]:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(".part", ".", file.parent)  # 0600 from the start
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        yield Path(draft)
    finally:
        Path(draft).unlink(missing_ok=True)
