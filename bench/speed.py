"""How long each light step takes at 24 megapixels against decoding and encoding the same file, in the same run.

Usage: python -m bench.speed [PHOTO]
Also three exterior steps together, balanced exposure against enfuse, a room emptied, furnished and renovated at 12
megapixels in seconds, and each step's memory in a fresh process.
"""

import io
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from bench import memory
from bench.quality.places import PHOTOS
from bench.tables import say_where, show
from engine.arrays import Pixels
from engine.canvas import Canvas, Declined
from engine.effects.table import EFFECTS
from engine.io.photo import DecodedPhoto, decode, encode
from engine.pipeline import PictureEngine, apply_effects
from engine.segmentation.scene import make_scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ENHANCEMENTS, ChangeType, Enhancement, PhotoType, RoomType, Style
from tests import scenes

Line = tuple[object, ...]
WIDTH, HEIGHT = 6000, 4000
ROUNDS = 5
THREE = (Enhancement.GRASS, Enhancement.SKY, Enhancement.GOLDEN_HOUR)
MOST_TIMES, MOST_TIMES_OF_THREE = 3.0, 5.0
LEAST_FASTER = 10.0
MOST_BYTES = 24.0
STOPS = (-2, 0, 2)
ROOM, TWELVE_MEGAPIXELS = "int01_living_hardwood.jpg", (4243, 2829)
MOST_SECONDS = 20.0
LIVING = Staging(style=Style.SCANDINAVIAN, room_type=RoomType.LIVING_ROOM)
NEW_FLOOR, NEW_WALLS = (
    RenovationChange(change_type=ChangeType.FLOOR, change_description="light oak herringbone"),
    RenovationChange(change_type=ChangeType.WALLS, change_description="sage green"),
)
GENEROUS = {
    "furniture removal": (EditRequest(enhancements=(Enhancement.FURNITURE_REMOVAL,)), MOST_SECONDS),
    "furniture removal + staging": (
        EditRequest(
            enhancements=(
                Enhancement.FURNITURE_REMOVAL,
                Enhancement.STAGING,
            ),
            staging=LIVING,
        ),
        2 * MOST_SECONDS,
    ),
    "renovation, a floor": (
        EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(NEW_FLOOR,)),
        MOST_SECONDS,
    ),
    "renovation, floor and walls": (
        EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(NEW_FLOOR, NEW_WALLS)),
        MOST_SECONDS,
    ),
}
"""What is timed, each with the most seconds that it may take."""


