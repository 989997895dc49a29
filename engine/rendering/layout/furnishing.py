"""What is planned for a room before it is rendered."""

from dataclasses import dataclass

from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.placed import PlacedPiece


@dataclass(frozen=True, eq=False, slots=True)
class Furnishing:
    """The floor of a room, the factory of its furniture, and the pieces at their places."""

    ground: Ground
    factory: FurnitureFactory
    placed: tuple[PlacedPiece, ...]
