"""Box rooms drawn exactly as a given camera sees them, each pixel with the surface that it shows."""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.arrays import Pixels, Plane
from engine.geometry.camera import Camera
from engine.geometry.pose import rotation_matrix
from engine.geometry.surface import PLACE, Surface

Numbers = NDArray[np.float64]
Paint = Callable[[Numbers, NDArray[np.bool_], Numbers, NDArray[np.int64]], None]
FINER = 2


@dataclass(frozen=True)
class Panel:
    """A flat thing on a wall ("left", "back" or "right"): from, to along it and from, to upwards, in meters."""

    wall: str
    along: tuple[float, float]
    up: tuple[float, float]
    surface: Surface
    color: tuple[int, int, int]


@dataclass(frozen=True)
class Block:
    """A cuboid thing: from, to in x, y and z; `top` is what its upper side is, `surface` all else."""

    low: tuple[float, float, float]
    high: tuple[float, float, float]
    surface: Surface
    top: Surface
    color: tuple[int, int, int]


DOOR = Panel("back", (-1.6, -0.8), (0.0, 2.03), Surface.DOOR, (150, 120, 92))
WINDOW = Panel("right", (1.6, 3.2), (0.9, 2.1), Surface.WINDOW, (244, 248, 255))
SOFA = Block((-1.9, 1.9, 0.0), (-1.0, 3.4, 0.75), Surface.FURNITURE, Surface.FURNITURE, (88, 96, 118))
KITCHEN = Block((1.4, 1.2, 0.0), (2.0, 4.6, 0.9), Surface.CABINET, Surface.COUNTERTOP, (196, 200, 196))


