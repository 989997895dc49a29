"""What people may be called and where mail reaches them."""

import pytest

from app.domain import people
from app.domain.errors import InvalidRequest


def test_a_name_is_one_clean_line() -> None:
    assert people.name("  Zoë\t van   der\nBerg ") == "Zoë van der Berg"
    assert people.name("x" * 200) == "x" * 200


@pytest.mark.parametrize("text", ["x" * 10_000, "a\x00b", "a\ud800b", "a\x1bb"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        people.name(text)


def test_an_address_is_kept_in_small_letters() -> None:
    assert people.email(" Pat.Agent@Example.COM ") == "pat.agent@example.com"


NO_ADDRESSES = [
    *("", "pat", "@example.com", "pat@", "p at@example.com", "pat@exa mple.com", "a@b@c", "pat@example..com"),
    *("x" * 10_000 + "@example.com", "pat\x00@example.com", "pat\ud800@example.com", "p@example.com\r\nBcc: x@y.z"),
]


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        people.email(text)


@pytest.mark.parametrize(
    ("address", "inbox"),
    [
        ("pat@example.com", "pat@example.com"),
        ("pat+houses@example.com", "pat@example.com"),
        ("p.a.t@example.com", "p.a.t@example.com"),
        ("P.a.t+1@gmail.com", "pat@gmail.com"),
        ("p.at@googlemail.com", "pat@gmail.com"),
    ],
)
def test_addresses_known_to_reach_one_inbox_have_one_spelling(address: str, inbox: str) -> None:
    assert people.inbox(address) == inbox
