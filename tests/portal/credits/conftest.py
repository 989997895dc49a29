"""A customer with a program, and where they pay."""

import pytest
from flask import Flask

from app.container import Container
from tests.conftest import Api
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.services.purchasing import FakePayments


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    """A program of the signed-in customer."""
    return api_of(person, app, container)


@pytest.fixture
def payments(container: Container) -> FakePayments:
    """A provider of payments that does as told."""
    container.payments = FakePayments()
    return container.payments
