"""The peak memory of one photo's way through the engine, in a fresh process. Linux only.

Usage: python -m bench.memory PHOTO STEP,STEP
"""

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from app.domain.catalogue import Enhancement
from app.domain.ports import Wish
from app.engine.pipeline import PictureEngine
from tests import scenes

STATUS = Path("/proc/self/status")


def of_a_fresh_process(content: bytes, steps: Sequence[Enhancement]) -> float:
    """Bytes a pixel that the engine needs above a process that has worked a small photo: file, copies, result."""
    with tempfile.NamedTemporaryFile(suffix=".photo") as file:
        file.write(content)
        file.flush()
        command = [sys.executable, "-m", "bench.memory", file.name, ",".join(steps)]
        return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _kilobytes(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", STATUS.read_text())
    if found is None:
        raise SystemExit(f"{STATUS} has no {name}")
    return int(found[1])


def main() -> None:
    """Print the bytes a pixel for the photo and the steps named."""
    wish = Wish(steps=[Enhancement(name) for name in sys.argv[2].split(",")])
    # What is loaded once and kept, libraries and weights, is no memory of the photo's.
    for drawn in (scenes.house(), scenes.room()):
        PictureEngine().enhance(io.BytesIO(scenes.encoded(drawn)), wish)
    with Image.open(sys.argv[1]) as image:
        pixels = image.width * image.height
    rest = _kilobytes("VmRSS")
    with Path(sys.argv[1]).open("rb") as photo:
        PictureEngine().enhance(photo, wish)
    print((_kilobytes("VmHWM") - rest) * 1024 / pixels)


if __name__ == "__main__":
    main()
