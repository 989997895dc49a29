"""Rooms drawn from the same models as rendered ones, but without tracing light: hundreds in the time of one.

Exact shapes and labels by a depth buffer (homogeneous rasterization, Olano and Greer 1997); light is a likeness:
windows and lamps as unshadowed area lights, dark corners, soft shadows below things, patches of sun, mirror images
in polished floors.
"""

import argparse
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.quick_variety import sheen, varied_room
from training.render.labels import RoomPart
from training.render.picture import Camera, developed
from training.render.room import Room, measured
from training.render.rooms import Inside
from training.render.sets import Example, parted, save
from training.render.shapes import Part

Map = NDArray[np.floating]
NEAR = 0.05
CELL = 0.04
"""Meters of floor to a cell of the map of shadows."""
THINGS = (RoomPart.FURNITURE, RoomPart.CABINET, RoomPart.CLUTTER, RoomPart.COUNTERTOP)


@dataclass(slots=True)
class Buffers:
    """What each pixel sees: the triangle's number (-1 for none), depth along the view, the corners' shares."""

    triangle: NDArray[np.int32]
    depth: Map
    shares: Map


def drawn_room(chance: np.random.Generator, finer: float = 1.0) -> Example:
    """A room, its kinds and surfaces, like those of training.render's sort "room"."""
    made = varied_room(chance)
    camera = replace(made.camera, width=round(made.camera.width * finer), height=round(made.camera.height * finer))
    light, labels = quick_shot(made, camera, chance)
    kinds, surfaces = parted(labels)
    lit = light[surfaces != RoomPart.WINDOW.place]
    middle = float(np.percentile(lit.mean(-1), 70)) if len(lit) else 1.0
    gain = chance.uniform(0.3, 0.95) / max(middle, 1e-3)
    balance = np.exp(chance.normal(0, 0.08, 3)).astype(np.float32)
    picture = developed(light, gain, chance.uniform(-0.2, 0.5), balance)
    return Example(picture, kinds, np.zeros_like(kinds), True, surfaces)


def quick_shot(made: Inside, camera: Camera, chance: np.random.Generator) -> tuple[Map, NDArray[np.uint8]]:
    """Linear light (h x w x 3) and labels (h x w)."""
    parts = list(made.model.parts.values())
    settled = [part.settled() for part in parts]
    triangles = np.concatenate([each[0] for each in settled]).astype(np.float64)
    owner = np.concatenate([np.full(len(each[0]), number) for number, each in enumerate(settled)])
    buffers = _rasterized(triangles, made.room, camera)
    seen = buffers.triangle
    labels = np.array([int(part.kind) for part in parts], np.uint8)[owner[seen]]
    labels[seen < 0] = RoomPart.WINDOW
    albedo, glow = _looks(parts, owner, np.concatenate([each[1] for each in settled]), buffers)
    points, normals = _places(triangles, camera, buffers)
    light = _lights(parts, settled, points, normals, chance)
    light *= (
        _corners(made.room, points)[..., None] * _shadows(made.room, triangles, parts, owner, points)[..., None]
    )
    light += _sun(made.room, points, labels, chance)
    result = albedo * light + glow
    result[seen < 0] = made.light.dome.mean() * 3
    below = _below(made, camera, (parts, settled, triangles, owner), chance)
    result += sheen(chance, labels == RoomPart.FLOOR, _facing(points, made.camera), below)
    noisy = result * (1 + chance.normal(0, 0.01, result.shape[:2])[..., None])
    return noisy.astype(np.float32), labels


def _below(
    made: Inside,
    camera: Camera,
    things: tuple[list[Part], list[tuple[Map, Map]], Map, Map],
    chance: np.random.Generator,
) -> Map:
    """The room as a mirror for a floor would show it (h x w x 3), its light without shadows."""
    parts, settled, triangles, owner = things
    above = np.array([part.kind not in (RoomPart.FLOOR, RoomPart.RUG) for part in parts])[owner]
    turned = np.where(above[:, None, None], triangles * [1, 1, -1], 0.0)
    buffers = _rasterized(turned, made.room, camera)
    albedo, glow = _looks(parts, owner, np.concatenate([each[1] for each in settled]), buffers)
    points, normals = _places(triangles, camera, buffers)
    light = albedo * _lights(parts, settled, points, normals, chance) + glow
    light[buffers.triangle < 0] = made.light.dome.mean() * 3
    return light


def _facing(points: Map, camera: Camera) -> Map:
    """The cosine between the view of each point and the upright."""
    away = np.array(camera.position) - points
    return np.asarray(away[..., 2] / np.maximum(np.linalg.norm(away, axis=-1), 1e-6))


