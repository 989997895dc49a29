"""Renders a scene with Mitsuba 3: the picture, the kind of every pixel and how much of it is open sky.

Jakob et al., Mitsuba 3 renderer (2022), https://mitsuba-renderer.org, BSD license.
"""

from dataclasses import dataclass

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import Kind
from training.render.labels import Label
from training.render.light import Light
from training.render.shapes import Material, Model, Part, Plane

PLAIN, SHINY = 72, 8  # as many surfaces of either sort are in every scene


@dataclass(frozen=True, slots=True)
class Camera:
    """Where the photo is taken from: position and target in meters, angle of view across in degrees, pixels.

    `rise` shifts the picture upwards without tilting, as a share of the height, so that verticals stay upright.
    """

    position: tuple[float, float, float]
    target: tuple[float, float, float]
    angle: float
    width: int
    height: int
    rise: float = 0.0


@dataclass(frozen=True, slots=True)
class Shot:
    """What came out: linear light (h x w x 3, of the things only), labels (h x w) and open sky (h x w, 0-1)."""

    light: Plane
    labels: NDArray[np.uint8]
    cover: Plane


@dataclass(frozen=True, slots=True)
class Quality:
    """Rays a pixel, how often light is followed from surface to surface, rounds of smoothing (0-4), rays a
    side that vote for a pixel's kind."""

    rays: int = 16
    bounces: int = 3
    smoothing: int = 3
    finer: int = 4


def shoot(
    model: Model, camera: Camera, light: Light, quality: Quality, behind: Label = Kind.SKY, show_dome: bool = False
) -> Shot:
    """Render. `behind` is the kind of pixels that see past everything; with `show_dome` these show the dome."""
    parts = filled(list(model.parts.values()))
    content: dict[str, object] = {"type": "scene", "sky": _dome(light)}
    looks: dict[int, object] = {}
    for number, part in enumerate(parts):
        content[f"part{number:04d}"] = _mesh(part, f"part{number:04d}", looks)
    content["sensor"] = _sensor(camera, 1, quality.rays)
    scene = mi.load_dict(content)
    path = {"type": "path", "max_depth": quality.bounces, "hide_emitters": not show_dome}
    both = mi.load_dict({"type": "aov", "aovs": "flat:albedo,facing:sh_normal", "picture": path})
    # The seed is part of the compiled program, so one seed serves all scenes: no compiling for each.
    drawn = np.nan_to_num(np.array(mi.render(scene, integrator=both, seed=0)))
    alpha = np.clip(drawn[..., 3:4], 0, 1)
    straight = drawn[..., :3] if show_dome else drawn[..., :3] / np.maximum(alpha, 0.05)
    labels, cover = _labels(scene, camera, parts, (behind, quality.finer))
    calm = cleaned(straight, drawn[..., 4:7], drawn[..., 7:10], quality.smoothing)
    return Shot(calm, labels, cover)


def cleaned(light: Plane, flat: Plane, facing: Plane, rounds: int) -> Plane:
    """Linear light with its noise smoothed along surfaces, the surfaces' own color kept sharp.

    Edge-avoiding wavelets (Dammertz et al. 2010) on light over reflectance, guided by normals and reflectance.
    """
    base = np.clip(flat, 0, 1) + 0.03
    smooth = (light / base).astype(np.float32)
    smooth = np.minimum(smooth, cv2.medianBlur(smooth, 5) * 2 + 0.02)
    guide = np.concatenate([facing * 5.6, cv2.GaussianBlur(np.sqrt(base), (0, 0), 0.8) * 4.2], -1).astype(
        np.float32
    )
    for step in (1, 2, 4, 8)[:rounds]:
        tone = np.log(cv2.GaussianBlur(smooth.mean(-1), (0, 0), 1.2) + 0.02)[..., None] * np.sqrt(3 * step)
        smooth = _smoothed(smooth, np.concatenate([guide, tone], -1), step)
    return (smooth * base).astype(np.float32)


