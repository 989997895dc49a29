"""The owner publishes the originals of an order on the page of its results, and takes them back."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.models import PublicPage
from tests import acts
from tests.conftest import PHOTO, Api, develop, work
from tests.portal.orders.result_pages import board
from tests.portal.person import Person


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """An order with a new sky, done."""
    made: str = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    return made


def test_an_order_of_plain_light_has_nothing_to_publish(api: Api, container: Container, person: Person) -> None:
    plain = api.order(interior=[PHOTO])["jobId"]
    work(container)
    assert not person.open(board(plain)).html.select("#public-page")


def test_the_owner_is_told_what_the_files_hold_and_that_it_is_not_published(
    api: Api, container: Container, person: Person
) -> None:
    job_id = api.order(exterior=[PHOTO + b"SECRET", PHOTO])["jobId"]
    work(container)
    develop(container)
    section = person.open(board(job_id)).html.select_one("#public-page").text
    assert "copies of the originals are published, without hidden data" in section
    assert "Not published: the place (1)." in section


def test_the_owner_is_told_that_what_is_blurred_in_results_is_not_in_originals(
    api: Api, container: Container, person: Person
) -> None:
    for privacy, times in (("as_shot", 0), ("blurred", 2)):
        job = api.order(exterior=[PHOTO], options={"privacy": privacy})["jobId"]
        work(container)
        text = person.open(f"/properties/{job}").text
        assert text.count("Faces and number plates are not blurred in") == times


def test_the_address_stands_there_to_be_copied_with_the_sentence_that_the_law_asks_for(
    app: Flask, person: Person, job_id: str
) -> None:
    form = person.open(board(job_id)).forms["publish"]
    page = person.send(form)
    url = page.html.select_one("#public-url").text
    picture = person.open(f"/orders/{job_id}/results?photo=1")
    assert picture.html.select_one("#disclosure-link").text == (
        f"Digitally altered. Original, unaltered image: {url}/1"
    )
    assert app.test_client().get(url.removeprefix("http://localhost") + "/1").status_code == 200
    form = page.forms["publish"]
    form["shows_address"], form["years"] = True, "5"
    changed = person.send(form)
    assert changed.html.select_one("#public-url").text == url
    assert "with the address of the property" in changed.text
    gone = person.send(changed.forms["unpublish"])
    assert not gone.html.select("#public-url")
    assert app.test_client().get(url.removeprefix("http://localhost")).status_code == 410


def test_nobody_publishes_or_takes_back_what_is_anothers(
    app: Flask, person: Person, new_person, job_id: str
) -> None:
    page = person.send(person.open(board(job_id)).forms["publish"])
    url = page.html.select_one("#public-url").text
    other = new_person("kim@example.com")
    other.post(f"/orders/{job_id}/public-page", status=404)
    other.post(f"/orders/{job_id}/public-page/delete", status=404)
    assert app.test_client().get(url.removeprefix("http://localhost")).status_code == 200


def test_a_deleted_account_publishes_nothing(
    app: Flask, container: Container, clock, person: Person, job_id: str
) -> None:
    form = person.open(board(job_id)).forms["publish"]
    form["shows_address"] = True
    page = person.send(form)
    path = page.html.select_one("#public-url").text.removeprefix("http://localhost")
    acts.delete_account(container, person.user_id)
    assert app.test_client().get(path).status_code == 410
    with container.database.read_session() as session:
        (kept,) = session.scalars(select(PublicPage))
        assert (kept.address, [each.file_name for each in kept.pictures]) == (None, [""])
