"""How pages say amounts, moments and states."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from app.domain.lifecycle import Status
from app.portal import figures, words
from app.portal.reviews import words as review_words

AT = datetime(2026, 11, 21, 16, 2, 3, 123456, timezone(timedelta(hours=2)))


@pytest.mark.parametrize("say", [words.moment, review_words.write_time])
def test_a_moment_is_one_that_html_knows(say: Callable[[datetime], str]) -> None:
    assert re.search(r'datetime="2026-11-21T\d\d:02:03\+0\d:00"', say(AT))


def test_a_moment_is_told_in_utc_with_its_zone() -> None:
    assert "Nov 21, 2026, 14:02 UTC" in words.moment(AT)
    assert "14:02 UTC" in review_words.write_time(AT.astimezone(UTC))


@pytest.mark.parametrize(
    ("value", "told"),
    [("6", "6"), ("0.5", "0.5"), ("12.25", "12.25"), ("0", "0"), ("1000", "1,000"), ("100", "100")],
)
def test_credits_have_no_more_decimals_than_they_need(value: str, told: str) -> None:
    assert words.amount(Decimal(value)) == told


def test_one_credit_is_told_apart_from_many() -> None:
    assert (words.credits_(Decimal(1)), words.credits_(Decimal(2))) == ("1 credit", "2 credits")


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 kB"), (7, "1 kB"), (12_400_000, "12.4 MB"), (2_000_000, "2 MB"), (50 * 10**9, "50 GB")],
)
def test_a_size_has_no_more_decimals_than_it_needs(count: int, told: str) -> None:
    assert words.size(count) == told


@pytest.mark.parametrize(
    ("value", "told"), [(0.0, "0"), (-0.04, "0"), (0.26, "0.3"), (1.96, "2"), (9.5, "9.5"), (57.6, "58")]
)
def test_a_measured_figure_has_a_decimal_only_where_it_needs_one(value: float, told: str) -> None:
    assert (figures.format_number(value), figures.format_percent(value / 100)) == (told, f"{told} %")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("https://a.example", "https://a.example"),
        ("https://a.example/x/y", "https://a.example/<wbr>x/<wbr>y"),
        ("https://a.example/<b>/&", "https://a.example/<wbr>&lt;b&gt;/<wbr>&amp;"),
        ("none", "none"),
    ],
)
def test_an_address_breaks_after_the_slashes_of_its_path_and_nothing_in_it_is_markup(
    address: str, told: str
) -> None:
    assert words.breakable(address) == told


def test_every_state_has_its_word_its_color_and_its_meaning() -> None:
    assert set(words.STATUS_WORDS) == set(Status)
    assert len({word.label for word in words.STATUS_WORDS.values()}) == len(Status)
    assert {word.tone for word in words.STATUS_WORDS.values()} <= {"quiet", "busy", "good", "bad", "warn"}
    assert all(word.meaning for word in words.STATUS_WORDS.values())


@pytest.mark.parametrize(
    ("cents", "told"), [(1200, "$12.00"), (5, "$0.05"), (-250, "-$2.50"), (123456789, "$1,234,567.89")]
)
def test_money_is_told_to_the_cent(cents: int, told: str) -> None:
    assert words.money(cents) == told
