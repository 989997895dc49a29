"""Real results to be judged: for each order a picture of before and after, and what the engine said of it.

They come by the functions of the command for folders: one photo is one order there, so that
`python -m engine PHOTO --steps STEP --out DIR` gives the same result byte by byte. What is seen in a photo is
found once for all that is ordered of it.
"""

import hashlib
import io
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from itertools import groupby
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from pydantic import TypeAdapter

from bench.sheets.edit_requests import request_for
from engine.arrays import Pixels
from engine.batch.files import write_whole
from engine.batch.photo import estimate_photo_light
from engine.batch.processes import Workers
from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto, decode, encode
from engine.pipeline import apply_effects
from engine.segmentation.scene import Scene, make_scene
from engine.types.appearance import find_shared_appearance
from engine.types.context import EngineContext
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType
from engine.types.pictures import Picture, UnusablePhotoError
from engine.types.report import QualityReport, Reason
from training.verdicts import DIGITS, FRAMES, ROOM, STYLE, Order, as_options, csv_lines, read, shortened, steps_of

LONG, LARGER = 1000, 2.0
"""Each photo of a pair has so long a side, a small one at most twice as long a side as it has."""
GAP, LABEL, TEXT = 8, 22, 15
PAPER, INK = (32, 32, 32), (235, 235, 235)
ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".tif", ".tiff"}
OUTSIDE = ("frontal", "facades", "exterior")
INSIDE = ("kitchen", "bedroom", "bathroom", "interior", "floor/", "pairs", "flambient")


class Ending(StrEnum):
    """How an order ended: `rejected` is a result that the quality report stops."""

    DELIVERED = "delivered"
    REJECTED = "rejected"
    DECLINED = "declined"
    FAILED = "failed"


_REPORT = TypeAdapter(QualityReport)


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of an order. `sha256` is of the photo, `result` of the result, "" without one: first digits.

    `engine` names the code and weights that made it.
    """

    order: Order
    sha256: str
    result: str
    report: QualityReport
    seconds: float
    engine: str

    @property
    def ending(self) -> Ending:
        """How it ended."""
        if self.result:
            return Ending.DELIVERED if self.report.passed else Ending.REJECTED
        return Ending.DECLINED if self.report.reason is Reason.ALL_STEPS_DECLINED else Ending.FAILED

    @property
    def why(self) -> str:
        """Why there is no good result, in the words for programs; "" when there is one."""
        if self.ending is Ending.DECLINED:
            return " ".join(dict.fromkeys(step.reason for step in self.report.steps if step.reason))
        return self.report.reason or ""


def as_json(kept: Kept) -> bytes:
    """The file beside the picture; `from_json` reads it again."""
    report = asdict(kept.report)
    for shown, figure in zip(report["figures"], kept.report.figures, strict=True):
        shown["passed"] = figure.passed
    document = {
        "photo": kept.order.photo,
        "sha256": kept.sha256,
        "steps": kept.order.effect,
        "options": kept.order.options,
        "ending": kept.ending,
        "why": kept.why,
        "result": kept.result,
        "engine": kept.engine,
        "seconds": round(kept.seconds, 2),
        "report": report,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def from_json(content: bytes) -> Kept:
    """What `write_json` wrote."""
    document = json.loads(content)
    order = Order(document["photo"], steps_of(document["steps"]), document["options"])
    report = _REPORT.validate_python(document["report"])
    return Kept(order, document["sha256"], document["result"], report, document["seconds"], document["engine"])


def kept_in(folder: Path) -> list[Kept]:
    """All that was kept in the folder, by name."""
    return [from_json(path.read_bytes()) for path in sorted(folder.glob("*.json"))]


def engine_now() -> str:
    """A name for the code and the weights of the engine as they are."""
    parts = sorted((Path(__file__).resolve().parents[1] / "engine").rglob("*"))
    digest = hashlib.sha256()
    for path in parts:
        if path.suffix in {".py", ".onnx", ".json", ".npz"}:
            digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:DIGITS]


# What is ordered ------------------------------------------------------------------------------------------------


def orders_in(place: Path, effects: Sequence[Sequence[Enhancement]] | None, shared: Path) -> list[Order]:
    """The orders of a list: a text file, a folder of photos, or a CSV of verdicts.

    A line of the text file is `PHOTO`, `PHOTO | STEPS` or `PHOTO | STEPS | OPTIONS`; further frames of the photo
    follow it after ` + `. Photos lie in `shared` or are whole paths into it. A photo without steps gets all of
    `effects` that suit it. ValueError for what cannot be ordered.
    """
    if place.suffix == ".csv":
        ordered = list(dict.fromkeys(each.order for each in read(place)))
        return ordered if effects is None else [each for each in ordered if each.steps in map(tuple, effects)]
    if place.is_dir():
        lines = [str(path) for path in sorted(place.iterdir()) if path.suffix.lower() in ENDINGS]
    else:
        lines = [line.partition("#")[0].strip() for line in place.read_text().splitlines()]
    found: list[Order] = []
    for line in filter(None, lines):
        names, steps, options = (*(each.strip() for each in line.split("|")), "", "")[:3]
        frames = [_below(name.strip(), shared) for name in names.split(" + ")]
        wanted = [steps_of(steps)] if steps else _suiting(frames[0], effects, shared)
        found += [_order(frames, each, options) for each in wanted]
    return list(dict.fromkeys(found))


def _below(name: str, shared: Path) -> str:
    """The path below `shared` of a photo that is there."""
    path = shared / name
    if not path.is_file():
        raise ValueError(f"there is no photo {name}")
    return path.resolve().relative_to(shared.resolve()).as_posix()


def _suiting(
    photo: str, effects: Sequence[Sequence[Enhancement]] | None, shared: Path
) -> list[tuple[Enhancement, ...]]:
    """Those of the effects, or of all, that one orders for such a photo."""
    wanted = [(each,) for each in ENHANCEMENTS] if effects is None else [tuple(each) for each in effects]
    shown = _shown_in(photo, shared)
    return [steps for steps in wanted if all(ENHANCEMENTS[step].group is shown for step in steps)]


def _shown_in(photo: str, shared: Path) -> PhotoType:
    """What a photo shows, by its name where that tells: the engine may be wrong, and is to be judged for it."""
    if any(word in photo for word in OUTSIDE):
        return PhotoType.EXTERIOR
    if any(word in photo for word in INSIDE):
        return PhotoType.INTERIOR
    light = estimate_photo_light(shared / photo).light
    return PhotoType.EXTERIOR if light is not None and light.outdoors else PhotoType.INTERIOR


def _order(frames: Sequence[str], steps: tuple[Enhancement, ...], options: str) -> Order:
    """The order; room, style and changes that it needs and does not name are chosen by the photo's name."""
    pairs = [options] if options else [as_options(_chosen(frames[0], steps))]
    if len(frames) > 1:
        pairs.append(as_options([(FRAMES, " + ".join(frames[1:]))]))
    return Order(frames[0], steps, "; ".join(filter(None, pairs)))


