"""Estimates the light of a room from its photo: windows, ceiling lamps and what is behind the camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import gaussian_blur
from engine.geometry.surface import PLACE, Surface
from engine.rendering.layout.ground import FloorOpening, Ground
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import Mesh, Spot
from engine.rendering.tracing import LitScene, RenderView

SMALL = 72
"""Pixels across at which the light is fitted."""
RAYS = 30
LIFT = 1.2
"""Cameras raise midtones over the light that falls in; the room's own surfaces in a photo include that already."""
_USUAL_CEILING = 2.6
_SIDES = 3.2
_SURFACES = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
_USUAL = {Surface.FLOOR: 0.30, Surface.WALL: 0.62, Surface.CEILING: 0.78}
_BOUNDS = {Surface.FLOOR: (0.04, 0.75), Surface.WALL: (0.06, 0.82), Surface.CEILING: (0.5, 0.85)}

Lights = list[tuple[Sequence[float], Mesh]]


@dataclass(frozen=True, eq=False, slots=True)
class RoomLight:
    """A bare room in its own light: its surfaces, its lamps, and `gain`: photo over render, both linear."""

    shell: list[tuple[RenderMaterial, Mesh]]
    lights: Lights
    gain: float


def build_rectangle(corner: Spot, across: Spot, up: Spot) -> Mesh:
    """A flat rectangle or parallelogram that faces where `across` x `up` points.

    Parameters
    ----------
    corner : Sequence of float
        A corner (x, y, z), meters.
    across, up : Sequence of float
        The two sides from that corner, meters.

    Returns
    -------
    Mesh
        Two triangles; all texture coordinates are 0.
    """
    first, one, other = (np.array(each, float) for each in (corner, across, up))
    points = np.array([[first, first + one, first + one + other], [first, first + one + other, first + other]])
    normal = np.cross(one, other)
    normals = np.broadcast_to(normal / np.linalg.norm(normal), points.shape).copy()
    return Mesh(points, normals, np.zeros((2, 3, 2)))


def _extent(ground: Ground) -> tuple[float, float, float, float, float]:
    """Left, right, front and back of a box round the room, and its height."""
    ends = np.array([end for wall in ground.room.walls for end in (wall.start, wall.end)] or [(0.0, 4.0)])
    left = min(float(ends[:, 0].min()), -1.0) if len(ends) > 1 and ends[:, 0].min() < -0.3 else -_SIDES
    right = max(float(ends[:, 0].max()), 1.0) if len(ends) > 1 and ends[:, 0].max() > 0.3 else _SIDES
    height = ground.room.ceiling or max(_USUAL_CEILING, ground.room.camera.height + 0.8)
    return left - 0.06, right + 0.06, -1.6, max(float(ends[:, 1].max()), 2.0) + 0.06, height


def _shell(ground: Ground, colors: dict[Surface, Plane]) -> list[tuple[RenderMaterial, Mesh]]:
    """Floor, ceiling, the walls in view and a box round all of it."""
    left, right, front, back, height = _extent(ground)
    materials = {each: RenderMaterial(np.broadcast_to(colors[each], (2, 2, 3)).copy()) for each in _SURFACES}
    wide, deep = right - left, back - front
    meshes = [
        (materials[Surface.FLOOR], build_rectangle((left, front, 0), (wide, 0, 0), (0, deep, 0))),
        (materials[Surface.CEILING], build_rectangle((left, back, height), (wide, 0, 0), (0, -deep, 0))),
    ]
    up = (0, 0, height)
    sides = [
        build_rectangle((left, front, 0), (0, deep, 0), up),
        build_rectangle((left, back, 0), (wide, 0, 0), up),
        build_rectangle((right, back, 0), (0, -deep, 0), up),
        build_rectangle((right, front, 0), (-wide, 0, 0), up),
    ]
    for wall in ground.room.walls:
        sides.append(build_rectangle((*wall.start, 0), wall.along * wall.length, up))
    return meshes + [(materials[Surface.WALL], side) for side in sides]


