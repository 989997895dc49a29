"""Counts doors and windows that an edit added: new upright rectangles on the walls.

They are found by geometry alone. With a level camera, the horizon runs through the middle of the picture, and it
crosses all things at the height of the lens above the floor. So the distance from a thing's foot to its top,
divided by the distance from its foot to the horizon, is the thing's height in lens heights.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, plane
from engine.color.channels import rgb_to_gray
from engine.geometry.camera import Camera
from engine.geometry.lines import Gradients, detect_lines

HORIZON = 0.5
"""Share of the height at which a level camera sees the horizon."""
MIN_DOOR_HEIGHT = 1.2
"""Least height of a door, in lens heights (1.2 to 1.6 m each); sofas and tables are below 0.9."""
MIN_ASPECT = 0.12
"""Least width over height of an opening; a door seen from the side is narrow."""
MAX_DOOR_ASPECT = 1.0
"""Largest width over height of a door; a double door has about 1."""
MAX_ASPECT = 1.8
"""Largest width over height of a door or window."""
MIN_WINDOW_AREA = 0.012
"""Least share of the picture for a bright rectangle to count as a window; lamp shades are smaller."""
MIN_EDGE_SHARE = 0.6
"""Least share of each side of an opening that must be an edge in the second picture."""
MIN_OLD_EDGE_SHARE = 0.5
"""Least share of a side that was an edge in the first picture for the side to count as old."""
MIN_NEW_SIDES = 2
"""Least number of new sides of a new opening; one new side can be a corner of the room or an old window frame."""


@dataclass(frozen=True, slots=True)
class Upright:
    """A vertical edge of a picture, in pixels."""

    x: float
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """The height from top to bottom, in pixels."""
        return self.bottom - self.top


class StraightEdges:
    """The straight edges of the second of two pictures (sRGB bytes of one shape), compared with the first."""

    def __init__(self, before: Pixels, after: Pixels) -> None:
        gray = np.asarray(cv2.cvtColor(after, cv2.COLOR_RGB2GRAY), np.uint8)
        self._lines = detect_lines(gray, 0.04 * max(gray.shape))
        self._now = Gradients(plane(gray) / np.float32(255))
        self._then = Gradients(rgb_to_gray(plane(before) / np.float32(255)))
        self.height, self.width = gray.shape

    def list_uprights(self) -> list[Upright]:
        """All vertical edges of the second picture; pieces of one edge are joined.

        Returns
        -------
        list of Upright
            In pixels, from the left.
        """
        steep = np.abs(self._lines[:, 3] - self._lines[:, 1]) > 8 * np.abs(self._lines[:, 2] - self._lines[:, 0])
        pieces = [
            Upright(float(line[0] + line[2]) / 2, float(min(line[1], line[3])), float(max(line[1], line[3])))
            for line in self._lines[steep]
        ]
        return _join_pieces(sorted(pieces, key=lambda each: (each.x, each.top)), 0.1 * self.height)

    def are_new(self, sides: list[tuple[float, float, float, float]]) -> bool:
        """Whether all lines are edges of the second picture, and at least MIN_NEW_SIDES of them are new.

        Parameters
        ----------
        sides : list of tuple of float
            The lines: x and y of one end and of the other, in pixels.

        Returns
        -------
        bool
            True for the outline of something new.
        """
        lines = [plane(side) for side in sides]
        if any(self._now.measure_edge_share(line, 4) < MIN_EDGE_SHARE for line in lines):
            return False
        return sum(self._then.measure_edge_share(line, 3) < MIN_OLD_EDGE_SHARE for line in lines) >= MIN_NEW_SIDES


def _join_pieces(pieces: list[Upright], gap: float) -> list[Upright]:
    joined: list[Upright] = []
    for piece in pieces:
        for place, other in enumerate(joined):
            near = abs(other.x - piece.x) <= 4
            if near and piece.top - other.bottom <= gap and other.top - piece.bottom <= gap:
                joined[place] = Upright(other.x, min(other.top, piece.top), max(other.bottom, piece.bottom))
                break
        else:
            joined.append(piece)
    return joined


def count_new_openings(before: Pixels, after: Pixels) -> int:
    """Count the doors and windows of the second picture that the first picture lacks.

    Parameters
    ----------
    before, after : (h, w, 3) ndarray of uint8
        The two pictures, gamma-coded sRGB; their camera is assumed to be level.

    Returns
    -------
    int
        The number of openings; openings that share a side, such as a window's middle post, count as one.

    References
    ----------
    .. [1] Hoiem, Efros, Hebert, "Putting Objects in Perspective", 2006.
    """
    edges = StraightEdges(before, after)
    found: list[set[Upright]] = []
    for pair in _list_pairs(edges):
        if _is_door(edges, *pair) or _is_window(edges, after, *pair):
            touching = [each for each in found if each & set(pair)]
            found = [each for each in found if each not in touching] + [set(pair).union(*touching)]
    return len(found)


def _list_pairs(edges: StraightEdges) -> Iterator[tuple[Upright, Upright]]:
    for left, right in combinations(edges.list_uprights(), 2):
        tall, short = max(left.height, right.height), min(left.height, right.height)
        overlap = min(left.bottom, right.bottom) - max(left.top, right.top)
        if overlap >= 0.6 * tall and MIN_ASPECT <= (right.x - left.x) / max(short, 1) <= MAX_ASPECT:
            yield left, right


def _is_door(edges: StraightEdges, left: Upright, right: Upright) -> bool:
    lens = HORIZON * edges.height
    if right.x - left.x > MAX_DOOR_ASPECT * min(left.height, right.height):
        return False
    for side in (left, right):
        # An edge that ends near the horizon is far away, or does not reach down to the floor.
        foot_to_horizon = side.bottom - lens
        if foot_to_horizon < 0.06 * edges.height or side.height < MIN_DOOR_HEIGHT * foot_to_horizon:
            return False
    return edges.are_new([_make_line(left), _make_line(right), (left.x, left.top, right.x, right.top)])


def _is_window(edges: StraightEdges, after: Pixels, left: Upright, right: Upright) -> bool:
    top, bottom = round(max(left.top, right.top)), round(min(left.bottom, right.bottom))
    inside = after[top:bottom, round(left.x) : round(right.x)]
    if inside.shape[0] * inside.shape[1] < MIN_WINDOW_AREA * edges.height * edges.width:
        return False
    level = [(left.x, left.top, right.x, right.top), (left.x, left.bottom, right.x, right.bottom)]
    return edges.are_new([_make_line(left), _make_line(right), *level]) and _shows_daylight(inside, after)


def _make_line(upright: Upright) -> tuple[float, float, float, float]:
    return upright.x, upright.top, upright.x, upright.bottom


def _shows_daylight(inside: Pixels, whole: Pixels) -> bool:
    """Whether a third of a rectangle is nearly as bright as the room's brightest places, or as blue as a sky."""
    gray = rgb_to_gray(plane(inside) / np.float32(255))
    light = max(0.75, 0.92 * float(np.quantile(rgb_to_gray(plane(whole) / np.float32(255)), 0.99)))
    red, blue = inside[..., 0].astype(np.int16), inside[..., 2].astype(np.int16)
    daylight = (gray >= light) | ((blue - red > 18) & (gray > 0.45))
    return float(daylight.mean()) >= 0.35


