"""What tests of staff's pages share."""

import pytest

from app.container import Container
from tests.portal.webhooks.hooking import faking
from tests.services.hooks import FakeTransport


@pytest.fixture
def transport(container: Container) -> FakeTransport:
    """A receiver of webhooks that answers as told."""
    return faking(container)