def _smoothed(values: Plane, guide: Plane, step: int) -> Plane:
    """The mean of each pixel and its eight neighbors `step` pixels away, those unlike it in the guide left out."""
    height, width = values.shape[:2]
    total, weights = values.copy(), np.ones((height, width, 1), np.float32)
    wide, guides = (
        cv2.copyMakeBorder(each, *[step] * 4, cv2.BORDER_REPLICATE) for each in (values, guide[..., :4])
    )
    others = cv2.copyMakeBorder(guide[..., 4:], *[step] * 4, cv2.BORDER_REPLICATE)
    for down, across in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)):
        window = (slice(down * step, down * step + height), slice(across * step, across * step + width))
        apart = ((guide[..., :4] - guides[window]) ** 2).sum(-1) + ((guide[..., 4:] - others[window]) ** 2).sum(-1)
        weight = cv2.exp(-apart)[..., None] * np.float32(0.8 if 1 in (down, across) else 0.6)
        total += wide[window] * weight
        weights += weight
    return total / weights


def filled(parts: list[Part]) -> list[Part]:
    """The parts and specks under the ground: scenes with as many of each sort are compiled once by Mitsuba."""
    speck = np.array([[(0, 0, -50), (0.01, 0, -50), (0, 0.01, -50)]], np.float32)
    shiny = sum(part.material.shine > 0 for part in parts)
    wanted = [0.5] * (SHINY - shiny) + [0.0] * (PLAIN - len(parts) + shiny)
    for shine in wanted:
        dust = Material(np.full((2, 2, 3), 0.5, np.float32), shine=shine)
        parts.append(Part(Kind.THINGS, dust, [speck], [None]))
    return parts


def labeled(model: Model, camera: Camera, behind: Label = Kind.SKY) -> NDArray[np.uint8]:
    """The kind of every pixel (h x w) by one ray each, without light: quick."""
    parts = list(model.parts.values())
    looks: dict[int, object] = {}
    content = {f"part{number:04d}": _mesh(part, f"part{number:04d}", looks) for number, part in enumerate(parts)}
    return _labels(mi.load_dict({"type": "scene", **content}), camera, parts, (behind, 1))[0]


def _labels(
    scene: object, camera: Camera, parts: list[Part], how: tuple[Label, int]
) -> tuple[NDArray[np.uint8], Plane]:
    behind, finer = how
    sensor = mi.load_dict(_sensor(camera, finer, 1))
    which = mi.load_dict({"type": "aov", "aovs": "which:shape_index"})
    fine = np.array(mi.render(scene, sensor=sensor, integrator=which, spp=1, seed=0))
    # Mitsuba counts shapes from 1; 0 is nothing hit.
    numbers = np.nan_to_num(fine[..., -1]).astype(int)
    kinds = np.array([_kind_of(shape, parts) for shape in scene.shapes()], np.uint8)  # type: ignore[attr-defined]
    kind_map = np.concatenate([np.array([behind], np.uint8), kinds])[np.clip(numbers, 0, len(kinds))]
    size = (camera.width, camera.height)
    there = np.unique(kind_map)
    votes = {
        int(kind): cv2.resize((kind_map == kind).astype(np.uint8) * 255, size, interpolation=cv2.INTER_AREA)
        for kind in there
    }
    most = there[np.argmax(np.stack(list(votes.values())), 0)]
    cover = votes.get(Kind.SKY) if behind == Kind.SKY else None
    open_sky = np.zeros(most.shape, np.float32) if cover is None else cover / np.float32(255)
    return most.astype(np.uint8), open_sky.astype(np.float32)


def _kind_of(shape: object, parts: list[Part]) -> int:
    return int(parts[int(shape.id()[-4:])].kind)  # type: ignore[attr-defined]


def _sensor(camera: Camera, finer: int, rays: int) -> dict[str, object]:
    facing = mi.ScalarTransform4f().look_at(origin=list(camera.position), target=list(camera.target), up=[0, 0, 1])
    return {
        "type": "perspective",
        "fov": camera.angle,
        "fov_axis": "x",
        "principal_point_offset_y": -camera.rise,
        "near_clip": 0.05,
        "to_world": facing,
        "sampler": {"type": "multijitter", "sample_count": rays},
        "film": {
            "type": "hdrfilm",
            "width": camera.width * finer,
            "height": camera.height * finer,
            "pixel_format": "rgba",
            "rfilter": {"type": "box"},
        },
    }


