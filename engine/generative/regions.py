"""Where each edit may change the picture: by the segmentation of the room, else by height."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Canvas, Declined
from engine.filters.morphology import dilate, erode
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.things import BUILT_IN, LEAST_PART, measure_share_around, split_into_parts
from engine.materials.regions import SURFACES, find_surface_share
from engine.types.enhancements import ChangeType

CEILING = 0.1
"""Share of the height that is ceiling, or wall above all furniture, in nearly every photo of a room."""
KEPT_ABOVE: Mapping[ChangeType, float] = {
    # A floor ends below the horizon, which is near the middle.
    ChangeType.FLOOR: 0.42,
    ChangeType.COUNTERTOPS: 0.25,
    ChangeType.BACKSPLASH: 0.1,
    ChangeType.APPLIANCES: 0.1,
}
"""Share of the height, from the top, that a change leaves alone; the others may need all of it."""
MARGIN = 0.015
"""Share of the long side by which a region reaches beyond what is seen: soft edges, the map's errors, shadows."""
SHADOW = 0.1
"""Share of the long side from furniture up to which floor lies in its shadow, or under its rug."""
THING, LITTER = 0.35, 0.15
"""Shares from which a pixel counts as one of furniture, and as one of clutter; what is missed would stay."""
LEAST_SEEN = 0.004
"""Share of the picture that must be seen of what is to go: with less, no edit of it would be one to the gate."""
LEAST_HELD = 0.5
"""The share of all that the map expects that the region must hold; with less the map is too uncertain."""
MOST_ENGULFED, ENGULFED = 0.03, 0.4
"""The share of the picture up to which a cupboard may be a part of the things around; of its outline, how much."""
SURE = 0.5
FURNITURE: Set[Surface] = frozenset({Surface.FURNITURE, Surface.RUG, Surface.CLUTTER})

_GROUND: Set[Surface] = frozenset({Surface.FLOOR, Surface.RUG})


@dataclass(frozen=True, slots=True)
class Region:
    """Where an edit may change the picture: the part `seen` (small), or else all below a share of the height.

    `widens`: the part seen may be too small; what reaches beyond it belongs to the same object.
    """

    kept_above: float = 0.0
    seen: Mask | None = None
    widens: bool = False

    def free(self, shape: tuple[int, ...]) -> Plane:
        """The region as a map of a picture.

        Parameters
        ----------
        shape : tuple of int
            Rows and columns of the picture; more are ignored.

        Returns
        -------
        (h, w) ndarray of float32
            1 where the picture may change, else 0.
        """
        height, width = shape[:2]
        if self.seen is not None:
            return plane(cv2.resize(plane(self.seen), (width, height), interpolation=cv2.INTER_LINEAR) > 0.5)
        region = np.ones((height, width), np.float32)
        region[: round(self.kept_above * height)] = 0
        return region

    def widen(self) -> "Region":
        """The region for another try, after an edit that reached beyond this one.

        Returns
        -------
        Region
            All below `kept_above`; the same region where it does not widen.
        """
        return replace(self, seen=None, widens=False) if self.widens else self


def find_clutter_region(canvas: Canvas) -> Region:
    """The region of the declutter step: clutter and what is close to it.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.

    Returns
    -------
    Region
        All below CEILING outdoors, where little clutter is seen, or where most of it is uncertain.
    """
    return _find_region_of_things(canvas, {Surface.CLUTTER}, LITTER)


def find_furniture_region(canvas: Canvas) -> Region:
    """The region of furniture removal: furniture, rugs, clutter, what is close to them, and the floor around.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.

    Returns
    -------
    Region
        All below CEILING outdoors, where few of these things are seen, or where most of them are uncertain.
    """
    return _find_region_of_things(canvas, FURNITURE, THING, SHADOW)


def _find_region_of_things(canvas: Canvas, which: Set[Surface], least: float, shadow: float = 0.0) -> Region:
    everywhere = Region(CEILING)
    if canvas.scene.outdoors:
        return everywhere
    surfaces = canvas.find_surfaces()
    share = _share(surfaces, which)
    things = _exclude_ceiling(_parts(np.asarray(share > least)), surfaces)
    things |= _find_engulfed(surfaces, things)
    if things.mean() < LEAST_SEEN:
        return everywhere
    region = _add_margin(things)
    if share[region].sum() < LEAST_HELD * share.sum():
        return everywhere
    floor = _share(surfaces, _GROUND) > SURE
    return replace(everywhere, seen=np.asarray(region | (_find_near(things, shadow) & floor)), widens=True)


def find_staging_region(_canvas: Canvas) -> Region:
    """The region of virtual staging: servers hang pictures and stand lamps higher than a rule would have them.

    Returns
    -------
    Region
        All below CEILING.
    """
    return Region(CEILING)


def find_renovation_region(canvas: Canvas, types: Set[ChangeType]) -> Region:
    """The surfaces that the changes name and what is close to them.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.
    types : Set of ChangeType
        What is changed.

    Returns
    -------
    Region
        All below a share of the height outdoors, and where a surface is not seen or a change is of something else.
    """
    everywhere = Region(min((KEPT_ABOVE.get(each, 0.0) for each in types), default=0.0))
    if canvas.scene.outdoors or not types <= {*SURFACES, ChangeType.BACKSPLASH}:
        return everywhere
    surfaces, (room, _) = canvas.find_surfaces(), canvas.find_room()
    seen = np.zeros(surfaces.shape[:2], np.bool_)
    for kind in types:
        try:
            seen |= find_surface_share(kind, surfaces, room) > SURE
        except Declined:
            return everywhere
    return replace(everywhere, seen=_add_margin(_parts(seen)), widens=True)


def _share(surfaces: Plane, which: Set[Surface]) -> Plane:
    return plane(surfaces[..., [PLACE[each] for each in sorted(which)]].sum(-1))


def _parts(mask: Mask) -> Mask:
    """The mask without parts so small that they are noise of the map."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] > LEAST_PART * mask.size
    large[0] = False
    return np.asarray(large[labels], dtype=np.bool_)


def _exclude_ceiling(things: Mask, surfaces: Plane) -> Mask:
    """The things without those that hang on the ceiling, or are a part of it that was taken for a thing."""
    labels = surfaces.argmax(-1).astype(np.uint8)
    kept = np.zeros_like(things)
    for part in split_into_parts(things):
        if measure_share_around(part, things, labels, (Surface.CEILING,)) < SURE:
            kept |= part
    return kept


def _find_engulfed(surfaces: Plane, things: Mask) -> Mask:
    """Small parts seen as cupboards that things surround: a sofa's back is easily taken for a countertop."""
    cupboards = np.isin(surfaces.argmax(-1), [PLACE[each] for each in BUILT_IN]) & ~things
    found = np.zeros_like(things)
    for part in split_into_parts(np.asarray(cupboards)):
        ring = dilate(part, 2) & ~part
        if part.mean() < MOST_ENGULFED and things[ring].mean() > ENGULFED:
            found |= part
    return found


def _add_margin(mask: Mask) -> Mask:
    """The mask dilated by MARGIN, its gaps of up to four times that closed."""
    reach = round(MARGIN * max(mask.shape))
    return erode(_find_near(mask, 2 * MARGIN), reach)


def _find_near(mask: Mask, share: float) -> Mask:
    """All pixels within a share of the long side of the mask."""
    if not mask.any():
        return mask
    away = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(away <= share * max(mask.shape), dtype=np.bool_)
