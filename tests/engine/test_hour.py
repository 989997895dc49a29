"""Day, a low sun or dusk: told by a photo's whole light, its sky, its windows, and what the camera measured."""

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.arrays import Plane, plane
from engine.canvas import Canvas, Declined, EditRequest
from engine.color.profiles import ColorProfile
from engine.effect import Needs, check_needs
from engine.io.exif import read_exposure_value
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.segmentation.time_of_day import is_low_sun, is_taken_in_dark
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

HEIGHT, WIDTH, HORIZON = 160, 240, 70
Tone = tuple[float, float, float]
WHITE, GRAY, BLUE, DEEP, PALE_DUSK = (
    (0.97,) * 3,
    (0.72, 0.73, 0.75),
    (0.5, 0.68, 0.92),
    (0.1, 0.27, 0.6),
    (0.75, 0.79, 0.86),
)
NIGHT, DUSK_BLUE = (0.02, 0.02, 0.05), (0.2, 0.26, 0.45)
SHADED, SUNLIT, GLOOM, PALE = (0.14, 0.13, 0.12), (0.62, 0.6, 0.55), (0.08, 0.09, 0.12), (0.72, 0.71, 0.7)
LAMPLIGHT, PANE = (0.98, 0.8, 0.5), (0.12, 0.14, 0.16)


def house(sky: Tone, ground: Tone, pane: Tone = PANE) -> tuple[Plane, Plane, Plane]:
    """A picture with a house's three windows, its sky and its shares."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.float32)
    picture[:HORIZON], picture[HORIZON:] = sky, ground
    above = np.zeros((HEIGHT, WIDTH), np.float32)
    above[:HORIZON] = 1
    shares = np.zeros((HEIGHT, WIDTH, len(Kind)), np.float32)
    shares[:HORIZON, :, Kind.SKY], shares[HORIZON:, :, Kind.BUILDING] = 1, 1
    for left in (30, 100, 170):
        box = slice(90, 115), slice(left, left + 30)
        picture[box], shares[box] = pane, np.eye(len(Kind))[Kind.GLASS]
    return plane(picture), above, shares


@pytest.mark.parametrize("sky", [WHITE, GRAY, BLUE])
def test_the_dark_side_of_a_house_before_a_bright_sky_is_no_darkness(sky: Tone) -> None:
    assert not is_taken_in_dark(*house(sky, SHADED))


def test_a_deep_blue_sky_at_noon_is_no_darkness() -> None:
    assert not is_taken_in_dark(*house(DEEP, SUNLIT))
    assert not is_taken_in_dark(*house(DEEP, (0.3, 0.3, 0.28), (0.8, 0.82, 0.85)))


@pytest.mark.parametrize("sky", [NIGHT, DUSK_BLUE])
@pytest.mark.parametrize("pane", [PANE, LAMPLIGHT])
def test_night_and_dusk_are_dark_with_lit_windows_and_without(sky: Tone, pane: Tone) -> None:
    assert is_taken_in_dark(*house(sky, GLOOM, pane))


def test_shining_windows_under_a_pale_sky_are_dusk_and_a_yellow_house_before_a_white_one_is_not() -> None:
    assert is_taken_in_dark(*house(PALE_DUSK, SHADED, LAMPLIGHT))
    assert not is_taken_in_dark(*house(PALE_DUSK, SHADED, (0.8, 0.82, 0.84)))
    assert not is_taken_in_dark(*house(WHITE, SHADED, LAMPLIGHT))


def test_lamps_in_nearly_all_windows_are_dusk_though_the_walls_are_pale() -> None:
    assert is_taken_in_dark(*house(PALE_DUSK, PALE, LAMPLIGHT))
    assert not is_taken_in_dark(*house(PALE_DUSK, (0.84, 0.82, 0.78), LAMPLIGHT))


def test_without_sky_a_dark_picture_was_taken_in_the_dark() -> None:
    for ground, dark in ((GLOOM, True), (SUNLIT, False)):
        picture, sky, shares = house(ground, ground)
        assert is_taken_in_dark(picture, sky * 0, shares) is dark


def test_what_the_camera_measured_goes_before_what_the_picture_looks_like() -> None:
    assert not is_taken_in_dark(*house(DUSK_BLUE, GLOOM), exposure_value=13.0)
    assert is_taken_in_dark(*house(GRAY, SUNLIT), exposure_value=3.0)
    assert is_taken_in_dark(*house(DUSK_BLUE, GLOOM), exposure_value=8.0)
    assert not is_taken_in_dark(*house(GRAY, SUNLIT), exposure_value=8.0)


def reddening(share: float) -> tuple[Plane, Plane]:
    """A blue sky that turns orange in its lowest part."""
    picture, sky, _ = house(BLUE, SHADED)
    picture[round(HORIZON * (1 - share)) : HORIZON] = (0.95, 0.68, 0.42)
    return picture, sky


def test_an_orange_horizon_is_a_low_sun() -> None:
    assert is_low_sun(*reddening(0.35))
    assert not is_low_sun(*reddening(0.0))


@pytest.mark.parametrize("sky", [WHITE, GRAY, BLUE, DEEP, (0.86, 0.84, 0.81)])
def test_blue_gray_white_and_hazy_skies_are_no_low_sun(sky: Tone) -> None:
    picture, above, _ = house(sky, SUNLIT)
    assert not is_low_sun(picture, above)


def test_orange_leaves_before_the_sky_are_no_low_sun() -> None:
    picture, above, _ = house(GRAY, SUNLIT)
    for at in range(0, WIDTH, 8):
        cv2.line(picture, (at, 0), (at, HORIZON), (0.9, 0.5, 0.2), 1)
        cv2.line(above, (at, 0), (at, HORIZON), 0.4, 1)
    assert not is_low_sun(picture, above)


def exposed(seconds: float, stop: float, speed: int) -> bytes:
    exif = Image.Exif()
    inner = exif.get_ifd(ExifTags.IFD.Exif)
    inner[ExifTags.Base.ExposureTime], inner[ExifTags.Base.FNumber] = seconds, stop
    inner[ExifTags.Base.ISOSpeedRatings] = speed
    return exif.tobytes()


def test_the_light_follows_from_time_stop_and_speed() -> None:
    assert read_exposure_value(exposed(1 / 125, 16.0, 100)) == pytest.approx(14.97, abs=0.02)
    assert read_exposure_value(exposed(2.0, 8.0, 400)) == pytest.approx(3.0, abs=0.02)


@pytest.mark.parametrize(
    "exif", [b"", b"Exif\\0\\0rubbish", exposed(0.0, 8.0, 100), exposed(1e-9, 8.0, 100), exposed(1.0, 8.0, 0)]
)
def test_without_a_plausible_exposure_no_light_is_known(exif: bytes) -> None:
    assert read_exposure_value(exif) is None


def test_golden_hour_and_twilight_are_for_a_house_in_its_own_shade_too() -> None:
    picture = scenes.backlit_house((236, 238, 240))
    scene = Scene(picture, ColorProfile(), "photo")
    assert scene.ground_brightness < 0.19
    check_needs(Canvas(picture, scene, EditRequest()), Needs.DAYLIGHT, "An effect")
    night = Scene(scenes.house(sky=scenes.DUSK, light=0.3), ColorProfile(), "another")
    with pytest.raises(Declined):
        check_needs(Canvas(night.pixels, night, EditRequest()), Needs.DAYLIGHT, "An effect")
