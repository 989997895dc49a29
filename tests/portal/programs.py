"""A person's own program: places orders for their account without the wizard."""

from flask import Flask

from app.container import Container
from app.services.security import api_keys
from tests import replays
from tests.conftest import Api
from tests.portal.person import Person


def api_of(person: Person, app: Flask, container: Container) -> Api:
    """A client of the API for the person's account."""

    def begin() -> str:
        with container.database.unit_of_work() as session:
            return api_keys.create(session, person.account_id, container.clock())[1]

    secret = replays.replayed(container, ("key", person.account_id), begin, alone=True)
    return Api(app.test_client(), person.account_id, secret)
