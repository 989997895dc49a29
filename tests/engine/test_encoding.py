"""What comes out of the engine besides better pixels: format, size, profile, capture data."""

import io
import struct

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageCms, JpegImagePlugin

from engine.canvas import Canvas
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.io.photo import decode, encode
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.engine_runs import enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")

HOUSE = scenes.house(240, 160)


def result_of(content: bytes) -> Image.Image:
    done = enhanced(content, Enhancement.GRASS)
    assert done.picture is not None
    image = Image.open(io.BytesIO(done.picture.content))
    assert image.size == (done.picture.width, done.picture.height)
    assert Image.MIME[str(image.format)] == done.picture.media_type
    return image


@pytest.mark.parametrize(
    ("source", "result"),
    [("JPEG", "JPEG"), ("PNG", "PNG"), ("WEBP", "WEBP"), ("HEIF", "JPEG"), ("TIFF", "JPEG")],
)
def test_png_and_webp_stay_what_they_are_and_the_rest_becomes_jpeg(source: str, result: str) -> None:
    assert result_of(scenes.encoded(HOUSE, source)).format == result


@pytest.mark.parametrize("lossless", [True, False])
def test_a_webp_without_loss_stays_without(lossless: bool) -> None:
    photo = decode(io.BytesIO(scenes.encoded(HOUSE, "WEBP", lossless=lossless, exif=scenes.camera_exif())))
    assert photo.is_lossless is lossless
    again = decode(io.BytesIO(encode(photo.pixels, photo).content))
    assert np.array_equal(again.pixels, photo.pixels) is lossless


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "TIFF"])
def test_how_finely_it_is_printed_stays(format_name: str) -> None:
    photo = decode(io.BytesIO(scenes.encoded(HOUSE, format_name, dpi=(300, 300))))
    result = Image.open(io.BytesIO(encode(photo.pixels, photo).content))
    assert [round(each) for each in result.info["dpi"]] == [300, 300]


def quantized(image: Image.Image) -> list[tuple[int, ...]]:
    assert isinstance(image, JpegImagePlugin.JpegImageFile)
    return [tuple(image.quantization[layer[3]]) for layer in (image.layer[0], image.layer[-1])]


def standard() -> list[tuple[int, ...]]:
    reference = io.BytesIO()
    Image.new("RGB", (8, 8)).save(reference, "JPEG", quality=92)
    return quantized(Image.open(reference))


@pytest.mark.parametrize("source", ["HEIF", "TIFF"])
def test_a_result_that_becomes_a_jpeg_has_quality_92_and_full_color_resolution(source: str) -> None:
    image = result_of(scenes.encoded(HOUSE, source))
    assert quantized(image) == standard()
    assert isinstance(image, JpegImagePlugin.JpegImageFile)
    assert {layer[1:3] for layer in image.layer} == {(1, 1)}


@pytest.mark.parametrize("quality", [40, 70, 92, 98])
def test_the_steps_of_a_jpeg_result_divide_the_photo_s_and_are_no_coarser_than_quality_92(quality: int) -> None:
    content = scenes.encoded(HOUSE, quality=quality)
    result = result_of(content)
    for new, own, most in zip(
        quantized(result), quantized(Image.open(io.BytesIO(content))), standard(), strict=True
    ):
        assert all(step <= coarsest for step, coarsest in zip(new, most, strict=True))
        assert all(photo % step == 0 for step, photo in zip(new, own, strict=True))


def test_the_steps_of_a_photo_stored_on_its_side_are_turned_with_it() -> None:
    uneven = [[4 + 2 * (place % 8) for place in range(64)]] * 2
    buffer = io.BytesIO()
    Image.fromarray(scenes.turned(HOUSE, 6)).save(
        buffer, "JPEG", qtables=uneven, subsampling=0, exif=scenes.camera_exif(6)
    )
    new = quantized(result_of(buffer.getvalue()))[0]
    assert new[8] in {1, 2, 3, 6}
    assert new[1] in {1, 2, 4}


def test_an_orientation_that_is_no_number_costs_no_photo() -> None:
    entry = struct.pack("<HHHI4sI", 1, ExifTags.Base.Orientation, 2, 3, b"up", 0)
    buffer = io.BytesIO()
    Image.fromarray(HOUSE).save(buffer, "JPEG", exif=b"Exif\0\0II*\0\x08\0\0\0" + entry)
    assert decode(io.BytesIO(buffer.getvalue())).tables is not None


