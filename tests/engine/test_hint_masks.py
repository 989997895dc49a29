"""Masks of hints: whole PNG files of the right kind and shape are taken, anything else is refused with its code."""

import base64
import io
import struct
import zlib
from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from engine.pipeline import PictureEngine
from engine.segmentation.hinted_masks import draw_mask
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.hint_document import HintError, read_hints
from engine.types.hint_masks import (
    EMPTY,
    EVERYTHING,
    MAX_MASK_BYTES,
    NOT_A_PNG,
    OTHER_PNG,
    OTHER_SIZE,
    SIGNATURE,
    MaskError,
    check_mask,
    read_size,
)
from engine.types.hints import HintedSurface, MaskHint
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from tests import scenes

Gray = NDArray[np.uint8]
SHAPE = (100, 133)


def floor(shape: tuple[int, int] = SHAPE, value: int = 255) -> Gray:
    mask = np.zeros(shape, np.uint8)
    mask[shape[0] // 2 :, shape[1] // 4 :] = value
    return mask


def saved(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def written(content: bytes) -> str:
    return base64.b64encode(content).decode()


def refusal(text: str) -> str | None:
    try:
        check_mask(text)
    except MaskError as error:
        return error.code
    return None


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def assembled(rows: Sequence[bytes], *header: int, extra: bytes = b"", data: bytes | None = None) -> bytes:
    """A file of these rows; `header`: its size, bit depth, color type and whether it is interlaced."""
    width, height, depth, kind, interlaced = header
    told = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, interlaced))
    packed = zlib.compress(b"".join(rows)) if data is None else data
    return SIGNATURE + told + extra + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def filtered(picture: Gray, kinds: Sequence[int]) -> list[bytes]:
    """The rows of a file, each with its filter."""
    rows, above = [], np.zeros(picture.shape[1], int)
    for row, kind in zip(picture.astype(int), kinds, strict=True):
        left, corner = np.r_[0, row[:-1]], np.r_[0, above[:-1]]
        guess = left + above - corner
        errors = [abs(guess - each) for each in (left, above, corner)]
        best = np.where(errors[1] <= errors[2], above, corner)
        paeth = np.where((errors[0] <= errors[1]) & (errors[0] <= errors[2]), left, best)
        expected = (0 * row, left, above, (left + above) // 2, paeth)[kind]
        rows.append(bytes([kind]) + ((row - expected) % 256).astype(np.uint8).tobytes())
        above = row
    return rows


@pytest.mark.parametrize(
    "image",
    [
        Image.fromarray(floor()),
        Image.fromarray(floor(value=1)),
        Image.fromarray(floor()).convert("1"),
        Image.fromarray(floor()).convert("P"),
    ],
    ids=["gray", "zero_and_one", "bits", "palette"],
)
def test_all_but_black_is_the_surface_whatever_the_kind_of_the_file(image: Image.Image) -> None:
    text = written(saved(image))
    assert refusal(text) is None
    assert read_size(text) == (SHAPE[1], SHAPE[0])
    assert (draw_mask(MaskHint(text), SHAPE[1], SHAPE[0]) == (floor() > 0)).all()
    half = draw_mask(MaskHint(text), 67, 50)
    assert half.mean() == pytest.approx((floor() > 0).mean(), abs=0.01)


def test_a_file_that_is_changed_in_any_byte_or_cut_off_is_refused() -> None:
    good = saved(Image.fromarray(floor()))
    for place in range(len(good)):
        changed = bytearray(good)
        changed[place] ^= 0x55
        assert refusal(written(bytes(changed))) is not None, place
        assert refusal(written(good[:place])) is not None, place
    assert refusal(written(good + b"more")) == NOT_A_PNG


@pytest.mark.parametrize("value", [0, 1, 7, 128, 255])
def test_empty_and_full_masks_are_found_behind_every_filter_and_one_pixel_makes_the_difference(value: int) -> None:
    rng = np.random.default_rng(value)
    for _ in range(10):
        picture, kinds = np.full((70, 90), value, np.uint8), rng.integers(0, 5, 70)
        content = assembled(filtered(picture, kinds), 90, 70, 8, 0, 0)
        assert (cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE) == picture).all()
        assert refusal(written(content)) == (EVERYTHING if value else EMPTY)
        picture[30, 40] ^= 1
        assert refusal(written(assembled(filtered(picture, kinds), 90, 70, 8, 0, 0))) is None


