"""A customer says on the page of results what is not right, changes it and takes it back; staff see it."""

from collections.abc import Callable

import pytest
from flask import Flask

from app.container import Container
from app.models import Job
from app.services.photos import complaints
from tests.conftest import PHOTO, Api, develop, work
from tests.portal.person import Person
from tests.portal.programs import api_of

NewPerson = Callable[..., Person]


@pytest.fixture
def job_id(app: Flask, container: Container, person: Person) -> str:
    """The person's finished order of a house outside and a room."""
    api: Api = api_of(person, app, container)
    ordered: str = api.order(interior=[PHOTO], exterior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    return ordered


def results(job_id: str, number: int = 1) -> str:
    return f"/orders/{job_id}/results?photo={number}"


def fill(page, *flaws: str, note: str = ""):
    """The form of the page with these kinds ticked, and no others."""
    form = page.forms["complaint"]
    for box in form.fields["flaws"]:
        box.checked = box._value in flaws
    form["note"] = note
    return form


def said(container: Container, job_id: str) -> list[tuple[list[str], str]]:
    with container.database.read_session() as session:
        return [(each.flaws, each.note) for each in complaints.of_job(session, job_id).values()]


def section(page) -> str:
    return " ".join(page.html.select_one("#not-right").text.split())


def test_a_result_is_said_to_be_not_right_without_scripts(person, container: Container, job_id: str) -> None:
    page = person.open(results(job_id, 2))
    assert "Is something not right?" in section(page)
    assert not page.html.select_one("#not-right details").has_attr("open")
    assert not page.html.select("#not-right [data-hx-post]")
    page = person.send(fill(page, "cast", "noise", note="The wall  on\nthe left."))
    assert page.request.query_string == "photo=2"
    assert "the order and its price stay as they are" in page.html.select_one("[role=status]").text
    told = section(page)
    for words in ("You said: not right", "Colours are off", "Grain or blocks show", "“The wall on the left.”"):
        assert words in told
    assert said(container, job_id) == [(["cast", "noise"], "The wall on the left.")]
    assert "Is something not right?" in section(person.open(results(job_id, 1)))


def test_what_is_asked_fits_what_was_done_to_the_photo(person: Person, job_id: str) -> None:
    outside, inside = (section(person.open(results(job_id, number))) for number in (1, 2))
    assert "became sky" in outside
    assert "became sky" not in inside
    for told in (outside, inside):
        assert "no credits come back by themselves" in told
        assert "Something else" in told


def test_saying_it_again_replaces_what_was_said(person: Person, container: Container, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id)), "sky_on_wall", note="The gable."))
    form = page.forms["complaint"]
    assert [box._value for box in form.fields["flaws"] if box.checked] == ["sky_on_wall"]
    assert form["note"].value == "The gable."
    person.send(fill(page, "halo"))
    assert said(container, job_id) == [(["halo"], "")]


def test_it_can_be_taken_back(person: Person, container: Container, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id, 2)), "cast"))
    (button,) = [form for form in page.forms.values() if form.action.endswith("/not-right/delete")]
    page = person.send(button)
    assert "Your answer is taken back." in page.text
    assert "Is something not right?" in section(page)
    assert page.request.query_string == "photo=2"
    assert said(container, job_id) == []


def test_a_form_with_faults_comes_back_open_as_it_was_filled_in(person, container: Container, job_id) -> None:
    page = person.send(fill(person.open(results(job_id, 2)), note="n" * 501), status=422)
    assert page.html.title.text.startswith("Error: ")
    assert page.html.h2.text == "interior-1.jpg"
    assert page.html.select_one("#not-right details").has_attr("open")
    links = [link["href"] for link in page.html.select("#complaint .summary a")]
    assert links == ["#flaws", "#note"]
    assert page.forms["complaint"]["note"].value == "n" * 501
    assert said(container, job_id) == []


def test_own_words_are_shown_as_text_whatever_they_are(person: Person, job_id: str) -> None:
    page = person.send(fill(person.open(results(job_id)), "other", note="<b>bold</b>\x00"))
    assert "<b>bold</b>" in section(page)
    assert not page.html.select("#not-right b")


def test_nobody_else_can_say_it_or_take_it_back(
    person: Person, reviewer: Person, container: Container, new_person: NewPerson, job_id: str
) -> None:
    action = person.open(results(job_id)).forms["complaint"].action
    person.send(fill(person.open(results(job_id)), "halo"))
    for other in (new_person("kim@example.com"), reviewer):
        other.post(action, status=404, flaws="cast")
        other.post(f"{action}/delete", status=404)
    person.post(action.replace("img_", "img_x"), status=404, flaws="cast")
    person.post(action.replace(job_id, "job_x"), status=404, flaws="cast")
    assert said(container, job_id) == [(["halo"], "")]


def test_a_form_without_its_token_says_nothing(person: Person, container: Container, job_id: str) -> None:
    action = person.open(results(job_id)).forms["complaint"].action
    answer = person.web.post(action, {"flaws": "halo"}, status=400)
    assert "open too long" in answer.text
    assert said(container, job_id) == []


def test_once_the_pictures_are_gone_there_is_nothing_to_say(person, container: Container, clock, job_id) -> None:
    action = person.open(results(job_id)).forms["complaint"].action
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    person.sign_in()
    person.post(action, status=404, flaws="halo")
    assert said(container, job_id) == []


def test_staff_see_it_beside_the_picture_and_in_the_list(person: Person, reviewer: Person, job_id: str) -> None:
    assert "not right" not in reviewer.open("/reviews/settled").text
    person.send(fill(person.open(results(job_id)), "sky_on_wall", note="The gable."))
    assert "1 “not right”" in reviewer.open("/reviews/settled").text
    first, second = (reviewer.open(f"/reviews/{job_id}?photo={number}") for number in (1, 2))
    for words in ("The customer says", "A wall, roof or tree became sky", "“The gable.”"):
        assert words in " ".join(first.html.select_one(".side").text.split())
    assert "The customer says" not in second.text


def test_it_moves_neither_the_order_nor_the_balance(person: Person, container: Container, job_id: str) -> None:
    def stands() -> tuple[object, ...]:
        with container.database.read_session() as session:
            job = session.get_one(Job, job_id)
            return job.status, job.credits_refunded, job.delivered_at

    before = stands()
    person.send(fill(person.open(results(job_id)), "halo"))
    assert stands() == before
