"""People at browsers: they open pages, fill in forms and press buttons; every page they see is audited."""

from collections.abc import Callable

import pytest
from flask import Flask

from app.container import Container
from tests import beginnings
from tests.beginnings import Known, Who
from tests.portal.person import Person

NewPerson = Callable[..., Person]


@pytest.fixture
def new_person(app: Flask, container: Container) -> NewPerson:
    """new_person(email, amount="100", staff=False) -> a signed-in person with an account of their own."""

    def make(email: str, amount: str = "100", staff: bool = False) -> Person:
        who = Who(email, amount, staff, signs_in=True)
        return beginnings.make(app, container, who).person(app)

    return make


@pytest.fixture
def person(app: Flask, pat: Known) -> Person:
    """A signed-in customer with 100 credits."""
    return pat.person(app)


@pytest.fixture
def stranger(app: Flask) -> Person:
    """Somebody who is not signed in."""
    return Person(app)


@pytest.fixture
def reviewer(app: Flask, rae: Known) -> Person:
    """A signed-in member of staff."""
    return rae.person(app)
