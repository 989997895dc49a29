"""HDR enhancement: exposes both the room and the view from its windows well."""

from dataclasses import replace

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.quality.limits import ROOM_LIGHT_RULES
from engine.relighting.exposure import LightingStyle, light_room
from engine.types.enhancements import Enhancement

HDR = LightingStyle(
    white=0.85, middle=0.545, detail=0.14, fill=0.25, balance=0.86, local_balance=0.6, contrast=0.1, max_lift=4.0
)


def balance_exposure(canvas: Canvas) -> EffectResult:
    """Lift shadows, keep highlights, make whites neutral and raise local contrast, without halos at edges.

    If flambient follows in the same request, flambient sets the chosen brightness instead.

    Parameters
    ----------
    canvas : Canvas
        Any photo; `request.brightness` chooses how light it becomes.

    Returns
    -------
    EffectResult
        Without a region: only the light changes.
    """
    sets_brightness = Enhancement.FLAMBIENT not in canvas.request.steps
    return light_room(canvas, replace(HDR, brightness=canvas.request.brightness) if sets_brightness else HDR)


EFFECT = Effect(
    Enhancement.HDR,
    "HDR balance",
    Needs.NOT_NIGHT,
    start_at_once(balance_exposure),
    rules=ROOM_LIGHT_RULES,
    fades=True,
)