def _chosen(photo: str, steps: Sequence[Enhancement]) -> Iterator[tuple[str, str]]:
    number = int(hashlib.sha256(photo.encode()).hexdigest()[:8], 16)
    for step in steps:
        request = request_for(step, photo, number)
        if request.staging is not None:
            yield ROOM, request.room_type
            yield STYLE, request.style
        for change in request.changes:
            yield change.type, change.change_description


# What is made ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """All that is ordered of one photo; results go to `out` as they are made, nowhere without it."""

    orders: Sequence[Order]
    shared: Path
    out: Path | None
    engine: str


def tasks(orders: Iterable[Order], shared: Path, out: Path | None) -> list[Task]:
    """The orders by photo."""
    engine = engine_now()
    ordered = sorted(orders, key=lambda order: order.frames)
    return [Task(list(each), shared, out, engine) for _, each in groupby(ordered, lambda order: order.frames)]


def made(task: Task) -> list[Kept]:
    """Make what is ordered of one photo. Whatever is wrong with it ends in the reports."""
    frames = [task.shared / each for each in task.orders[0].frames]
    sha256 = ""
    try:
        content = frames[0].read_bytes()
        sha256 = shortened(content)
        photo, before = _photo(frames), _shown(content)
    except (UnusablePhotoError, BracketError, OSError) as error:
        reason = error.reason if isinstance(error, UnusablePhotoError) else Reason.UNDECODABLE
        report = QualityReport(reason=reason, message=str(error))
        found = [Kept(order, sha256, "", report, 0.0, task.engine) for order in task.orders]
        for each in found:
            _keep(task.out, each, None)
        return found
    scene, context = make_scene(photo), _context_of(frames)
    found = []
    for order in task.orders:
        start = time.monotonic()
        report, picture = _enhanced(photo, scene, order, context)
        result = "" if picture is None else shortened(picture.content)
        found.append(Kept(order, sha256, result, report, time.monotonic() - start, task.engine))
        pair = None if picture is None else partial(side_by_side, before, _shown(picture.content), label_of(order))
        _keep(task.out, found[-1], pair)
    return found


def _photo(frames: Sequence[Path]) -> DecodedPhoto:
    return _opened(frames[0]) if len(frames) == 1 else merge_frames([partial(_opened, path) for path in frames])


def _opened(path: Path) -> DecodedPhoto:
    with path.open("rb") as stream:
        return decode(stream)


