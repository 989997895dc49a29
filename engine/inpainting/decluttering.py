"""Removes loose things from a photo of a room one by one; things whose filling is not clean stay."""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.filters.morphology import dilate
from engine.geometry.estimation import scale_room
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.compositing import apply_filling
from engine.inpainting.emptying import Emptied, empty_room
from engine.inpainting.margins import grow_things
from engine.inpainting.patch_match import MAX_DISAGREEMENT, fill_hole
from engine.inpainting.removal import WORK_SIDE
from engine.inpainting.things import (
    EDGE_WIDTH,
    find_parts_at_edges,
    find_plain_parts,
    find_things,
    split_into_parts,
)
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.segmentation.room_surfaces import segment_room
from engine.segmentation.scene import ANALYSIS_SIDE, shrink_to
from engine.types.hints import ThingKind
from engine.types.report import Reason

MAX_THING = 0.12
"""Maximum share of the picture for a thing that may be removed."""
MAX_REMAINS = 0.4
"""Mean share of things that the net finds in a filling from which on the filling is not clean, by this alone."""
MIN_REMOVED = 0.5
"""Minimum share of the things that must be removed; with fewer, the photo is declined."""
CLUTTER = frozenset({Surface.CLUTTER})
_THINGS = tuple(PLACE[each] for each in (Surface.CLUTTER, Surface.FURNITURE, Surface.OTHER))
_PARTLY = "{count} of {total} things were taken away; behind the others too little is seen to continue it cleanly."
_NOT_CLEAN = "Things were not taken away: too little is seen of what is behind most of them to continue it cleanly."


