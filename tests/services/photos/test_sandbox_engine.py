"""Pictures of test orders: really small, really marked, and with the hints for the photo that was sent."""

import io
from dataclasses import dataclass, field
from hashlib import sha256
from typing import BinaryIO

import numpy as np
import pytest
from PIL import Image

from app.services.photos.sandbox_engine import MAX_SIDE, SandboxEngine
from engine.listing_picture import JpegListingPictures
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hints import PhotoHint, SceneHints
from engine.types.pictures import Enhanced, Picture
from engine.types.report import QualityReport, StepOutcome

GRAY = (120, 130, 140)
CONTEXT = EngineContext()
ADDRESS = "12 Garden Lane, Springfield, IL 62704"


@dataclass
class Copier:
    """An engine that gives back what it got, and remembers it."""

    sizes: list[tuple[int, int]] = field(default_factory=list)
    requests: list[EditRequest] = field(default_factory=list)

    def enhance(self, photo: BinaryIO, request: EditRequest, context: EngineContext) -> Enhanced:
        self.requests.append(request)
        for each in [opened() for opened in context.frames] or [photo]:
            content = each.read()
            self.sizes.append(Image.open(io.BytesIO(content)).size)
        steps = tuple(StepOutcome(each, applied=True) for each in request.steps)
        return Enhanced(Picture(content, "image/jpeg", *self.sizes[-1]), QualityReport(steps=steps))


def jpeg(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), GRAY).save(buffer, "JPEG")
    return buffer.getvalue()


def enhance(copier: Copier, content: bytes, context: EngineContext = CONTEXT, **fields: object) -> Enhanced:
    request = EditRequest(enhancements=(Enhancement.HDR,), **fields)
    return SandboxEngine(copier, JpegListingPictures()).enhance(io.BytesIO(content), request, context, ADDRESS)


@pytest.mark.parametrize(
    ("size", "small"), [((3000, 2000), (1024, 683)), ((1500, 3000), (512, 1024)), ((300, 200),) * 2]
)
def test_the_engine_gets_a_small_copy_and_the_result_has_a_watermark(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    copier = Copier()
    made = enhance(copier, jpeg(*size)).picture
    assert copier.sizes == [small]
    assert max(small) <= MAX_SIDE
    pixels = np.asarray(Image.open(io.BytesIO(made.content)).convert("RGB"))
    assert pixels.shape[:2] == (made.height, made.width) == (small[1], small[0])
    corner = pixels[: pixels.shape[0] // 4, : pixels.shape[1] // 2]
    assert (corner > 240).all(-1).sum() > 50, "white letters"
    assert np.abs(pixels[pixels.shape[0] // 2 :].astype(int) - GRAY).max() < 12, "nothing else"


def test_every_frame_is_made_small() -> None:
    copier, frames = Copier(), [jpeg(2000, 1500)] * 3
    enhance(copier, frames[0], EngineContext(frames=[lambda: io.BytesIO(frames[0])] * 3))
    assert copier.sizes == [(1024, 768)] * 3


def test_hints_for_the_photo_hold_for_its_small_copy_and_hints_for_another_do_not() -> None:
    copier, content = Copier(), jpeg(2000, 1500)
    floor = (((0.1, 0.9), (0.9, 0.9), (0.5, 0.6)),)
    mine, other = (PhotoHint(sha256(each).hexdigest()) for each in (content, b"another"))
    for named in (mine, other):
        enhance(copier, content, hints=SceneHints(photo=named, clear=floor))
    assert [each.hints.photo for each in copier.requests] == [None, other]
