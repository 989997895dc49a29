"""Triangles in meters, grouped by what they show (a Kind or RoomPart) and what they are made of (a Material)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from training.render.labels import Label

Plane = NDArray[np.float32]
Point = Sequence[float]


@dataclass(frozen=True, eq=False, slots=True)
class Material:
    """A surface: linear reflectance 0-1 (h x w x 3) that repeats every `span` meters.

    `shine` is the share of light mirrored; `glow` the radiance sent out as a texture of the same layout, or None;
    `ripples` is the strength of waves on the surface; `lit` says that lamps make it shine at dusk.
    """

    texture: Plane
    span: float = 1.0
    shine: float = 0.0
    glow: Plane | None = None
    ripples: float = 0.0
    lit: bool = False


@dataclass(slots=True)
class Part:
    """What is of one kind and material: triangles and quads as they came, made into arrays once by `settled`."""

    kind: Label
    material: Material
    triangles: list[Plane] = field(default_factory=list)
    places: list[Plane | None] = field(default_factory=list)
    quads: list[Sequence[Point]] = field(default_factory=list)
    framed: list[tuple[Sequence[Point], Sequence[float]]] = field(default_factory=list)

    def settled(self) -> tuple[Plane, Plane]:
        """All triangles (n x 3 x 3, meters) and their places in the texture (n x 3 x 2)."""
        triangles, places = list(self.triangles), list(self.places)
        if self.quads:
            triangles.append(_halved(np.array(self.quads, np.float32)))
            places.append(None)
        if self.framed:
            triangles.append(_halved(np.array([corners for corners, _ in self.framed], np.float32)))
            left, top, right, bottom = np.array([picture for _, picture in self.framed], np.float32).T
            spots = [np.stack(each, -1) for each in ((left, bottom), (right, bottom), (right, top), (left, top))]
            places.append(_halved(np.stack(spots, 1)))
        laid = [
            _laid(each, self.material.span) if spot is None else spot
            for each, spot in zip(triangles, places, strict=True)
        ]
        return np.concatenate(triangles), np.concatenate(laid)


class Model:
    """What stands in a scene; z is up."""

    def __init__(self) -> None:
        self.parts: dict[tuple[Label, int], Part] = {}

    def part(self, kind: Label, material: Material) -> Part:
        """The part of this kind and material, begun where there is none."""
        return self.parts.setdefault((kind, id(material)), Part(kind, material))

    def add(self, kind: Label, material: Material, triangles: Plane, places: Plane | None = None) -> None:
        """Add triangles; without places the texture is laid on in meters, upright on walls."""
        if len(triangles):
            part = self.part(kind, material)
            part.triangles.append(np.asarray(triangles, np.float32))
            part.places.append(None if places is None else np.asarray(places, np.float32))

    def quad(
        self, kind: Label, material: Material, corners: Sequence[Point], picture: Sequence[float] = ()
    ) -> None:
        """Add a flat piece with four corners in order; `picture` (left, top, right, bottom) places a texture."""
        part = self.part(kind, material)
        if picture:
            part.framed.append((corners, picture))
        else:
            part.quads.append(corners)

    def box(self, kind: Label, material: Material, low: Point, high: Point) -> None:
        """Add an upright box between two opposite corners."""
        (x, y, z), (right, back, top) = low, high
        self.quad(kind, material, [(x, y, z), (right, y, z), (right, y, top), (x, y, top)])
        self.quad(kind, material, [(right, back, z), (x, back, z), (x, back, top), (right, back, top)])
        self.quad(kind, material, [(x, back, z), (x, y, z), (x, y, top), (x, back, top)])
        self.quad(kind, material, [(right, y, z), (right, back, z), (right, back, top), (right, y, top)])
        self.quad(kind, material, [(x, y, top), (right, y, top), (right, back, top), (x, back, top)])
        self.quad(kind, material, [(x, back, z), (right, back, z), (right, y, z), (x, y, z)])

    def flat(self, kind: Label, material: Material, outline: Plane, height: float) -> None:
        """Add a level piece of ground with this outline (n x 2), seen from its middle as a star."""
        ring = np.column_stack([outline, np.full(len(outline), height)]).astype(np.float32)
        middle = np.broadcast_to(ring.mean(0), ring.shape)
        self.add(kind, material, np.stack([middle, ring, np.roll(ring, -1, 0)], 1))

    def remade(self, become: Callable[[Label, Material], Material]) -> "Model":
        """The same shapes, each material replaced by what `become` makes of it."""
        model, made = Model(), {}
        for part in self.parts.values():
            key = (part.kind, id(part.material))
            made[key] = become(part.kind, part.material)
            model.add(part.kind, made[key], *part.settled())
        return model

    def place(self, other: "Model", turn: float = 0.0, shift: Point = (0, 0, 0)) -> None:
        """Add another model, turned about the vertical (radians) and moved."""
        turned = np.array(
            [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]], np.float32
        )
        for part in other.parts.values():
            triangles, places = part.settled()
            self.add(part.kind, part.material, triangles @ turned.T + np.asarray(shift, np.float32), places)


def tubes(starts: Plane, ends: Plane, radii: Plane, tips: Plane, sides: int = 5) -> Plane:
    """Triangles of round sticks from starts to ends (n x 3), thinning from radii to tips (n)."""
    along = ends - starts
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-6)
    helper = np.where(np.abs(along[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    across = np.cross(along, helper)
    across = across / np.linalg.norm(across, axis=1, keepdims=True)
    third = np.cross(along, across)
    angles = np.arange(sides) * 2 * np.pi / sides
    ring = across[:, None] * np.cos(angles)[None, :, None] + third[:, None] * np.sin(angles)[None, :, None]
    low = starts[:, None] + ring * radii[:, None, None]
    high = ends[:, None] + ring * tips[:, None, None]
    low_next, high_next = np.roll(low, -1, 1), np.roll(high, -1, 1)
    faces = np.stack([np.stack([low, low_next, high_next], 2), np.stack([low, high_next, high], 2)], 2)
    return faces.reshape(-1, 3, 3).astype(np.float32)


def wobbly(random: np.random.Generator, middle: Sequence[float], radii: Sequence[float], rough: float) -> Plane:
    """A closed outline (n x 2) about a middle, round but for a share `rough` of irregularity."""
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    swell = np.ones(40)
    for wave in (2, 3, 5):
        swell += rough / wave * np.sin(wave * angles + random.uniform(0, 6.3))
    ring = np.column_stack([np.cos(angles) * radii[0], np.sin(angles) * radii[1]]) * swell[:, None]
    return (ring + np.asarray(middle)).astype(np.float32)


def _halved(quads: Plane) -> Plane:
    """Two triangles for each quad (n x 4 x k to 2n x 3 x k)."""
    return np.ascontiguousarray(quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, quads.shape[-1]))


def _laid(triangles: Plane, span: float) -> Plane:
    """Texture places in meters over span: level pieces by x and y, others along the wall and up it."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normals = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    level = np.abs(normals[:, 2]) > 0.97
    along = np.cross(np.array([0, 0, 1], np.float32), normals)
    along[level] = (1, 0, 0)
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    up = np.cross(normals, along)
    up[level] = (0, 1, 0)
    across = np.einsum("nij,nj->ni", triangles, along)
    rise = np.einsum("nij,nj->ni", triangles, up)
    return np.stack([across, rise], -1).astype(np.float32) / span
