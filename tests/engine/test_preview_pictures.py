"""Small pictures: upright, in sRGB, of the right size, and silent about where and with what they were taken."""

import io

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.io.source_type import SYNTHETIC_TYPES, make_save_options, read_source_type, read_statement_of
from engine.preview import PicturePreviews
from engine.types.enhancements import Disclosure, describe_disclosure
from engine.types.file_facts import PersonalDetail
from engine.types.pictures import Previews, PreviewSize, WantedPreviews
from engine.types.source_types import SourceType
from tests.scenes import camera_exif, decoded, encoded, house, room, turned, wide_rgb_profile

THUMB, VIEW, LABELED, PUBLIC = PreviewSize.THUMB, PreviewSize.VIEW, PreviewSize.LABELED, PreviewSize.PUBLIC
STAGED = "Virtually staged"

THUMBNAIL = 240
"""The longer side, in pixels, of the pictures in a listing service's results."""


def made(content: bytes, label: str | None = None) -> Previews:
    return PicturePreviews().make(io.BytesIO(content), WantedPreviews(label, public=True))


def opened(previews: Previews, size: PreviewSize) -> Image.Image:
    return Image.open(io.BytesIO(previews.pictures[size]))


@pytest.mark.parametrize(
    ("width", "height", "thumb", "view"),
    [
        (2400, 1600, (480, 320), (1600, 1067)),
        (1600, 2400, (320, 480), (1067, 1600)),
        (1000, 500, (480, 240), (1000, 500)),
        (300, 200, (300, 200), (300, 200)),
        (20_000, 1, (480, 1), (1600, 1)),
        (1, 20_000, (1, 480), (1, 1600)),
        (1, 1, (1, 1), (1, 1)),
    ],
)
def test_the_longer_side_is_bounded_and_nothing_grows(width, height, thumb, view) -> None:
    previews = made(encoded(np.full((height, width, 3), 128, np.uint8)), STAGED)
    assert (previews.width, previews.height) == (width, height)
    assert opened(previews, THUMB).size == thumb
    assert opened(previews, VIEW).size == view
    assert opened(previews, LABELED).size == (width, height)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_they_stand_upright_whichever_way_the_camera_was_held(orientation: int) -> None:
    scene = house(300, 200)
    previews = made(encoded(turned(scene, orientation), exif=camera_exif(orientation)), STAGED)
    assert (previews.width, previews.height) == (300, 200)
    for size in previews.pictures:
        small = opened(previews, size)
        assert small.size == (300, 200)
        top = np.asarray(small)[:60].astype(float) - scene[:60]
        assert np.abs(top).mean() < 6, size


def test_small_pictures_are_progressive_small_and_silent() -> None:
    previews = made(encoded(room(2400, 1600), exif=camera_exif(), icc_profile=wide_rgb_profile()))
    for size in (THUMB, VIEW):
        small = opened(previews, size)
        assert small.info.get("progressive")
        assert not small.getexif()
        assert not small.info.keys() & {"icc_profile", "exif", "xmp", "comment"}
        assert [component[1:3] for component in small.layer] == [(2, 2), (1, 1), (1, 1)], "4:2:0"
        assert b"private notes" not in previews.pictures[size]
    assert len(previews.pictures[THUMB]) < 60_000


def test_colors_of_another_space_are_brought_to_srgb() -> None:
    green = np.zeros((64, 64, 3), np.uint8)
    green[...] = (60, 180, 60)
    plain, wide = (made(encoded(green, **icc)) for icc in ({}, {"icc_profile": wide_rgb_profile()}))
    at = (32, 32)
    red, _, _ = decoded(plain.pictures[VIEW])[at]
    wide_red, wide_green, _ = decoded(wide.pictures[VIEW])[at]
    assert abs(int(red) - 60) < 6
    assert wide_red < 40, "more saturated than sRGB says with the same numbers"
    assert wide_green > 175


def test_the_labeled_copy_is_the_picture_but_for_a_lower_corner() -> None:
    scene = room(1200, 800)
    previews = made(encoded(scene, exif=camera_exif(), icc_profile=wide_rgb_profile()), STAGED)
    labeled = decoded(previews.pictures[LABELED]).astype(float)
    apart = np.abs(labeled - scene).max(axis=2) > 60
    rows, columns = np.nonzero(apart)
    assert rows.size
    assert rows.min() > 800 * 0.86
    assert columns.max() < 1200 * 0.4
    assert np.abs(labeled[:650] - scene[:650]).mean() < 2
    copy = opened(previews, LABELED)
    assert copy.info["icc_profile"] == wide_rgb_profile()
    assert copy.getexif()[271] == "Drawn"


def test_the_labeled_copy_is_declared_as_altered_even_where_its_picture_is_not() -> None:
    stated = read_statement_of(opened(made(encoded(room(60, 40)), STAGED), LABELED).info)
    assert stated.source_type == SourceType.SYNTHETIC_PARTS
    assert stated.description == describe_disclosure(STAGED)


@pytest.mark.parametrize("kind", SYNTHETIC_TYPES)
def test_what_a_picture_says_of_its_making_stays_in_both_copies(kind: SourceType) -> None:
    previews = made(encoded(room(60, 40), **make_save_options(kind, "JPEG")), STAGED)
    assert [read_source_type(opened(previews, size).info) for size in (LABELED, PUBLIC)] == [kind, kind]


def test_the_public_copy_is_the_picture_and_its_profile_and_nothing_else() -> None:
    scene = room(1200, 800)
    previews = made(encoded(turned(scene, 6), exif=camera_exif(6), icc_profile=wide_rgb_profile()))
    assert np.abs(decoded(previews.pictures[PUBLIC]).astype(float) - scene).mean() < 2
    copy = opened(previews, PUBLIC)
    assert copy.info["icc_profile"] == wide_rgb_profile()
    assert not copy.getexif()
    assert not {"xmp", "comment", "photoshop"} & set(copy.info)


