"""Reviewers have a result made again before delivery: the form, the wait, the way back, without any script."""

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.models import Result
from engine.types.report import Figure
from tests.conftest import PHOTO, Api, develop, revise, work
from tests.portal.person import Person
from tests.portal.programs import api_of


@pytest.fixture
def api(app: Flask, container: Container, person: Person) -> Api:
    return api_of(person, app, container)


@pytest.fixture
def path(container: Container, api: Api, reviewer: Person) -> str:
    """The review of an order of two rooms, which the reviewer holds."""
    container.engine.tells_steps = True
    order = api.order(interior=[PHOTO, PHOTO], interiorEnhancements=["hdr_enhancement", "virtual_staging"])
    work(container, automatic=False)
    develop(container)
    reviewer.post(f"/reviews/{order['jobId']}/claim")
    return f"/reviews/{order['jobId']}"


def test_a_photo_is_made_again_and_comes_back_while_the_other_is_approved(
    reviewer: Person, container: Container, path: str
) -> None:
    page = reviewer.open(f"{path}?photo=1")
    form = page.forms["rework"]
    form["another_seed"], form["why"], form["options.brightness"] = True, "The <sofa> floats.", "brighter"
    page = reviewer.send(form)
    assert "returns to this review" in page.text
    assert "Photo 2 of 2" in page.html.select_one("#photo-title").text
    waits = reviewer.open(f"{path}?photo=1")
    assert "Being redone" in waits.html.select_one("#making").text
    assert not {"decision", "rework"} & set(waits.forms)
    polled = waits.html.select_one("#making")["data-hx-get"]
    assert "Being redone" in reviewer.fragment(polled).text
    form = page.forms["decision"]
    form["verdict"] = "approved"
    reviewer.send(form)
    revise(container)
    develop(container)
    assert "Look at it now" in reviewer.fragment(polled).text
    page = reviewer.open(f"{path}?photo=1")
    side = " ".join(page.html.select_one(".side").text.split())
    assert "Another random start (number 1), brightness: brighter. Redone" in side
    assert container.engine.requests[-1].brightness == "brighter"
    assert "“The <sofa> floats.”" in side
    assert {"decision", "rework"} <= set(page.forms)
    compared = page.click("Compare before and after")
    assert "A reviewer had it redone" in compared.text
    assert len(compared.html.select("[data-compare] img")) == 2
    assert not {"make", "answer-form", "approve"} & set(compared.forms)
    action = page.html.select_one("form[action$='/undo']")["action"]
    page = reviewer.post(action).maybe_follow()
    assert "The previous picture is used again." in page.text
    assert reviewer.post(action, status=409).status_int == 409


def test_it_can_be_stopped(reviewer: Person, container: Container, path: str) -> None:
    form = reviewer.open(f"{path}?photo=1").forms["rework"]
    form["left_out"] = ["virtual_staging"]
    reviewer.send(form)
    page = reviewer.open(f"{path}?photo=1")
    page = reviewer.post(page.html.select_one("form[action$='/stop']")["action"]).maybe_follow()
    assert "Stopped. The result keeps its picture." in page.text
    assert "Stopped" in page.html.select_one(".side").text
    assert revise(container) == 0
    assert "decision" in page.forms


def test_nothing_chosen_is_said_at_the_form(reviewer: Person, path: str) -> None:
    form = reviewer.open(f"{path}?photo=2").forms["rework"]
    form["why"] = "It looks odd."
    page = reviewer.send(form, status=422)
    assert "Choose at least one thing" in page.html.select_one("#rework .summary").text
    assert page.forms["rework"]["why"].value == "It looks odd."
    assert page.html.select_one(".unfold[open] #rework")


def test_the_price_of_a_step_goes_back_with_the_approval(reviewer: Person, person: Person, path: str) -> None:
    for number in (1, 2):
        form = reviewer.open(f"{path}?photo={number}").forms["decision"]
        form["verdict"] = "approved"
        if number == 1:
            form["refunded_steps"] = ["virtual_staging"]
        page = reviewer.send(form)
    assert "The customer gets 2 photos, and 1 credit is refunded." in page.html.select_one("#effect").text
    page = reviewer.open(f"{path}/finish")
    assert "Virtual staging" in page.html.select_one("main").text
    reviewer.send(page.forms["finish"])
    done = person.open(path.replace("reviews", "orders") + "/results?photo=1").html.select_one(".done").text
    assert "Refunded: 1 credit." in " ".join(done.split())


def test_the_page_says_what_was_ordered_for_the_whole_order(reviewer: Person, path: str) -> None:
    side = " ".join(reviewer.open(path).html.select_one(".side").text.split())
    assert "Virtual staging 2 photos, interior" in side
    assert "Listing rules: Our own rule" in side
    assert "in the style you choose" not in side


def test_a_figure_that_is_held_to_no_limit_is_not_called_passed(
    reviewer: Person, container: Container, path: str
) -> None:
    figures = (Figure(code="halo", value=0.1, maximum=0.5), Figure(code="lit_glass", value=0.1))
    with container.database.unit_of_work() as session:
        for result in session.scalars(select(Result)):
            result.picture.report = replace(result.report, figures=figures)
    rows = reviewer.open(path).html.select(".report tbody tr")
    assert [row.select("td")[2].text for row in rows] == ["Passed", "Not judged"]
