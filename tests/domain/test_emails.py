"""Every mail there is: plain words in lines that travel as they are, whatever stands in them."""

import re
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from flask import Flask

from app.adapters.mail_message import Sender, compose
from app.domain import emails
from app.domain.emails import AskedPhoto, DecidedCounts
from app.domain.engines import NextEngine
from app.domain.mail_text import BASE_URL_PLACEHOLDER, one_line, render
from app.domain.sending import Email
from engine.types.outlook import HintPart

TO, SECRET = "pat@example.com", "s" * 43
BASE = "https://photos.brightlist.example"
URL = f"{BASE}/portal/sign-up/confirm/{SECRET}"
JOB, HOOK, PURCHASE = "job_" + "J" * 22, "whk_" + "W" * 22, "pur_" + "P" * 22
HOOKED = "https://agency.example/hooks/their-own-secret"
HOUSE = "12 Garden Lane, Springfield, IL 62704"
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
OLD = "0.13.0+0123abcd"
ACCOUNTS = [
    emails.confirm_address(TO, URL),
    emails.has_account(TO, "http://localhost:8000/sign-in", "http://localhost:8000/reset"),
    emails.choose_password(TO, f"http://localhost:8000/reset/{SECRET}"),
    emails.password_changed(TO),
    emails.new_address(TO, f"http://localhost:8000/new-address/{SECRET}"),
    emails.new_address_taken(TO),
    emails.address_changing(TO, "new@example.com"),
    emails.two_factor(TO, on=True),
    emails.two_factor(TO, on=False),
    emails.recovery_code_used(TO, 0),
    emails.account_deleted(TO),
    emails.stable_engine_announced(TO, OLD, NextEngine("0.14.0+3f9a2c1b", NOW)),
    emails.stable_engine_withdrawn(TO, OLD, NextEngine("0.14.0+3f9a2c1b", NOW)),
    emails.stable_engine_removed(TO, OLD, "0.14.0+3f9a2c1b"),
]
NOTICES = [
    emails.order_ready(TO, JOB, HOUSE, DecidedCounts(1, 2, 4, Decimal(5))),
    emails.order_undeliverable(TO, JOB, HOUSE, "No usable results. a.jpg: too dark.", Decimal(6)),
    emails.order_failed(TO, JOB, HOUSE, "Processing failed for every photo.", Decimal(1)),
    emails.low_balance(TO, Decimal("4.5"), Decimal(5)),
    emails.receipt(TO, PURCHASE, 17, Decimal(50), 55_00),
    emails.webhook_fails(TO, HOOK, HOOKED, 3, "Answered 500."),
    emails.webhook_off(TO, HOOK, HOOKED, "The receiver answered 410 Gone."),
    emails.new_sign_in(TO, "Firefox on Windows", "192.0.2.7", NOW),
    emails.client_answered(TO, JOB, HOUSE, False, "Kim Owner", "The kitchen a little brighter, please."),
    emails.client_commented(TO, JOB, HOUSE),
    emails.order_cancelled(TO, JOB, HOUSE, Decimal(6)),
    emails.order_cancelled_partly(TO, JOB, HOUSE, 2, 1, Decimal(1)),
]
EVERY = [*ACCOUNTS, *NOTICES]
EVIL = (
    f"<script>alert(1)</script>\r\nBcc: x@evil.example\x00 {BASE_URL_PLACEHOLDER}/account/delete"
    + ' \ud800 =?utf-8?q?x?= "; '
    + "ü" * 9000
)
ASKED = [AskedPhoto("pho_1", EVIL, HintPart.FLOOR)]
HOSTILE = [
    emails.order_ready(TO, JOB, EVIL, DecidedCounts(3, 0, 3, Decimal("0.5")), ASKED),
    emails.order_undeliverable(TO, JOB, EVIL, EVIL, Decimal(1)),
    emails.order_cancelled(TO, JOB, EVIL, Decimal(1)),
    emails.order_cancelled_partly(TO, JOB, EVIL, 1, 2, Decimal(1)),
    emails.order_failed(TO, JOB, EVIL, EVIL, Decimal(1)),
    emails.client_answered(TO, JOB, EVIL, True, EVIL, EVIL),
    emails.client_commented(TO, JOB, EVIL),
    emails.webhook_fails(TO, HOOK, f"https://{EVIL}/", 1, EVIL),
    emails.webhook_off(TO, HOOK, HOOKED, EVIL),
    emails.new_sign_in(TO, EVIL, EVIL, NOW),
    emails.address_changing(TO, EVIL),
]


