"""Declutter: removes loose things one by one, and continues the surfaces that they stood on."""

from functools import partial

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.generative import prompts
from engine.generative.drift import OBJECT_LIMITS
from engine.generative.editing import EditTask, edit_by_server
from engine.generative.regions import find_clutter_region
from engine.geometry.surface import Surface
from engine.inpainting.decluttering import remove_clutter
from engine.inpainting.patch_match import check_available
from engine.quality.limits import NEW_CONTENT_RULES
from engine.quality.room_figures import RoomRules
from engine.types.enhancements import Enhancement
from engine.types.hints import ThingKind

NAME = "Decluttering"


def remove_clutter_on_worker(canvas: Canvas) -> EffectResult:
    """Remove loose things, without a generative server.

    Parameters
    ----------
    canvas : Canvas
        A photo of a room; the room need not be measurable.

    Returns
    -------
    EffectResult
        With region and matte of the removed things.

    Raises
    ------
    Declined
        NOT_AVAILABLE where pypatchmatch is not installed; as `remove_clutter` does.
    """
    check_available(NAME)
    return remove_clutter(canvas, canvas.find_surfaces())


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
    things = [each for each in canvas.hints.things if each.kind is ThingKind.CLUTTER]
    prompt = partial(prompts.make_declutter_prompt, things=things)
    return edit_by_server(canvas, EditTask(NAME, prompt, find_clutter_region, OBJECT_LIMITS))


EFFECT = Effect(
    Enhancement.DECLUTTER,
    NAME,
    Needs.INDOORS,
    start_at_once(remove_clutter_on_worker),
    by_server=remove_clutter_by_server,
    rules=NEW_CONTENT_RULES,
    room_rules=lambda _: RoomRules(removes=(Surface.CLUTTER,)),
    empties=True,
)