def test_what_no_step_touches_comes_back_almost_as_it_was() -> None:
    content = scenes.encoded(HOUSE, quality=75)
    photo = decode(io.BytesIO(content))
    again = np.asarray(Image.open(io.BytesIO(encode(photo.pixels, photo).content)).convert("RGB"))
    assert np.abs(again.astype(int) - photo.pixels).mean() < 0.35


def test_a_picture_turned_by_exif_comes_out_upright_with_orientation_1() -> None:
    stored = scenes.turned(HOUSE, 6)
    image = result_of(scenes.encoded(stored, exif=scenes.camera_exif(6)))
    assert image.size == (240, 160)
    assert image.getexif()[ExifTags.Base.Orientation] == 1


def test_capture_data_stays_and_place_serial_and_notes_go() -> None:
    image = result_of(scenes.encoded(HOUSE, exif=scenes.camera_exif()))
    exif = image.getexif()
    inner = exif.get_ifd(ExifTags.IFD.Exif)
    assert exif[ExifTags.Base.Make] == "Drawn"
    assert inner[ExifTags.Base.DateTimeOriginal] == "2024:05:01 12:00:00"
    assert float(inner[ExifTags.Base.ExposureTime]) == pytest.approx(0.01)
    assert not exif.get_ifd(ExifTags.IFD.GPSInfo)
    assert not {ExifTags.Base.Artist, ExifTags.Base.ImageDescription} & set(exif)
    assert exif[ExifTags.Base.Copyright] == "2024 Studio"
    assert ExifTags.Base.MakerNote not in inner
    assert ExifTags.Base.BodySerialNumber not in inner


def test_the_rgb_profile_of_the_source_stays_byte_for_byte() -> None:
    profile = scenes.wide_rgb_profile()
    image = result_of(scenes.encoded(HOUSE, icc_profile=profile))
    assert image.info["icc_profile"] == profile


def test_a_broken_profile_is_dropped_not_passed_on() -> None:
    assert "icc_profile" not in result_of(scenes.encoded(HOUSE, icc_profile=b"broken")).info


def test_cmyk_comes_out_as_srgb_with_its_profile() -> None:
    buffer = io.BytesIO()
    Image.fromarray(HOUSE).convert("CMYK").save(buffer, "JPEG", quality=95)
    image = result_of(buffer.getvalue())
    assert image.mode == "RGB"
    profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
    assert profile.profile.creation_date.year == 2000
    assert profile.profile.xcolor_space.strip() == "RGB"


def test_cmyk_with_a_profile_that_converts_nothing_is_read_as_without_one() -> None:
    profile = bytearray(scenes.wide_rgb_profile())
    profile[16:20] = b"CMYK"
    plain, broken = (io.BytesIO() for _ in range(2))
    Image.fromarray(HOUSE).convert("CMYK").save(plain, "JPEG")
    Image.fromarray(HOUSE).convert("CMYK").save(broken, "JPEG", icc_profile=bytes(profile))
    one, other = (decode(io.BytesIO(each.getvalue())) for each in (plain, broken))
    assert np.array_equal(one.pixels, other.pixels)
    assert one.profile == other.profile


@pytest.mark.usefixtures("seen_anew")
@pytest.mark.long
def test_the_same_bytes_in_give_the_same_bytes_out() -> None:
    content = scenes.encoded(HOUSE)
    steps = (Enhancement.GRASS, Enhancement.SKY, Enhancement.TWILIGHT)
    first, second = (enhanced(content, *steps).picture for _ in range(2))
    assert first is not None
    assert first == second


def sky_color(profile: ColorProfile) -> np.ndarray:
    """The sRGB color of the sky drawn into a house whose numbers are in this profile's space."""
    pixels = profile.from_srgb(scenes.house().astype(np.float32)).astype(np.uint8)
    canvas = Canvas(
        pixels,
        Scene(pixels, profile, "digest"),
        EditRequest(enhancements=()),
        context=EngineContext(order_seed="order"),
    )
    return profile.to_srgb(EFFECTS[Enhancement.SKY].apply(canvas).pixels)[:40].mean((0, 1))


@pytest.mark.long
def test_a_drawn_sky_has_the_same_color_in_every_profile() -> None:
    wide = ColorProfile(scenes.wide_rgb_profile())
    assert np.abs(wide.from_srgb(np.full((1, 1, 3), (20, 200, 20), np.float32)) - (20, 200, 20)).max() > 10
    assert np.abs(sky_color(wide) - sky_color(ColorProfile())).max() < 3
