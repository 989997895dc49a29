"""Removes furniture and clutter from a photo of a room, or declines."""

from collections.abc import Set
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult, create_photo_rng
from engine.geometry.estimation import scale_room
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.compositing import composite_filling
from engine.inpainting.emptying import Emptied, color_to_log, empty_room, log_to_color
from engine.inpainting.margins import grow_things
from engine.inpainting.texture import inpaint_part
from engine.inpainting.things import (
    BUILT_IN,
    EMPTY,
    HOLDING,
    add_enclosed,
    are_hardly_seen,
    find_before_holding,
    find_things,
    measure_share_around,
    split_into_parts,
)
from engine.segmentation.scene import shrink_to
from engine.types.report import Reason

FURNITURE = frozenset({Surface.FURNITURE, Surface.RUG, Surface.CLUTTER})
CLUTTER = frozenset({Surface.CLUTTER})
WORK_SIDE = 1600
"""The long side, in pixels, at which content is made; finer grain is added at full size."""
LEAST_FLOOR = 0.04
"""Least share of the picture that must show the floor for furniture to be removed."""
MOST_THINGS = 0.4
"""Most share of the picture that the things to be removed may cover."""
LEAST_THINGS = 2e-4
"""Least share of the picture that the things to be removed must cover."""
MOST_WALLS = 5
"""Most walls of a room: with more, as in open plans, it is not known well enough what stands behind what."""
MOST_LEFT = 0.5
"""Most share of the things that may have to stay; with more, the photo is declined."""
MOST_GUESSED = 0.3
"""Most share of the things behind which a wall or the floor may be guessed."""
SMALL = 0.04
"""Share of the picture below which a thing can be filled without knowing the room."""
_HIDES = "What stands in front of windows, doors or cupboards hides too much of them to be taken away."
MOST_HOLDING = 0.3
"""Share of cupboards and the like in a thing's surroundings from which on it stands before them alone."""


