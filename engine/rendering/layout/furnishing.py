"""The plan for furnishing a room, before it is rendered."""

from collections import Counter
from dataclasses import dataclass

from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.groups import SIDEWAYS
from engine.rendering.layout.placed import PlacedPiece
from engine.types.furniture import AddedFurniture

_KINDS = {SIDEWAYS: "bed"}
"""The kinds of pieces whose names in a layout differ from the kind."""


@dataclass(frozen=True, eq=False, slots=True)
class Furnishing:
    """The floor of a room, the factory of its furniture, and the pieces at their places."""

    ground: Ground
    factory: FurnitureFactory
    placed: tuple[PlacedPiece, ...]

    def list_added(self) -> tuple[AddedFurniture, ...]:
        """List the pieces with their sizes.

        Returns
        -------
        tuple of AddedFurniture
            One for each kind and size, to the centimeter; in the order in which they were placed.
        """
        counts = Counter(map(_measure, self.placed))
        return tuple(AddedFurniture(kind, count, *size) for (kind, *size), count in counts.items())


def _measure(piece: PlacedPiece) -> tuple[str, float, float, float]:
    width, depth, height = (round(float(each), 2) for each in piece.model.high - piece.model.low)
    return _KINDS.get(piece.name, piece.name).replace(" ", "_"), width, depth, height
