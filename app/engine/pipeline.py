"""The way of a photo through the engine: decode, the wished steps in order, measure, judge, encode."""

from typing import BinaryIO

import numpy as np

from app.domain.catalogue import Enhancement, in_pipeline_order
from app.domain.ports import Aid, Enhanced, Wish
from app.domain.quality import StepOutcome, judge
from app.engine.analysis import Scene
from app.engine.arrays import Plane, plane
from app.engine.exposure import add_flash, balance_exposure
from app.engine.grass import green_lawn
from app.engine.io import decode, encode
from app.engine.light import golden_hour, twilight
from app.engine.metrics import measure
from app.engine.removal import declutter, remove_furniture
from app.engine.renovation import renovate
from app.engine.sky import replace_sky
from app.engine.staging import stage
from app.engine.step import Canvas, Declined, Step

STEPS: dict[Enhancement, Step] = {
    Enhancement.GRASS: green_lawn,
    Enhancement.SKY: replace_sky,
    Enhancement.GOLDEN_HOUR: golden_hour,
    Enhancement.TWILIGHT: twilight,
    Enhancement.HDR: balance_exposure,
    Enhancement.FLAMBIENT: add_flash,
    Enhancement.DECLUTTER: declutter,
    Enhancement.FURNITURE_REMOVAL: remove_furniture,
    Enhancement.STAGING: stage,
    Enhancement.RENOVATION: renovate,
}

_NO_AID = Aid()


class PictureEngine:
    """The engine that works on this machine's processor alone; implements app.domain.ports.Engine."""

    def enhance(self, photo: BinaryIO, wish: Wish, aid: Aid = _NO_AID) -> Enhanced:
        """Work the steps on the photo; the report names every step that declined.

        Raises UnusablePhotoError when the photo cannot be decoded within the limits.
        """
        source = decode(photo)
        canvas = Canvas(source.pixels, Scene(source.pixels, source.profile, source.digest), wish)
        canvas, outcomes, region = _worked_through(canvas)
        if not any(outcome.applied for outcome in outcomes):
            return Enhanced(None, judge(outcomes, ()))
        report = judge(outcomes, measure(source.pixels, canvas.pixels, region))
        return Enhanced(encode(canvas.pixels, source), report)


def _worked_through(canvas: Canvas) -> tuple[Canvas, tuple[StepOutcome, ...], Plane | None]:
    """The canvas after all steps, what became of each, and the region they were free to change (None: nothing)."""
    outcomes = []
    region: Plane | None = None
    for enhancement in in_pipeline_order(canvas.wish.steps):
        try:
            done = STEPS[enhancement](canvas)
        except Declined as declined:
            outcomes.append(
                StepOutcome(
                    enhancement=enhancement, applied=False, reason=declined.reason, message=declined.message
                )
            )
            continue
        canvas = Canvas(done.pixels, canvas.scene, canvas.wish)
        outcomes.append(StepOutcome(enhancement=enhancement, applied=True))
        if done.region is not None:
            region = done.region if region is None else plane(np.maximum(region, done.region))
    return canvas, tuple(outcomes), region
