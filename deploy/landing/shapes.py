"""Meshes built by numbers: boxes, leaves, blades, cloth; every vertex has a color of its own."""

from collections.abc import Sequence

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
Color = tuple[float, float, float]
_CORNERS = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)], np.float32)
_SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
# Each side of a box has vertices of its own, so that its light is flat.
_BOX_CORNERS = np.array([corner for side in _SIDES for corner in side])
_BOX_FACES = np.array([(4 * k + a, 4 * k + b, 4 * k + c) for k in range(6) for a, b, c in ((0, 1, 2), (0, 2, 3))])


def linear(code: str) -> Color:
    """`#c8b090` as shares of reflected light."""
    share = np.array([int(code[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    red, green, blue = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(red), float(green), float(blue)


class Solid:
    """Triangles that share one material."""

    def __init__(self) -> None:
        self._parts: list[tuple[Numbers, NDArray[np.uint32], Numbers]] = []
        self._count = 0

    def add(self, points: object, faces: object, colors: object) -> None:
        """`points` n x 3, `faces` m x 3 of their indices, `colors` n x 3 or one for all."""
        points = np.asarray(points, np.float32).reshape(-1, 3)
        colors = np.broadcast_to(np.asarray(colors, np.float32), points.shape)
        self._parts.append((points, np.asarray(faces, np.uint32).reshape(-1, 3) + self._count, colors))
        self._count += len(points)

    def boxes(self, centers: object, sizes: object, colors: object, axes: object = None) -> None:
        """Boxes round `centers`, n x 3; `axes` n x 3 x 3 has each box's own directions as rows."""
        centers = np.asarray(centers, np.float32).reshape(-1, 3)
        sizes = np.broadcast_to(np.asarray(sizes, np.float32), centers.shape)
        local = _CORNERS[_BOX_CORNERS][None] * sizes[:, None]
        if axes is not None:
            local = np.einsum("nki,nij->nkj", local, np.broadcast_to(axes, (len(centers), 3, 3)))
        faces = _BOX_FACES[None] + 24 * np.arange(len(centers))[:, None, None]
        shades = np.broadcast_to(np.asarray(colors, np.float32), centers.shape)
        self.add(local + centers[:, None], faces, np.repeat(shades, 24, 0))

    def box(self, low: Sequence[float], high: Sequence[float], color: object) -> None:
        """One box between two corners."""
        low_, high_ = np.array(low), np.array(high)
        self.boxes([(low_ + high_) / 2], [np.abs(high_ - low_)], color)

    def cards(self, centers: Numbers, along: Numbers, across: Numbers, colors: object) -> None:
        """Leaf-shaped cards, folded a little along the middle: tips at `along`, sides at `across`."""
        normal = np.cross(along, across)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
        fold = normal * np.linalg.norm(across, axis=1, keepdims=True) * 0.5
        points = np.stack(
            [centers - along, centers + across + fold, centers + along, centers - across + fold], axis=1
        )
        faces = np.array([(0, 1, 2), (0, 2, 3)])[None] + 4 * np.arange(len(centers))[:, None, None]
        shades = np.repeat(np.broadcast_to(np.asarray(colors, np.float32), centers.shape), 4, 0)
        self.add(points, faces, shades)

    def sheet(self, points: Numbers, colors: object) -> None:
        """A surface through a grid of points, rows x columns x 3."""
        rows, columns = points.shape[:2]
        first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        faces = np.stack([(first, first + 1, first + columns + 1), (first, first + columns + 1, first + columns)])
        shades = np.broadcast_to(np.asarray(colors, np.float32), points.shape)
        self.add(points, faces.transpose(2, 0, 1), shades.reshape(-1, 3))

    def mesh(self, name: str, material: dict[str, object], smooth: bool = False) -> mi.Mesh:
        """Everything added so far as one mesh."""
        points, faces, colors = (np.concatenate(each) for each in zip(*self._parts, strict=True))
        props = mi.Properties()
        props["mesh_bsdf"] = mi.load_dict(material)
        made = mi.Mesh(name, len(points), len(faces), has_vertex_normals=smooth, props=props)
        made.add_attribute("vertex_color", 3, np.ascontiguousarray(colors, np.float32).ravel())
        values = mi.traverse(made)
        values["vertex_positions"] = points.ravel()
        values["faces"] = faces.ravel().astype(np.uint32)
        if smooth:
            made.recompute_vertex_normals()
        values.update()
        return made


def matt() -> dict[str, object]:
    """A matt surface in its vertices' colors."""
    return {"type": "twosided", "bsdf": {"type": "diffuse", "reflectance": _own_colors()}}


def leafy() -> dict[str, object]:
    """Leaves: some of the light shines through them."""
    return {
        "type": "principledthin",
        "base_color": _own_colors(),
        "roughness": 0.6,
        "diff_trans": 0.7,
        "eta": 1.3,
    }


def painted(roughness: float = 0.3, metallic: float = 0.0, specular: float = 0.5) -> dict[str, object]:
    """A surface in its vertices' colors that shines a little."""
    return {
        "type": "twosided",
        "bsdf": {
            "type": "principled",
            "base_color": _own_colors(),
            "roughness": roughness,
            "metallic": metallic,
            "specular": specular,
        },
    }


def _own_colors() -> dict[str, object]:
    return {"type": "mesh_attribute", "name": "vertex_color"}


def noise(shape: tuple[int, int], cells: float, chance: np.random.Generator, octaves: int = 4) -> Numbers:
    """Smooth noise of mean 0 and deviation 1, with `cells` bumps across the longer side, and finer ones on them."""
    total = np.zeros(shape, np.float32)
    for octave in range(octaves):
        scale = cells * 2**octave / max(shape)
        grid = [max(2, round(side * scale) + 2) for side in shape]
        values = chance.standard_normal(grid).astype(np.float32)
        total += cv2.resize(values, shape[::-1], interpolation=cv2.INTER_CUBIC) * 0.55**octave
    total -= total.mean()
    return np.asarray(total / (total.std() + 1e-6), np.float32)


def varied(color: Color, count: int, chance: np.random.Generator, light: float = 0.1, hue: float = 0.03) -> Numbers:
    """The color `count` times, a little lighter or darker and of another tint each time."""
    shades = np.array(color)[None] * (1 + light * chance.standard_normal((count, 1)))
    return np.clip(shades * (1 + hue * chance.standard_normal((count, 3))), 0.005, 0.95).astype(np.float32)


def directions(count: int, chance: np.random.Generator) -> Numbers:
    """Unit vectors all around."""
    found = chance.standard_normal((count, 3))
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float32)
