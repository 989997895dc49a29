"""Outlines what a photo shows: a label for each pixel, and polygons that can be sent back as hints."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from engine.arrays import Mask, Plane, plane
from engine.geometry.surface import PLACE, Surface
from engine.outlook.outlines import outline
from engine.segmentation.hinted_surfaces import draw_polygons, draw_surface
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.hints import HintedSurface, Polygon, ThingKind
from engine.types.outlook import LABELS

Labels = NDArray[np.uint8]
"""The label of each pixel, (h, w): an index of LABELS."""
MIN_AREA = 0.002
"""Least share of the picture of a part; smaller parts are left out."""
MIN_SMALL_AREA = 0.0004
"""Least share of the picture of a thing or pane, which are often small."""
MAX_PARTS = 24
"""Most polygons of one surface, or things of a kind; the largest are kept."""
MIN_FIT = 0.85
"""Least overlap (intersection over union) of a part with its outline; with less, the part is cut in halves."""
MAX_CUTS = 4
"""Number of times that a part may be cut in halves."""
OPENING = 3
"""Width, in pixels, of parts of a mask that are removed because they are too thin to be outlined."""
SMALL_SIDE = 512
"""Maximum long side, in pixels, of a label image."""
_NAMES: Mapping[Surface, HintedSurface | ThingKind] = {
    Surface.FLOOR: HintedSurface.FLOOR,
    Surface.WALL: HintedSurface.WALL,
    Surface.CEILING: HintedSurface.CEILING,
    Surface.WINDOW: HintedSurface.WINDOW,
    Surface.DOOR: HintedSurface.DOOR,
    Surface.CABINET: HintedSurface.CABINET,
    Surface.COUNTERTOP: HintedSurface.WORKTOP,
    Surface.OTHER: HintedSurface.OTHER,
    Surface.FURNITURE: ThingKind.FURNITURE,
    Surface.RUG: ThingKind.FURNITURE,
    Surface.CLUTTER: ThingKind.CLUTTER,
}
_SMALL = (HintedSurface.PANE, ThingKind.CLUTTER)
_FINER = (
    (HintedSurface.WALL, HintedSurface.BACKSPLASH, Label.WALL, Label.BACKSPLASH),
    (HintedSurface.DOOR, HintedSurface.PASSAGE, Label.DOOR, Label.PASSAGE),
    (HintedSurface.CABINET, HintedSurface.OTHER, Label.CABINET, Label.APPLIANCE),
)
"""Surfaces for which the engine has one name and hints have two; the net's labels distinguish them."""
_NUMBER = {name: number for number, name in enumerate(LABELS)}
_COLORS = (
    (40, 40, 40), (196, 150, 96), (222, 206, 176), (240, 240, 236), (120, 200, 255), (150, 96, 60), (110, 80, 130),
    (230, 120, 60), (250, 190, 70), (190, 220, 120), (130, 130, 130), (90, 160, 255), (70, 190, 80),
    (255, 235, 120), (220, 60, 90), (250, 90, 220),
)  # fmt: skip
"""The palette of label images: one color for each of LABELS."""


@dataclass(frozen=True, slots=True)
class SeenPart:
    """A part of a surface, or a thing: its outline, its certainty (0-1), and its share of the picture."""

    polygon: Polygon
    certainty: float
    area: float


@dataclass(frozen=True, slots=True)
class LabeledPhoto:
    """The label of each pixel of the small picture, and its certainty (0-1)."""

    labels: Labels
    certainty: Plane

    def encode(self) -> bytes:
        """The labels as a PNG with a palette, reduced to SMALL_SIDE.

        Returns
        -------
        bytes
            A PNG file; the values of its pixels are indices of LABELS.
        """
        height, width = self.labels.shape
        scale = min(1.0, SMALL_SIDE / max(height, width))
        size = max(1, round(width * scale)), max(1, round(height * scale))
        image = Image.fromarray(cv2.resize(self.labels, size, interpolation=cv2.INTER_NEAREST)).convert("P")
        image.putpalette([value for color in _COLORS for value in color])
        buffer = io.BytesIO()
        image.save(buffer, "PNG", optimize=True)
        return buffer.getvalue()

    def find_parts(self, name: HintedSurface | ThingKind) -> tuple[SeenPart, ...]:
        """Outline the parts of a surface, or the things of a kind.

        Parameters
        ----------
        name : HintedSurface or ThingKind
            What is outlined.

        Returns
        -------
        tuple of SeenPart
            The largest first, each with an outline that hints accept; holes are joined to the outline by a cut.
        """
        found = []
        min_area = MIN_SMALL_AREA if name in _SMALL else MIN_AREA
        for part in _list_parts(self.labels == _NUMBER[name], min_area):
            for piece, polygon in _outline_pieces(part, min_area):
                found.append(SeenPart(polygon, float(self.certainty[piece].mean()), float(piece.mean())))
        return tuple(found[:MAX_PARTS])


