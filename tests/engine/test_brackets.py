"""Brackets of a drawn room become one picture: room and view readable, hand shake undone, moving things once."""

from functools import cache

import cv2
import numpy as np
import pytest

from bench.fusion import mef_ssim
from engine.color.profiles import ColorProfile
from engine.fusion import pyramid_blending
from engine.fusion.brackets import reject_ghosts
from engine.fusion.shots import BracketError
from engine.io.photo import DecodedPhoto
from tests import scenes
from tests.engine.frames import fuse

WIDTH, HEIGHT = 640, 448
WINDOW = (slice(90, 230), slice(90, 290))
WALL = (slice(30, 80), slice(330, 560))


def light(seed: int = 3) -> np.ndarray:
    """The linear light of a room with things on its walls and a view 16 times as light as the room."""
    noise = np.random.Generator(np.random.PCG64(seed))
    scene = np.full((HEIGHT, WIDTH, 3), 0.05, np.float32)
    for _ in range(60):
        x, y = int(noise.integers(0, WIDTH - 60)), int(noise.integers(0, HEIGHT - 50))
        right, bottom = x + int(noise.integers(12, 60)), y + int(noise.integers(12, 50))
        scene[y:bottom, x:right] = noise.uniform(0.01, 0.1, 3)
    view = cv2.resize(noise.random((22, 30, 3), dtype=np.float32), (200, 140), interpolation=cv2.INTER_CUBIC)
    scene[WINDOW] = 0.4 + 0.7 * np.clip(view, 0, 1)
    scene[WALL] = 0.06
    return cv2.GaussianBlur(scene, (0, 0), 0.8)


def frame(scene: np.ndarray, stops: float, digest: str = "") -> DecodedPhoto:
    """The scene as a camera takes it, with a little noise."""
    noise = np.random.Generator(np.random.PCG64(int(stops * 10) + 100))
    coded = 255 * np.clip(scene * 2.0**stops, 0, 1) ** (1 / 2.2) + noise.standard_normal(scene.shape)
    return DecodedPhoto(
        np.clip(coded + 0.5, 0, 255).astype(np.uint8), ColorProfile(), b"", "JPEG", digest or f"{stops}"
    )


def moved(scene: np.ndarray, across: float, down: float, degrees: float = 0.0) -> np.ndarray:
    turn = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), degrees, 1.0)
    turn[:, 2] += across, down
    return cv2.warpAffine(scene, turn, (WIDTH, HEIGHT), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)


STOPS = (-1.0, 1.5, 4.0)


@cache
def brackets() -> tuple[DecodedPhoto, ...]:
    return tuple(frame(light(), stops) for stops in STOPS)


@cache
def fused() -> DecodedPhoto:
    return fuse(brackets())


def test_room_and_view_are_both_readable() -> None:
    done = fused().pixels.astype(float)
    assert 100 < done[WALL].mean() < 215
    assert 100 < done[WINDOW].mean() < 225
    assert done[WINDOW].mean(-1).std() > 10


@pytest.mark.long
def test_the_frames_structure_is_kept_better_than_by_any_frame_or_their_mean() -> None:
    frames = brackets()
    pictures = [each.pixels for each in frames]
    ours = mef_ssim(pictures, fused().pixels)
    mean = np.mean(pictures, axis=0).astype(np.uint8)
    assert ours > 0.95
    assert ours > max(mef_ssim(pictures, each) for each in [*pictures, mean]) + 0.02


def test_the_order_of_the_frames_does_not_matter() -> None:
    frames = brackets()
    one, other = fused(), fuse(frames[::-1])
    assert np.array_equal(one.pixels, other.pixels)
    assert one.digest == other.digest


def test_nothing_lies_outside_what_the_frames_show() -> None:
    frames = brackets()
    done = fused().pixels.astype(int)
    darkest, lightest = (pick([each.pixels for each in frames], axis=0).astype(int) for pick in (np.min, np.max))
    # Blacks may be drawn down and whites up by the final stretch.
    assert ((done < darkest * 0.8 - 16) | (done > lightest * 1.25 + 3)).mean() < 1e-3


def test_fine_detail_is_not_sharpened_where_tones_are_stretched() -> None:
    texture = np.random.Generator(np.random.PCG64(6)).standard_normal((HEIGHT, WIDTH, 1), dtype=np.float32)
    frames = [frame(0.1 + 0.02 * np.broadcast_to(texture, (HEIGHT, WIDTH, 3)), stops) for stops in (0.5, 1.0)]

    def measure_detail(pixels: np.ndarray) -> float:
        values = pixels.astype(np.float32)
        return float((values - cv2.GaussianBlur(values, (0, 0), 2)).std())

    strongest = max(measure_detail(each.pixels) for each in frames)
    assert 0.9 * strongest < measure_detail(fuse(frames).pixels) < 1.05 * strongest


