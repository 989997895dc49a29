"""Furniture is placed, chosen as a layout, and previewed, before it is ordered."""

import pytest
from webtest import TestResponse

from app.container import Container
from engine.types.hints import SceneHints
from tests.conftest import develop, look
from tests.portal.orders.hint_desk import PLAN, Reader, ask, hints_of, photo_of, save, url
from tests.portal.orders.wizard import at_enhancements, tick
from tests.portal.person import Person


def test_furniture_is_placed_on_the_floor(asked: TestResponse, person: Person, container: Container) -> None:
    page = person.open(url(container, "placements"))
    assert "Choose a piece" in save(person, page, status=422).html.select_one(".summary").text
    form = page.forms["desk"]
    form["place-0-piece"], form["place-0-x1"], form["place-0-y1"] = "bed", "40", "80"
    save(person, page)
    (bed,) = hints_of(container).placements
    assert (bed.piece, bed.at, bed.faces) == ("bed", (0.4, 0.8), None)


def test_a_layout_of_the_floor_plan_is_chosen(person: Person, container: Container, reader: Reader) -> None:
    reader.plan, reader.needed = PLAN, ()
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["virtual_staging"])
    person.send(form)
    develop(container)
    page = ask(person, container, "placements")
    labels = [" ".join(each.text.split()) for each in page.html.select(".layout label")]
    assert labels == ["Layout 1: Sofa, Rug", "Layout 2: Rug", "My own places"]
    values = [each["value"] for each in page.html.select(".layout input")]
    page.forms["desk"]["layout"] = values[0]
    save(person, page)
    (sofa,) = hints_of(container).placements
    assert (sofa.piece, sofa.at, sofa.faces) == ("sofa", (0.4, 0.8), (0.6, 0.8))
    again = person.open(url(container, "placements"))
    assert again.forms["desk"]["place-0-x1"].value == "40.0"
    again.forms["desk"]["layout"] = values[1]
    save(person, again)
    assert photo_of(container).edit_request.hints in (None, SceneHints()), "the engine furnishes it alone"


def test_a_fault_of_a_place_stands_at_its_row_and_every_row_is_shown_again(
    asked: TestResponse, person: Person, container: Container
) -> None:
    rows = {2: ("bed", "40", "80"), 6: ("sofa", "140", "80")}
    sent = {f"place-{row}-{name}": text for row, each in rows.items() for name, text in zip(ROW, each, strict=True)}
    page = person.post(url(container, "placements"), 422, **sent, go="save")
    assert [each["id"] for each in page.html.select("[aria-invalid]")] == ["place-6-piece"]
    assert {name: page.forms["desk"][name].value for name in sent} == sent


ROW = ("piece", "x1", "y1")


def test_a_preview_shows_the_furniture_that_was_placed(
    asked: TestResponse, person: Person, container: Container, reader: Reader
) -> None:
    reader.preview = b"\xff\xd8\xff a furnished room"
    page = person.open(url(container, "placements"))
    form = page.forms["desk"]
    form["place-0-piece"], form["place-0-x1"], form["place-0-y1"] = "bed", "40", "80"
    waiting = save(person, page, "preview").html.select_one("#layout-preview")
    assert "The preview is being made." in waiting.text
    assert not person.fragment(waiting["data-hx-get"]).html.select_one("img")
    look(container)
    shown = person.fragment(waiting["data-hx-get"]).html.select_one("#layout-preview")
    assert not shown.has_attr("data-poll")
    picture = person.web.get(shown.img["src"])
    assert (picture.content_type, picture.body) == ("image/jpeg", b"\xff\xd8\xff a furnished room")


def test_where_there_is_no_preview_the_page_says_why(
    asked: TestResponse, person: Person, container: Container
) -> None:
    page = person.open(url(container, "placements"))
    form = page.forms["desk"]
    form["place-0-piece"], form["place-0-x1"], form["place-0-y1"] = "bed", "40", "80"
    save(person, page, "preview")
    look(container)
    shown = person.open(url(container, "layout-preview"))
    assert shown.request.path == url(container, "placements")
    assert "There is no preview. Unclear." in " ".join(shown.html.select_one("#layout-preview").text.split())


@pytest.mark.parametrize("layout", ["sofa", "sofa a b", "throne 40 80", ";".join(["sofa 1 1"] * 60)])
def test_what_is_no_layout_is_refused(
    asked: TestResponse, person: Person, container: Container, layout: str
) -> None:
    sent = {"layout": layout, "csrf_token": asked.forms["desk"]["csrf_token"].value, "go": "save"}
    refused = person.web.post(url(container, "placements"), sent, expect_errors=True)
    assert refused.status_int == 422, refused.text
    assert photo_of(container).edit_request.hints is None
