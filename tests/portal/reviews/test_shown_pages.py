"""Reviewers show what a photo shows: before delivery, and on results that customers sent back."""

import pytest
from flask import Flask

from app.container import Container
from app.domain.reviews import CLAIM_VALID_FOR
from app.models import Result
from app.services.previews import outlooks
from engine.types.hints import HintedSurface
from engine.types.outlook import HintPart
from tests.conftest import PHOTO, Api, develop, look, revise, work
from tests.fakes import FakeClock, photo
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.portal.shown import FLOOR, Needy
from tests.sent_back import ordered, result_of, round_of, rounds, send_back

LINK, DONE = "Show what the photo shows", "It is being redone with what you showed"


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    return api_of(person, app, container)


@pytest.fixture
def reader(container: Container) -> Needy:
    container.outlooks = reader = Needy()
    return reader


@pytest.fixture
def path(container: Container, api: Api, reviewer: Person, reader: Needy) -> str:
    """The review, which the reviewer holds, of a room, and of one in which nothing could be done."""
    container.engine.tells_steps = True
    rooms = [photo("UNTOLD HALF"), photo("UNTOLD DECLINE")]
    order = api.order(interior=rooms, interiorEnhancements=["virtual_staging", "hdr_enhancement"])
    work(container, automatic=False)
    develop(container)
    reviewer.post(f"/reviews/{order['jobId']}/claim")
    return f"/reviews/{order['jobId']}"


def result(container: Container, path: str, place: int = 0) -> Result:
    return result_of(container, path.rpartition("/")[2], place)


def begun(reviewer: Person, container: Container, path: str, number: int = 1):
    """The page of the first question about this photo, after workers looked at it."""
    page = reviewer.open(f"{path}?photo={number}").click(LINK).maybe_follow()
    assert "We are looking at this photo" in page.text
    assert page.html.select_one("#looking")["data-hx-trigger"] == "every 2s"
    look(container)
    return reviewer.open(page.request.path)


def test_a_reviewer_shows_the_floor_and_the_result_is_made_again_with_it(
    reviewer: Person, container: Container, path: str
) -> None:
    page = begun(reviewer, container, path)
    assert page.request.path.endswith("/hints/surfaces.floor"), "what is needed comes first"
    assert page.html.h1.text == "Show the floor"
    assert page.html.select_one("#desk [name=go]").text == "Redo it with this"
    form = page.forms["desk"]
    form["why"] = "It has no <floor>."
    page = reviewer.send(form, "go", value="save")
    assert DONE in page.text
    assert "Photo 2 of 2" not in page.html.select_one("#photo-title").text, "the other is rejected already"
    revise(container)
    assert container.engine.requests[-1].hints.surfaces == {HintedSurface.FLOOR: (FLOOR,)}
    page = reviewer.open(f"{path}?photo=1")
    side = " ".join(page.html.select_one(".side").text.split())
    assert "With other hints on what the photo shows. Redone" in side
    assert "“It has no <floor>.”" in side
    assert "4 of 5 tries are left" in side


def test_a_photo_without_a_picture_is_shown_too(reviewer: Person, container: Container, path: str) -> None:
    page = reviewer.open(f"{path}?photo=2")
    assert "No picture" in page.html.select_one(".side").text
    assert "rework" not in page.forms
    assert "What could not be done is tried again" in page.html.select_one(".side").text
    page = reviewer.send(begun(reviewer, container, path, 2).forms["desk"], "go", value="save")
    assert "Being redone" in reviewer.open(f"{path}?photo=2").html.select_one("#making").text
    revise(container)
    develop(container)
    page = reviewer.open(f"{path}?photo=2")
    assert "decision" in page.forms
    compared = page.click("Compare before and after")
    assert "The photo, and the new picture" in compared.text


def test_two_questions_are_answered_one_after_the_other_and_go_together(
    reviewer: Person, container: Container, path: str, reader: Needy
) -> None:
    reader.parts = (HintPart.FLOOR, HintPart.WALL)
    page = begun(reviewer, container, path)
    tags = [each.text for each in page.html.select(".tabs .tag")]
    assert tags == ["needed", "needed"]
    form = page.forms["desk"]
    form["why"] = "Both."
    page = reviewer.send(form, "go", value="next")
    assert page.html.h1.text == "Show the walls"
    assert page.forms["desk"]["why"].value == "Both."
    assert [each.text for each in page.html.select(".tabs .tag")] == ["needed"], "the floor goes with it"
    assert result(container, path).picture.settings.hints is None
    page.forms["desk"]["outline"] = False
    page = reviewer.send(page.forms["desk"], "go", value="save", status=422)
    assert "Tap at least one piece" in page.text
    page.forms["desk"]["none"] = True
    assert DONE in reviewer.send(page.forms["desk"], "go", value="save").text
    revise(container)
    shown = container.engine.requests[-1].hints.surfaces
    assert shown == {HintedSurface.FLOOR: (FLOOR,), HintedSurface.WALL: ()}


