"""Mail about accounts: plain words in lines that travel as they are."""

from datetime import UTC, datetime

import pytest

from app.adapters.mail_message import Sender, compose
from app.domain import letters
from app.domain.sending import Letter

TO, SECRET = "pat@example.com", "s" * 43
URL = f"https://photos.brightlist.example/portal/sign-up/confirm/{SECRET}"
EVERY = [
    letters.confirm_address(TO, URL),
    letters.has_account(TO, "http://localhost:8000/sign-in", "http://localhost:8000/reset"),
    letters.choose_password(TO, f"http://localhost:8000/reset/{SECRET}"),
    letters.password_changed(TO),
    letters.new_address(TO, f"http://localhost:8000/new-address/{SECRET}"),
    letters.new_address_taken(TO),
    letters.address_changing(TO, "new@example.com"),
    letters.two_factor(TO, on=True),
    letters.two_factor(TO, on=False),
    letters.recovery_code_used(TO, 0),
    letters.account_deleted(TO),
]


@pytest.mark.parametrize("letter", EVERY, ids=lambda letter: letter.subject)
def test_every_link_stands_whole_on_a_line_of_its_own_even_in_a_file(letter: Letter) -> None:
    raw = compose(letter, Sender("Brightlist <no-reply@localhost>"), "mai_1", datetime.now(UTC)).as_bytes().decode()
    assert "Content-Transfer-Encoding: 7bit" in raw
    links = [word for word in letter.text.split() if word.startswith("http")]
    assert set(links) <= set(raw.splitlines())


@pytest.mark.parametrize(("left", "words"), [(9, "9 are left"), (1, "One is left"), (0, "None is left")])
def test_what_is_left_of_the_recovery_codes_is_said(left: int, words: str) -> None:
    assert words in letters.recovery_code_used(TO, left).text


def test_how_long_a_link_holds_is_said() -> None:
    assert "holds 3 days" in EVERY[0].text
    assert "holds one hour" in EVERY[2].text
    assert "holds 24 hours" in EVERY[4].text
