"""The way of a photo through the engine: decode, the wished steps in order, measure, judge, encode."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import BinaryIO

import cv2
import numpy as np

from app.domain.catalogue import Enhancement, in_pipeline_order
from app.domain.ports import Aid, Enhanced, GenerativeServer, Wish
from app.domain.quality import Figure, StepOutcome, judge
from app.engine.arrays import Plane, plane
from app.engine.generative.removal import declutter, remove_furniture
from app.engine.generative.renovation import renovate
from app.engine.generative.staging import stage
from app.engine.inside.exposure import add_flash, balance_exposure
from app.engine.io import decode, encode
from app.engine.outside.grass import green_lawn
from app.engine.outside.light import golden_hour, twilight
from app.engine.outside.sky import replace_sky
from app.engine.quality.metrics import measure
from app.engine.scene.analysis import Scene
from app.engine.step import Canvas, Declined, Outside, Step, Worked

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

PATIENCE_SECONDS = 240.0
"""How long the generative server may take for one photo, all its steps and tries together: whatever else is done
included, a photo's work is ended after 300 seconds (app.tasks.watch)."""
CALL_SECONDS = 90.0
_NO_AID = Aid()


@dataclass(frozen=True, slots=True)
class PictureEngine:
    """The engine; implements app.domain.ports.Engine. It works on this machine's processor alone, but for the
    generative steps, which ask `server` and decline without one. A call may take `call_seconds`.
    """

    server: GenerativeServer | None = None
    call_seconds: float = CALL_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep

    def enhance(self, photo: BinaryIO, wish: Wish, aid: Aid = _NO_AID) -> Enhanced:
        """Work the steps on the photo; the report names every step that declined.

        Raises UnusablePhotoError when the photo cannot be decoded within the limits.
        """
        source = decode(photo)
        scene = Scene(source.pixels, source.profile, source.digest)
        done, outcomes = _worked_through(Canvas(source.pixels, scene, wish, self._outside(aid)))
        if not any(outcome.applied for outcome in outcomes):
            return Enhanced(None, judge(outcomes, ()))
        report = judge(outcomes, measure(source.pixels, done.pixels, done.region) + done.figures)
        return Enhanced(encode(done.pixels, source), report)

    def _outside(self, aid: Aid) -> Outside | None:
        if self.server is None:
            return None
        ends_at = self.clock() + PATIENCE_SECONDS
        return Outside(self.server, aid, self.call_seconds, ends_at, self.clock, self.sleep)


def _worked_through(canvas: Canvas) -> tuple[Worked, tuple[StepOutcome, ...]]:
    """What all steps together made of the canvas, and what became of each."""
    outcomes: list[StepOutcome] = []
    region: Plane | None = None
    figures: tuple[Figure, ...] = ()
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
        canvas = replace(canvas, pixels=done.pixels)
        outcomes.append(StepOutcome(enhancement=enhancement, applied=True))
        figures += done.figures
        region = _either(region, done.region)
    return Worked(canvas.pixels, region, figures), tuple(outcomes)


def _either(one: Plane | None, other: Plane | None) -> Plane | None:
    """Two regions as one, in the size of the first."""
    if one is None or other is None:
        return other if one is None else one
    if one.shape != other.shape:
        other = plane(cv2.resize(other, one.shape[::-1], interpolation=cv2.INTER_LINEAR))
    return plane(np.maximum(one, other))