def test_what_was_shown_is_there_again_when_it_is_refused(
    reviewer: Person, container: Container, path: str, clock: FakeClock
) -> None:
    page = begun(reviewer, container, path)
    drawn = "0.2000,0.2000 0.4000,0.2000 0.3000,0.5000"
    sent = {"csrf_token": reviewer.token(), "go": "save", "outline": drawn, "why": "x" * 501}
    page = reviewer.post(page.request.path, 422, **sent)
    assert page.html.select_one(".summary a")["href"] == "#why"
    assert page.html.select_one(f'[name=outline][value="{drawn}"]').has_attr("checked")
    clock.now += CLAIM_VALID_FOR
    page = reviewer.post(page.request.path, 409, **{**sent, "why": "Mine."})
    assert "ran out" in page.html.select_one("[role=alert]").text
    assert page.html.select_one(f'[name=outline][value="{drawn}"]').has_attr("checked")
    assert page.forms["desk"]["why"].value == "Mine."
    assert revise(container) == 0
    assert "ran out" in reviewer.open(page.request.path, 409).text


@pytest.mark.parametrize(
    ("part", "fields", "status"),
    [
        ("surfaces.sky", {}, 404),
        ("chimney", {}, 404),
        ("surfaces.floor", {"outline": "0,0 1"}, 422),
        ("surfaces.floor", {"outline": "nan,nan"}, 422),
        ("surfaces.floor", {"outline": "0.1,0.1 0.9,0.1 0.5,0.9", "shown": "[" * 900}, 422),
        ("surfaces.floor", {"outline": "0.1,0.1 0.9,0.1 0.5,0.9", "shown": '{"roof": 1}'}, 422),
        ("surfaces.floor", {"mask": "AAAA"}, 422),
        ("placements", {"place-0-piece": "sofa"}, 422),
        ("room", {"line-0-x1": "x", "line-0-used": "yes"}, 422),
    ],
)
def test_what_no_photo_shows_is_refused_and_nothing_begins(
    reviewer: Person, container: Container, path: str, part: str, fields: dict[str, str], status: int
) -> None:
    begun(reviewer, container, path)
    address = f"{path}/results/{result(container, path).id}/hints/{part}"
    page = reviewer.post(address, status, go="save", **fields)
    if status == 422:
        assert "There is a problem" in page.text
    assert revise(container) == 0


def test_the_page_is_only_for_who_holds_the_order(
    reviewer: Person, person: Person, container: Container, path: str
) -> None:
    address = f"{path}/results/{result(container, path).id}/hints"
    assert person.open(address, 404).status_int == 404
    reviewer.post(f"{path}/release")
    assert LINK not in reviewer.open(path).text
    page = reviewer.open(address, 409)
    assert "Claim" in page.text
    with container.database.read_session() as session:
        assert outlooks.QUEUE.due(session, container.clock(), 10) == []


def test_a_result_that_was_sent_back_is_made_again_with_what_is_shown(
    reviewer: Person, container: Container, api: Api, reader: Needy
) -> None:
    steps = ("virtual_staging", "hdr_enhancement")
    job_id = ordered(api, container, *steps, contents=(photo("UNTOLD HALF"), PHOTO))
    spent = api.credits()
    sent = send_back(container, job_id, "other")
    page = reviewer.open(f"/reviews/sent-back/{sent.id}").click(LINK).maybe_follow()
    look(container)
    page = reviewer.open(page.request.path)
    stale = page.forms["desk"]
    page = reviewer.send(page.forms["desk"], "go", value="save")
    assert DONE in page.text
    made = round_of(container, sent).made
    assert made is not None
    assert made.settings.hints is not None
    assert made.settings.hints.surfaces == {HintedSurface.FLOOR: (FLOOR,)}
    assert made.settings.left_out == ("hdr_enhancement",), "it was declined and refunded, so it stays left out"
    assert "changed since" in reviewer.send(stale, "go", value="save", status=409).text
    revise(container)
    page = reviewer.open(f"/reviews/sent-back/{sent.id}")
    reviewer.send(page.forms["approve"])
    assert api.credits() == spent
    assert reviewer.open(f"/reviews/sent-back/{sent.id}/hints").request.path == f"/reviews/sent-back/{sent.id}"


def test_a_photo_without_a_result_is_tried_with_all_that_was_ordered(
    reviewer: Person, container: Container, api: Api, reader: Needy
) -> None:
    job_id = ordered(api, container, "virtual_staging", contents=(PHOTO, photo("UNTOLD DECLINE")))
    sent = send_back(container, job_id, "no_result", place=1)
    page = reviewer.open(f"/reviews/sent-back/{sent.id}").click(LINK).maybe_follow()
    look(container)
    reviewer.send(reviewer.open(page.request.path).forms["desk"], "go", value="save")
    revise(container)
    (row,) = rounds(container, job_id)
    assert row.new_picture is not None
    assert row.new_picture.settings.left_out == ()
