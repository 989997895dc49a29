"""Areas of the floor that stay free are drawn in the floor plan, and a piece that stands in one is said so."""

from dataclasses import replace

import pytest
from webtest import TestResponse

from app.container import Container
from app.services.previews import outlooks
from engine.types.hints import Polygon, SceneHints
from tests.portal.orders.hint_desk import CHAIR, PLAN, WALL, Reader, ask, hints_of, photo_of, points, save, url
from tests.portal.person import Person

# One meter of floor fills the picture; a foot is 0.3048 of it.
DOOR: Polygon = ((0.0, 0.0), (0.5, 0.0), (0.5, 0.4))
SHOWN = {"area-0-x1": "1", "area-0-y1": "2", "area-0-x2": "2", "area-0-y2": "3"}


@pytest.fixture
def desk(asked: TestResponse, person: Person, container: Container, reader: Reader) -> TestResponse:
    """The places for furniture in a room with a floor plan."""
    reader.plan, reader.needed = PLAN, ()
    return at_places(person, container)


def at_places(person: Person, container: Container) -> TestResponse:
    """The page of the places, after workers looked at the photo once more."""
    with container.database.unit_of_work() as session:
        outlooks.forget_files(session, [photo_of(container).storage_key])
    return ask(person, container, "placements")


def fill(page: TestResponse, **fields: str) -> TestResponse:
    for name, text in fields.items():
        page.forms["desk"][name] = text
    return page


def test_an_area_in_feet_becomes_an_outline_and_is_shown_in_feet_again(
    desk: TestResponse, person: Person, container: Container
) -> None:
    save(person, fill(desk, **SHOWN))
    (area,) = hints_of(container).clear
    corners = {(0.3, 0.61), (0.61, 0.61), (0.61, 0.91), (0.3, 0.91)}
    assert {(round(x, 2), round(y, 2)) for x, y in area} == corners
    again = person.open(url(container, "placements"))
    assert [again.forms["desk"][name].value for name in SHOWN] == ["1.0", "2.0", "2.0", "3.0"]
    assert again.html.select_one("[data-marks] .kept")["points"] == points(area)
    save(person, again, "forget")
    assert photo_of(container).edit_request.hints is None


def test_of_an_area_that_leaves_the_picture_what_is_seen_stays_free(
    desk: TestResponse, person: Person, container: Container
) -> None:
    save(person, fill(desk, **SHOWN | {"area-0-x1": "-9", "area-0-y2": "1,5"}))
    assert max(map(max, hints_of(container).clear[0])) <= 1
    again = person.open(url(container, "placements"))
    assert [again.forms["desk"][name].value for name in SHOWN] == ["0.0", "1.5", "2.0", "2.0"]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"area-0-x2": ""}, "Type four numbers in feet"),
        ({"area-0-x2": "wide"}, "Type four numbers in feet"),
        ({"area-0-x2": "nan"}, "Type four numbers in feet"),
        ({"area-0-y1": "40", "area-0-y2": "44"}, "not on the floor that the photo shows"),
        ({"area-0-x2": "1"}, "Nothing is inside."),
    ],
)
def test_an_area_that_cannot_be_kept_free_is_named_at_its_row(
    desk: TestResponse, person: Person, container: Container, changed: dict[str, str], why: str
) -> None:
    sent = SHOWN | changed
    page = save(person, fill(desk, **sent), status=422)
    assert why in page.html.select_one(".summary").text
    assert page.html.select_one(".summary a")["href"] == "#area-0-x1"
    assert {name: page.forms["desk"][name].value for name in sent} == sent, "nothing is lost"
    assert photo_of(container).edit_request.hints is None


def test_a_piece_that_stands_in_an_area_is_said_so(
    desk: TestResponse, person: Person, container: Container
) -> None:
    place = {"place-0-piece": "sofa", "place-0-x1": "50", "place-0-y1": "50"}
    save(person, fill(desk, **SHOWN, **place))
    said = person.open(url(container, "placements")).html.select_one("[data-standing-in]").text
    assert said.startswith("The sofa stands in an area that stays free")
    page = person.open(url(container, "placements"))
    save(person, fill(page, **dict.fromkeys(SHOWN, "")))
    assert not person.open(url(container, "placements")).html.select_one("[data-standing-in]").text


def test_what_we_keep_free_is_a_hint_only_once_it_is_changed(
    desk: TestResponse, person: Person, container: Container, reader: Reader
) -> None:
    reader.plan = replace(PLAN, clear=(DOOR, ((0.6, 0.6), (0.9, 0.6), (0.9, 0.9))))
    place = {"place-0-piece": "bed", "place-0-x1": "40", "place-0-y1": "80"}
    save(person, fill(at_places(person, container), **place))
    assert hints_of(container).clear == ()
    page = at_places(person, container)
    page.forms["desk"]["area-1-used"] = False
    save(person, page)
    assert [set(each) for each in hints_of(container).clear] == [set(DOOR)]
    save(person, person.open(url(container, "placements")), "forget")
    page = at_places(person, container)
    page.forms["desk"]["area-0-used"] = page.forms["desk"]["area-1-used"] = False
    assert "Leave one area" in save(person, page, status=422).text


@pytest.mark.parametrize("plan", ["", "1 0 0", "1 0 0 0 1 0 0 0 x", "0 0 0 0 0 0 0 0 0"])
def test_without_a_plan_areas_stay_as_they_were_and_what_is_no_plan_is_refused(
    desk: TestResponse, person: Person, container: Container, plan: str
) -> None:
    save(person, fill(desk, **SHOWN))
    before = hints_of(container)
    page = person.open(url(container, "placements"))
    page.forms["desk"]["plan"] = plan
    save(person, fill(page, **{"area-0-x1": "0.5"}), status=422 if plan else 200)
    assert hints_of(container) == before


def test_a_room_without_a_plan_has_no_areas(asked: TestResponse, person: Person, container: Container) -> None:
    page = person.open(url(container, "placements"))
    assert not page.html.select("#areas, [data-keep-free]")
    assert photo_of(container).edit_request.hints in (None, SceneHints())


def test_a_question_that_leaves_no_points_for_the_areas_is_refused_at_its_own_field(
    desk: TestResponse, person: Person, container: Container
) -> None:
    save(person, fill(desk, **SHOWN))
    before = hints_of(container)
    crowded = [crowd(number / 20) for number in range(10)]
    page = person.post(url(container, "surfaces.floor"), 422, outline=crowded, go="save")
    assert "2000 in all polygons together" in page.html.select_one(".summary").text
    assert hints_of(container) == before


def test_what_a_place_needs_is_not_removed_without_a_word(
    desk: TestResponse, person: Person, container: Container
) -> None:
    show(person, container, "surfaces.wall", outline=points(WALL))
    show(person, container, "things", furniture=points(CHAIR))
    show(person, container, "placements", **{"place-0-piece": "sofa", "place-0-x1": "28", "place-0-y1": "55"})
    before = hints_of(container)
    page = person.post(url(container, "things"), 422, go="forget")
    assert "Furniture stands on the floor" in page.html.select_one(".summary").text
    assert hints_of(container) == before


def show(person: Person, container: Container, part: str, **fields: str) -> None:
    person.post(url(container, part), seen=photo_of(container).edit_request.mark, go="save", **fields)


def crowd(top: float) -> str:
    """An outline with as many points as one may have."""
    row = [round(0.001 * x, 4) for x in range(100)]
    return points((*((x, top) for x in row), *((x, top + 0.01) for x in reversed(row))))
