"""What eyes said of real results: `training/verdicts.csv`, names and verdicts only.

    python -m training.verdicts run LIST OUT [--effects sky,hdr] [--jobs 1]   results to look at
    python -m training.verdicts rows OUT     lines of the CSV for those not judged yet, verdict left open
    python -m training.verdicts check        whether every line of the CSV can be read and is true
    python -m training.verdicts faults       the words for what is wrong with a result

A line of the CSV is one result that somebody looked at: the photo by its path below `../shared` and its digest, the
steps (joined by +) and options that were ordered, the digest of the result, the verdict, the faults (parted by
spaces), who judged and on which day. Half of the photos settle limits, half are held out (`half`).
"""

import argparse
import csv
import hashlib
import io
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from pathlib import Path, PurePosixPath

from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style, in_pipeline_order

VERDICTS = Path(__file__).with_name("verdicts.csv")
SHARED = Path(__file__).resolve().parents[2] / "shared"
COLUMNS = ("photo", "sha256", "steps", "options", "result", "verdict", "faults", "judge", "day")
DIGITS = 16
"""So many hexadecimal digits of a SHA-256 name a photo or a result."""
ROOM, STYLE, FRAMES = "room", "style", "frames"


class Fit(StrEnum):
    """What a result is worth: sold with pride, sold, or not fit to sell."""

    PUBLISHABLE = "publishable"
    ACCEPTABLE = "acceptable"
    NOT = "not"


class Half(StrEnum):
    """What a photo's results are for: limits are settled on one half, agreement is measured on the other."""

    SETTLED = "settled"
    HELD_OUT = "held out"


class Fault(StrEnum):
    """What is wrong with a result; MEANING says it in words."""

    SKY_ON_WALL = "sky_on_wall"
    OLD_SKY_LEFT = "old_sky_left"
    WIRE_CUT = "wire_cut"
    TWIG_ERASED = "twig_erased"
    FALSE_WATER = "false_water"
    LAWN_ON_GROUND = "lawn_on_ground"
    LAWN_ON_BUSH = "lawn_on_bush"
    LIT_WRONG = "lit_wrong"
    PANE_DARK = "pane_dark"
    MURKY = "murky"
    TOO_DARK = "too_dark"
    TOO_BRIGHT = "too_bright"
    WRONG_HOUR = "wrong_hour"
    DAY_SHADOWS = "day_shadows"
    DARKENED_WRONG = "darkened_wrong"
    BLOB = "blob"
    HALO = "halo"
    NOISE = "noise"
    CAST = "cast"
    FLOATING = "floating"
    LEFT_OVER = "left_over"
    MELTED = "melted"
    SMEARED = "smeared"
    NOTHING_DONE = "nothing_done"
    PAINTED_WRONG = "painted_wrong"
    FURNITURE_SCALE = "furniture_scale"
    FURNITURE_PLACE = "furniture_place"
    FURNITURE_BACK = "furniture_back"
    SEAM = "seam"
    GHOST = "ghost"
    OTHER = "other"


