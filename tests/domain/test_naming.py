"""File names by a studio's pattern: what a pattern may hold, and names that every file system takes."""

import pytest

from app.domain.errors import InvalidRequest
from app.domain.naming import MAX_PATTERN, name_photo, read_pattern

ADDRESS = "12 Garden Lane, Springfield, IL 62704"


@pytest.mark.parametrize(
    ("pattern", "name"),
    [
        ("", "DSC 1.JPG"),
        ("{street}-{nn}", "12-garden-lane-07.JPG"),
        ("Bright & Wide {city} {type} {name}", "Bright & Wide springfield exterior DSC 1.JPG"),
    ],
)
def test_a_photo_is_named_by_the_pattern(pattern: str, name: str) -> None:
    assert name_photo(read_pattern(pattern), "DSC 1.JPG", address=ADDRESS, number=7, kind="exterior") == name


def test_a_name_without_an_extension_gets_none() -> None:
    assert name_photo("{name}-{nn}", "kitchen", address=ADDRESS, number=7, kind="interior") == "kitchen-07"


def test_whatever_the_address_and_the_photos_name_are_the_name_is_safe_and_not_too_long() -> None:
    given = {"address": f"{'9/' * 300}Straße", "number": 120, "kind": "interior"}
    name = name_photo("{street}-{name}-{nn}", f"{'a/b' * 100}.jpg", **given)
    assert "/" not in name
    assert len(name.encode()) <= 150
    assert name.endswith(".jpg")


@pytest.mark.parametrize(
    "pattern",
    ["{street}", "{nn}/{name}", "a\\{nn}", "{nn} {owner}", "{nn", "{nn}}", "{nn}" + "x" * MAX_PATTERN, "{nn}?"],
)
def test_a_pattern_that_makes_no_good_names_is_refused(pattern: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        read_pattern(pattern)
    assert set(refused.value.details or {}) == {"pattern"}
