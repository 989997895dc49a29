"""Where the pictures lie, and JPEG files of a limited weight."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "static" / "img" / "landing"
BEST, WORST = 88, 40


def write_within(path: Path, pixels: NDArray[np.uint8], most_bytes: int) -> None:
    """Write the picture as a progressive JPEG of the best quality that stays within so many bytes."""
    picture = Image.fromarray(pixels)
    for quality in range(BEST, WORST, -2):
        buffer = io.BytesIO()
        picture.save(buffer, "JPEG", quality=quality, subsampling=2, optimize=True, progressive=True)
        if buffer.tell() <= most_bytes:
            break
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())
    print(f"{path.name}: quality {quality}, {buffer.tell()} bytes")
