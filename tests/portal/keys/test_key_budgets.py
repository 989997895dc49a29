"""Budgets of API keys in the browser."""

from flask import Flask

from app.container import Container
from tests.conftest import PHOTO, Api
from tests.portal.keys.test_keys_pages import ask, key_id_of, make, secret_on
from tests.portal.person import Person


def test_a_budget_is_set_changed_and_taken_away_and_what_is_spent_is_shown(
    person: Person, app: Flask, container: Container
) -> None:
    secret = secret_on(make(person, budget="12,5"))
    key_id = key_id_of(container)
    Api(app.test_client(), "", secret).order(interior=[PHOTO])
    assert ask(app, secret).json["budget"]["left"] == 12
    assert "0.5 of 12.5 credits" in person.open("/keys").text
    page = person.open(f"/keys/{key_id}")
    assert "0.5 of 12.5 credits this month" in page.text
    form = page.forms["budget-form"]
    assert form["budget"].value == "12.5"
    form["budget"] = "-1"
    refused = person.send(form, status=422)
    assert refused.html.select_one("#budget-error")
    assert refused.forms["budget-form"]["budget"].value == "-1"
    form["budget"] = ""
    assert "0.5 credits this month" in person.send(form).text
    assert "budget" not in ask(app, secret).json