@dataclass(frozen=True)
class Box:
    """A room from x = left to right, up to y = back, `ceiling` meters high, open behind the camera."""

    left: float = -2.0
    right: float = 2.0
    back: float = 4.6
    ceiling: float = 2.6
    panels: tuple[Panel, ...] = (DOOR, WINDOW)
    blocks: tuple[Block, ...] = (SOFA,)
    floor: tuple[int, int, int] = (150, 114, 82)
    wall: tuple[int, int, int] = (208, 203, 194)
    board: float = 0.14
    seed: int = 3
    noise: float = 2.0
    bare: bool = False

    def drawn(self, camera: Camera, width: int = 480, height: int = 320) -> tuple[Pixels, Plane]:
        """The sRGB picture and the shares of the surfaces (height x width x len(Surface)) as `camera` sees them."""
        fine = camera.rescale(FINER)
        size = width * FINER, height * FINER
        x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
        rays = fine.rays(np.column_stack([x.ravel(), y.ravel()]))
        colors, labels = self._met(camera.eye, rays)
        chance = np.random.Generator(np.random.PCG64(self.seed))
        fine_picture = colors.reshape(size[1], size[0], 3).astype(np.float32)
        picture = cv2.resize(fine_picture, (width, height), interpolation=cv2.INTER_AREA)
        picture = picture + chance.normal(0, self.noise, picture.shape)
        maps = np.eye(len(Surface), dtype=np.float32)[labels.reshape(size[1], size[0])[::FINER, ::FINER]]
        return np.clip(picture, 0, 255).astype(np.uint8), maps

    def _met(self, eye: Numbers, rays: Numbers) -> tuple[Numbers, NDArray[np.int64]]:
        far = np.full(len(rays), np.inf)
        colors = np.zeros((len(rays), 3))
        labels = np.full(len(rays), PLACE[Surface.OTHER])

        def paint(reach: Numbers, inside: NDArray[np.bool_], color: Numbers, label: NDArray[np.int64]) -> None:
            near = inside & (reach > 1e-6) & (reach < far)
            far[near] = reach[near]
            colors[near] = np.broadcast_to(color, colors.shape)[near]
            labels[near] = np.broadcast_to(label, labels.shape)[near]

        everywhere = np.ones(len(rays), bool)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = (0 - eye[2]) / rays[:, 2]
            paint(reach, everywhere, self._boards(eye + rays * reach[:, None]), np.array(PLACE[Surface.FLOOR]))
            reach = (self.ceiling - eye[2]) / rays[:, 2]
            paint(reach, everywhere, np.array((236.0, 236, 233)), np.array(PLACE[Surface.CEILING]))
            for name, axis, place, shade in (
                ("left", 0, self.left, 0.86),
                ("right", 0, self.right, 0.93),
                ("back", 1, self.back, 1.0),
            ):
                reach = (place - eye[axis]) / rays[:, axis]
                spot = eye + rays * reach[:, None]
                paint(reach, everywhere, *self._wall(name, spot[:, 1 - axis], spot[:, 2], shade))
            for block in self.blocks:
                self._block(block, eye, rays, paint)
        return colors, labels

    def _boards(self, spot: Numbers) -> Numbers:
        row = np.floor(np.nan_to_num(spot[:, 0], posinf=0, neginf=0) / self.board)
        joint = np.abs(spot[:, 0] / self.board - row) < 0.04
        length = (np.nan_to_num(spot[:, 1], posinf=0, neginf=0) + row * 0.37) / 1.2
        joint |= np.abs(length - np.floor(length)) < 0.006
        tone = 0.93 + 0.14 * ((np.sin(row * 12.9898 + np.floor(length) * 78.233) * 43758.5) % 1.0)
        if self.bare:
            joint[:], tone = False, np.ones_like(tone)
        return np.array(self.floor, float) * (tone * np.where(joint, 0.62, 1.0))[:, None]

    def _wall(self, name: str, along: Numbers, up: Numbers, shade: float) -> tuple[Numbers, NDArray[np.int64]]:
        color = np.repeat(np.array([self.wall], float) * shade, len(along), 0)
        color[up < 0.08] = (240, 239, 236)
        label = np.full(len(along), PLACE[Surface.WALL])
        for panel in self.panels:
            if panel.wall == name:
                inside = (
                    (along > panel.along[0]) & (along < panel.along[1]) & (up > panel.up[0]) & (up < panel.up[1])
                )
                color[inside], label[inside] = panel.color, PLACE[panel.surface]
        return color, label

    def _block(self, block: Block, eye: Numbers, rays: Numbers, paint: Paint) -> None:
        low, high = np.array(block.low), np.array(block.high)
        for axis, shade in ((0, 0.8), (1, 0.9), (2, 1.1)):
            for place in (low[axis], high[axis]):
                reach = (place - eye[axis]) / rays[:, axis]
                spot = eye + rays * reach[:, None]
                others = [each for each in range(3) if each != axis]
                inside = np.all((spot[:, others] >= low[others]) & (spot[:, others] <= high[others]), 1)
                surface = block.top if axis == 2 and place == high[2] else block.surface
                paint(reach, inside, np.minimum(np.array(block.color) * shade, 255), np.array(PLACE[surface]))


def camera(
    across: float = 75.0,
    yaw: float = 0.0,
    pitch: float = 0.0,
    roll: float = 0.0,
    shift: float = 0.0,
    height: float = 1.4,
    size: tuple[int, int] = (480, 320),
) -> Camera:
    """A camera for a picture of `size`: angles in degrees, `shift` of its center downwards in picture heights."""
    focal = max(size) / 2 / float(np.tan(np.radians(across) / 2))
    center = size[0] / 2, size[1] * (0.5 + shift)
    return Camera(focal, center, rotation_matrix(*(float(np.radians(each)) for each in (yaw, pitch, roll))), height)


def directions_off(found: Camera, true: Camera) -> Numbers:
    """Degrees for the room's x, y and z: how far off the true camera sees what vanishes there for `found`."""
    points = found.turn @ np.eye(3)
    places = points[:2] * found.focal + np.array(found.center)[:, None] * points[2]
    rays = np.stack([*((places - np.array(true.center)[:, None] * points[2]) / true.focal), points[2]])
    axes = true.turn.T @ (rays / np.linalg.norm(rays, axis=0))
    return np.asarray(np.degrees(np.arccos(np.clip(np.abs(np.diag(axes)), 0, 1))))
