"""Removes all furniture from a photo of a room, or declines the photo."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.geometry.estimation import scale_room
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.compositing import apply_filling
from engine.inpainting.emptying import Emptied, empty_room
from engine.inpainting.margins import grow_things
from engine.inpainting.patch_match import MAX_DISAGREEMENT, fill_hole
from engine.inpainting.things import (
    BUILT_IN,
    FURNITURE,
    add_enclosed,
    are_hardly_seen,
    find_pixels_before,
    find_things,
    measure_share_around,
    split_into_parts,
)
from engine.segmentation.scene import shrink_to
from engine.types.report import Reason

WORK_SIDE = 1600
"""Long side, in pixels, of the copy in which content is made; grain is added at full size."""
MIN_FLOOR = 0.04
"""Minimum share of the picture that must show the floor for furniture to be removed."""
MAX_THINGS = 0.4
"""Maximum share of the picture that the things to be removed may cover."""
MIN_THINGS = 2e-4
"""Minimum share of the picture that the things to be removed must cover."""
MAX_WALLS = 5
"""Maximum number of walls of a room; with more, as in open plans, hidden parts cannot be estimated well enough."""
MAX_STAYING = 0.5
"""Maximum share of the things that may stay; with more, the photo is declined."""
MAX_GUESSED = 0.3
"""Maximum share of the things behind which a wall or the floor may be guessed."""
MAX_PART = 0.04
"""Share of the picture; a smaller thing can be filled with patches, without knowledge of the room."""
_OPENING_MESSAGE = "What stands in front of windows, doors or cupboards hides too much of them to be taken away."
MAX_SUPPORT_SHARE = 0.3
"""Share of cupboards and similar surfaces in a thing's surroundings; with more, the thing is not filled as a part
of floor or walls.
"""


def remove_things(canvas: Canvas, room: Room | None, surfaces: Plane) -> EffectResult:
    """Remove things and their shadows from a photo of a room; pixels outside the matte stay unchanged.

    Parameters
    ----------
    canvas : Canvas
        The photo.
    room : Room or None
        The room, with the camera of the small picture `canvas.scene.small`; None if it is not known.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel of the small picture, 0-1.

    Returns
    -------
    EffectResult
        The new photo, the region (h, w) and the matte (H, W) in which it changed.

    Raises
    ------
    Declined
        NOTHING_TO_REMOVE; TOO_MUCH_HIDDEN, if too little of floor, walls or the room's lines is visible;
        ROOM_UNCLEAR, for a room of more than MAX_WALLS walls; OPENING_HIDDEN, if too many things hide windows,
        doors or cupboards and would have to stay.
    """
    small_things = find_things(surfaces, FURNITURE)
    known_room = _check_room(small_things, surfaces, room)
    working = shrink_to(canvas.pixels, WORK_SIDE)
    size = (working.shape[1], working.shape[0])
    labels = cv2.resize(surfaces.argmax(2).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    things = np.asarray(cv2.resize(plane(small_things), size, interpolation=cv2.INTER_LINEAR) > 0.5)
    labels = np.asarray(labels, np.uint8)
    things = add_enclosed(things, labels)
    allowed_area = np.asarray(~np.isin(labels, [PLACE[each] for each in (Surface.OTHER, *BUILT_IN)]))
    things = grow_things(things, canvas.scene.profile.to_srgb(working), allowed_area)
    emptied = _fill_parts(working, labels, things, scale_room(known_room, size[0] / small_things.shape[1]))
    _check_removed(things, emptied)
    return apply_filling(canvas, emptied, labels, things)


def _check_room(things: Mask, surfaces: Plane, room: Room | None) -> Room:
    """Return the room, or decline the photo if the room cannot be emptied."""
    if things.mean() < MIN_THINGS:
        raise Declined(Reason.NOTHING_TO_REMOVE, "No furniture was found in this photo.")
    if things.mean() > MAX_THINGS:
        raise Declined(
            Reason.TOO_MUCH_HIDDEN, "Too much of the room is hidden to know what is behind the furniture."
        )
    if room is None:
        raise Declined(Reason.TOO_MUCH_HIDDEN, "Too little of the room's lines is seen to empty it faithfully.")
    if len(room.walls) > MAX_WALLS:
        raise Declined(Reason.ROOM_UNCLEAR, "The room has too many corners and openings to be emptied faithfully.")
    labels = surfaces.argmax(2).astype(np.uint8)
    if are_hardly_seen(things, labels, BUILT_IN):
        raise Declined(Reason.OPENING_HIDDEN, _OPENING_MESSAGE)
    floor = np.asarray((labels == PLACE[Surface.FLOOR]) & ~things)
    if floor.mean() < MIN_FLOOR:
        raise Declined(
            Reason.TOO_MUCH_HIDDEN, "Too little of the floor is seen to continue it under the furniture."
        )
    return room


def _fill_parts(working: Pixels, labels: NDArray[np.uint8], things: Mask, room: Room) -> Emptied:
    """Fill small parts in front of cupboards with patches, others face by face; parts that neither suits stay."""
    picture = plane(working) / np.float32(255)
    on_faces = np.zeros_like(things)
    before_cupboards: list[Mask] = []
    for part in split_into_parts(things):
        before = find_pixels_before(part, things, labels, BUILT_IN)
        if measure_share_around(part, things, labels, BUILT_IN) < MAX_SUPPORT_SHARE:
            on_faces |= part & ~before
            before_cupboards += split_into_parts(before)
        else:
            before_cupboards.append(part)
    emptied = empty_room(picture, labels, on_faces, room) if on_faces.any() else _make_unchanged(picture)
    for part in before_cupboards:
        if part.mean() < MAX_PART:
            emptied = _add_patches(emptied, working, part, things)
    return emptied


def _add_patches(emptied: Emptied, working: Pixels, part: Mask, things: Mask) -> Emptied:
    """Add the filling of one part, unless the fillings disagree."""
    filling = fill_hole(working, part, things)
    if float(np.quantile(filling.disagreement[part], 0.95)) > MAX_DISAGREEMENT:
        return emptied
    fill = emptied.fill.copy()
    fill[part] = plane(filling.pixels[part]) / np.float32(255)
    opacity = cv2.GaussianBlur(plane(part), (0, 0), 0.7)
    return replace(
        emptied,
        fill=fill,
        share=plane(np.maximum(emptied.share, opacity)),
        things=np.asarray(emptied.things | part),
    )


def _make_unchanged(picture: Plane) -> Emptied:
    zeros = np.zeros(picture.shape[:2], np.float32)
    return Emptied(picture.copy(), zeros, zeros.copy(), np.zeros(zeros.shape, bool))


def _check_removed(things: Mask, emptied: Emptied) -> None:
    """Decline if too much is guessed, or if too many things or most of the largest thing would stay."""
    if emptied.guessed > MAX_GUESSED:
        raise Declined(Reason.TOO_MUCH_HIDDEN, "Too little is seen of walls and floor behind the furniture.")
    removed = np.asarray(things & emptied.things)
    largest = max(split_into_parts(things), key=np.count_nonzero)
    if removed.sum() < (1 - MAX_STAYING) * things.sum() or (removed & largest).sum() < 0.5 * largest.sum():
        raise Declined(Reason.OPENING_HIDDEN, _OPENING_MESSAGE)
