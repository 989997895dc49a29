"""Orders that were worked on."""

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from tests.conftest import Api, develop, look, work
from tests.portal.orders.hint_desk import Reader, url
from tests.portal.orders.result_pages import Ordered
from tests.portal.orders.wizard import at_enhancements, board_of, tick
from tests.portal.person import Person
from tests.portal.programs import api_of


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    """A program of the signed-in customer."""
    return api_of(person, app, container)


@pytest.fixture
def ordered(api: Api, container: Container) -> Ordered:
    """ordered(previews=True, **order) -> the id of an order that was worked on."""

    def make(previews: bool = True, **order) -> str:
        job_id = api.order(**order)["jobId"]
        work(container)
        if previews:
            develop(container)
        return job_id

    return make


@pytest.fixture
def reader(container: Container) -> Reader:
    container.outlooks = reader = Reader()
    return reader


@pytest.fixture
def asked(person: Person, container: Container, reader: Reader) -> TestResponse:
    """The first question about a room that is to be staged, after workers looked at it."""
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    person.send(form)
    develop(container)
    person.open(board_of(person, container))
    look(container)
    return person.open(url(container))
