"""Legs of furniture: tapered, block, lathed, sled, plinth and trestle."""

from engine.rendering.furniture.looks import Leg, Look
from engine.rendering.furniture.model import Model
from engine.rendering.meshes import Mesh, build_block, build_lathed, build_swept

LATHED_PROFILE = (
    (0, 0),
    (0.55, 0),
    (0.62, 0.06),
    (0.5, 0.1),
    (0.42, 0.14),
    (0.6, 0.3),
    (0.9, 0.55),
    (1.0, 0.72),
    (0.8, 0.8),
    (1.0, 0.84),
    (1.0, 0.9),
    (0.85, 0.93),
    (1.0, 1.0),
    (0, 1.0),
)
"""Profile of a lathed leg: radius and height of each point, as shares of the largest radius and the height."""


def build_leg(kind: Leg, height: float, thick: float, lean: tuple[float, float] = (0.0, 0.0)) -> Mesh:
    """Build one leg: tapered, lathed, or a square post for all other kinds.

    Parameters
    ----------
    kind : Leg
        The form of the leg.
    height : float
        Height of the leg, meters.
    thick : float
        Side of a square post, meters; a tapered leg is 1.2 times as thick at its top, a lathed one 1.44 times
        where it is thickest.
    lean : tuple of float, default (0.0, 0.0)
        How far the foot of a tapered leg is displaced along x and y, meters; other kinds stand straight.

    Returns
    -------
    Mesh
        The leg from z = 0 up, its top on the z axis.
    """
    x, y = lean
    if kind is Leg.TAPERED:
        return build_swept(
            [(x, y, 0), (x * 0.5, y * 0.5, height / 2), (0, 0, height)],
            [thick * 0.32, thick * 0.43, thick * 0.6],
            14,
        )
    if kind is Leg.LATHED:
        return build_lathed([(r * thick * 0.72, z * height) for r, z in LATHED_PROFILE], 18)
    return build_block((thick, thick, height), min(0.006, thick / 5))


def add_legs(model: Model, look: Look, width: float, depth: float, height: float, thick: float = 0.05) -> None:
    """Add legs, sleds or a plinth under a body.

    Parameters
    ----------
    model : Model
        Changed in place.
    look : Look
        The materials and forms of the style.
    width, depth : float
        Extents of the body along x and y, meters.
    height : float
        Height of the body's underside above the floor, meters.
    thick : float, default 0.05
        Thickness of a leg, as in `build_leg`; not used for sleds and a plinth.
    """
    material = look.metal if look.leg is Leg.SLED else look.wood
    if look.leg is Leg.PLINTH:
        model.add(look.wood, build_block((width * 0.92, depth * 0.9, height), 0.004))
        return
    if look.leg is Leg.SLED:
        _add_sleds(model, look, width, depth, height)
        return
    inset = thick * (0.9 if look.leg is Leg.TAPERED else 0.55)
    lean = min(0.03, height * 0.2) if look.leg is Leg.TAPERED else 0.0
    for x, y in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        at = x * (width / 2 - inset - lean), y * (depth / 2 - inset - lean)
        model.add(material, build_leg(look.leg, height, thick, (x * lean, y * lean)).translate(*at))


def _add_sleds(model: Model, look: Look, width: float, depth: float, height: float) -> None:
    rod = 0.011
    for side in (-1, 1):
        x = side * (width / 2 - 0.09)
        y = depth / 2 - 0.05
        for end in (-1, 1):
            model.add(look.metal, build_block((0.022, 0.022, height), 0.003).translate(x, end * (y - rod)))
        model.add(look.metal, build_block((0.022, 2 * y, 0.022), 0.003).translate(x))


def add_rails(model: Model, look: Look, width: float, depth: float, top: float, tall: float) -> None:
    """Add the boards under a table top that join its legs.

    Parameters
    ----------
    model : Model
        Changed in place.
    look : Look
        The materials and forms of the style.
    width, depth : float
        Distances between the middles of opposite boards along x and y, meters.
    top : float
        Height of the boards' upper edges above the floor, meters.
    tall : float
        Height of the boards, meters.
    """
    for side in (-1, 1):
        model.add(look.wood, build_block((width, 0.022, tall), 0.003).translate(y=side * depth / 2, z=top - tall))
        model.add(look.wood, build_block((0.022, depth, tall), 0.003).translate(x=side * width / 2, z=top - tall))
