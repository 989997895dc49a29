"""What the command makes of a photo, by the command's own functions, as arrays to measure."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engine.arrays import Matte, Pixels
from engine.batch.photo import PhotoTask, process_photo
from engine.io.photo import decode
from engine.types.appearance import SharedAppearance
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.report import QualityReport

SEED = "bench"


@dataclass(frozen=True, slots=True)
class Result:
    """A photo and its result as delivered, both upright and in sRGB; `after` is None when every step declined."""

    name: str
    before: Pixels
    after: Pixels | None
    masks: Mapping[Enhancement, Matte]
    message: str

    def mask(self, step: Enhancement) -> Matte:
        """Where the step worked, 0-255; nowhere when it declined."""
        return self.masks.get(step, np.zeros(self.before.shape[:2], np.uint8))


def result(path: Path, steps: Sequence[Enhancement], look: SharedAppearance | None = None) -> Result:
    """What the steps make of the photo of this file, masks included."""
    return edited(path, EditRequest(enhancements=tuple(steps)), look)


def edited(path: Path, request: EditRequest, look: SharedAppearance | None = None) -> Result:
    """What the request makes of the photo of this file, masks included."""
    before = upright(path.read_bytes())
    context = EngineContext(order_seed=SEED, appearance=look or SharedAppearance())
    done = process_photo(PhotoTask([path], request, with_masks=True, context=context))
    after = None if done.picture is None else upright(done.picture.content)
    masks = {step: _gray(content) for step, content in done.masks.items()}
    message = "; ".join(dict.fromkeys([done.report.message, *_declined(done.report)])).strip("; ")
    return Result(path.stem, before, after, masks, message)


def _declined(report: QualityReport) -> list[str]:
    """Why what was not done was not, steps and single changes."""
    parts = [part for step in report.steps for part in (step, *step.changes)]
    return list(dict.fromkeys(part.message for part in parts if part.message and not part.applied))


def upright(content: bytes) -> Pixels:
    """The pixels of a file as they are shown, in sRGB."""
    photo = decode(io.BytesIO(content))
    return photo.profile.to_srgb(photo.pixels)


def _gray(content: bytes) -> Matte:
    return np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
