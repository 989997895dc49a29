"""Removes things from a picture of a room: fills each face behind them and joins the faces to one picture."""

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
from engine.inpainting.carpets import add_grain, has_lines
from engine.inpainting.face_view import FaceView, is_wall, view_face
from engine.inpainting.filling import Filling, fill_face
from engine.inpainting.hidden_openings import learn_habits
from engine.inpainting.opening_frames import CompletedOpenings, complete_openings, draw_openings
from engine.inpainting.openings import WallOpenings, find_openings
from engine.inpainting.skirting import FOOT_HEIGHT, continue_foot, measure_foot
from engine.inpainting.wall_filling import WallAreas, WallFilling, fill_walls, find_plain_beside_frames

DARKEST = 0.02
"""Added to colors before logarithms are taken, so that the logarithm of black is finite."""
MAX_UNFILLED = 0.3
"""Maximum share of the removed pixels that may stay unfilled because no face of the room gives content for them."""
SURROUNDINGS = 0.006
"""Distance, as a share of the long side, from which unfilled pixels get content."""
SHRINK_FACTOR = 4
"""Factor by which the picture is shrunk to fill unfilled pixels, which saves time."""
FLOOR_NUMBER = 0
"""The floor's index in `list_faces`."""
MIN_PLAIN = 0.3
"""Minimum share of a wall's known cells that must remain when openings and their frames are excluded."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """A picture without things: `fill` (0-1, x 3) is new content, `share` (0-1) its opacity in each pixel.

    `lift` is the logarithm by which the other pixels become lighter. `things` are the removed pixels. `guessed` is
    the share of these pixels behind which a wall or floor is almost completely hidden, or a pattern is hidden over
    too large an area.
    """

    fill: Plane
    share: Plane
    lift: Plane
    things: Mask
    guessed: float = 0.0


def color_to_log(values: Plane) -> Plane:
    """Natural logarithms of colors, after DARKEST is added.

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

    Things stay if they hide a window or a door of which too little is visible. Pixels for which no face gives
    content are filled from their surroundings. If their share exceeds MAX_UNFILLED, their things stay instead.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of float32
        The picture, gamma-coded, 0-1, in the photo's own color space.
    labels : (h, w) ndarray of uint8
        The surface that each pixel shows, numbered by PLACE.
    things : (h, w) ndarray of bool
        The pixels of the things to be removed.
    room : Room
        The room, with the camera of `picture`.

    Returns
    -------
    Emptied
        The filling, as large as `picture`.
    """
    face_numbers = number_faces(room, picture.shape)
    whole_picture = _Picture(color_to_log(picture), labels, room, face_numbers)
    openings = whole_picture.openings(things, things)
    staying = whole_picture.find_staying(openings, things)
    removed = np.asarray(things & ~staying)
    if staying.any():
        openings = whole_picture.openings(things, removed)
    views = whole_picture.views(things, removed, openings)
    fill = np.zeros_like(picture)
    total, lift = np.zeros(picture.shape[:2], np.float32), np.zeros(picture.shape[:2], np.float32)
    hardly_known = [number for number, each in views.items() if each.hardly_known]
    walls = {number: views.pop(number) for number in list(views) if is_wall(views[number].rectified.face)}
    if walls:
        wall_filling = whole_picture.fill_walls(walls, things, removed)
        fill[wall_filling.filled] = log_to_color(wall_filling.logs)[wall_filling.filled]
        total[wall_filling.filled] = 1
    # The rectified planes of a face are large: they are freed once the face is filled.
    walls.clear()
    lined = has_lines(picture, labels, things)
    for number in list(views):
        filling = fill_face(views.pop(number), room, has_lines=lined)
        if filling is not None:
            if filling.is_guessed:
                hardly_known.append(number)
            _add_filling(filling, np.asarray(face_numbers == number), fill, total, lift)
            if number == FLOOR_NUMBER and not filling.patterned:
                whole_picture.add_grain(fill, total, things)
    del whole_picture
    guessed = float((removed & np.isin(face_numbers, hardly_known)).sum()) / max(1.0, float(removed.sum()))
    unfilled = np.asarray(removed & (total < 0.5))
    if np.count_nonzero(unfilled) > MAX_UNFILLED * np.count_nonzero(removed):
        # A thing with such pixels stays as a whole.
        kept = _select_touched_parts(removed, erode(unfilled, 1))
        share = plane(np.where(kept, 0, np.minimum(total, 1)))
        return Emptied(_complete(fill, total, picture), share, lift, np.asarray(removed & ~kept), guessed)
    if unfilled.any():
        _fill_from_surroundings(fill, total, picture, things)
    return Emptied(_complete(fill, total, picture), _compute_share(total, unfilled), lift, removed, guessed)


def _complete(fill: Plane, total: Plane, picture: Plane) -> Plane:
    """The filling with the picture's own colors around it, because both are mixed when the filling is enlarged."""
    return plane(np.where(total[..., None] > 1e-3, _divide_by_weight(fill, total), picture))


