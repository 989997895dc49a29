"""A shop whose provider does as told."""

import pytest

from app.container import Container
from tests.services.purchasing import Shop, opened


@pytest.fixture
def shop(container: Container) -> Shop:
    """A shop whose buyer has no credits."""
    return opened(container)
