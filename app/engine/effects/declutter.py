"""Declutter: loose things go, and what they stood on goes on."""

from app.domain import prompts
from app.domain.catalogue import Enhancement
from app.engine.canvas import Canvas, Worked
from app.engine.effect import Effect, Needs, at_once
from app.engine.generative.drift import MODEST
from app.engine.generative.editing import Errand, edited
from app.engine.generative.regions import clutter_region
from app.engine.geometry.surface import Surface
from app.engine.inpainting.removal import CLUTTER, remove_in
from app.engine.inpainting.things import check_places
from app.engine.quality.limits import EDITED
from app.engine.quality.room_figures import RoomRules

NAME = "Decluttering"


def remove_clutter(canvas: Canvas) -> Worked:
    """Loose things go. Raises Declined as check_places and remove_in do."""
    surfaces = canvas.find_surfaces()
    check_places(canvas.scene.small, surfaces, CLUTTER)
    return remove_in(canvas, canvas.find_room()[0], surfaces, CLUTTER)


def remove_clutter_by_server(canvas: Canvas) -> Worked:
    """Loose things go. Raises Declined as editing.edited does."""
    return edited(canvas, Errand(NAME, prompts.decluttering, clutter_region, MODEST))


EFFECT = Effect(
    Enhancement.DECLUTTER,
    NAME,
    Needs.INDOORS,
    at_once(remove_clutter),
    by_server=remove_clutter_by_server,
    rules=EDITED,
    room_rules=lambda _: RoomRules(removes=(Surface.CLUTTER,)),
    empties=True,
)