def drawn(group: PhotoType) -> bytes:
    """A 24-megapixel JPEG of a drawn house or room."""
    draw = scenes.house if group is PhotoType.EXTERIOR else scenes.room
    return scenes.encoded(cv2.resize(draw(1500, 1000), (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC))


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds by the clock and of the processor, all threads together; the fastest of a few rounds of both."""

    clock: float
    processor: float


def fastest(*tasks: Callable[[], object]) -> list[Spent]:
    """What each task takes: they are done in turn, so that what disturbs one round disturbs all."""
    rounds = [[_spent(task) for task in tasks] for _ in range(ROUNDS)]
    return [
        Spent(min(each.clock for each in times), min(each.processor for each in times))
        for times in zip(*rounds, strict=True)
    ]


def _spent(task: Callable[[], object]) -> Spent:
    clock, processor = time.perf_counter(), time.process_time()
    task()
    return Spent(time.perf_counter() - clock, time.process_time() - processor)


def timed(content: bytes, group: PhotoType) -> list[Line]:
    """One line for the floor and one for each step of the group, scene analysis included."""
    photo = decode(io.BytesIO(content))

    def floor() -> None:
        encode(decode(io.BytesIO(content)).pixels, photo)

    megapixels = photo.pixels.shape[0] * photo.pixels.shape[1] / 1e6
    alone = fastest(floor)[0]
    lines: list[Line] = [
        (f"decode + encode, {group}, {megapixels:.1f} MP", f"{alone.clock:.2f}", "1.0", "1.0", "", "")
    ]
    for step in _quick(group):
        try:
            spent = fastest(floor, partial(worked_once, photo, step))
        except Declined as declined:
            lines.append((step, f"declined: {declined.message}", "", "", "", ""))
            continue
        lines.append(_against(step.value, spent, MOST_TIMES))
    if group is PhotoType.EXTERIOR:
        spent = fastest(floor, lambda: apply_effects(photo, EditRequest(enhancements=tuple(THREE))))
        lines.append(_against("grass + sky + golden hour, quality report", spent, MOST_TIMES_OF_THREE))
    spent = fastest(floor, lambda: PictureEngine().estimate_light(io.BytesIO(content)))
    lines.append((*_against("the photo's light for the order", spent, MOST_TIMES)[:4], "", ""))
    return lines


def _quick(group: PhotoType) -> list[Enhancement]:
    """The steps that are to take no longer than a few times the floor."""
    return [each.id for each in ENHANCEMENTS.values() if each.group is group and not EFFECTS[each.id].by_server]


def generous() -> list[Line]:
    """Seconds that steps which make new things take on a room enlarged to 12 megapixels, report included."""
    path = PHOTOS / "interior" / ROOM
    if not path.exists():
        return [("rooms emptied, furnished, renovated", "skipped: the photos are not here", "", "")]
    photo = decode(io.BytesIO(path.read_bytes()))
    larger = cv2.resize(photo.pixels, TWELVE_MEGAPIXELS, interpolation=cv2.INTER_CUBIC)
    photo = replace(photo, pixels=np.asarray(larger, np.uint8))
    lines: list[Line] = []
    for what, (request, most) in GENEROUS.items():
        begun = time.perf_counter()
        done = apply_effects(photo, request, context=EngineContext(order_seed="speed"))
        seconds = time.perf_counter() - begun
        declined = "; ".join(each.message for each in done.report.steps if not each.applied)
        lines.append((what, declined or f"{seconds:.1f}", f"≤ {most:g}", _mark(not declined and seconds <= most)))
    return lines


def worked_once(photo: DecodedPhoto, step: Enhancement) -> Pixels:
    """The pixels of one step on a photo nothing is known of yet."""
    scene = make_scene(photo)
    return EFFECTS[step].apply(Canvas(photo.pixels, scene, EditRequest(enhancements=(step,)))).pixels


def from_file_to_file(content: bytes, step: Enhancement) -> None:
    """One step on a photo, from its file to that of the result."""
    photo = decode(io.BytesIO(content))
    encode(worked_once(photo, step), photo)


def _against(what: str, spent: Sequence[Spent], most: float) -> Line:
    floor, step = spent
    times, processor = step.clock / floor.clock, step.processor / floor.processor
    return what, f"{step.clock:.2f}", f"{times:.1f}", f"{processor:.1f}", f"≤ {most:g}", _mark(times <= most)


def _mark(reached: bool) -> str:
    return "reached" if reached else "missed"


def against_enfuse(content: bytes) -> list[Line]:
    """Balancing the exposure of one picture against enfuse on three exposures of it, files read and written.

    One line for the step alone, one with decoding and encoding as enfuse reads and writes, and one, without an aim,
    with the quality report too, of which enfuse has none.
    """
    what = "hdr against enfuse of three exposures"
    if shutil.which("enfuse") is None:
        return [(what, "skipped (enfuse is not installed)", "", "", "", "")]
    photo = decode(io.BytesIO(content))
    with tempfile.TemporaryDirectory() as folder:
        frames = _exposures(photo, Path(folder))
        command = ["enfuse", "--output", str(Path(folder) / "fused.tif"), *frames]
        alone, with_files, whole, theirs = fastest(
            partial(worked_once, photo, Enhancement.HDR),
            partial(from_file_to_file, content, Enhancement.HDR),
            lambda: PictureEngine().enhance(io.BytesIO(content), EditRequest(enhancements=(Enhancement.HDR,))),
            partial(subprocess.run, command, check=True, capture_output=True),
        )
    lines: list[Line] = []
    for how, ours in (("the step", alone), ("with decode and encode", with_files), ("with report too", whole)):
        faster = theirs.clock / ours.clock
        aim = ("", "") if ours is whole else (f"≥ {LEAST_FASTER:g}", _mark(faster >= LEAST_FASTER))
        times = f"{ours.clock:.2f} / {theirs.clock:.2f}"
        lines.append((f"{what}, {how}", times, f"1 / {faster:.1f}", "", *aim))
    return lines


def _exposures(photo: DecodedPhoto, folder: Path) -> list[str]:
    frames = []
    for stop in STOPS:
        table = np.clip(255 * (np.arange(256) / 255) * 2 ** (stop / 2.2) + 0.5, 0, 255).astype(np.uint8)
        frames.append(folder / f"{stop}.jpg")
        frames[-1].write_bytes(encode(np.asarray(cv2.LUT(photo.pixels, table), dtype=np.uint8), photo).content)
    return [str(path) for path in frames]


def remembered(content: bytes, group: PhotoType) -> list[Line]:
    """Peak memory of a whole photo with each step of the group, and of three, in bytes a pixel."""
    lists: list[Sequence[Enhancement]] = [[step] for step in _quick(group)]
    if group is PhotoType.EXTERIOR:
        lists.append(THREE)
    lines: list[Line] = []
    for steps in lists:
        needed = memory.of_a_fresh_process(content, steps)
        lines.append((" + ".join(steps), f"{needed:.1f}", f"≤ {MOST_BYTES:g}", _mark(needed <= MOST_BYTES)))
    return lines


def main() -> None:
    """Every step of both groups, on the photo given or on drawn ones."""
    say_where()
    given = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else None
    contents = {group: given or drawn(group) for group in PhotoType}
    lines = [line for group, content in contents.items() for line in timed(content, group)]
    lines += against_enfuse(contents[PhotoType.INTERIOR])
    show("Time", ("step, scene analysis included", "seconds", "times floor", "of the processor", "aim", ""), lines)
    show("A room at 12 megapixels", ("steps", "seconds", "aim", ""), generous())
    used = [line for group, content in contents.items() for line in remembered(content, group)]
    show("Memory above rest, decoding and encoding included", ("steps", "bytes a pixel", "aim", ""), used)


if __name__ == "__main__":
    main()
