"""The pieces of furniture that virtual staging added to a picture: how many of each kind, and their sizes."""

from collections.abc import Mapping
from dataclasses import dataclass

LABELS: Mapping[str, str] = {
    "armchair": "Armchair",
    "basket": "Basket",
    "bed": "Bed",
    "bench": "Bench",
    "chest": "Chest of drawers with vase",
    "coffee_table": "Coffee table with books",
    "desk": "Desk with laptop",
    "dining_set": "Dining table with chairs",
    "floor_lamp": "Floor lamp",
    "mat": "Mat",
    "media": "Media unit with screen",
    "nightstand": "Nightstand with lamp",
    "office_chair": "Office chair",
    "outdoor_table": "Outdoor table with books",
    "picture": "Picture on the wall",
    "plant": "Plant",
    "rug": "Rug",
    "shelf": "Shelf",
    "side_table": "Side table with lamp",
    "sideboard": "Sideboard",
    "small_plant": "Small plant",
    "sofa": "Sofa",
    "stool_with_towels": "Stool with towels",
}
"""The labels for people, by kind of piece."""


@dataclass(frozen=True, slots=True)
class AddedFurniture:
    """Pieces of one kind and size. `piece` is the kind, for programs; `width`, `depth` and `height` are in meters,
    with what stands on a piece.
    """

    piece: str
    count: int
    width: float
    depth: float
    height: float

    @property
    def label(self) -> str:
        """The kind for people."""
        return LABELS.get(self.piece) or self.piece.replace("_", " ").capitalize()