MEANING: Mapping[Fault, str] = {
    Fault.SKY_ON_WALL: "a wall, roof or anything else became sky",
    Fault.OLD_SKY_LEFT: "old sky is left in patches or along edges",
    Fault.WIRE_CUT: "a wire, pole or railing ends in the sky",
    Fault.TWIG_ERASED: "twigs or leaves are gone or smeared over",
    Fault.FALSE_WATER: "what is no water mirrors the sky",
    Fault.LAWN_ON_GROUND: "gravel, soil, paving or a road became lawn",
    Fault.LAWN_ON_BUSH: "bushes, hedges or beds took the lawn's green",
    Fault.LIT_WRONG: "what is no window or lamp is lit",
    Fault.PANE_DARK: "windows in plain view stay dark at dusk",
    Fault.TOO_DARK: "the picture is too dark",
    Fault.TOO_BRIGHT: "the picture is too bright",
    Fault.MURKY: "the house sinks in mud or dark",
    Fault.WRONG_HOUR: "the new sky or light does not go with the hour of the photo",
    Fault.DAY_SHADOWS: "hard shadows of midday deny the new light",
    Fault.DARKENED_WRONG: "something bright was darkened as if it were a window",
    Fault.BLOB: "a patch of color or brightness that no edge explains",
    Fault.HALO: "a light or dark line runs along edges",
    Fault.NOISE: "grain or blocks show",
    Fault.CAST: "a color lies over all, or stayed",
    Fault.FLOATING: "something hangs in the air, or lost its legs or its shadow",
    Fault.LEFT_OVER: "a thing that was to go is left, whole or in part",
    Fault.MELTED: "shapes are bent or run into each other",
    Fault.SMEARED: "what was filled in is blurred or streaked",
    Fault.NOTHING_DONE: "next to nothing was done",
    Fault.PAINTED_WRONG: "material or paint is on what was not asked for, or in the wrong perspective",
    Fault.FURNITURE_SCALE: "furniture is too large or too small",
    Fault.FURNITURE_PLACE: "furniture stands where nobody would put it, or bars a way",
    Fault.FURNITURE_BACK: "a seat turns its back to the lens or to the room",
    Fault.SEAM: "the edge of what was changed shows as a line",
    Fault.GHOST: "something is seen twice or half transparent",
    Fault.OTHER: "something else",
}


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked for: a photo (path below `../shared`), steps in working order, options as text.

    Options are `room=bedroom; style=modern` for staging, `floor=light oak; walls=sage green` for a renovation, and
    `frames=photos/flambient/k04_flash.jpg + …`: further frames of the same photo.
    """

    photo: str
    steps: tuple[Enhancement, ...]
    options: str = ""

    def __post_init__(self) -> None:
        place = PurePosixPath(self.photo)
        if not place.name or place.is_absolute() or ".." in place.parts:
            raise ValueError(f"'{self.photo}' is no path below ../shared")
        if not self.steps or list(self.steps) != in_pipeline_order(self.steps):
            raise ValueError(f"'{self.effect}' are not steps in working order")
        given = {key for key, _ in pairs_of(self.options)}
        if (Enhancement.RENOVATION in self.steps) != bool(given & set(ChangeType)):
            raise ValueError("a renovation and TYPE=WORDS go together")
        if (Enhancement.STAGING in self.steps) != (given >= {ROOM, STYLE}) or len(given & {ROOM, STYLE}) == 1:
            raise ValueError("staging and room=…; style=… go together")

    @property
    def effect(self) -> str:
        """The steps as text."""
        return "+".join(self.steps)

    @property
    def frames(self) -> tuple[str, ...]:
        """The photo's files, paths below `../shared`: several where it was put together."""
        more = dict(pairs_of(self.options)).get(FRAMES)
        return (self.photo, *(more.split(" + ") if more else ()))

    @property
    def name(self) -> str:
        """The name of its files, without an ending: another for every order."""
        end = f".{hashlib.sha256(self.options.encode()).hexdigest()[:8]}" if self.options else ""
        return f"{self.photo.replace('/', '~')}.{self.effect}{end}"

    @property
    def edit_request(self) -> EditRequest:
        """The same as the engine takes it."""
        pairs = pairs_of(self.options)
        named = dict(pairs)
        staging = Staging(style=Style(named[STYLE]), room_type=RoomType(named[ROOM])) if STYLE in named else None
        changes = tuple(
            RenovationChange(change_type=ChangeType(key), change_description=value)
            for key, value in pairs
            if key in set(ChangeType)
        )
        return EditRequest(enhancements=self.steps, staging=staging, changes=changes)