def test_no_halo_stands_round_the_window() -> None:
    scene = np.full((HEIGHT, WIDTH, 3), 0.05, np.float32)
    scene[WINDOW] = 0.8
    done = fuse([frame(scene, stops) for stops in STOPS]).pixels.astype(float).mean(-1)
    beside = done[150:170, 292:420].mean(0)
    # The eye takes a slow fall of light towards the window, not an edge in it.
    assert beside.min() > 0.6 * beside.max()
    assert np.abs(np.diff(beside[2:])).max() < 3


@pytest.mark.parametrize(("across", "down", "degrees"), [(9, -6, 0.0), (-14.5, 4.2, 0.6), (2.5, 3.5, -0.4)])
def test_hand_shake_is_undone(across: float, down: float, degrees: float) -> None:
    still = fused().pixels
    shaken = [
        frame(light(), STOPS[1]),
        frame(moved(light(), across, down, degrees), STOPS[0]),
        frame(moved(light(), -across / 2, down / 2), STOPS[2]),
    ]
    inner = (slice(24, -24), slice(24, -24))
    away = np.abs(fuse(shaken).pixels[inner].astype(int) - still[inner]).mean()
    undone = np.abs(
        np.mean([each.pixels for each in shaken], axis=0) - np.mean([x.pixels for x in brackets()], axis=0)
    )
    assert away < 3.2
    assert away < undone[inner].mean() / 2


def test_a_person_who_walks_through_is_seen_once() -> None:
    frames = []
    for place, stops in enumerate(STOPS):
        scene = light()
        scene[250:400, 330 + 90 * place : 380 + 90 * place] = (0.02, 0.005, 0.005)
        frames.append(frame(scene, stops))
    done = fuse(frames).pixels.astype(float)
    empty = fused().pixels.astype(float)
    for place, where in enumerate((330, 420, 510)):
        away = np.abs(done[260:390, where + 8 : where + 42] - empty[260:390, where + 8 : where + 42]).mean()
        # The middle frame, the one that counts, has the person in the middle.
        assert away > 25 if place == 1 else away < 18


def test_frames_that_do_not_lie_on_each_other_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.fusion.brackets.estimate_motion", lambda *_: (None, 1.0))
    shaken = [*brackets()[:2], frame(moved(light(), 3, 1.5), STOPS[2])]
    with pytest.raises(BracketError, match="seen twice"):
        fuse(shaken)


