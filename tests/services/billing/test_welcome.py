"""Credits to try the service with: once for each person, however often they sign up."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from app.container import Container
from app.services.accounts import accounts
from app.services.billing import credits, welcome

THREE = Decimal(3)


def newcomer(container: Container, email: str, gift: Decimal = THREE) -> tuple[bool, Decimal]:
    """Somebody whose e-mail is confirmed: whether they are given something, and what they have then."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock())
        given = welcome.give(session, member.user, gift, container.clock())
        return given, credits.balance(session, member.organisation_id)


def test_whoever_is_new_has_credits_to_try_it_with(container: Container) -> None:
    assert newcomer(container, "pat@example.com") == (True, THREE)
    assert newcomer(container, "kim@example.com") == (True, THREE)


def test_nobody_gets_any_where_the_operator_gives_none(container: Container) -> None:
    assert newcomer(container, "pat@example.com", Decimal(0)) == (False, Decimal(0))
    assert newcomer(container, "pat+1@example.com") == (True, THREE), "nothing was used up"


@pytest.mark.parametrize("again", ["pat+two@example.com", "p.a.t@googlemail.com", "PAT+x@gmail.com"])
def test_one_inbox_gets_them_once_whatever_it_is_called(container: Container, again: str) -> None:
    first = "pat@example.com" if again.endswith("example.com") else "pat@gmail.com"
    assert newcomer(container, first) == (True, THREE)
    assert newcomer(container, again) == (False, Decimal(0))


def test_of_two_accounts_of_one_inbox_confirmed_at_once_one_gets_them(container: Container) -> None:
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda number: newcomer(container, f"pat+{number}@example.com"), range(4)))
    assert sorted(found) == [(False, Decimal(0))] * 3 + [(True, THREE)]
