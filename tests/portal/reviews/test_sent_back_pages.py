"""Reviewers at the results that customers sent back: the list, the page of one, and what they can do there."""

import pytest
from flask import Flask

from app.container import Container
from app.models import Revision
from tests.conftest import PHOTO, Api, develop, revise
from tests.fakes import BEFORE, photo
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.sent_back import ordered, rounds, send_back

LIST = "/reviews/sent-back"


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    return api_of(person, app, container)


@pytest.fixture
def job_id(container: Container, api: Api) -> str:
    """The person's finished order of two rooms."""
    return ordered(api, container, "hdr_enhancement", "virtual_staging", contents=(PHOTO, PHOTO))


def one(container: Container, job_id: str) -> Revision:
    (found,) = rounds(container, job_id)
    return found


def test_what_waits_for_a_person_is_listed_with_what_the_customer_says(
    reviewer: Person, container: Container, job_id: str
) -> None:
    assert "Nothing is sent back" in reviewer.open(LIST).text
    send_back(container, job_id, "other", words="The gable.")
    page = reviewer.open("/reviews").click("Answer the customers")
    assert page.request.path == LIST
    assert page.html.select_one('[aria-label="Reviews"] a[aria-current]').text == "Sent back 1"
    assert "1 result waits" in page.text
    page = page.click("interior-1")
    for words in ("Something else", "“The gable.”", "Waiting for you", "Nothing that a worker could try"):
        assert words in page.text


def test_a_reviewer_has_it_made_again_and_puts_it_in_place(
    reviewer: Person, person: Person, container: Container, job_id: str
) -> None:
    send_back(container, job_id, "other")
    page = reviewer.open(LIST).click("interior-1")
    form = page.forms["make"]
    form["another_seed"] = True
    page = reviewer.send(form)
    assert "Being redone" in page.text
    assert not {"make", "answer-form", "approve"} & set(page.forms)
    revise(container)
    develop(container)
    page = reviewer.open(f"{LIST}/{one(container, job_id).id}")
    assert "Another random start (number 1). Checks:" in page.text
    assert [each.text for each in page.html.select("[data-compare] figcaption")] == ["Sent back", "New"]
    assert page.html.select_one("#compare-range")["aria-valuetext"] == "50% new"
    shown = [each["src"] for each in page.html.select("[data-compare] img")]
    assert [reviewer.web.get(each).content_type for each in shown] == ["image/jpeg"] * 2
    page = reviewer.send(page.forms["approve"])
    assert "The new picture is used" in page.text
    assert "Redone" in person.open(f"/orders/{job_id}/results?photo=1").html.select_one("#not-right").text
    assert "Used a new picture" in reviewer.open("/reviews/log").text


def test_a_straightened_result_that_was_sent_back_is_compared_with_its_photo_straightened_alike(
    reviewer: Person, person: Person, container: Container, api: Api
) -> None:
    job_id = ordered(api, container, "hdr_enhancement", contents=(photo("LEANS"), PHOTO))
    for place, expected in enumerate((BEFORE, b"\xff\xd8\xffview")):
        page = reviewer.open(f"{LIST}/{send_back(container, job_id, 'other', place=place).id}")
        assert [each.text for each in page.html.select("[data-compare] figcaption")] == ["Before", "After"]
        path = page.html.select_one("figure.before img")["src"]
        assert reviewer.open(path).body == expected
        assert person.open(path).body == expected, "the owner may see the photo"
        person.open(path.replace("/before/", "/made/"), status=404)


def test_a_reviewer_makes_a_picture_of_a_photo_that_had_none(
    reviewer: Person, person: Person, container: Container, api: Api
) -> None:
    job_id = ordered(api, container, "hdr_enhancement", "declutter", contents=(PHOTO, photo("FIRST DECLINE")))
    send_back(container, job_id, "no_result", words="It is a kitchen.", place=1)
    page = reviewer.open(LIST).click("interior-2")
    for words in ("There is no usable result", "“It is a kitchen.”", "Declutter not done: Not available."):
        assert words in page.text
    assert [each["value"] for each in page.html.select("#answer-form button")] == ["keep"]
    assert len(page.html.select('#make [name="left_out"]')) == 2
    form = page.forms["make"]
    form["another_seed"] = True
    reviewer.send(form)
    revise(container)
    develop(container)
    page = reviewer.open(f"{LIST}/{one(container, job_id).id}")
    assert [each.text for each in page.html.select("[data-compare] figcaption")] == ["Photo", "New"]
    assert "The picture is free" in page.html.select_one("#approve + .hint").text
    reviewer.send(page.forms["approve"])
    page = person.open(f"/orders/{job_id}/results?photo=2")
    told = page.html.select_one("#not-right").text
    assert "Done" in told
    assert "Compare" not in told
    assert "Refunded" not in told
    sent = one(container, job_id)
    person.open(f"/orders/{job_id}/results/{sent.result_id}/revisions/{sent.id}", status=404)


