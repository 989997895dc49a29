"""Builds each piece of furniture of a room once, in the room's style."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.rendering.furniture.looks import Look
from engine.rendering.furniture.model import Model
from engine.rendering.furniture.styles import get_look, make_weatherproof
from engine.types.enhancements import RoomType, Style


@dataclass(frozen=True, slots=True)
class FurnitureFactory:
    """Builds pieces for a room type and style, and caches them.

    The same `seed` gives the same furniture in every photo of a room in an order.
    """

    room_type: RoomType
    style: Style
    seed: int
    _made: dict[str, Model] = field(default_factory=dict, compare=False, repr=False)

    def get_or_build(self, name: str, build: Callable[[], Model]) -> Model:
        """Build a piece once and cache it.

        Parameters
        ----------
        name : str
            The key of the piece: its kind, followed by its sizes where these vary.
        build : callable
            Takes no arguments and returns the Model; called only when `name` is new.

        Returns
        -------
        Model
            The piece with level feet, one object for all calls with this name.
        """
        if name not in self._made:
            self._made[name] = build().level_feet()
        return self._made[name]

    @property
    def look(self) -> Look:
        """The look of the style; for outdoor spaces, in wood and cloth that withstand rain."""
        look = get_look(self.style)
        return make_weatherproof(look) if self.room_type is RoomType.OUTDOOR_SPACE else look

    def make_rng(self, piece: str) -> np.random.Generator:
        """Create the random numbers for one piece; they do not depend on other pieces in the room.

        Parameters
        ----------
        piece : str
            The name of the piece; it and the factory's `seed` are the seed.

        Returns
        -------
        numpy.random.Generator
            A new generator at its start.
        """
        return np.random.Generator(np.random.PCG64([self.seed, *piece.encode()]))