def test_what_a_file_says_beside_the_picture_is_found() -> None:
    assert made(encoded(room(60, 40))).holds == ()
    assert made(encoded(room(60, 40), exif=camera_exif())).holds == tuple(PersonalDetail)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (b"<rdf:li exif:GPSLatitude='48,12.5N'/>", PersonalDetail.PLACE),
        (b"<photoshop:City>Springfield</photoshop:City>", PersonalDetail.PLACE),
        (b"<dc:creator><rdf:Seq><rdf:li>Pat</rdf:li></rdf:Seq></dc:creator>", PersonalDetail.NAMES),
        (b"<rdf:Description aux:SerialNumber='12345'/>", PersonalDetail.SERIAL_NUMBERS),
        (b"<dc:description>The house of the Smiths</dc:description>", PersonalDetail.CAPTIONS),
    ],
)
def test_it_is_found_in_xmp_too(said: bytes, found: PersonalDetail) -> None:
    assert made(encoded(room(60, 40), xmp=said)).holds == (found,)


def test_it_is_found_in_iptc_too() -> None:
    city = b"\x1c\x02\x5a\x00\x0bSpringfield"
    resource = b"Photoshop 3.0\0" + b"8BIM\x04\x04\0\0" + len(city).to_bytes(4, "big") + city
    content = encoded(room(60, 40))
    segment = b"\xff\xed" + (len(resource) + 2).to_bytes(2, "big") + resource
    assert made(content[:2] + segment + content[2:]).holds == (PersonalDetail.PLACE,)


def test_blank_fields_that_cameras_write_say_nothing() -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.ImageDescription] = "          "
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.UserComment] = b"ASCII\0\0\0" + bytes(20)
    assert made(encoded(room(60, 40), exif=exif.tobytes())).holds == ()


@pytest.mark.parametrize("ground", [0, 128, 255])
@pytest.mark.parametrize(
    ("width", "height"), [pytest.param(6000, 4000, marks=pytest.mark.long), (800, 1200), (400, 300)]
)
def test_the_words_can_be_read_on_any_ground_at_any_size(ground: int, width: int, height: int) -> None:
    labeled = decoded(made(encoded(np.full((height, width, 3), ground, np.uint8)), STAGED).pictures[LABELED])
    corner = labeled[int(height * 0.86) :, : width // 2, 0].astype(float)
    assert corner.max() > 235, "white words"
    words = corner > 220
    behind = corner[words.any(axis=1)][:, words.any(axis=0)]
    dark = np.median(behind[behind < 180])
    assert dark < 110, "on a dark strip"
    tall = np.ptp(np.nonzero((corner > 220) & (ground < 200))[0]) if ground < 200 else min(width, height) * 0.03
    assert tall > min(width, height) * 0.02


def luminance(value: float) -> float:
    return float((value / 255) ** 2.2)


@pytest.mark.parametrize(
    ("width", "height", "least", "ground"),
    [
        *((1500, 1000, 6.5, 0), (1500, 1000, 6.5, 128), (1000, 1500, 6.5, 255), (1200, 900, 6.5, 128)),
        *((1000, 1000, 6.5, 0), (700, 1500, 6.5, 128), (2000, 500, 6.5, 255), (3000, 500, 5, 255)),
    ],
)
def test_every_label_can_be_read_in_a_thumbnail_of_240_pixels(
    width: int, height: int, least: float, ground: int
) -> None:
    scale = THUMBNAIL / max(width, height)
    for label in (words for each in Disclosure for words in (each.words, each.words.title())):
        labeled = decoded(made(encoded(np.full((height, width, 3), ground, np.uint8)), label).pictures[LABELED])
        changed = np.abs(labeled[..., 0].astype(float) - ground) > 30 if ground else labeled[..., 0] > 60
        rows, columns = (np.flatnonzero(changed.any(axis=each)) for each in (1, 0))
        strip = labeled[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1, 0]
        lit = (strip > 200) if ground < 200 else (strip > 200) & (np.arange(strip.shape[1]) > strip.shape[0] // 20)
        across = np.flatnonzero(lit.any(axis=0))
        ends = across[np.flatnonzero(np.diff(across, append=across[-1] + 9) > 1)[0]]
        first_capital = np.flatnonzero(lit[:, across[0] : ends + 1].any(axis=1))
        assert (np.ptp(first_capital) + 1) * scale >= least, label
        size = [max(1, round(each * scale)) for each in strip.shape[::-1]]
        small = np.asarray(Image.fromarray(strip).resize((size[0], size[1]), Image.Resampling.LANCZOS)).astype(
            float
        )
        light, dark = luminance(float(np.quantile(small, 0.97))), luminance(float(np.median(small)))
        assert (light + 0.05) / (dark + 0.05) > 3, label


@pytest.mark.parametrize(("width", "height"), [(100, 40), (30, 400), (12, 12), (1, 1), (3000, 5)])
def test_a_long_label_never_breaks_a_small_picture(width: int, height: int) -> None:
    label = "Virtually staged, digitally edited, virtually renovated"
    previews = made(encoded(np.full((height, width, 3), 90, np.uint8)), label)
    assert opened(previews, LABELED).size == (width, height)


@pytest.mark.parametrize("format_name", ["PNG", "WEBP", "TIFF"])
def test_whatever_the_photo_is_its_previews_are_jpegs(format_name: str) -> None:
    previews = made(encoded(house(600, 400), format_name), STAGED)
    assert {opened(previews, size).format for size in previews.pictures} == {"JPEG"}
