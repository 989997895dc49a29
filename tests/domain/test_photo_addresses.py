"""Photos whose names tell of another house than the order's are found; other names are passed over."""

import pytest

from app.domain.photo_addresses import find_address, find_other_addresses

HOME = "12 Garden Lane, Springfield, IL 62704"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("48 Oak Street.jpg", "48 Oak Street"),
        ("48_oak_st_front-2.JPG", "48 Oak St"),
        ("exterior - 7b Old Mill Rd (3).jpg", "7B Old Mill Rd"),
        ("2026-11-28 0048 Oak Street 001.jpg", "48 Oak Street"),
        ("1600-pennsylvania-ave.jpg", "1600 Pennsylvania Ave"),
    ],
)
def test_a_house_is_found_however_its_name_is_written(name: str, shown: str) -> None:
    found = find_address(name)
    assert found is not None
    assert found.shown == shown


@pytest.mark.parametrize(
    "name",
    [
        "DSC_0048.jpg",
        "01 front.jpg",
        "3 view from street.jpg",
        "2 back of house street side.jpg",
        "12_Garden.jpg",
        "2 car drive.jpg",
        "IMG 4 place setting.jpg",
        "IMG_20261128_154233.jpg",
        "v1.48 oak street.jpg",
        "front 1.jpg",
        "48 Oakstreet.jpg",
    ],
)
def test_what_is_no_address_beyond_doubt_is_none(name: str) -> None:
    assert find_address(name) is None


def test_names_of_the_orders_own_house_are_at_home_lane_or_ln() -> None:
    assert not find_other_addresses(["12 Garden Lane.jpg", "12-garden-ln-back.jpg", "DSC_1.jpg"], HOME)


def test_another_number_or_street_is_elsewhere() -> None:
    names = ["12 Garden Lane.jpg", "14 Garden Lane.jpg", "12 Oak St 1.jpg", "DSC_1.jpg"]
    assert find_other_addresses(names, HOME) == {
        "14 Garden Lane.jpg": "14 Garden Lane",
        "12 Oak St 1.jpg": "12 Oak St",
    }


def test_photos_that_are_all_named_after_one_other_house_are_elsewhere() -> None:
    assert find_other_addresses(["48 Oak St 1.jpg", "48 Oak St 2.jpg"], HOME).keys() == {
        "48 Oak St 1.jpg",
        "48 Oak St 2.jpg",
    }


def test_where_the_orders_address_is_of_another_kind_most_names_are_at_home() -> None:
    names = ["48 Oak St 1.jpg", "5 Elm St.jpg", "48 Oak St 2.jpg"]
    assert find_other_addresses(names, "Lindenstraße 5, Berlin") == {"5 Elm St.jpg": "5 Elm St"}
    assert find_other_addresses([], "Lindenstraße 5, Berlin") == {}
