"""Contact sheets of every effect on every fitting photo: `python -m bench.sheets [OUT] [--only EFFECT,…]`.

A row has the photo, the mask, the result, and two places at full size before and after. Also one sheet of an
order for each group, all its photos in one light. Takes `make sheets` some minutes.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from bench.quality.places import PHOTOS, ROOT, pictures
from bench.quality.results import Result, edited, result, upright
from bench.sheets.crops import interesting
from bench.sheets.edit_requests import request_for, words_of
from bench.sheets.page import ROW_HEIGHT, crop, fitted, page
from engine.batch.photo import PhotoTask, estimate_photo_light, process_photo
from engine.types.appearance import SharedAppearance, find_shared_appearance
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ENHANCEMENTS, Enhancement, PhotoType

ROWS_A_PAGE = 5
ORDER_HEIGHT, ORDER_COLUMNS = 260, 4
FOLDERS = {
    PhotoType.EXTERIOR: ("exterior",),
    PhotoType.INTERIOR: ("interior", "pairs", "flambient", "large"),
}
# Further pictures that show a house or a room, and what is no photo for the step.
MORE = {PhotoType.EXTERIOR: ("exif/Landscape_1.jpg", "icc/4.webp"), PhotoType.INTERIOR: ()}
LEFT_OUT = ("_after_", "_flash", "canon")
SETS = ("bracket_window", "bracket_mertens", "flambient/k04", "flambient/k17")

Row = tuple[str, Sequence[Image.Image]]


def photos(group: PhotoType) -> list[Path]:
    """The handed-out photos that an order of this group could have."""
    found = [path for folder in FOLDERS[group] for path in pictures(PHOTOS / folder)]
    found += [path for path in (PHOTOS / name for name in MORE[group]) if path.exists()]
    return [path for path in found if not any(mark in path.name for mark in LEFT_OUT)]


def effect_rows(step: Enhancement, group: PhotoType) -> Iterator[Row]:
    """A row for each photo of the group."""
    for number, path in enumerate(photos(group)):
        request = request_for(step, path.stem, number)
        text, images = row(edited(path, request), step)
        yield f"{text}   {words_of(request)}", images


def row(done: Result, step: Enhancement) -> Row:
    """Before, mask, after, and two places at full size before and after; why, where the step declined."""
    if done.after is None:
        return f"{done.name}   {step} declined: {done.message}", [fitted(done.before, ROW_HEIGHT // 2)]
    mask = done.mask(step)
    images = [fitted(done.before), fitted(mask), fitted(done.after)]
    for box in interesting(done.before, done.after, mask, ROW_HEIGHT, 2):
        images += [crop(done.before[box]), crop(done.after[box])]
    return f"{done.name}   {step}   {done.message}", images


def merged_rows() -> Iterator[Row]:
    """A row for each set of frames of one photo: the frames, then what they give."""
    for name in SETS:
        place = PHOTOS / name
        files = pictures(place) if place.is_dir() else sorted(place.parent.glob(f"{place.name}_*.jpg"))
        if files:
            done = process_photo(PhotoTask(files, EditRequest(enhancements=())))
            frames = [fitted(upright(path.read_bytes()), ROW_HEIGHT // 2) for path in files]
            made = [] if done.picture is None else [fitted(upright(done.picture.content), 2 * ROW_HEIGHT)]
            yield f"{name}   {len(files)} frames   {done.report.message}", [*frames, *made]


def order_rows(group: PhotoType, steps: Sequence[Enhancement]) -> Iterator[Row]:
    """All photos of a group as one order, results beside each other under their shared look."""
    paths = [path for path in photos(group) if path.parent.name in {"exterior", "interior"}]
    look = _look(paths)
    images = []
    for path in paths:
        done = result(path, steps, look)
        images.append(fitted(done.before if done.after is None else done.after, ORDER_HEIGHT))
    for start in range(0, len(images), ORDER_COLUMNS):
        names = "   ".join(path.stem for path in paths[start : start + ORDER_COLUMNS])
        yield names, images[start : start + ORDER_COLUMNS]


def _look(paths: Sequence[Path]) -> SharedAppearance:
    estimates = [estimate_photo_light(path).light for path in paths]
    return find_shared_appearance([each for each in estimates if each is not None])


def sheets() -> dict[str, tuple[PhotoType, Sequence[Enhancement]]]:
    """The effects and orders there are sheets of, by name."""
    each = {entry.id.value: (entry.group, [entry.id]) for entry in ENHANCEMENTS.values()}
    return each | {
        "order_exterior": (PhotoType.EXTERIOR, [Enhancement.GRASS, Enhancement.SKY]),
        "order_golden_hour": (PhotoType.EXTERIOR, [Enhancement.GOLDEN_HOUR]),
        "order_interior": (PhotoType.INTERIOR, [Enhancement.HDR]),
        "merged": (PhotoType.INTERIOR, []),
    }


def rows_of(name: str) -> Iterator[Row]:
    """The rows of the sheet of this name."""
    group, steps = sheets()[name]
    if not steps:
        return merged_rows()
    return order_rows(group, steps) if name.startswith("order") else effect_rows(steps[0], group)


def main() -> None:
    """Write the sheets asked for, page by page."""
    parser = argparse.ArgumentParser(prog="python -m bench.sheets", description="Contact sheets of every effect.")
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "build" / "sheets")
    parser.add_argument(
        "--only", type=lambda text: text.split(","), default=list(sheets()), help=", ".join(sheets())
    )
    parser.add_argument("--format", choices=("png", "jpg"), default="jpg")
    asked = parser.parse_args()
    if not PHOTOS.is_dir():
        sys.exit(f"The handed-out photos are not in {PHOTOS}.")
    asked.out.mkdir(parents=True, exist_ok=True)
    for name in asked.only:
        start, waiting, number = time.monotonic(), [], 0
        for each in rows_of(name):
            waiting.append(each)
            if len(waiting) == ROWS_A_PAGE:
                number += 1
                _write(waiting, asked.out / f"{name}-{number}.{asked.format}")
                waiting = []
        if waiting:
            _write(waiting, asked.out / f"{name}-{number + 1}.{asked.format}")
        print(f"{name}: {time.monotonic() - start:.0f} s")


def _write(rows: Sequence[Row], path: Path) -> None:
    options = {"quality": 90, "subsampling": 0} if path.suffix == ".jpg" else {}
    page(rows).save(path, **options)


if __name__ == "__main__":
    main()