def remove_clutter(canvas: Canvas, surfaces: Plane) -> EffectResult:
    """Remove each loose thing whose background can be continued cleanly; the other things stay unchanged.

    Parameters
    ----------
    canvas : Canvas
        The photo. Things that its hints outline are removed instead of things that the net finds.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel of the small picture, 0-1.

    Returns
    -------
    EffectResult
        The new photo, the region (h, w) and the matte (H, W) in which it changed.

    Raises
    ------
    Declined
        NOTHING_TO_REMOVE; TOO_MUCH_HIDDEN, if fewer than MIN_REMOVED of the things can be removed cleanly.
    """
    picture = shrink_to(canvas.pixels, WORK_SIDE)
    find = _draw_hinted_things if canvas.hints.things else _find_things
    things = find(canvas, surfaces, picture)
    if not things:
        raise Declined(Reason.NOTHING_TO_REMOVE, "Nothing small and loose was found in this photo.")
    size = (picture.shape[1], picture.shape[0])
    labels = cv2.resize(surfaces.argmax(2).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    everything = _unite(things, labels.shape)
    if canvas.hints.things:
        emptied = _fill_hinted(canvas, surfaces, picture, np.asarray(labels, np.uint8), things)
    else:
        plain = _enlarge(find_plain_parts(canvas.scene.small, surfaces, CLUTTER), size)
        removable = [each for each in things if (each & plain).any()]
        emptied = _fill_on_faces(canvas, picture, np.asarray(labels, np.uint8), removable, everything)
    count = sum(bool(emptied.things[each].any()) for each in things)
    if count < MIN_REMOVED * len(things):
        raise Declined(Reason.TOO_MUCH_HIDDEN, _NOT_CLEAN)
    note = "" if count == len(things) else _PARTLY.format(count=count, total=len(things))
    return apply_filling(canvas, emptied, np.asarray(labels, np.uint8), everything, note)


def _unite(masks: Sequence[Mask], shape: tuple[int, ...]) -> Mask:
    return np.asarray(np.any(masks, axis=0)) if masks else np.zeros(shape, bool)


def _draw_hinted_things(canvas: Canvas, _: Plane, picture: Pixels) -> list[Mask]:
    """The outlined loose things, widened for their soft edges."""
    height, width = picture.shape[:2]
    margin = max(2, round(EDGE_WIDTH * max(height, width)))
    loose = [each for each in canvas.hints.things if each.kind is ThingKind.CLUTTER]
    return [dilate(draw_polygons((each.polygon,), width, height) > 0, margin) for each in loose]


def _find_things(canvas: Canvas, surfaces: Plane, picture: Pixels) -> list[Mask]:
    """The loose things that the net finds, grown to their edges."""
    size = (picture.shape[1], picture.shape[0])
    other = plane(cv2.resize(surfaces[..., PLACE[Surface.OTHER]], size, interpolation=cv2.INTER_LINEAR))
    mask = _enlarge(find_things(surfaces, CLUTTER), size)
    return list(split_into_parts(grow_things(mask, canvas.scene.profile.to_srgb(picture), np.asarray(other < 0.5))))


def _enlarge(mask: Mask, size: tuple[int, int]) -> Mask:
    return np.asarray(cv2.resize(plane(mask), size, interpolation=cv2.INTER_LINEAR) > 0.5)


def _fill_hinted(
    canvas: Canvas, surfaces: Plane, picture: Pixels, labels: NDArray[np.uint8], things: Sequence[Mask]
) -> Emptied:
    """Fill hinted things: face by face in front of the edge of a plain floor, so that edge and skirting continue;
    other things with patches from their surroundings.
    """
    small, everything = canvas.scene.small, _unite(things, labels.shape)
    size, small_size = (picture.shape[1], picture.shape[0]), (small.shape[1], small.shape[0])
    shrunk = cv2.resize(plane(everything), small_size, interpolation=cv2.INTER_AREA) > 0.5
    at_edges = _enlarge(find_parts_at_edges(small, surfaces, np.asarray(shrunk)), size)
    before_edges = [each for each in things if (each & at_edges).any()]
    others = [each for each in things if not (each & at_edges).any()]
    if canvas.find_room()[0] is None or not before_edges:
        return _fill_with_patches(canvas, picture, things, everything)
    emptied = _fill_on_faces(canvas, picture, labels, before_edges, everything)
    filled = np.where(emptied.share[..., None] > 0.5, np.rint(255 * emptied.fill), picture).astype(np.uint8)
    patched = _fill_with_patches(canvas, filled, others, np.asarray(everything & ~emptied.things))
    is_patched = patched.share[..., None] > 0
    return replace(
        emptied,
        fill=plane(np.where(is_patched, patched.fill, emptied.fill)),
        share=plane(np.maximum(emptied.share, patched.share)),
        things=np.asarray(emptied.things | patched.things),
    )


def _fill_with_patches(canvas: Canvas, picture: Pixels, things: Sequence[Mask], everything: Mask) -> Emptied:
    """Fill things with patches from their surroundings, and keep clean fillings; never copy from `everything`.

    Things that touch are filled together, because otherwise each would be continued into the place of the other.
    They are removed together if each of them is filled cleanly.
    """
    filled, disagreement = picture.copy(), np.zeros(everything.shape, np.float32)
    together = _unite(things, everything.shape)
    parts = [each for each in split_into_parts(together) if each.mean() < MAX_THING]
    for part in parts:
        filling = fill_hole(picture, part, everything)
        filled[part] = filling.pixels[part]
        disagreement[part] = filling.disagreement[part]
    doubts = _measure_doubts(canvas, filled, disagreement, things)
    removed = np.zeros_like(everything)
    for part in parts:
        if all(doubt < 1 for each, doubt in zip(things, doubts, strict=True) if (each & part).any()):
            removed |= part
    opacity = cv2.GaussianBlur(plane(removed), (0, 0), 0.7)
    return Emptied(plane(filled) / np.float32(255), plane(opacity), np.zeros_like(opacity), removed)


def _fill_on_faces(
    canvas: Canvas, picture: Pixels, labels: NDArray[np.uint8], things: Sequence[Mask], everything: Mask
) -> Emptied:
    """Fill things in front of plain floor and wall face by face, with their shadows.

    Where the room is not known, things are filled with patches.
    """
    room = canvas.find_room()[0]
    if room is None or not things:
        return _fill_with_patches(canvas, picture, things, everything)
    scaled_room = scale_room(room, picture.shape[1] / canvas.scene.small.shape[1])
    content = plane(picture) / np.float32(255)
    emptied = empty_room(content, labels, _unite(things, labels.shape), scaled_room)
    filled = np.where(emptied.share[..., None] > 0.5, np.rint(255 * emptied.fill).astype(np.uint8), picture)
    doubts = _measure_doubts(canvas, filled, np.zeros(labels.shape, np.float32), things)
    clean = [each for each, doubt in zip(things, doubts, strict=True) if doubt < 1]
    if len(clean) == len(things):
        return emptied
    return empty_room(content, labels, _unite(clean, labels.shape), scaled_room)


def _measure_doubts(canvas: Canvas, filled: Pixels, disagreement: Plane, things: Sequence[Mask]) -> list[float]:
    """How doubtful the filling of each thing is; below 1, it counts as clean."""
    seen = segment_room(canvas.scene.profile.to_srgb(shrink_to(filled, ANALYSIS_SIDE)))
    size = (filled.shape[1], filled.shape[0])
    remains = plane(cv2.resize(plane(seen[..., _THINGS].sum(2)), size, interpolation=cv2.INTER_LINEAR))
    return [
        float(np.quantile(disagreement[each], 0.95)) / MAX_DISAGREEMENT + float(remains[each].mean()) / MAX_REMAINS
        for each in things
    ]
