"""Processes a photo: decodes it, applies its effects in order, measures and judges the result, and encodes it."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import BinaryIO

import cv2
import numpy as np
from PIL import Image

from engine.arrays import Mask, Matte, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult, ServerAccess
from engine.effect import Effect
from engine.effects.table import EFFECTS
from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError
from engine.hiding import hide_private_parts
from engine.io.hinted_photo import copy_stream, require_hinted_photo
from engine.io.photo import DecodedPhoto, decode, encode
from engine.io.source_type import find_strongest
from engine.preview import SIDES, make_view, write_jpeg
from engine.quality.metrics import measure_figures
from engine.quality.room_figures import find_worst_figures
from engine.relighting.light_estimate import estimate_light
from engine.segmentation.hinted_masks import require_fitting_masks
from engine.segmentation.margins import crop_margins
from engine.segmentation.scene import Scene, make_scene
from engine.straightening import UNCHANGED, Straightening, find_straightening
from engine.types.appearance import LightEstimate
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import (
    ENHANCEMENTS,
    Enhancement,
    describe_disclosure,
    join_disclosures,
    list_disclosures,
)
from engine.types.figures import FigureCode
from engine.types.hints import NO_HINTS
from engine.types.options import Privacy, Verticals
from engine.types.pictures import Enhanced, PreviewSize, UnusablePhotoError
from engine.types.report import Figure, QualityReport, Reason, StepOutcome, judge
from engine.types.server import GenerativeServer, ServerUnavailableError
from engine.types.source_types import SourceType, find_source_type
from engine.types.usable_options import can_find_faces

SERVER_SECONDS = 240.0
"""Time for all calls to the generative server for one photo; the service ends all work on a photo after 300
seconds.
"""
CALL_SECONDS = 90.0
"""Time for one call to the generative server."""
_NO_CONTEXT = EngineContext()
Observe = Callable[[str, float], object]


def _observe_nothing(_step: str, _seconds: float) -> None:
    """The default of `observe`: nothing is recorded."""


@dataclass(frozen=True, slots=True)
class PictureEngine:
    """The engine; it implements the service's port of that name.

    Without `server` everything is made on this machine's processor; with it the generative steps use the server. A
    call may take `call_seconds`. `observe` is called with the name and the seconds of each enhancement, and of
    `decode`, `hide`, `measure`, `straighten` and `encode`.
    """

    server: GenerativeServer | None = None
    call_seconds: float = CALL_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    observe: Observe = field(default=_observe_nothing, compare=False)

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext = _NO_CONTEXT) -> Enhanced:
        """Apply the effects to a photo and encode the result.

        Parameters
        ----------
        photo : BinaryIO
            The photo's file; not read where the context has frames.
        request : EditRequest
            Which effects, with their options.
        context : EngineContext, optional
            Paid calls, reference pictures, frames to be merged into the photo, and values of its order.

        Returns
        -------
        Enhanced
            The picture, None where every effect declined, and the report, which names each effect that declined.

        Raises
        ------
        UnusablePhotoError
            Where the photo or a frame cannot be decoded within the limits, the frames cannot be merged, or the
            hints are for another photo.
        ServerUnavailableError
            Where the generative server cannot be asked now and the photo may be done later.
        """
        with _measure_time("decode", self.observe):
            require_hinted_photo(request.hints, context.frames or [partial(copy_stream, photo)])
            source = _merge(context.frames) if context.frames else decode(photo)
            require_fitting_masks(request.hints, *source.pixels.shape[1::-1])
        access = self._open_server_access(context)
        done = apply_effects(source, request, access, context=context, observe=self.observe)
        if done.pixels is None:
            return Enhanced(None, done.report)
        with _measure_time("encode", self.observe):
            picture = encode(done.pixels, source, done.source_type, done.description)
            shot = _open(context.frames[0]) if context.frames and done.turn else source
            before = None if done.turn is None else _draw_before(shot, done.turn)
        return Enhanced(picture, done.report, before)

    def estimate_light(self, photo: BinaryIO) -> LightEstimate:
        """Estimate the light that the photo was taken in.

        Parameters
        ----------
        photo : BinaryIO
            The photo's file.

        Returns
        -------
        LightEstimate
            The color cast with its certainty, the brightness, the side of the sun, and whether the photo was taken
            outdoors.

        Raises
        ------
        UnusablePhotoError
            Where the photo cannot be decoded within the limits.
        """
        return estimate_light(photo)

    def _open_server_access(self, context: EngineContext) -> ServerAccess | None:
        if self.server is None or not context.asks_server:
            return None
        ends_at = self.clock() + SERVER_SECONDS
        return ServerAccess(self.server, context, self.call_seconds, ends_at, self.clock, self.sleep)


def _draw_before(source: DecodedPhoto, turn: Straightening) -> bytes:
    """The photo, straightened in the same way as its result, for pages."""
    return write_jpeg(Image.fromarray(turn.apply(make_view(source))), SIDES[PreviewSize.VIEW][1])


def _merge(frames: Sequence[Callable[[], BinaryIO]]) -> DecodedPhoto:
    try:
        return merge_frames([partial(_open, frame) for frame in frames])
    except BracketError as error:
        raise UnusablePhotoError(Reason.FRAMES_UNFIT, str(error)) from error


def _open(frame: Callable[[], BinaryIO]) -> DecodedPhoto:
    with frame() as stream:
        return decode(stream)


@dataclass(frozen=True, slots=True)
class PipelineResult:
    """The result for one photo: `pixels` are None when every effect declined.

    `turn` is how the pixels were straightened, None where they were not. `mattes` (full size,
    0-255), where kept, say for each applied effect how much it changed each pixel.
    """

    pixels: Pixels | None
    report: QualityReport
    mattes: Mapping[Enhancement, Matte]
    turn: Straightening | None = None

    @property
    def source_type(self) -> SourceType | None:
        """The IPTC digital source type of the result; None where nothing was added to the photo."""
        return find_strongest(*(_find_step_source_type(step) for step in self.report.steps))

    @property
    def description(self) -> str | None:
        """The description of the alteration, in sentences for people; None where nothing needs to be disclosed."""
        found = list_disclosures(self.report.applied)
        return describe_disclosure(join_disclosures(each.words for each in found)) if found else None


def apply_effects(
    source: DecodedPhoto,
    request: EditRequest,
    server_access: ServerAccess | None = None,
    *,
    context: EngineContext = _NO_CONTEXT,
    keep_mattes: bool = False,
    scene: Scene | None = None,
    observe: Observe = _observe_nothing,
) -> PipelineResult:
    """Apply the requested effects to a decoded photo and measure the result.

    Parameters
    ----------
    source : DecodedPhoto
        The photo.
    request : EditRequest
        Which effects, with their options.
    server_access : ServerAccess, optional
        The generative server; None: everything is made on this machine.
    context : EngineContext, optional
        Reference pictures and values of the photo's order.
    keep_mattes : bool, default False
        Whether the result has the effects' mattes.
    scene : Scene, optional
        The scene from an earlier request for the same photo; with it, the photo is not analyzed again.
    observe : callable, optional
        Called with the name and the seconds of each enhancement, and of `hide`, `measure` and `straighten`.

    Returns
    -------
    PipelineResult
        The picture, None where every effect declined, and the report.

    Raises
    ------
    UnusablePhotoError
        Where faces are to be blurred, their detector is not installed, and the photo may not be done later.
    ServerUnavailableError
        Where the generative server cannot be asked now, or that detector is not installed, and the photo may be
        done later.
    """
    seen = make_scene(source, request.hints or NO_HINTS) if scene is None else scene
    hidden: tuple[Figure, ...] = ()
    if request.privacy is Privacy.BLURRED or seen.hints.private:
        with _measure_time("hide", observe):
            source, seen, hidden = _hide(source, seen, request, context)
    run = _Run(Canvas(source.pixels, seen, request, server_access, context))
    for enhancement in request.steps:
        with _measure_time(enhancement.value, observe):
            run.apply(EFFECTS[enhancement], keep_matte=keep_mattes)
    outcomes = tuple(run.outcomes)
    if not any(outcome.applied for outcome in outcomes):
        return PipelineResult(None, judge(outcomes, ()), run.mattes)
    with _measure_time("measure", observe):
        measured = _measure(source, run, seen.margins)
    pixels, turn = run.canvas.pixels, None
    if request.verticals is Verticals.STRAIGHT:
        with _measure_time("straighten", observe):
            turn = find_straightening(seen, source.exif)
            pixels = pixels if turn is None else turn.apply(pixels)
        run.figures += _measure_turn(turn or UNCHANGED)
    report = judge(outcomes, find_worst_figures(run.inside) + measured + (*run.figures, *hidden))
    return PipelineResult(pixels, report, run.mattes, turn)


def _hide(
    source: DecodedPhoto, scene: Scene, request: EditRequest, context: EngineContext
) -> tuple[DecodedPhoto, Scene, tuple[Figure, ...]]:
    """Return the photo and its scene without private parts and, where faces were looked for, the figures of faces.

    Private parts are hidden before all effects, so that no effect and no generative server ever gets them, and so
    that nothing is blurred that an effect added.
    """
    find = request.privacy is Privacy.BLURRED
    if find and not can_find_faces():
        message = "Faces cannot be blurred here: their detector is not installed."
        if context.may_wait:
            # This is no fault of the photo: another worker may have the detector.
            raise ServerUnavailableError(message)
        raise UnusablePhotoError(Reason.NOT_AVAILABLE, message)
    found = hide_private_parts(scene, find=find)
    counts = {FigureCode.FACES_BLURRED: found.faces, FigureCode.PLATES_BLURRED: found.plates}
    figures = tuple(Figure(code, count) for code, count in counts.items()) if find else ()
    if found.pixels is scene.pixels:
        return source, scene, figures
    photo = replace(source, pixels=found.pixels)
    return photo, make_scene(photo, scene.hints), figures


def _measure_turn(turn: Straightening) -> tuple[Figure, ...]:
    """The figures of straightening a picture: its verticals, its lens's distortion, and the share that was cropped.

    Straightening comes after all effects, so that hints, regions and all other figures refer to the photo as taken.
    """
    figures = {
        FigureCode.STRAIGHTENED: turn.degrees,
        FigureCode.DISTORTION_CORRECTED: 0.0 if turn.distortion is None else abs(turn.distortion.corner),
        FigureCode.LENS_KNOWN: float(turn.lens_known),
        FigureCode.CROPPED_SHARE: 1 - turn.kept,
    }
    return tuple(Figure(code, value) for code, value in figures.items())


def _measure(source: DecodedPhoto, run: "_Run", margins: Mask | None) -> tuple[Figure, ...]:
    """Measure the result against the photo without its margins, whose edges are not in the photo itself."""
    pictures = source.pixels, run.canvas.pixels
    regions = [(EFFECTS[each].rules, region) for each, region in run.regions.items()]
    if margins is not None and pictures[0].shape == pictures[1].shape:
        before, after = (crop_margins(each, margins) for each in pictures)
        pictures = np.ascontiguousarray(before, np.uint8), np.ascontiguousarray(after, np.uint8)
        regions = [
            (rules, None if region is None else plane(crop_margins(region, margins))) for rules, region in regions
        ]
    return measure_figures(*pictures, regions, source.profile)


@contextmanager
def _measure_time(step: str, observe: Observe) -> Iterator[None]:
    begun = time.monotonic()
    yield
    observe(step, time.monotonic() - begun)


@dataclass(slots=True)
class _Run:
    """A photo between effects, with the outcomes and figures so far.

    `inside` has the figures in rooms of each effect, `figures` all others that effects measured.
    """

    canvas: Canvas
    outcomes: list[StepOutcome] = field(default_factory=list)
    regions: dict[Enhancement, Plane | None] = field(default_factory=dict)
    mattes: dict[Enhancement, Matte] = field(default_factory=dict)
    inside: list[tuple[Figure, ...]] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)

    def apply(self, effect: Effect, *, keep_matte: bool) -> None:
        """Make the effect and record its outcome and figures; if the effect declines, the picture does not change.

        Parameters
        ----------
        effect : Effect
            The effect to make.
        keep_matte : bool
            Whether to keep the effect's matte.
        """
        try:
            done = effect.apply(self.canvas)
        except Declined as declined:
            self.outcomes.append(_report_declined(effect.enhancement, declined))
            return
        if effect.fades:
            done = _fade(done, self.canvas)
        done = _keep_margins(done, self.canvas)
        canvas, enhancement = self.canvas, effect.enhancement
        self.inside.append(effect.measure_in_room(canvas, done))
        self.figures += (*effect.measure_scene(canvas), *done.figures)
        self.canvas = canvas.after(done, empties=effect.empties)
        maker = effect.maker(canvas)
        added = done.furnishing.list_added() if done.furnishing else ()
        self.outcomes.append(
            StepOutcome(enhancement, True, message=done.note, maker=maker, changes=done.changes, furniture=added)
        )
        self.regions[enhancement] = done.region
        if keep_matte:
            self.mattes[enhancement] = _make_full_matte(done.pixels) if done.matte is None else done.matte


def _keep_margins(done: EffectResult, canvas: Canvas) -> EffectResult:
    """Return the result with the unchanged margins and labels of the photo."""
    margins = canvas.scene.margins
    if margins is None or done.pixels.shape != canvas.pixels.shape:
        return done
    return replace(done, pixels=np.where(margins[..., None], canvas.pixels, done.pixels))


def _fade(done: EffectResult, canvas: Canvas) -> EffectResult:
    """The result with only the context's `strength` of its change."""
    strength = canvas.context.strength
    if strength >= 1:
        return done
    mixed = cv2.addWeighted(done.pixels, strength, canvas.pixels, 1 - strength, 0)
    return replace(done, pixels=np.asarray(mixed, np.uint8))


def _find_step_source_type(step: StepOutcome) -> SourceType | None:
    if not step.applied or ENHANCEMENTS[step.enhancement].disclosure is None:
        return None
    return find_source_type(step)


def _report_declined(enhancement: Enhancement, declined: Declined) -> StepOutcome:
    return StepOutcome(enhancement=enhancement, applied=False, reason=declined.reason, message=declined.message)


def _make_full_matte(pixels: Pixels) -> Matte:
    return np.full(pixels.shape[:2], 255, np.uint8)
