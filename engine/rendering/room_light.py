"""Estimates the light of a room from its photo: windows, ceiling lamps and light from behind the camera."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane, smoothstep
from engine.color.channels import rgb_to_gray
from engine.filters.smoothing import gaussian_blur
from engine.geometry.surface import PLACE, Surface
from engine.rendering.layout.ground import Ground, WallOpening
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import Mesh, Vector
from engine.rendering.tracing import LitScene, RenderView, scale_rays

FIT_WIDTH = 72
"""Width of the small picture in which the light is fitted, pixels."""
RAYS = 30
"""Rays traced for each pixel of that picture."""
BRIGHTNESS_FACTOR = 1.2
"""Factor on the brightness of rendered furniture: cameras brighten midtones. The photo's surfaces are already
brightened, but the rendered furniture is not.
"""
MAX_SHADOW_POWER = 1.8
"""Greatest exponent of shadows. In a pale room, traced light is reflected everywhere and fills shadows more than in
photos, because real rooms have dark things, open doors and other rooms that the estimate does not have.
"""
PALE_FLOOR = (0.25, 0.6)
"""Linear brightness of a floor: from the first on, shadows are strengthened; from the second on, they are
strongest.
"""
_USUAL_CEILING_HEIGHT = 2.6
"""Height of a ceiling that the photo does not show, meters; it is higher if the camera is higher."""
_UNSEEN_SIDE = 3.2
"""Assumed distance from the camera to the left or right side of the room if no wall is visible there, meters."""
_SURFACES = (Surface.FLOOR, Surface.WALL, Surface.CEILING)
"""The surfaces whose reflectance is estimated."""
_USUAL_REFLECTANCE = {Surface.FLOOR: 0.30, Surface.WALL: 0.62, Surface.CEILING: 0.78}
"""Usual reflectance of each surface, with which the fit starts, 0-1."""
_REFLECTANCE_BOUNDS = {Surface.FLOOR: (0.04, 0.75), Surface.WALL: (0.06, 0.82), Surface.CEILING: (0.5, 0.85)}
"""Least and greatest reflectance that the fit may give each surface, 0-1."""

# The linear radiance (red, green, blue) and the mesh of each light.
Lights = list[tuple[Sequence[float], Mesh]]


@dataclass(frozen=True, eq=False, slots=True)
class RoomLight:
    """The empty room and its light.

    `shell` holds its surfaces, `lights` its light sources; `gain` is the factor from the render's linear light
    to the photo's; `shadow_power` is the exponent of the shadows that are traced in this light, 1 or more.
    """

    shell: list[tuple[RenderMaterial, Mesh]]
    lights: Lights
    gain: float
    shadow_power: float = 1.0


def build_rectangle(corner: Vector, across: Vector, up: Vector) -> Mesh:
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
    start, side, rise = (np.array(each, float) for each in (corner, across, up))
    points = np.array([[start, start + side, start + side + rise], [start, start + side + rise, start + rise]])
    normal = np.cross(side, rise)
    normals = np.broadcast_to(normal / np.linalg.norm(normal), points.shape).copy()
    return Mesh(points, normals, np.zeros((2, 3, 2)))


def _measure_box(ground: Ground) -> tuple[float, float, float, float, float]:
    """Left, right, front, back and height of a box around the room, meters.

    Its sides are 6 cm outside of the walls, so that two surfaces never coincide; its front is 1.6 m behind the
    camera.
    """
    ends = np.array([end for wall in ground.room.walls for end in (wall.start, wall.end)] or [(0.0, 4.0)])
    left = min(float(ends[:, 0].min()), -1.0) if len(ends) > 1 and ends[:, 0].min() < -0.3 else -_UNSEEN_SIDE
    right = max(float(ends[:, 0].max()), 1.0) if len(ends) > 1 and ends[:, 0].max() > 0.3 else _UNSEEN_SIDE
    height = ground.room.ceiling or max(_USUAL_CEILING_HEIGHT, ground.room.camera.height + 0.8)
    return left - 0.06, right + 0.06, -1.6, max(float(ends[:, 1].max()), 2.0) + 0.06, height


def _build_shell(ground: Ground, colors: dict[Surface, Plane]) -> list[tuple[RenderMaterial, Mesh]]:
    """Floor, ceiling, the walls in view, and the four sides of a box around the room."""
    left, right, front, back, height = _measure_box(ground)
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


def _list_light_sources(ground: Ground, photo: Plane) -> list[list[Mesh]]:
    """The meshes of each possible light source: the windows and bright doorways in view as one source, if there are
    any; the ceiling; the end of the room behind the camera."""
    left, right, front, back, height = _measure_box(ground)
    panes = []
    for each in ground.openings:
        foot = np.array([*each.wall.start, each.sill]) + each.wall.along * each.left + each.wall.inward * 0.015
        tall = min(each.top, height) - each.sill
        if tall > 0.2 and (each.glass or _leads_to_daylight(ground, photo, each)):
            panes.append(build_rectangle(foot, each.wall.along * (each.right - each.left), (0, 0, tall)))
    inset = 0.15
    over = build_rectangle(
        (left + inset, back - inset, height - 0.01),
        (right - left - 2 * inset, 0, 0),
        (0, front - back + 2 * inset, 0),
    )
    behind = build_rectangle((right - 0.3, front + 0.02, 1.1), (left - right + 0.6, 0, 0), (0, 0, height - 1.3))
    return [*([panes] if panes else []), [over], [behind]]


def _leads_to_daylight(ground: Ground, photo: Plane, opening: WallOpening) -> bool:
    """Whether a doorway is much brighter than the picture as a whole, so that it must lead to daylight."""
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


def estimate_room_light(ground: Ground, surfaces: Plane, photo: Plane, detail: float = 1.0) -> RoomLight:
    """Estimate the light sources and surfaces with which a render of the room looks like the photo.

    Parameters
    ----------
    ground : Ground
        The room, its windows and doors.
    surfaces : (h, w, S) ndarray of float32
        Share of each `Surface` in each pixel, 0-1; of the same size as the maps of `ground`.
    photo : (h, w, 3) ndarray of float32
        The photo in linear sRGB, 0-1; of the same size.
    detail : float, default 1.0
        0-1; less for previews, which are traced with fewer rays.

    Returns
    -------
    RoomLight
        The empty room, its light sources and the gain from render to photo.

    Raises
    ------
    ModuleNotFoundError
        Where mitsuba is not installed.
    """
    scale = FIT_WIDTH / ground.width
    size = FIT_WIDTH, max(8, round(ground.height * scale))
    small = plane(cv2.resize(photo, size, interpolation=cv2.INTER_AREA))
    masks = {each: _shrink(surfaces[..., PLACE[each]], size) > 0.9 for each in _SURFACES}
    tint = _estimate_tint(small, masks)
    colors = {each: _scale_color(small, masks[each], tint, _USUAL_REFLECTANCE[each]) for each in _SURFACES}
    sources = _list_light_sources(ground, photo)
    view = RenderView(ground.room.camera.rescale(scale), *size, (0, 0, *size), scale_rays(RAYS, detail))
    shell = _build_shell(ground, colors)
    received = []
    for meshes in sources:
        light = rgb_to_gray(LitScene(shell, [((1.0, 1.0, 1.0), mesh) for mesh in meshes]).render(view))
        received.append(gaussian_blur(light, 1.0))
    strengths, albedos = _fit_light(rgb_to_gray(small), received, masks)
    shell = _build_shell(
        ground, {each: _scale_color(small, masks[each], tint, albedos[each]) for each in _SURFACES}
    )
    lights: Lights = [
        (tuple(tint * max(strength, 1e-4)), mesh)
        for strength, meshes in zip(strengths, sources, strict=True)
        for mesh in meshes
    ]
    gain = _estimate_gain(small, LitScene(shell, lights).render(view), masks)
    return RoomLight(shell, lights, gain, _choose_shadow_power(small, masks[Surface.FLOOR]))


def _choose_shadow_power(small: Plane, floor: Mask) -> float:
    """The exponent of shadows: greater on a floor that is bright in the photo, up to MAX_SHADOW_POWER."""
    if floor.sum() <= 8:
        return 1.0
    brightness = plane(np.median(rgb_to_gray(small)[floor]))
    return 1 + (MAX_SHADOW_POWER - 1) * float(smoothstep(brightness, *PALE_FLOOR))


def _shrink(values: Plane, size: tuple[int, int]) -> Plane:
    return plane(cv2.resize(np.ascontiguousarray(values), size, interpolation=cv2.INTER_AREA))


def _estimate_tint(small: Plane, masks: dict[Surface, Mask]) -> Plane:
    """The light's color, with a mean of about 1: most of the ceiling's tint, because ceilings are usually white; if
    no ceiling is in view, a smaller part of the walls' tint, because walls may be painted."""
    for surface, trust in ((Surface.CEILING, 0.8), (Surface.WALL, 0.3)):
        if masks[surface].sum() > 20:
            color = np.median(small[masks[surface]], 0)
            return plane((color / max(float(color.mean()), 1e-3)) ** trust)
    return np.ones(3, np.float32)


