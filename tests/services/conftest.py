"""What tests of services share."""

import pytest

from app.container import Container
from tests.services.hooks import FakeTransport


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    container.transport = FakeTransport()
    return container.transport
