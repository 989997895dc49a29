"""Things taken out of a picture of a room, face by face, and the picture put together again."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from app.engine.arrays import Mask, Plane, plane, shrunk, tripled
from app.engine.removal.faces import Face, behind, faces_of
from app.engine.removal.filling import Filling, filled
from app.engine.removal.openings import Openings, openings_on
from app.engine.removal.sheets import Box, Sheet, sheet_of
from app.engine.removal.smooth import foot_of
from app.engine.removal.viewed import Seen, of_wall, seen_on
from app.engine.room.geometry import Room
from app.engine.room.surface import PLACE, Surface

DARKEST = 0.02
"""Added before logarithms are taken, so that black is finite."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """A picture without things, of what there is a new one: `fill` (0-1, x 3), `share` of each pixel that is new.

    `lift` is the logarithm of how much lighter the rest becomes; `things` are those that are gone.
    """

    fill: Plane
    share: Plane
    lift: Plane
    things: Mask


def logarithms(values: Plane) -> Plane:
    """Logarithms of colours of 0-1."""
    return plane(cv2.log(values + np.float32(DARKEST)))


def colours(values: Plane) -> Plane:
    """The colours of 0-1 that have these logarithms."""
    return plane(np.clip(cv2.exp(values) - np.float32(DARKEST), 0, 1))


def emptied(picture: Plane, labels: NDArray[np.uint8], things: Mask, room: Room) -> Emptied:
    """The picture (0-1, x 3) without `things`; `labels` are numbers of Surface, the camera is the picture's."""
    stands = behind(room, picture.shape)
    logs = logarithms(picture)
    whole = _Picture(logs, labels, room, stands)
    going = np.asarray(things & ~_staying(whole, things))
    views = whole.views(things, going)
    fill = np.zeros_like(picture)
    total, lift = np.zeros(picture.shape[:2], np.float32), np.zeros(picture.shape[:2], np.float32)
    feet = {number: foot_of(each, room) for number, each in views.items() if of_wall(each.sheet.face)}
    for number in list(views):
        # Each face's sheets are large: none is kept beyond its turn.
        each = views.pop(number)
        foot = next((found for other, found in feet.items() if other != number and found is not None), None)
        done = filled(each, room, foot)
        if done is not None:
            _lay(done, np.asarray(stands == number), fill, total, lift)
    # What no face explains stays, whole.
    bare = _whole(going, np.asarray(shrunk(going, 1) & (total < 0.5)))
    share = plane(np.where(bare, 0, np.minimum(total, 1)))
    made = plane(fill / tripled(plane(np.maximum(total, 1e-6))))
    return Emptied(made, share, lift, np.asarray(going & ~bare))


@dataclass(frozen=True, slots=True)
class _Picture:
    """What is looked at: logarithms of colours, labels, the room, and which face stands behind each pixel."""

    logs: Plane
    labels: NDArray[np.uint8]
    room: Room
    stands: NDArray[np.uint8]

    def sheet(self, number: int, face: Face, things: Mask, going: Mask) -> Sheet | None:
        """The sheet of a face for what goes; None where it is not behind any of it."""
        seen = np.asarray((self.labels == PLACE[face.surface]) & (self.stands == number) & ~things)
        return sheet_of(face, self.room, seen, np.asarray(going & (self.stands == number)))

    def openings(self, number: int, sheet: Sheet, things: Mask, wanted: Mask) -> Openings:
        """What of this wall's openings is hidden by `wanted` (on its sheet)."""
        own = np.asarray((self.stands == number) & ~things)
        kinds = (Surface.WINDOW, Surface.DOOR, Surface.OTHER)
        panes, doors, hangings = (np.asarray((self.labels == PLACE[each]) & own) for each in kinds)
        return openings_on(sheet, own, (panes, doors, hangings), wanted)

    @staticmethod
    def clear(own: Mask, things: Mask) -> Mask:
        """What is of a face alone: not next to other surfaces, but right up to the things."""
        return np.asarray(own & shrunk(np.asarray(own | things), 1))

    def view(self, number: int, face: Face, things: Mask, going: Mask) -> Seen | None:
        """A face with what is to be filled of it."""
        sheet = self.sheet(number, face, things, going)
        if sheet is None:
            return None
        own = np.asarray((self.labels == PLACE[face.surface]) & (self.stands == number) & ~things)
        view = seen_on(sheet, self.logs, self.clear(own, things), np.asarray(going & (self.stands == number)))
        if of_wall(face):
            view = replace(view, openings=self.openings(number, sheet, things, view.wanted))
        return view

    def views(self, things: Mask, going: Mask) -> dict[int, Seen]:
        """Every face with something to be filled, by number."""
        found = {number: self.view(number, face, things, going) for number, face in enumerate(faces_of(self.room))}
        return {number: view for number, view in found.items() if view is not None}


def _staying(picture: _Picture, things: Mask) -> Mask:
    """The things that hide what does not follow of a window, door or curtain."""
    kept = np.zeros(things.shape, bool)
    whole = slice(0, things.shape[0]), slice(0, things.shape[1])
    for number, face in enumerate(faces_of(picture.room)):
        sheet = picture.sheet(number, face, things, things) if of_wall(face) else None
        if sheet is not None:
            own = np.asarray(things & (picture.stands == number))
            asked = np.asarray(sheet.taken(plane(own)) > 0.01)
            doubt = sheet.laid(plane(picture.openings(number, sheet, things, asked).doubtful), whole)
            kept |= _whole(things, np.asarray((doubt > 0.5) & own))
    return kept


def _whole(things: Mask, touched: Mask) -> Mask:
    """The connected things of which something is touched."""
    _, parts = cv2.connectedComponents(things.astype(np.uint8))
    numbers = np.unique(parts[touched])
    return np.asarray(np.isin(parts, numbers[numbers > 0]))


def _lay(done: Filling, own: Mask, fill: Plane, total: Plane, lift: Plane) -> None:
    """Add one face's filling to the picture's, by how much of each pixel the face is."""
    cover = cv2.GaussianBlur(plane(own), (0, 0), 0.6)
    box = _box(np.asarray(cover > 0.004))
    made = done.sheet.laid(done.made, box)
    part = colours(done.sheet.laid(done.values, box))
    weight = plane(made * cover[box])
    fill[box] += part * tripled(weight)
    total[box] += weight
    lift[box] += done.sheet.laid(done.lift, box) * cover[box]


def _box(mask: Mask) -> Box:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
