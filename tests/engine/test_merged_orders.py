"""The engine makes one picture of an order's frames, always the same, or says why it cannot."""

import io
from functools import partial

import numpy as np
import pytest

from engine.io.photo import decode
from engine.pipeline import PictureEngine
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.pictures import Picture, UnusablePhotoError
from engine.types.report import Reason
from tests import scenes
from tests.engine.lived_rooms import lived_room

pytestmark = pytest.mark.usefixtures("seen_roughly")

HDR = EditRequest(enhancements=(Enhancement.HDR,))


def exposures(pixels: np.ndarray, *stops: float) -> list[bytes]:
    light = (pixels.astype(np.float32) / 255) ** 2.2
    coded = (255 * np.clip(light * 2.0**each, 0, 1) ** (1 / 2.2) + 0.5 for each in stops)
    return [scenes.encoded(np.clip(each, 0, 255).astype(np.uint8)) for each in coded]


def enhance(frames: list[bytes], request: EditRequest = HDR) -> Picture:
    openers = [partial(io.BytesIO, content) for content in frames]
    context = EngineContext(order_seed="job_1", frames=openers)
    made = PictureEngine().enhance(io.BytesIO(frames[0]), request, context)
    assert made.picture is not None, made.report
    return made.picture


def test_frames_become_one_picture_with_what_each_of_them_shows() -> None:
    room = scenes.room(480, 320)
    frames = exposures(room, -2.5, 0, 2)
    made = decode(io.BytesIO(enhance(frames).content)).pixels.astype(float)
    assert made.shape == room.shape
    dark, _, light = (decode(io.BytesIO(each)).pixels.astype(float) for each in frames)
    assert dark.mean() + 20 < made.mean() < 235
    assert (made > 250).mean() < (light > 250).mean()


@pytest.mark.long
def test_the_same_frames_give_the_same_bytes_in_any_order() -> None:
    frames = exposures(lived_room(1, 320).picture, -2, 0, 2)
    assert enhance(frames).content == enhance(frames[::-1]).content


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        ([*exposures(scenes.room(480, 320), -1, 1), scenes.encoded(scenes.house(480, 320))], "same view"),
        ([*exposures(scenes.room(480, 320), -1), *exposures(scenes.room(240, 160), 1)], "differ in size"),
    ],
)
def test_frames_that_are_not_of_one_view_are_unusable_and_say_why(frames: list[bytes], words: str) -> None:
    with pytest.raises(UnusablePhotoError) as refusal:
        enhance(frames)
    assert refusal.value.reason is Reason.FRAMES_UNFIT
    assert words in refusal.value.message


def test_a_frame_that_is_broken_is_unusable() -> None:
    with pytest.raises(UnusablePhotoError) as refusal:
        enhance([*exposures(scenes.room(480, 320), -1), b"\xff\xd8\xff broken"])
    assert refusal.value.reason is Reason.UNDECODABLE
