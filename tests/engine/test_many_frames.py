"""Many frames of one photo: never all held, read again band by band, the same picture as from frames that are."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bench import memory
from engine.color.profiles import ColorProfile
from engine.fusion import pyramid_blending, shots
from engine.fusion.brackets import fuse_brackets
from engine.fusion.frames import merge_frames
from engine.fusion.shots import BracketError, open_shots
from engine.io.photo import DecodedPhoto
from tests import scenes
from tests.engine.frames import openers

WIDTH, HEIGHT = 320, 1100
# Bytes a pixel at 9 megapixels, where what is small in any photo (tiles, small frames, some 130 MB) counts three
# times as much as at 24, for which 24 bytes are the aim. Nine frames that are held are 27 by themselves.
LIMIT = 42
LIGHTS = (0.3, 0.45, 0.7, 1.0, 1.4, 2.0, 2.6)


def bracket(turned: float = 0.0) -> list[DecodedPhoto]:
    """Frames of a room with things on its walls, each `turned` so many degrees against the one before."""
    room = scenes.room(WIDTH, HEIGHT).astype(np.float32)
    noise = np.random.Generator(np.random.PCG64(5)).uniform(0.5, 1, (55, 16)).astype(np.float32)
    room *= cv2.resize(noise, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)[..., None]
    frames = []
    for place, light in enumerate(LIGHTS):
        turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), turned * (place - 3), 1.0)
        there = cv2.warpAffine(room * light, turn, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE)
        frames.append(DecodedPhoto(np.clip(there, 0, 255).astype(np.uint8), ColorProfile(), b"", "PNG", str(light)))
    return frames


def both_ways(frames: Sequence[DecodedPhoto], patch: pytest.MonkeyPatch) -> tuple[np.ndarray, np.ndarray]:
    """The picture from frames that are kept, and that from bands of them."""
    patch.setattr(pyramid_blending, "TILE_SIDE", 128)
    banded = fuse_brackets(open_shots(openers(frames))).pixels
    patch.setattr(shots, "MAX_KEPT_FRAMES", len(frames))
    return fuse_brackets(open_shots(openers(frames))).pixels, banded


@pytest.mark.long
def test_frames_read_band_by_band_make_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, banded = both_ways(bracket(), monkeypatch)
    assert np.array_equal(kept, banded)


@pytest.mark.long
def test_so_do_frames_of_an_unsteady_hand_but_for_rounding(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, banded = both_ways(bracket(turned=0.4), monkeypatch)
    away = np.abs(kept.astype(int) - banded)
    assert away.max() <= 2
    assert (away > 0).mean() < 1e-3


def test_no_more_of_many_frames_is_held_than_comes_to_three_of_them() -> None:
    laid = [shots.AlignedShot(shot) for shot in open_shots(openers(bracket()))]
    tallest, rows_seen = 0, []
    for rows, frames in shots.read_bands(laid, 64, 8):
        assert not any(each.shot.is_kept for each in laid)
        tallest = max(tallest, sum(len(frame.pixels) for frame in frames))
        rows_seen += range(rows.start, rows.stop)
    assert rows_seen == list(range(HEIGHT))
    assert tallest <= 3 * HEIGHT


@pytest.mark.long
def test_flash_frames_in_bands_make_the_same_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    fired = [replace(each, exif=b"fired") for each in bracket()[2:6]]
    monkeypatch.setattr("engine.fusion.frames.read_flash_fired", lambda exif: exif == b"fired")
    frames = [*fired, bracket()[6]]
    banded = merge_frames(openers(frames)).pixels
    monkeypatch.setattr(shots, "MAX_KEPT_FRAMES", len(frames))
    assert np.array_equal(merge_frames(openers(frames)).pixels, banded)


def test_a_frame_that_is_another_one_when_read_again_is_refused() -> None:
    frames = bracket()
    times = iter(range(99))
    changing = [*openers(frames[1:]), lambda: replace(frames[0], digest="first" if not next(times) else "then")]
    with pytest.raises(BracketError, match="changed while it was read"):
        fuse_brackets(open_shots(changing))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="The peak is the kernel's to tell.")
def test_nine_frames_need_far_less_than_it_takes_to_hold_them(tmp_path: Path) -> None:
    room = scenes.room(3600, 2400)
    paths = [tmp_path / f"{place}.jpg" for place in range(9)]
    for place, path in enumerate(paths):
        path.write_bytes(scenes.encoded(cv2.convertScaleAbs(room, alpha=1.25 ** (place - 4))))
    assert memory.of_frames(paths, []) <= LIMIT