def pairs_of(options: str) -> list[tuple[str, str]]:
    """The options by name; ValueError where they are none."""
    pairs = []
    for part in options.split(";") if options else ():
        key, _, value = (each.strip() for each in part.partition("="))
        values: dict[str, set[str]] = {ROOM: set(RoomType), STYLE: set(Style)}
        known = value in values[key] if key in values else key in {FRAMES, *ChangeType}
        if not known or not value:
            raise ValueError(f"'{part.strip()}' is no option")
        pairs.append((key, value))
    if options != as_options(pairs):
        raise ValueError(f"'{options}' should be written '{as_options(pairs)}'")
    return pairs


def as_options(pairs: Iterable[tuple[str, str]]) -> str:
    """The options as text."""
    return "; ".join(f"{key}={value}" for key, value in pairs)


def steps_of(text: str) -> tuple[Enhancement, ...]:
    """The steps in a text joined by +, in working order; `sky` is `sky_enhancement`. ValueError for others."""
    short = {each.name.lower(): each for each in Enhancement}
    short |= {"lawn": Enhancement.GRASS, "removal": Enhancement.FURNITURE_REMOVAL}
    return tuple(in_pipeline_order(short.get(name) or Enhancement(name) for name in text.strip().split("+")))


@dataclass(frozen=True, slots=True)
class Judged:
    """A result that somebody looked at. `sha256` is of the photo, `result` of the result: their first digits."""

    order: Order
    sha256: str
    result: str
    fit: Fit
    faults: tuple[Fault, ...] = field(default_factory=tuple)
    judge: str = ""
    day: date = date.min

    def __post_init__(self) -> None:
        for text in (self.sha256, self.result):
            if len(text) != DIGITS or set(text) - set("0123456789abcdef"):
                raise ValueError(f"'{text}' are not the first {DIGITS} digits of a SHA-256")
        if (self.fit is Fit.NOT and not self.faults) or (self.fit is Fit.PUBLISHABLE and self.faults):
            raise ValueError("what is not fit to sell has a fault, what is publishable has none")
        if len(set(self.faults)) < len(self.faults):
            raise ValueError("a fault is named twice")
        if not self.judge:
            raise ValueError("nobody judged it")

    @property
    def half(self) -> Half:
        """What the verdict is for."""
        return half(self.sha256)


def half(sha256: str) -> Half:
    """Which half a photo is in, by its digest: all results of it are in the same."""
    return Half.HELD_OUT if int(sha256[:8], 16) % 2 else Half.SETTLED


def shortened(content: bytes) -> str:
    """The first digits of the SHA-256."""
    return hashlib.sha256(content).hexdigest()[:DIGITS]


def read(path: Path = VERDICTS) -> list[Judged]:
    """All verdicts of the file, in its order; ValueError for the first that cannot be read."""
    judged, wrong = _read(path)
    if wrong:
        raise ValueError(f"{path.name}, {wrong[0]}")
    return list(judged.values())


def _read(path: Path) -> tuple[dict[int, Judged], list[str]]:
    """The verdicts by line, and what is wrong with the other lines."""
    judged: dict[int, Judged] = {}
    wrong: list[str] = []
    with path.open(newline="", encoding="utf-8") as stream:
        rows = csv.reader(stream, strict=True)
        if tuple(next(rows, ())) != COLUMNS:
            return {}, [f"line 1: the columns are not {','.join(COLUMNS)}"]
        for cells in rows:
            try:
                judged[rows.line_num] = _judged(cells)
            except ValueError as error:
                wrong.append(f"line {rows.line_num}: {error}")
    return judged, wrong


def _judged(cells: Sequence[str]) -> Judged:
    if len(cells) != len(COLUMNS):
        raise ValueError(f"there are {len(cells)} columns, not {len(COLUMNS)}")
    photo, sha256, steps, options, result, verdict, faults, judge, day = cells
    order = Order(photo, tuple(Enhancement(each) for each in steps.split("+")), options)
    marks = tuple(Fault(each) for each in faults.split())
    return Judged(order, sha256, result, Fit(verdict), marks, judge.strip(), date.fromisoformat(day))


