"""Sheets to judge hints by: `python -m bench.hint_sheets [OUT] [--without]`, ten rooms a minute.

For each file of bench/hints a row: the photo with the hints drawn over it, the result, and with `--without` the
result without hints. `--photos DIR` is where their photos are; those that are missing are left out.
"""

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter

from bench.quality.places import ROOT, SHARED
from bench.sheets.page import fitted, page
from engine.batch.arguments import parse_change
from engine.io.photo import DecodedPhoto, decode
from engine.pipeline import apply_effects
from engine.segmentation.hinted_masks import draw_mask
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style
from engine.types.hint_document import read_hints
from engine.types.hints import Direction, Point, SceneHints, ThingKind

FILES = Path(__file__).parent / "hints"
HEIGHT, ROWS_A_PAGE = 420, 5
LINES = {Direction.UP: "#ff2020", Direction.ALONG: "#20d040", Direction.ACROSS: "#4060ff"}
THINGS = {ThingKind.FURNITURE: "#ff2020", ThingKind.CLUTTER: "#ff9000"}
SURFACE, CLEAR, LENGTH, CORNERS = "#00e0ff", "#ff40ff", "#ffffff", "#ffe020"

Row = tuple[str, list[Image.Image]]


def read_request(document: Mapping[str, Any]) -> EditRequest:
    """What is ordered of the photo of a file, with its hints."""
    room, style = document.get("room"), document.get("style")
    return EditRequest(
        tuple(Enhancement(each) for each in document["steps"]),
        Staging(style and Style(style), room and RoomType(room)),
        tuple(parse_change(each) for each in document.get("changes", ())),
        hints=read_hints(document["hints"]),
    )


def draw(photo: Image.Image, hints: SceneHints) -> Image.Image:
    """The photo with the hints over it."""
    drawn = photo.copy()
    pen = ImageDraw.Draw(drawn, "RGBA")

    def at(*points: Point) -> list[Point]:
        return [(x * drawn.width, y * drawn.height) for x, y in points]

    _draw_masks(drawn, pen, hints)
    for name in hints.surfaces:
        for polygon in hints.get_outlines(name):
            pen.polygon(at(*polygon), outline=SURFACE)
            pen.text(at(polygon[0])[0], name, fill=SURFACE)
    for thing in hints.things:
        pen.polygon(at(*thing.polygon), fill=THINGS[thing.kind] + "50", outline=THINGS[thing.kind])
    for polygon in hints.clear:
        pen.polygon(at(*polygon), outline=CLEAR)
    for line in hints.lines:
        pen.line(at(line.start, line.end), fill=LINES[line.direction], width=3)
    pen.line(at(*hints.corners), fill=CORNERS, width=3)
    for spot in at(*hints.corners):
        pen.circle(spot, 5, fill=CORNERS)
    if hints.length is not None:
        pen.line(at(hints.length.start, hints.length.end), fill=LENGTH, width=3)
        pen.text(at(hints.length.end)[0], f"{hints.length.meters} m", fill=LENGTH)
    for place in hints.placements:
        (spot,) = at(place.at)
        pen.circle(spot, 6, fill=LENGTH)
        pen.line(at(place.at, place.faces or place.at), fill=LENGTH, width=2)
    return drawn


def _draw_masks(drawn: Image.Image, pen: ImageDraw.ImageDraw, hints: SceneHints) -> None:
    for name, hint in hints.masks.items():
        inside = Image.fromarray((255 * draw_mask(hint, drawn.width, drawn.height)).astype(np.uint8))
        drawn.paste(SURFACE, mask=ImageChops.difference(inside, inside.filter(ImageFilter.MinFilter(3))))
        pen.text((inside.getbbox() or (0, 0))[:2], name, fill=SURFACE)


def make(photo: DecodedPhoto, request: EditRequest, words: str) -> tuple[str, Image.Image | None]:
    """What came of it in a few words, and the picture."""
    done = apply_effects(photo, request)
    steps = [f"{step.enhancement} {'done' if step.applied else step.reason}" for step in done.report.steps]
    changes = [each for step in done.report.steps for each in step.changes]
    steps += [f"{each.type} {'done' if each.applied else each.reason}" for each in changes]
    verdict = "passed" if done.report.passed else f"rejected: {done.report.reason}"
    picture = None if done.pixels is None else Image.fromarray(done.pixels)
    return f"{words}: {verdict} ({', '.join(steps)})", picture


def row(file: Path, photos: Path, *, without: bool) -> Row | None:
    """The row of a file of hints; None where its photo is missing."""
    document = json.loads(file.read_bytes())
    path = next((each for each in (photos / document["photo"], ROOT / document["photo"]) if each.exists()), None)
    if path is None:
        return None
    with path.open("rb") as stream:
        photo = decode(stream)
    request = read_request(document)
    shown = [draw(fitted(photo.pixels, HEIGHT), request.hints or SceneHints())]
    texts = [file.stem]
    for words, asked in [("with hints", request), ("without", replace(request, hints=None))][: 1 + without]:
        text, picture = make(photo, asked, words)
        texts.append(text)
        if picture is not None:
            shown.append(picture.resize(shown[0].size))
    return "   ".join(texts), shown


def main() -> None:
    """Write the sheets."""
    parser = argparse.ArgumentParser(prog="bench.hint_sheets", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, default=ROOT / "build" / "hint_sheets")
    parser.add_argument("--photos", type=Path, default=SHARED, help="where the photos are")
    parser.add_argument("--without", action="store_true", help="also the results without hints")
    parser.add_argument("--only", default="", help="a part of the names of files")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for file in sorted(each for each in FILES.glob("*.json") if given.only in each.stem):
        found = row(file, given.photos, without=given.without)
        print(found[0] if found else f"{file.stem}: its photo is not in {given.photos}", flush=True)
        rows += [found] if found else []
    for first in range(0, len(rows), ROWS_A_PAGE):
        page(rows[first : first + ROWS_A_PAGE]).save(given.out / f"{1 + first // ROWS_A_PAGE:02}.jpg", quality=88)


if __name__ == "__main__":
    main()
