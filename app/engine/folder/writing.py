"""Files that are whole or not there."""

import os
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write the file in one go over whatever had its name; interrupted at any point it is as it was before.

    A link of that name is replaced, never written through. Raises OSError.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