def remove_things(canvas: Canvas, room: Room | None, surfaces: Plane, which: Set[Surface]) -> EffectResult:
    """Remove things and their shadows from a photo of a room; every byte outside the matte stays.

    Parameters
    ----------
    canvas : Canvas
        The photo.
    room : Room or None
        The room, with the camera of the small picture `canvas.scene.small`; None if it is not known.
    surfaces : (h, w, len(Surface)) ndarray of float32
        The share of each surface in each pixel of the small picture, 0-1.
    which : Set of Surface
        What is to be removed.

    Returns
    -------
    EffectResult
        The new photo, the region (h, w) and the matte (H, W) in which it changed.

    Raises
    ------
    Declined
        NOTHING_TO_REMOVE; TOO_MUCH_HIDDEN, if too little is seen of floor, walls or the room's lines;
        ROOM_UNCLEAR, for a room of more than MOST_WALLS walls; OPENING_HIDDEN, if too many things hide windows,
        doors or cupboards and would have to stay.
    """
    small = find_things(surfaces, which)
    _check(small, surfaces, room, which)
    working = shrink_to(canvas.pixels, WORK_SIDE)
    picture = plane(working) / np.float32(255)
    size = (picture.shape[1], picture.shape[0])
    labels = cv2.resize(surfaces.argmax(2).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    things = np.asarray(cv2.resize(plane(small), size, interpolation=cv2.INTER_LINEAR) > 0.5)
    labels = np.asarray(labels, np.uint8)
    if Surface.FURNITURE in which:
        things = add_enclosed(things, labels)
    may = np.asarray(~np.isin(labels, [PLACE[each] for each in _list_untouched(which)]))
    things = grow_things(things, canvas.scene.profile.to_srgb(working), may)
    fitting = None if room is None else scale_room(room, picture.shape[1] / small.shape[1])
    kinds = BUILT_IN if Surface.FURNITURE in which else HOLDING
    done = _fill_parts(picture, labels, things, fitting, kinds)
    _check_left(things, done)
    plain = np.asarray(np.isin(labels, [PLACE[each] for each in EMPTY[:3]]) & ~things)
    pixels, matte = composite_filling(canvas.pixels, done, plain, create_photo_rng(canvas))
    across = (small.shape[1], small.shape[0])
    region = plane(cv2.resize(matte, across, interpolation=cv2.INTER_AREA)) / np.float32(255)
    return EffectResult(pixels, plane(region), matte=matte)


def _list_untouched(which: Set[Surface]) -> tuple[Surface, ...]:
    """Surfaces over which masks do not grow: people and the like; cupboards, too, when furniture is removed."""
    return (Surface.OTHER, *BUILT_IN) if Surface.FURNITURE in which else (Surface.OTHER,)


def _check(things: Mask, surfaces: Plane, room: Room | None, which: Set[Surface]) -> None:
    what = "Nothing small and loose" if which == CLUTTER else "No furniture"
    if things.mean() < LEAST_THINGS:
        raise Declined(Reason.NOTHING_TO_REMOVE, f"{what} was found in this photo.")
    if things.mean() > MOST_THINGS:
        raise Declined(
            Reason.TOO_MUCH_HIDDEN, "Too much of the room is hidden to know what is behind the furniture."
        )
    if Surface.FURNITURE not in which:
        return
    if room is None:
        raise Declined(Reason.TOO_MUCH_HIDDEN, "Too little of the room's lines is seen to empty it faithfully.")
    if len(room.walls) > MOST_WALLS:
        raise Declined(Reason.ROOM_UNCLEAR, "The room has too many corners and openings to be emptied faithfully.")
    labels = surfaces.argmax(2).astype(np.uint8)
    if are_hardly_seen(things, labels, BUILT_IN):
        raise Declined(Reason.OPENING_HIDDEN, _HIDES)
    floor = np.asarray((labels == PLACE[Surface.FLOOR]) & ~things)
    if floor.mean() < LEAST_FLOOR:
        raise Declined(
            Reason.TOO_MUCH_HIDDEN, "Too little of the floor is seen to continue it under the furniture."
        )


def _fill_parts(
    picture: Plane, labels: NDArray[np.uint8], things: Mask, room: Room | None, kinds: tuple[Surface, ...]
) -> Emptied:
    """Fill each part in the way that suits its background; parts for which no way is suitable stay."""
    on_planes, others = np.zeros_like(things), []
    for part in split_into_parts(things):
        hiding = np.zeros_like(part) if room is None else find_before_holding(part, things, labels, kinds)
        if room is not None and measure_share_around(part, things, labels, kinds) < MOST_HOLDING:
            on_planes |= part & ~hiding
            others += [each for each in split_into_parts(hiding) if each.mean() < SMALL]
        elif part.mean() < SMALL:
            others.append(part)
    done = (
        _make_unchanged(picture)
        if room is None or not on_planes.any()
        else empty_room(picture, labels, on_planes, room)
    )
    logs = color_to_log(picture)
    for part in others:
        found = inpaint_part(logs, part, things, labels)
        if found is not None:
            share = np.minimum(cv2.GaussianBlur(plane(part), (0, 0), 0.7) * 1.0, 1)
            fill = plane(
                np.where(
                    part[..., None], log_to_color(found), np.where(done.share[..., None] > 0, done.fill, picture)
                )
            )
            done = replace(
                done, fill=fill, share=plane(np.maximum(done.share, share)), things=np.asarray(done.things | part)
            )
    return done


def _make_unchanged(picture: Plane) -> Emptied:
    none = np.zeros(picture.shape[:2], np.float32)
    return Emptied(picture.copy(), none, none.copy(), np.zeros(none.shape, bool))


def _check_left(things: Mask, done: Emptied) -> None:
    """Decline if too much is guessed, or if too many things or most of the largest thing have to stay."""
    if done.guessed > MOST_GUESSED:
        raise Declined(Reason.TOO_MUCH_HIDDEN, "Too little is seen of walls and floor behind the furniture.")
    gone = np.asarray(things & done.things)
    largest = max(split_into_parts(things), key=np.count_nonzero)
    if gone.sum() < (1 - MOST_LEFT) * things.sum() or (gone & largest).sum() < 0.5 * largest.sum():
        raise Declined(Reason.OPENING_HIDDEN, _HIDES)
