"""What one photo says of its light: the color of white, the side of the sun; little work, and nothing made up."""

import io
from datetime import UTC, datetime

import numpy as np
import pytest
from PIL import ExifTags, Image
from PIL.TiffImagePlugin import IFDRational

from engine.color.profiles import ColorProfile
from engine.io.photo import decode
from engine.relighting.light_estimate import SIDE, estimate_light, estimate_scene_light
from engine.relighting.sun_position import compute_sun_position, find_sun_side_by_compass, find_sun_side_by_sky
from engine.relighting.white_point import estimate_white_point
from engine.segmentation.labels import Kind
from engine.segmentation.scene import Scene
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

BULB, DAY, SHADE = (1.0, 0.86, 0.7), (1.0, 1.0, 1.0), (0.9, 0.96, 1.0)
GPS = ExifTags.GPS


def seen(pixels: np.ndarray, outdoors: bool = False, sky: np.ndarray | None = None) -> Scene:
    """A scene of these pixels of which is told whether it is outdoors and where its sky is."""
    scene = Scene(np.ascontiguousarray(pixels), ColorProfile(), "0" * 64)
    scene.outdoors = outdoors
    scene.sky = np.zeros(pixels.shape[:2], np.float32) if sky is None else sky.astype(np.float32)
    return scene


def of_walls(pixels: np.ndarray) -> Scene:
    """The same of a room that is nothing but walls."""
    scene = seen(pixels)
    scene.shares = np.broadcast_to(np.eye(len(Kind), dtype=np.float32)[Kind.WALL], (*pixels.shape[:2], len(Kind)))
    return scene


def scaled(cast: tuple[float, float, float]) -> np.ndarray:
    return np.array(cast) / np.mean(cast)


