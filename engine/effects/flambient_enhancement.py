"""Flambient enhancement: the clean color of a flash over the shape of the ambient light."""

from dataclasses import replace

from engine.canvas import Canvas, EffectResult
from engine.effect import Effect, Needs, start_at_once
from engine.quality.limits import BALANCED, BENT, Limit
from engine.relighting.exposure import LightingStyle, light_room
from engine.types.appearance import SharedAppearance
from engine.types.enhancements import Enhancement
from engine.types.report import Reason

FLAMBIENT = LightingStyle(white=0.90, middle=0.64, detail=0.12, fill=0.6, balance=0.97, local_balance=0.85)
LIFT_AFTER_HDR = 1.12
"""The most lift after HDR: enough for FLAMBIENT's aims, too little for the local contrast of both to form halos."""
# After HDR the look of the order is in the picture, its cast is gone, its views are dark enough, and of local
# contrast and filled corners there is a part already.
FLASH_AFTER_HDR = replace(
    FLAMBIENT, detail=0.0, fill=0.2, balance=0.0, local_balance=0.0, view=0.0, most_lift=LIFT_AFTER_HDR
)


def add_flash(canvas: Canvas) -> EffectResult:
    """Neutral whites everywhere, dark corners filled as by a bounced flash, the ambient light's shape kept.

    After HDR in the same request it does less, and without the order's shared appearance, which is in the picture.

    Parameters
    ----------
    canvas : Canvas
        Any photo; the request says how light it becomes.

    Returns
    -------
    EffectResult
        Without a region: only the light changes.
    """
    brightness = canvas.request.brightness
    if Enhancement.HDR in canvas.request.steps:
        manner = replace(FLASH_AFTER_HDR, brightness=brightness)
        return light_room(replace(canvas, context=replace(canvas.context, appearance=SharedAppearance())), manner)
    return light_room(canvas, replace(FLAMBIENT, brightness=brightness))


EFFECT = Effect(
    Enhancement.FLAMBIENT,
    "Flambient light",
    Needs.ANY_PHOTO,
    start_at_once(add_flash),
    fades=True,
    # Rooms that must be lifted far come out blotchy: settled on verdicts (bench.verdicts).
    rules=replace(BALANCED, limits={**BALANCED.limits, BENT: Limit(Reason.STRUCTURE_CHANGED, maximum=0.1)}),
)
