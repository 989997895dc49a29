"""A customer shows what a photo shows, and sends its result back with that."""

import pytest
from flask import Flask

from app.container import Container
from app.domain.flaws import Flaw
from app.services.previews import outlooks
from engine.types.hints import HintedSurface
from engine.types.outlook import HintPart
from tests.conftest import PHOTO, Api, develop, look, revise
from tests.fakes import FakeClock, photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.portal.shown import FLOOR, Needy
from tests.sent_back import ordered, result_of, rounds, send_back

SOFA = {"piece": "sofa", "at": [0.5, 0.8]}
STEPS = ("virtual_staging", "hdr_enhancement")


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    return api_of(person, app, container)


@pytest.fixture
def reader(container: Container) -> Needy:
    container.outlooks = reader = Needy()
    return reader


@pytest.fixture
def job_id(container: Container, api: Api, reader: Needy) -> str:
    """The person's finished order of a room whose last step was declined, and of another."""
    return ordered(api, container, *STEPS, contents=(photo("UNTOLD HALF"), PHOTO))


def results(job_id: str, number: int = 1) -> str:
    return f"/orders/{job_id}/results?photo={number}"


def asked(person: Person, container: Container, job_id: str):
    """The page of the first question, after workers looked at the photo."""
    page = person.open(results(job_id)).click("Show us on the photo").maybe_follow()
    assert "We are looking at this photo" in page.text
    look(container)
    return person.open(page.request.path)


def test_what_is_shown_goes_back_with_the_result_and_it_is_made_again_for_free(
    person: Person, container: Container, api: Api, job_id: str
) -> None:
    balance = api.credits()
    page = asked(person, container, job_id)
    assert page.request.path.endswith("/hints/surfaces.floor")
    assert page.html.h1.text == "Show us the floor"
    form = page.forms["desk"]
    assert form["reason"].value == Flaw.FURNITURE_PLACE, "the likeliest with a floor that was misread"
    assert "HDR balance, which could not be done, was refunded and stays out" in page.text
    form["message"] = "It starts at the <door>."
    page = person.send(form, "go", value="save")
    assert "Sent back with what you showed. You pay nothing for it." in page.text
    assert "Being redone" in page.html.select_one("#not-right").text
    (sent,) = rounds(container, job_id)
    assert (sent.flaw, sent.message) == (Flaw.FURNITURE_PLACE, "It starts at the <door>.")
    revise(container)
    develop(container)
    request = container.engine.requests[-1]
    assert request.hints.surfaces == {HintedSurface.FLOOR: (FLOOR,)}
    assert list(request.steps) == ["virtual_staging"], "what was declined was refunded, and stays out"
    assert "Redone" in person.open(results(job_id)).html.select_one("#not-right").text
    assert api.credits() == balance


def test_two_parts_go_back_together(person: Person, container: Container, reader: Needy, job_id: str) -> None:
    reader.parts = (HintPart.FLOOR, HintPart.ROOM)
    form = asked(person, container, job_id).forms["desk"]
    form["message"], form["reason"] = "Both.", Flaw.MELTED
    page = person.send(form, "go", value="next")
    assert page.html.h1.text == "Show us the edges of the room"
    form = page.forms["desk"]
    assert (form["message"].value, form["reason"].value) == ("Both.", Flaw.MELTED)
    for row in range(6):
        form[f"line-{row}-used"] = True
    person.send(form, "go", value="save")
    revise(container)
    hints = container.engine.requests[-1].hints
    assert hints.surfaces == {HintedSurface.FLOOR: (FLOOR,)}
    assert len(hints.lines) == 6


def test_what_was_said_for_a_step_that_stays_out_is_no_obstacle(
    person: Person, container: Container, api: Api, reader: Needy
) -> None:
    sofa = {"placements": [SOFA]}
    config = [{"photoType": "interior", "photoIndex": 0, "hints": sofa}]
    room = (photo("HALF UNSEEN"),)
    job_id = ordered(api, container, "declutter", "virtual_staging", contents=room, photoConfigs=config)
    things = asked(person, container, job_id).request.path.rpartition("/")[0] + "/things"
    person.post(things, reason="left_over", clutter="0.1,0.6 0.3,0.6 0.2,0.9", go="save")
    revise(container)
    request = container.engine.requests[-1]
    assert (list(request.steps), len(request.hints.things), request.hints.placements) == (["declutter"], 1, ())


