"""Table lamps and floor lamps."""

import numpy as np

from engine.rendering.furniture.looks import Look, Shade
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import Mesh, build_lathed, build_slab, build_swept, outline_oval

_SHADES = {  # lower radius, upper radius and height, as shares of the shade's `size`
    Shade.DRUM: (0.5, 0.46, 0.52),
    Shade.CONE: (0.5, 0.30, 0.50),
    Shade.PLEATED: (0.5, 0.26, 0.52),
}


def _build_shade(look: Look, size: float) -> Mesh:
    """A shade `size` meters wide, its lower edge on z = 0."""
    if look.shade is Shade.GLOBE:
        angles = np.linspace(-np.pi / 2, np.pi / 2, 21)
        return build_lathed([(size / 2 * np.cos(each), size / 2 * (1 + np.sin(each))) for each in angles], 40)
    if look.shade is Shade.DOME:
        angles = np.linspace(0, np.pi / 2, 15)
        outer = [(size / 2 * np.cos(each), size * 0.42 * np.sin(each)) for each in angles]
        return build_lathed([*[(r * 0.97, z * 0.97) for r, z in outer[::-1]], *outer], 40)
    low, high, tall = _SHADES[look.shade]
    outer = [(low * size, 0.0), (high * size, tall * size)]
    inner = [(high * size - 0.004, tall * size), (low * size - 0.004, 0.0)]
    mesh = build_lathed([*inner, *outer], 72)
    if look.shade is Shade.PLEATED:
        angle = np.arctan2(mesh.points[..., 1], mesh.points[..., 0])
        points = mesh.points.copy()
        points[..., :2] *= (1 + 0.012 * np.sin(angle * 36))[..., None]
        return Mesh(points, mesh.normals, mesh.uv)
    return mesh


def build_table_lamp(look: Look) -> Model:
    """A table lamp, its foot and shade in the form of the style.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The lamp, between 0.36 and 0.48 m high.
    """
    model = Model()
    if look.shade is Shade.DOME:
        model.add(
            look.metal,
            build_lathed([(0, 0), (0.08, 0), (0.08, 0.014), (0.009, 0.02), (0.009, 0.34), (0, 0.34)], 28),
        )
        model.add(look.metal, _build_shade(look, 0.26).translate(z=0.30))
    elif look.shade is Shade.GLOBE:
        model.add(
            look.metal,
            build_lathed(
                [(0, 0), (0.075, 0), (0.07, 0.02), (0.03, 0.06), (0.03, 0.10), (0.06, 0.13), (0, 0.14)], 28
            ),
        )
        model.add(look.lampshade, _build_shade(look, 0.24).translate(z=0.125))
    elif look.shade is Shade.CONE:
        model.add(
            look.wood, build_lathed([(0, 0), (0.075, 0), (0.07, 0.03), (0.028, 0.10), (0.018, 0.28), (0, 0.29)], 28)
        )
        model.add(look.lampshade, _build_shade(look, 0.30).translate(z=0.24))
    else:
        line = [
            (0, 0),
            (0.06, 0),
            (0.062, 0.012),
            (0.045, 0.03),
            (0.075, 0.10),
            (0.085, 0.16),
            (0.065, 0.23),
            (0.025, 0.27),
            (0.016, 0.33),
            (0, 0.33),
        ]
        model.add(look.ceramic, build_lathed(line, 36))
        model.add(look.lampshade, _build_shade(look, 0.34).translate(z=0.30))
    return model


def build_floor_lamp(look: Look) -> Model:
    """A floor lamp on a tripod, an arc or a stem.

    Parameters
    ----------
    look : Look
        The materials and forms of the style.

    Returns
    -------
    Model
        The lamp, between 1.45 and 1.65 m high.
    """
    model = Model()
    if look.shade in (Shade.CONE, Shade.DRUM):
        for number in range(3):
            angle = number * 2 * np.pi / 3 + 0.5
            x, y = np.cos(angle), np.sin(angle)
            model.add(
                look.wood, build_swept([(x * 0.24, y * 0.24, 0), (x * 0.02, y * 0.02, 1.18)], [0.013, 0.017], 12)
            )
        model.add(
            look.metal,
            build_lathed([(0, 1.15), (0.03, 1.15), (0.03, 1.19), (0.012, 1.2), (0.012, 1.3), (0, 1.3)], 20),
        )
        model.add(look.lampshade, _build_shade(look, 0.46).translate(z=1.24))
        return model
    model.add(look.metal, build_slab(outline_oval(0.30, 0.30, 48), 0.022, 0.006))
    if look.shade is Shade.DOME:
        angles = np.linspace(0, 2.0, 15)
        bow = [(0.45 - 0.45 * np.cos(each), 0, 1.25 + 0.36 * np.sin(each)) for each in angles]
        model.add(look.metal, build_swept([(0, 0, 0.02), (0, 0, 0.7), *bow], 0.011, 12))
        end = bow[-1]
        model.add(look.metal, _build_shade(look, 0.34).translate(end[0], 0, end[2] - 0.16))
        return model
    model.add(look.metal, build_swept([(0, 0, 0.02), (0, 0, 1.34)], 0.011, 14))
    model.add(look.lampshade, _build_shade(look, 0.34 if look.shade is Shade.GLOBE else 0.44).translate(z=1.30))
    return model
