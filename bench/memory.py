"""The peak memory of one photo's way through the engine, in a fresh process. Linux only.

Usage: python -m bench.memory PHOTO… STEP,STEP (several photos are the frames of one; "" as steps: merged alone)
Rooms are furnished as living rooms, and renovated with another floor.
"""

import io
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

from engine.batch.photo import PhotoTask, process_photo
from engine.effects.table import EFFECTS
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType
from tests import scenes
from tests.engine.box_rooms import BoxRoom

FLOOR = RenovationChange(change_type=ChangeType.FLOOR, change_description="light oak herringbone")
STATUS = Path("/proc/self/status")


def of_a_fresh_process(content: bytes, steps: Sequence[Enhancement]) -> float:
    """Bytes a pixel that the engine needs above a process that has worked a small photo: file, copies, result."""
    with tempfile.NamedTemporaryFile(suffix=".photo") as file:
        file.write(content)
        file.flush()
        return of_frames([Path(file.name)], steps)


def of_frames(paths: Sequence[Path], steps: Sequence[Enhancement]) -> float:
    """The same for a photo in a file, or for several frames of one."""
    command = [sys.executable, "-m", "bench.memory", *map(str, paths), ",".join(steps)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def _kilobytes(name: str) -> int:
    found = re.search(rf"{name}:\s+(\d+) kB", STATUS.read_text())
    if found is None:
        raise SystemExit(f"{STATUS} has no {name}")
    return int(found[1])


def main() -> None:
    """Print the bytes a pixel for the photo or the frames and the steps named."""
    *paths, named = sys.argv[1:]
    steps = [Enhancement(name) for name in named.split(",") if name]
    changes = (FLOOR,) if Enhancement.RENOVATION in steps else ()
    request = EditRequest(
        enhancements=tuple(steps), staging=Staging(room_type=RoomType.LIVING_ROOM), changes=changes
    )
    # What is loaded once and kept, libraries and weights, is no memory of the photo's.
    inside = any(EFFECTS[each].room_rules for each in steps)
    rooms = [BoxRoom().drawn(furnished=each)[0] for each in (True, False)] if inside else []
    for drawn in (scenes.house(), scenes.room(), *rooms):
        PictureEngine().enhance(
            io.BytesIO(scenes.encoded(drawn)), request, context=EngineContext(order_seed="seed")
        )
    with Image.open(paths[0]) as image:
        pixels = image.width * image.height
    rest = _kilobytes("VmRSS")
    if len(paths) == 1:
        with Path(paths[0]).open("rb") as photo:
            PictureEngine().enhance(photo, request, context=EngineContext(order_seed="seed"))
    else:
        done = process_photo(
            PhotoTask([Path(path) for path in paths], request, context=EngineContext(order_seed="seed"))
        )
        if done.picture is None:
            raise SystemExit(done.report.message)
    print((_kilobytes("VmHWM") - rest) * 1024 / pixels)


if __name__ == "__main__":
    main()
