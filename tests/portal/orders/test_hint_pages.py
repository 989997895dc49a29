"""A customer shows on pages of their own what a photo shows, before it is ordered, and the photo keeps it."""

import pytest
from webtest import TestResponse

from app.container import Container
from app.services.previews import outlooks
from engine.types.hints import HintedSurface, ThingHint, ThingKind
from engine.types.pictures import UnusablePhotoError
from engine.types.report import Reason
from tests.conftest import develop, look
from tests.fakes import FakeClock
from tests.portal.orders.hint_desk import (
    CHAIR,
    CROSSED,
    LEFT,
    RIGHT,
    WALL,
    Reader,
    ask,
    hints_of,
    mask,
    photo_of,
    pieces,
    points,
    save,
    url,
)
from tests.portal.orders.wizard import at_enhancements, board_of, tick
from tests.portal.person import Person, audit


def test_what_is_needed_is_asked_first_and_what_is_seen_is_chosen(asked: TestResponse) -> None:
    assert asked.html.h1.text == "Show us the floor"
    tabs = [" ".join(each.text.split()) for each in asked.html.select("nav.tabs li")]
    assert tabs == ["Floor needed", "Edges of the room", "Places for furniture"]
    assert pieces(asked) == {points(LEFT): True, points(RIGHT): True, points(WALL): False}
    assert next(iter(pieces(asked))) == points(LEFT), "what is unsure comes first"
    assert "unsure" in asked.html.select_one("[data-pieces] li").text


def test_also_what_no_effect_of_the_photo_asks_for_can_be_shown(
    asked: TestResponse, person: Person, container: Container
) -> None:
    page = person.open(url(container, "surfaces.wall"))
    assert page.html.select_one("nav.tabs [aria-current]").text.strip() == "Walls"
    assert pieces(page)[points(WALL)] is True


def test_chosen_pieces_become_hints_and_the_next_question_follows(
    asked: TestResponse, person: Person, container: Container
) -> None:
    tick(asked.forms["desk"], "outline", [points(LEFT), points(RIGHT)])
    board = save(person, asked)
    assert board.request.path.startswith("/properties/")
    assert hints_of(container).surfaces == {HintedSurface.FLOOR: (LEFT, RIGHT)}
    page = ask(person, container, "surfaces.floor")
    assert page.html.select_one("[value=next]").text == "Save, then: edges of the room"
    assert save(person, page, "next").html.h1.text == "Show us the edges of the room"


def test_what_was_shown_is_shown_again_and_can_be_removed(
    asked: TestResponse, person: Person, container: Container, clock: FakeClock
) -> None:
    form = asked.forms["desk"]
    clock.pass_(seconds=1)
    tick(form, "outline", [points(RIGHT)])
    save(person, asked)
    page = person.open(url(container, "surfaces.floor"))
    assert pieces(page) == {points(LEFT): False, points(RIGHT): True, points(WALL): False}
    save(person, page, "forget")
    assert photo_of(container).edit_request.hints is None


def test_the_tab_of_another_question_saves_what_was_changed_and_nothing_else(
    asked: TestResponse, person: Person, container: Container
) -> None:
    room = person.send(asked.forms["desk"], "to", value="room")
    assert room.html.h1.text == "Show us the edges of the room"
    floor = person.send(room.forms["desk"], "to", value="surfaces.floor")
    places = person.send(floor.forms["desk"], "to", value="placements")
    floor = person.send(places.forms["desk"], "to", value="surfaces.floor")
    assert photo_of(container).edit_request.hints is None, "what was only looked at is not said"
    tick(floor.forms["desk"], "outline", [points(RIGHT)])
    places = person.send(floor.forms["desk"], "to", value="placements")
    assert hints_of(container).surfaces == {HintedSurface.FLOOR: (RIGHT,)}
    places.forms["desk"]["place-0-piece"] = "bed"
    refused = person.send(places.forms["desk"], "to", 422, "room")
    assert refused.html.select_one(".summary a")["href"] == "#place-0-piece"
    assert refused.forms["desk"]["place-0-piece"].value == "bed"
    for place in ("x1", "y1"):
        refused.forms["desk"][f"place-0-{place}"] = "80"
    assert person.send(refused.forms["desk"], "to", value="room").html.h1.text == "Show us the edges of the room"
    assert len(hints_of(container).placements) == 1


