"""Drawn box rooms with doors and windows and exact labels, as a camera anywhere in them sees them."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from engine.arrays import Plane
from engine.geometry.camera import Camera
from engine.geometry.room import Room, Wall
from engine.geometry.surface import PLACE, Surface

WIDTH, HEIGHT = 384, 256


@dataclass(frozen=True)
class Hole:
    """A door or window in a wall: meters along it, lower and upper edge."""

    kind: Surface
    wall: int
    left: float
    right: float
    low: float
    high: float


@dataclass(frozen=True)
class BoxRoom:
    room: Room
    surfaces: Plane
    labels: np.ndarray
    holes: tuple[Hole, ...]


def box_room(seed: int) -> BoxRoom:
    """A room with three walls in view or more, a door, windows, and a camera at one of its ends."""
    chance = np.random.Generator(np.random.PCG64(seed))
    wide, deep = chance.uniform(2.8, 6.0), chance.uniform(3.2, 7.0)
    ceiling = float(chance.uniform(2.35, 3.0))
    left, behind = -wide * chance.uniform(0.25, 0.75), chance.uniform(0.1, 0.5)
    right, back = left + wide, deep - behind
    spots = [(left, -behind), (left, back), (right, back), (right, -behind)]
    walls = tuple(Wall(one, other) for one, other in pairwise(spots))
    camera = _camera(chance, np.array([(left + right) / 2, back * 0.8]))
    holes = tuple(_holes(chance, walls))
    room = Room(camera, walls, ceiling)
    labels = _labels(room, holes)
    return BoxRoom(room, np.eye(len(Surface), dtype=np.float32)[labels], labels, holes)


def _camera(chance: np.random.Generator, towards: np.ndarray) -> Camera:
    yaw = np.arctan2(towards[0], towards[1]) + chance.normal(0, 0.15)
    pitch = chance.uniform(0.0, 0.16)
    forward = np.array([np.sin(yaw) * np.cos(pitch), np.cos(yaw) * np.cos(pitch), -np.sin(pitch)])
    across = np.array([np.cos(yaw), -np.sin(yaw), 0.0])
    turn = np.stack([across, np.cross(forward, across), forward])
    return Camera(
        WIDTH * chance.uniform(0.45, 0.75), (WIDTH / 2, HEIGHT / 2), turn, float(chance.uniform(1.1, 1.65))
    )


def _holes(chance: np.random.Generator, walls: tuple[Wall, ...]) -> list[Hole]:
    holes = []
    for number, wall in enumerate(walls):
        if chance.random() < 0.6 and wall.length > 2.4:
            kind = (Surface.DOOR, Surface.WINDOW)[int(chance.integers(2))]
            size = chance.uniform(0.8, 1.0) if kind is Surface.DOOR else chance.uniform(0.8, 1.8)
            left = chance.uniform(0.2, wall.length - size - 0.2)
            low = 0.0 if kind is Surface.DOOR else float(chance.choice([0.05, 0.85, 1.05]))
            holes.append(Hole(kind, number, left, left + size, low, 2.05))
    return holes


def _labels(room: Room, holes: tuple[Hole, ...]) -> np.ndarray:
    """The surface of each pixel, by the nearest plane its ray meets."""
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH]
    pixels = np.column_stack([across.ravel() + 0.5, down.ravel() + 0.5])
    rays = room.camera.rays(pixels)
    eye = room.camera.eye
    with np.errstate(divide="ignore", invalid="ignore"):
        floor = np.where(rays[:, 2] < 0, -eye[2] / rays[:, 2], np.inf)
        over = np.where(rays[:, 2] > 0, ((room.ceiling or 2.5) - eye[2]) / rays[:, 2], np.inf)
    labels = np.where(floor < over, PLACE[Surface.FLOOR], PLACE[Surface.CEILING])
    nearest = np.minimum(floor, over)
    for number, wall in enumerate(room.walls):
        with np.errstate(divide="ignore", invalid="ignore"):
            far = (wall.distance - eye @ wall.inward) / (rays @ wall.inward)
        far = np.where(far > 0, far, np.inf)
        hit = np.isfinite(far) & (far < nearest - 1e-9)
        points = eye + rays * np.where(np.isfinite(far), far, 0)[:, None]
        along = (points - np.array([*wall.start, 0])) @ wall.along
        hit &= (along > -1e-6) & (along < wall.length + 1e-6)
        kind = np.full(len(pixels), PLACE[Surface.WALL])
        for hole in holes:
            if hole.wall == number:
                inside = (
                    (along > hole.left)
                    & (along < hole.right)
                    & (points[:, 2] > hole.low)
                    & (points[:, 2] < hole.high)
                )
                kind[inside] = PLACE[hole.kind]
        labels[hit], nearest[hit] = kind[hit], far[hit]
    return labels.reshape(HEIGHT, WIDTH)


COLORS = {
    Surface.FLOOR: (150, 112, 78),
    Surface.WALL: (206, 202, 194),
    Surface.CEILING: (226, 224, 220),
    Surface.WINDOW: (255, 255, 255),
    Surface.DOOR: (232, 230, 226),
}


def drawn(box: BoxRoom, width: int) -> np.ndarray:
    """A plain picture of the room, its light falling off with the distance from the middle."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for surface, color in COLORS.items():
        picture[box.labels == PLACE[surface]] = color
    size = width, round(width * HEIGHT / WIDTH)
    large = cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR).astype(float)
    noise = np.random.Generator(np.random.PCG64(4)).normal(0, 1.5, large.shape)
    return np.clip(large + noise, 0, 255).astype(np.uint8)
