"""A piece of furniture as it is built: forms by what they are made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from app.engine.rendering.forms import Form, Values, join_forms
from app.engine.rendering.materials import RenderMaterial


@dataclass(slots=True)
class Model:
    """Forms of a piece that stands on z = 0 about the origin, its front towards -y, by material."""

    parts: list[tuple[RenderMaterial, Form]] = field(default_factory=list)
    _measured: int = 0
    _bounds: tuple[Values, Values] = field(
        default_factory=lambda: (np.full(3, np.inf), np.full(3, -np.inf)), compare=False
    )

    def add(self, material: RenderMaterial, *forms: Form) -> None:
        """Add forms; each takes another stretch of the texture, so that no two boards look alike."""
        for form in forms:
            shift = np.array([0.37, 0.61]) * (len(self.parts) + 1)
            self.parts.append((material, Form(form.points, form.normals, (form.places + shift) / material.span)))

    def show(self, material: RenderMaterial, form: Form, flip: bool = False) -> None:
        """Add a form that shows a drawn texture once over its x and y, or x and z where it is upright."""
        low, high = form.low, form.high
        second = 2 if high[2] - low[2] > high[1] - low[1] else 1
        axes = [0, second]
        places = (form.points[..., axes] - low[axes]) / np.maximum(high[axes] - low[axes], 1e-6)
        places[..., 1] = 1 - places[..., 1] if flip else places[..., 1]
        self.parts.append((material, Form(form.points, form.normals, places)))

    def add_model(self, other: "Model", x: float = 0.0, y: float = 0.0, z: float = 0.0, turn: float = 0.0) -> None:
        """Add another model, turned about the vertical by radians and shifted."""
        self.parts += [(material, form.rotate(turn).translate(x, y, z)) for material, form in other.parts]

    def level_feet(self) -> "Model":
        """The same with its feet cut level with the floor, where legs stand askew."""
        cut = Model()
        for material, form in self.parts:
            points = np.maximum(form.points, [-np.inf, -np.inf, 0.0]) if form.low[2] < 0 else form.points
            cut.parts.append((material, Form(points, form.normals, form.places)))
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
        """Both, measured again only for forms added since."""
        for _, form in self.parts[self._measured :]:
            self._bounds = np.minimum(self._bounds[0], form.low), np.maximum(self._bounds[1], form.high)
        self._measured = len(self.parts)
        return self._bounds


def join_by_material(parts: Sequence[tuple[RenderMaterial, Form]]) -> list[tuple[RenderMaterial, Form]]:
    """The same with the forms of one material as one."""
    kept: dict[int, tuple[RenderMaterial, list[Form]]] = {}
    for material, form in parts:
        kept.setdefault(id(material), (material, []))[1].append(form)
    return [(material, join_forms(forms)) for material, forms in kept.values()]
