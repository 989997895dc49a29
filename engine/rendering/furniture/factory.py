"""What is to be furnished and how, and the pieces already built for it."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.rendering.furniture.looks import Look
from engine.rendering.furniture.model import Model
from engine.rendering.furniture.styles import get_look, make_weatherproof
from engine.types.enhancements import RoomType, Style


@dataclass(frozen=True, slots=True)
class FurnitureFactory:
    """What is to be furnished and how; `seed` makes the same furniture in every view of an order's room."""

    room_type: RoomType
    style: Style
    seed: int
    _made: dict[str, Model] = field(default_factory=dict, compare=False, repr=False)

    def get_or_build(self, name: str, build: Callable[[], Model]) -> Model:
        """A piece that is built on first asking and kept."""
        if name not in self._made:
            self._made[name] = build().level_feet()
        return self._made[name]

    @property
    def look(self) -> Look:
        """The style's look, for outdoors in wood and cloth that bear rain."""
        look = get_look(self.style)
        return make_weatherproof(look) if self.room_type is RoomType.OUTDOOR_SPACE else look

    def chance(self, piece: str) -> np.random.Generator:
        """Chance for one piece, the same whatever else is in the room."""
        return np.random.Generator(np.random.PCG64([self.seed, *piece.encode()]))
