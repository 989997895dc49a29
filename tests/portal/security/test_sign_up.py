"""Signing up, in the browser: the form, the mail, the button that confirms."""

import re

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.domain.sign_in_limits import MAILS_PER_HOUR
from app.services.accounts import accounts, users
from tests.fakes import FakeClock
from tests.portal.mailbox import link, links, mails, subjects
from tests.portal.person import PASSWORD, Person

NEW = "new@example.com"


def sign_up(
    person: Person, email: str = NEW, password: str = PASSWORD, status: int = 200, name="Nia"
) -> TestResponse:
    form = person.open("/sign-up").forms["sign-up"]
    form["name"], form["email"], form["password"] = name, email, password
    return person.send(form, status=status)


def test_from_the_form_over_the_mail_to_the_orders(stranger: Person, container: Container) -> None:
    page = sign_up(stranger)
    assert page.request.path == "/sign-up/sent"
    assert NEW in page.text
    page = stranger.open(link(container, NEW, "/sign-up/confirm/"))
    assert "password" not in page.forms["confirm"].fields
    page = stranger.send(page.forms["confirm"])
    assert page.request.path == "/orders"
    assert "Welcome to Brightlist" in page.text
    assert "You have 5 credits to try it." in page.text
    with container.database.read_session() as session:
        member = accounts.find(session, NEW)
    assert (member.user.name, member.organization.credits, member.user.is_staff) == ("Nia", 5, False)


def test_opening_the_link_confirms_nothing_so_programs_that_scan_mail_may(
    stranger: Person, container: Container
) -> None:
    sign_up(stranger)
    for _ in range(3):
        stranger.open(link(container, NEW, "/sign-up/confirm/"))
    with container.database.read_session() as session:
        assert users.find(session, NEW).confirmed_at is None


def test_the_page_is_the_same_whether_or_not_the_address_has_an_account(
    app: Flask, person: Person, container: Container
) -> None:
    pages, cookies = [], []
    reader = app.session_interface.get_signing_serializer(app)
    for email in (NEW, person.email):
        stranger = Person(app)
        pages.append(sign_up(stranger, email).html.main.text.replace(email, ""))
        content = reader.loads(stranger.web.cookies["brightlist"].strip('"'))
        cookies.append({key: len(value) for key, value in content.items() if key != "mailed_to"})
    assert pages[0] == pages[1]
    assert cookies[0] == cookies[1], "what the cookie holds, which can be read, must not tell either"
    assert subjects(container, person.email) == ["You have an account already"]
    assert sorted(links(container, person.email)) == ["/reset", "/sign-in"]


def test_another_browser_is_asked_for_the_password(app: Flask, stranger: Person, container: Container) -> None:
    sign_up(stranger)
    phone, path = Person(app), link(container, NEW, "/sign-up/confirm/")
    form = phone.open(path).forms["confirm"]
    page = phone.send(form, status=422)
    assert "Enter your password." in page.text
    form["password"] = "wrong"
    assert "The password is wrong." in phone.send(form, status=422).text
    form["password"] = PASSWORD
    assert phone.send(form).request.path == "/orders"


def test_a_link_is_good_once_and_a_dead_one_says_what_to_do(stranger: Person, container: Container) -> None:
    sign_up(stranger)
    path = link(container, NEW, "/sign-up/confirm/")
    form = stranger.open(path).forms["confirm"]
    stranger.send(form)
    for page in (stranger.open(path, status=410), stranger.open("/sign-up/confirm/nonsense", status=410)):
        assert "no longer works" in page.html.h1.text
        assert page.html.select_one("a.button.primary")["href"] == "/sign-up"


def test_signing_up_again_sends_a_new_link_and_ends_the_old(stranger: Person, container: Container) -> None:
    sign_up(stranger, password="ladder copper moss")
    old = link(container, NEW, "/sign-up/confirm/")
    sign_up(stranger)
    (new,) = set(links(container, NEW)) - {old}
    stranger.open(old, status=410)
    stranger.send(stranger.open(new).forms["confirm"])
    with container.database.read_session() as session:
        assert users.authenticate(session, NEW, PASSWORD)