def _divide_by_weight(fill: Plane, total: Plane) -> Plane:
    return plane(fill / gray_to_rgb(plane(np.maximum(total, 1e-6))))


def _compute_share(total: Plane, unfilled: Mask) -> Plane:
    return plane(np.maximum(np.minimum(total, 1), cv2.GaussianBlur(plane(unfilled), (0, 0), 0.7)))


def _fill_from_surroundings(fill: Plane, total: Plane, picture: Plane, things: Mask) -> None:
    """Fill the pixels without content from their surroundings.

    `fill` holds sums of weighted colors and is changed. A smaller size is enough, because the result is smooth.
    """
    size = (max(1, picture.shape[1] // SHRINK_FACTOR), max(1, picture.shape[0] // SHRINK_FACTOR))
    made, share, shown, hidden = (
        plane(cv2.resize(each, size, interpolation=cv2.INTER_AREA))
        for each in (fill, total, picture, plane(things))
    )
    known = plane(np.where(hidden > 0, np.where(share > 0.9, 1, 0), 1))
    content = plane(np.where((hidden > 0)[..., None], _divide_by_weight(made, share), shown))
    smooth = normalized_convolution(content, known, max(size) * SURROUNDINGS)
    whole = (picture.shape[1], picture.shape[0])
    larger = plane(cv2.resize(smooth, whole, interpolation=cv2.INTER_LINEAR))
    empty = things & (total < 0.5)
    fill[empty] = larger[empty] * np.maximum(total[empty], 1e-6)[:, None]


@dataclass(frozen=True, slots=True)
class _Picture:
    """The picture to be emptied: logarithms of colors, labels, the room, and the number of each pixel's face."""

    logs: Plane
    labels: NDArray[np.uint8]
    room: Room
    face_numbers: NDArray[np.uint8]

    def rectified(self, number: int, face: Face, things: Mask, removed: Mask) -> RectifiedPlane | None:
        """The rectified plane of a face; None if no pixel to be removed (`removed`) hides it."""
        seen = np.asarray((self.labels == PLACE[face.surface]) & (self.face_numbers == number) & ~things)
        return rectify_face(face, self.room, seen, np.asarray(removed & (self.face_numbers == number)))

    def openings(self, things: Mask, removed: Mask) -> dict[int, CompletedOpenings]:
        """The openings of each wall behind `removed`. Hidden edges follow the visible openings of all walls."""
        walls: dict[int, WallOpenings] = {}
        for number, face in enumerate(list_faces(self.room)):
            if is_wall(face):
                walls |= self._find_wall_openings(number, face, things, removed)
        habits = learn_habits(walls.values())
        return {number: complete_openings(wall, habits) for number, wall in walls.items() if wall.to_fill.any()}

    def _find_wall_openings(self, number: int, face: Face, things: Mask, removed: Mask) -> dict[int, WallOpenings]:
        """The wall's openings, by the wall's number; empty if the wall has no openings and no things hide it."""
        own = np.asarray(self.face_numbers == number)
        kinds = (Surface.WINDOW, Surface.DOOR, Surface.OTHER)
        panes, doors, hangings = (np.asarray((self.labels == PLACE[each]) & own & ~things) for each in kinds)
        rectified = self.rectified(number, face, things, removed)
        if rectified is None:
            rectified = rectify_face(face, self.room, panes, panes)
        if rectified is None:
            return {}
        to_fill = np.asarray((rectified.rectify(plane(removed & own)) > 0.01) & (rectified.depth > NEAREST))
        return {number: find_openings(rectified, np.asarray(own & ~things), (panes, doors, hangings), to_fill)}

    def find_staying(self, openings: dict[int, CompletedOpenings], things: Mask) -> Mask:
        """The things that stay, because they hide a window or a door of which too little is visible."""
        kept = np.zeros(things.shape, bool)
        everywhere = slice(0, things.shape[0]), slice(0, things.shape[1])
        for number, each in openings.items():
            if each.doubtful.any():
                doubt = each.wall.rectified.project_back(plane(each.doubtful), everywhere)
                kept |= _select_touched_parts(
                    things, np.asarray((doubt > 0.5) & things & (self.face_numbers == number))
                )
        return kept

    @staticmethod
    def exclude_borders(own: Mask, things: Mask) -> Mask:
        """The face's pixels without those next to other surfaces; pixels next to things are included."""
        return np.asarray(own & erode(np.asarray(own | things), 1))

    def view(
        self, number: int, face: Face, things: Mask, removed: Mask, openings: CompletedOpenings | None
    ) -> FaceView | None:
        """A face with its known cells and its cells to be filled; None if it has no cells to be filled."""
        rectified = self.rectified(number, face, things, removed)
        if rectified is None:
            return None
        own = np.asarray((self.labels == PLACE[face.surface]) & (self.face_numbers == number) & ~things)
        view = view_face(
            rectified,
            self.logs,
            self.exclude_borders(own, things),
            np.asarray(removed & (self.face_numbers == number)),
        )
        if openings is None:
            return view
        plain = np.asarray(view.known & ~openings.covered)
        enough = np.count_nonzero(plain) > MIN_PLAIN * np.count_nonzero(view.known)
        return replace(view, known=plain if enough else view.known, openings=openings)

    def views(self, things: Mask, removed: Mask, openings: dict[int, CompletedOpenings]) -> dict[int, FaceView]:
        """All faces with cells to be filled, by number."""
        faces = enumerate(list_faces(self.room))
        found = {number: self.view(number, face, things, removed, openings.get(number)) for number, face in faces}
        return {number: view for number, view in found.items() if view is not None}

    def fill_walls(self, walls: dict[int, FaceView], things: Mask, removed: Mask) -> WallFilling:
        """Fill the hidden parts of all walls, with their skirting and openings."""
        faces = {number: each for number, each in enumerate(list_faces(self.room)) if is_wall(each)}
        on_walls = np.isin(self.face_numbers, list(faces))
        visible = on_walls & ~things
        wall, frames, feet = (
            visible & (self.labels == PLACE[Surface.WALL]),
            self._find_frames(walls),
            self._find_feet(faces, walls),
        )
        plain = np.asarray(wall & ~frames)
        hidden = np.asarray(removed & on_walls)
        beside = find_plain_beside_frames(
            self.logs, np.asarray(plain & ~feet), np.asarray(wall & frames & ~feet), hidden
        )
        # Skirting is often labeled as no part of the wall.
        with_skirting = visible & np.isin(self.labels, [PLACE[each] for each in (Surface.WALL, Surface.OTHER)])
        areas = WallAreas(hidden, np.asarray(plain & ~feet), beside, np.asarray(plain | beside), self.face_numbers)
        filling = fill_walls(self.logs, areas)
        measured = {}
        for number, view in walls.items():
            own = plane(with_skirting & (self.face_numbers == number))
            measured[number] = measure_foot(view, np.asarray(view.rectified.rectify(own) > 0.99))
        for number, view in walls.items():
            others = [foot for each, foot in measured.items() if each != number and foot is not None]
            known, drawn = measured[number], continue_foot(view, measured[number], others)
            if not drawn.any() and not (known is not None and known.is_bare):
                # The visible part of an unknown foot stays.
                kept = np.asarray(feet & ~removed & (self.face_numbers == number))
                filling.logs[kept] = self.logs[kept]
                filling.filled[kept] = False
            self._add_details(filling, number, view, drawn)
        return filling

    def add_grain(self, fill: Plane, total: Plane, things: Mask) -> None:
        """Give the filled part of a floor without a pattern the grain of the rest; `fill` is changed."""
        floor = self.face_numbers == FLOOR_NUMBER
        filled = np.asarray(floor & (total > 0.5))
        visible = np.asarray(floor & (self.labels == PLACE[Surface.FLOOR]) & ~things & (total < 1e-3))
        grainy = add_grain(color_to_log(_divide_by_weight(fill, total)), self.logs, filled, visible)
        fill[filled] = (log_to_color(grainy) * gray_to_rgb(total))[filled]

    def _add_details(self, filling: WallFilling, number: int, view: FaceView, foot: Plane) -> None:
        """Draw the foot and the openings of one wall into the filling."""
        wall = view.rectified.rectify(filling.logs)
        values = plane(wall + foot)
        if view.openings is not None and view.openings.made:
            smooth = view.rectified.rectify(filling.light)
            values = draw_openings(values, view.values, smooth, view.openings)
        own = np.asarray(filling.filled & (self.face_numbers == number))
        filled = view.rectified.rectify(plane(own)) > 0.01
        drawn = plane(filled & (np.abs(plane(values - wall)).max(2) > 1e-3))
        if own.any() and drawn.any():
            box = _box(own)
            share = gray_to_rgb(plane(view.rectified.project_back(drawn, box) * own[box]))
            filling.logs[box] += (view.rectified.project_back(values, box) - filling.logs[box]) * share

    def _find_feet(self, faces: dict[int, Face], walls: dict[int, FaceView]) -> Mask:
        """The pixels of walls that may show skirting."""
        found = np.zeros(self.face_numbers.shape, bool)
        for number, face in faces.items():
            own = np.asarray(self.face_numbers == number)
            rectified = walls[number].rectified if number in walls else rectify_face(face, self.room, own, own)
            if rectified is not None and own.any():
                box = _box(own)
                low = np.repeat(plane(rectified.up < FOOT_HEIGHT)[:, None], rectified.shape[1], axis=1)
                found[box] |= (rectified.project_back(low, box) > 0.01) & own[box]
        return found

    def _find_frames(self, walls: dict[int, FaceView]) -> Mask:
        """The pixels of windows, doors, curtains and their frames."""
        height, width = self.face_numbers.shape
        found, everywhere = np.zeros((height, width), bool), (slice(0, height), slice(0, width))
        for number, view in walls.items():
            if view.openings is not None:
                covered = view.rectified.project_back(plane(view.openings.covered), everywhere) > 0.01
                found |= covered & (self.face_numbers == number)
        return found


def _select_touched_parts(things: Mask, touched: Mask) -> Mask:
    """The connected parts of `things` that overlap with `touched`."""
    _, parts = cv2.connectedComponents(things.astype(np.uint8))
    numbers = np.unique(parts[touched])
    return np.asarray(np.isin(parts, numbers[numbers > 0]))


def _add_filling(filling: Filling, own: Mask, fill: Plane, total: Plane, lift: Plane) -> None:
    """Add one face's filling to the picture's sums, weighted by how much of each pixel the face covers."""
    cover = cv2.GaussianBlur(plane(own), (0, 0), 0.6)
    box = _box(np.asarray(cover > 0.004))
    made = filling.rectified.project_back(filling.made, box)
    part = log_to_color(filling.rectified.project_back(filling.values, box))
    weight = plane(made * cover[box])
    fill[box] += part * gray_to_rgb(weight)
    total[box] += weight
    lift[box] += filling.rectified.project_back(filling.lift, box) * cover[box]


def _box(mask: Mask) -> Box:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
