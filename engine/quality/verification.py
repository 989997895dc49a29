"""Finds what changed between an original and its altered picture, and whether anything fixed moved.

Only the two pictures are needed.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, Plane, plane
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.color.profiles import ColorProfile
from engine.filters.morphology import dilate, erode
from engine.geometry.surface import PLACE, Surface
from engine.quality.alignment import AlignedPair, Fit, align_pictures, to_gray
from engine.quality.changes import PictureChange
from engine.quality.fixed_parts import measure_moved_openings, measure_softened_edges, measure_strayed_edges
from engine.quality.structure import correlate_edges, find_structure, find_worst_part
from engine.segmentation.labels import Label
from engine.segmentation.scene import Scene
from engine.types.enhancements import Enhancement

CERTAIN_DIFFERENCE = 5.0
"""CIEDE2000 above which a pixel has certainly changed."""
POSSIBLE_DIFFERENCE = 2.0
"""CIEDE2000 above which pixels next to certainly changed pixels belong to the same region."""
BLUR_SIGMA = 1.0
"""Sigma, in pixels, of the blur that removes grain and JPEG blocks before pictures are compared."""
COPY_BLUR_SIGMA = 2.0
"""BLUR_SIGMA for a copy of another size, which also lacks fine detail."""
MIN_REGION_SHARE = 0.0006
"""Least share of the picture for a changed region to be reported."""
CLOSING_RADIUS = 4
"""Radius, in pixels, over which gaps in a changed region are closed."""
REGION_MARGIN = 4
"""Pixels around a changed region that count neither as changed nor as unchanged."""
MIN_CERTAIN_SHARE = 0.05
"""Least share of a changed region's pixels that must have changed with certainty."""
MIN_GLOBAL_SHARE = 0.5
"""Least share of changed pixels outside sky and lawn for the light of the whole picture to count as changed."""
MIN_KEPT_CORRELATION = 0.4
"""The correlation of edges below which a place has lost its shapes; other light leaves 0.7 and more."""
MAX_OUTSIDE_MEDIAN = 1.0
"""Largest median CIEDE2000 outside of the changed regions, as in the quality report."""
MAX_OUTSIDE_P95 = 3.0
"""Largest CIEDE2000 at the 95th percentile outside of the changed regions."""
MAX_OPENING_MOVE = 0.008
"""Largest movement of a door or window, as a share of the long side."""
MAX_WALL_LOSS = 0.25
"""Largest share of a facade's worst part that may lose its shapes, as in the quality report."""
MAX_MOVED_EDGES = 0.06
"""Largest length of moved edges over the side of a room's worst part, as in the quality report."""
MAX_SOFTENED_EDGES = 0.05
"""Largest length of softened edges over the side of a room's worst part, as in the quality report."""
MIN_OPENING_SHARE = 0.002
"""Least share of the picture for a door or window to be checked."""
OUTLINE_RADIUS = 3
"""Pixels on both sides of an opening's outline that are compared."""
MIN_OPENING_LABEL = 0.3
"""Mean share of opening below which an opening may be gone."""
MAX_WALL_LABEL = 0.3
"""Mean share of wall above which an opening is not checked, because it may be a wall."""
MIN_FILLED_WALL = 0.5
"""Mean share of wall above which an opening may be filled."""
MAX_BARE_STRUCTURE = 0.2
"""Share of an opening's former structure below which its place counts as bare."""
MIN_UNDECLARED_SHARE = 0.004
"""Least share of the picture of an undeclared change, if only sky or lawn are declared."""
_OUTDOOR_OPENINGS = (Label.PANE, Label.DOOR, Label.GARAGE_DOOR)
_OUTDOOR_WALLS = (Label.FACADE, Label.ROOF, Label.SHUTTER)
_REGION_ENHANCEMENTS = frozenset({Enhancement.SKY, Enhancement.GRASS})


class VerificationFault(StrEnum):
    """Faults of an altered picture. Programs may rely on these stable names."""

    OUTSIDE_CHANGED = "outside_changed"
    OPENING_GONE = "opening_gone"
    OPENING_ADDED = "opening_added"
    OPENING_MOVED = "opening_moved"
    WALLS_CHANGED = "walls_changed"
    UNDECLARED_CHANGE = "undeclared_change"


