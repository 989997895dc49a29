"""The way of a photo through the engine: decode, the wished steps in order, measure, judge, encode."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import BinaryIO

import cv2
import numpy as np

from app.domain.catalogue import ENTRIES, Enhancement, in_pipeline_order
from app.domain.look import Glimpse
from app.domain.ports import Aid, Enhanced, GenerativeServer, Wish
from app.domain.quality import Figure, Maker, QualityReport, StepOutcome, judge
from app.engine import unaided
from app.engine.arrays import Matte, Pixels, Plane, plane
from app.engine.canvas import Canvas, Declined, Outside, Step, Worked, asked_or_unaided
from app.engine.effects.golden_hour import golden_hour
from app.engine.effects.grass_enhancement import green_lawn
from app.engine.effects.twilight_conversion import twilight
from app.engine.generative.removal import declutter, remove_furniture
from app.engine.generative.renovation import renovate
from app.engine.generative.staging import stage
from app.engine.held_in_rooms import held_in_rooms
from app.engine.held_outside import held_outside
from app.engine.io.photo import Photo, decode, encode
from app.engine.io.source_type import SourceType, strongest
from app.engine.quality.metrics import measure
from app.engine.quality.room_figures import worst
from app.engine.relighting.exposure import add_flash, balance_exposure
from app.engine.relighting.light_estimate import glimpse_of
from app.engine.segmentation.scene import Scene, scene_of
from app.engine.sky.replacement import replace_sky

STEPS: dict[Enhancement, Step] = {
    Enhancement.GRASS: green_lawn,
    Enhancement.SKY: replace_sky,
    Enhancement.GOLDEN_HOUR: golden_hour,
    Enhancement.TWILIGHT: twilight,
    Enhancement.HDR: balance_exposure,
    Enhancement.FLAMBIENT: add_flash,
    Enhancement.DECLUTTER: asked_or_unaided(declutter, unaided.declutter),
    Enhancement.FURNITURE_REMOVAL: asked_or_unaided(remove_furniture, unaided.remove_furniture),
    Enhancement.STAGING: asked_or_unaided(stage, unaided.stage),
    Enhancement.RENOVATION: asked_or_unaided(renovate, unaided.renovate),
}
_EMPTYING = (Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL)

PATIENCE_SECONDS = 240.0
"""How long the generative server may take for one photo, all its steps and tries together: whatever else is done
included, a photo's work is ended after 300 seconds (app.tasks.watch)."""
CALL_SECONDS = 90.0
_NO_AID = Aid()


@dataclass(frozen=True, slots=True)
class PictureEngine:
    """The engine; implements app.domain.ports.Engine. It works on this machine's processor alone; where there is a
    `server`, the generative steps ask it. A call may take `call_seconds`.
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
        done = work(source, wish, self._outside(aid), aid=aid)
        picture = None if done.pixels is None else encode(done.pixels, source, done.source_type)
        return Enhanced(picture, done.report)

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

    @property
    def source_type(self) -> SourceType | None:
        """What the file has to say of what was added; None where all that it shows was there."""
        return strongest(*(_source_type(step) for step in self.report.steps))


def work(
    source: Photo,
    wish: Wish,
    outside: Outside | None = None,
    *,
    aid: Aid = _NO_AID,
    keep_mattes: bool = False,
    scene: Scene | None = None,
) -> Finished:
    """Work the wished steps on a decoded photo and measure the result; `mattes` stay empty unless they are kept.

    A `scene` that an earlier wish on the same photo looked at is not looked at again.
    """
    canvas = Canvas(source.pixels, scene_of(source) if scene is None else scene, wish, outside, aid)
    mattes: dict[Enhancement, Matte] = {}
    outcomes: list[StepOutcome] = []
    regions: dict[Enhancement, Plane | None] = {}
    figures: tuple[Figure, ...] = ()
    inside: list[tuple[Figure, ...]] = []
    for enhancement in in_pipeline_order(wish.steps):
        try:
            done = STEPS[enhancement](canvas)
        except Declined as declined:
            outcomes.append(_declined(enhancement, declined))
            continue
        inside.append(held_in_rooms(canvas, enhancement, done))
        figures += held_outside(canvas, enhancement)
        canvas = replace(canvas, pixels=done.pixels, gone=_gone(canvas, enhancement, done))
        maker = _maker(enhancement, outside)
        outcomes.append(StepOutcome(enhancement=enhancement, applied=True, maker=maker, changes=done.changes))
        figures += done.figures
        regions[enhancement] = done.region
        if keep_mattes:
            mattes[enhancement] = _everywhere(done.pixels) if done.matte is None else done.matte
    if not any(outcome.applied for outcome in outcomes):
        return Finished(None, judge(tuple(outcomes), ()), mattes)
    measured = measure(source.pixels, canvas.pixels, regions, source.profile)
    return Finished(canvas.pixels, judge(tuple(outcomes), worst(inside) + measured + figures), mattes)


def _gone(canvas: Canvas, enhancement: Enhancement, done: Worked) -> Plane | None:
    """Where things are gone after this step too, as large as the scene's small picture."""
    if enhancement not in _EMPTYING or done.region is None:
        return canvas.gone
    across = canvas.scene.small.shape[1::-1]
    share = plane(cv2.resize(done.region, across, interpolation=cv2.INTER_AREA))
    return share if canvas.gone is None else plane(np.maximum(canvas.gone, share))


def _maker(enhancement: Enhancement, outside: Outside | None) -> Maker:
    return Maker.SERVER if outside is not None and ENTRIES[enhancement].generative else Maker.WORKER


def _source_type(step: StepOutcome) -> SourceType | None:
    if not step.applied or ENTRIES[step.enhancement].disclosure is None:
        return None
    return SourceType.GENERATED_PARTS if step.maker is Maker.SERVER else SourceType.SYNTHETIC_PARTS


def _declined(enhancement: Enhancement, declined: Declined) -> StepOutcome:
    return StepOutcome(enhancement=enhancement, applied=False, reason=declined.reason, message=declined.message)


def _everywhere(pixels: Pixels) -> Matte:
    return np.full(pixels.shape[:2], 255, np.uint8)
