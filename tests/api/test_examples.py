"""Examples for the documentation, made from those of the fields."""

import pytest
from pydantic import Field

from app.api.v1.examples import example_of
from app.domain.api_types import Moment, StoredAnswer, WireAnswer
from engine.types.enhancements import PhotoType


class Part(WireAnswer):
    """A part."""

    file_name: str = Field(examples=["front.jpg"])
    said: str | None = None


class Whole(WireAnswer):
    """Parts, and all that has an example of its own accord."""

    parts: list[Part]
    shown: bool
    made_at: Moment
    ended_at: Moment | None = None
    label: str | None = Field(default=None, examples=["Altered"])


class KeptPhoto(StoredAnswer):
    """A photo."""

    type: PhotoType = PhotoType.INTERIOR
    note: str | None = None


def test_an_example_has_what_is_required_and_what_has_one() -> None:
    assert example_of(Whole) == {
        "parts": [{"fileName": "front.jpg"}],
        "shown": True,
        "madeAt": "2026-11-20T14:03:27.512Z",
        "label": "Altered",
    }


def test_what_is_kept_is_promised_whole_but_for_what_may_be_none() -> None:
    assert KeptPhoto.model_json_schema()["required"] == ["type"]
    assert example_of(KeptPhoto) == {"type": "exterior"}
    assert KeptPhoto().to_json() == '{"type":"interior"}'


def test_a_required_text_without_an_example_is_a_fault() -> None:
    class Nameless(WireAnswer):
        name: str

    with pytest.raises(LookupError):
        example_of(Nameless)
