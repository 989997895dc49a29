"""Before anything is paid, the board says of each photo what cannot be done, and why."""

import pytest

from app.container import Container
from app.services.orders import draft_forecasts
from app.services.orders.draft_forecasts import KnownFile
from app.services.previews import outlooks
from engine.types.edit_request import RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, in_pipeline_order
from tests import drafts
from tests.conftest import Api, develop, look
from tests.fakes import make_facts
from tests.portal.orders.outlooks import HARD_TO_TELL, LAWN, NIGHT, Reader, checked, looked_at, said, with_houses
from tests.portal.orders.wizard import act, at_each, at_enhancements, board_of, tick
from tests.portal.person import Person

E = Enhancement


@pytest.fixture
def reader(container: Container) -> Reader:
    container.outlooks = reader = Reader()
    container.previews.facts = lambda content: make_facts(content, guessed_type=guess_type(content))
    return reader


def guess_type(content: bytes) -> PhotoType | None:
    """A worker that is sure of all photos but the second room."""
    if b"interior2" in content:
        return None
    return PhotoType.INTERIOR if b"interior" in content else PhotoType.EXTERIOR


def test_each_photo_says_what_cannot_be_done_and_why(person: Person, container: Container, reader: Reader) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    assert said(page) == {
        "exterior1.jpg": "Can be done Check what we see",
        "exterior2.jpg": f"Cannot be done: Green lawn. {LAWN}",
        "interior1.jpg": "",
    }
    assert len(reader.requests) == 2, "the light of a room can always be evened"


@pytest.mark.parametrize("effects", [["hdr_enhancement"], ["hdr_enhancement", "declutter"]])
def test_light_is_asked_about_where_a_photo_is_not_surely_of_a_room(
    person: Person, container: Container, reader: Reader, effects: list[str]
) -> None:
    form = at_enhancements(person, interior=2).forms["effects"]
    tick(form, "interior", effects)
    person.send(form)
    page = checked(person, container)
    assert said(page)["interior2.jpg"] == f"Cannot be done: HDR balance. {NIGHT}"
    assert said(page)["interior1.jpg"] == ("Can be done Check what we see" if "declutter" in effects else "")
    assert [each.steps for each in reader.requests if E.HDR in each.steps] == [in_pipeline_order(map(E, effects))]
    assert page.html.select_one("#left-out a").text == "hdr balance on 1 photo"