def _context_of(frames: Sequence[Path]) -> EngineContext:
    """Seed and appearance as engine.batch.run has them for these files."""
    glances = [estimate_photo_light(path) for path in frames]
    seed = hashlib.sha256("".join(sorted(each.digest for each in glances)).encode()).hexdigest()
    appearance = find_shared_appearance([each.light for each in glances if each.light is not None])
    return EngineContext(order_seed=seed, appearance=appearance)


def _enhanced(
    photo: DecodedPhoto, scene: Scene, order: Order, context: EngineContext
) -> tuple[QualityReport, Picture | None]:
    try:
        done = apply_effects(photo, order.edit_request, context=context, scene=scene)
        return done.report, None if done.pixels is None else encode(
            done.pixels, photo, done.source_type, done.description
        )
    except Exception as error:  # One order's trouble must not cost the others.
        message = f"The engine failed: {type(error).__name__}: {error}"
        return QualityReport(reason=Reason.PROCESSING_FAILED, message=message), None


def _keep(out: Path | None, kept: Kept, pair: Callable[[], bytes] | None) -> None:
    """The files of one result; the JSON comes last, so that with it all is there."""
    if out is None:
        return
    if pair is not None:
        write_whole(out / f"{kept.order.name}.png", pair())
    write_whole(out / f"{kept.order.name}.json", as_json(kept))


# What is looked at ----------------------------------------------------------------------------------------------


def label_of(order: Order) -> str:
    """What stands above a pair: nothing of what the engine says of it, which is to be judged without."""
    return "   ".join(filter(None, (order.photo, order.effect, order.options)))


def side_by_side(before: Pixels, after: Pixels, label: str) -> bytes:
    """Both beside each other below the label, wide ones one below the other, as PNG."""
    first, second = _fitted(before), _fitted(after)
    across, down = max(first.shape[1], second.shape[1]), max(first.shape[0], second.shape[0])
    second_at = (0, down + GAP) if across > down else (across + GAP, 0)
    sheet = Image.new("RGB", (second_at[0] + across, LABEL + second_at[1] + down), PAPER)
    ImageDraw.Draw(sheet).text((4, 2), label, INK, ImageFont.load_default(TEXT))
    sheet.paste(Image.fromarray(first), (0, LABEL))
    sheet.paste(Image.fromarray(second), (second_at[0], LABEL + second_at[1]))
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _fitted(pixels: Pixels) -> Pixels:
    height, width = pixels.shape[:2]
    scale = min(LONG / max(height, width), LARGER)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(pixels, size, interpolation=how), dtype=np.uint8)


def _shown(content: bytes) -> Pixels:
    """The pixels of a file as they are shown, in sRGB."""
    photo = decode(io.BytesIO(content))
    return photo.profile.to_srgb(photo.pixels)


# The commands ---------------------------------------------------------------------------------------------------


def run(place: Path, out: Path, effects: Sequence[Sequence[Enhancement]] | None, jobs: int, shared: Path) -> int:
    """Make what of the list is not there yet; 1 when an order failed, 2 when the list cannot be read."""
    try:
        orders = orders_in(place, effects, shared)
    except (OSError, ValueError) as error:
        print(f"{place}: {error}", file=sys.stderr)
        return 2
    out.mkdir(parents=True, exist_ok=True)
    there = _there(orders, out)
    left = [each for each in orders if each not in there]
    older = sum(each.engine != engine_now() for each in there.values())
    print(f"{len(orders)} results, {len(there)} of them there already, {older} of these by another engine")
    failed = 0
    for found in in_processes(tasks(left, shared, out), jobs):
        for each in found:
            failed += each.ending is Ending.FAILED
            print(f"{each.order.name}: {each.ending} {each.why} ({each.seconds:.1f} s)", flush=True)
    return int(failed > 0)


def _there(orders: Iterable[Order], out: Path) -> dict[Order, Kept]:
    """What an earlier run kept of the orders; what failed is tried again."""
    paths = [(order, out / f"{order.name}.json") for order in orders]
    kept = {order: from_json(path.read_bytes()) for order, path in paths if path.exists()}
    return {order: each for order, each in kept.items() if each.ending is not Ending.FAILED}


def in_processes(wanted: Sequence[Task], jobs: int) -> Iterator[list[Kept]]:
    """What is made of the tasks, photo by photo, in their order."""
    with Workers(min(jobs, max(1, len(wanted)))) as workers:
        yield from workers.map_in_order(made, wanted)


def open_rows(out: Path, verdicts: Path) -> str:
    """Lines for results in the folder that nobody judged, with verdict, faults, judge and day left open."""
    known = {(each.order, each.result) for each in read(verdicts)}
    return csv_lines(
        (each.order.photo, each.sha256, each.order.effect, each.order.options, each.result, "", "", "", "")
        for each in kept_in(out)
        if each.result and (each.order, each.result) not in known
    )
