"""Credits to try the service with: once for each person, however often they sign up."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from app.container import Container
from app.domain.welcome import find_own_domain
from app.services.accounts import accounts
from app.services.billing import credits, welcome
from tests.fakes import FakeClock

THREE = Decimal(3)


def newcomer(container: Container, email: str, gift: Decimal = THREE) -> tuple[bool, Decimal]:
    """Somebody whose e-mail is confirmed: whether they are given something, and what they have then."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock())
        given = welcome.give(session, member.user, gift, container.clock())
        return given, credits.balance(session, member.organization_id)


def test_whoever_is_new_has_credits_to_try_it_with(container: Container) -> None:
    assert newcomer(container, "pat@gmail.com") == (True, THREE)
    assert newcomer(container, "kim@gmail.com") == (True, THREE)


def test_nobody_gets_any_where_the_operator_gives_none(container: Container) -> None:
    assert newcomer(container, "pat@example.com", Decimal(0)) == (False, Decimal(0))
    assert newcomer(container, "pat+1@example.com") == (True, THREE), "nothing was used up"


@pytest.mark.parametrize(
    "again",
    [
        *("pat+two@outlook.com", "p.a.t@googlemail.com", "PAT+x@gmail.com"),
        *("\uff50at@outlook.com", "p\u200bat@outlook.com", "pa\u00adt@outlook.com", "PAT\u2060@outlook.com"),
    ],
)
def test_one_inbox_gets_them_once_whatever_it_is_called(container: Container, again: str) -> None:
    first = "pat@outlook.com" if again.endswith("outlook.com") else "pat@gmail.com"
    assert newcomer(container, first) == (True, THREE)
    assert newcomer(container, again) == (False, Decimal(0))


def test_of_two_accounts_of_one_inbox_confirmed_at_once_one_gets_them(container: Container) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda number: newcomer(container, f"pat+{number}@example.com"), range(4)))
    assert sorted(found) == [(False, Decimal(0))] * 3 + [(True, THREE)]


def test_accents_count_as_one_letter_however_they_are_written(container: Container) -> None:
    assert newcomer(container, "ren\u00e9e@outlook.com") == (True, THREE)
    assert newcomer(container, "rene\u0301e@outlook.com") == (False, Decimal(0))


@pytest.mark.parametrize("again", ["kim@agency.example", "kim@mail.agency.example"])
def test_a_domain_of_ones_own_gets_them_once_a_day(container: Container, clock: FakeClock, again: str) -> None:
    assert newcomer(container, "pat@agency.example") == (True, THREE)
    assert newcomer(container, again) == (False, Decimal(0))
    assert newcomer(container, "pat@studio.example") == (True, THREE)
    clock.pass_(days=1)
    assert newcomer(container, f"x{again}") == (True, THREE)


@pytest.mark.parametrize(
    ("inbox", "own"),
    [
        ("pat@gmail.com", None),
        ("pat@yahoo.co.uk", None),
        ("pat@agency.co.uk", "agency.co.uk"),
        ("pat@x.y.agency.com", "agency.com"),
        ("pat@agency.de", "agency.de"),
        ("pat@localhost", "localhost"),
    ],
)
def test_a_domain_is_ones_own_unless_many_have_their_mail_there(inbox: str, own: str | None) -> None:
    assert find_own_domain(inbox) == own


def test_no_more_than_so_many_accounts_get_them_in_an_hour(
    container: Container, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, caplog
) -> None:
    monkeypatch.setattr("app.domain.welcome.MAX_GIFTS_PER_HOUR", 2)
    given = [newcomer(container, f"{name}@gmail.com")[0] for name in ("pat", "kim", "jo")]
    assert given == [True, True, False]
    assert "no welcome credits" in caplog.text
    clock.pass_(hours=1)
    assert newcomer(container, "rae@gmail.com") == (True, THREE)
