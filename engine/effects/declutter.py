"""Declutter: loose things go, and what they stood on goes on."""

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.generative import prompts
from engine.generative.drift import MODEST
from engine.generative.editing import EditTask, edit_by_server
from engine.generative.regions import find_clutter_region
from engine.geometry.surface import Surface
from engine.inpainting.removal import CLUTTER, remove_things
from engine.inpainting.things import check_places
from engine.quality.limits import EDITED
from engine.quality.room_figures import RoomRules
from engine.types.enhancements import Enhancement

NAME = "Decluttering"


def remove_clutter(canvas: Canvas) -> EffectResult:
    """Loose things go. Raises Declined as check_places and remove_things do."""
    surfaces = canvas.find_surfaces()
    check_places(canvas.scene.small, surfaces, CLUTTER)
    return remove_things(canvas, canvas.find_room()[0], surfaces, CLUTTER)


def remove_clutter_by_server(canvas: Canvas) -> EffectResult:
    """Loose things go. Raises Declined as editing.edit_by_server does."""
    return edit_by_server(canvas, EditTask(NAME, prompts.decluttering, find_clutter_region, MODEST))


EFFECT = Effect(
    Enhancement.DECLUTTER,
    NAME,
    Needs.INDOORS,
    start_at_once(remove_clutter),
    by_server=remove_clutter_by_server,
    rules=EDITED,
    # A server may take things from tables and counters.
    room_rules=lambda canvas: RoomRules(removes=(Surface.CLUTTER,), bares=canvas.server_access is None),
    empties=True,
)