def test_what_cannot_be_taken_is_said_at_its_field_and_the_rest_is_kept(
    stranger: Person, container: Container, subtests: pytest.Subtests
) -> None:
    for field, value, told in (
        ("name", "", "Enter your name."),
        ("name", "x" * 10_000, "at most 200 characters"),
        ("name", "a\x00b", "control characters"),
        ("email", "", "Enter your e-mail address."),
        ("email", "x" * 10_000 + "@example.com", "Enter an e-mail address, such as"),
        ("email", "a\x00@example.com", "Enter an e-mail address, such as"),
        ("email", "nobody", "Enter an e-mail address, such as"),
        ("password", "", "Enter a password."),
        ("password", "short", "at least 10 characters"),
        ("password", "x" * 10_000, "at most 200 characters"),
        ("password", "ten long\x00\x1b more", "control characters"),
        ("password", NEW, "too easy to guess"),
    ):
        with subtests.test(field=field, value=value, told=told):
            form = stranger.open("/sign-up").forms["sign-up"]
            form["name"], form["email"], form["password"] = "Nia", NEW, PASSWORD
            form[field] = value
            page = stranger.send(form, status=422)
            assert page.html.title.text.startswith("Error: ")
            assert told in page.html.select_one(f"#{field}-error").text
            assert page.html.select_one(f'.summary a[href="#{field}"]')
            kept = {"name": "Nia", "email": NEW}
            kept.pop(field, None)
            assert {name: page.forms["sign-up"][name].value for name in kept} == kept
            assert not page.html.select_one("#password").get("value")
            assert mails(container, NEW) == []


def test_bytes_that_are_no_text_are_refused(stranger: Person) -> None:
    token = stranger.open("/sign-up").forms["sign-up"]["csrf_token"].value
    nonsense = "%ED%A0%80%00%ff%ff%ff%ff%ff%ff%ff%ff%ff"
    body = f"csrf_token={token}&name={nonsense}&email={nonsense}%40example.com&password={nonsense}"
    answer = stranger.web.post("/sign-up", body, expect_errors=True)
    assert answer.status_int == 422


def test_mail_to_one_address_is_bounded(stranger: Person, container: Container, clock: FakeClock) -> None:
    for _ in range(MAILS_PER_HOUR):
        sign_up(stranger)
        clock.pass_(minutes=2)
    page = sign_up(stranger, status=429)
    assert "Too many tries. Try again in 40 minutes." in page.text
    assert page.headers["Retry-After"] == "2400"
    assert page.forms["sign-up"]["email"].value == NEW
    assert len(mails(container, NEW)) == MAILS_PER_HOUR
    form = stranger.open("/reset").forms["reset"]
    form["email"] = NEW
    stranger.send(form)
    assert subjects(container, NEW).count("Choose a new password") == 1, "which has a budget of its own"
    sign_up(stranger, "somebody.else@example.com")
    clock.pass_(minutes=40)
    sign_up(stranger)


def test_mail_leads_to_the_address_of_the_service_whatever_host_was_asked(app: Flask, container: Container) -> None:
    client, there = app.test_client(), {"base_url": "http://evil.example"}
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/sign-up", **there).text)[1]
    fields = {"csrf_token": token, "name": "Nia", "email": NEW, "password": PASSWORD}
    assert client.post("/sign-up", data=fields, **there).status_code == 303
    client.post("/reset", data={"csrf_token": token, "email": NEW}, **there)
    assert len(links(container, NEW)) == len(mails(container, NEW)) == 2
    assert not [mail for mail in mails(container, NEW) if "evil" in mail.text]


def test_what_somebody_calls_themselves_reaches_nobody_by_mail(stranger: Person, container: Container) -> None:
    sign_up(stranger, name="Win a prize at evil.example")
    assert "evil" not in mails(container, NEW)[0].text


def test_the_password_may_be_shown_where_scripts_run(stranger: Person) -> None:
    page = stranger.open("/sign-up")
    button = page.html.select_one("button[data-reveal=password]")
    assert button.has_attr("hidden")
    assert page.html.select_one("#password")["autocomplete"] == "new-password"


def test_whoever_is_signed_in_has_an_account(person: Person) -> None:
    assert person.open("/sign-up").request.path == "/orders"
