"""Addresses on one line, taken apart where that is beyond doubt and put together again."""

import re

import pytest

from app.domain.address_lines import AddressLines, split

WHOLE = [
    ("12 Garden Lane, Springfield, IL 62704", ("12 Garden Lane", "Springfield", "IL", "62704")),
    (
        "12 Garden Lane, Apt 4, Springfield, IL 62704-1234",
        ("12 Garden Lane, Apt 4", "Springfield", "IL", "62704-1234"),
    ),
    ("12 Garden Lane, Springfield, Illinois, 62704", ("12 Garden Lane", "Springfield", "Illinois", "62704")),
    ("100 Main St, Suite 5, New York, NY 10001", ("100 Main St, Suite 5", "New York", "NY", "10001")),
    ("9 Elm St, Charleston, West Virginia 25301", ("9 Elm St", "Charleston", "West Virginia", "25301")),
    ("12 Garden Lane, Springfield, IL", ("12 Garden Lane", "Springfield", "IL", "")),
    ("12 Garden Lane, Springfield", ("12 Garden Lane", "Springfield", "", "")),
    ("12 Garden Lane Springfield IL 62704", ("12 Garden Lane Springfield", "", "IL", "62704")),
    ("24 Sussex Dr, Ottawa, ON K1M 1M4, Canada", ("24 Sussex Dr", "Ottawa", "ON, Canada", "K1M 1M4")),
    ("10 Downing Street, London SW1A 2AA", ("10 Downing Street", "London", "", "SW1A 2AA")),
    ("Flat 2, 12 High Street, Leeds LS1 4AP", ("Flat 2, 12 High Street", "Leeds", "", "LS1 4AP")),
    ("Hauptstraße 5, 10115 Berlin, Germany", ("Hauptstraße 5", "Berlin", "Germany", "10115")),
    ("12 rue de la Paix, 75002 Paris", ("12 rue de la Paix", "Paris", "", "75002")),
    ("Keizersgracht 123, 1015 CJ Amsterdam", ("Keizersgracht 123", "Amsterdam", "", "1015 CJ")),
    ("1 Macquarie St, Sydney NSW 2000, Australia", ("1 Macquarie St", "Sydney", "NSW, Australia", "2000")),
    ("Av. Paulista 1000, São Paulo, 01310-100", ("Av. Paulista 1000", "São Paulo", "", "01310-100")),
]
DOUBTFUL = [
    "12 Garden Lane",
    "12 Garden Lane, Suite 10000",
    "Apt 4, 62704 Main Street",
    "12 Garden Lane, Unit 7",
    "東京都千代田区千代田1-1",
    "House 5, Road 11, Dhanmondi 32",
    "P.O. Box 12, Box 62704",
    "",
]


@pytest.mark.parametrize(("line", "fields"), WHOLE)
def test_what_is_recognized_beyond_doubt_goes_into_its_field(line: str, fields: tuple[str, ...]) -> None:
    assert split(line) == AddressLines(*fields)


@pytest.mark.parametrize("line", DOUBTFUL)
def test_what_is_doubtful_stays_in_the_street(line: str) -> None:
    assert split(line) == AddressLines(line)


def words(line: str) -> list[str]:
    return sorted(re.findall(r"[^\s,]+", line))


@pytest.mark.parametrize("line", [line for line, _ in WHOLE] + DOUBTFUL)
def test_no_word_is_lost_or_made_up(line: str) -> None:
    assert words(split(line).line) == words(line)


@pytest.mark.parametrize(
    "line", ["12 Garden Lane, Springfield, IL 62704", "100 Main St, Suite 5, New York, NY 10001"]
)
def test_an_address_put_together_is_the_one_taken_apart(line: str) -> None:
    assert split(line).line == line


def test_the_united_states_need_no_naming_and_spaces_do_not_matter() -> None:
    assert split("  12  Garden Lane ,Springfield,IL   62704 , USA ").line == "12 Garden Lane, Springfield, IL 62704"
