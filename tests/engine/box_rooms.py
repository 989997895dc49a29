"""Box-shaped rooms drawn by tracing rays: the same room furnished and empty, with its camera and labels exact."""

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.color.profiles import ColorProfile
from engine.geometry.camera import Camera
from engine.geometry.estimation import Obstacle, RoomUnclear
from engine.geometry.room import Room, Wall
from engine.geometry.surface import PLACE, Surface
from engine.segmentation.scene import Scene

Values = NDArray[np.float64]
Box = tuple[float, float, float, float, float, float]
"""Left, right, near, far, bottom and top, in meters."""
LAMP = 4
SKIRTING = 0.1


@dataclass(frozen=True)
class BoxRoom:
    """A room from `left` to `right` and to `far`, `high` meters, with things standing in it as boxes."""

    left: float = -2.2
    right: float = 2.6
    far: float = 4.6
    high: float = 2.6
    floor: str = "planks"
    plank: float = 0.18
    wall: tuple[float, float, float] = (0.72, 0.7, 0.64)
    things: tuple[Box, ...] = ((-0.6, 0.9, 2.6, 3.4, 0.0, 0.75),)
    thing: tuple[float, float, float] = (0.25, 0.32, 0.42)
    surface: Surface = Surface.FURNITURE
    window: tuple[float, float, float, float] | None = None
    yaw: float = 0.12
    pitch: float = 0.12
    width: int = 420
    height: int = 280
    lamp: tuple[float, float, float] = (0.3, 2.0, 2.5)
    seed: int = 3

    @property
    def camera(self) -> Camera:
        """Turned to the left by `yaw` and down by `pitch`, at 1.4 meters."""
        turn = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
        up, side = np.cos(self.pitch), np.sin(self.pitch)
        tilt = np.array([[1, 0, 0], [0, up, side], [0, -side, up]])
        along, aside = np.cos(self.yaw), np.sin(self.yaw)
        yaw = np.array([[along, aside, 0], [-aside, along, 0], [0, 0, 1]])
        return Camera(0.72 * self.width, (self.width / 2, self.height / 2), tilt.T @ turn @ yaw, 1.4)

    @property
    def room(self) -> Room:
        """What is to be known of it."""
        corners = [(self.left, -1.0), (self.left, self.far), (self.right, self.far), (self.right, -1.0)]
        walls = tuple(Wall(one, other) for one, other in itertools.pairwise(corners))
        return Room(self.camera, walls, self.high)

    def drawn(self, *, furnished: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The picture (height x width x 3 bytes) and its labels."""
        picture, labels = _drawn(self, furnished)
        return picture.copy(), labels.copy()

    def draw(self, *, furnished: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The same, drawn anew."""
        things = self.things if furnished else ()
        total = np.zeros((self.height * self.width, 3))
        for across, down in ((0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)):
            total += self._met(self._rays(across, down), things)[3] / 4
        places, normal, surface, _ = self._met(self._rays(0.5, 0.5), things)
        lit = total * self._light(places, normal, things)[:, None]
        picture = np.clip(lit, 0, 1).reshape(self.height, self.width, 3) ** (1 / 2.2)
        noise = np.random.Generator(np.random.PCG64(self.seed + furnished)).normal(0, 0.8, picture.shape)
        labels = surface.reshape(self.height, self.width).astype(np.uint8)
        return np.clip(picture * 255 + noise, 0, 255).astype(np.uint8), labels

    def _rays(self, across: float, down: float) -> Values:
        rows, columns = np.indices((self.height, self.width))
        return self.camera.rays(np.column_stack([columns.ravel() + across, rows.ravel() + down]))

    def _met(self, rays: Values, things: tuple[Box, ...]) -> tuple[Values, Values, Values, Values]:
        eye = self.camera.eye
        shell = (self.left, self.right, -1.0, self.far, 0.0, self.high)
        far, normal = _inside(eye, rays, shell)
        places = eye + rays * far[:, None]
        surface, color = self._shell(places, normal)
        for box in things:
            near, facing = _outside(eye, rays, box)
            hit = near < far
            far = np.where(hit, near, far)
            places[hit] = eye + rays[hit] * near[hit, None]
            normal[hit] = facing[hit]
            surface[hit] = PLACE[self.surface]
            color[hit] = self.thing
        return places, normal, surface, color

    def _shell(self, places: Values, normal: Values) -> tuple[Values, Values]:
        x, y, z = places.T
        floor, ceiling, back = normal[:, 2] > 0.5, normal[:, 2] < -0.5, normal[:, 1] < -0.5
        surface = np.where(
            floor, PLACE[Surface.FLOOR], np.where(ceiling, PLACE[Surface.CEILING], PLACE[Surface.WALL])
        )
        color = np.tile(np.array(self.wall), (len(x), 1))
        color[ceiling] = 0.85
        color[~floor & ~ceiling & (z < SKIRTING)] = 0.9
        color[floor] = self._floor(x[floor], y[floor])
        if self.window is not None:
            left, right, bottom, top = self.window
            frame = back & (x > left) & (x < right) & (z > bottom) & (z < top)
            pane = frame & (x > left + 0.06) & (x < right - 0.06) & (z > bottom + 0.06) & (z < top - 0.06)
            color[frame], color[pane] = 0.9, (1.6, 1.8, 2.0)
            surface = np.where(frame, PLACE[Surface.WINDOW], surface)
        return surface, color

    def _floor(self, x: Values, y: Values) -> Values:
        if self.floor == "plain":
            return np.tile(np.array([0.4, 0.38, 0.35]), (len(x), 1))
        if self.floor == "tiles":
            size = 0.4
            joint = (np.mod(x, size) < 0.012) | (np.mod(y, size) < 0.012)
            return np.where(joint[:, None], 0.15, np.array([0.55, 0.5, 0.45]))
        column = np.floor(x / self.plank).astype(int)
        row = np.floor(y / 1.2 + column * 0.37).astype(int)
        tone = 0.8 + 0.4 * np.mod(np.sin(column * 12.9898 + row * 78.233) * 43758.5453, 1)
        joint = (np.mod(x, self.plank) < 0.01) | (np.mod(y / 1.2 + column * 0.37, 1) < 0.008)
        tone = np.where(joint, 0.45, tone) * (1 + 0.05 * np.sin(x * 260 + column) * np.sin(y * 9 + column))
        return tone[:, None] * np.array([0.42, 0.27, 0.16])

    def _light(self, places: Values, normal: Values, things: tuple[Box, ...]) -> Values:
        total = np.full(len(places), 0.35)
        for number in range(LAMP * LAMP):
            at = np.array(self.lamp) + 0.5 * np.array([number % LAMP - 1.5, number // LAMP - 1.5, 0]) * 0.45
            way = at - places
            far = np.linalg.norm(way, axis=1)
            facing = np.clip((way * normal).sum(1) / far, 0, 1)
            open_ = np.ones(len(places))
            for box in things:
                near, _ = _outside(places + normal * 1e-3, way, box)
                open_[near < 1] = 0
            total += (facing * 2.6 / (far**2 + 1) * open_) / LAMP**2
        return total


@cache
def _drawn(room: BoxRoom, furnished: bool) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    return room.draw(furnished=furnished)


def _inside(eye: Values, rays: Values, box: Box) -> tuple[Values, Values]:
    """How far the walls of a box are for rays from within, and how they face."""
    best, normal = np.full(len(rays), np.inf), np.zeros((len(rays), 3))
    for number, bound in enumerate(box):
        axis, side = number // 2, 1.0 if number % 2 else -1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.where(rays[:, axis] * side > 0, (bound - eye[axis]) / rays[:, axis], np.inf)
        nearer = far < best
        best[nearer] = far[nearer]
        normal[nearer] = 0
        normal[nearer, axis] = -side
    return best, normal


def _outside(eye: Values, rays: Values, box: Box) -> tuple[Values, Values]:
    """How far a box is for rays from outside, infinite where it is missed, and how its side faces."""
    with np.errstate(divide="ignore", invalid="ignore"):
        bounds = np.array(box).reshape(3, 2)
        one, other = (bounds[:, 0] - eye) / rays, (bounds[:, 1] - eye) / rays
    enter, leave = np.minimum(one, other), np.maximum(one, other)
    axis = enter.argmax(1)
    near, far = enter.max(1), leave.min(1)
    each = np.arange(len(rays))
    normal = np.zeros_like(rays)
    normal[each, axis] = -np.sign(rays[each, axis])
    return np.where((near < far) & (far > 0) & (near > 1e-4), near, np.inf), normal


class KnownScene(Scene):
    """A scene of a drawn room, whose measures and parts are known."""

    outdoors = False
    surfaces: NDArray[np.float32]

    def __init__(self, pixels: NDArray[np.uint8], labels: NDArray[np.uint8], room: Room | None) -> None:
        super().__init__(pixels, ColorProfile(), "a drawn room")
        self.surfaces = np.eye(len(Surface), dtype=np.float32)[labels]
        self.known = room

    @property
    def room(self) -> Room:
        if self.known is None:
            raise RoomUnclear(Obstacle.NO_WALLS)
        return self.known
