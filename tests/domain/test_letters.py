"""Every mail there is: plain words in lines that travel as they are, whatever stands in them."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from flask import Flask

from app.adapters.mail_message import Sender, compose
from app.domain import letters
from app.domain.mail_text import HERE, one_line, written_out
from app.domain.sending import Letter

TO, SECRET = "pat@example.com", "s" * 43
BASE = "https://photos.brightlist.example"
URL = f"{BASE}/portal/sign-up/confirm/{SECRET}"
JOB, HOOK, PURCHASE = "job_" + "J" * 22, "whk_" + "W" * 22, "pur_" + "P" * 22
HOOKED = "https://agency.example/hooks/their-own-secret"
HOUSE = "12 Garden Lane, Springfield, IL 62704"
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
ACCOUNTS = [
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
NOTICES = [
    letters.order_ready(TO, JOB, HOUSE),
    letters.order_undeliverable(TO, JOB, HOUSE, "No usable results. a.jpg: too dark.", Decimal(6)),
    letters.order_failed(TO, JOB, HOUSE, "Processing failed for every photo.", Decimal(1)),
    letters.low_balance(TO, Decimal("4.5"), Decimal(5)),
    letters.receipt(TO, PURCHASE, 17, Decimal(50), 55_00),
    letters.webhook_fails(TO, HOOK, HOOKED, 3, "Answered 500."),
    letters.webhook_off(TO, HOOK, HOOKED, "The receiver answered 410 Gone."),
    letters.new_sign_in(TO, "Firefox on Windows", "192.0.2.7", NOW),
]
EVERY = [*ACCOUNTS, *NOTICES]
EVIL = (
    f'<script>alert(1)</script>\r\nBcc: x@evil.example\x00 {HERE}/account/delete \ud800 =?utf-8?q?x?= "; '
    + "ü" * 9000
)
HOSTILE = [
    letters.order_ready(TO, JOB, EVIL),
    letters.order_undeliverable(TO, JOB, EVIL, EVIL, Decimal(1)),
    letters.order_failed(TO, JOB, EVIL, EVIL, Decimal(1)),
    letters.webhook_fails(TO, HOOK, f"https://{EVIL}/", 1, EVIL),
    letters.webhook_off(TO, HOOK, HOOKED, EVIL),
    letters.new_sign_in(TO, EVIL, EVIL, NOW),
    letters.address_changing(TO, EVIL),
]


def sent(letter: Letter) -> Letter:
    """As it leaves."""
    return Letter(letter.to, letter.subject, written_out(letter.text, BASE))


def message(letter: Letter):
    return compose(sent(letter), Sender("Brightlist <no-reply@localhost>"), "mai_1", NOW)


def links(letter: Letter) -> list[str]:
    return re.findall(r"https?://\S+", sent(letter).text)


@pytest.mark.parametrize("letter", EVERY, ids=lambda letter: letter.subject)
def test_every_link_stands_whole_on_a_line_of_its_own_even_in_a_file(letter: Letter) -> None:
    raw = message(letter).as_bytes().decode()
    assert "Content-Transfer-Encoding: 7bit" in raw
    assert {*links(letter)} <= {*raw.splitlines()}


@pytest.mark.parametrize("letter", [*EVERY, *HOSTILE], ids=lambda letter: letter.subject[:40])
def test_lines_are_short(letter: Letter) -> None:
    lines = [line for line in sent(letter).text.splitlines() if line not in links(letter)]
    assert [line for line in lines if len(line) > 72] == []


@pytest.mark.parametrize("letter", NOTICES, ids=lambda letter: letter.subject)
def test_a_notice_leads_to_the_page_it_is_about_and_to_its_switch(letter: Letter, app: Flask) -> None:
    about, switch = links(letter)
    assert letter.text.splitlines()[-1] == HERE + "/account/notifications"
    assert switch == f"{BASE}/account/notifications"
    adapter = app.url_map.bind("photos.brightlist.example")
    for link in (about, switch):
        assert adapter.match(link.removeprefix(BASE), method="GET")


@pytest.mark.parametrize("letter", ACCOUNTS, ids=lambda letter: letter.subject)
def test_what_keeps_an_account_safe_cannot_be_switched_off(letter: Letter) -> None:
    assert "/account/notifications" not in letter.text


@pytest.mark.parametrize("letter", HOSTILE, ids=lambda letter: letter.subject[:40])
def test_what_others_wrote_makes_no_header_no_link_and_no_huge_letter(letter: Letter) -> None:
    made = message(letter)
    assert {*made.keys()} >= {"From", "To", "Subject"}
    assert "Bcc" not in made
    assert made["To"] == TO
    assert f"{BASE}/account/delete" not in sent(letter).text
    assert made.get_content_type() == "text/plain"
    assert len(letter.text) < 3000
    assert not {"\r", "\x00", "\ud800"} & {*letter.text}


def test_the_mark_for_our_own_address_comes_through_no_line() -> None:
    assert one_line(f"a{HERE}b") == "a b"
    assert written_out(f"{HERE}/x", "http://localhost:8000/") == "http://localhost:8000/x"


def test_the_path_of_a_receiver_stays_out_of_mail() -> None:
    for letter in NOTICES[5:7]:
        assert "their-own-secret" not in letter.text + letter.subject
        assert "agency.example" in letter.text


def test_a_refund_a_balance_and_a_price_are_told_exactly() -> None:
    assert "6.0 credits went back" in NOTICES[1].text
    assert "1.0 credit went back" in " ".join(NOTICES[2].text.split())
    assert NOTICES[3].subject == "Your balance is low: 4.5 credits"
    assert "below 5.0 credits" in " ".join(NOTICES[3].text.split())
    assert "50.0 credits for $55.00" in " ".join(NOTICES[4].text.split())


def test_a_new_sign_in_is_told_with_browser_address_and_time() -> None:
    text = " ".join(NOTICES[7].text.split())
    assert "Firefox on Windows from the address 192.0.2.7, on 20 Nov 2026, 12:00 UTC." in text
    assert "address" not in letters.new_sign_in(TO, "Firefox on Windows", "", NOW).text


@pytest.mark.parametrize(("left", "words"), [(9, "9 are left"), (1, "One is left"), (0, "None is left")])
def test_what_is_left_of_the_recovery_codes_is_said(left: int, words: str) -> None:
    assert words in letters.recovery_code_used(TO, left).text


def test_how_long_a_link_holds_is_said() -> None:
    assert "holds 3 days" in EVERY[0].text
    assert "holds one hour" in EVERY[2].text
    assert "holds 24 hours" in EVERY[4].text
