"""How long an order will take stands beside its progress, and the balance beside the price of a new one."""

from app.container import Container
from app.services.orders.durations import MIN_SIMILAR_ORDERS
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.orders.wizard import at_each, at_enhancements, at_photos, tick, with_address
from tests.portal.person import Person
from tests.services.orders.test_durations import record


def test_an_order_under_way_says_how_long_such_orders_took_lately(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    assert "Usually done" not in person.open(f"/orders/{job_id}").text
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=3)
    assert "Usually done in about 3 minutes." in person.open(f"/orders/{job_id}").text
    assert "Usually done in about 3 minutes." in person.fragment(f"/properties/{job_id}/news").text
    clock.pass_(minutes=2)
    assert "About 1 minute left." in person.fragment(f"/properties/{job_id}/news").text
    clock.pass_(minutes=2)
    assert "This order takes longer." in person.fragment(f"/properties/{job_id}/news").text


def test_an_order_that_is_done_says_nothing_of_that(person: Person, api: Api, container: Container) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=3)
    assert "Usually done" not in person.open(f"/orders/{job_id}").text


def test_before_ordering_the_basket_says_how_long_such_orders_took_lately(
    person: Person, api: Api, container: Container
) -> None:
    page = at_each(person, 2)
    assert page.html.select("#usual") == []
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=3, photos=2)
    address = page.request.path
    assert person.open(address).html.select_one("#basket #usual").text == "Usually done in about 3 minutes."
    form = page.forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    assert person.send(form).html.select("#usual") == [], "none of those had rooms to furnish"
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=9, rooms=True)
    assert "about 18 minutes" in person.open(address).html.select_one("#usual").text


def test_an_order_without_photos_foresees_nothing(person: Person, api: Api, container: Container) -> None:
    for _ in range(MIN_SIMILAR_ORDERS):
        record(container, api, minutes=3)
    assert at_photos(person).html.select("#usual") == []


def test_the_balance_stands_beside_the_price(person: Person) -> None:
    for step, part in ((with_address, "#basket"), (at_photos, "#basket"), (at_enhancements, "#basket")):
        line = step(person).html.select_one(part).text
        assert "Your balance: 100 credits" in " ".join(line.split())
