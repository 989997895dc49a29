"""Finds where each edit may change the picture, by the segmentation of the room or else by height."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.canvas import Canvas, Declined
from engine.filters.morphology import dilate, erode
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.things import BUILT_IN, MIN_PART, measure_share_around, split_into_parts
from engine.materials.regions import SURFACES, find_surface_share
from engine.segmentation.hinted_surfaces import THINGS, draw_polygons, list_hinted
from engine.segmentation.labels import Label
from engine.types.enhancements import ChangeType
from engine.types.report import Reason

CEILING = 0.1
"""Share of the height, from the top, that lies above all furniture in nearly every photo of a room."""
KEPT_ABOVE: Mapping[ChangeType, float] = {
    # A floor ends below the horizon, which is near the middle.
    ChangeType.FLOOR: 0.42,
    ChangeType.COUNTERTOPS: 0.25,
    ChangeType.BACKSPLASH: 0.1,
    ChangeType.APPLIANCES: 0.1,
}
"""Share of the height, from the top, that a change never needs; other changes may need the whole height."""
MARGIN = 0.015
"""Share of the long side by which a region is widened: for soft edges, errors of the segmentation, and shadows."""
SHADOW_DISTANCE = 0.1
"""Distance from furniture, as a share of the long side, in which the floor may also change: shadows, rugs."""
MIN_THING_SHARE = 0.35
"""Least share of furniture for a pixel to count as furniture; low, because missed furniture would stay."""
MIN_CLUTTER_SHARE = 0.15
"""Least share of clutter for a pixel to count as clutter; low, because missed clutter would stay."""
MIN_AREA = 0.004
"""Least share of the picture that the things to remove must cover; below it, the gate would see no edit."""
MIN_CONTAINED_SHARE = 0.5
"""Least part of the summed shares that must lie in the region; with less, the segmentation is too uncertain."""
MAX_ENGULFED_AREA = 0.03
"""Largest share of the picture for a part labeled as built in to count as a part of the things around it."""
MIN_ENGULFED_OUTLINE = 0.4
"""Least share of such a part's outline that must border on things."""
MIN_SURFACE_SHARE = 0.5
"""Least share of a surface for a pixel to count as that surface."""
FURNITURE: Set[Surface] = frozenset({Surface.FURNITURE, Surface.RUG, Surface.CLUTTER})
"""The surfaces that furniture removal removes."""

_FLOOR_AND_RUG: Set[Surface] = frozenset({Surface.FLOOR, Surface.RUG})


@dataclass(frozen=True, slots=True)
class Region:
    """Where an edit may change the picture: inside `mask` (small), or below `kept_above` if `mask` is None.

    `kept_above` is a share of the height from the top. `can_widen` says that `mask` may be too small: an edit that
    reaches beyond it is assumed to change the same object. `has_hinted_things` says that it has exactly the things
    that hints outline.
    """

    kept_above: float = 0.0
    mask: Mask | None = None
    can_widen: bool = False
    has_hinted_things: bool = False

    def to_map(self, shape: tuple[int, ...]) -> Plane:
        """The region as a map as large as a picture.

        Parameters
        ----------
        shape : tuple of int
            Rows and columns of the picture; further dimensions are ignored.

        Returns
        -------
        (h, w) ndarray of float32
            1 where the picture may change, else 0.
        """
        height, width = shape[:2]
        if self.mask is not None:
            return plane(cv2.resize(plane(self.mask), (width, height), interpolation=cv2.INTER_LINEAR) > 0.5)
        region = np.ones((height, width), np.float32)
        region[: round(self.kept_above * height)] = 0
        return region

    def widen(self) -> "Region":
        """The region for the next attempt after an edit that reached beyond this region.

        Returns
        -------
        Region
            Everything below `kept_above` if `can_widen`, otherwise this region.
        """
        return replace(self, mask=None, can_widen=False) if self.can_widen else self


def find_clutter_region(canvas: Canvas) -> Region:
    """The region of the declutter step: clutter and its surroundings; only hinted things if there are any.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.

    Returns
    -------
    Region
        All below CEILING if the photo is taken outdoors, too little clutter is visible, or most of it is uncertain.

    Raises
    ------
    Declined
        NOTHING_TO_REMOVE, if things are hinted, but no clutter.
    """
    return _find_region_of_things(canvas, {Surface.CLUTTER}, MIN_CLUTTER_SHARE)


def find_furniture_region(canvas: Canvas) -> Region:
    """The region of furniture removal: furniture, rugs and clutter, their surroundings, and the floor around.

    With hinted things, the region is these and their surroundings alone, because the outlines include the shadows.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.

    Returns
    -------
    Region
        All below CEILING if the photo is taken outdoors, too few such things are visible, or most are uncertain.
    """
    return _find_region_of_things(canvas, FURNITURE, MIN_THING_SHARE, SHADOW_DISTANCE)


