"""What a merge may show: one thing in any light; what is there twice or half is refused."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto, decode
from engine.quality import limits
from engine.quality.ghosting import measure_ghosting
from tests.engine.frames import merged

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos" / "flambient"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the hand-out photos are not here")


def pattern(seed: int) -> Plane:
    """Gray blots, 0-1, of a kitchen's size."""
    noise = np.random.Generator(np.random.PCG64(seed)).random((30, 40), np.float32)
    return plane(cv2.resize(noise, (400, 300), interpolation=cv2.INTER_CUBIC).clip(0, 1))


def refused(frames: list[Plane], picture: Plane) -> bool:
    share, worst = measure_ghosting(frames, picture)
    return share > limits.MAX_GHOST_SHARE or worst > limits.MAX_GHOST_LOSS


def test_two_things_that_show_through_each_other_are_a_ghost() -> None:
    one, other = pattern(1), pattern(2)
    assert refused([one, other], plane((one + other) / 2))


def test_what_all_frames_show_alike_is_none_though_the_tones_left_only_a_part_of_it() -> None:
    slats, view = pattern(3), pattern(4)
    frame = plane((slats + view) / 2)
    assert not refused([frame, plane(frame * 0.5)], plane(0.6 + view * 0.35))


def real(name: str) -> DecodedPhoto:
    with (PHOTOS / f"{name}.jpg").open("rb") as file:
        return decode(file)


def darker(photo: DecodedPhoto) -> DecodedPhoto:
    return replace(photo, pixels=(photo.pixels * np.float32(0.4)).astype(np.uint8), digest=f"dark {photo.digest}")


def with_somebody(photo: DecodedPhoto, left: int) -> DecodedPhoto:
    """The photo with a patterned thing of a person's size standing in it."""
    pixels = photo.pixels.copy()
    noise = np.random.Generator(np.random.PCG64(7)).integers(0, 256, (13, 6, 3), dtype=np.uint8)
    pixels[650:1300, left : left + 280] = cv2.resize(noise, (280, 650), interpolation=cv2.INTER_CUBIC)
    return replace(photo, pixels=pixels, digest=f"{left} {photo.digest}")


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize("view", ["k04", "k17"])
def test_honest_flash_sets_are_merged_however_dark_the_room_was(view: str) -> None:
    ambient, flash, other = (real(f"{view}_{name}") for name in ("ambient", "flash", "flash2"))
    for first in (ambient, darker(ambient)):
        for flashes in ([flash], [other], [flash, other]):
            assert merged([first, *flashes]).pixels.shape == ambient.pixels.shape


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize("view", ["k04", "k17"])
def test_somebody_who_walked_between_two_flashes_is_refused(view: str) -> None:
    ambient, flash, other = (real(f"{view}_{name}") for name in ("ambient", "flash", "flash2"))
    with pytest.raises(BracketError, match="seen twice"):
        merged([ambient, with_somebody(flash, 900), with_somebody(other, 1020)])
