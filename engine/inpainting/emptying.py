"""Removes things from a picture of a room, face by face, and joins the faces to one picture."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Mask, Plane, plane
from engine.color.channels import gray_to_rgb
from engine.filters.morphology import erode
from engine.filters.smoothing import normalized_convolution
from engine.geometry.faces import Face, list_faces, number_faces
from engine.geometry.rectified_plane import NEAREST, Box, RectifiedPlane, rectify_face
from engine.geometry.room import Room
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.base_layer import find_foot_profile, find_wall_color
from engine.inpainting.face_view import FaceView, is_wall, view_face
from engine.inpainting.filling import Filling, fill_face
from engine.inpainting.hidden_openings import learn_habits
from engine.inpainting.opening_frames import CompletedOpenings, complete_openings
from engine.inpainting.openings import Walls, find_openings

DARKEST = 0.02
"""Added before logarithms are taken, so that black is finite."""
MOST_BARE = 0.3
"""Most share of the removed pixels for which no face of the room may give content."""
BRIDGE = 0.006
"""Distance, as a share of the long side, over which such pixels are filled from their surroundings."""
SMALLER = 4
"""Factor by which the picture is shrunk for that."""
LEAST_PLAIN = 0.3
"""Least share of a wall's known cells that must be left when openings and their frames are excluded."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """A picture without things: `fill` (0-1, x 3) is new content, `share` (0-1) how far it replaces each pixel.

    `lift` is the logarithm by which the other pixels become lighter, `things` are the removed pixels. `guessed` is
    the share of them that hide a wall or floor of which almost nothing is seen.
    """

    fill: Plane
    share: Plane
    lift: Plane
    things: Mask
    guessed: float = 0.0


def color_to_log(values: Plane) -> Plane:
    """Natural logarithms of colors, DARKEST added.

    Parameters
    ----------
    values : (h, w, 3) ndarray of float32
        Gamma-coded colors, 0-1.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Their logarithms.
    """
    return plane(cv2.log(values + np.float32(DARKEST)))


def log_to_color(values: Plane) -> Plane:
    """The colors of logarithms: the inverse of `color_to_log`, clipped.

    Parameters
    ----------
    values : (h, w, 3) ndarray of float32
        Logarithms as `color_to_log` returns them.

    Returns
    -------
    (h, w, 3) ndarray of float32
        Gamma-coded colors, 0-1.
    """
    return plane(np.clip(cv2.exp(values) - np.float32(DARKEST), 0, 1))


def empty_room(picture: Plane, labels: NDArray[np.uint8], things: Mask, room: Room) -> Emptied:
    """Remove things from a picture of a room, filling each face behind them.

    Things stay if they hide a window or a door of which too little is seen. Pixels for which no face gives content
    are filled from their surroundings; if they are more than MOST_BARE of the things, the things they belong to
    stay.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of float32
        The picture, gamma-coded, 0-1, in the photo's own color space.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    things : (h, w) ndarray of bool
        The pixels to be filled.
    room : Room
        The room, with the camera of `picture`.

    Returns
    -------
    Emptied
        The filling, as large as `picture`.
    """
    stands = number_faces(room, picture.shape)
    whole_picture = _Picture(color_to_log(picture), labels, room, stands)
    openings = whole_picture.openings(things, things)
    staying = whole_picture.staying(openings, things)
    going = np.asarray(things & ~staying)
    if staying.any():
        openings = whole_picture.openings(things, going)
    views = whole_picture.views(things, going, openings)
    fill = np.zeros_like(picture)
    total, lift = np.zeros(picture.shape[:2], np.float32), np.zeros(picture.shape[:2], np.float32)
    walls = {number: each for number, each in views.items() if is_wall(each.rectified.face)}
    feet = {number: find_foot_profile(each, room) for number, each in walls.items()}
    usual = find_wall_color(walls.values())
    hardly = [number for number, each in views.items() if each.hardly_known]
    guessed = float((going & np.isin(stands, hardly)).sum()) / max(1.0, float(going.sum()))
    del walls, openings
    for number in list(views):
        # A face's rectified planes are large: they are freed after its turn.
        each = views.pop(number)
        others = [found for other, found in feet.items() if other != number and found is not None]
        foot = max(others, key=lambda one: one.feet, default=None)
        done = fill_face(each, room, foot, usual)
        if done is not None:
            _lay(done, np.asarray(stands == number), fill, total, lift)
    del whole_picture
    bare = np.asarray(going & (total < 0.5))
    if np.count_nonzero(bare) > MOST_BARE * np.count_nonzero(going):
        # Things with pixels that no face gives content for stay as a whole.
        kept = _whole(going, erode(bare, 1))
        share = plane(np.where(kept, 0, np.minimum(total, 1)))
        return Emptied(_find_made(fill, total), share, lift, np.asarray(going & ~kept), guessed)
    if bare.any():
        _bridge(fill, total, picture, things)
    return Emptied(_find_made(fill, total), _share(total, bare), lift, going, guessed)


def _find_made(fill: Plane, total: Plane) -> Plane:
    return plane(fill / gray_to_rgb(plane(np.maximum(total, 1e-6))))


def _share(total: Plane, bare: Mask) -> Plane:
    return plane(np.maximum(np.minimum(total, 1), cv2.GaussianBlur(plane(bare), (0, 0), 0.7)))


def _bridge(fill: Plane, total: Plane, picture: Plane, things: Mask) -> None:
    """Fill the pixels without content from their surroundings, in `fill` (sums of colors by weight).

    This is computed at a smaller size, because the result is smooth.
    """
    size = (max(1, picture.shape[1] // SMALLER), max(1, picture.shape[0] // SMALLER))
    made, share, shown, hidden = (
        plane(cv2.resize(each, size, interpolation=cv2.INTER_AREA))
        for each in (fill, total, picture, plane(things))
    )
    known = plane(np.where(hidden > 0, np.where(share > 0.9, 1, 0), 1))
    there = plane(np.where((hidden > 0)[..., None], _find_made(made, share), shown))
    near = normalized_convolution(there, known, max(size) * BRIDGE)
    whole = (picture.shape[1], picture.shape[0])
    larger = plane(cv2.resize(near, whole, interpolation=cv2.INTER_LINEAR))
    none = things & (total < 0.5)
    fill[none] = larger[none] * np.maximum(total[none], 1e-6)[:, None]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The picture to be emptied: logarithms of colors, labels, the room, and each pixel's face (by number)."""

    logs: Plane
    labels: NDArray[np.uint8]
    room: Room
    stands: NDArray[np.uint8]

    def rectified(self, number: int, face: Face, things: Mask, going: Mask) -> RectifiedPlane | None:
        """The rectified plane of a face behind things to be removed (`going`); None if it is behind none."""
        seen = np.asarray((self.labels == PLACE[face.surface]) & (self.stands == number) & ~things)
        return rectify_face(face, self.room, seen, np.asarray(going & (self.stands == number)))

    def openings(self, things: Mask, going: Mask) -> dict[int, CompletedOpenings]:
        """The openings of each wall behind `going`, completed after the models that all walls show."""
        walls: dict[int, Walls] = {}
        for number, face in enumerate(list_faces(self.room)):
            if is_wall(face):
                walls |= self._wall(number, face, things, going)
        habits = learn_habits(walls.values())
        return {number: complete_openings(wall, habits) for number, wall in walls.items() if wall.wanted.any()}

    def _wall(self, number: int, face: Face, things: Mask, going: Mask) -> dict[int, Walls]:
        """The wall's openings, by its number; empty if the wall has no openings and no things before it."""
        own = np.asarray(self.stands == number)
        kinds = (Surface.WINDOW, Surface.DOOR, Surface.OTHER)
        panes, doors, hangings = (np.asarray((self.labels == PLACE[each]) & own & ~things) for each in kinds)
        rectified = self.rectified(number, face, things, going)
        if rectified is None:
            rectified = rectify_face(face, self.room, panes, panes)
        if rectified is None:
            return {}
        wanted = np.asarray((rectified.rectify(plane(going & own)) > 0.01) & (rectified.depth > NEAREST))
        return {number: find_openings(rectified, np.asarray(own & ~things), (panes, doors, hangings), wanted)}

    def staying(self, openings: dict[int, CompletedOpenings], things: Mask) -> Mask:
        """The things that stay, because they hide a window or a door of which too little is seen."""
        kept = np.zeros(things.shape, bool)
        everywhere = slice(0, things.shape[0]), slice(0, things.shape[1])
        for number, each in openings.items():
            if each.doubtful.any():
                doubt = each.wall.rectified.project_back(plane(each.doubtful), everywhere)
                kept |= _whole(things, np.asarray((doubt > 0.5) & things & (self.stands == number)))
        return kept

    @staticmethod
    def clear(own: Mask, things: Mask) -> Mask:
        """Pixels of a face that are not next to other surfaces; pixels next to things are included."""
        return np.asarray(own & erode(np.asarray(own | things), 1))

    def view(
        self, number: int, face: Face, things: Mask, going: Mask, openings: CompletedOpenings | None
    ) -> FaceView | None:
        """A face with its known cells and its cells to be filled; None if nothing of it is to be filled."""
        rectified = self.rectified(number, face, things, going)
        if rectified is None:
            return None
        own = np.asarray((self.labels == PLACE[face.surface]) & (self.stands == number) & ~things)
        view = view_face(rectified, self.logs, self.clear(own, things), np.asarray(going & (self.stands == number)))
        if openings is None:
            return view
        plain = np.asarray(view.known & ~openings.covered)
        enough = np.count_nonzero(plain) > LEAST_PLAIN * np.count_nonzero(view.known)
        return replace(view, known=plain if enough else view.known, openings=openings)

    def views(self, things: Mask, going: Mask, openings: dict[int, CompletedOpenings]) -> dict[int, FaceView]:
        """Every face with something to be filled, by number."""
        faces = enumerate(list_faces(self.room))
        found = {number: self.view(number, face, things, going, openings.get(number)) for number, face in faces}
        return {number: view for number, view in found.items() if view is not None}


def _whole(things: Mask, touched: Mask) -> Mask:
    """The connected parts of `things` that overlap with `touched`."""
    _, parts = cv2.connectedComponents(things.astype(np.uint8))
    numbers = np.unique(parts[touched])
    return np.asarray(np.isin(parts, numbers[numbers > 0]))


def _lay(done: Filling, own: Mask, fill: Plane, total: Plane, lift: Plane) -> None:
    """Add one face's filling to the picture's sums, weighted by how much of each pixel the face covers."""
    cover = cv2.GaussianBlur(plane(own), (0, 0), 0.6)
    box = _box(np.asarray(cover > 0.004))
    made = done.rectified.project_back(done.made, box)
    part = log_to_color(done.rectified.project_back(done.values, box))
    weight = plane(made * cover[box])
    fill[box] += part * gray_to_rgb(weight)
    total[box] += weight
    lift[box] += done.rectified.project_back(done.lift, box) * cover[box]


def _box(mask: Mask) -> Box:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