def _lamps(ground: Ground, photo: Plane) -> list[list[Mesh]]:
    """What may shine: windows and bright doorways in view, the ceiling, the end of the room behind the camera."""
    left, right, front, back, height = _extent(ground)
    panes = []
    for each in ground.openings:
        foot = np.array([*each.wall.start, each.sill]) + each.wall.along * each.left + each.wall.inward * 0.015
        tall = min(each.top, height) - each.sill
        if tall > 0.2 and (each.glass or _bright(ground, photo, each)):
            panes.append(build_rectangle(foot, each.wall.along * (each.right - each.left), (0, 0, tall)))
    inset = 0.15
    over = build_rectangle(
        (left + inset, back - inset, height - 0.01),
        (right - left - 2 * inset, 0, 0),
        (0, front - back + 2 * inset, 0),
    )
    behind = build_rectangle((right - 0.3, front + 0.02, 1.1), (left - right + 0.6, 0, 0), (0, 0, height - 1.3))
    return [*([panes] if panes else []), [over], [behind]]


def _bright(ground: Ground, photo: Plane, opening: FloorOpening) -> bool:
    """Whether a doorway is much brighter than the picture: it leads to daylight."""
    along, up = np.meshgrid(np.linspace(opening.left, opening.right, 10), np.linspace(0.4, 1.9, 10))
    spots = np.array([*opening.wall.start, 0.0]) + along.ravel()[:, None] * opening.wall.along
    spots[:, 2] = up.ravel()
    pixels, depth = ground.room.camera.project(spots)
    inside = (depth > 0.2) & (pixels >= 0).all(1) & (pixels < (ground.width, ground.height)).all(1)
    if inside.sum() < 10:
        return False
    x, y = pixels[inside].astype(int).T
    gray = rgb_to_gray(photo)
    return float(np.quantile(gray[y, x], 0.7)) > 1.6 * float(np.median(gray))


def estimate_room_light(ground: Ground, surfaces: Plane, photo: Plane) -> RoomLight:
    """The room's own light: lamps and surfaces that together look like the photo.

    Parameters
    ----------
    ground : Ground
        The room, its windows and doors.
    surfaces : (h, w, S) ndarray of float32
        Share of each `Surface` in each pixel, 0-1; of the size of `ground`.
    photo : (h, w, 3) ndarray of float32
        The photo in linear sRGB, 0-1; of the same size.

    Returns
    -------
    RoomLight
        The bare room, its lamps and the gain from render to photo.

    Raises
    ------
    ModuleNotFoundError
        Where mitsuba is not installed.
    """
    scale = SMALL / ground.width
    size = SMALL, max(8, round(ground.height * scale))
    small = plane(cv2.resize(photo, size, interpolation=cv2.INTER_AREA))
    where = {each: _shrink(surfaces[..., PLACE[each]], size) > 0.9 for each in _SURFACES}
    tint = _tint(small, where)
    colors = {each: _color(small, where[each], tint, _USUAL[each]) for each in _SURFACES}
    lamps = _lamps(ground, photo)
    view = RenderView(ground.room.camera.rescale(scale), *size, (0, 0, *size), RAYS)
    shell = _shell(ground, colors)
    falls = []
    for meshes in lamps:
        light = rgb_to_gray(LitScene(shell, [((1.0, 1.0, 1.0), mesh) for mesh in meshes]).light(view))
        falls.append(gaussian_blur(light, 1.0))
    strengths, albedos = _fit_lamps(rgb_to_gray(small), falls, where)
    shell = _shell(ground, {each: _color(small, where[each], tint, albedos[each]) for each in _SURFACES})
    lights: Lights = [
        (tuple(tint * max(strength, 1e-4)), mesh)
        for strength, meshes in zip(strengths, lamps, strict=True)
        for mesh in meshes
    ]
    return RoomLight(shell, lights, _gain(small, LitScene(shell, lights).light(view), where))


