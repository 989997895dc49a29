"""Declutter: removes loose things and continues the surfaces that they stood on."""

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.generative import prompts
from engine.generative.drift import OBJECT_LIMITS
from engine.generative.editing import EditTask, edit_by_server
from engine.generative.regions import find_clutter_region
from engine.geometry.surface import Surface
from engine.inpainting.removal import CLUTTER, remove_things
from engine.inpainting.things import check_backgrounds
from engine.quality.limits import NEW_CONTENT_RULES
from engine.quality.room_figures import RoomRules
from engine.types.enhancements import Enhancement

NAME = "Decluttering"


def remove_clutter(canvas: Canvas) -> EffectResult:
    """Remove loose things, without a generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room, which may be one that cannot be measured.

    Returns
    -------
    EffectResult
        With region and matte of the removed things.

    Raises
    ------
    Declined
        NOTHING_TO_REMOVE, TOO_MUCH_HIDDEN or OPENING_HIDDEN; see check_backgrounds and remove_things.
    """
    surfaces = canvas.find_surfaces()
    if not canvas.hints.things:
        check_backgrounds(canvas.scene.small, surfaces, CLUTTER)
    return remove_things(canvas, canvas.find_room()[0], surfaces, CLUTTER)


def remove_clutter_by_server(canvas: Canvas) -> EffectResult:
    """Remove loose things, by the generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room, with `server_access`.

    Returns
    -------
    EffectResult
        The first edit that passes the drift gate, pasted into the picture.

    Raises
    ------
    Declined
        As `edit_by_server` does.
    ServerUnavailableError
        If the server is unavailable now; the photo may be tried again later.
    """
    return edit_by_server(canvas, EditTask(NAME, prompts.make_declutter_prompt, find_clutter_region, OBJECT_LIMITS))


EFFECT = Effect(
    Enhancement.DECLUTTER,
    NAME,
    Needs.INDOORS,
    start_at_once(remove_clutter),
    by_server=remove_clutter_by_server,
    rules=NEW_CONTENT_RULES,
    # A server may also remove things from tables and counters.
    room_rules=lambda canvas: RoomRules(
        removes=(Surface.CLUTTER,), uncovers_bare_surfaces=canvas.server_access is None
    ),
    empties=True,
)