def _scale_color(small: Plane, mask: Mask, tint: Plane, albedo: float) -> Plane:
    """A surface's reflectance (red, green, blue): its color in white light, scaled to a mean of `albedo`."""
    color = np.median(small[mask], 0) / tint if mask.sum() > 8 else np.ones(3)
    return plane(np.clip(color / max(float(color.mean()), 1e-4) * albedo, 0.01, 0.9))


def _fit_light(
    brightness: Plane, received: list[Plane], masks: dict[Surface, Mask]
) -> tuple[list[float], dict[Surface, float]]:
    """Fit the strength of each light source and the reflectance of each surface in turn, to the photo's brightness.

    `brightness` is the photo's brightness, `received` the light of each source on the surfaces at strength 1. The
    ceiling's reflectance stays fixed, because ceilings are nearly white; if no ceiling is in view, the walls'
    reflectance stays fixed.
    """
    albedos = dict(_USUAL_REFLECTANCE)
    kept = [each for each in _SURFACES if masks[each].sum() > 20]
    strengths = np.ones(len(received))
    anchor = Surface.CEILING if Surface.CEILING in kept else Surface.WALL
    for _ in range(4):
        rows, targets = [], []
        for each in kept:
            weight = 1 / np.sqrt(masks[each].sum()) / max(float(brightness[masks[each]].mean()), 1e-3)
            rows.append(
                np.stack([light[masks[each]] for light in received], 1)
                * (albedos[each] / _USUAL_REFLECTANCE[each])
                * weight
            )
            targets.append(brightness[masks[each]] * weight)
        if not rows:
            break
        strengths = _solve_nonnegative(np.concatenate(rows), np.concatenate(targets))
        for each in kept:
            if each is not anchor:
                rendered = sum(power * light[masks[each]] for power, light in zip(strengths, received, strict=True))
                share = float(np.median(brightness[masks[each]] / np.maximum(rendered, 1e-5)))
                # A brighter place may have a lighter surface or more light; the square root assigns half to each.
                albedos[each] = float(
                    np.clip(_USUAL_REFLECTANCE[each] * np.sqrt(share), *_REFLECTANCE_BOUNDS[each])
                )
    return [float(each) for each in strengths], albedos


