"""What a picture shows, as a value of `ImageOf` in RESO's Data Dictionary, by its order or its file name."""

import re
from collections.abc import Mapping
from enum import StrEnum

from engine.types.enhancements import RoomType


class ImageOf(StrEnum):
    """The values of RESO's `ImageOf` that can be found from a file name or a room type."""

    AERIAL = "AerialView"
    BACK = "BackOfStructure"
    BALCONY = "Balcony"
    BASEMENT = "Basement"
    BATHROOM = "Bathroom"
    BEDROOM = "Bedroom"
    CLOSET = "Closet"
    DECK = "Deck"
    DINING_ROOM = "DiningRoom"
    ENTRY = "Entry"
    FAMILY_ROOM = "FamilyRoom"
    FRONT = "FrontOfStructure"
    GARAGE = "Garage"
    GARDEN = "Garden"
    HALLWAY = "Hallway"
    KITCHEN = "Kitchen"
    LAUNDRY = "Laundry"
    LIVING_ROOM = "LivingRoom"
    OFFICE = "Office"
    PATIO = "Patio"
    POOL = "Pool"
    PORCH = "Porch"
    SIDE = "SideOfStructure"
    STAIRS = "Stairs"
    VIEW = "View"
    YARD = "Yard"


_ROOMS: Mapping[RoomType, ImageOf] = {
    RoomType.LIVING_ROOM: ImageOf.LIVING_ROOM,
    RoomType.DINING_ROOM: ImageOf.DINING_ROOM,
    RoomType.KITCHEN: ImageOf.KITCHEN,
    RoomType.BEDROOM: ImageOf.BEDROOM,
    RoomType.BATHROOM: ImageOf.BATHROOM,
    RoomType.OFFICE: ImageOf.OFFICE,
    RoomType.BASEMENT: ImageOf.BASEMENT,
}
_NAMES: tuple[tuple[str, ImageOf], ...] = (
    ("aerial|drone", ImageOf.AERIAL),
    ("pool", ImageOf.POOL),
    ("patio|terrace", ImageOf.PATIO),
    ("deck", ImageOf.DECK),
    ("porch", ImageOf.PORCH),
    ("balcony", ImageOf.BALCONY),
    ("garage", ImageOf.GARAGE),
    ("garden", ImageOf.GARDEN),
    ("yard|backyard", ImageOf.YARD),
    ("kitchen", ImageOf.KITCHEN),
    ("living|lounge", ImageOf.LIVING_ROOM),
    ("dining", ImageOf.DINING_ROOM),
    ("family", ImageOf.FAMILY_ROOM),
    ("bath|bathroom|ensuite", ImageOf.BATHROOM),
    ("bed|bedroom", ImageOf.BEDROOM),
    ("closet|wardrobe", ImageOf.CLOSET),
    ("office|study", ImageOf.OFFICE),
    ("basement|cellar", ImageOf.BASEMENT),
    ("laundry", ImageOf.LAUNDRY),
    ("hall|hallway|corridor", ImageOf.HALLWAY),
    ("stairs|staircase", ImageOf.STAIRS),
    ("entry|entrance|foyer", ImageOf.ENTRY),
    ("view", ImageOf.VIEW),
    ("front|facade|street", ImageOf.FRONT),
    ("back|rear", ImageOf.BACK),
    ("side", ImageOf.SIDE),
)
"""Words of file names -> what the picture shows. Words for things come before words for directions."""


def find_image_of(file_name: str, room_type: RoomType | None) -> ImageOf | None:
    """What the picture shows: by the room type that was ordered, else by the file name; None if neither says it."""
    if room_type is not None and room_type in _ROOMS:
        return _ROOMS[room_type]
    words = set(re.split(r"[^a-z]+", file_name.lower()))
    return next((image_of for names, image_of in _NAMES if words & set(names.split("|"))), None)
