"""The account's own pages, in the browser."""

import json

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.services.accounts import users
from app.services.security import api_keys
from tests.conftest import PHOTO, Api, work
from tests.portal.conftest import NewPerson
from tests.portal.mailbox import link, links, mails, subjects
from tests.portal.person import PASSWORD, Person

FRESH, NEW = "ladder copper moss", "new@example.com"


def fill(person: Person, path: str, form_id: str, status: int = 200, **fields: str) -> TestResponse:
    form = person.open(path).forms[form_id]
    for name, value in fields.items():
        form[name] = value
    return person.send(form, status=status)


def change_email(person: Person, email: str = NEW, password: str = PASSWORD, status: int = 200) -> TestResponse:
    return fill(person, "/account/email", "email-form", status, email=email, password=password)


def delete(person: Person, password: str = PASSWORD, status: int = 200) -> TestResponse:
    return fill(person, "/account/delete", "delete-form", status, password=password)


def test_the_account_page_shows_who_they_are_and_leads_to_every_change(person: Person) -> None:
    page = person.open("/account")
    for text in ("Jo Agent", person.email, "100 credits", "Off"):
        assert text in page.html.main.text
    for each in page.html.select("main a"):
        person.open(each["href"])


def test_a_name_is_changed_on_one_clean_line(person: Person) -> None:
    page = fill(person, "/account/name", "name-form", name="  Zoë \t Berg ")
    assert page.request.path == "/account"
    assert "Zoë Berg" in page.text
    assert person.open("/account/name").forms["name-form"]["name"].value == "Zoë Berg"


def test_file_names_are_shown_before_they_are_saved_and_bad_ones_refused(person: Person) -> None:
    form = person.open("/account/file-names").forms["file-names-form"]
    form["pattern"] = "{street}-{nn}"
    assert "12-garden-lane-02.jpg" in person.send(form, "preview", value="1").html.select_one("#name-preview").text
    assert "{street}-{nn}" not in person.open("/account").text
    fill(person, "/account/file-names", "file-names-form", pattern="{street}-{nn}")
    assert "{street}-{nn}" in person.open("/account").text
    refused = fill(person, "/account/file-names", "file-names-form", 422, pattern="{nn}/" * 60)
    assert "Use at most 100 characters" in refused.html.select_one("#pattern-error").text


@pytest.mark.parametrize("name", ["", "x" * 10_000, "a\x00b"])
def test_what_is_no_name_is_refused(person: Person, name: str) -> None:
    assert fill(person, "/account/name", "name-form", 422, name=name).html.select_one("#name-error")
    assert "Jo Agent" in person.open("/account").text


def test_an_address_changes_when_the_link_sent_there_is_opened(
    person: Person, app: Flask, container: Container
) -> None:
    page = change_email(person)
    assert NEW in page.text
    assert person.email in page.text
    assert subjects(container, person.email) == ["Your e-mail address is about to change"]
    elsewhere = Person(app)
    elsewhere.send(elsewhere.open(link(container, NEW, "/new-address/")).forms["confirm"])
    assert NEW in person.open("/account").text
    person.email = NEW
    Person(app, NEW).sign_in()


def test_a_link_for_a_new_password_sent_to_the_old_address_dies_with_it(
    person: Person, stranger: Person, container: Container
) -> None:
    fill(stranger, "/reset", "reset", email=person.email)
    change_email(person)
    person.send(person.open(link(container, NEW, "/new-address/")).forms["confirm"])
    stranger.open(link(container, person.email, "/reset/"), status=410)