def label_photo(scene: Scene, *, with_panes: bool) -> LabeledPhoto:
    """Label each pixel of a photo with what hints could name there.

    Parameters
    ----------
    scene : Scene
        The photo.
    with_panes : bool
        Whether panes of houses are looked for, which takes as long as everything else together.

    Returns
    -------
    LabeledPhoto
        Pixels that show none of LABELS, or none clearly, have label 0.
    """
    return _label_house(scene, with_panes=with_panes) if scene.outdoors else _label_room(scene)


def _label_house(scene: Scene, *, with_panes: bool) -> LabeledPhoto:
    shares = {HintedSurface.SKY: scene.sky, HintedSurface.LAWN: scene.lawn}
    if with_panes:
        shares[HintedSurface.PANE] = scene.windows
    labels, certainty = np.zeros(scene.sky.shape, np.uint8), 1 - plane(np.max(list(shares.values()), 0))
    for name, share in shares.items():
        inside = share > 0.5
        labels[inside] = _NUMBER[name]
        certainty[inside] = share[inside]
    return LabeledPhoto(labels, certainty)


def _label_room(scene: Scene) -> LabeledPhoto:
    surfaces = scene.surfaces
    numbers = np.zeros(len(Surface), np.uint8)
    for surface, name in _NAMES.items():
        numbers[PLACE[surface]] = _NUMBER[name]
    labels = numbers[surfaces.argmax(2)]
    for coarse, fine, coarse_label, fine_label in _FINER:
        inside = labels == _NUMBER[coarse]
        labels[inside & _find_finer(scene, coarse, fine, coarse_label, fine_label)] = _NUMBER[fine]
    return LabeledPhoto(labels, plane(surfaces.max(2)))


def _find_finer(scene: Scene, coarse: HintedSurface, fine: HintedSurface, *labels: Label) -> Mask:
    """Where a surface for which the engine has one name is the finer one of two, by the hints or by the net."""
    hinted = scene.hints.surfaces
    if coarse in hinted or fine in hinted:
        height, width = scene.small.shape[:2]
        return np.asarray(draw_surface(hinted.get(fine, ()), width, height) > 0)
    coarse_share, fine_share = (scene.label_share(each) for each in labels)
    return np.asarray(fine_share > coarse_share)


def _list_parts(mask: Mask, min_area: float) -> Iterator[Mask]:
    """The parts of a mask that are large and wide enough to be outlined, the largest first."""
    solid = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((OPENING, OPENING), np.uint8))
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(solid, connectivity=4)
    areas = stats[:, cv2.CC_STAT_AREA]
    largest = [each for each in np.argsort(-areas) if each and areas[each] >= min_area * mask.size]
    for number in largest[:MAX_PARTS]:
        yield np.asarray(numbers == number)


def _outline_pieces(part: Mask, min_area: float, depth: int = 0) -> Iterator[tuple[Mask, Polygon]]:
    """The part with its outline; the part is cut in halves if no outline of few corners fits it."""
    polygon = outline(part)
    if polygon is not None and (depth == MAX_CUTS or _measure_fit(polygon, part) >= MIN_FIT):
        yield part, polygon
    elif depth < MAX_CUTS:
        rows, columns = np.flatnonzero(part.any(1)), np.flatnonzero(part.any(0))
        halves = np.zeros((2, *part.shape), bool)
        if rows[-1] - rows[0] > columns[-1] - columns[0]:
            middle = (rows[0] + rows[-1]) // 2
            halves[0, :middle], halves[1, middle:] = part[:middle], part[middle:]
        else:
            middle = (columns[0] + columns[-1]) // 2
            halves[0, :, :middle], halves[1, :, middle:] = part[:, :middle], part[:, middle:]
        for half in halves:
            for piece in _list_parts(half, min_area):
                yield from _outline_pieces(piece, min_area, depth + 1)


def _measure_fit(polygon: Polygon, part: Mask) -> float:
    drawn = draw_polygons([polygon], part.shape[1], part.shape[0]) > 0
    return float((drawn & part).sum() / (drawn | part).sum())
