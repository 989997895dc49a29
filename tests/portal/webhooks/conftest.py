"""A customer with a webhook, and its receiver."""

import pytest

from app.container import Container
from tests.portal.person import Person
from tests.portal.webhooks.hooking import faking, hook_of
from tests.services.hooks import FakeTransport


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    """A receiver that answers as told."""
    return faking(container)


@pytest.fixture
def hook(person: Person, container: Container, transport: FakeTransport) -> str:
    """A webhook of the customer."""
    return hook_of(person, container)
