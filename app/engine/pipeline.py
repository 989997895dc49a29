"""The way of a photo through the engine: decode, the wished steps in order, measure, judge, encode."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from app.domain.catalogue import Enhancement, in_pipeline_order
from app.domain.look import Glimpse
from app.domain.ports import Aid, Enhanced, GenerativeServer, Wish
from app.domain.quality import Figure, QualityReport, StepOutcome, judge
from app.engine.arrays import Matte, Pixels, Plane
from app.engine.generative.removal import declutter, remove_furniture
from app.engine.generative.renovation import renovate
from app.engine.generative.staging import stage
from app.engine.inside.exposure import add_flash, balance_exposure
from app.engine.io import Photo, decode, encode
from app.engine.outside.golden_hour import golden_hour
from app.engine.outside.grass import green_lawn
from app.engine.outside.sky import replace_sky
from app.engine.outside.twilight import twilight
from app.engine.quality.metrics import measure
from app.engine.scene.analysis import Scene
from app.engine.scene.glimpse import glimpse_of
from app.engine.staging.furnishing import stage_here
from app.engine.step import Canvas, Declined, Outside, Step, Worked


def furnish(canvas: Canvas) -> Worked:
    """Virtual staging: by the generative server where there is one, else by this machine."""
    return stage_here(canvas) if canvas.outside is None else stage(canvas)


STEPS: dict[Enhancement, Step] = {
    Enhancement.GRASS: green_lawn,
    Enhancement.SKY: replace_sky,
    Enhancement.GOLDEN_HOUR: golden_hour,
    Enhancement.TWILIGHT: twilight,
    Enhancement.HDR: balance_exposure,
    Enhancement.FLAMBIENT: add_flash,
    Enhancement.DECLUTTER: declutter,
    Enhancement.FURNITURE_REMOVAL: remove_furniture,
    Enhancement.STAGING: furnish,
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
    generative steps, which ask `server`; without one staging works here and the others decline. A call may take
    `call_seconds`.
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
        done = work(source, wish, self._outside(aid))
        return Enhanced(None if done.pixels is None else encode(done.pixels, source), done.report)

    def glimpse(self, photo: BinaryIO) -> Glimpse:
        """What the photo says of the light it was taken in.

        Raises UnusablePhotoError when the photo cannot be decoded within the limits.
        """
        return glimpse_of(photo)

    def _outside(self, aid: Aid) -> Outside | None:
        if self.server is None:
            return None
        ends_at = self.clock() + PATIENCE_SECONDS
        return Outside(self.server, aid, self.call_seconds, ends_at, self.clock, self.sleep)


@dataclass(frozen=True, slots=True)
class Finished:
    """What became of a photo: `pixels` are None when every step declined.

    `mattes` are full-size, 0-255, by step: where each that worked changed the picture, 255 where fully.
    """

    pixels: Pixels | None
    report: QualityReport
    mattes: Mapping[Enhancement, Matte]


def work(source: Photo, wish: Wish, outside: Outside | None = None, *, keep_mattes: bool = False) -> Finished:
    """Work the wished steps on a decoded photo and measure the result; `mattes` stay empty unless they are kept."""
    canvas = Canvas(source.pixels, Scene(source.pixels, source.profile, source.digest), wish, outside)
    mattes: dict[Enhancement, Matte] = {}
    outcomes: list[StepOutcome] = []
    regions: dict[Enhancement, Plane | None] = {}
    figures: tuple[Figure, ...] = ()
    for enhancement in in_pipeline_order(wish.steps):
        try:
            done = STEPS[enhancement](canvas)
        except Declined as declined:
            outcomes.append(_declined(enhancement, declined))
            continue
        canvas = replace(canvas, pixels=done.pixels)
        outcomes.append(StepOutcome(enhancement=enhancement, applied=True))
        figures += done.figures
        regions[enhancement] = done.region
        if keep_mattes:
            mattes[enhancement] = _everywhere(done.pixels) if done.matte is None else done.matte
    if not any(outcome.applied for outcome in outcomes):
        return Finished(None, judge(tuple(outcomes), ()), mattes)
    measured = measure(source.pixels, canvas.pixels, regions, source.profile)
    return Finished(canvas.pixels, judge(tuple(outcomes), measured + figures), mattes)


def _declined(enhancement: Enhancement, declined: Declined) -> StepOutcome:
    return StepOutcome(enhancement=enhancement, applied=False, reason=declined.reason, message=declined.message)


def _everywhere(pixels: Pixels) -> Matte:
    return np.full(pixels.shape[:2], 255, np.uint8)