@dataclass(frozen=True, slots=True)
class ChangedRegion:
    """A changed region: its share of the picture, its box (left, top, right, bottom; 0-1), and what was there."""

    share: float
    box: tuple[float, float, float, float]
    shows: str


@dataclass(frozen=True, slots=True)
class Outside:
    """CIEDE2000 outside of the changed regions; `share` is the outside's share of the picture."""

    share: float
    median: float
    p95: float
    maximum: float


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings about two pictures. `outside` is None if all light changed: then only shapes are compared.

    `shared` is the share of the original that the altered picture shows. `openings` is how many doors and windows
    are checked; `moved` is the farthest that any of them moved, as a share of the long side. `walls_lost` is the
    share of a facade's worst part that lost its shapes, or, in a room, the length of edges that moved or softened.
    """

    fit: Fit
    shared: float
    global_light: bool
    regions: tuple[ChangedRegion, ...]
    outside: Outside | None
    openings: int
    openings_gone: int
    openings_added: int
    moved: float
    walls_lost: float
    faults: tuple[VerificationFault, ...]

    @property
    def passed(self) -> bool:
        """Whether no fault was found."""
        return not self.faults

    @property
    def changed_share(self) -> float:
        """The share of the compared picture that lies in changed regions."""
        return sum(each.share for each in self.regions)


def verify_pictures(
    original: Pixels,
    altered: Pixels,
    profiles: tuple[ColorProfile, ColorProfile],
    declared: Collection[Enhancement] = (),
) -> Verification:
    """Compare two decoded pictures.

    Parameters
    ----------
    original : (H, W, 3) ndarray of uint8
        Gamma-coded, in the color space of its profile.
    altered : (H', W', 3) ndarray of uint8
        Gamma-coded, in the color space of its profile; of any size: it may be resized, cropped or straightened.
    profiles : tuple of ColorProfile
        Of the original and of the altered picture.
    declared : Collection of Enhancement, optional
        What is declared as altered. If only sky or lawn are declared, no other change is allowed.

    Returns
    -------
    Verification
        The findings, with the faults found.

    Raises
    ------
    NotComparable
        If the pictures show different places, share too little, or are too small.
    """
    pair = align_pictures(
        *(profile.to_srgb(each) for each, profile in zip((original, altered), profiles, strict=True))
    )
    return _Comparison(pair, frozenset(declared)).result()


class _Comparison:
    """Measures one pair of pictures; each measure is computed once."""

    def __init__(self, pair: AlignedPair, declared: frozenset[Enhancement]) -> None:
        self._pair, self._declared = pair, declared
        # Parts that the altered picture does not show are copied from the original, so that they do not differ.
        after = np.where(pair.shared[..., None], pair.after, pair.before)
        self._after = np.asarray(after, np.uint8)
        self._gray = to_gray(pair.before), to_gray(self._after)
        self._scenes = Scene(pair.before, ColorProfile(), ""), Scene(self._after, ColorProfile(), "")

    def result(self) -> Verification:
        """The findings about the pair."""
        gone, added = self._count_lost(0, 1), self._count_lost(1, 0)
        moved, walls = self._measure_moved(), self._measure_walls()
        regions, outside = tuple(self._list_regions()), None if self._is_global else self._measure_outside()
        found = {
            VerificationFault.OUTSIDE_CHANGED: outside is not None
            and (outside.median > MAX_OUTSIDE_MEDIAN or outside.p95 > MAX_OUTSIDE_P95),
            VerificationFault.OPENING_GONE: gone > 0,
            VerificationFault.OPENING_ADDED: added > 0,
            VerificationFault.OPENING_MOVED: moved > MAX_OPENING_MOVE,
            VerificationFault.WALLS_CHANGED: walls > (MAX_WALL_LOSS if self._outdoors else MAX_MOVED_EDGES),
            VerificationFault.UNDECLARED_CHANGE: self._has_undeclared(),
        }
        return Verification(
            self._pair.fit,
            float(self._pair.shared.mean()),
            self._is_global,
            regions,
            outside,
            len(list(_split(self._openings[0]))),
            gone,
            added,
            moved,
            walls,
            tuple(fault for fault, holds in found.items() if holds),
        )

    @cached_property
    def _outdoors(self) -> bool:
        return self._scenes[0].outdoors

    @cached_property
    def _difference(self) -> Plane:
        """CIEDE2000 of each pixel after grain is removed; a resized copy may be shifted by less than a pixel."""
        copied = self._pair.fit is not Fit.SAME
        sigma = COPY_BLUR_SIGMA if copied else BLUR_SIGMA
        was, now = (srgb_to_lab(_blur(each, sigma)) for each in (self._pair.before, self._after))
        if copied:
            square = np.ones((3, 3), np.uint8)
            was = plane(np.clip(now, cv2.erode(was, square), cv2.dilate(was, square)))
        return plane(compute_delta_e(was, now) * self._pair.shared)

    @cached_property
    def _moved_colors(self) -> Mask:
        return np.asarray(self._difference > CERTAIN_DIFFERENCE, np.bool_)

    @cached_property
    def _is_global(self) -> bool:
        rest = self._pair.shared & (self._scenes[0].label_share(Label.SKY, Label.LAWN) < 0.5)
        return bool(rest.any() and float((self._difference[rest] > POSSIBLE_DIFFERENCE).mean()) > MIN_GLOBAL_SHARE)

    @cached_property
    def _correlation(self) -> Plane:
        return correlate_edges(*self._gray)

    @cached_property
    def _changed(self) -> Mask:
        """Where the picture changed; if all light changed, where shapes changed."""
        seeds, reached = self._moved_colors, np.asarray(self._difference > POSSIBLE_DIFFERENCE, np.bool_)
        if self._is_global:
            seeds = reached = np.asarray(self._structures[0] & (self._correlation < MIN_KEPT_CORRELATION), np.bool_)
        closed = erode(dilate(reached, CLOSING_RADIUS), CLOSING_RADIUS) & self._pair.shared
        kept = np.zeros_like(closed)
        for region in _split(closed, MIN_REGION_SHARE):
            if float(seeds[region].mean()) > MIN_CERTAIN_SHARE:
                kept |= region
        return kept

    def _list_regions(self) -> Iterator[ChangedRegion]:
        height, width = self._changed.shape
        for region in sorted(_split(self._changed, MIN_REGION_SHARE), key=lambda each: -int(each.sum())):
            rows, columns = np.nonzero(region)
            left, top = float(columns.min()) / width, float(rows.min()) / height
            right, bottom = float(columns.max() + 1) / width, float(rows.max() + 1) / height
            yield ChangedRegion(float(region.mean()), (left, top, right, bottom), self._name(region))

    def _name(self, region: Mask) -> str:
        """The label or surface that most of the region showed in the original."""
        names: Sequence[StrEnum] = tuple(Label) if self._outdoors else tuple(Surface)
        return names[int(np.bincount(self._seen_there[region]).argmax())].value

    @cached_property
    def _seen_there(self) -> NDArray[np.int64]:
        """What each pixel of the original most likely shows: the index of its label, or of its surface in rooms."""
        scene = self._scenes[0]
        shares = [scene.label_share(label) for label in Label] if self._outdoors else scene.surfaces
        return np.asarray(np.argmax(shares, 0 if self._outdoors else -1), np.int64)

    def _measure_outside(self) -> Outside:
        rest = self._pair.shared & ~dilate(self._changed, REGION_MARGIN)
        differences = self._difference[rest]
        if not differences.size:
            return Outside(0.0, 0.0, 0.0, 0.0)
        middle, high = (float(each) for each in np.quantile(differences, (0.5, 0.95)))
        return Outside(float(rest.mean()), middle, high, float(differences.max()))

    @cached_property
    def _openings(self) -> tuple[Mask, Mask]:
        """Where doors and windows are, in the original and in the altered picture."""
        return self._find_openings(self._scenes[0]), self._find_openings(self._scenes[1])

    def _find_openings(self, scene: Scene) -> Mask:
        return np.asarray(erode(dilate(self._opening_share(scene) > 0.5, 2), 2) & self._pair.shared, np.bool_)

    def _opening_share(self, scene: Scene) -> Plane:
        if self._outdoors:
            return scene.label_share(*_OUTDOOR_OPENINGS)
        return plane(scene.surfaces[..., PLACE[Surface.WINDOW]] + scene.surfaces[..., PLACE[Surface.DOOR]])

    def _wall_share(self, scene: Scene) -> Plane:
        if self._outdoors:
            return scene.label_share(*_OUTDOOR_WALLS)
        return plane(scene.surfaces[..., PLACE[Surface.WALL]])

    def _count_lost(self, source: int, target: int) -> int:
        """Count the openings of picture `source` that changed shape in `target` and are wall or bare there."""
        here, there = self._scenes[source], self._scenes[target]
        opening, wall = self._opening_share(there), self._wall_share(there)
        structured = self._structures[source]
        count = 0
        for each in _split(self._openings[source]):
            ring = dilate(each, OUTLINE_RADIUS) & ~erode(each, OUTLINE_RADIUS) & structured
            if not ring.any() or float(self._wall_share(here)[each].mean()) > MAX_WALL_LABEL:
                continue
            lost = float(np.median(self._correlation[ring])) < MIN_KEPT_CORRELATION
            is_wall = float(opening[each].mean()) < MIN_OPENING_LABEL and float(wall[each].mean()) > MIN_FILLED_WALL
            bare = float(self._structures[target][each].mean()) < MAX_BARE_STRUCTURE * float(
                self._structures[source][each].mean()
            )
            count += lost and (is_wall or bare)
        return count

    @cached_property
    def _structures(self) -> tuple[Mask, Mask]:
        was, now = self._gray
        return find_structure(was, now, self._pair.shared), find_structure(now, was, self._pair.shared)

    def _measure_moved(self) -> float:
        parts = np.zeros((*self._gray[0].shape, len(Surface)), np.float32)
        parts[..., PLACE[Surface.WINDOW]] = self._openings[0]
        return measure_moved_openings(*self._gray, parts)

    def _measure_walls(self) -> float:
        """The share of the worst part of walls and openings that lost its shapes; in rooms, the length of edges."""
        if self._outdoors:
            scene = self._scenes[0]
            fixed = (self._wall_share(scene) + self._opening_share(scene)) > 0.5
            lost = self._structures[0] & (self._correlation < MIN_KEPT_CORRELATION) & erode(fixed, REGION_MARGIN)
            return find_worst_part(plane(lost))
        change = PictureChange(self._pair.before, self._after, plane(self._pair.shared))
        hidden = np.asarray(change.firm_things | ~self._pair.shared, np.bool_)
        surfaces = self._scenes[0].surfaces
        strayed = measure_strayed_edges(*self._gray, surfaces, hidden)
        softened = measure_softened_edges(*self._gray, surfaces, hidden)
        return max(strayed, softened * MAX_MOVED_EDGES / MAX_SOFTENED_EDGES)

    def _has_undeclared(self) -> bool:
        """Whether anything else changed, if only sky or lawn are declared as altered."""
        if self._is_global or not self._declared or not self._declared <= _REGION_ENHANCEMENTS:
            return False
        scene = self._scenes[0]
        # Panes and water mirror the sky.
        sky = np.maximum(scene.any_sky, scene.label_share(Label.PANE, Label.WATER))
        shares = {Enhancement.SKY: sky, Enhancement.GRASS: scene.lawn}
        allowed = np.zeros(self._changed.shape, np.bool_)
        for each in self._declared:
            allowed |= shares[each] > 0.05
        beside = self._changed & ~dilate(allowed, 3 * REGION_MARGIN)
        return any(float(each.mean()) > MIN_UNDECLARED_SHARE for each in _split(beside, MIN_UNDECLARED_SHARE))


def _blur(pixels: Pixels, sigma: float) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), sigma), np.uint8)


def _split(mask: Mask, least: float = MIN_OPENING_SHARE) -> Iterator[Mask]:
    """The connected parts of a mask that cover at least the share `least` of the picture."""
    count, parts, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    for number in range(1, count):
        if stats[number, cv2.CC_STAT_AREA] >= least * mask.size:
            yield np.asarray(parts == number, np.bool_)