def level_picture(picture: Pixels, camera: Camera) -> Pixels:
    """The picture as a level camera would have taken it; parts outside the picture repeat its border.

    Parameters
    ----------
    picture : (h, w, 3) ndarray of uint8
        The picture, in any color space.
    camera : Camera
        The camera of this picture.

    Returns
    -------
    (h2, w, 3) ndarray of uint8
        With the horizon in the middle. The height grows by twice the horizon's distance from the middle, at most to
        double the height.
    """
    height, width = picture.shape[:2]
    forward = camera.turn[2] * (1, 1, 0)
    ahead = forward / max(float(np.linalg.norm(forward)), 1e-6)
    level = np.stack([[ahead[1], -ahead[0], 0.0], [0.0, 0.0, -1.0], ahead])
    horizon = camera.center[1] + camera.focal * float(camera.turn[2, 2]) / max(float(np.linalg.norm(forward)), 1e-6)
    tall = height + 2 * min(round(abs(horizon - height / 2)), height // 2)
    turn = _make_camera_matrix(camera.focal, (width / 2, tall / 2)) @ level @ camera.turn.T
    turn = turn @ np.linalg.inv(_make_camera_matrix(camera.focal, camera.center))
    done = cv2.warpPerspective(
        picture, turn, (width, tall), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(done, np.uint8)


def _make_camera_matrix(focal: float, center: tuple[float, float]) -> NDArray[np.float64]:
    return np.array([[focal, 0, center[0]], [0, focal, center[1]], [0, 0, 1.0]])