def as_csv(rows: Iterable[Judged], *, head: bool = True) -> str:
    """The lines of the file; without its `head` to be added to one."""
    cells = [
        (
            *(each.order.photo, each.sha256, each.order.effect, each.order.options, each.result),
            *(each.fit, " ".join(each.faults), each.judge, each.day.isoformat()),
        )
        for each in rows
    ]
    return csv_lines([COLUMNS, *cells] if head else cells)


def csv_lines(rows: Iterable[Sequence[str]]) -> str:
    """The rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def complaints(path: Path = VERDICTS, shared: Path = SHARED) -> list[str]:
    """What is wrong with the file, by line; photos are only compared where there is the folder `shared`."""
    judged, wrong = _read(path)
    first: dict[tuple[Order, str], int] = {}
    digests: dict[str, str | None] = {}
    for line, each in judged.items():
        before = first.setdefault((each.order, each.result), line)
        if before != line:
            wrong.append(f"line {line}: the same result as in line {before}")
        if not shared.is_dir():
            continue
        for frame in each.order.frames:
            if frame not in digests:
                digests[frame] = shortened((shared / frame).read_bytes()) if (shared / frame).is_file() else None
            if digests[frame] is None:
                wrong.append(f"line {line}: there is no photo {frame}")
        if digests[each.order.photo] not in {None, each.sha256}:
            wrong.append(f"line {line}: {each.order.photo} is another photo now")
    return wrong


def main() -> int:
    """Do what was asked; 1 when the CSV has something wrong or a result could not be made."""
    # Only when asked for: the engine takes its time to come.
    from training import verdict_results  # noqa: PLC0415 (the two know each other)

    asked = _arguments()
    match asked.command:
        case "run":
            return verdict_results.run(asked.list, asked.out, asked.effects, asked.jobs, asked.shared)
        case "rows":
            sys.stdout.write(verdict_results.open_rows(asked.out, asked.csv))
        case "faults":
            print("\n".join(f"{fault:16} {MEANING[fault]}" for fault in Fault))
        case _:
            wrong = complaints(asked.csv, asked.shared)
            print("\n".join([*wrong, _summary(asked.csv) if not wrong else f"{len(wrong)} lines are wrong"]))
            return int(bool(wrong))
    return 0


def _summary(path: Path) -> str:
    judged = read(path)
    parts = [f"{len(judged)} verdicts on {len({each.sha256 for each in judged})} photos"]
    parts += [f"{count} {fit}" for fit, count in Counter(each.fit for each in judged).items()]
    parts += [f"{count} {part}" for part, count in Counter(each.half for each in judged).items()]
    return ", ".join(parts)


def _effects(text: str) -> list[tuple[Enhancement, ...]]:
    return [steps_of(each) for each in text.split(",")]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m training.verdicts", description="Real results and verdicts on them."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run", help="make results to look at; what is there already is left as it is")
    run.add_argument("list", type=Path, help="a text file of photos, a folder of them, or a CSV of verdicts")
    run.add_argument("out", type=Path, help="the folder for NAME.png (before and after) and NAME.json")
    run.add_argument(
        "--effects", type=_effects, help="steps, parted by commas; a+b is one result; else all that suit"
    )
    run.add_argument("--jobs", type=int, default=1, help="photos worked at a time")
    rows = commands.add_parser("rows", help="lines of the CSV for results without verdict")
    rows.add_argument("out", type=Path, help="the folder of `run`")
    check = commands.add_parser("check", help="whether every line of the CSV can be read and is true")
    commands.add_parser("faults", help="the words for what is wrong with a result")
    for each in (run, check):
        each.add_argument("--shared", type=Path, default=SHARED, help="the folder of the photos")
    for each in (rows, check):
        each.add_argument("--csv", type=Path, default=VERDICTS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
