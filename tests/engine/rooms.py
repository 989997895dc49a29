"""Rooms drawn in perspective, for what generative edits may and may not do to them."""

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from tests.scenes import Picture

Point = tuple[float, float]


@dataclass(frozen=True)
class Room:
    """A box seen from its open side. `back` is its far wall: left, top, right, bottom as shares of the size."""

    back: tuple[float, float, float, float] = (0.3, 0.3, 0.74, 0.62)
    wall: tuple[int, int, int] = (206, 200, 188)
    floor: tuple[int, int, int] = (150, 112, 76)
    planks: int = 14
    dim: float = 1.0

    def drawn(self, width: int = 768, height: int = 512) -> Picture:
        """Ceiling, walls, skirting, planks, a window in the far wall, a door in the left one; not for writing."""
        return _drawn(self, width, height)

    def draw(self, width: int, height: int) -> Picture:
        """The same, drawn anew."""
        picture = np.zeros((height, width, 3), np.uint8)
        left, top, right, bottom = self.back
        white = (232, 231, 228)
        _fill(picture, [(0, 0), (1, 0), (right, top), (left, top)], white)
        _fill(picture, [(0, 1), (1, 1), (right, bottom), (left, bottom)], self.floor)
        _fill(picture, [(0, 0), (left, top), (left, bottom), (0, 1)], _times(self.wall, 0.9))
        _fill(picture, [(1, 0), (right, top), (right, bottom), (1, 1)], _times(self.wall, 0.82))
        _fill(picture, [(left, top), (right, top), (right, bottom), (left, bottom)], self.wall)
        self._planks(picture)
        self._skirting(picture)
        self._window(picture)
        self._door(picture)
        noise = np.random.Generator(np.random.PCG64(5))
        away = np.linspace(1.0, 0.8, width, dtype=np.float32)[None, :, None]
        grain = noise.standard_normal((height, width, 1), dtype=np.float32) * 1.6
        done = np.clip(picture * away * self.dim + grain, 0, 255).astype(np.uint8)
        done.setflags(write=False)
        return done

    def _planks(self, picture: Picture) -> None:
        left, _, right, bottom = self.back
        for number in range(self.planks + 1):
            far = left + (right - left) * number / self.planks
            near = -0.6 + 2.2 * number / self.planks
            _line(picture, (far, bottom), (near, 1.25), _times(self.floor, 0.7))
        for row in (0.66, 0.72, 0.8, 0.91):
            _line(picture, (-0.2 + row * 0.3, row), (1.2 - row * 0.2, row), _times(self.floor, 0.75))
        # What the lines ran over is wall again.
        _fill(picture, [(0, 0), (left, 0), (left, bottom), (0, 1)], _times(self.wall, 0.9), only_below=0.5)
        _fill(picture, [(1, 0), (right, 0), (right, bottom), (1, 1)], _times(self.wall, 0.82), only_below=0.5)

    def _skirting(self, picture: Picture) -> None:
        left, _, right, bottom = self.back
        for one, other in (((left, bottom), (right, bottom)), ((0, 1), (left, bottom)), ((1, 1), (right, bottom))):
            _line(picture, one, other, (238, 236, 232), 4)

    def _window(self, picture: Picture) -> None:
        left, top, right, bottom = self.back
        span, rise = right - left, bottom - top
        box = (left + 0.55 * span, top + 0.16 * rise, left + 0.85 * span, top + 0.62 * rise)
        rectangle(picture, box, (240, 240, 238))
        rectangle(picture, (box[0] + 0.006, box[1] + 0.01, box[2] - 0.006, box[3] - 0.01), (252, 253, 255))
        _line(picture, ((box[0] + box[2]) / 2, box[1]), ((box[0] + box[2]) / 2, box[3]), (225, 225, 222), 3)

    def _door(self, picture: Picture) -> None:
        left, top, _, bottom = self.back
        corners = [(left * each, top * each + 0.12) for each in (0.45, 0.75)]
        feet = [(left * each, 1 - (1 - bottom) * each) for each in (0.75, 0.45)]
        _fill(picture, [*corners, *feet], (120, 96, 74))


@cache
def _drawn(room: Room, width: int, height: int) -> Picture:
    return room.draw(width, height)


ROOMS = (
    Room(),
    Room((0.22, 0.28, 0.62, 0.6), (228, 226, 222), (188, 182, 172), 9),
    Room((0.36, 0.34, 0.8, 0.64), (122, 136, 148), (96, 70, 50), 20, 0.75),
)


def rectangle(picture: Picture, box: tuple[float, float, float, float], color: tuple[float, ...]) -> None:
    """Fill a box given in shares of the size."""
    left, top, right, bottom = box
    _fill(picture, [(left, top), (right, top), (right, bottom), (left, bottom)], color)


def _fill(picture: Picture, corners: list[Point], color: tuple[float, ...], only_below: float = 0.0) -> None:
    height, width = picture.shape[:2]
    layer = picture.copy()
    points = np.rint(np.array(corners) * (width, height)).astype(np.int32)
    cv2.fillPoly(layer, [points], tuple(float(each) for each in color), cv2.LINE_AA)
    first = round(only_below * height)
    picture[first:] = layer[first:]


def _line(picture: Picture, one: Point, other: Point, color: tuple[float, ...], thickness: int = 1) -> None:
    height, width = picture.shape[:2]
    ends = [(round(x * width), round(y * height)) for x, y in (one, other)]
    cv2.line(picture, ends[0], ends[1], tuple(float(each) for each in color), thickness, cv2.LINE_AA)


def _times(color: tuple[int, ...], factor: float) -> tuple[float, ...]:
    return tuple(each * factor for each in color)
