"""People at browsers: they open pages, fill in forms and press buttons; every page they see is audited."""

from collections.abc import Callable, Mapping
from decimal import Decimal

import pytest
from flask import Flask

from app.container import Container
from app.services.accounts import accounts
from app.services.billing import credits
from tests import replays
from tests.portal.person import PASSWORD, Person

NewPerson = Callable[..., Person]


@pytest.fixture
def new_person(app: Flask, container: Container) -> NewPerson:
    """new_person(email, amount="100", staff=False) -> a signed-in person with an account of their own."""

    def make(email: str, amount: str = "100", staff: bool = False) -> Person:
        begun = replays.replayed(
            container,
            ("person", email, amount, staff),
            lambda: _begin(app, container, email, Decimal(amount), staff),
            alone=True,
        )
        return Person(app, email, *begun[:2]).with_cookies(begun[2])

    return make


def _begin(
    app: Flask, container: Container, email: str, amount: Decimal, staff: bool
) -> tuple[str, str, Mapping[str, str]]:
    """A new account, and a browser that is signed in: ids of account and user, cookies."""
    with container.database.unit_of_work() as session:
        member = accounts.create(session, email, container.clock(), name="Jo Agent", password=PASSWORD, staff=staff)
        if amount:
            credits.grant(session, member.organisation_id, amount, "Opening balance", container.clock())
    person = Person(app, email, member.organisation_id, member.user_id)
    return person.account_id, person.user_id, person.begin_signed_in()


@pytest.fixture
def person(new_person: NewPerson) -> Person:
    """A signed-in customer with 100 credits."""
    return new_person("pat@example.com")


@pytest.fixture
def stranger(app: Flask) -> Person:
    """Somebody who is not signed in."""
    return Person(app)


@pytest.fixture
def reviewer(new_person: NewPerson) -> Person:
    """A signed-in member of staff."""
    return new_person("rae@example.com", "0", staff=True)
