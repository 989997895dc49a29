"""Furniture removal: the room empty, floor and walls continued behind what stood there."""

from app.domain import prompts
from app.domain.catalogue import Enhancement
from app.engine.canvas import Canvas, EffectResult
from app.engine.effect import Effect, Needs, start_at_once
from app.engine.generative.drift import EMPTYING
from app.engine.generative.editing import EditTask, edit_by_server
from app.engine.generative.regions import find_furniture_region
from app.engine.geometry.surface import Surface
from app.engine.inpainting.removal import FURNITURE, remove_things
from app.engine.inpainting.things import check_places
from app.engine.quality.limits import EDITED
from app.engine.quality.room_figures import RoomRules

NAME = "Furniture removal"


def remove_furniture(canvas: Canvas) -> EffectResult:
    """All furniture goes. Raises Declined as check_places and remove_things do."""
    surfaces = canvas.find_surfaces()
    check_places(canvas.scene.small, surfaces, FURNITURE)
    return remove_things(canvas, canvas.scene.room, surfaces, FURNITURE)


def remove_furniture_by_server(canvas: Canvas) -> EffectResult:
    """All furniture goes. Raises Declined as editing.edit_by_server does."""
    return edit_by_server(canvas, EditTask(NAME, prompts.emptying, find_furniture_region, EMPTYING))


EFFECT = Effect(
    Enhancement.FURNITURE_REMOVAL,
    NAME,
    Needs.ROOM,
    start_at_once(remove_furniture),
    by_server=remove_furniture_by_server,
    rules=EDITED,
    # A server may show cupboards and windows that furniture hid.
    room_rules=lambda canvas: RoomRules(
        removes=(Surface.FURNITURE, Surface.RUG, Surface.CLUTTER),
        continues_lines=True,
        bares=canvas.server_access is None,
    ),
    empties=True,
)