def test_what_is_refused_is_shown_again_with_what_was_typed(
    person: Person, container: Container, job_id: str
) -> None:
    page = asked(person, container, job_id)
    form = page.forms["desk"]
    form["reason"].force_value("sky_on_wall")
    form["message"] = "x" * 501
    page = person.send(form, "go", value="save", status=422)
    assert {each["href"] for each in page.html.select(".summary a")} == {"#reason", "#message"}
    assert page.forms["desk"]["message"].value == "x" * 501
    send_back(container, job_id, "other")
    form = page.forms["desk"]
    form["reason"], form["message"] = Flaw.MELTED, "Mine."
    page = person.send(form, "go", value="save", status=409)
    assert "already sent back" in page.html.select_one("[role=alert]").text
    assert page.forms["desk"]["message"].value == "Mine."
    assert page.html.select_one("[name=outline]").has_attr("checked")
    page = person.open(page.request.path)
    assert "already sent back" in page.text
    assert page.request.path == person.web.get(results(job_id)).location.partition("#")[0]
    assert len(rounds(container, job_id)) == 1


def test_the_tab_of_another_question_keeps_what_was_shown(
    person: Person, container: Container, reader: Needy, job_id: str
) -> None:
    page = asked(person, container, job_id)
    other = person.send(page.forms["desk"], "to", value="room")
    assert other.html.h1.text == "Show us the edges of the room"
    assert other.forms["desk"]["shown"].value, "what is given stays, and nothing is said of a page left as it was"
    form = person.send(other.forms["desk"], "to", value="surfaces.floor").forms["desk"]
    form["outline"], form["none"] = False, True
    form["message"] = "Carpet."
    room = person.send(form, "to", value="room")
    back = person.send(room.forms["desk"], "to", value="surfaces.floor").forms["desk"]
    assert (back["none"].checked, back["message"].value) == (True, "Carpet.")
    person.send(back, "go", value="save")
    revise(container)
    hints = container.engine.requests[-1].hints
    assert (hints.surfaces, hints.room) == ({HintedSurface.FLOOR: ()}, None)


def test_what_was_shown_when_ordering_can_be_removed_and_the_result_made_without_it(
    person: Person, container: Container, api: Api, reader: Needy
) -> None:
    floor = {"surfaces": {"floor": [[list(point) for point in FLOOR]]}, "placements": [SOFA]}
    config = [{"photoType": "interior", "photoIndex": 0, "hints": floor}]
    job_id = ordered(api, container, *STEPS, contents=(photo("UNTOLD HALF"),), photoConfigs=config)
    page = asked(person, container, job_id)
    form = page.forms["desk"]
    form["message"] = "It is not the floor."
    removed = person.send(form, "go", value="forget")
    assert "What was shown is removed." in removed.text
    assert rounds(container, job_id) == [], "nothing is sent yet"
    assert removed.forms["desk"]["message"].value == "It is not the floor."
    assert not removed.html.select("[value=forget]")
    person.send(removed.forms["desk"], "go", value="without")
    (sent,) = rounds(container, job_id)
    assert sent.message == "It is not the floor."
    revise(container)
    hints = container.engine.requests[-1].hints
    assert (hints.surfaces, len(hints.placements)) == ({}, 1)


@pytest.mark.parametrize(
    "carried", ["{", "[]", '{"clear": [[[1%s, 0], [0, 1], [1, 1]]]}' % ("0" * 400), "[" * 3000]
)
def test_what_was_carried_and_cannot_be_read_is_told(
    person: Person, container: Container, job_id: str, carried: str
) -> None:
    path = asked(person, container, job_id).request.path
    page = person.post(path, 422, shown=carried, none="yes", reason="other", go="save")
    assert "What you showed before cannot be read." in page.text
    assert rounds(container, job_id) == []


def test_it_is_for_who_may_order_of_this_account_and_for_pictures_that_are_kept(
    person: Person, new_person: NewPerson, container: Container, clock: FakeClock, job_id: str
) -> None:
    address = f"/orders/{job_id}/results/{result_of(container, job_id).id}/hints"
    stranger = new_person("zoe@example.com")
    for path in (address, f"{address}/surfaces.floor"):
        stranger.open(path, 404)
    for part in ("surfaces.sky", "chimney"):
        person.open(f"{address}/{part}", 404)
    with container.database.read_session() as session:
        assert outlooks.QUEUE.due(session, clock(), 10) == []
    clock.pass_(days=15)
    person.begin_signed_in()
    assert "can no longer be sent back" in person.open(address).text


def test_a_result_in_which_nothing_can_be_misread_offers_no_such_page(
    person: Person, container: Container, api: Api, reader: Needy
) -> None:
    job_id = ordered(api, container, "hdr_enhancement", contents=(PHOTO,))
    assert "Show us on the photo" not in person.open(results(job_id)).text
    address = f"/orders/{job_id}/results/{result_of(container, job_id).id}/hints"
    assert person.open(address).request.path.startswith("/properties/")
