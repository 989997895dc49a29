"""The service on several hosts, for tests that need it whichever lane they run in."""

from collections.abc import Iterator

import pytest

from tests.journeys import servers as shared
from tests.journeys.servers import SharedServers
from tests.journeys.service import Service


@pytest.fixture(scope="session")
def _several(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, servers: SharedServers
) -> Iterator[Service]:
    if shared.WANTED:
        # The journeys' own is on several hosts already.
        yield request.getfixturevalue("whole_service")
        return
    with servers.service(tmp_path_factory.mktemp("hosts"), ALLOW_PRIVATE_WEBHOOKS="1") as service:
        yield service


@pytest.fixture
def hosts_service(_several: Service) -> Service:
    """The service on a host for web and two for workers, up."""
    _several.start()
    return _several
