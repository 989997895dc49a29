"""Makes the pictures of test orders: by the same engine as all others, but small, and with a watermark.

The outcome that the address of a test order asks for becomes part of the engine's verdict, so that refunds, events
and all else follow from it as from any verdict.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import BinaryIO

from app.domain import sandbox_addresses
from app.domain.ports import Engine, ListingPictureMaker
from app.domain.sandbox_addresses import MESSAGE, REASONS, SandboxOutcome
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, in_pipeline_order
from engine.types.hints import SceneHints
from engine.types.pictures import Enhanced, ListingPicture, UnusablePhotoError
from engine.types.report import QualityReport, Reason, StepOutcome, judge

MAX_SIDE = 1024
"""The longer side of a test picture, in pixels."""
WATERMARK = "TEST PICTURE, NOT FOR PUBLICATION"
# No picture is too narrow for this size: only the longer side counts.
_SMALL = ListingPicture(width=MAX_SIDE, height=1)
# The lower corner is left to the label of what must be disclosed.
_MARKED = replace(_SMALL, label=WATERMARK, label_at_top=True)


@dataclass(frozen=True, slots=True)
class SandboxEngine:
    """The engine for test orders. `pictures` makes files small and draws the watermark."""

    engine: Engine
    pictures: ListingPictureMaker

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext, address: str) -> Enhanced:
        """Apply the edit request to a small copy of the photo, with what the `address` of the order asks for.

        Raises what Engine.enhance() does, and UnusablePhotoError where the address asks for a failure.
        """
        asked = sandbox_addresses.find(address)
        if asked is not None and asked.outcome is SandboxOutcome.FAILED:
            raise UnusablePhotoError(Reason.PROCESSING_FAILED, MESSAGE)
        declined = [each for each in request.steps if asked and _is_declined(each, asked.outcome, asked.declined)]
        kept = [each for each in request.steps if each not in declined]
        if declined and not kept:
            return Enhanced(None, judge(tuple(map(_decline, declined)), ()))
        made = self._make(photo, request.keep(kept) if declined else request, context)
        report = _add_steps(made.report, declined)
        if made.picture is None:
            return replace(made, report=report)
        return Enhanced(self.pictures.make(BytesIO(made.picture.content), _MARKED), report, made.before)

    def _make(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        hints = request.hints
        if hints is not None and hints.masks:
            # A mask must have the shape of its photo to the pixel, which a small copy may miss.
            return self.engine.enhance(photo, request, context)
        opened: Sequence[Callable[[], BinaryIO]] = context.frames or [lambda: BytesIO(_read(photo))]
        # The engine could not recognize the photo that hints name by its small copy.
        request = replace(request, hints=_forget_name(hints, opened))
        frames = [BytesIO(self._shrink(each)) for each in opened]
        small = replace(context, frames=[partial(_copy, each) for each in frames] if context.frames else ())
        return self.engine.enhance(_copy(frames[0]), request, small)

    def _shrink(self, open_file: Callable[[], BinaryIO]) -> bytes:
        return self.pictures.make(open_file(), _SMALL).content


def _is_declined(step: Enhancement, outcome: SandboxOutcome, declined: Enhancement | None) -> bool:
    return outcome is SandboxOutcome.UNDELIVERABLE or (outcome is SandboxOutcome.DECLINED and step is declined)


def _decline(step: Enhancement) -> StepOutcome:
    return StepOutcome(step, applied=False, reason=REASONS[step], message=MESSAGE)


def _add_steps(report: QualityReport, declined: Sequence[Enhancement]) -> QualityReport:
    """The report with the declined steps in their places; a report in which no step was applied is judged again
    with them."""
    by_step = {each.enhancement: each for each in (*report.steps, *map(_decline, declined))}
    steps = tuple(by_step[each] for each in in_pipeline_order(by_step))
    return judge(steps, ()) if declined and not report.applied else replace(report, steps=steps)


def _forget_name(hints: SceneHints | None, files: Sequence[Callable[[], BinaryIO]]) -> SceneHints | None:
    """The hints without the digest of their photo; unchanged where the digest is another photo's."""
    if hints is None or not hints.is_for(sha256(each().read()).hexdigest() for each in files):
        return hints
    return replace(hints, photo=None)


def _read(photo: BinaryIO) -> bytes:
    photo.seek(0)
    return photo.read()


def _copy(file: BytesIO) -> BinaryIO:
    return BytesIO(file.getvalue())