@pytest.mark.parametrize(
    ("image", "code"),
    [
        (Image.new("1", (133, 100), 1), EVERYTHING),
        (Image.new("1", (133, 100), 0), EMPTY),
        (Image.fromarray(floor()).convert("RGB"), OTHER_PNG),
        (Image.fromarray(floor()).convert("LA"), OTHER_PNG),
        (Image.fromarray(floor().astype(np.uint16)), OTHER_PNG),
        (Image.fromarray(floor((63, 90))), OTHER_SIZE),
        (Image.fromarray(floor((700, 1025))), OTHER_SIZE),
        (Image.fromarray(np.random.default_rng(0).integers(0, 256, (200, 200), np.uint8)), OTHER_SIZE),
    ],
)
def test_other_pictures_are_refused(image: Image.Image, code: str) -> None:
    assert refusal(written(saved(image))) == code


ROWS = filtered(floor((70, 90)), [0] * 70)
USUAL = (90, 70, 8, 0, 0)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (assembled(ROWS, *USUAL), None),
        (assembled(ROWS, 90, 70, 8, 0, 1), OTHER_PNG),
        (assembled(ROWS, 90, 70, 4, 0, 0), OTHER_PNG),
        (assembled(ROWS, 90, 70, 8, 3, 0), NOT_A_PNG),
        (assembled(ROWS, *USUAL, extra=chunk(b"tRNS", b"ab")), OTHER_PNG),
        (assembled(ROWS, *USUAL, extra=chunk(b"tEXt", b"a note")), None),
        (assembled(ROWS, *USUAL, extra=chunk(b"IDAT", b"") + chunk(b"tEXt", b"between")), NOT_A_PNG),
        (assembled(ROWS[:-1], *USUAL), NOT_A_PNG),
        (assembled([*ROWS, ROWS[0]], *USUAL), NOT_A_PNG),
        (assembled([bytes(1025)] * 20_000, 1024, 1024, 8, 0, 0), NOT_A_PNG),
        (assembled([b"\5" + ROWS[0][1:], *ROWS[1:]], *USUAL), NOT_A_PNG),
        (assembled(ROWS, *USUAL, data=b"not deflated"), NOT_A_PNG),
        (assembled(ROWS, *USUAL, data=zlib.compress(b"".join(ROWS)) + b"more"), NOT_A_PNG),
        (SIGNATURE + chunk(b"IEND", b""), NOT_A_PNG),
        (SIGNATURE, NOT_A_PNG),
        (b"\xff\xd8\xff", NOT_A_PNG),
    ],
    ids=range(16),
)
def test_files_put_together_by_hand_are_taken_only_where_they_are_whole(content: bytes, code: str | None) -> None:
    assert refusal(written(content)) == code


@pytest.mark.parametrize("text", ["", "x", "é", "!!!!", " aaaa", "A" * 2 * MAX_MASK_BYTES])
def test_what_is_not_base64_or_too_long_is_refused(text: str) -> None:
    assert refusal(text) in (NOT_A_PNG, OTHER_SIZE)


def test_the_document_names_the_place_of_a_mask_at_fault() -> None:
    good, noise = (
        written(saved(Image.fromarray(floor()))),
        np.random.default_rng(0).integers(0, 2, (400, 400), np.uint8),
    )
    large = written(saved(Image.fromarray(noise * 255).convert("1")))
    surfaces = {"floor": {"mask": good}, "wall": {"mask": 7}, "door": {"mask": good, "kind": "png"}, "sky": {}}
    surfaces |= {each: {"mask": large} for each in ("ceiling", "window", "cabinet", "worktop", "lawn")}
    with pytest.raises(HintError) as refused:
        read_hints({"surfaces": surfaces})
    assert [(each.where[1:], each.code) for each in refused.value.faults] == [
        (("wall", "mask"), NOT_A_PNG),
        (("door", "kind"), "unknown_field"),
        (("sky", "mask"), "required"),
        (("lawn", "mask"), "too_many"),
    ]


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        (Image.fromarray(floor((100, 100))), "has 100 x 100 pixels, and the photo 240 x 160"),
        (Image.fromarray(np.pad(floor((1, 1)), ((0, 159), (0, 239)))), "has nothing inside"),
        (Image.fromarray(255 - np.pad(floor((1, 1)), ((0, 159), (0, 239)))), "is the whole picture"),
    ],
    ids=["shape", "empty", "full"],
)
def test_a_mask_that_does_not_fit_its_photo_is_refused_once_the_photo_is_decoded(
    mask: Image.Image, said: str
) -> None:
    hints = read_hints({"surfaces": {"floor": {"mask": written(saved(mask))}}})
    photo = io.BytesIO(scenes.encoded(scenes.room(240, 160)))
    with pytest.raises(UnusablePhotoError) as refused:
        PictureEngine().enhance(photo, EditRequest((Enhancement.HDR,), hints=hints))
    assert (refused.value.reason, refused.value.message) == (Reason.MASK_UNUSABLE, f"The mask of the floor {said}.")
    assert hints.get_outlines(HintedSurface.FLOOR) == ()
