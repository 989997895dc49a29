"""What the engine takes in and what it refuses."""

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from engine.io.photo import decode
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
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


def test_a_page_behind_the_photo_that_is_broken_costs_nothing() -> None:
    buffer = io.BytesIO()
    Image.fromarray(scenes.house()).save(buffer, "TIFF", save_all=True, append_images=[Image.new("RGB", (64, 48))])
    content = bytearray(buffer.getvalue())
    first = struct.unpack_from("<I", content, 4)[0]
    count = struct.unpack_from("<H", content, first)[0]
    next_page = struct.unpack_from("<I", content, first + 2 + 12 * count)[0]
    content[next_page:] = bytes(len(content) - next_page)
    assert np.array_equal(decode(io.BytesIO(bytes(content))).pixels, scenes.house())


def test_a_tiff_with_offsets_of_8_bytes_is_read() -> None:
    assert np.array_equal(
        decode(io.BytesIO(scenes.encoded(scenes.house(), "TIFF", big_tiff=True))).pixels, scenes.house()
    )


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("bits", [8, 16])
def test_planes_of_a_tiff_are_put_together_right(order: str, bits: int) -> None:
    """Pillow takes planes of 16 bits for planes of 8."""
    drawn = scenes.house()
    assert np.array_equal(decode(io.BytesIO(planar_tiff(drawn, order, bits))).pixels, drawn)


def planar_tiff(picture: scenes.Picture, order: str, bits: int) -> bytes:
    """A TIFF whose colors lie one after the other."""
    height, width, colors = picture.shape
    deep = picture.astype(f"{order}u{bits // 8}") * (257 if bits == 16 else 1)
    planes = [np.ascontiguousarray(deep[..., color]).tobytes() for color in range(colors)]
    entries = 10
    behind = 8 + 2 + 12 * entries + 4
    pixels_at = behind + 6 + 24
    words = struct.pack(f"{order}3H", bits, bits, bits)
    words += struct.pack(f"{order}3I", *(pixels_at + color * len(planes[0]) for color in range(colors)))
    words += struct.pack(f"{order}3I", *map(len, planes))
    tags = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, behind), (259, 3, 1, 1), (262, 3, 1, 2)]
    tags += [(273, 4, 3, behind + 6), (277, 3, 1, 3), (278, 4, 1, height), (279, 4, 3, behind + 18), (284, 3, 1, 2)]
    packed = b"".join(
        struct.pack(f"{order}HHI", tag, kind, count)
        + (struct.pack(f"{order}HH", value, 0) if (kind, count) == (3, 1) else struct.pack(f"{order}I", value))
        for tag, kind, count, value in tags
    )
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}IH", 8, entries)
    return head + packed + bytes(4) + words + b"".join(planes)


@pytest.mark.parametrize(("mode", "named"), [("LAB", "CIE Lab"), ("F", "floating point")])
def test_a_tiff_in_no_space_of_photos_is_refused_by_its_name(mode: str, named: str) -> None:
    buffer = io.BytesIO()
    Image.new(mode, (64, 48)).save(buffer, "TIFF")
    with pytest.raises(UnusablePhotoError, match=named):
        decode(io.BytesIO(buffer.getvalue()))


def test_gray_of_16_bits_is_scaled_not_cut() -> None:
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


@pytest.mark.parametrize("size", [(5000, 5000), (30_000, 30_000)])
def test_a_picture_over_a_lower_limit_is_refused_by_that_limit(size: tuple[int, int]) -> None:
    with pytest.raises(UnusablePhotoError, match="over 16 megapixels"):
        decode(io.BytesIO(png_header(*size)), max_pixels=16_000_000)


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


@pytest.mark.parametrize(("share", "progressive"), [(0.2, False), (0.5, False), (0.8, False), (0.2, True)])
def test_a_jpeg_with_a_gap_in_the_middle_is_damaged(share: float, progressive: bool) -> None:
    """The decoder warns, goes on, and shows what is left in other places and colors."""
    content = bytearray(scenes.encoded(scenes.house(480, 320), quality=90, progressive=progressive))
    start = content.index(b"\xff\xda")
    gap = start + int(share * (len(content) - start))
    content[gap : gap + 60] = bytes(60)
    with pytest.raises(UnusablePhotoError, match="damaged"):
        decode(io.BytesIO(bytes(content)))


def test_bytes_between_the_segments_of_a_jpeg_are_no_damage() -> None:
    content = scenes.encoded(scenes.house())
    tables = content.index(b"\xff\xdb")
    padded = content[:tables] + bytes(6) + content[tables:]
    assert np.array_equal(decode(io.BytesIO(padded)).pixels, decode(io.BytesIO(content)).pixels)


def test_running_out_of_memory_is_the_photos_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(_: Image.Image) -> None:
        raise MemoryError

    monkeypatch.setattr(Image.Image, "getexif", exhausted)
    assert refused(scenes.encoded(scenes.house())) is Reason.UNDECODABLE


def test_broken_exif_costs_the_capture_data_not_the_photo() -> None:
    content = scenes.encoded(scenes.house(), exif=b"Exif\x00\x00II*\x00\x08\x00\x00\x00\xff\xff\x12\x01\x03")
    assert decode(io.BytesIO(content)).pixels.shape == scenes.house().shape