def sent(email: Email) -> Email:
    """As it leaves."""
    return Email(email.to, email.subject, render(email.text, BASE))


def message(email: Email):
    return compose(sent(email), Sender("Brightlist <no-reply@localhost>"), "mai_1", NOW)


def links(email: Email) -> list[str]:
    return re.findall(r"https?://\S+", sent(email).text)


@pytest.mark.parametrize("email", EVERY, ids=lambda email: email.subject)
def test_every_link_stands_whole_on_a_line_of_its_own_even_in_a_file(email: Email) -> None:
    raw = message(email).as_bytes().decode()
    assert "Content-Transfer-Encoding: 7bit" in raw
    assert {*links(email)} <= {*raw.splitlines()}


@pytest.mark.parametrize("email", [*EVERY, *HOSTILE], ids=lambda email: email.subject[:40])
def test_lines_are_short(email: Email) -> None:
    lines = [line for line in sent(email).text.splitlines() if line not in links(email)]
    assert [line for line in lines if len(line) > 72] == []


@pytest.mark.parametrize("email", NOTICES, ids=lambda email: email.subject)
def test_a_notice_leads_to_the_page_it_is_about_and_to_its_switch(email: Email, app: Flask) -> None:
    about, switch = links(email)
    assert email.text.splitlines()[-1] == BASE_URL_PLACEHOLDER + "/account/notifications"
    assert switch == f"{BASE}/account/notifications"
    adapter = app.url_map.bind("photos.brightlist.example")
    for link in (about, switch):
        assert adapter.match(link.removeprefix(BASE), method="GET")


@pytest.mark.parametrize("email", ACCOUNTS, ids=lambda email: email.subject)
def test_what_keeps_an_account_safe_cannot_be_switched_off(email: Email) -> None:
    assert "/account/notifications" not in email.text


@pytest.mark.parametrize("email", HOSTILE, ids=lambda email: email.subject[:40])
def test_what_others_wrote_makes_no_header_no_link_and_no_huge_email(email: Email) -> None:
    made = message(email)
    assert {*made.keys()} >= {"From", "To", "Subject"}
    assert "Bcc" not in made
    assert made["To"] == TO
    assert f"{BASE}/account/delete" not in sent(email).text
    assert made.get_content_type() == "text/plain"
    assert len(email.text) < 3000
    assert not {"\r", "\x00", "\ud800"} & {*email.text}


def test_the_mark_for_our_own_address_comes_through_no_line() -> None:
    assert one_line(f"a{BASE_URL_PLACEHOLDER}b") == "a b"
    assert render(f"{BASE_URL_PLACEHOLDER}/x", "http://localhost:8000/") == "http://localhost:8000/x"


def test_the_path_of_a_receiver_stays_out_of_mail() -> None:
    for email in NOTICES[5:7]:
        assert "their-own-secret" not in email.text + email.subject
        assert "agency.example" in email.text


def test_a_refund_a_balance_and_a_price_are_told_exactly() -> None:
    assert "Refunded to your balance: 6 credits" in " ".join(NOTICES[1].text.split())
    assert "Refunded to your balance: 1 credit" in " ".join(NOTICES[2].text.split())
    assert NOTICES[3].subject == "Your balance is low: 4.5 credits"
    assert "below 5 credits" in " ".join(NOTICES[3].text.split())
    assert "50 credits for $55.00" in " ".join(NOTICES[4].text.split())


def test_a_new_sign_in_is_told_with_browser_address_and_time() -> None:
    text = " ".join(NOTICES[7].text.split())
    assert "Firefox on Windows from the address 192.0.2.7, on Nov 20, 2026, 12:00 UTC." in text
    assert "address" not in emails.new_sign_in(TO, "Firefox on Windows", "", NOW).text


@pytest.mark.parametrize(("left", "words"), [(9, "9 are left"), (1, "One is left"), (0, "None is left")])
def test_what_is_left_of_the_recovery_codes_is_said(left: int, words: str) -> None:
    assert words in emails.recovery_code_used(TO, left).text


def test_how_long_a_link_holds_is_said() -> None:
    assert "valid for 3 days" in EVERY[0].text
    assert "valid for one hour" in EVERY[2].text
    assert "valid for 24 hours" in EVERY[4].text
