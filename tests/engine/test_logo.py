"""Logos are judged by content, made small, and encoded anew."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from engine.color.profiles import ColorProfile
from engine.logo import LOGO_BOX, encode_logo
from engine.types.pictures import UnusablePhotoError
from tests.scenes import wide_rgb_profile


def picture(kind: str, size: tuple[int, int] = (1200, 400), mode: str = "RGB", **options: object) -> bytes:
    made = io.BytesIO()
    Image.new(mode, size, (20, 80, 107, 128)[: len(mode)]).save(made, kind, **options)
    return made.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(content))
    image.load()
    return image


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_every_kind_becomes_a_png_that_fits_the_box(kind: str) -> None:
    logo = encode_logo(io.BytesIO(picture(kind)))
    image = opened(logo.content)
    assert (image.format, image.size) == ("PNG", (logo.width, logo.height))
    assert (logo.width, logo.height) == (720, 240)
    assert logo.width <= LOGO_BOX[0]


def test_a_small_logo_is_not_made_larger_and_stays_transparent() -> None:
    logo = encode_logo(io.BytesIO(picture("PNG", (40, 20), "RGBA")))
    assert (logo.width, logo.height) == (40, 20)
    assert opened(logo.content).getpixel((3, 3))[3] == 128


def test_nothing_of_what_was_sent_is_handed_on() -> None:
    exif = Image.Exif()
    exif[0x010E] = "written by a camera"
    sent = picture("JPEG", exif=exif, comment=b"a comment") + b"<script>alert(1)</script>"
    logo = encode_logo(io.BytesIO(sent))
    for words in (b"written by a camera", b"a comment", b"<script>"):
        assert words in sent
        assert words not in logo.content


def test_a_logo_that_lies_on_its_side_is_stood_up() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    logo = encode_logo(io.BytesIO(picture("JPEG", (100, 50), exif=exif)))
    assert (logo.width, logo.height) == (50, 100)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
def test_the_colors_of_a_wide_logo_are_brought_to_srgb(mode: str) -> None:
    sent = picture("PNG", mode=mode, icc_profile=wide_rgb_profile())
    wanted = ColorProfile(wide_rgb_profile()).to_srgb(np.array([[(20, 80, 107)]], np.uint8))[0, 0].astype(int)
    assert abs(int(wanted[0]) - 20) > 12, "the profile makes a difference"
    got = np.asarray(opened(encode_logo(io.BytesIO(sent)).content))[3, 3].astype(int)
    assert np.abs(got[:3] - wanted).max() <= 1
    assert got[3] == (128 if mode == "RGBA" else 255)


def huge_png() -> bytes:
    """A few bytes that announce ten thousand million pixels."""
    head = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 1000)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


def many_scans() -> bytes:
    """A progressive JPEG of which one scan comes again and again: seconds of work for each kilobyte."""
    sent = picture("JPEG", (64, 64), progressive=True)
    last = sent.rindex(b"\xff\xda")
    return sent[:last] + sent[last:-2] * 200 + sent[-2:]


def moving() -> bytes:
    """A WebP of two pictures."""
    made = io.BytesIO()
    first, second = (Image.new("RGB", (20, 20), color) for color in ("red", "blue"))
    first.save(made, "WEBP", save_all=True, append_images=[second])
    return made.getvalue()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"", "cannot be read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "cannot be read"),
        (picture("GIF", mode="L"), "cannot be read"),
        (picture("TIFF"), "cannot be read"),
        (picture("PNG")[:-300], "cannot be read"),
        (b"\x89PNG\r\n\x1a\n" + b"\0" * 100, "cannot be read"),
        (huge_png(), "million pixels"),
        (picture("PNG", (5000, 5000), "L"), "million pixels"),
        (many_scans(), "over 100 scans"),
        (moving(), "an animation"),
    ],
    ids=["empty", "svg", "gif", "tiff", "cut", "no png", "bomb", "large", "scans", "animation"],
)
def test_what_is_no_logo_is_refused(sent: bytes, said: str) -> None:
    with pytest.raises(UnusablePhotoError) as refused:
        encode_logo(io.BytesIO(sent))
    assert said in refused.value.message
