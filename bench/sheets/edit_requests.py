"""The edit request of each photo on the sheets of rooms: every room type, style and kind of change comes up."""

from collections.abc import Sequence

from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style

ROOMS = {
    "living": RoomType.LIVING_ROOM,
    "open_plan": RoomType.LIVING_ROOM,
    "kitchen": RoomType.KITCHEN,
    "bedroom": RoomType.BEDROOM,
    "nursery": RoomType.BEDROOM,
    "dining": RoomType.DINING_ROOM,
    "desk": RoomType.OFFICE,
    "bath": RoomType.BATHROOM,
    "utility": RoomType.BASEMENT,
    "bay_window": RoomType.LIVING_ROOM,
}
"""The room type by a word in the file's name."""
CHANGES: Sequence[tuple[tuple[ChangeType, str], ...]] = (
    ((ChangeType.FLOOR, "light oak herringbone parquet"), (ChangeType.WALLS, "sage green paint")),
    ((ChangeType.WALLS, "warm white"), (ChangeType.FLOOR, "large gray porcelain tiles")),
    ((ChangeType.FLOOR, "dark walnut planks"), (ChangeType.WALLS, "terracotta")),
    ((ChangeType.WALLS, "navy blue"), (ChangeType.FLOOR, "beige carpet")),
)
KITCHEN: Sequence[tuple[tuple[ChangeType, str], ...]] = (
    (
        (ChangeType.CABINETS, "matt dark green cabinets"),
        (ChangeType.COUNTERTOPS, "white marble"),
        (ChangeType.BACKSPLASH, "white subway tiles"),
    ),
    ((ChangeType.CABINETS, "natural oak"), (ChangeType.COUNTERTOPS, "black granite")),
)


def request_for(step: Enhancement, name: str, number: int) -> EditRequest:
    """The step on the photo of this name, the `number`-th of its sheet."""
    if step is Enhancement.STAGING:
        return EditRequest(
            enhancements=(step,), staging=Staging(style=list(Style)[number % len(Style)], room_type=room_of(name))
        )
    if step is Enhancement.RENOVATION:
        chosen = KITCHEN if "kitchen" in name else CHANGES
        changes = tuple(
            RenovationChange(change_type=kind, change_description=words)
            for kind, words in chosen[number % len(chosen)]
        )
        return EditRequest(enhancements=(step,), changes=changes)
    return EditRequest(enhancements=(step,))


def room_of(name: str) -> RoomType:
    """The room type that a file's name speaks of."""
    return next((room for word, room in ROOMS.items() if word in name), RoomType.OTHER)


def words_of(request: EditRequest) -> str:
    """What is asked for, in a few words."""
    parts = [f"{each.type}: {each.change_description}" for each in request.changes]
    if request.staging is not None:
        parts.append(f"{request.room_type}, {request.style}")
    return "; ".join(parts)
