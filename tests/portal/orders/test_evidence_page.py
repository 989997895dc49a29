"""The evidence of an order as its owner reads, prints and keeps it."""

import json

import pytest

from app.container import Container
from app.services.retention import expiry
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.person import Person


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """An order of a lawn that CRMLS bars, done."""
    made: str = api.order(
        exterior=[PHOTO],
        exteriorEnhancements=["grass_enhancement"],
        listing={"mls": "crmls", "jurisdiction": "california", "acceptsBarred": True},
    )["jobId"]
    work(container)
    return made


def test_the_order_and_its_results_lead_to_it(person: Person, job_id: str) -> None:
    order = person.open(f"/orders/{job_id}")
    page = order.click(linkid="evidence")
    assert "Not legal advice" in page.text
    assert f"/orders/{job_id}/evidence" in person.open(f"/properties/{job_id}").text


def test_it_says_what_was_accepted_decided_and_never_published(person: Person, job_id: str) -> None:
    page = person.open(f"/orders/{job_id}/evidence")
    words = " ".join(page.html.select_one("article").text.split())
    assert "after a warning that this is barred" in words
    assert "by the automatic checks" in words
    assert "Never published." in words
    assert words.count("SHA-256") == 2
    assert "@" not in words


def test_it_lists_the_furniture_that_was_added(person: Person, api: Api, container: Container) -> None:
    staging = {"virtualStaging": {"0": {"style": "modern", "roomType": "bedroom"}}}
    order = api.order(interior=[PHOTO + b"PIECES"], interiorEnhancements=["virtual_staging"], **staging)
    work(container)
    page = person.open(f"/orders/{order['jobId']}/evidence")
    sofa, rug = (each.text for each in page.html.select("ul.edits .small"))
    assert sofa.endswith(" sofa, 7 ft 3 in by 3 ft 1 in by 2 ft 8 in")
    assert rug.startswith("2 ")


def test_it_says_that_a_photo_was_cancelled(person: Person, api: Api) -> None:
    job = api.order([PHOTO])["jobId"]
    api.post(f"/jobs/{job}/cancel", {})
    words = person.open(f"/orders/{job}/evidence").text
    assert "Cancelled before it was begun" in words
    assert "by the automatic checks" not in words


def test_the_file_is_what_programs_get(person: Person, api: Api, job_id: str) -> None:
    file = person.open(f"/orders/{job_id}/evidence.json")
    assert file.headers["Content-Disposition"].startswith("attachment")
    assert {"livemode": True, **json.loads(file.text)} == api.get(f"/jobs/{job_id}/evidence").json


def test_it_is_there_after_the_pictures_are_gone(
    person: Person, container: Container, clock: FakeClock, job_id: str
) -> None:
    with container.database.unit_of_work() as session:
        expiry.expire(session, job_id, clock())
    page = person.open(f"/orders/{job_id}/evidence")
    assert "pictures removed" in page.text
    assert len(page.html.select("section.card")) == 1


def test_another_customer_finds_none(new_person, job_id: str) -> None:
    other = new_person("kim@example.com")
    for path in ("evidence", "evidence.json"):
        assert other.open(f"/orders/{job_id}/{path}", status=404).status_code == 404
