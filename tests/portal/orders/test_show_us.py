"""A photo that could not be done offers to be shown: tile and page lead to the question, in a new order."""

import pytest

from app.container import Container
from tests.conftest import PHOTO, Api
from tests.fakes import photo
from tests.portal.orders.result_pages import board, results
from tests.portal.person import Person
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
    assert "Show us" not in person.open(board(job_id)).text
    for number in (1, 2):
        assert "Show us" not in person.open(results(job_id, number)).text
    photo_page = person.open(results(job_id, 2)).request.path
    page = person.post(f"/orders/{job_id}/photos/{photo_page.rpartition('/')[2]}/show-us", 409)
    assert "Nothing of this photo is done by showing it" in page.text
