"""The look of a style: the forms, materials and drawn patterns of its furniture."""

from dataclasses import dataclass
from enum import StrEnum

from engine.rendering.furniture.patterns import Pattern
from engine.rendering.materials import Color, RenderMaterial


class Arm(StrEnum):
    """The form of a sofa's arms."""

    TRACK = "track"
    SLIM = "slim"
    ROLLED = "rolled"
    WOODEN = "wooden"
    ROUND = "round"
    SKIRTED = "skirted"
    LOW = "low"


class Leg(StrEnum):
    """The form of the legs of furniture."""

    TAPERED = "tapered"
    BLOCK = "block"
    LATHED = "lathed"
    SLED = "sled"
    PLINTH = "plinth"
    TRESTLE = "trestle"


class Headboard(StrEnum):
    """The form of a bed's headboard; it also decides the form of chairs, and the fronts of doors and drawers."""

    PANEL = "panel"
    CHANNELS = "channels"
    SLATS = "slats"
    BUTTONS = "buttons"
    CANE = "cane"
    PLANKS = "planks"
    LOW = "low"


class Shade(StrEnum):
    """The form of a lampshade."""

    DRUM = "drum"
    CONE = "cone"
    GLOBE = "globe"
    DOME = "dome"
    PLEATED = "pleated"


@dataclass(frozen=True, eq=False, slots=True)
class Look:
    """A style's forms, materials and drawn patterns.

    `plump` (0-1) is how soft its cushions are. `sofa` covers sofas and padded headboards, `seat` chairs, armchairs
    and benches; `top` is for table tops, `fronts` for doors and drawers, `linen` and `sheets` are bedding.
    """

    arm: Arm
    leg: Leg
    headboard: Headboard
    shade: Shade
    round_tables: bool
    plump: float
    sofa: RenderMaterial
    seat: RenderMaterial
    cushions: tuple[RenderMaterial, ...]
    throw: RenderMaterial
    wood: RenderMaterial
    top: RenderMaterial
    fronts: RenderMaterial
    metal: RenderMaterial
    linen: RenderMaterial
    sheets: RenderMaterial
    lampshade: RenderMaterial
    ceramic: RenderMaterial
    pot: RenderMaterial
    basket: RenderMaterial
    frame: RenderMaterial
    rug: Pattern
    rug_colors: tuple[Color, ...]
    art: Pattern
    art_colors: tuple[Color, ...]
