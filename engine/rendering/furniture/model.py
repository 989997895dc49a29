"""The model of a piece of furniture: its meshes and their materials."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.rendering.materials import RenderMaterial
from engine.rendering.meshes import Mesh, Values, join_meshes


@dataclass(slots=True)
class Model:
    """The meshes of a piece, each with its material; the piece stands on z = 0 around the origin and faces -y."""

    parts: list[tuple[RenderMaterial, Mesh]] = field(default_factory=list)
    _measured: int = 0
    _bounds: tuple[Values, Values] = field(
        default_factory=lambda: (np.full(3, np.inf), np.full(3, -np.inf)), compare=False
    )

    def add(self, material: RenderMaterial, *meshes: Mesh) -> None:
        """Add meshes. Each shows a different part of the texture, so that no two boards look alike.

        Parameters
        ----------
        material : RenderMaterial
            Material of all the meshes.
        *meshes : Mesh
            Meshes with texture coordinates in meters.
        """
        for mesh in meshes:
            shift = np.array([0.37, 0.61]) * (len(self.parts) + 1)
            self.parts.append((material, Mesh(mesh.points, mesh.normals, (mesh.uv + shift) / material.span)))

    def add_with_picture(self, material: RenderMaterial, mesh: Mesh, flip: bool = False) -> None:
        """Add a mesh that shows a drawn texture once: across x and y, or x and z if the mesh is upright.

        Parameters
        ----------
        material : RenderMaterial
            Holds the drawn texture.
        mesh : Mesh
            Its own texture coordinates are replaced.
        flip : bool, default False
            Whether the second texture coordinate falls from 1 to 0 along y or z instead of rising.
        """
        low, high = mesh.low, mesh.high
        second = 2 if high[2] - low[2] > high[1] - low[1] else 1
        axes = [0, second]
        places = (mesh.points[..., axes] - low[axes]) / np.maximum(high[axes] - low[axes], 1e-6)
        places[..., 1] = 1 - places[..., 1] if flip else places[..., 1]
        self.parts.append((material, Mesh(mesh.points, mesh.normals, places)))

    def add_model(self, other: "Model", x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> None:
        """Add the parts of another model, rotated and shifted.

        Parameters
        ----------
        other : Model
            Left unchanged.
        x, y, z : float, default 0.0
            The shift, in meters.
        turn : float, default 0.0
            Rotation about the vertical before the shift, in radians, counterclockwise seen from above.
        """
        self.parts += [(material, mesh.rotate(turn).translate(x, y, z)) for material, mesh in other.parts]

    def level_feet(self) -> "Model":
        """Cut the feet of leaning legs level with the floor.

        Returns
        -------
        Model
            A copy in which nothing is below z = 0.
        """
        cut = Model()
        for material, mesh in self.parts:
            points = np.maximum(mesh.points, [-np.inf, -np.inf, 0.0]) if mesh.low[2] < 0 else mesh.points
            cut.parts.append((material, Mesh(points, mesh.normals, mesh.uv)))
        return cut

    @property
    def low(self) -> Values:
        """The smallest x, y and z."""
        return self._ends()[0]

    @property
    def high(self) -> Values:
        """The largest x, y and z."""
        return self._ends()[1]

    def _ends(self) -> tuple[Values, Values]:
        """The smallest and the largest x, y and z; only meshes added since the last call are measured."""
        for _, mesh in self.parts[self._measured :]:
            self._bounds = np.minimum(self._bounds[0], mesh.low), np.maximum(self._bounds[1], mesh.high)
        self._measured = len(self.parts)
        return self._bounds


def join_by_material(parts: Sequence[tuple[RenderMaterial, Mesh]]) -> list[tuple[RenderMaterial, Mesh]]:
    """Join all meshes of the same material.

    Parameters
    ----------
    parts : Sequence of tuple of RenderMaterial and Mesh
        In any order.

    Returns
    -------
    list of tuple of RenderMaterial and Mesh
        One mesh for each material, materials compared by identity.
    """
    kept: dict[int, tuple[RenderMaterial, list[Mesh]]] = {}
    for material, mesh in parts:
        kept.setdefault(id(material), (material, []))[1].append(mesh)
    return [(material, join_meshes(meshes)) for material, meshes in kept.values()]
