"""Pictures for listing services: JPEG in sRGB, upright, within size and bytes, labeled, silent of their place."""

import io

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.color.profiles import ColorProfile
from engine.io.source_type import SourceType, make_save_options, read_source_type, read_statement_of
from engine.listing_picture import JpegListingPictures
from engine.types.pictures import ListingPicture, Picture, UnusablePhotoError
from tests.scenes import camera_exif, encoded, house, room, turned, wide_rgb_profile

pytestmark = pytest.mark.usefixtures("seen_roughly")

SMARTMLS = {"width": 1024, "height": 768}


def made(content: bytes, **wanted) -> Picture:
    return JpegListingPictures().make(io.BytesIO(content), ListingPicture(**wanted))


def opened(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(picture.content))


def plain(width: int, height: int) -> bytes:
    return encoded(np.full((height, width, 3), 128, np.uint8))


@pytest.mark.parametrize(
    ("size", "limits", "wanted"),
    [
        ((3000, 2000), {}, (2048, 1365)),
        ((2000, 3000), {}, (1365, 2048)),
        ((800, 600), {}, (800, 600)),
        ((3000, 2000), SMARTMLS, (1152, 768)),
        ((2000, 3000), SMARTMLS, (768, 1152)),
        ((1600, 1200), SMARTMLS, (1024, 768)),
        ((900, 700), SMARTMLS, (900, 700)),
        ((3000, 300), SMARTMLS, (3000, 300)),
        ((1, 1), SMARTMLS, (1, 1)),
    ],
)
def test_the_size_covers_the_ideal_of_the_service_and_nothing_grows(size, limits, wanted) -> None:
    picture = made(plain(*size), **limits)
    assert (picture.width, picture.height) == opened(picture).size == wanted


def noise(width: int, height: int) -> bytes:
    return encoded(np.random.default_rng(1).integers(0, 256, (height, width, 3), np.uint8))


@pytest.mark.parametrize("most", [400_000, 20_000])
def test_a_noisy_picture_ends_below_the_bytes_that_the_service_takes(most: int) -> None:
    picture = made(noise(900, 600), max_bytes=most, label="Virtually staged")
    assert len(picture.content) < most
    assert opened(picture).size == (picture.width, picture.height)
    assert (picture.width == 900) == (most > 20_000), "smaller only where no quality does"


def test_what_can_be_no_smaller_is_refused_in_words() -> None:
    with pytest.raises(UnusablePhotoError) as refused:
        made(noise(900, 600), max_bytes=100)
    assert refused.value.message == "The picture cannot be made as small as the service asks."


@pytest.mark.parametrize("orientation", range(1, 9))
def test_they_stand_upright_whichever_way_the_camera_was_held(orientation: int) -> None:
    scene = house(300, 200)
    picture = made(encoded(turned(scene, orientation), exif=camera_exif(orientation)))
    assert opened(picture).size == (300, 200)
    assert opened(picture).getexif().get(ExifTags.Base.Orientation, 1) == 1
    assert np.abs(np.asarray(opened(picture)).astype(float) - scene).mean() < 6


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP", "HEIF", "TIFF"])
def test_whatever_comes_in_a_jpeg_in_srgb_without_the_place_goes_out(format_name: str) -> None:
    green = np.zeros((64, 64, 3), np.uint8)
    green[:] = (60, 200, 60)
    profile = wide_rgb_profile()
    source = encoded(green, format_name, icc_profile=profile, exif=camera_exif())
    shown = ColorProfile(profile).to_srgb(green)[0, 0].astype(int)
    picture = opened(made(source))
    assert picture.format == "JPEG"
    assert not picture.info.get("icc_profile")
    assert np.abs(np.asarray(picture)[32, 32].astype(int) - shown).max() < 12
    assert abs(int(shown[0]) - 60) > 12, "the profile made a difference"
    exif = picture.getexif()
    assert not exif.get_ifd(ExifTags.IFD.GPSInfo)
    assert exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.ColorSpace] == 1


def said(picture: Picture) -> tuple[SourceType | None, bytes]:
    info = opened(picture).info
    return read_source_type(info), info.get("xmp", b"")


def test_an_altered_picture_says_so_and_an_original_says_nothing() -> None:
    source = encoded(room(300, 200))
    kind, text = said(made(source, disclosure="Virtually staged"))
    assert kind is SourceType.SYNTHETIC_PARTS
    assert b"Virtually staged. This picture shows the property other than it is." in text
    assert said(made(source)) == (None, b"")


def test_what_a_file_says_of_itself_stays() -> None:
    mark = make_save_options(SourceType.GENERATED_PARTS, "JPEG", "Lawn & sky: made by a program.")
    source = encoded(room(300, 200), **mark)
    assert read_statement_of(opened(made(source)).info).description == "Lawn & sky: made by a program."
    assert said(made(source, disclosure="Virtually staged"))[0] is SourceType.GENERATED_PARTS
    assert said(made(source))[0] is SourceType.GENERATED_PARTS


def test_the_label_is_drawn_into_a_corner_and_leaves_the_rest() -> None:
    source = encoded(room(1200, 800))
    clean, labeled = (np.asarray(opened(made(source, label=label))).astype(int) for label in (None, "Altered"))
    changed = np.abs(clean - labeled).max(axis=2) > 30
    assert changed[-80:, :300].mean() > 0.1
    assert not changed[:600].any()


def test_a_label_in_the_upper_corner_leaves_the_lower_one_free() -> None:
    source = encoded(room(1200, 800))
    plain, labeled = made(source), made(source, label="Altered", label_at_top=True)
    changed = np.abs(np.asarray(opened(plain)).astype(int) - np.asarray(opened(labeled))).max(axis=2) > 30
    assert changed[:80, :300].mean() > 0.1
    assert not changed[200:].any()


def test_a_broken_file_is_refused_in_words() -> None:
    with pytest.raises(UnusablePhotoError):
        made(b"\xff\xd8\xff nothing")
