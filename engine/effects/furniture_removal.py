"""Furniture removal: empties the room and continues floor and walls where furniture stood."""

from functools import partial

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.generative import prompts
from engine.generative.drift import REMOVAL_LIMITS
from engine.generative.editing import EditTask, edit_by_server
from engine.generative.regions import find_furniture_region
from engine.geometry.surface import Surface
from engine.inpainting.patch_match import check_available
from engine.inpainting.removal import remove_things
from engine.inpainting.things import check_backgrounds
from engine.quality.limits import NEW_CONTENT_RULES
from engine.quality.room_figures import RoomRules
from engine.types.enhancements import Enhancement

NAME = "Furniture removal"


def remove_furniture(canvas: Canvas) -> EffectResult:
    """Remove all furniture, without a generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room that can be measured.

    Returns
    -------
    EffectResult
        With region and matte of the removed things.

    Raises
    ------
    Declined
        NOT_AVAILABLE where pypatchmatch is not installed; NOTHING_TO_REMOVE, ROOM_UNCLEAR, TOO_MUCH_HIDDEN or
        OPENING_HIDDEN; see check_backgrounds and remove_things.
    RoomUnclear
        If the room cannot be measured; `Effect.apply` declines such photos before it calls this function.
    """
    check_available(NAME)
    surfaces = canvas.find_surfaces()
    if not canvas.hints.things:
        check_backgrounds(canvas.scene.small, surfaces)
    return remove_things(canvas, canvas.scene.room, surfaces)


def remove_furniture_by_server(canvas: Canvas) -> EffectResult:
    """Remove all furniture, by the generative server.

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
    prompt = partial(prompts.make_removal_prompt, things=canvas.hints.things)
    return edit_by_server(canvas, EditTask(NAME, prompt, find_furniture_region, REMOVAL_LIMITS))


EFFECT = Effect(
    Enhancement.FURNITURE_REMOVAL,
    NAME,
    Needs.ROOM,
    start_at_once(remove_furniture),
    by_server=remove_furniture_by_server,
    rules=NEW_CONTENT_RULES,
    # A server may also draw cupboards and windows that the furniture hid.
    room_rules=lambda canvas: RoomRules(
        removes=(Surface.FURNITURE, Surface.RUG, Surface.CLUTTER),
        continues_lines=True,
        uncovers_bare_surfaces=canvas.server_access is None,
    ),
    empties=True,
)
