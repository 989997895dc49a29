"""Emptying, renovating and furnishing by this machine alone: what is seen of the room, handed to the steps."""

from app.domain.quality import Reason
from app.engine.canvas import Canvas, Declined, Worked
from app.engine.effects.virtual_renovation import renovate_in
from app.engine.effects.virtual_staging import stage_in
from app.engine.geometry.estimation import RoomUnclear
from app.engine.geometry.room import Room
from app.engine.indoors import measured, surfaces_left
from app.engine.inpainting.removal import CLUTTER, FURNITURE, remove_in
from app.engine.inpainting.things import check_places


def declutter(canvas: Canvas) -> Worked:
    """Loose things go. Raises Declined: NOT_INTERIOR, else as check_places and removing.remove_in."""
    _check_inside(canvas, "Decluttering")
    check_places(canvas.scene.small, surfaces_left(canvas), CLUTTER)
    return remove_in(canvas, measured(canvas)[0], surfaces_left(canvas), CLUTTER)


def remove_furniture(canvas: Canvas) -> Worked:
    """All furniture goes. Raises Declined: NOT_INTERIOR, ROOM_UNCLEAR, else as check_places and remove_in."""
    room = _room(canvas, "Furniture removal")
    check_places(canvas.scene.small, surfaces_left(canvas), FURNITURE)
    return remove_in(canvas, room, surfaces_left(canvas), FURNITURE)


def stage(canvas: Canvas) -> Worked:
    """Furniture and decor appear. Raises Declined: NOT_INTERIOR, ROOM_UNCLEAR, else as furnishing.stage_in."""
    return stage_in(canvas, _room(canvas, "Virtual staging"), surfaces_left(canvas))


def renovate(canvas: Canvas) -> Worked:
    """The surfaces change as described. Raises Declined: NOT_INTERIOR, else as work.renovate_in."""
    _check_inside(canvas, "Virtual renovation")
    room, unclear = measured(canvas)
    return renovate_in(canvas, room, surfaces_left(canvas), canvas.wish.changes, unclear)


def _room(canvas: Canvas, name: str) -> Room:
    """The room, for a step of that name. Raises Declined NOT_INTERIOR or ROOM_UNCLEAR."""
    _check_inside(canvas, name)
    try:
        return canvas.scene.room
    except RoomUnclear as unclear:
        raise Declined(Reason.ROOM_UNCLEAR, f"{name} was not done: {_lowered(unclear.message)}") from None


def _check_inside(canvas: Canvas, name: str) -> None:
    if canvas.scene.outdoors:
        raise Declined(Reason.NOT_INTERIOR, f"{name} was not done: the photo was taken outside, not in a room.")


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]
