"""A running service for each journey."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.service import Service


@pytest.fixture
def service(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Service]:
    """The whole service, started; whatever the test does to it, nothing of it outlives the test."""
    service = Service(tmp_path, **getattr(request, "param", {}))
    try:
        service.start()
        yield service
    finally:
        service.kill_everything()