def test_a_surface_that_the_photo_does_not_show_is_said_so(
    asked: TestResponse, person: Person, container: Container
) -> None:
    form = asked.forms["desk"]
    tick(form, "outline", [])
    refused = save(person, asked, status=422)
    assert "Tap at least one piece, or say that there is none." in refused.text
    tick(refused.forms["desk"], "outline", [])
    refused.forms["desk"]["none"] = True
    save(person, refused)
    assert hints_of(container).surfaces == {HintedSurface.FLOOR: ()}
    assert ask(person, container, "surfaces.floor").html.select_one("#none").has_attr("checked")


def test_an_outline_that_crosses_itself_is_refused_and_the_choice_is_kept(
    asked: TestResponse, person: Person, container: Container
) -> None:
    where = url(container, "surfaces.floor")
    sent = {"outline": CROSSED, "csrf_token": asked.forms["desk"]["csrf_token"].value, "go": "save"}
    refused = person.web.post(where, sent, expect_errors=True)
    audit(refused)
    assert refused.status_int == 422
    assert "The outline crosses itself." in refused.text
    assert pieces(refused)[CROSSED] is True
    assert photo_of(container).edit_request.hints is None


@pytest.mark.parametrize("outline", ["a,b c,d e,f", "0.1,0.1", "1,2,3", "nan,0 1,1 0,1", "0.1 " * 900])
def test_what_is_no_outline_is_refused(
    person: Person, container: Container, asked: TestResponse, outline: str
) -> None:
    sent = {"outline": outline, "csrf_token": asked.forms["desk"]["csrf_token"].value, "go": "save"}
    assert person.web.post(url(container, "surfaces.floor"), sent, expect_errors=True).status_int == 422
    assert photo_of(container).edit_request.hints is None


def test_a_painted_mask_takes_the_place_of_pieces(
    asked: TestResponse, person: Person, container: Container
) -> None:
    form = asked.forms["desk"]
    form["mask"]._value, form["mask"].checked = mask(128, 96), True
    save(person, asked)
    assert HintedSurface.FLOOR in hints_of(container).masks
    page = ask(person, container, "surfaces.floor")
    assert page.html.select_one("#mask")["value"] == mask(128, 96)
    page.forms["desk"]["mask"]._value = "no picture"
    assert "PNG" in save(person, page, status=422).html.select_one(".summary").text


def test_edges_of_the_room_and_a_length_in_inches_become_hints(
    asked: TestResponse, person: Person, container: Container
) -> None:
    page = person.open(url(container, "room"))
    form = page.forms["desk"]
    assert [form[f"line-{row}-direction"].value for row in range(3)] == ["up", "along", "across"]
    form["length-0-used"] = True
    form["length-0-thing"], form["length-0-own"], form["length-0-unit"] = "own", "80", "in"
    form["line-1-x2"] = "49.5"
    save(person, page)
    room = hints_of(container).room
    assert room is not None
    assert room.lines[1].end == (0.495, 0.6)
    assert room.length is not None
    assert room.length.meters == pytest.approx(2.032)


def test_a_line_that_does_not_fit_is_named_at_its_row(
    asked: TestResponse, person: Person, container: Container
) -> None:
    page = person.open(url(container, "room"))
    form = page.forms["desk"]
    form["line-0-y1"], form["line-0-x1"] = "60", "10"
    refused = save(person, page, status=422)
    assert refused.html.select_one("#line-0-x1")["aria-invalid"] == "true"
    assert refused.html.select_one("#line-0-x1")["value"] == "10"
    assert "This line does not run up." in refused.text
    form = refused.forms["desk"]
    form["line-0-x1"] = "left"
    assert "Give two numbers" in save(person, refused, status=422).text


def test_a_mask_of_another_shape_than_the_photo_is_refused(
    asked: TestResponse, person: Person, container: Container
) -> None:
    form = asked.forms["desk"]
    form["mask"]._value, form["mask"].checked = mask(96, 128), True
    assert "96 x 128" in save(person, asked, status=422).html.select_one(".summary").text
    assert photo_of(container).edit_request.hints is None


