"""A photo that could not be done offers to be shown: tile and page lead to the question, in a new order."""

import pytest

from app.container import Container
from app.domain.promises import PAID_FOR
from engine.types.outlook import HintPart
from tests.conftest import PHOTO, Api, develop, look, revise, work
from tests.fakes import photo
from tests.portal.orders.result_pages import board, results
from tests.portal.person import Person
from tests.portal.shown import Needy
from tests.sent_back import HDR, STAGING, ordered


@pytest.fixture
def job_id(container: Container, api: Api) -> str:
    """An order of three rooms: done, rejected because the floor was not seen, and done in part."""
    contents = (PHOTO, photo("DECLINE UNSEEN"), photo("HALF UNSEEN"))
    return ordered(api, container, STAGING, HDR, contents=contents)


def plain(text: str) -> str:
    return " ".join(text.split())


def test_tile_and_page_lead_to_the_question_in_one_new_order(person: Person, job_id: str) -> None:
    page = person.open(board(job_id))
    buttons = page.html.select(".shots form[action$=show-us] button")
    assert [plain(each.text) for each in buttons] == [
        "Show us the floor in interior-2",
        "Show us the floor in interior-3",
    ]
    action = buttons[0].parent["action"]
    asked = person.post(action)
    assert asked.request.path.endswith("/hints/surfaces.floor")
    assert "only what could not be done" in asked.text
    assert asked.html.select_one("#looking[data-poll]"), "the copy of its file is not read yet"
    assert person.post(action).request.path == asked.request.path, "the same order is continued"


def test_the_page_of_a_photo_without_a_result_says_what_it_costs(person: Person, job_id: str) -> None:
    told = plain(person.open(results(job_id, 2)).html.select_one("#next").text)
    assert "Virtual staging, HDR balance, at the price that was refunded, 1.5 credits" in told
    assert "Ask a person" in told


def test_the_page_of_a_photo_done_in_part_offers_only_what_was_not(person: Person, job_id: str) -> None:
    page = person.open(results(job_id, 3))
    told = plain(page.html.select_one(".done").text)
    assert "what we did not see: HDR balance, at the price that was refunded, 0.5 credits" in told
    assert "Something ordered was not done" in page.html.select_one("#send-back").text


def test_what_is_done_or_cannot_be_shown_offers_nothing(person: Person, container: Container, api: Api) -> None:
    job_id = ordered(api, container, STAGING, contents=(PHOTO, photo("DECLINE")))
    for path in (board(job_id), results(job_id, 1), results(job_id, 2)):
        assert not person.open(path).html.select("form[action$=show-us], [id^=show-free]")
    photo_page = person.open(results(job_id, 2)).request.path
    page = person.post(f"/orders/{job_id}/photos/{photo_page.rpartition('/')[2]}/show-us", 409)
    assert "Nothing of this photo is done by showing it" in page.text


def test_outside_what_others_got_is_shown_and_done_for_free(person: Person, container: Container, api: Api) -> None:
    container.engine.tells_steps, container.outlooks = True, Needy((HintPart.LAWN,))
    photos = [photo("HOUSE"), photo("UNTOLD DECLINE UNSEEN")]
    job_id = api.order(exterior=photos, exteriorEnhancements=["sky_enhancement", "grass_enhancement"])["jobId"]
    work(container)
    develop(container)
    assert PAID_FOR in plain(person.open(results(job_id, 2)).html.select_one("#next").text)
    (link,) = person.open(board(job_id)).html.select(".shots a[href*='/hints/']")
    assert plain(link.text) == "Show us the lawn in exterior-2"
    person.open(link["href"])
    look(container)
    before = api.credits()
    form = person.open(link["href"]).forms["desk"]
    assert form["reason"].value == "no_result"
    corners = "0.1,0.6 0.9,0.6 0.5,0.9"
    page = person.post(link["href"], go="save", reason="no_result", outline=corners)
    assert "Sent back with what you showed" in page.text
    assert not person.open(board(job_id)).html.select(".shots a[href*='/hints/']"), "it is sent back already"
    revise(container)
    assert api.credits() == before
    page = person.open(board(job_id))
    assert page.html.select_one("#counts").text == "2 photos finished"
