"""Flash and ambient frames of a drawn room: clean color, ambient shape, the view from the flash frame."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.color.profiles import ColorProfile
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto
from tests import scenes
from tests.engine.frames import blend, merged

WIDTH, HEIGHT = 480, 320
LIT_WALL, DIM_WALL, PANE = (0.36, 0.3, 0.43, 0.45), (0.92, 0.3, 0.99, 0.48), (0.12, 0.3, 0.2, 0.55)
FIRED, NOT_FIRED = 0x1F, 0x10


def things() -> np.ndarray:
    """What hangs on the walls, so that there is something to align by."""
    noise = np.random.Generator(np.random.PCG64(9))
    factor = np.ones((HEIGHT, WIDTH, 1))
    for _ in range(40):
        x, y = noise.integers(180, WIDTH - 40), noise.integers(8, HEIGHT - 30)
        factor[y : y + noise.integers(6, 26), x : x + noise.integers(6, 36)] = noise.uniform(0.4, 0.9)
    factor[96:145, 173:207] = factor[96:155, 440:478] = 1
    return factor


def ambient() -> DecodedPhoto:
    """The room under yellow lamps, darker to the right, its panes blown."""
    return photo(scenes.room(cast=(1.0, 0.88, 0.7)) * things(), "ambient", NOT_FIRED)


def flash(hot_spot: int | None = None, digest: str = "flash") -> DecodedPhoto:
    """The same room in white light from the camera, as light right as left; the view is well exposed."""
    room = scenes.room(cast=(1, 1, 1)).astype(float) / np.linspace(1.0, 0.62, WIDTH)[None, :, None]
    room[90:186, 48:163] = (90, 140, 190)
    room *= things()
    if hot_spot is not None:
        room[30:60, hot_spot : hot_spot + 30] = 255
    return photo(room, digest, FIRED)


def photo(values: np.ndarray, digest: str, fired: int | None) -> DecodedPhoto:
    exif = Image.Exif()
    if fired is not None:
        exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.Flash] = fired
    pixels = np.clip(values, 0, 255).astype(np.uint8)
    return DecodedPhoto(pixels, ColorProfile(), exif.tobytes(), "JPEG", digest)


def color(done: DecodedPhoto, box: tuple[float, float, float, float]) -> np.ndarray:
    return scenes.part(done.pixels, box).reshape(-1, 3).mean(0)


def test_white_walls_are_white_as_in_the_flash_frame() -> None:
    now = color(blend(ambient(), [flash()]), LIT_WALL)
    assert now.min() > 0.97 * now.max()


def test_the_light_still_falls_off_as_in_the_ambient_frame_but_less() -> None:
    done = blend(ambient(), [flash()])
    fall = color(done, DIM_WALL).mean() / color(done, LIT_WALL).mean()
    ambient_fall = color(ambient(), DIM_WALL).mean() / color(ambient(), LIT_WALL).mean()
    assert ambient_fall + 0.05 < fall < 0.97


def test_the_view_is_that_of_the_flash_frame() -> None:
    now = color(blend(ambient(), [flash()]), PANE)
    assert np.abs(now - (90, 140, 190)).max() < 16


def test_a_hot_spot_of_one_flash_is_taken_from_the_other() -> None:
    done = blend(ambient(), [flash(hot_spot=260, digest="a"), flash(hot_spot=380, digest="b")]).pixels.astype(float)
    without = blend(ambient(), [flash(digest="a"), flash(digest="b")]).pixels.astype(float)
    for left in (260, 380):
        away = np.abs(done[35:55, left + 5 : left + 25] - without[35:55, left + 5 : left + 25]).mean()
        assert away < 25


def test_a_shifted_flash_frame_is_laid_over_the_ambient_one() -> None:
    moved = photo(np.roll(flash().pixels, (3, 5), (0, 1)), "moved", FIRED)
    inner = (slice(12, -12), slice(12, -12))
    still = blend(ambient(), [flash()]).pixels[inner].astype(int)
    assert np.abs(blend(ambient(), [moved]).pixels[inner] - still).mean() < 3.5


def test_another_view_is_refused() -> None:
    noise = np.random.Generator(np.random.PCG64(4)).integers(0, 256, (HEIGHT, WIDTH, 3))
    with pytest.raises(BracketError, match="same view"):
        blend(ambient(), [photo(noise, "noise", FIRED)])


def test_flash_and_ambient_frames_are_told_apart_by_their_notes_in_any_order() -> None:
    wanted = blend(ambient(), [flash()]).pixels
    assert np.array_equal(merged([flash(), ambient()]).pixels, wanted)
    assert np.array_equal(merged([ambient(), flash()]).pixels, wanted)


@pytest.mark.parametrize("fired", [None, NOT_FIRED, FIRED])
def test_frames_alike_in_flash_are_fused_as_exposures(fired: int | None) -> None:
    room = scenes.room() * things()
    frames = [photo(room * factor, str(factor), fired) for factor in (0.5, 1.0)]
    # A blend would be a picture of the second frame's colors; a fusion is lighter than the dark frame alone.
    assert merged(frames).pixels.mean() > frames[0].pixels.mean() * 1.3


def test_broken_capture_data_count_as_no_flash() -> None:
    room = scenes.room() * things()
    frames = [
        DecodedPhoto(np.clip(room * each, 0, 255).astype(np.uint8), ColorProfile(), b"junk", "JPEG", str(each))
        for each in (1, 2)
    ]
    assert merged(frames).pixels.shape == (HEIGHT, WIDTH, 3)


def test_the_ambient_frames_capture_data_are_kept() -> None:
    assert merged([flash(), ambient()]).exif == ambient().exif


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (30, 8)])
def test_any_size_comes_out_as_it_is(shape: tuple[int, int]) -> None:
    noise = np.random.Generator(np.random.PCG64(6)).integers(0, 256, (*shape, 3))
    assert blend(photo(noise, "a", NOT_FIRED), [photo(noise // 2, "b", FIRED)]).pixels.shape == (*shape, 3)


def test_flash_frames_that_do_not_lie_on_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.fusion.flash.estimate_full_motion", lambda *_: (None, 1.0))
    other = replace(flash(), pixels=np.roll(flash().pixels, 3, 1), digest="moved")
    with pytest.raises(BracketError, match="seen twice"):
        blend(ambient(), [flash(), other])
