"""Signing in and out with a password."""

import pytest

from app.portal.visitors import way_back
from tests.portal.person import PASSWORD, Person


def test_who_is_not_signed_in_is_sent_to_sign_in_and_back(stranger: Person, person: Person) -> None:
    page = stranger.open("/orders?status=x")
    assert page.request.path == "/sign-in"
    form = page.forms["sign-in"]
    form["email"], form["password"] = person.email, PASSWORD
    assert stranger.send(form).request.path_qs == "/orders?status=x"


def test_a_wrong_password_and_an_unknown_address_are_told_alike(stranger: Person, person: Person) -> None:
    told = set()
    for email in (person.email, "nobody@example.com"):
        form = stranger.open("/sign-in").forms["sign-in"]
        form["email"], form["password"] = email, "wrong"
        page = stranger.send(form, status=422)
        assert page.html.title.text.startswith("Error: ")
        told.add(page.html.select_one(".summary").text)
        assert page.forms["sign-in"]["email"].value == email
    assert len(told) == 1


def test_signing_out_ends_the_sign_in_itself_not_only_the_cookie(person: Person) -> None:
    kept = dict(person.web.cookies)
    person.send(person.open("/orders").forms["sign-out"])
    for name, value in kept.items():
        person.web.set_cookie(name, value.strip('"'))
    assert person.open("/orders").request.path == "/sign-in"


def test_signing_in_gives_a_new_session(stranger: Person, person: Person) -> None:
    form = stranger.open("/sign-in").forms["sign-in"]
    before = stranger.web.cookies["brightlist"]
    form["email"], form["password"] = person.email, PASSWORD
    page = stranger.send(form)
    assert stranger.web.cookies["brightlist"] != before
    assert page.forms["sign-out"]["csrf_token"].value != form["csrf_token"].value


def test_a_form_without_its_token_changes_nothing(person: Person) -> None:
    answer = person.web.post("/sign-out", {}, expect_errors=True)
    assert answer.status_int == 400
    assert "open too long" in answer.text
    assert person.open("/orders").request.path == "/orders"


def test_the_cookie_is_closed_to_scripts_and_other_sites(stranger: Person) -> None:
    header = stranger.open("/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header


@pytest.mark.parametrize(
    "target", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\nb", ""]
)
def test_nobody_is_sent_elsewhere_after_signing_in(app, target: str) -> None:
    with app.test_request_context():
        assert way_back(target) == "/orders"


def test_a_poll_of_a_browser_that_was_signed_out_leads_to_the_sign_in(stranger: Person) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/orders?page=2"}
    answer = stranger.web.get("/orders", headers=headers, expect_errors=True)
    assert answer.status_int == 401
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/orders?page%3D2"


def test_a_choice_of_colours_holds_and_leads_back(stranger: Person) -> None:
    page = stranger.open("/sign-in")
    page = stranger.send(page.forms["theme"], "theme", value="dark")
    assert page.request.path == "/sign-in"
    assert page.html.html["data-theme"] == "dark"