def test_a_reviewer_keeps_it_with_words(
    reviewer: Person, person: Person, container: Container, job_id: str
) -> None:
    send_back(container, job_id, "other")
    page = reviewer.open(f"{LIST}/{one(container, job_id).id}")
    page = page.forms["answer-form"].submit("do", value="keep", status=422)
    assert "Say why: the customer reads it." in page.text
    form = page.forms["answer-form"]
    form["answer"] = "It is <as> it was."
    reviewer.send(form)
    told = person.open(f"/orders/{job_id}/results?photo=1").html.select_one("#not-right").text
    assert "“It is <as> it was.”" in told


def test_a_reviewer_gives_the_price_back(reviewer: Person, person: Person, container: Container, job_id) -> None:
    send_back(container, job_id, "other")
    page = reviewer.open(f"{LIST}/{one(container, job_id).id}")
    button = page.html.select_one("#answer-form [formaction]")
    assert "Refund 1.5 credits" in button.text
    form = page.forms["answer-form"]
    form["answer"] = "Sorry."
    form.action = button["formaction"]
    assert "Refunded, and the customer is notified" in reviewer.send(form).text
    told = " ".join(person.open(f"/orders/{job_id}/results?photo=1").html.select_one("#not-right").text.split())
    assert "Refunded to your balance: 1.5 credits." in told
    assert "so it cannot be redone" in told


def test_what_changed_since_it_was_shown_is_not_decided(
    reviewer: Person, container: Container, job_id: str
) -> None:
    send_back(container, job_id, "other")
    path = f"{LIST}/{one(container, job_id).id}"
    first, second = reviewer.open(path).forms["answer-form"], reviewer.open(path).forms["answer-form"]
    first["answer"] = second["answer"] = "No."
    reviewer.send(first)
    assert "It changed since you opened this page" in reviewer.send(second, status=409).text


def test_nothing_chosen_is_said_at_the_form(reviewer: Person, container: Container, job_id: str) -> None:
    send_back(container, job_id, "other")
    page = reviewer.send(reviewer.open(f"{LIST}/{one(container, job_id).id}").forms["make"], status=422)
    assert "Choose at least one thing" in page.html.select_one("#make .summary").text


def test_the_whole_order_tells_of_it_too(reviewer: Person, container: Container, job_id: str) -> None:
    send_back(container, job_id, "other", words="The gable.")
    page = reviewer.open(f"/reviews/{job_id}?photo=1")
    assert "“The gable.”" in page.html.select_one(".side").text
    assert "1 “not right”" in reviewer.open("/reviews/settled").text


def test_a_reviewer_gives_the_price_of_one_step_back_and_the_picture_stays(
    reviewer: Person, person: Person, container: Container, job_id: str
) -> None:
    send_back(container, job_id, "other")
    path = f"{LIST}/{one(container, job_id).id}"
    page = reviewer.open(path)
    staging = page.html.select_one('#answer-form button[value="virtual_staging"]')
    assert "refund 1 credit" in staging.text
    form = page.forms["answer-form"]
    form["answer"] = "The table is odd."
    form.action = staging["formaction"]
    page = form.submit("step", value="virtual_staging").follow()
    assert "The price of the step was refunded" in page.text
    page = person.open(f"/orders/{job_id}/results?photo=1")
    done = " ".join(page.html.select_one(".done").text.split())
    assert "Refunded: 1 credit." in done
    assert "Refunded to your balance: 1 credit." in " ".join(page.html.select_one("#not-right").text.split())
    assert "send-back" in page.forms
    again = send_back(container, job_id, "other")
    page = reviewer.open(f"{LIST}/{again.id}")
    assert page.html.select_one('#answer-form button[value="virtual_staging"]') is None
    form = page.forms["answer-form"]
    form["answer"], form.action = (
        "Once more.",
        page.html.select_one("#answer-form")["action"].replace("/keep", "/refund-step"),
    )
    assert "The price of this step can no longer" in form.submit("step", value="virtual_staging", status=422).text


def test_what_the_customer_says_of_other_photos_is_shown_too(
    reviewer: Person, container: Container, job_id: str
) -> None:
    send_back(container, job_id, "other", words="The gable.")
    other = send_back(container, job_id, "other", words="The floor.", place=1)
    assert "“The gable.”" in reviewer.open(f"{LIST}/{other.id}").text
    page = reviewer.open(f"/reviews/{job_id}?photo=2")
    assert "On other photos of this order" in page.text
    assert "“The gable.”" in page.html.select_one(".side").text