def _find_region_of_things(canvas: Canvas, kinds: Set[Surface], min_share: float, shadow: float = 0.0) -> Region:
    everywhere = Region(CEILING)
    if canvas.hints.things:
        return replace(everywhere, mask=_draw_hinted_things(canvas, kinds), has_hinted_things=True)
    if canvas.scene.outdoors:
        return everywhere
    surfaces = canvas.find_surfaces()
    share = _sum_shares(surfaces, kinds)
    things = _exclude_ceiling(_remove_noise(np.asarray(share > min_share)), surfaces)
    things |= _find_engulfed(surfaces, things)
    if things.mean() < MIN_AREA:
        return everywhere
    region = _add_margin(things)
    if share[region].sum() < MIN_CONTAINED_SHARE * share.sum():
        return everywhere
    floor = _sum_shares(surfaces, _FLOOR_AND_RUG) > MIN_SURFACE_SHARE
    return replace(everywhere, mask=np.asarray(region | (_find_near(things, shadow) & floor)), can_widen=True)


def _draw_hinted_things(canvas: Canvas, kinds: Set[Surface]) -> Mask:
    outlines = [each.polygon for each in canvas.hints.things if THINGS[each.kind] in kinds]
    if not outlines:
        raise Declined(Reason.NOTHING_TO_REMOVE, "None of the things that were named is for this step.")
    height, width = canvas.scene.small.shape[:2]
    return _add_margin(np.asarray(draw_polygons(outlines, width, height) > 0))


def find_staging_region(_canvas: Canvas) -> Region:
    """The region of virtual staging: large, because servers place pictures and lamps higher than any rule expects.

    Returns
    -------
    Region
        All below CEILING.
    """
    return Region(CEILING)


def find_renovation_region(canvas: Canvas, types: Set[ChangeType]) -> Region:
    """The region of a renovation: the surfaces that the changes name and their surroundings.

    An edit may not reach beyond surfaces that hints outline.

    Parameters
    ----------
    canvas : Canvas
        The picture to edit.
    types : Set of ChangeType
        The types of the changes.

    Returns
    -------
    Region
        All below a share of the height (KEPT_ABOVE) if the photo is taken outdoors, a surface is not visible, or
        the surface of a change cannot be found.
    """
    everywhere = Region(min((KEPT_ABOVE.get(each, 0.0) for each in types), default=0.0))
    if canvas.scene.outdoors or not types <= {*SURFACES, ChangeType.BACKSPLASH}:
        return everywhere
    surfaces, (room, _) = canvas.find_surfaces(), canvas.find_room()
    surface_mask = np.zeros(surfaces.shape[:2], np.bool_)
    for kind in types:
        try:
            share = find_surface_share(kind, surfaces, room)
            if kind is ChangeType.CABINETS:
                # A room's surfaces count appliances as cabinets.
                share = plane(share - canvas.scene.label_share(Label.APPLIANCE))
            surface_mask |= share > MIN_SURFACE_SHARE
        except Declined:
            return everywhere
    is_hinted = {SURFACES.get(each) for each in types} <= list_hinted(canvas.hints)
    return replace(everywhere, mask=_add_margin(_remove_noise(surface_mask)), can_widen=not is_hinted)


def _sum_shares(surfaces: Plane, kinds: Set[Surface]) -> Plane:
    return plane(surfaces[..., [PLACE[each] for each in sorted(kinds)]].sum(-1))


def _remove_noise(mask: Mask) -> Mask:
    """The mask without parts of at most MIN_PART of the picture: they are noise of the segmentation."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] > MIN_PART * mask.size
    large[0] = False
    return np.asarray(large[labels], dtype=np.bool_)


def _exclude_ceiling(things: Mask, surfaces: Plane) -> Mask:
    """The things without parts that are mostly surrounded by ceiling: lamps, and ceiling mistaken for a thing."""
    labels = surfaces.argmax(-1).astype(np.uint8)
    kept = np.zeros_like(things)
    for part in split_into_parts(things):
        if measure_share_around(part, things, labels, (Surface.CEILING,)) < MIN_SURFACE_SHARE:
            kept |= part
    return kept


def _find_engulfed(surfaces: Plane, things: Mask) -> Mask:
    """Small parts labeled as built in but surrounded by things, such as a sofa's back mistaken for a countertop."""
    cupboards = np.isin(surfaces.argmax(-1), [PLACE[each] for each in BUILT_IN]) & ~things
    found = np.zeros_like(things)
    for part in split_into_parts(np.asarray(cupboards)):
        ring = dilate(part, 2) & ~part
        if part.mean() < MAX_ENGULFED_AREA and things[ring].mean() > MIN_ENGULFED_OUTLINE:
            found |= part
    return found


def _add_margin(mask: Mask) -> Mask:
    """The mask dilated by MARGIN, with gaps of up to four times MARGIN closed."""
    reach = round(MARGIN * max(mask.shape))
    return erode(_find_near(mask, 2 * MARGIN), reach)


def _find_near(mask: Mask, share: float) -> Mask:
    """All pixels at most `share` of the picture's long side away from the mask."""
    if not mask.any():
        return mask
    distance = cv2.distanceTransform((~mask).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return np.asarray(distance <= share * max(mask.shape), dtype=np.bool_)
