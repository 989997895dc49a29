"""Browsers that an account was signed in from: told by what they say of themselves and by their network."""

import re
from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.actors import Browser
from app.domain.errors import Suspended
from app.models import KnownBrowser, Mail, Organization, SignIn, User
from app.services.accounts import accounts
from app.services.security import known_browsers, sign_ins
from tests import acts, reading
from tests.fakes import FakeClock
from tests.services.security.test_key_rotation import at_once

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
LATER_FIREFOX = FIREFOX.replace("140", "141")
CHROME = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36"
)
HOME = Browser(FIREFOX, "192.0.2.7")


@pytest.fixture
def account_id(container: Container) -> str:
    with container.database.unit_of_work() as session:
        return accounts.create(session, "a@example.com", container.clock()).user_id


def sign_in(container: Container, account_id: str, browser: Browser) -> None:
    with container.database.unit_of_work() as session:
        sign_ins.begin(session, account_id, browser, container.clock(), timedelta(hours=1))


def told(container: Container) -> list[str]:
    return reading.found(container, select(Mail.subject).order_by(Mail.created_at, Mail.id))


def test_the_very_first_sign_in_is_told_to_nobody(container: Container, account_id: str) -> None:
    sign_in(container, account_id, HOME)
    assert told(container) == []


@pytest.mark.parametrize(
    "same",
    [
        HOME,
        Browser(LATER_FIREFOX, HOME.address),
        Browser(FIREFOX, "192.0.2.250"),
        Browser(FIREFOX, "::ffff:192.0.2.9"),
    ],
)
def test_a_browser_is_known_again_after_an_update_and_within_its_network(
    container: Container, account_id: str, same: Browser
) -> None:
    sign_in(container, account_id, HOME)
    sign_in(container, account_id, same)
    assert told(container) == []


@pytest.mark.parametrize(
    "other",
    [
        Browser(CHROME, HOME.address),
        Browser(FIREFOX, "192.0.3.7"),
        Browser("", ""),
        Browser(FIREFOX, "2001:db8::1"),
    ],
)
def test_another_browser_or_network_is_told_once(container: Container, account_id: str, other: Browser) -> None:
    sign_in(container, account_id, HOME)
    sign_in(container, account_id, other)
    sign_in(container, account_id, other)
    (subject,) = told(container)
    assert subject.startswith("New sign-in: ")


def test_an_ipv6_network_is_one_of_48_bits(container: Container, account_id: str) -> None:
    for address, mails in (("2001:db8:1:1::1", 0), ("2001:db8:1:ffff::2", 0), ("2001:db8:2::1", 1)):
        sign_in(container, account_id, Browser(FIREFOX, address))
        assert len(told(container)) == mails


def test_a_browser_is_forgotten_after_ninety_days_and_an_old_account_is_still_told(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    sign_in(container, account_id, HOME)
    clock.pass_(days=90, seconds=-1)
    container.sweep.forget_known_browsers()
    sign_in(container, account_id, HOME)
    assert told(container) == []
    clock.pass_(days=90)
    container.sweep.forget_known_browsers()
    sign_in(container, account_id, HOME)
    assert len(told(container)) == 1, "nobody would know of a thief who comes after a long absence"


def test_what_is_kept_says_neither_browser_nor_address(container: Container, account_id: str) -> None:
    sign_in(container, account_id, HOME)
    kept = reading.found(container, select(KnownBrowser.digest))
    assert [bool(re.fullmatch("[0-9a-f]{64}", each)) for each in sorted(kept)] == [False, True]
    assert sorted(kept)[0] == "", "only that the account was used at all"


def test_two_sign_ins_at_once_from_one_new_browser_both_succeed_and_one_is_told(
    container: Container, account_id: str
) -> None:
    sign_in(container, account_id, HOME)
    other = Browser(CHROME, "198.51.100.1")
    came = at_once(*[lambda: sign_in(container, account_id, other)] * 3)
    assert came == [None] * 3
    assert len(told(container)) == 1


def test_nobody_signs_in_to_a_suspended_account_and_its_sign_ins_open_nothing(
    container: Container, account_id: str
) -> None:
    with container.database.unit_of_work() as session:
        secret = sign_ins.begin(session, account_id, HOME, container.clock(), timedelta(hours=1))
        session.get_one(Organization, account_id).suspended_at = container.clock()
    with container.database.read_connection() as connection:
        assert sign_ins.recognize(connection, secret, container.clock()) is None
    with pytest.raises(Suspended):
        sign_in(container, account_id, Browser(CHROME, "198.51.100.1"))
    assert reading.count(container, SignIn) == 1
    assert told(container) == []


def test_a_deleted_account_keeps_no_browser(container: Container, account_id: str) -> None:
    sign_in(container, account_id, HOME)
    acts.delete_account(container, account_id)
    assert reading.found(container, select(KnownBrowser)) == []


def test_they_are_forgotten_batch_by_batch(
    container: Container, account_id: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_browsers, "BATCH", 2)
    for number in range(3):
        sign_in(container, account_id, Browser(FIREFOX, f"10.0.{number}.1"))
    clock.pass_(days=90)

    def forgotten() -> int:
        with container.database.unit_of_work() as session:
            return known_browsers.forget(session, clock())

    assert [forgotten(), forgotten(), forgotten()] == [2, 1, 0]


def trusted(container: Container, account_id: str, secret: str) -> bool:
    with container.database.read_session() as session:
        return known_browsers.is_trusted(session, session.get(User, account_id), secret)


def test_an_account_knows_the_secret_of_a_browser_and_keeps_only_its_digest(
    container: Container, account_id: str
) -> None:
    with container.database.unit_of_work() as session:
        other = accounts.create(session, "b@example.com", container.clock()).user_id
    sign_in(container, account_id, Browser(FIREFOX, "192.0.2.7", "a secret"))
    assert trusted(container, account_id, "a secret")
    assert not trusted(container, account_id, "another secret")
    assert not trusted(container, other, "a secret")
    assert not trusted(container, "acc_nobody", "a secret")
    assert "a secret" not in " ".join(reading.found(container, select(KnownBrowser.digest)))


def test_of_two_sign_ins_of_one_browser_at_once_both_succeed(container: Container, account_id: str) -> None:
    browser = Browser(FIREFOX, "192.0.2.7", "a secret")
    assert at_once(*[lambda: sign_in(container, account_id, browser)] * 3) == [None] * 3
    assert trusted(container, account_id, "a secret")


def test_a_browser_is_trusted_90_days_after_it_was_last_there(
    container: Container, account_id: str, clock: FakeClock
) -> None:
    browser = Browser(FIREFOX, "192.0.2.7", "a secret")
    for _ in range(2):
        sign_in(container, account_id, browser)
        clock.pass_(days=89)
        container.sweep.forget_sign_ins()
        with container.database.unit_of_work() as session:
            known_browsers.forget(session, clock())
        assert trusted(container, account_id, "a secret")
    clock.pass_(days=1)
    with container.database.unit_of_work() as session:
        known_browsers.forget(session, clock())
    assert not trusted(container, account_id, "a secret")
