"""Files that nobody else may read, whole at any moment."""

import json
import os
from pathlib import Path
from typing import Any


def write_private(path: Path, content: Any) -> None:
    """Write JSON so that the file is whole at any moment, and nobody else may read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f"{path.name}.new")
    beside.unlink(missing_ok=True)
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(content, file, indent=1)
    beside.replace(path)
