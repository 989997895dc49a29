"""Colors as the file declares them, whatever it declares them by."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import ExifTags, Image, ImageCms

from engine.color.declared import ADOBE_GAMMA, DeclaredSpace
from engine.io.photo import DecodedPhoto, decode, encode
from engine.types.pictures import UnusablePhotoError
from tests import scenes
from tests.engine.wide_spaces import ADOBE, P3

BT_709 = (0.640, 0.330, 0.300, 0.600, 0.150, 0.060, 0.3127, 0.3290)
SRGB = ImageCms.createProfile("sRGB")


def stored_in(space: DeclaredSpace) -> np.ndarray:
    """The drawn house as a file in this space holds it, by a profile of the color engine that says the same."""
    own = ImageCms.ImageCmsProfile(io.BytesIO(space.make_profile()))
    house = Image.fromarray(scenes.house())
    return np.asarray(
        ImageCms.profileToProfile(house, SRGB, own, renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC)
    )


def with_chunk(png: bytes, kind: bytes, body: bytes) -> bytes:
    """The PNG with one more chunk before its pixels."""
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = 8 + 25
    return png[:head] + chunk + png[head:]


def shown(photo: DecodedPhoto) -> np.ndarray:
    return photo.profile.to_srgb(photo.pixels)


def far(photo: DecodedPhoto) -> np.ndarray:
    """How far the shown picture is from the drawn one, value by value."""
    return np.abs(shown(photo).astype(int) - scenes.house())


def png(space: DeclaredSpace) -> bytes:
    return scenes.encoded(stored_in(space), "PNG")


def chromaticities(primaries: tuple[float, ...]) -> bytes:
    white, colors = primaries[6:], primaries[:6]
    return struct.pack(">8I", *(round(each * 100_000) for each in (*white, *colors)))


def adobe_exif(index: str = "R03", space: int = 65535) -> Image.Exif:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.ColorSpace] = space
    exif.get_ifd(ExifTags.IFD.Exif)[0xA005] = {1: index, 2: b"0100"}
    return exif


FILES = {
    "PNG, P3 by cICP": with_chunk(png(DeclaredSpace(P3)), b"cICP", bytes([12, 13, 0, 1])),
    "PNG, P3 by cHRM": with_chunk(png(DeclaredSpace(P3)), b"cHRM", chromaticities(P3)),
    "PNG, linear by gAMA": with_chunk(png(DeclaredSpace(BT_709, 1.0)), b"gAMA", struct.pack(">I", 100_000)),
    "PNG, gamma 1.8": with_chunk(png(DeclaredSpace(BT_709, 1.8)), b"gAMA", struct.pack(">I", 55_556)),
    "JPEG, Adobe RGB by EXIF": scenes.encoded(
        stored_in(DeclaredSpace(ADOBE, ADOBE_GAMMA)), exif=adobe_exif(), quality=100
    ),
    "JPEG, Adobe RGB by number": scenes.encoded(
        stored_in(DeclaredSpace(ADOBE, ADOBE_GAMMA)), exif=adobe_exif("", 2), quality=100
    ),
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES.keys())
def test_colors_are_those_that_the_file_declares(content: bytes) -> None:
    photo = decode(io.BytesIO(content))
    # Of a linear file eight bits are few in the dark.
    assert np.median(far(photo)) <= 1
    assert np.percentile(far(photo), 95) <= 4
    again = decode(io.BytesIO(encode(photo.pixels, photo).content))
    assert np.percentile(np.abs(shown(again).astype(int) - shown(photo)), 95) <= 4


PLAIN = {
    "the numbers of sRGB": with_chunk(scenes.encoded(scenes.house(), "PNG"), b"cICP", bytes([1, 13, 0, 1])),
    "the usual gamma": with_chunk(scenes.encoded(scenes.house(), "PNG"), b"gAMA", struct.pack(">I", 45_455)),
    "chromaticities of no space": with_chunk(scenes.encoded(scenes.house(), "PNG"), b"cHRM", bytes(32)),
    "sRGB beside a gamma": with_chunk(
        with_chunk(scenes.encoded(scenes.house(), "PNG"), b"gAMA", struct.pack(">I", 100_000)), b"sRGB", b"\0"
    ),
    "the index of sRGB": scenes.encoded(scenes.house(), exif=adobe_exif("R98", 1)),
}


@pytest.mark.parametrize("content", PLAIN.values(), ids=PLAIN.keys())
def test_what_declares_srgb_or_nothing_is_left_as_it_is(content: bytes) -> None:
    assert decode(io.BytesIO(content)).profile.icc == b""


def test_a_profile_counts_before_exif() -> None:
    srgb = ImageCms.ImageCmsProfile(SRGB).tobytes()
    photo = decode(io.BytesIO(scenes.encoded(scenes.house(), exif=adobe_exif(), icc_profile=srgb)))
    assert photo.profile.icc == srgb


@pytest.mark.parametrize("transfer", [16, 18])
def test_high_dynamic_range_is_declined_in_words_and_not_shown_gray(transfer: int) -> None:
    content = with_chunk(scenes.encoded(scenes.house(), "PNG"), b"cICP", bytes([9, transfer, 0, 1]))
    with pytest.raises(UnusablePhotoError, match="high dynamic range"):
        decode(io.BytesIO(content))


def test_a_heic_says_its_space_by_numbers() -> None:
    stored = Image.fromarray(stored_in(DeclaredSpace(P3)))
    buffer = io.BytesIO()
    stored.save(buffer, "HEIF", quality=100, chroma=444, color_primaries=12, transfer_characteristic=13)
    photo = decode(io.BytesIO(buffer.getvalue()))
    assert photo.profile.icc
    assert np.median(far(photo)) <= 2


def gray_profile(gamma: float) -> bytes:
    """A profile of gray values with this gamma and nothing else."""
    curve = b"curv" + struct.pack(">4xIH2x", 1, round(gamma * 256))
    white = b"XYZ " + struct.pack(">4x3i", *(round(each * 65536) for each in (0.9642, 1.0, 0.8249)))
    tags, table, body = {b"wtpt": white, b"kTRC": curve}, struct.pack(">I", 2), b""
    for name, content in tags.items():
        table += struct.pack(">4sII", name, 132 + 12 * len(tags) + len(body), len(content))
        body += content
    size = 128 + len(table) + len(body)
    head = struct.pack(">I4xI4s4s4s", size, 0x02400000, b"mntr", b"GRAY", b"XYZ ") + bytes(12) + b"acsp" + bytes(28)
    return (head + white[8:]).ljust(128, b"\0") + table + body


GRAY = np.repeat(np.arange(256, dtype=np.uint8)[None], 32, axis=0)


def test_gray_is_as_light_as_its_own_profile_says() -> None:
    photo = decode(io.BytesIO(scenes.encoded(GRAY, "PNG", icc_profile=gray_profile(1.8))))
    assert photo.profile.icc == b""
    light = (GRAY[0] / 255) ** 1.8
    wanted = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    assert np.abs(photo.pixels[0] - wanted[:, None]).max() < 1.5


def test_transparent_gray_with_a_profile_is_laid_on_white() -> None:
    buffer = io.BytesIO()
    Image.fromarray(np.stack([GRAY, np.zeros_like(GRAY)], -1), "LA").save(
        buffer, "PNG", icc_profile=gray_profile(1.8)
    )
    assert decode(io.BytesIO(buffer.getvalue())).pixels.min() == 255


@pytest.mark.parametrize("profile", [gray_profile(1.8)[:140], gray_profile(1.8).replace(b"kTRC", b"none")])
def test_gray_with_a_broken_profile_is_taken_as_srgb(profile: bytes) -> None:
    photo = decode(io.BytesIO(scenes.encoded(GRAY, "PNG", icc_profile=profile)))
    assert np.array_equal(photo.pixels[..., 0], GRAY)
