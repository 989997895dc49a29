"""What is known of the room in a canvas's picture: its measures, and its parts as earlier steps left them."""

from app.engine.arrays import Plane
from app.engine.canvas import Canvas
from app.engine.geometry.agreement import surfaces_behind
from app.engine.geometry.estimation import RoomUnclear
from app.engine.geometry.room import Room


def measured(canvas: Canvas) -> tuple[Room | None, str]:
    """The room, or None and why it is not clear."""
    try:
        return canvas.scene.room, ""
    except RoomUnclear as unclear:
        return None, unclear.message


def surfaces_left(canvas: Canvas) -> Plane:
    """The parts of the room (small, height x width x len(Surface), shares) without what earlier steps took away."""
    room, _ = measured(canvas)
    seen = canvas.scene.surfaces
    return seen if room is None or canvas.gone is None else surfaces_behind(room, seen, canvas.gone)
