"""A forgotten password, in the browser."""

import pytest
from flask import Flask
from webtest import TestResponse

from app.container import Container
from app.portal.security import resets
from app.services.accounts import users
from tests.fakes import FakeClock
from tests.portal.mailbox import link, links, mails, subjects
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_sign_up import NEW, sign_up

FRESH = "ladder copper moss"


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long answers waited, without the waiting."""
    waited: list[float] = []
    monkeypatch.setattr(resets.time, "sleep", waited.append)
    return waited


def ask(person: Person, email: str, status: int = 200) -> TestResponse:
    form = person.open("/reset").forms["reset"]
    form["email"] = email
    return person.send(form, status=status)


def choose(person: Person, path: str, password: str = FRESH, status: int = 200) -> TestResponse:
    form = person.open(path).forms["reset"]
    form["password"] = password
    return person.send(form, status=status)


def test_from_the_mail_to_a_new_password_and_signed_in(
    stranger: Person, person: Person, container: Container
) -> None:
    ask(stranger, person.email.upper())
    page = choose(stranger, link(container, person.email, "/reset/"))
    assert page.request.path == "/orders"
    assert "Your password is changed" in page.text
    assert person.open("/orders").request.path == "/sign-in", "every other browser is signed out"
    with container.database.read_session() as session:
        assert users.authenticate(session, person.email, FRESH)
        assert not users.authenticate(session, person.email, PASSWORD)
    assert subjects(container, person.email) == ["Choose a new password", "Your password was changed"]


def test_the_answer_is_the_same_whether_or_not_there_is_an_account(
    app: Flask, person: Person, container: Container, hurried: list[float]
) -> None:
    told = {ask(Person(app), email).html.main.text.replace(email, "") for email in (person.email, "no@example.com")}
    assert len(told) == 1
    assert mails(container, "no@example.com") == []
    assert len(hurried) == 2
    assert min(hurried) > 0, "neither took longer than answers take anyway"


def test_the_link_holds_an_hour_and_is_good_once(
    stranger: Person, person: Person, container: Container, clock: FakeClock
) -> None:
    ask(stranger, person.email)
    path = link(container, person.email, "/reset/")
    clock.pass_(minutes=59)
    choose(stranger, path)
    page = stranger.open(path, status=410)
    assert page.html.select_one("a.button.primary")["href"] == "/reset"
    ask(stranger, person.email)
    (path,) = {each for each in links(container, person.email) if each != path}
    clock.pass_(hours=1)
    stranger.open(path, status=410)


def test_a_refused_password_leaves_the_link_good(stranger: Person, person: Person, container: Container) -> None:
    ask(stranger, person.email)
    path = link(container, person.email, "/reset/")
    for wrong in ("short", person.email, "x" * 10_000):
        page = choose(stranger, path, wrong, status=422)
        assert page.html.select_one("#password-error")
    choose(stranger, path)


def test_it_works_for_an_account_that_was_never_confirmed(stranger: Person, container: Container) -> None:
    sign_up(stranger)
    ask(stranger, NEW)
    assert choose(stranger, link(container, NEW, "/reset/")).request.path == "/orders"
    stranger.open(link(container, NEW, "/sign-up/confirm/"), status=410)


def test_what_is_no_address_is_told(stranger: Person) -> None:
    for email in ("", "nobody", "x" * 10_000, "a\x00@example.com"):
        assert ask(stranger, email, status=422).html.select_one("#email-error")


def test_requests_are_bounded_for_where_they_come_from_and_keep_no_owner_out(
    stranger: Person, person: Person, container: Container, app: Flask
) -> None:
    for _ in range(10):
        ask(stranger, person.email)
    assert "Retry-After" in ask(stranger, person.email, status=429).headers
    owner = Person(app)
    owner.web.extra_environ["REMOTE_ADDR"] = "192.0.2.7"
    ask(owner, person.email)
    assert choose(owner, link(container, person.email, "/reset/")).request.path == "/orders"


def test_a_link_that_went_out_just_now_is_followed_by_no_other_and_none_takes_it_away(
    stranger: Person, person: Person, container: Container, clock: FakeClock
) -> None:
    told = {ask(stranger, person.email).html.main.text}
    first = link(container, person.email, "/reset/")
    clock.pass_(minutes=4, seconds=59)
    told.add(ask(stranger, person.email).html.main.text)
    assert links(container, person.email) == [first]
    for _ in range(8):
        clock.pass_(minutes=5)
        told.add(ask(stranger, person.email).html.main.text)
    assert len(told) == 1
    assert len(links(container, person.email)) == 9
    assert choose(stranger, first).request.path == "/orders", "nobody takes it away by asking for more"
    for each in links(container, person.email):
        stranger.open(each, status=410)
