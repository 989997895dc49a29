"""The contract of the preview maker, held by the real one and by the fake."""

import io
from collections.abc import Callable

import pytest

from app.domain.ports import PreviewMaker
from engine.preview import PicturePreviews
from engine.types.pictures import PreviewSize, UnusablePhotoError, WantedPreviews
from tests.fakes import FakePreviewMaker, photo
from tests.scenes import encoded, room

MAKERS: dict[str, Callable[[], PreviewMaker]] = {"real": PicturePreviews, "fake": FakePreviewMaker}


@pytest.fixture(params=MAKERS)
def maker(request: pytest.FixtureRequest) -> PreviewMaker:
    return MAKERS[request.param]()


def test_there_is_a_small_and_a_middling_jpeg_with_the_size_of_the_photo(maker: PreviewMaker) -> None:
    made = maker.make(io.BytesIO(encoded(room())), WantedPreviews())
    assert set(made.pictures) == {PreviewSize.THUMB, PreviewSize.VIEW}
    assert all(content.startswith(b"\xff\xd8\xff") for content in made.pictures.values())
    assert made.width > made.height > 0


def test_a_label_brings_a_copy_that_bears_it(maker: PreviewMaker) -> None:
    made = maker.make(io.BytesIO(encoded(room())), WantedPreviews("Virtually staged"))
    assert set(made.pictures) == {PreviewSize.THUMB, PreviewSize.VIEW, PreviewSize.LABELED}


def test_a_public_copy_is_made_where_it_is_wanted(maker: PreviewMaker) -> None:
    made = maker.make(io.BytesIO(encoded(room())), WantedPreviews(public=True))
    assert set(made.pictures) == {PreviewSize.THUMB, PreviewSize.VIEW, PreviewSize.PUBLIC}
    assert made.pictures[PreviewSize.PUBLIC].startswith(b"\xff\xd8\xff")
    assert not made.holds


@pytest.mark.parametrize("label", [None, "Virtually staged"])
def test_what_cannot_be_decoded_is_unusable_and_says_why_in_a_sentence(
    maker: PreviewMaker, label: str | None
) -> None:
    with pytest.raises(UnusablePhotoError) as refusal:
        maker.make(io.BytesIO(photo("BROKEN")), WantedPreviews(label))
    assert refusal.value.message.endswith(".")
