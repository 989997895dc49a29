"""The owner asks for an order's pictures as a listing service takes them, watches, and downloads them."""

import io
import zipfile
from datetime import timedelta

import pytest

from app.container import Container
from app.domain.lifecycle import Status
from app.models import Job
from tests import reading
from tests.conftest import PHOTO, Api, develop, pack_up, remake, work
from tests.portal.orders.result_pages import board
from tests.portal.person import Person
from tests.statements import counted


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """An order in Los Angeles for CRMLS: an outside with a new lawn and sky, a staged room, done."""
    made: str = api.order(
        interior=[PHOTO],
        exterior=[PHOTO],
        address="12 Garden Lane, Los Angeles, CA 90001",
        listing={"mls": "crmls", "acceptsBarred": True},
        exteriorEnhancements=["grass_enhancement", "sky_enhancement"],
        interiorEnhancements=["virtual_staging"],
    )["jobId"]
    work(container)
    develop(container)
    return made


def make(container: Container) -> None:
    remake(container)
    pack_up(container)


def test_the_pack_is_chosen_as_the_order_was_made_and_downloaded(
    person: Person, container: Container, job_id: str
) -> None:
    form = person.open(board(job_id)).forms["make-pack"]
    assert form["mls"].value == "crmls"
    page = person.send(form)
    assert "The pack is being created." in page.text
    address = page.html.select_one("#look-again")["href"]
    make(container)
    page = person.open(address)
    warnings = [each.text for each in page.html.select("#pack-warnings + ul li")]
    assert page.html.select("#pack[data-poll]") == [], "nothing is asked for any more"
    assert warnings[0] == "CRMLS bars green lawn: photo 1 is in the pack without it."
    assert reading.one(container, Job, job_id).status is Status.APPROVED, "looking delivers nothing"
    file = person.send(page.forms["download-pack"])
    with zipfile.ZipFile(io.BytesIO(file.body)) as archive:
        assert archive.namelist()[:2] == ["01-exterior-1-altered.jpg", "02-exterior-1-original.jpg"]
    assert reading.one(container, Job, job_id).status is Status.DELIVERED
    assert person.open(board(job_id)).html.select_one("#mls-pack ul a").text == "CRMLS"


def test_htmx_gets_the_part_alone_and_hears_when_the_pack_is_ready(person: Person, container, job_id: str) -> None:
    page = person.send(person.open(board(job_id)).forms["make-pack"])
    poll = page.html.select_one("#pack[data-poll]")["data-hx-get"]
    part = person.fragment(poll)
    assert part.html.select_one("#pack")["data-hx-get"] == poll
    assert not part.html.select("#status, html")
    make(container)
    ready = person.fragment(poll)
    assert ready.html.select_one("#status").text == "The pack is ready."
    assert not ready.html.select("[data-poll]")


def test_a_service_must_be_chosen(person: Person, job_id: str) -> None:
    form = person.open(board(job_id)).forms["make-pack"]
    form["mls"] = ""
    page = person.send(form, status=422)
    assert page.html.select_one("#pack-mls-error").text == "Error: Choose a listing service from the list."
    assert page.html.select_one(".summary a")["href"] == "#pack-mls"
    person.post(f"/orders/{job_id}/packs", mls="california", status=422)
    person.post(f"/orders/{job_id}/packs", mls="x" * 5000, status=422)


def test_a_pack_that_failed_says_why_and_is_tried_again(person: Person, container: Container, job_id: str) -> None:
    def crash() -> None:
        raise RuntimeError("crashed")

    page = person.send(person.open(board(job_id)).forms["make-pack"])
    remake(container)
    container.listing_pictures.before = crash
    for _ in range(3):
        pack_up(container)
        container.clock.now += timedelta(minutes=2)
    failed = person.open(page.request.path)
    assert "It could not be created in 3 tries." in failed.text
    container.listing_pictures.before = lambda: None
    again = person.send(failed.forms["pack-again"])
    assert again.request.path != page.request.path
    pack_up(container)
    assert person.open(again.request.path).forms["download-pack"]


def test_originals_published_after_the_pack_make_it_anew_with_their_addresses(
    person: Person, container: Container, job_id: str
) -> None:
    page = person.send(person.open(board(job_id)).forms["make-pack"])
    make(container)
    page = person.open(page.request.path)
    assert "publish the originals" in page.text
    person.send(person.open(board(job_id)).forms["publish"])
    again = person.send(page.forms["pack-again"])
    make(container)
    page = person.open(again.request.path)
    assert "publish the originals" not in page.text
    assert page.html.select('a[href$="/sheet"]'), "with the way to the QR code"
    person.open(page.request.path.rpartition("/")[0] + "/pck_" + "0" * 22, status=404)


def test_packs_are_their_owners_alone(person: Person, new_person, container: Container, job_id: str) -> None:
    page = person.send(person.open(board(job_id)).forms["make-pack"])
    make(container)
    other = new_person("kim@example.com")
    other.open(page.request.path, status=404)
    other.open(f"/orders/{job_id}/packs", status=404)
    other.post(f"/orders/{job_id}/packs", mls="crmls", status=404)
    other.post(f"{page.request.path}/download", status=404)


def test_a_pack_is_no_download_while_it_is_made(person: Person, container: Container, job_id: str) -> None:
    page = person.send(person.open(board(job_id)).forms["make-pack"])
    person.post(f"{page.request.path}/download", status=409)
    assert reading.one(container, Job, job_id).status is Status.APPROVED


def test_a_page_of_many_pictures_asks_no_more_than_one_of_few(
    api: Api, person: Person, container: Container, job_id: str
) -> None:
    many = api.order(interior=[PHOTO] * 12)["jobId"]
    work(container)
    pages = []
    for each in (job_id, many):
        form = person.open(board(each)).forms["make-pack"]
        form["mls"] = "smartmls"
        pages.append(person.send(form).request.path)
    make(container)
    counts = {counted(lambda path=path: person.open(path)) for path in pages}
    assert len(counts) == 1
