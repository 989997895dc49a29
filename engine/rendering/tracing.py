"""Traces light through a scene of triangles with Mitsuba 3, on the CPU; the same scene gives the same picture.

Jakob et al., Mitsuba 3 renderer (2022), https://mitsuba-renderer.org, BSD license.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.color.channels import gray_to_rgb, rgb_to_gray
from engine.filters.smoothing import gaussian_blur
from engine.geometry.camera import Camera
from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import Mesh

NORMALS_ATTRIBUTE = "vertex_facing"
"""Name of the mesh attribute that holds the surface normals, coded as colors."""
BACK_SIDE_LEVEL = 0.002
"""Linear color below which a hit is the unlit back of a surface; all materials reflect more than this."""
MIN_RAYS = 2
"""Least number of rays for each pixel, in previews."""
MAX_DEPTH = 4
"""Greatest number of parts of a light path: with 1, only the lamps are visible; with 2, also one reflection of
them.
"""


@dataclass(frozen=True, slots=True)
class RenderView:
    """The part of a camera's picture to render, and the number of rays.

    `width` and `height` are of the whole picture, in pixels; `box` (left, top, right, bottom) is the part to
    render, with `rays` rays for each pixel.
    """

    camera: Camera
    width: int
    height: int
    box: tuple[int, int, int, int]
    rays: int


@dataclass(frozen=True, eq=False, slots=True)
class TracedView:
    """The surfaces that the rays of a view hit first.

    `colors` are their own colors (h x w x 3, linear, 0-1), `normals` their normals (h x w x 3, -1 to 1), `cover` is
    the share of each pixel's rays that hit any surface (h x w, 0-1). Rays that hit nothing count as zero in the
    means of `colors` and `normals`.
    """

    colors: Plane
    normals: Plane
    cover: Plane


def scale_rays(rays: int, detail: float) -> int:
    """Scale a number of rays for a render of less detail.

    Parameters
    ----------
    rays : int
        For each pixel of a render of full detail.
    detail : float
        0-1; 1 for results, less for previews.

    Returns
    -------
    int
        At least MIN_RAYS.
    """
    return max(MIN_RAYS, round(rays * detail**2))


def is_available() -> bool:
    """Whether Mitsuba, the library that traces light, is installed.

    Returns
    -------
    bool
        True if the library is found; it is not imported.
    """
    return find_spec("mitsuba") is not None


@cache
def _import_mitsuba() -> Any:
    library = import_module("mitsuba")
    library.set_variant("scalar_rgb")
    library.set_log_level(library.LogLevel.Error)
    return library


class LitScene:
    """A scene of surfaces and lights."""

    def __init__(
        self,
        parts: Sequence[tuple[RenderMaterial, Mesh]],
        lights: Sequence[tuple[Sequence[float], Mesh]] = (),
        detail: float = 1.0,
    ) -> None:
        """`lights` are linear radiances (red, green, blue) and the meshes that emit them from their front.

        `detail` (0-1) is 1 for results; with less, highlights have a shape that is faster to prepare.
        """
        content: dict[str, Any] = {"type": "scene"}
        for number, (material, mesh) in enumerate(parts):
            content[f"part{number:03d}"] = _load_mesh(f"part{number:03d}", mesh, _load_bsdf(material, detail), None)
        for number, (radiance, mesh) in enumerate(lights):
            emitted = {"type": "rgb", "value": [float(each) for each in radiance]}
            content[f"light{number:03d}"] = _load_mesh(f"light{number:03d}", mesh, _load_black(), emitted)
        self.scene = _import_mitsuba().load_dict(content)

    def render(self, view: RenderView, seed: int = 0) -> Plane:
        """The light that reaches the camera in the box of the view.

        Parameters
        ----------
        view : RenderView
            The camera, the part of its picture and the rays of each pixel.
        seed : int, default 0
            Seed of the random paths.

        Returns
        -------
        (h, w, 3) ndarray of float32
            Linear light in the unit of the lights' radiance, not limited to 1.
        """
        path = _import_mitsuba().load_dict({"type": "path", "max_depth": MAX_DEPTH, "rr_depth": 4})
        rendered = _render(self.scene, path, view, seed)
        return plane(np.nan_to_num(rendered[..., :3], posinf=0.0))


class Outlines:
    """Surfaces without lights, quick to render: each glows in its own color, or in one that codes its normal."""

    def __init__(self, parts: Sequence[tuple[RenderMaterial, Mesh]]) -> None:
        content: dict[str, Any] = {"type": "scene"}
        normals = {"type": "mesh_attribute", "name": NORMALS_ATTRIBUTE}
        self._cells = []
        for number, (material, mesh) in enumerate(parts):
            # The texture is a checkerboard of which only one cell is visible at a time, so that one scene, sorted
            # once, shows both colors.
            glow = {"type": "checkerboard", "color0": _describe_texture(material), "color1": normals}
            name = f"part{number:03d}"
            content[name] = _load_mesh(name, mesh, _load_black(), glow)
            self._cells.append(f"{name}.emitter.radiance.to_uv")
        self._scene = _import_mitsuba().load_dict(content)
        self._values = _import_mitsuba().traverse(self._scene)

    def trace(self, view: RenderView) -> TracedView:
        """Find the surfaces that the rays of the view hit first.

        Parameters
        ----------
        view : RenderView
            The camera, the part of its picture and the rays of each pixel.

        Returns
        -------
        TracedView
            Colors, normals and cover in the box of the view.
        """
        flat, facing = self._show(0, view), self._show(1, view)
        cover = plane(np.clip(flat[..., 3], 0, 1))
        # Surfaces glow on one side only, so the back of cloth that folds over itself looks dark.
        known = plane((rgb_to_gray(plane(flat[..., :3])) > BACK_SIDE_LEVEL * cover) & (cover > 0))
        # This decodes the normals of `_load_mesh`; the offset counts only for rays that hit something.
        both = [plane(flat[..., :3]), plane(facing[..., :3] * 2.5 - facing[..., 3:4] * 1.25)]
        if known.sum() < (cover > 0).sum():
            both = [_fill_unknown(each, known, cover) for each in both]
        return TracedView(both[0], both[1], cover)

    def _show(self, row: int, view: RenderView) -> Plane:
        """Render the scene with all surfaces glowing in the color of this row of their checkerboard."""
        cell = _import_mitsuba().ScalarTransform3f(_find_cell(row))
        for key in self._cells:
            self._values[key] = cell
        self._values.update()
        return _render(self._scene, _import_mitsuba().load_dict({"type": "path", "max_depth": 1}), view, 0)


def _find_cell(row: int) -> NDArray[np.float64]:
    """The matrix that maps all texture coordinates to about the middle of a cell of the first column."""
    return np.array([[1e-6, 0, 0.25], [0, 1e-6, 0.25 + row / 2], [0, 0, 1]])


def _fill_unknown(values: Plane, known: Plane, cover: Plane) -> Plane:
    """The values where they are known; elsewhere the mean of the known values around, times the share of hits."""
    weights = gray_to_rgb(plane(gaussian_blur(known * cover, 1.5) + np.float32(1e-4)))
    around = plane(gaussian_blur(plane(values * gray_to_rgb(known)), 1.5) / weights * gray_to_rgb(cover))
    return plane(np.where(gray_to_rgb(known) > 0, values, around))


def _render(scene: Any, integrator: Any, view: RenderView, seed: int) -> Plane:
    sensor = _import_mitsuba().load_dict(_describe_sensor(view))
    return plane(np.array(_import_mitsuba().render(scene, sensor=sensor, integrator=integrator, seed=seed)))


def _describe_sensor(view: RenderView) -> dict[str, Any]:
    camera, (left, top, right, bottom) = view.camera, view.box
    # In Mitsuba, a camera's axes point left, up and ahead; in this project, they point right, down and ahead.
    turn = np.eye(4)
    turn[:3, 0], turn[:3, 1], turn[:3, 2], turn[:3, 3] = (
        -camera.turn[0],
        -camera.turn[1],
        camera.turn[2],
        camera.eye,
    )
    return {
        "type": "perspective",
        "fov": float(np.degrees(2 * np.arctan(view.width / 2 / camera.focal))),
        "fov_axis": "x",
        "principal_point_offset_x": 0.5 - camera.center[0] / view.width,
        "principal_point_offset_y": 0.5 - camera.center[1] / view.height,
        "near_clip": 0.05,
        "to_world": _import_mitsuba().ScalarTransform4f(turn),
        "sampler": {"type": "multijitter", "sample_count": view.rays},
        "film": {
            "type": "hdrfilm",
            "width": view.width,
            "height": view.height,
            "crop_offset_x": left,
            "crop_offset_y": top,
            "crop_width": right - left,
            "crop_height": bottom - top,
            "pixel_format": "rgba",
            "rfilter": {"type": "box"},
        },
    }


def _load_mesh(name: str, mesh: Mesh, surface: Any, radiance: dict[str, Any] | None) -> Any:
    library, count = _import_mitsuba(), len(mesh.points)
    properties = library.Properties()
    properties["mesh_bsdf"] = surface
    if radiance is not None:
        properties["mesh_emitter"] = library.load_dict({"type": "area", "radiance": radiance})
    loaded = library.Mesh(
        name, count * 3, count, has_vertex_normals=True, has_vertex_texcoords=True, props=properties
    )
    if radiance is not None and radiance["type"] == "checkerboard":
        # Colors must be positive.
        loaded.add_attribute(NORMALS_ATTRIBUTE, 3, plane(mesh.normals * 0.4 + 0.5).ravel())
    values = library.traverse(loaded)
    contents = {
        "vertex_positions": mesh.points,
        "vertex_normals": mesh.normals,
        "vertex_texcoords": mesh.uv,
        "faces": np.arange(count * 3),
    }
    for key, content in contents.items():
        # This is done in place, because an assignment compares old and new numbers one by one, which takes longer
        # than the render.
        np.asarray(values[key])[:] = content.ravel()
        values.set_dirty(key)
    values.update()
    return loaded


def _load_black() -> Any:
    return _import_mitsuba().load_dict({"type": "diffuse", "reflectance": {"type": "rgb", "value": 0.0}})


def _load_bsdf(material: RenderMaterial, detail: float) -> Any:
    texture = _describe_texture(material)
    if material.metal:
        inner: dict[str, Any] = {
            "type": "roughconductor",
            "material": "none",
            "alpha": material.rough,
            "specular_reflectance": texture,
        }
    elif material.coat:
        inner = {
            "type": "roughplastic",
            "distribution": "beckmann" if detail == 1 else "ggx",
            "diffuse_reflectance": texture,
            "alpha": material.rough,
            "nonlinear": False,
        }
    else:
        inner = {"type": "diffuse", "reflectance": texture}
    return _import_mitsuba().load_dict({"type": "twosided", "material": inner})


def _describe_texture(material: RenderMaterial) -> dict[str, Any]:
    picture = _import_mitsuba().Bitmap(np.ascontiguousarray(material.texture))
    return {"type": "bitmap", "bitmap": picture, "raw": True, "wrap_mode": "repeat"}