def painted(wall: tuple[int, int, int], ceiling: tuple[int, int, int] = (226, 226, 226)) -> np.ndarray:
    """A room with a ceiling and one wall color over a brown floor."""
    pixels = np.full((240, 360, 3), wall, np.float32)
    pixels[:70] = ceiling
    pixels[190:] = (112, 80, 52)
    grain = np.random.Generator(np.random.PCG64(3)).standard_normal((240, 360, 1))
    return np.clip(pixels + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("cast", [BULB, DAY, SHADE], ids=["bulb", "day", "shade"])
def test_the_light_of_a_room_is_told_from_its_walls(cast: tuple[float, float, float]) -> None:
    found = estimate_white_point(seen(scenes.room(cast=cast)))
    assert found.cast == pytest.approx(scaled(cast), abs=0.03)
    assert found.certainty > 0.5


@pytest.mark.parametrize("wall", [(92, 120, 190), (150, 90, 80), (120, 160, 90)], ids=["blue", "red", "green"])
def test_a_colored_wall_is_not_taken_for_the_light(wall: tuple[int, int, int]) -> None:
    assert estimate_white_point(seen(painted(wall))).cast == pytest.approx((1, 1, 1), abs=0.02)


def test_where_nothing_is_white_nothing_is_certain() -> None:
    assert estimate_white_point(seen(painted((150, 60, 60), ceiling=(160, 60, 60)))).certainty < 0.1


def test_a_green_light_is_less_certain_than_a_warm_one() -> None:
    green, warm = ((226, 250, 226), (250, 226, 200))
    found = [estimate_white_point(seen(painted(color, ceiling=color))).certainty for color in (green, warm)]
    assert found[0] < 0.7 * found[1]


def test_surfaces_that_disagree_are_less_certain_than_those_that_agree() -> None:
    blue, amber = (painted(color, ceiling=color) for color in ((186, 214, 246), (246, 214, 186)))
    mixed = np.hstack([blue[:, :180], amber[:, :180]])
    assert estimate_white_point(of_walls(mixed)).certainty < 0.6
    assert (
        min(estimate_white_point(of_walls(blue)).certainty, estimate_white_point(of_walls(amber)).certainty) > 0.9
    )


def test_the_dark_tells_no_color() -> None:
    assert estimate_white_point(seen(scenes.room(cast=DAY) // 6)).certainty < 0.15


def test_the_sky_is_not_taken_for_white_outside_but_a_ceiling_is_in_a_room() -> None:
    pixels = painted((206, 206, 206), ceiling=(160, 200, 250))
    sky = np.zeros(pixels.shape[:2])
    sky[:70] = 1
    outside, inside = (estimate_white_point(seen(pixels, outdoors, sky)) for outdoors in (True, False))
    assert outside.weight[:60].max() == 0
    assert outside.cast == pytest.approx((1, 1, 1), abs=0.02)
    assert inside.weight[:60].max() > 0


def test_burnt_out_windows_do_not_hide_the_color_of_the_light() -> None:
    pixels = scenes.room(cast=BULB)
    pixels[100:200, 300:460] = 255
    assert estimate_white_point(seen(pixels)).cast == pytest.approx(scaled(BULB), abs=0.03)


@pytest.mark.parametrize(
    "pixels",
    [
        np.zeros((40, 60, 3), np.uint8),
        np.full((40, 60, 3), 255, np.uint8),
        np.full((1, 1, 3), 90, np.uint8),
        np.full((1, 20_000, 3), 200, np.uint8),
        np.random.Generator(np.random.PCG64(1)).integers(0, 256, (60, 480, 3)).astype(np.uint8),
    ],
    ids=["black", "white", "1x1", "1x20000", "noise"],
)
def test_bad_input_gives_a_sane_answer(pixels: np.ndarray) -> None:
    found = estimate_light(io.BytesIO(scenes.encoded(pixels, "PNG")))
    assert np.isfinite([*found.cast, found.certainty, found.brightness, found.sun_side]).all()
    assert sum(found.cast) == pytest.approx(3)
    assert 0 <= found.certainty <= 1
    assert found.sun_side == 0


def test_a_light_estimate_says_the_same_each_time() -> None:
    content = scenes.encoded(scenes.house())
    assert estimate_light(io.BytesIO(content)) == estimate_light(io.BytesIO(content))


@pytest.mark.long
def test_a_large_jpeg_says_what_the_same_picture_small_says() -> None:
    small = scenes.room(1024, 683, cast=BULB)
    large = np.asarray(Image.fromarray(small).resize((4096, 2732), Image.Resampling.BICUBIC))
    one, other = (estimate_light(io.BytesIO(scenes.encoded(each))) for each in (small, large))
    assert one.cast == pytest.approx(other.cast, abs=0.01)
    assert one.brightness == pytest.approx(other.brightness, abs=0.02)
    assert one.outdoors == other.outdoors


@pytest.mark.long
def test_a_jpeg_may_be_read_smaller_but_never_below_what_was_asked() -> None:
    content = scenes.encoded(scenes.room(2400, 1600))
    read = decode(io.BytesIO(content), min_side=SIDE).pixels
    assert SIDE <= min(read.shape[:2]) < 1600
    whole = decode(io.BytesIO(content)).pixels
    assert whole.shape == (1600, 2400, 3)
    assert np.abs(read.mean((0, 1)) - whole.mean((0, 1))).max() < 1


def test_a_photo_read_smaller_is_still_upright_and_its_digest_that_of_the_file() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    content = scenes.encoded(scenes.room(2400, 1200), exif=exif)
    small, whole = decode(io.BytesIO(content), min_side=SIDE), decode(io.BytesIO(content))
    assert small.pixels.shape[0] == 2 * small.pixels.shape[1]
    assert (small.digest, small.profile) == (whole.digest, whole.profile)


def test_the_limits_hold_for_what_a_photo_is_not_for_how_small_it_is_read() -> None:
    content = scenes.encoded(scenes.room(1200, 800))
    with pytest.raises(UnusablePhotoError) as refusal:
        decode(io.BytesIO(content), max_pixels=900_000, min_side=64)
    assert refusal.value.reason is Reason.TOO_MANY_PIXELS


def test_what_cannot_be_decoded_has_no_light_estimate() -> None:
    with pytest.raises(UnusablePhotoError):
        estimate_light(io.BytesIO(scenes.encoded(scenes.room())[:2000]))


def glowing(side: float, clouds: float = 0.0) -> Scene:
    """A blue sky over gray ground, e to the `side` brighter at the right than at the left, and paler there."""
    rise = np.linspace(-0.5, 0.5, 360)[None, :, None] * side / 2.2
    blue = np.array([70.0, 110.0, 170.0])
    sky = blue * np.exp(rise) + np.maximum(rise, 0) * 40
    pixels = np.full((240, 360, 3), 120.0)
    pixels[:150] = np.broadcast_to(sky, (150, 360, 3))
    noise = np.random.Generator(np.random.PCG64(5)).standard_normal((15, 36, 1)).repeat(10, 0).repeat(10, 1)
    pixels[:150] *= np.exp(clouds * noise)
    mask = np.zeros((240, 360))
    mask[:150] = 1
    return seen(np.clip(pixels, 0, 250).astype(np.uint8), outdoors=True, sky=mask)


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_sky_far_brighter_and_paler_on_one_side_has_the_sun_there(side: float) -> None:
    assert find_sun_side_by_sky(glowing(1.3 * side)) == pytest.approx(side, abs=0.3)
    assert estimate_scene_light(glowing(1.3 * side)).sun_side == find_sun_side_by_sky(glowing(1.3 * side))


@pytest.mark.parametrize("scene", [glowing(0.0), glowing(0.5), glowing(-0.5), glowing(1.3, clouds=0.2)])
def test_an_even_or_cloudy_sky_does_not_tell_where_the_sun_is(scene: Scene) -> None:
    assert find_sun_side_by_sky(scene) == 0


def test_a_sky_deeper_in_color_where_it_is_brighter_does_not_tell_either() -> None:
    pixels = glowing(0.0).pixels.copy()
    pixels[:150, :, 2] = np.linspace(120, 250, 360)
    pixels[:150, :, 1] = np.linspace(100, 170, 360)
    scene = glowing(0.0)
    assert find_sun_side_by_sky(seen(pixels, outdoors=True, sky=scene.sky)) == 0


def test_a_ceiling_lit_from_one_side_is_no_sky() -> None:
    scene = glowing(1.3)
    assert find_sun_side_by_sky(seen(scene.pixels, outdoors=False, sky=scene.sky)) == 0


@pytest.mark.parametrize(
    ("moment", "place", "position"),
    [
        # The example of Reda and Andreas, Solar Position Algorithm, 2003.
        (datetime(2003, 10, 17, 19, 30, 30, tzinfo=UTC), (39.742476, -105.1786), (194.340, 39.888)),
        # Noon over Greenwich, nine hours after the equinox of March 2024: 90 - 51.477 + 0.149 degrees.
        (datetime(2024, 3, 20, 12, 7, 24, tzinfo=UTC), (51.477, 0.0), (180.0, 38.672)),
    ],
)
def test_the_sun_stands_where_almanacs_have_it(moment, place, position) -> None:
    assert compute_sun_position(moment, *place) == pytest.approx(position, abs=0.1)


def located(heading: object, **changed: object) -> bytes:
    """A photo taken in Denver at noon in October with the camera towards `heading`, changed in some of its tags."""
    gps = {
        "GPSImgDirection": heading,
        "GPSLatitudeRef": "N",
        "GPSLatitude": (39.0, 44.0, 33.0),
        "GPSLongitudeRef": "W",
        "GPSLongitude": (105.0, 10.0, 43.0),
        "GPSDateStamp": "2003:10:17",
        "GPSTimeStamp": (19.0, 0.0, 0.0),
        **changed,
    }
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.GPSInfo).update(
        {GPS[name]: value for name, value in gps.items() if value is not None}
    )
    return scenes.encoded(scenes.house(), exif=exif)


def test_the_compass_tells_the_side_of_the_sun() -> None:
    assert find_sun_side_by_compass(located(94.0)) > 0.6
    assert find_sun_side_by_compass(located(274.0)) < -0.6
    assert abs(find_sun_side_by_compass(located(184.0))) < 0.1
    assert abs(find_sun_side_by_compass(located(4.0))) < 0.1


def test_south_of_the_equator_the_sun_stands_in_the_north() -> None:
    assert find_sun_side_by_compass(located(94.0, GPSLatitudeRef="S")) < 0


def test_towards_noon_on_the_longest_day_of_the_south_the_sun_stands_north() -> None:
    azimuth, elevation = compute_sun_position(datetime(2023, 12, 22, 1, 53, tzinfo=UTC), -33.8688, 151.2093)
    assert elevation == pytest.approx(90 - (33.8688 - 23.437), abs=0.1)
    assert min(azimuth, 360 - azimuth) < 3


def test_east_of_greenwich_it_is_another_time_of_day() -> None:
    assert find_sun_side_by_compass(located(94.0, GPSLongitudeRef="E")) == 0


@pytest.mark.parametrize(
    "name", ["GPSImgDirection", "GPSLatitude", "GPSLongitudeRef", "GPSDateStamp", "GPSTimeStamp"]
)
def test_where_a_tag_is_missing_nothing_is_told(name: str) -> None:
    assert find_sun_side_by_compass(located(94.0, **{name: None})) == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"GPSDateStamp": "1999:99:99"},
        {"GPSTimeStamp": (19.0, 0.0)},
        {"GPSImgDirection": IFDRational(1, 0)},
        {"GPSTimeStamp": (IFDRational(1, 0), 0.0, 0.0)},
    ],
)
def test_tags_that_make_no_sense_tell_nothing(changed: dict[str, object]) -> None:
    heading = changed.pop("GPSImgDirection", 94.0)
    assert find_sun_side_by_compass(located(heading, **changed)) == 0


def test_files_without_readable_tags_tell_nothing() -> None:
    assert find_sun_side_by_compass(b"") == find_sun_side_by_compass(b"no photo") == 0
    assert find_sun_side_by_compass(scenes.encoded(scenes.house())) == 0


def test_a_light_estimate_goes_by_the_compass_outside_only() -> None:
    assert estimate_light(io.BytesIO(located(94.0))).sun_side > 0.6
    gps = Image.open(io.BytesIO(located(94.0))).getexif()
    assert estimate_light(io.BytesIO(scenes.encoded(scenes.room(), exif=gps))).sun_side == 0
