"""Furniture and clutter taken out of a photo of a room by what the room shows behind them; or a refusal."""

from collections.abc import Set

import cv2
import numpy as np
from numpy.typing import NDArray

from app.domain.quality import Reason
from app.engine.arrays import Mask, Plane, plane
from app.engine.removal.emptying import Emptied, colours, emptied, logarithms
from app.engine.removal.exemplar import patched
from app.engine.removal.laying import laid_in
from app.engine.removal.things import BUILT_IN, EMPTY, parts_of, share_around, things_in
from app.engine.room.geometry import Room
from app.engine.room.surface import PLACE, Surface
from app.engine.scene.analysis import shrunken
from app.engine.step import Canvas, Declined, Worked, photo_noise

FURNITURE = frozenset({Surface.FURNITURE, Surface.RUG, Surface.CLUTTER})
CLUTTER = frozenset({Surface.CLUTTER})
WORK_SIDE = 1600
"""The long side at which content is made; finer grain is added at full size."""
LEAST_FLOOR, MOST_THINGS, LEAST_THINGS = 0.04, 0.65, 2e-4
"""Shares of the picture: floor in view, things to take away at most and at least."""
MOST_LEFT = 0.5
"""Share of the things that may have to stay before nothing is done at all."""
SMALL = 0.04
"""Share of the picture that can be continued without knowing the room."""
ON_PLANES, BEFORE_BUILT_IN = 0.6, 0.25
"""Shares of what borders on a thing: faces of the room, that it stands on them; cupboards, that it hides them."""


def remove_in(canvas: Canvas, room: Room | None, surfaces: Plane, which: Set[Surface]) -> Worked:
    """The photo without the things that are of the surfaces `which`, and without their shadows.

    `surfaces` (small, height x width x len(Surface)) are shares as large as `scene.small`, and so is the
    picture of the room's camera; the room is None where it is not known. Every byte outside the matte stays.
    Raises Declined: NOTHING_TO_REMOVE, TOO_MUCH_HIDDEN, OPENING_HIDDEN.
    """
    small = things_in(surfaces, which)
    _check(small, surfaces, room, which)
    working = shrunken(canvas.pixels, WORK_SIDE)
    picture = plane(working) / np.float32(255)
    size = (picture.shape[1], picture.shape[0])
    labels = cv2.resize(surfaces.argmax(2).astype(np.uint8), size, interpolation=cv2.INTER_NEAREST)
    things = np.asarray(cv2.resize(plane(small), size, interpolation=cv2.INTER_LINEAR) > 0.5)
    labels = np.asarray(labels, np.uint8)
    fitting = None if room is None else room_at(room, picture.shape[1] / small.shape[1])
    done = _emptied(picture, labels, things, fitting)
    _check_left(things, done)
    plain = np.asarray(np.isin(labels, [PLACE[each] for each in EMPTY[:3]]) & ~things)
    pixels, matte = laid_in(canvas.pixels, done, plain, photo_noise(canvas))
    across = (small.shape[1], small.shape[0])
    region = plane(cv2.resize(matte, across, interpolation=cv2.INTER_AREA)) / np.float32(255)
    return Worked(pixels, plane(region), matte=matte)


def room_at(room: Room, scale: float) -> Room:
    """The same room for a picture `scale` times as large."""
    return Room(room.camera.scaled(scale), room.walls, room.ceiling, room.confidence, room.measure)


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
    floor = np.asarray((surfaces.argmax(2) == PLACE[Surface.FLOOR]) & ~things)
    if floor.mean() < LEAST_FLOOR:
        raise Declined(
            Reason.TOO_MUCH_HIDDEN, "Too little of the floor is seen to continue it under the furniture."
        )


def _emptied(picture: Plane, labels: NDArray[np.uint8], things: Mask, room: Room | None) -> Emptied:
    """Every part filled in the way that fits what it stands before; those that none fits stay."""
    on_planes, others = np.zeros_like(things), []
    for part in parts_of(things):
        before = share_around(part, things, labels, EMPTY)
        if room is not None and before > ON_PLANES:
            if share_around(part, things, labels, BUILT_IN) < BEFORE_BUILT_IN:
                on_planes |= part
        elif part.mean() < SMALL:
            others.append(part)
    done = _nothing(picture) if room is None or not on_planes.any() else emptied(picture, labels, on_planes, room)
    logs = logarithms(picture)
    for part in others:
        found = patched(logs, part, things, labels)
        if found is not None:
            share = np.minimum(cv2.GaussianBlur(plane(part), (0, 0), 0.7) * 1.0, 1)
            fill = plane(
                np.where(part[..., None], colours(found), np.where(done.share[..., None] > 0, done.fill, picture))
            )
            done = Emptied(fill, plane(np.maximum(done.share, share)), done.lift, np.asarray(done.things | part))
    return done


def _nothing(picture: Plane) -> Emptied:
    none = np.zeros(picture.shape[:2], np.float32)
    return Emptied(picture.copy(), none, none.copy(), np.zeros(none.shape, bool))


def _check_left(things: Mask, done: Emptied) -> None:
    """Whether what can go is worth delivering: the largest thing must be among it."""
    gone = np.asarray(things & done.things)
    largest = max(parts_of(things), key=np.count_nonzero)
    if gone.sum() < (1 - MOST_LEFT) * things.sum() or (gone & largest).sum() < 0.5 * largest.sum():
        message = "What stands in front of windows, doors or cupboards hides too much of them to be taken away."
        raise Declined(Reason.OPENING_HIDDEN, message)
