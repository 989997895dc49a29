"""Frames of one bracket of which a file states a wrong orientation are turned before they are merged."""

from dataclasses import replace
from functools import partial
from io import BytesIO

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto, decode
from tests import scenes
from tests.engine.frames import merged

STOPS = (-2.0, 0.0, 2.0)


def exposure(stops: float) -> np.ndarray:
    light = (scenes.room(480, 320).astype(np.float32) / 255) ** 2.2
    return np.asarray(255 * np.clip(light * 2.0**stops, 0, 1) ** (1 / 2.2) + 0.5).clip(0, 255).astype(np.uint8)


def stored(stops: float, orientation: int) -> bytes:
    """The exposure as a camera stores it that notes this orientation."""
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    file = BytesIO()
    Image.fromarray(exposure(stops)).save(file, "JPEG", quality=95, subsampling=0, exif=exif)
    return file.getvalue()


def merge(*orientations: int) -> DecodedPhoto:
    files = [stored(*each) for each in zip(STOPS, orientations, strict=True)]
    return merge_frames([partial(lambda file: decode(BytesIO(file)), file) for file in files])


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("orientation", [3, 6, 8])
def test_one_frame_with_another_orientation_is_turned_like_the_others(place: int, orientation: int) -> None:
    noted = [1, 1, 1]
    noted[place] = orientation
    assert np.array_equal(merge(*noted).pixels, merge(1, 1, 1).pixels)


def test_frames_that_are_all_noted_as_turned_are_turned() -> None:
    assert merge(6, 6, 6).pixels.shape == (480, 320, 3)


def test_each_of_many_frames_is_turned_whenever_it_is_read(decoded: list[DecodedPhoto]) -> None:
    lying = [replace(each, pixels=np.ascontiguousarray(np.rot90(each.pixels))) for each in decoded[:2]]
    assert np.array_equal(merged([*lying, *decoded[2:]]).pixels, merged(decoded).pixels)


@pytest.fixture
def decoded() -> list[DecodedPhoto]:
    """Five frames: too many to be kept in memory."""
    return [decode(BytesIO(stored(each, 1))) for each in (-2.0, -1.0, 0.0, 1.0, 2.0)]


def test_a_picture_of_another_room_is_not_turned_until_it_fits(decoded: list[DecodedPhoto]) -> None:
    noise = np.random.Generator(np.random.PCG64(4)).integers(0, 255, (48, 32, 3), np.uint8)
    other = replace(decoded[2], pixels=noise.repeat(10, axis=0).repeat(10, axis=1), digest="other")
    with pytest.raises(BracketError, match="differ in size"):
        merged([*decoded[:2], other])