def test_an_address_that_has_an_account_is_not_told_to_whoever_wants_it(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    other = new_person("kim@example.com")
    told = {
        change_email(person, email).html.select_one(".notice").text.replace(email, "")
        for email in (other.email, NEW)
    }
    assert len(told) == 1
    assert subjects(container, other.email) == ["This address has an account already"]
    assert links(container, other.email) == []


def test_an_address_confirmed_by_somebody_else_meanwhile_is_theirs(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    change_email(person)
    form = person.open(link(container, NEW, "/new-address/")).forms["confirm"]
    new_person(NEW)
    assert "its own account" in person.send(form, status=410).text
    assert person.email in person.open("/account").text


def test_an_address_that_somebody_only_signed_up_with_goes_to_whoever_reads_its_mail(
    person: Person, stranger: Person, container: Container
) -> None:
    fill(stranger, "/sign-up", "sign-up", name="Mallory", email=NEW, password=FRESH)
    change_email(person)
    person.send(person.open(link(container, NEW, "/new-address/")).forms["confirm"])
    with container.database.read_session() as session:
        assert users.find(session, NEW).id == person.account_id


@pytest.mark.parametrize("email", ["", "nobody", "x" * 10_000, "a\x00@example.com", "pat@example.com"])
def test_what_cannot_be_the_new_address_is_refused(person: Person, container: Container, email: str) -> None:
    assert change_email(person, email, status=422).html.select_one("#email-error")
    assert mails(container, person.email) == []


def test_a_new_password_signs_out_every_other_browser_and_renews_this_one(
    person: Person, app: Flask, container: Container
) -> None:
    other = Person(app, person.email)
    other.sign_in()
    stolen = person.web.cookies["brightlist"].strip('"')
    page = fill(person, "/account/password", "password-form", password=PASSWORD, new_password=FRESH)
    assert "Your password is changed" in page.text
    assert person.open("/account").request.path == "/account"
    assert other.open("/account").request.path == "/sign-in"
    thief = Person(app)
    thief.web.set_cookie("brightlist", stolen)
    assert thief.open("/account").request.path == "/sign-in"
    assert subjects(container, person.email) == ["Your password was changed"]
    Person(app, person.email).sign_in(FRESH)


@pytest.mark.parametrize("password", ["", "wrong", "x" * 10_000, "\x00", PASSWORD + "\x00"])
def test_nothing_serious_changes_without_the_present_password(
    person: Person, container: Container, password: str
) -> None:
    change_email(person, password=password, status=422)
    delete(person, password, status=422)
    fill(person, "/account/password", "password-form", 422, password=password, new_password=FRESH)
    with container.database.read_session() as session:
        assert users.authenticate(session, person.email, PASSWORD)
    assert mails(container, person.email) == []


def test_guessing_the_password_from_a_signed_in_browser_is_bounded(person: Person) -> None:
    for _ in range(10):
        delete(person, "wrong", status=422)
    page = delete(person, status=429)
    assert "Too many tries" in page.text
    assert person.open("/account").request.path == "/account"


def test_their_data_comes_as_a_file(person: Person) -> None:
    answer = person.send(person.open("/account").forms["download-data"])
    assert answer.headers["Content-Disposition"] == "attachment; filename=brightlist-2026-11-20.json"
    assert answer.content_type == "application/json"
    assert json.loads(answer.text)["account"]["email"] == person.email
    assert person.web.get("/account/data", expect_errors=True).status_int == 405


def test_deleting_spells_out_what_goes_and_says_goodbye(person: Person, app: Flask) -> None:
    text = person.open("/account/delete").html.main.text
    assert "100 credits" in text
    assert "What we keep" in text
    page = delete(person)
    assert page.request.path == "/sign-in"
    assert "Your account is deleted" in page.text
    assert "Sign out" not in page.text
    assert person.open("/account").request.path == "/sign-in"
    form = Person(app).open("/sign-in").forms["sign-in"]
    form["email"], form["password"] = person.email, PASSWORD
    assert form.submit(expect_errors=True).status_int == 422


def test_an_account_with_unfinished_orders_stays(person: Person, app: Flask, container: Container) -> None:
    with container.database.unit_of_work() as session:
        _, secret = api_keys.create(session, person.account_id, container.clock())
    open_form = person.open("/account/delete").forms["delete-form"]
    Api(app.test_client(), person.account_id, secret).order(interior=[PHOTO])
    page = person.open("/account/delete")
    notice = page.html.select_one(".notice")
    assert "1 order is still being worked on" in notice.text
    assert notice.a["href"] == "/orders"
    assert "delete-form" not in page.forms
    open_form["password"] = PASSWORD
    assert "still being worked on" in person.send(open_form, status=422).html.select_one(".summary").text
    work(container)
    assert delete(person).request.path == "/sign-in"