def _rasterized(triangles: Map, room: Room, camera: Camera) -> Buffers:
    lens = measured(room, camera).camera
    world = triangles - np.array([camera.position[0], camera.position[1], 0.0])
    before = (world - lens.eye) @ lens.turn.T
    corners = before.copy()
    corners[..., :2] = before[..., :2] * lens.focal + before[..., 2:] * np.array(lens.center)
    height, width = camera.height, camera.width
    buffers = Buffers(
        np.full((height, width), -1, np.int32), np.full((height, width), np.inf), np.zeros((height, width, 3))
    )
    sizes = np.linalg.det(corners)
    ahead = (corners[..., 2] > NEAR).all(1)
    behind = (corners[..., 2] <= NEAR).all(1)
    for number in np.flatnonzero((np.abs(sizes) > 1e-9) & ~behind):
        window = _window(corners[number], (height, width)) if ahead[number] else (0, height, 0, width)
        if window[0] < window[1] and window[2] < window[3]:
            _fill(buffers, number, np.linalg.inv(corners[number].T), window)
    return buffers


def _window(corners: Map, shape: tuple[int, int]) -> tuple[int, int, int, int]:
    across, down = corners[:, 0] / corners[:, 2], corners[:, 1] / corners[:, 2]
    top, bottom = max(0, int(np.floor(down.min()))), min(shape[0], int(np.ceil(down.max())) + 1)
    left, right = max(0, int(np.floor(across.min()))), min(shape[1], int(np.ceil(across.max())) + 1)
    return top, bottom, left, right


def _fill(buffers: Buffers, number: int, edges: Map, window: tuple[int, int, int, int]) -> None:
    top, bottom, left, right = window
    across = np.arange(left, right) + 0.5
    down = (np.arange(top, bottom) + 0.5)[:, None]
    values = [each[0] * across + each[1] * down + each[2] for each in edges]
    nearness = values[0] + values[1] + values[2]
    place = (slice(top, bottom), slice(left, right))
    inside_it = (values[0] >= 0) & (values[1] >= 0) & (values[2] >= 0) & (nearness > 1e-9)
    inside_it &= (1 / np.maximum(nearness, 1e-9) < buffers.depth[place] - 1e-5) & (nearness < 1 / NEAR)
    if not inside_it.any():
        return
    near = nearness[inside_it]
    buffers.depth[place][inside_it] = 1 / near
    buffers.triangle[place][inside_it] = number
    buffers.shares[place][inside_it] = np.stack([each[inside_it] / near for each in values], -1)


def _looks(parts: list[Part], owner: Map, places: Map, buffers: Buffers) -> tuple[Map, Map]:
    """Reflectance and own light of each pixel (h x w x 3)."""
    shape = (*buffers.triangle.shape, 3)
    albedo, glow = np.full(shape, 0.5, np.float32), np.zeros(shape, np.float32)
    spots = np.einsum("hwk,hwkc->hwc", buffers.shares, places[buffers.triangle])
    which = np.where(buffers.triangle >= 0, owner[buffers.triangle], -1)
    for number in np.unique(which[which >= 0]):
        here = which == number
        material = parts[number].material
        albedo[here] = _sampled(material.texture, spots[here])
        if material.glow is not None:
            glow[here] = _sampled(material.glow, spots[here])
    return albedo, glow


def _sampled(texture: Map, spots: Map) -> Map:
    rows, columns = texture.shape[:2]
    across = np.floor(spots[:, 0] * columns).astype(int) % columns
    down = np.floor((1 - spots[:, 1]) * rows).astype(int) % rows
    return texture[down, across]


def _places(triangles: Map, camera: Camera, buffers: Buffers) -> tuple[Map, Map]:
    """The point of the room that each pixel sees, and which way it faces, towards the camera."""
    corners = triangles[buffers.triangle]
    points = np.einsum("hwk,hwkc->hwc", buffers.shares, corners)
    normals = np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=-1, keepdims=True), 1e-9)
    away = ((points - np.array(camera.position)) * normals).sum(-1, keepdims=True) > 0
    return points, np.where(away, -normals, normals)


def _lights(
    parts: list[Part], settled: list[tuple[Map, Map]], points: Map, normals: Map, chance: np.random.Generator
) -> Map:
    """Light that falls on each pixel from windows and lamps, without shadows, and what the room throws back."""
    total = np.zeros(points.shape)
    power = np.zeros(3)
    for part, (corners, _) in zip(parts, settled, strict=True):
        if part.material.glow is None:
            continue
        crossed = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]).astype(np.float64)
        area = np.linalg.norm(crossed, axis=1).sum() / 2
        middle, radiance = corners.mean((0, 1)), part.material.glow.mean((0, 1))
        towards = middle - points
        distance = np.maximum((towards**2).sum(-1, keepdims=True), 0.04)
        slope = (towards * normals).sum(-1, keepdims=True) / np.sqrt(distance)
        reach = np.clip(slope * 0.8 + 0.2, 0, 1) * area / (distance + area)
        total += reach * radiance
        power += radiance * min(area, 4.0)
    bounced = power / max(float(len(settled)), 1.0) * chance.uniform(0.3, 1.2) + 0.02
    upwards = 0.85 + 0.15 * normals[..., 2:3]
    return total + bounced * upwards


