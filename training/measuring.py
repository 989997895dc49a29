"""The outlines drawn by hand over photos: polygons of kinds in order, and over rooms those of the surfaces."""

import hashlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import Kind

FOLDER = Path(__file__).with_name("measuring")
PHOTOS = Path(__file__).resolve().parents[2] / "shared" / "photos"
OF_KIND = np.full(len(Kind), PLACE[Surface.OTHER], np.uint8)
"""The number of the surface that each kind is, unless a part says more."""
OF_KIND[Kind.WINDOW] = PLACE[Surface.WINDOW]
OF_KIND[Kind.WALL] = PLACE[Surface.WALL]
OF_KIND[Kind.CEILING] = PLACE[Surface.CEILING]
OF_KIND[Kind.FLOOR] = PLACE[Surface.FLOOR]
OF_KIND[Kind.THINGS] = PLACE[Surface.FURNITURE]
IGNORED = 255
"""The label of pixels nobody is to be judged by: bands along hand-drawn edges."""
# A hand-drawn edge is right to about this share of the long side.
UNSURE = 0.0012

Labels = NDArray[np.uint8]
Picture = NDArray[np.uint8]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Area:
    """A polygon of one kind; with `where` only the pixels in it that keep those rules (see `_keeping`)."""

    kind: Kind
    points: tuple[tuple[int, int], ...]
    where: dict[str, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A polygon of one surface of a room, or of None where nobody is to be judged.

    It paints only pixels that keep the rules of `where` and, with `only`, were one of those surfaces until then.
    """

    surface: Surface | None
    points: tuple[tuple[int, int], ...]
    where: dict[str, int]
    only: tuple[Surface, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """What is where in one photo: `photo` is its path among the hand-out photos, points are its pixels.

    `parts` are painted over the kinds; a photo without any has no surfaces to learn from.
    """

    photo: str
    sha256: str
    width: int
    height: int
    base: Kind
    areas: tuple[Area, ...]
    parts: tuple[Part, ...] = ()


def outlines() -> Iterator[Outline]:
    """All outlines, by the name of their file."""
    for path in sorted(FOLDER.glob("*.json")):
        yield read(path)


def read(path: Path) -> Outline:
    """The outline in a file. Raises KeyError for a kind and ValueError for a surface that does not exist."""
    said = json.loads(path.read_text())
    areas = tuple(Area(Kind[area["kind"]], _points(area), area.get("where", {})) for area in said["areas"])
    parts = tuple(_part(part) for part in said.get("surfaces", ()))
    return Outline(said["photo"], said["sha256"], said["width"], said["height"], Kind[said["base"]], areas, parts)


def _part(said: dict[str, Any]) -> Part:
    surface = None if said["surface"] is None else Surface(said["surface"])
    only = tuple(Surface(name) for name in said.get("only", ()))
    return Part(surface, _points(said), said.get("where", {}), only)


def _points(said: dict[str, Any]) -> tuple[tuple[int, int], ...]:
    return tuple((x, y) for x, y in said["points"])


def opened(outline: Outline) -> Picture | None:
    """The photo of an outline, height x width x 3 sRGB bytes, or None where it is not or is another file."""
    path = PHOTOS / outline.photo
    if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != outline.sha256:
        return None
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), dtype=np.uint8)


def labels(picture: Picture, outline: Outline) -> Labels:
    """The Kind of each pixel, height x width, IGNORED along the edges drawn by hand.

    `picture` is height x width x 3 sRGB bytes in the size of the outline.
    """
    painted, exact = _painted_kinds(picture, outline)
    _ignore_edges(painted, exact)
    return painted


def surfaces(picture: Picture, outline: Outline) -> Labels:
    """The Surface of each pixel as its number in PLACE, height x width, IGNORED along the edges drawn by hand.

    What the parts do not name follows from the kinds: THINGS are furniture, and what belongs outside is other. An
    edge between kinds that a part painted over is no edge any more. `picture` as for `labels`.
    """
    kinds, exact = _painted_kinds(picture, outline)
    painted: Labels = OF_KIND[kinds]
    for part in outline.parts:
        inside = _within(part, painted.shape)
        if part.only:
            inside &= np.isin(painted, [PLACE[surface] for surface in part.only])
        if part.where:
            inside &= _keeping(picture, part.where)
        exact = exact | inside if part.where else exact & ~inside
        painted[inside] = IGNORED if part.surface is None else PLACE[part.surface]
    _ignore_edges(painted, exact)
    return painted


def _painted_kinds(picture: Picture, outline: Outline) -> tuple[Labels, Mask]:
    """The kinds with all their edges, and which pixels a color rule chose."""
    painted = np.full(picture.shape[:2], int(outline.base), np.uint8)
    exact = np.zeros(picture.shape[:2], np.bool_)
    for area in outline.areas:
        inside = _within(area, painted.shape)
        if area.where:
            inside &= _keeping(picture, area.where)
            exact |= inside
        painted[inside] = int(area.kind)
    return painted, exact


def _ignore_edges(painted: Labels, exact: Mask) -> None:
    unsure = _edges(painted, max(1, round(UNSURE * max(painted.shape))))
    # Where a color rule drew the edge, it is right to the pixel.
    by_rule = cv2.dilate(exact.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    painted[unsure & ~by_rule] = IGNORED


def _within(area: Area | Part, shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.array(area.points, np.int32)], 1)
    return mask > 0


def _keeping(picture: Picture, where: dict[str, int]) -> Mask:
    """Pixels that keep every rule: luma at least `brighter`, at most `darker`, blue over red by `bluer`,
    green over the mean of red and blue by `greener`.
    """
    red, green, blue = (picture[..., place].astype(np.int16) for place in range(3))
    luma = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY)
    kept = np.ones(picture.shape[:2], np.bool_)
    for rule, bound in where.items():
        match rule:
            case "brighter":
                kept &= luma >= bound
            case "darker":
                kept &= luma <= bound
            case "bluer":
                kept &= blue - red >= bound
            case "greener":
                kept &= green - (red + blue) // 2 >= bound
            case _:
                raise KeyError(rule)
    return kept


def _edges(painted: Labels, radius: int) -> Mask:
    side = np.ones((2 * radius + 1,) * 2, np.uint8)
    return cv2.dilate(painted, side) != cv2.erode(painted, side)


COLORS = np.array(
    [
        (80, 160, 255), (120, 230, 60), (20, 110, 30), (200, 120, 80), (255, 60, 200), (0, 220, 220),
        (170, 150, 120), (255, 255, 120), (230, 230, 230), (150, 150, 255), (140, 90, 40), (90, 90, 90),
        (255, 200, 0),
    ],
    np.uint8,
)  # fmt: skip
"""One color for each Kind, for overlays."""


SURFACE_COLORS = np.array(
    [
        (140, 90, 40), (170, 150, 120), (255, 255, 120), (80, 160, 255), (255, 140, 0), (255, 60, 200),
        (20, 140, 30), (0, 220, 220), (120, 60, 255), (230, 20, 20), (120, 230, 60),
    ],
    np.uint8,
)  # fmt: skip
"""One color for each Surface, for overlays."""


def overlay(picture: Picture, painted: Labels, palette: NDArray[np.uint8] = COLORS) -> Picture:
    """The picture under the colors of its labels; ignored pixels are black."""
    colors = palette[np.minimum(painted, len(palette) - 1)]
    colors[painted == IGNORED] = 0
    return cv2.addWeighted(picture, 0.55, colors, 0.45, 0)


def main() -> None:
    """Write an overlay of every outline whose photo is here, NAME.png, and of its surfaces, NAME.surfaces.png."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for outline in outlines():
        picture = opened(outline)
        if picture is None:
            continue
        stem = Path(outline.photo).stem
        Image.fromarray(overlay(picture, labels(picture, outline))).save(folder / f"{stem}.png")
        if outline.parts:
            drawn = overlay(picture, surfaces(picture, outline), SURFACE_COLORS)
            Image.fromarray(drawn).save(folder / f"{stem}.surfaces.png")


if __name__ == "__main__":
    main()
