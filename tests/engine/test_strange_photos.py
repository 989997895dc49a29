"""Photos nobody hoped for: each of the six light steps gives a sane picture or declines with a reason."""

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
import pytest

from engine.types.enhancements import Enhancement
from engine.types.pictures import Enhanced
from engine.types.report import Reason
from tests import scenes
from tests.engine.engine_runs import enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")

LIGHT_STEPS = (
    Enhancement.GRASS,
    Enhancement.SKY,
    Enhancement.GOLDEN_HOUR,
    Enhancement.TWILIGHT,
    Enhancement.HDR,
    Enhancement.FLAMBIENT,
)
OUTDOOR_STEPS = LIGHT_STEPS[:4]
SKY_BLUE = (120, 168, 222)


def flat(value: int, height: int = 120, width: int = 180) -> scenes.Picture:
    return np.full((height, width, 3), value, np.uint8)


def noise() -> scenes.Picture:
    return np.random.Generator(np.random.PCG64(3)).integers(0, 256, (120, 180, 3), dtype=np.uint8)


def fisheye() -> scenes.Picture:
    """The house in a bright circle on black, bent as by a fisheye lens."""
    house = scenes.house(360, 360)
    rows, columns = np.mgrid[0:360, 0:360].astype(np.float32) - 180
    far = np.hypot(rows, columns) / 180
    bend = np.where(far < 1, far**0.6, 0) / np.maximum(far, 1e-3)
    bent = cv2.remap(house, columns * bend + 180, rows * bend + 180, cv2.INTER_LINEAR)
    return np.where(far[..., None] < 1, bent, 0).astype(np.uint8)


def panorama() -> scenes.Picture:
    return cv2.resize(scenes.house(), (1280, 160), interpolation=cv2.INTER_AREA)


def snow() -> scenes.Picture:
    return scenes.house(lawn=(236, 240, 246), sky=(238, 240, 243))


def blue_walled_room() -> scenes.Picture:
    room = scenes.room(cast=(1.0, 1.0, 1.0))
    room[: int(len(room) * 0.6)] = (room[: int(len(room) * 0.6)] * np.array((0.5, 0.75, 1.25))).clip(0, 255)
    return room


def room_under_a_painted_sky() -> scenes.Picture:
    """A room whose ceiling is as blue and bright as a sky."""
    room = scenes.room(cast=(1.0, 1.0, 1.0))
    room[: int(len(room) * 0.2)] = SKY_BLUE
    return room


def portrait() -> scenes.Picture:
    """A head and shoulders before a plain wall."""
    picture = np.full((360, 260, 3), (142, 138, 134), np.uint8)
    cv2.ellipse(picture, (130, 380), (110, 150), 0, 0, 360, (40, 62, 96), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (130, 150), (58, 78), 0, 0, 360, (214, 172, 150), -1, cv2.LINE_AA)
    cv2.ellipse(picture, (130, 100), (62, 48), 0, 180, 360, (52, 38, 30), -1, cv2.LINE_AA)
    return picture


def house_mirrored_in_a_pool() -> scenes.Picture:
    house = scenes.house(lawn=scenes.FRESH)
    pool = house[int(320 * 0.2) : int(320 * 0.66)][::-1] * 0.6 + np.array((10, 40, 50))
    width = house.shape[1]
    house[int(320 * 0.76) :, width // 5 : -width // 5] = cv2.resize(
        pool.astype(np.uint8), (width - 2 * (width // 5), 320 - int(320 * 0.76))
    )[:, : house[:, width // 5 : -width // 5].shape[1]]
    return house


STRANGE = {
    "black": flat(0),
    "white": flat(255),
    "gray": flat(128),
    "noise": noise(),
    "no sky": scenes.house_without_sky(),
    "no lawn": scenes.house_on_asphalt(),
    "night": scenes.house(sky=(8, 9, 14), light=0.12),
    "already twilight": scenes.house(sky=scenes.DUSK, light=0.3),
    "fisheye": fisheye(),
    "panorama 8:1": panorama(),
    "one pixel": flat(90, 1, 1),
    "one column": flat(90, 20_000, 1),
    "one row": flat(90, 1, 20_000),
    "snow": snow(),
    "blue walls": blue_walled_room(),
    "white house, white sky": scenes.house(sky=(252, 252, 252)),
    "painted sky": room_under_a_painted_sky(),
    "pool": house_mirrored_in_a_pool(),
    "portrait": portrait(),
}

QUICK = ("black", "noise", "one column", "already twilight", "snow", "blue walls")


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """The results are many."""
    yield
    worked.cache_clear()


@cache
def worked(name: str, step: Enhancement) -> Enhanced:
    return enhanced(scenes.encoded(STRANGE[name], "PNG"), step)


@pytest.mark.parametrize("step", LIGHT_STEPS)
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in STRANGE]
)
def test_a_strange_photo_ends_in_a_sane_picture_or_a_reasoned_refusal(name: str, step: Enhancement) -> None:
    done = worked(name, step)
    (outcome,) = done.report.steps
    if done.picture is None:
        assert outcome.reason is not None
        assert outcome.message.endswith(".")
        return
    before, after = STRANGE[name], scenes.decoded(done.picture.content)
    assert after.shape == before.shape
    if done.report.passed:
        assert _light(after) > 0.25 * _light(before), "the picture went dark"
        assert after.std() > 0.4 * min(before.std(), 40), "the picture went flat"


@pytest.mark.usefixtures("seen_fully")
@pytest.mark.parametrize("step", OUTDOOR_STEPS)
@pytest.mark.parametrize(
    "name",
    [
        "blue walls",
        "black",
        "noise",
        *(pytest.param(each, marks=pytest.mark.long) for each in ("painted sky", "portrait", "white", "gray")),
    ],
)
def test_what_is_no_outside_view_gets_no_sky_no_lawn_and_no_evening(name: str, step: Enhancement) -> None:
    assert enhanced(scenes.encoded(STRANGE[name], "PNG"), step).picture is None


@pytest.mark.parametrize("step", [Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT, Enhancement.SKY])
@pytest.mark.parametrize("name", [pytest.param("night", marks=pytest.mark.long), "already twilight"])
def test_what_is_dark_already_is_left_so(name: str, step: Enhancement) -> None:
    done = worked(name, step)
    assert done.picture is None
    assert done.report.steps[0].reason in {Reason.ALREADY_DARK, Reason.NO_SKY, Reason.NOT_EXTERIOR}


def test_snow_is_not_painted_green() -> None:
    done = worked("snow", Enhancement.GRASS)
    assert done.picture is None
    assert done.report.steps[0].reason in {Reason.NO_LAWN, Reason.NOT_EXTERIOR}


@pytest.mark.long
def test_a_mirrored_house_in_a_pool_gets_no_sky_over_it() -> None:
    done = worked("pool", Enhancement.SKY)
    assert done.picture is not None
    walls = (0.54, 0.44, 0.62, 0.62)
    before, after = STRANGE["pool"], scenes.decoded(done.picture.content)
    assert np.abs(scenes.part(before, walls).astype(int) - scenes.part(after, walls)).mean() < 2


def _light(picture: scenes.Picture) -> float:
    return float(picture.mean()) + 1.0