def test_where_many_photos_wait_the_first_question_is_asked_without_this_one(
    asked: TestResponse, person: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outlooks, "MAX_WAITING", 0)
    with container.database.unit_of_work() as session:
        outlooks.forget_files(session, [photo_of(container).storage_key])
    page = person.open(url(container))
    assert page.request.path == url(container, "surfaces.floor")
    assert "We are looking at many of your photos." in page.text


def test_things_to_remove_keep_their_kind(person: Person, container: Container, reader: Reader) -> None:
    reader.needed = ()
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["furniture_removal"])
    person.send(form)
    develop(container)
    page = ask(person, container, "things")
    assert pieces(page) == {points(each): each is CHAIR for each in (CHAIR, LEFT, RIGHT, WALL)}
    save(person, page)
    assert hints_of(container).things == (ThingHint(ThingKind.FURNITURE, CHAIR),)


def test_of_two_tabs_the_later_is_told_and_may_save_again(
    asked: TestResponse, person: Person, container: Container
) -> None:
    other = person.open(url(container, "surfaces.floor"))
    tick(other.forms["desk"], "outline", [points(LEFT)])
    save(person, other)
    late = save(person, asked, status=409)
    assert "changed in another tab" in late.text
    assert pieces(late) == {points(LEFT): True, points(RIGHT): True, points(WALL): False}, "as they chose"
    assert hints_of(container).surfaces == {HintedSurface.FLOOR: (LEFT,)}
    save(person, late)
    assert hints_of(container).surfaces == {HintedSurface.FLOOR: (LEFT, RIGHT)}


def test_what_was_seen_of_a_photo_is_said_of_no_other_and_to_no_other_account(
    asked: TestResponse, person: Person, container: Container
) -> None:
    key = photo_of(container).storage_key
    with container.database.read_session() as session:
        assert outlooks.find_newest(session, person.account_id, key)
        assert outlooks.find_newest(session, person.account_id, f"{key}0") is None
        assert outlooks.find_newest(session, "acc_other", key) is None


def test_while_nobody_has_looked_the_page_waits_and_then_loads_again(
    person: Person, container: Container, reader: Reader
) -> None:
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    person.send(form)
    develop(container)
    page = person.open(url(container, "surfaces.floor"))
    assert "We are looking at this photo." in page.text
    poll = page.html.select_one("#looking")["data-hx-get"]
    assert "looking" in person.fragment(poll).text
    look(container)
    assert person.fragment(poll, 204).headers["HX-Refresh"] == "true"


def test_a_photo_that_cannot_be_looked_at_says_why(person: Person, container: Container, reader: Reader) -> None:
    reader.fault = UnusablePhotoError(Reason.UNDECODABLE, "The file is damaged.")
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    person.send(form)
    develop(container)
    page = ask(person, container, "surfaces.floor")
    assert "The file is damaged." in page.text
    assert not page.html.select_one("#looking").has_attr("data-poll")


def test_where_no_effect_can_use_it_nothing_is_asked(person: Person, container: Container, reader: Reader) -> None:
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["hdr_enhancement"])
    person.send(form)
    develop(container)
    assert "Nothing needs to be shown" in person.open(url(container)).text


@pytest.mark.parametrize("part", ["surfaces.sky", "surfaces.roof", "lawn"])
def test_a_room_has_no_such_question(asked: TestResponse, person: Person, container: Container, part: str) -> None:
    person.open(url(container, part), 404)


def test_a_tile_leads_to_what_is_needed(asked: TestResponse, person: Person, container: Container) -> None:
    link = person.open(board_of(person, container)).html.select_one(".forecast a")
    assert (link.text, link["href"].partition("?")[0]) == ("Show us the floor", url(container, "surfaces.floor"))


def test_what_is_to_be_blurred_is_shown_beside_what_is_found(
    asked: TestResponse, person: Person, container: Container
) -> None:
    page = person.open(url(container, "private"))
    assert page.html.h1.text == "Show us what to blur"
    assert pieces(page) == dict.fromkeys(map(points, (LEFT, RIGHT, WALL)), False), "nothing is private by itself"
    assert page.html.select("[data-tool=brush], #none") == []
    assert "Tap or outline at least one part." in save(person, page, status=422).text
    tick(page.forms["desk"], "outline", [points(LEFT)])
    save(person, page)
    assert hints_of(container).private == (LEFT,)
    assert pieces(person.open(url(container, "private")))[points(LEFT)] is True