def _solve_nonnegative(rows: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Solve least squares without negative strengths, by coordinate descent; each source keeps at least 3 percent
    of the strongest source's strength."""
    square, right = rows.T @ rows, rows.T @ targets
    # The last source, behind the camera, is damped most, because it casts no shadows that the fit could use.
    damping = np.where(np.arange(len(square)) == len(square) - 1, 2e-2, 1e-3)
    square = square + np.diag(damping) * max(float(np.trace(square)), 1e-9)
    found = np.full(len(right), 1e-3)
    for _ in range(300):
        for place in range(len(found)):
            rest = right[place] - square[place] @ found + square[place, place] * found[place]
            found[place] = max(rest / square[place, place], 0.0)
    return np.asarray(np.maximum(found, 0.03 * float(found.max())))


def _estimate_gain(small: Plane, rendered: Plane, masks: dict[Surface, Mask]) -> float:
    """BRIGHTNESS_FACTOR times the ratio of the photo's brightness to the render's, averaged over floor, walls and
    ceiling; 1 where none of them is in view."""
    total, weights = 0.0, 0.0
    for surface, weight in ((Surface.FLOOR, 0.45), (Surface.WALL, 0.4), (Surface.CEILING, 0.15)):
        spots = masks[surface]
        if spots.sum() > 20:
            photo, render = (float(np.median(rgb_to_gray(each)[spots])) for each in (small, rendered))
            total += weight * float(np.log(max(photo, 1e-4) / max(render, 1e-5)))
            weights += weight
    return float(np.clip(BRIGHTNESS_FACTOR * np.exp(total / weights), 1e-3, 1e3)) if weights else 1.0
