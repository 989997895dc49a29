"""Test mode for tests: a client with a test key of somebody's account."""

from app.container import Container
from app.services import sandboxes
from app.services.security import api_keys
from tests.conftest import Api


def sandbox_of(container: Container, account_id: str) -> str:
    """The id of the account's sandbox."""
    with container.database.unit_of_work() as session:
        return sandboxes.get_or_create(session, account_id, container.clock()).id


def enter_test_mode(live: Api, container: Container) -> Api:
    """A client of the same account whose key is a test key."""
    sandbox_id = sandbox_of(container, live.account_id)
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, sandbox_id, container.clock())
    return Api(live.client, sandbox_id, secret)
