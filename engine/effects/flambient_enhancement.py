"""Flambient enhancement: shows a room as in the light of a bounced flash: bright, white, crisp, true in color."""

from dataclasses import replace

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.quality.limits import ROOM_LIGHT_RULES
from engine.relighting.exposure import LightingStyle, light_room
from engine.types.appearance import SharedAppearance
from engine.types.enhancements import Enhancement

FLAMBIENT = LightingStyle(
    white=0.875, middle=0.55, detail=0.2, fill=0.3, balance=1.0, local_balance=1.0, contrast=0.6, cleanness=0.6
)
MAX_LIFT_AFTER_HDR = 1.12
"""Maximum gain of the dark tones after HDR; a higher gain would add halos to those of the first lift."""
# HDR has already applied the order's appearance, darkened the views, added a part of the local contrast and of the
# light in corners, and removed most of the cast.
FLASH_AFTER_HDR = replace(FLAMBIENT, detail=0.05, fill=0.2, contrast=0.3, view=0.0, max_lift=MAX_LIFT_AFTER_HDR)


def add_flash(canvas: Canvas) -> EffectResult:
    """Make whites neutral everywhere and lighten dark corners like a bounced flash; keep ambient light and shade.

    After HDR in the same request, the effect is weaker and ignores the order's shared appearance, which HDR
    applied.

    Parameters
    ----------
    canvas : Canvas
        Any photo; `request.brightness` chooses how light it becomes.

    Returns
    -------
    EffectResult
        Without a region: only the light changes.
    """
    brightness = canvas.request.brightness
    if Enhancement.HDR in canvas.request.steps:
        style = replace(FLASH_AFTER_HDR, brightness=brightness)
        return light_room(replace(canvas, context=replace(canvas.context, appearance=SharedAppearance())), style)
    return light_room(canvas, replace(FLAMBIENT, brightness=brightness))


EFFECT = Effect(
    Enhancement.FLAMBIENT,
    "Flambient light",
    Needs.NOT_NIGHT,
    start_at_once(add_flash),
    fades=True,
    rules=ROOM_LIGHT_RULES,
)
