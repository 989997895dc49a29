"""What the command makes of a photo, by the command's own functions, as arrays to measure."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from app.domain.catalogue import Enhancement
from app.domain.look import Look
from app.engine.arrays import Matte, Pixels
from app.engine.folder.working import Task, outcome
from app.engine.io import decode

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


def result(path: Path, steps: Sequence[Enhancement], look: Look | None = None, seed: str = SEED) -> Result:
    """The result of the steps on the photo of this file, masks included."""
    before = upright(path.read_bytes())
    done = outcome(Task([path], steps, seed, look or Look(), with_masks=True))
    after = None if done.picture is None else upright(done.picture.content)
    masks = {step: _grey(content) for step, content in done.masks.items()}
    message = done.report.message or "; ".join(step.message for step in done.report.steps if not step.applied)
    return Result(path.stem, before, after, masks, message)


def upright(content: bytes) -> Pixels:
    """The pixels of a file as they are shown, in sRGB."""
    photo = decode(io.BytesIO(content))
    return photo.profile.to_srgb(photo.pixels)


def _grey(content: bytes) -> Matte:
    return np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE), dtype=np.uint8)