def test_a_photo_that_may_be_misread_says_so_and_leads_to_where_it_is_shown(
    person: Person, container: Container, reader: Reader
) -> None:
    with_houses(person, 3, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    page = checked(person, container)
    assert said(page)["exterior3.jpg"] == f"Check first Green lawn can be done. {HARD_TO_TELL} Show us the lawn"
    link = page.html.select(".forecast")[2].a
    assert "Tap all grass" in person.open(link["href"]).text
    assert [each.text for each in page.html.select("#left-out a")] == ["green lawn on 1 photo"]


def test_nothing_is_asked_while_previews_are_being_made(
    person: Person, container: Container, reader: Reader
) -> None:
    page = at_each(person, exterior=1)
    assert look(container) == 0
    assert not page.html.select_one("#forecasts").attrs.get("data-hx-get")
    develop(container)
    page = person.open(board_of(person, container))
    assert "Checking what can be done" in said(page)["exterior1.jpg"]
    assert look(container) == 1


def test_another_choice_is_looked_at_anew_and_one_seen_before_is_known(
    person: Person, container: Container, reader: Reader
) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    page = act(person, page, "add-sky_enhancement", "exterior1.jpg")
    assert "Checking" in said(page)["exterior1.jpg"]
    look(container)
    page = act(person, page, "drop-sky_enhancement", "exterior1.jpg")
    assert said(page)["exterior1.jpg"] == "Can be done Check what we see"
    assert len(reader.requests) == 3


def test_options_that_change_no_forecast_are_not_looked_at_anew(
    person: Person, container: Container, reader: Reader
) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"])
    form = page.forms["effects"]
    form["option-verticals"] = "straight"
    form["option-privacy"] = "blurred"
    page = person.send(form)
    assert "Verticals: straight" in page.text
    assert said(page)["exterior1.jpg"] == "Can be done Check what we see"
    form = page.forms["effects"]
    form["option-lawn"] = "subtle"
    assert "Checking" in said(person.send(form))["exterior1.jpg"]


def test_only_some_photos_wait_at_a_time_and_the_poll_asks_for_the_next(
    person: Person, container: Container, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_forecasts, "MAX_AT_ONCE", 2)
    at_each(person, exterior=3)
    develop(container)
    page = person.open(board_of(person, container))
    assert look(container) == 2
    poll = page.html.select_one("#forecasts")["data-hx-get"]
    answer = person.fragment(poll)
    assert [each["id"] for each in answer.html.select("[data-hx-swap-oob]")] != []
    assert answer.html.select_one("#forecasts")["data-hx-trigger"] == "every 3s"
    assert look(container) == 1
    poll = answer.html.select_one("#forecasts")["data-hx-get"]
    assert person.fragment(poll).html.select_one("#forecasts")["data-hx-trigger"] == "load", "the basket comes anew"


def test_a_photo_that_workers_cannot_look_at_says_nothing(person: Person, container: Container) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    assert set(said(page).values()) == {""}
    assert not page.html.select_one("#forecasts").attrs.get("data-hx-get")
    assert page.html.select_one("#place-order")


def test_the_page_of_a_photo_says_the_same(person: Person, container: Container, reader: Reader) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"], interior=["hdr_enhancement"])
    gravel = next(shot for shot in page.html.select(".shot") if "exterior2" in shot.text)
    photo_page = person.open(gravel.select_one(".shot-foot a")["href"])
    words = " ".join(photo_page.html.select_one(".photo-large").text.split())
    assert f"Cannot be done: Green lawn. {LAWN}" in words
    assert "What would be declined is not ordered and not in the price." in words
    assert photo_page.html.select_one("#total").text == "1.5 credits"


def test_no_more_wait_however_often_the_board_is_opened(
    person: Person, container: Container, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_forecasts, "MAX_AT_ONCE", 2)
    at_each(person, exterior=3)
    develop(container)
    for _ in range(2):
        person.open(board_of(person, container))
    assert look(container) == 2


def test_what_was_asked_about_an_earlier_choice_is_dropped_before_anybody_looks(
    person: Person, container: Container, reader: Reader
) -> None:
    at_each(person, exterior=1)
    develop(container)
    page = person.open(board_of(person, container))
    act(person, page, "add-grass_enhancement", "exterior1.jpg")
    assert look(container) == 1
    assert reader.requests[0].steps == [E.GRASS, E.SKY]


def test_an_account_of_which_too_many_wait_sees_its_board_all_the_same(
    person: Person, container: Container, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlooks, "MAX_WAITING", 1)
    at_each(person, exterior=3)
    develop(container)
    assert "Checking" in said(person.open(board_of(person, container)))["exterior3.jpg"]
    assert look(container) == 1


def test_a_change_by_htmx_asks_nothing_until_the_page_polls(
    person: Person, container: Container, reader: Reader
) -> None:
    at_each(person, exterior=1)
    develop(container)
    board = person.fragment(board_of(person, container))
    assert look(container) == 0, "several changes may follow"
    person.fragment(board.html.select_one("#forecasts")["data-hx-get"])
    assert look(container) == 1


def test_reference_pictures_are_looked_at_where_they_are_stored(container: Container, api: Api) -> None:
    change = RenovationChange(ChangeType.FLOOR, "Wide oak boards", reference_images=("dph_1", "gone"))
    order = drafts.draft_of(drafts.renovated(change), exterior=0, references={"dph_1": "k/oak"})
    with container.database.read_session() as session:
        (subject,) = draft_forecasts.read(session, api.account_id, order, {"in0": KnownFile("digest")}).unasked
    assert subject.edit_request.changes[0].reference_images == ("k/oak",)
