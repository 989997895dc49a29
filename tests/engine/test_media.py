"""Formats told by their first bytes."""

import pytest

from engine.types.media import MediaType, fit_file_name, sniff


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        (b"\xff\xd8\xff\xe1Exif", MediaType.JPEG),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", MediaType.PNG),
        (b"RIFF\x10\0\0\0WEBPVP8 ", MediaType.WEBP),
        (b"II*\0\x08\0\0\0", MediaType.TIFF),
        (b"MM\0*\0\0\0\x08", MediaType.TIFF),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", MediaType.HEIC),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", MediaType.HEIC),
        (b"\0\0\0\x18ftypmif1\0\0\0\0mif1avif", None),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", None),
        (b"\0\0\0\x18ftypisom\0\0\0\0isommp41", None),
        (b"GIF89a", None),
        (b"%PDF-1.7", None),
        (b"<svg xmlns=", None),
        (b"RIFF\x10\0\0\0WAVEfmt ", None),
        (b"\xff\xd8", None),
        (b"", None),
    ],
)
def test_a_file_is_what_its_first_bytes_say(header: bytes, expected: MediaType | None) -> None:
    assert sniff(header) is expected


@pytest.mark.parametrize(
    ("name", "media_type", "given"),
    [
        ("kitchen.JPG", MediaType.JPEG, "kitchen.JPG"),
        ("kitchen.jpeg", MediaType.JPEG, "kitchen.jpeg"),
        ("plan.exe", MediaType.JPEG, "plan.exe.jpg"),
        ("interior-1", MediaType.PNG, "interior-1.png"),
        ("front.jpg", MediaType.HEIC, "front.jpg.heic"),
    ],
)
def test_a_file_is_given_with_an_ending_that_tells_the_truth(name: str, media_type: MediaType, given: str) -> None:
    assert fit_file_name(name, media_type) == given
