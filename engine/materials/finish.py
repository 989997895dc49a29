"""The finish that a surface gets: material, color, pattern, size and gloss."""

from dataclasses import dataclass
from enum import StrEnum

Color = tuple[float, float, float]
"""sRGB, gamma-coded, 0-1: red, green, blue."""


class MaterialKind(StrEnum):
    """The material of a surface; materials that look the same are one kind."""

    WOOD = "wood"
    MARBLE = "marble"
    GRANITE = "granite"
    TERRAZZO = "terrazzo"
    LIMESTONE = "limestone"
    SLATE = "slate"
    CERAMIC = "ceramic"
    CONCRETE = "concrete"
    BRICK = "brick"
    PLASTER = "plaster"
    CARPET = "carpet"
    SISAL = "sisal"
    METAL = "metal"
    PAINT = "paint"
    SEEN = "seen"
    """A material cut from a reference picture."""


class Pattern(StrEnum):
    """How the pieces of a surface are laid."""

    PLAIN = "plain"
    PLANKS = "planks"
    HERRINGBONE = "herringbone"
    CHEVRON = "chevron"
    TILES = "tiles"
    CHECKER = "checker"
    BOND = "bond"
    """Rows shifted by half a piece, as subway tiles and bricks are laid."""
    HEX = "hex"
    PANELS = "panels"
    """Upright boards or frames on walls."""


@dataclass(frozen=True, slots=True)
class Finish:
    """The finish of a surface.

    `size` is the length and width of a piece in meters, `gloss` is 0-1, `second` is the color of veins, chips or
    every other tile, `joint` is the color of the grout. `understood` are the words that were understood;
    `notes` are sentences for the customer about ignored words. `has_color` is whether a color or a tone was named.
    """

    kind: MaterialKind
    color: Color
    pattern: Pattern = Pattern.PLAIN
    size: tuple[float, float] = (1.0, 1.0)
    gloss: float = 0.1
    second: Color | None = None
    joint: Color | None = None
    understood: str = ""
    notes: tuple[str, ...] = ()
    has_color: bool = False


def parse_hex_color(text: str) -> Color:
    """Parse a color of six hexadecimal digits.

    Parameters
    ----------
    text : str
        The digits, two each for red, green and blue, without `#`.

    Returns
    -------
    tuple of float
        Gamma-coded sRGB, 0-1.
    """
    red, green, blue = (int(text[place : place + 2], 16) / 255 for place in (0, 2, 4))
    return red, green, blue
