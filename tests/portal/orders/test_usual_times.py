"""How long an order will take stands beside its progress, and the balance beside the price of a new one."""

import pytest
from flask import Flask

from app.container import Container
from app.services.orders.durations import ENOUGH
from tests.conftest import PHOTO, Api, work
from tests.portal.orders.wizard import at_enhancements, at_photos, at_service
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.services.orders.test_durations import record


@pytest.fixture
def api(person: Person, app: Flask, container: Container) -> Api:
    return api_of(person, app, container)


def test_an_order_under_way_says_how_long_such_orders_took_lately(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert "Usually done" not in person.open(f"/orders/{job_id}").text
    for _ in range(ENOUGH):
        record(container, api, minutes=3)
    assert "Usually done in about 3 minutes." in person.open(f"/orders/{job_id}").text
    assert "Usually done in about 3 minutes." in person.fragment(f"/properties/{job_id}/news").text


def test_an_order_that_is_done_says_nothing_of_that(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    for _ in range(ENOUGH):
        record(container, api, minutes=3)
    assert "Usually done" not in person.open(f"/orders/{job_id}").text


def test_the_balance_stands_beside_the_price(person: Person) -> None:
    for step, part in ((at_service, ".price-line"), (at_photos, "#basket"), (at_enhancements, "#basket")):
        line = step(person).html.select_one(part).text
        assert "Your balance: 100.0 credits" in " ".join(line.split())
