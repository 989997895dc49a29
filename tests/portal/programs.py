"""A person's own program: places orders for their account without the wizard."""

from flask import Flask

from app.container import Container
from app.services.security import api_keys
from tests.conftest import Api
from tests.portal.person import Person


def api_of(person: Person, app: Flask, container: Container) -> Api:
    """A client of the API for the person's account."""
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, person.account_id, container.clock())
    return Api(app.test_client(), person.account_id, secret)