def _corners(room: Room, points: Map) -> Map:
    """Darker where walls, floor and ceiling meet."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    open_ = np.ones(x.shape)
    near = sorted((x - room.left, room.right - x, room.deep - y, z, room.high - z), key=lambda each: each.mean())
    stack = np.sort(np.abs(np.stack(near, -1)), -1)
    for place in (1, 2):
        open_ *= 1 - 0.3 * np.exp(-stack[..., place] / 0.3)
    return open_


def _shadows(room: Room, triangles: Map, parts: list[Part], owner: Map, points: Map) -> Map:
    """Soft shadows on the floor below things and beside them."""
    size = int((room.right - room.left) / CELL) + 1, int(room.deep / CELL) + 1
    low, high = np.zeros(size[::-1], np.float32), np.zeros(size[::-1], np.float32)
    things = np.isin([int(part.kind) for part in parts], [int(each) for each in THINGS])[owner]
    for corners in triangles[things]:
        spots = np.round((corners[:, :2] - [room.left, 0]) / CELL * 16).astype(np.int32)
        target = low if corners[:, 2].min() < 0.15 else high
        cv2.fillConvexPoly(target, spots, 1.0, shift=4)
    shade = 0.55 * cv2.GaussianBlur(low, (0, 0), 0.06 / CELL) + 0.35 * cv2.GaussianBlur(low, (0, 0), 0.35 / CELL)
    shade += 0.3 * cv2.GaussianBlur(high, (0, 0), 0.3 / CELL)
    across = ((points[..., 0] - room.left) / CELL).astype(np.float32)
    along = (points[..., 1] / CELL).astype(np.float32)
    there = cv2.remap(np.minimum(shade, 0.85), across, along, cv2.INTER_LINEAR, borderValue=0.0)
    return 1 - there * np.exp(-np.maximum(points[..., 2], 0) / 0.1)


def _sun(room: Room, points: Map, labels: NDArray[np.uint8], chance: np.random.Generator) -> Map:
    """Now and then patches of sun through the bars of a window, thrown on whatever is there."""
    shape = (*points.shape[:2], 1)
    if chance.random() > 0.4:
        return np.zeros(shape)
    side = np.array([chance.choice((-1.0, 1.0)), chance.uniform(-1, 1), 0])
    way = side / np.linalg.norm(side) * chance.uniform(0.6, 2.0) + [0, 0, -1]
    # Where the light through a point comes through the upright plane of that side's wall.
    edge = room.left if way[0] > 0 else room.right
    back = (points[..., 0] - edge) / way[0]
    along = points[..., 1] - back * way[1]
    up = points[..., 2] - back * way[2]
    low, wide, gap = chance.uniform(0.1, 1.0), chance.uniform(0.3, 2.0), chance.uniform(0.1, 1.0)
    lit = (back > 0) & (up > low) & (up < low + chance.uniform(0.8, 1.8)) & (np.mod(along, wide + gap) < wide)
    if chance.random() < 0.5:
        slat = chance.uniform(0.04, 0.4)
        lit &= np.mod(up, slat) > slat * chance.uniform(0.15, 0.5)
    soft = cv2.GaussianBlur(lit.astype(np.float32), (0, 0), chance.uniform(0.4, 1.5))
    soft *= np.isin(labels, [int(RoomPart.FLOOR), int(RoomPart.WALL), int(RoomPart.RUG), *map(int, THINGS)])
    return soft[..., None] * chance.uniform(0.5, 4.0)


def main() -> int:
    """Draw rooms into OUT, one .npz each; a room depends on its number and the seed only."""
    parser = argparse.ArgumentParser(prog="python -m training.quick_rooms", description=main.__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--scenes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--finer", type=float, default=1.0, help="times the usual 384 pixels")
    chosen = parser.parse_args()
    chosen.out.mkdir(parents=True, exist_ok=True)
    for number in range(chosen.scenes):
        target = chosen.out / f"quick_{chosen.seed}_{number:05d}.npz"
        if not target.exists():
            chance = np.random.Generator(np.random.PCG64([chosen.seed, number]))
            save(target, drawn_room(chance, chosen.finer))
    return 0


if __name__ == "__main__":
    sys.exit(main())