def test_things_that_show_through_each_other_are_refused_and_one_alone_is_not() -> None:
    noise = np.random.Generator(np.random.PCG64(8))
    one, other = (brackets()[1].pixels.copy() for _ in range(2))
    for each in (one, other):
        each[200:400, 330:530] = cv2.resize(noise.integers(0, 256, (16, 16, 3), dtype=np.uint8), (200, 200))
    smalls = [(each / 255).astype(np.float32) for each in (one, other)]
    reject_ghosts(smalls, one)
    with pytest.raises(BracketError, match="seen twice"):
        reject_ghosts(smalls, (one // 2 + other // 2).astype(np.uint8))


@pytest.mark.parametrize("number", [0, 1, 10])
def test_too_few_or_too_many_frames_are_refused(number: int) -> None:
    with pytest.raises(BracketError, match="2 to 9 frames"):
        fuse([brackets()[0]] * number)


def test_frames_of_different_sizes_are_refused_with_their_sizes() -> None:
    frames = brackets()
    cut = DecodedPhoto(frames[0].pixels[:-2], ColorProfile(), b"", "JPEG", "cut")
    with pytest.raises(BracketError, match="640 x 446 and 640 x 448"):
        fuse([cut, *frames])


def test_frames_of_different_profiles_are_refused() -> None:
    frames = brackets()
    other = DecodedPhoto(frames[0].pixels, ColorProfile(scenes.wide_rgb_profile()), b"", "JPEG", "wide")
    with pytest.raises(BracketError, match="profile"):
        fuse([other, *frames])


def test_other_views_are_refused() -> None:
    with pytest.raises(BracketError, match="same view"):
        fuse([frame(light(3), 0.0), frame(light(8), 1.0)])


def test_capture_data_and_profile_of_the_middle_frame_are_kept() -> None:
    wide = ColorProfile(scenes.wide_rgb_profile())
    frames = [
        DecodedPhoto(each.pixels, wide, exif, "JPEG", each.digest)
        for each, exif in zip(brackets(), (b"dark", b"middle", b"light"), strict=True)
    ]
    done = fuse(frames)
    assert (done.exif, done.profile) == (b"middle", wide)


@pytest.mark.parametrize("shape", [(1, 1), (1, 900), (900, 1), (17, 5), (9, 1200)])
def test_small_and_odd_sizes_come_out_in_their_size(shape: tuple[int, int]) -> None:
    noise = np.random.Generator(np.random.PCG64(2)).integers(0, 256, (*shape, 3), dtype=np.uint8)
    frames = [
        DecodedPhoto((noise // part).astype(np.uint8), ColorProfile(), b"", "PNG", str(part)) for part in (4, 2, 1)
    ]
    assert fuse(frames).pixels.shape == (*shape, 3)


@pytest.mark.parametrize("value", [0, 128, 255])
def test_frames_of_one_color_stay_that_color(value: int) -> None:
    even = np.full((80, 120, 3), value, np.uint8)
    done = fuse([DecodedPhoto(even, ColorProfile(), b"", "PNG", name) for name in "ab"]).pixels
    assert np.abs(done.astype(int) - value).max() <= 30


@pytest.mark.long
def test_the_pieces_it_is_made_of_leave_no_seams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyramid_blending, "TILE_SIDE", 128)
    pieces = fuse(brackets()).pixels.astype(int)
    monkeypatch.setattr(pyramid_blending, "TILE_SIDE", 1024)
    assert np.abs(pieces - fuse(brackets()).pixels).max() <= 1


def test_the_measure_is_one_for_the_only_frame_and_falls_with_what_is_lost() -> None:
    picture = frame(light(), 2.0).pixels
    blurred = cv2.GaussianBlur(picture, (0, 0), 2.0)
    very = cv2.GaussianBlur(picture, (0, 0), 5.0)
    assert mef_ssim([picture], picture) == pytest.approx(1.0, abs=1e-6)
    assert 1 > mef_ssim([picture], blurred) > mef_ssim([picture], very)


def test_the_measure_follows_the_paper_patch_by_patch() -> None:
    frames = [each.pixels[80:140, 80:150] for each in brackets()]
    fused = np.mean(frames, axis=0).astype(np.uint8)
    assert mef_ssim(frames, fused) == pytest.approx(by_patches(frames, fused), abs=1e-6)


def by_patches(frames: list[np.ndarray], fused: np.ndarray) -> float:
    """The paper's formulas as they stand there, one patch after the other."""
    grays = [_gray(each) for each in frames]
    result, total, weights = _gray(fused), 1.0, np.array((0.0448, 0.2856, 0.3001))
    bell = np.outer(*[cv2.getGaussianKernel(11, 1.5)[:, 0]] * 2)
    for scale, weight in enumerate(weights / weights.sum()):
        if scale:
            grays, result = [_half(each) for each in grays], _half(result)
        height, width = result.shape
        values = [
            _patch([each[y : y + 11, x : x + 11] for each in grays], result[y : y + 11, x : x + 11], bell)
            for y in range(height - 10)
            for x in range(width - 10)
        ]
        total *= np.mean(values) ** weight
    return float(total)


def _patch(patches: list[np.ndarray], fused: np.ndarray, bell: np.ndarray) -> float:
    bare = [each - each.mean() for each in patches]
    lengths = [np.linalg.norm(each) for each in bare]
    together = np.sum(patches, axis=0)
    agreement = np.linalg.norm(together - together.mean()) / (sum(lengths) + 1e-12)
    power = min(np.tan(np.pi / 2 * min(agreement, 1 - 1e-12)), 10)
    strength = [length + 0.001 for length in lengths]
    shares = np.array([(each / 11) ** power for each in strength]) + 1e-16
    wanted = sum(s * b / e for s, b, e in zip(shares / shares.sum(), bare, strength, strict=True))
    wanted = wanted / max(np.linalg.norm(wanted), 1e-12) * max(strength)
    one, other = wanted - (bell * wanted).sum(), fused - (bell * fused).sum()
    stable = (0.03 * 255) ** 2
    both = (bell * one * other).sum()
    return (2 * both + stable) / ((bell * one * one).sum() + (bell * other * other).sum() + stable)


def _gray(pixels: np.ndarray) -> np.ndarray:
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY).astype(float)


def _half(gray: np.ndarray) -> np.ndarray:
    wide = np.pad(gray, ((0, 1), (0, 1)), mode="symmetric")
    return ((wide[:-1, :-1] + wide[1:, :-1] + wide[:-1, 1:] + wide[1:, 1:]) / 4)[::2, ::2]
