"""Orders that were worked on."""

import pytest
from flask import Flask

from app.container import Container
from tests.conftest import Api, develop, work
from tests.portal.orders.result_pages import Ordered
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
