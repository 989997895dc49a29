"""What the engine takes in and what it refuses."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from app.domain.ports import UnusablePhotoError
from app.domain.quality import Reason
from app.engine.io.photo import decode
from tests import scenes


def refused(content: bytes) -> Reason:
    with pytest.raises(UnusablePhotoError) as caught:
        decode(io.BytesIO(content))
    assert len(caught.value.message) > 20
    return caught.value.reason


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP", "HEIF", "TIFF"])
def test_every_format_sold_is_decoded_to_about_the_same_pixels(format_name: str) -> None:
    drawn = scenes.house()
    photo = decode(io.BytesIO(scenes.encoded(drawn, format_name)))
    assert photo.pixels.shape == drawn.shape
    assert np.abs(photo.pixels.astype(int) - drawn).mean() < 6


def test_a_tiff_of_16_bits_is_scaled_not_cut() -> None:
    drawn = scenes.house()
    assert np.abs(decode(io.BytesIO(scenes.sixteen_bit_tiff(drawn))).pixels.astype(int) - drawn).max() <= 1


def test_of_a_tiff_with_a_small_preview_the_photo_counts() -> None:
    pages = [
        Image.fromarray(scenes.room(64, 48)),
        Image.fromarray(scenes.house()),
        Image.fromarray(scenes.room(80, 60)),
    ]
    buffer = io.BytesIO()
    pages[0].save(buffer, "TIFF", save_all=True, append_images=pages[1:])
    assert np.array_equal(decode(io.BytesIO(buffer.getvalue())).pixels, scenes.house())


@pytest.mark.parametrize(("mode", "named"), [("LAB", "CIE Lab"), ("F", "floating point")])
def test_a_tiff_in_no_space_of_photos_is_refused_by_its_name(mode: str, named: str) -> None:
    buffer = io.BytesIO()
    Image.new(mode, (64, 48)).save(buffer, "TIFF")
    with pytest.raises(UnusablePhotoError, match=named):
        decode(io.BytesIO(buffer.getvalue()))


def test_grey_of_16_bits_is_scaled_not_cut() -> None:
    ramp = np.linspace(0, 65535, 64 * 64).reshape(64, 64).astype(np.uint16)
    pixels = decode(io.BytesIO(scenes.encoded(ramp, "PNG"))).pixels
    assert np.abs(pixels[..., 0].astype(int) - ramp // 256).max() <= 1


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_exif_orientation_comes_out_upright(orientation: int) -> None:
    drawn = scenes.house()
    stored = scenes.turned(drawn, orientation)
    content = scenes.encoded(stored, "PNG", exif=scenes.camera_exif(orientation))
    assert np.array_equal(decode(io.BytesIO(content)).pixels, drawn)


def test_an_orientation_of_no_meaning_leaves_the_picture_as_it_lies() -> None:
    drawn = scenes.house()
    content = scenes.encoded(drawn, "PNG", exif=scenes.camera_exif(0))
    assert np.array_equal(decode(io.BytesIO(content)).pixels, drawn)


def test_transparency_is_laid_on_white() -> None:
    clear = Image.new("RGBA", (32, 32), (10, 20, 30, 0))
    buffer = io.BytesIO()
    clear.save(buffer, "PNG")
    assert (decode(io.BytesIO(buffer.getvalue())).pixels == 255).all()


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP", "HEIF", "TIFF"])
@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
def test_a_file_cut_short_is_refused(format_name: str, share: float) -> None:
    content = scenes.encoded(scenes.house(), format_name)
    assert refused(content[: int(len(content) * share)]) is Reason.UNDECODABLE


@pytest.mark.parametrize("format_name", ["GIF", "BMP", "AVIF", "PPM", "ICO", "JPEG2000"])
def test_formats_not_sold_are_refused_whatever_their_name(format_name: str) -> None:
    assert refused(scenes.encoded(scenes.house(64, 48), format_name)) is Reason.UNDECODABLE


@pytest.mark.parametrize("content", [b"", b"\xff\xd8", b"<html></html>", bytes(range(256)) * 40])
def test_what_is_no_picture_is_refused(content: bytes) -> None:
    assert refused(content) is Reason.UNDECODABLE


def png_header(width: int, height: int) -> bytes:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(10_001, 10_000), (30_000, 30_000), (65_000, 65_000)])
def test_a_picture_over_100_megapixels_is_refused_by_its_header(size: tuple[int, int]) -> None:
    assert refused(png_header(*size)) is Reason.TOO_MANY_PIXELS


def test_a_picture_with_an_endless_side_is_refused() -> None:
    assert refused(png_header(70_000, 1)) is Reason.UNDECODABLE


@pytest.mark.parametrize("format_name", ["PNG", "WEBP"])
def test_an_animation_is_refused(format_name: str) -> None:
    frames = [Image.fromarray(scenes.house(64, 48)), Image.fromarray(scenes.room(64, 48))]
    buffer = io.BytesIO()
    frames[0].save(buffer, format_name, save_all=True, append_images=frames[1:])
    assert refused(buffer.getvalue()) is Reason.UNDECODABLE


def test_of_a_multi_picture_file_the_first_frame_counts() -> None:
    frames = [Image.fromarray(scenes.house()), Image.fromarray(scenes.room(64, 48))]
    buffer = io.BytesIO()
    frames[0].save(buffer, "MPO", save_all=True, append_images=frames[1:], quality=95)
    assert decode(io.BytesIO(buffer.getvalue())).pixels.shape == scenes.house().shape


def test_a_jpeg_of_hundreds_of_scans_is_refused_before_decoding() -> None:
    content = scenes.encoded(scenes.house(), progressive=True)
    scan = content[content.rindex(b"\xff\xda") : -2]
    assert refused(content[:-2] + scan * 150 + content[-2:]) is Reason.UNDECODABLE


@pytest.mark.parametrize("progressive", [False, True])
def test_scans_are_counted_to_the_end_of_the_picture_and_not_in_what_follows_or_lies_within(
    progressive: bool,
) -> None:
    """A motion photo has megabytes of movie behind its end, many cameras a small picture in their notes."""
    small = scenes.encoded(scenes.house(64, 48)) + b"\xff\xda" * 200
    content = scenes.encoded(scenes.house(), progressive=progressive, comment=small[:60_000])
    assert decode(io.BytesIO(content + b"\xff\xda" * 1000)).pixels.shape == scenes.house().shape


@pytest.mark.parametrize("progressive", [False, True])
@pytest.mark.parametrize("behind", [b"", b"\xff", b"SEFH of a maker" * 300])
def test_a_jpeg_that_lacks_its_end_alone_is_the_picture_it_shows(progressive: bool, behind: bytes) -> None:
    content = scenes.encoded(scenes.house(), progressive=progressive)
    photo = decode(io.BytesIO(content[:-2] + behind))
    assert np.array_equal(photo.pixels, decode(io.BytesIO(content)).pixels)


def test_what_a_maker_wrote_behind_a_picture_without_an_end_is_none_of_it() -> None:
    content = scenes.encoded(scenes.house())
    behind = b"of a maker" + b"\xff\xe4\x22\x79" + bytes(range(256)) * 40
    assert np.array_equal(decode(io.BytesIO(content[:-2] + behind)).pixels, decode(io.BytesIO(content)).pixels)


@pytest.mark.parametrize("lacking", [40, 400, 4000])
def test_a_jpeg_that_lacks_more_than_its_end_is_damaged(lacking: int) -> None:
    assert refused(scenes.encoded(scenes.house())[:-lacking]) is Reason.UNDECODABLE


def test_running_out_of_memory_is_the_photos_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(_: Image.Image) -> None:
        raise MemoryError

    monkeypatch.setattr(Image.Image, "getexif", exhausted)
    assert refused(scenes.encoded(scenes.house())) is Reason.UNDECODABLE


def test_broken_exif_costs_the_capture_data_not_the_photo() -> None:
    content = scenes.encoded(scenes.house(), exif=b"Exif\x00\x00II*\x00\x08\x00\x00\x00\xff\xff\x12\x01\x03")
    assert decode(io.BytesIO(content)).pixels.shape == scenes.house().shape
