"""Puts pieces on the floor one by one: not into a wall or another piece, not in front of a door, well in view."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.placed import PlacedPiece, overlap

MIN_DISTANCE = 1.0
"""Least distance, on the floor, from the camera to a piece, meters."""


@dataclass(frozen=True, slots=True)
class ViewLimits:
    """How much of a piece the picture must show: at least `share` of it (0-1), not nearer than `depth` meters along
    the camera's axis and `distance` meters on the floor, and at most `width` of the picture's width (0-1)."""

    share: float
    depth: float
    width: float
    distance: float


WELL_IN_VIEW = ViewLimits(share=0.62, depth=0.35, width=0.72, distance=MIN_DISTANCE)
"""The limits for pieces that are placed where they look best."""
WHOLLY_IN_VIEW = ViewLimits(share=0.85, depth=0.35, width=0.72, distance=MIN_DISTANCE)
"""The limits for main pieces that a person placed, where they can be met."""
PARTLY_IN_VIEW = ViewLimits(share=0.5, depth=0.3, width=0.95, distance=0.0)
"""The limits for main pieces that a person placed, or that fit nowhere else: the border may cut off a half."""


@dataclass(slots=True)
class Layout:
    """A room being furnished."""

    ground: Ground
    placed: list[PlacedPiece] = field(default_factory=list)

    def add(self, piece: PlacedPiece) -> bool:
        """Add a piece if it fits.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.

        Returns
        -------
        bool
            True if the piece was added.
        """
        if not self.fits(piece):
            return False
        self.placed.append(piece)
        return True

    @property
    def standing_pieces(self) -> list[PlacedPiece]:
        """The pieces that stand on the floor and are not flat."""
        return [each for each in self.placed if not each.flat and not each.raised]

    def is_apart(self, piece: PlacedPiece) -> bool:
        """Whether a piece touches no other piece; a flat piece may lie under a standing one.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.

        Returns
        -------
        bool
            True where it overlaps no other piece of its kind (flat or standing), as `overlap` checks it.
        """
        others = [each for each in self.placed if each.flat] if piece.flat else self.standing_pieces
        return not any(overlap(piece.corners, other.corners) for other in others)

    def fits(self, piece: PlacedPiece, limits: ViewLimits = WELL_IN_VIEW) -> bool:
        """Whether a piece fits: apart from others, on free floor, in view, and not with its back to the camera.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.
        limits : ViewLimits, default WELL_IN_VIEW
            How much of the piece the picture must show.

        Returns
        -------
        bool
            False where the picture shows less than a quarter of the floor under the piece. Only pieces that are not
            flat must also pass `is_in_view`.
        """
        if piece.turns_its_back() or not self.is_apart(piece):
            return False
        spots = piece.grid()
        clear, seen = self.ground.find_free(spots, flat=piece.flat)
        if not clear.all() or seen.mean() < 0.25:
            return False
        if not piece.flat and self.ground.is_too_tall(spots, piece.height):
            return False
        return piece.flat or self.is_in_view(piece, limits)

    def is_in_view(self, piece: PlacedPiece, limits: ViewLimits = WELL_IN_VIEW) -> bool:
        """Whether enough of a piece is in the picture, and it is neither too near nor too wide.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.
        limits : ViewLimits, default WELL_IN_VIEW
            The limits for enough, too near and too wide.

        Returns
        -------
        bool
            True where all limits hold.
        """
        share, depth, wide = self.measure_view(piece)
        return (
            share >= limits.share
            and depth >= limits.depth
            and wide <= limits.width
            and self.measure_distance(piece) >= limits.distance
        )

    def measure_distance(self, piece: PlacedPiece) -> float:
        """The distance, on the floor, from the camera to the nearest part of a piece.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.

        Returns
        -------
        float
            Meters.
        """
        return float(np.linalg.norm(piece.grid(), axis=1).min())

    def measure_view(self, piece: PlacedPiece) -> tuple[float, float, float]:
        """Measure how much of a piece is in the picture, how near it is, and how wide in the picture; cached.

        Parameters
        ----------
        piece : PlacedPiece
            At its place in the room.

        Returns
        -------
        share : float
            Share of the piece inside the picture, 0-1.
        depth : float
            Distance of its nearest point along the camera's axis, meters; negative behind the lens.
        wide : float
            Its width as a share of the picture's width, 0-1; 2 if any part of it is less than 0.05 m in front of
            the lens, or behind it.
        """
        known = self.ground.views.get(piece)
        if known is None:
            known = self.ground.views[piece] = self._measure_view(piece)
        return known

    def _measure_view(self, piece: PlacedPiece) -> tuple[float, float, float]:
        spots = piece.grid(0.2)
        heights = np.linspace(piece.raised, piece.height, 4)
        points = np.empty((len(heights), len(spots), 3))
        points[..., :2], points[..., 2] = spots, heights[:, None]
        pixels, depth = self.ground.room.camera.project(points.reshape(-1, 3))
        width, height = self.ground.width, self.ground.height
        inside = (depth > 0.05) & (pixels >= 0).all(1) & (pixels < (width, height)).all(1)
        if depth.min() < 0.05:
            return float(inside.mean()), float(depth.min()), 2.0
        shown = np.clip(pixels[:, 0], 0, width)
        return float(inside.mean()), float(depth.min()), float(np.ptp(shown)) / width


AddPieces = Callable[[FurnitureFactory, Layout, PlacedPiece], None]
"""A function that adds the other pieces to a layout, around a given main piece."""