def _dome(light: Light) -> dict[str, object]:
    """The sky as an environment with the sun in it, 1.4 times as wide as the real one."""
    height, width = max(256, light.dome.shape[0]), max(512, light.dome.shape[1])
    dome = cv2.resize(light.dome, (width, height), interpolation=cv2.INTER_LINEAR)
    if light.sun.max() > 0:
        steep, turn = np.arccos(light.towards_sun[2]), np.arctan2(light.towards_sun[0], light.towards_sun[1])
        row = int(np.clip(steep / np.pi * height, 0, height - 1))
        column = int(turn / (2 * np.pi) % 1.0 * width) % width
        area = np.sin((row + 0.5) / height * np.pi) * (np.pi / height) * (2 * np.pi / width)
        dome[row, column] += light.sun / area
    # A dome that rooms hardly see would waste rays.
    weight = 1.0 if light.dome.shape[0] > 8 else 0.0
    return {
        "type": "envmap",
        "sampling_weight": weight,
        "bitmap": mi.Bitmap(np.ascontiguousarray(dome)),
        "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
    }


def _mesh(part: Part, name: str, looks: dict[int, object]) -> object:
    triangles, places = part.settled()
    count = len(triangles)
    material = part.material
    if id(material) not in looks:
        looks[id(material)] = mi.load_dict(_surface(material))
    properties = mi.Properties()
    properties["mesh_bsdf"] = looks[id(material)]
    if material.glow is not None:
        properties["mesh_emitter"] = mi.load_dict({"type": "area", "radiance": _texture(material.glow)})
    waves = material.ripples > 0
    mesh = mi.Mesh(name, count * 3, count, has_vertex_normals=waves, has_vertex_texcoords=True, props=properties)
    values = mi.traverse(mesh)
    values["vertex_positions"] = triangles.ravel()
    values["vertex_texcoords"] = places.ravel()
    values["faces"] = np.arange(count * 3, dtype=np.uint32)
    if waves:
        values["vertex_normals"] = _rippled(triangles, material.ripples).ravel()
    values.update()
    return mesh


def _rippled(triangles: Plane, strength: float) -> Plane:
    """Upright normals swayed by waves of several lengths."""
    points = triangles.reshape(-1, 3)
    sway = np.zeros((len(points), 2))
    for number, length in enumerate((2.3, 1.1, 0.6, 0.37)):
        turn = number * 2.4
        phase = (points[:, 0] * np.cos(turn) + points[:, 1] * np.sin(turn)) / length * 6.28
        sway += np.cos(phase)[:, None] * [np.cos(turn), np.sin(turn)] * strength / (number + 1)
    normals = np.column_stack([sway, np.ones(len(points))])
    return (normals / np.linalg.norm(normals, axis=1, keepdims=True)).astype(np.float32)


def _texture(values: Plane) -> dict[str, object]:
    return {"type": "bitmap", "bitmap": mi.Bitmap(np.ascontiguousarray(values)), "raw": True, "wrap_mode": "repeat"}


def _surface(material: Material) -> dict[str, object]:
    plain: dict[str, object] = {"type": "diffuse", "reflectance": _texture(material.texture)}
    if material.shine <= 0:
        return {"type": "twosided", "material": plain}
    mirror = {"type": "conductor", "material": "none"}
    return {
        "type": "twosided",
        "material": {"type": "blendbsdf", "weight": material.shine, "first": plain, "second": mirror},
    }


def developed(light: Plane, gain: float, contrast: float, balance: Plane) -> NDArray[np.uint8]:
    """Linear light as an sRGB picture: exposure, white balance (rgb gains), an S curve, clipping."""
    value = np.clip(light * gain * balance, 0, None)
    value = np.where(value > 0.8, 1 - 0.2 * np.exp(-(value - 0.8) / 0.2), value)
    share = np.where(value <= 0.0031308, value * 12.92, 1.055 * np.maximum(value, 1e-8) ** (1 / 2.4) - 0.055)
    share = share + contrast * share * (1 - share) * (2 * share - 1)
    return np.clip(share * 255 + 0.5, 0, 255).astype(np.uint8)