def _shrink(values: Plane, size: tuple[int, int]) -> Plane:
    return plane(cv2.resize(np.ascontiguousarray(values), size, interpolation=cv2.INTER_AREA))


def _tint(small: Plane, where: dict[Surface, Mask]) -> Plane:
    """The light's color: what a white ceiling has of one; walls may be painted and say less."""
    for surface, trust in ((Surface.CEILING, 0.8), (Surface.WALL, 0.3)):
        if where[surface].sum() > 20:
            color = np.median(small[where[surface]], 0)
            return plane((color / max(float(color.mean()), 1e-3)) ** trust)
    return np.ones(3, np.float32)


def _color(small: Plane, where: Mask, tint: Plane, albedo: float) -> Plane:
    """The reflectance of a surface: its color in white light, `albedo` bright on average."""
    color = np.median(small[where], 0) / tint if where.sum() > 8 else np.ones(3)
    return plane(np.clip(color / max(float(color.mean()), 1e-4) * albedo, 0.01, 0.9))


def _fit_lamps(
    bright: Plane, falls: list[Plane], where: dict[Surface, Mask]
) -> tuple[list[float], dict[Surface, float]]:
    """How strong each lamp shines and how bright each surface is, in turn: both together make the photo.

    Ceilings are nearly white, so they say how strong the light is; without one the walls do.
    """
    albedos = dict(_USUAL)
    kept = [each for each in _SURFACES if where[each].sum() > 20]
    strengths = np.ones(len(falls))
    anchor = Surface.CEILING if Surface.CEILING in kept else Surface.WALL
    for _ in range(4):
        rows, wanted = [], []
        for each in kept:
            weight = 1 / np.sqrt(where[each].sum()) / max(float(bright[where[each]].mean()), 1e-3)
            rows.append(
                np.stack([fall[where[each]] for fall in falls], 1) * (albedos[each] / _USUAL[each]) * weight
            )
            wanted.append(bright[where[each]] * weight)
        if not rows:
            break
        strengths = _solve_nonnegative(np.concatenate(rows), np.concatenate(wanted))
        for each in kept:
            if each is not anchor:
                made = sum(power * fall[where[each]] for power, fall in zip(strengths, falls, strict=True))
                share = float(np.median(bright[where[each]] / np.maximum(made, 1e-5)))
                # Half believed: how light a floor is and how much light falls on it look the same.
                albedos[each] = float(np.clip(_USUAL[each] * np.sqrt(share), *_BOUNDS[each]))
    return [float(each) for each in strengths], albedos


def _solve_nonnegative(rows: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Least squares with no negative share, by coordinate descent; a little of every light is always kept."""
    square, right = rows.T @ rows, rows.T @ wanted
    # The last, behind the camera, is believed least: light from there shows no shadows.
    doubt = np.where(np.arange(len(square)) == len(square) - 1, 2e-2, 1e-3)
    square = square + np.diag(doubt) * max(float(np.trace(square)), 1e-9)
    found = np.full(len(right), 1e-3)
    for _ in range(300):
        for place in range(len(found)):
            rest = right[place] - square[place] @ found + square[place, place] * found[place]
            found[place] = max(rest / square[place, place], 0.0)
    return np.asarray(np.maximum(found, 0.03 * float(found.max())))


def _gain(small: Plane, made: Plane, where: dict[Surface, Mask]) -> float:
    """The photo's brightness over that of the render, by floor, walls and ceiling together."""
    total, weights = 0.0, 0.0
    for surface, weight in ((Surface.FLOOR, 0.45), (Surface.WALL, 0.4), (Surface.CEILING, 0.15)):
        spots = where[surface]
        if spots.sum() > 20:
            one, other = (float(np.median(rgb_to_gray(each)[spots])) for each in (small, made))
            total += weight * float(np.log(max(one, 1e-4) / max(other, 1e-5)))
            weights += weight
    return float(np.clip(LIFT * np.exp(total / weights), 1e-3, 1e3)) if weights else 1.0
