"""What asks once more who it is: dangerous acts ask for password and code, and some for a proof of late."""

import json

import pytest
from flask import Flask

from app.application import create_app
from app.container import Container
from app.domain.sign_in_limits import PROOF_VALID_FOR
from app.domain.staff import StaffTwoFactor
from app.services.accounts import users
from app.services.security import sign_ins
from tests.fakes import FakeClock, FakeQueue
from tests.portal.conftest import NewPerson
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_security import Phone

FRESH = "ladder copper moss"
ACTS = {
    "/account/delete": ("delete-form", {}),
    "/account/email": ("email-form", {"email": "new@example.com"}),
    "/account/password": ("password-form", {"new_password": FRESH}),
    "/account/security/two-factor/off": ("off-form", {}),
    "/account/security/recovery-codes": ("codes-form", {}),
    "/account/security/confirm": ("confirm-form", {}),
}


@pytest.fixture
def phone(person: Person, clock: FakeClock) -> Phone:
    return Phone(person, clock)


def act(person: Person, path: str, status: int = 200, **proof: str):
    form_id, fields = ACTS[path]
    form = person.open(path).forms[form_id]
    for name, value in {**fields, **proof}.items():
        form[name] = value
    return person.send(form, status=status)


@pytest.mark.parametrize("path", ACTS)
def test_where_two_factor_is_on_a_dangerous_act_asks_for_the_code_too(
    person: Person, phone: Phone, container: Container, path: str
) -> None:
    for wrong in ({"code": ""}, {"code": "000000"}, {"code": phone.code(), "password": "wrong"}):
        page = act(person, path, 422, **{"password": PASSWORD, **wrong})
        assert page.html.select_one("#code-error, #password-error")
    with container.database.read_session() as session:
        kept = users.get(session, person.user_id)
        assert kept.totp_since
        assert users.authenticate(session, person.email, PASSWORD)
    used = phone.code()
    assert "Error: " not in act(person, path, password=PASSWORD, code=used).html.title.text
    if path == "/account/security/confirm":
        act(person, path, 422, password=PASSWORD, code=used)


def test_without_two_factor_no_code_is_asked_for(person: Person) -> None:
    for path in ("/account/delete", "/account/email", "/account/password"):
        assert "code" not in person.open(path).forms[ACTS[path][0]].fields


def test_guessing_codes_from_a_signed_in_browser_is_bounded(person: Person, phone: Phone, clock: FakeClock) -> None:
    for _ in range(10):
        clock.pass_(minutes=1)
        act(person, "/account/delete", 422, password=PASSWORD, code="000000")
    clock.pass_(minutes=1)
    assert "Too many tries" in act(person, "/account/delete", 429, password=PASSWORD, code=phone.code()).text


@pytest.mark.parametrize("path", ["/keys/new", "/keys/{key}/rotate"])
def test_a_key_is_made_only_soon_after_a_proof(
    person: Person, container: Container, clock: FakeClock, path: str
) -> None:
    form = person.open("/keys/new").forms["key-form"]
    form["name"] = "Script"
    person.send(form)
    link = person.open("/keys").html.select_one("tbody a")["href"]
    path = path.replace("/keys/{key}", link)
    waiting = person.open(path).forms[{"/keys/new": "key-form"}.get(path, "rotate-form")]
    assert PROOF_VALID_FOR.total_seconds() == 2 * 3600
    person.keep_using(clock, hours=2)
    page = person.open(path)
    assert page.request.path == "/account/security/confirm"
    kept = person.open("/keys").html.select("tbody tr")
    answer = waiting.submit(headers={"Referer": f"http://localhost{path}"}, expect_errors=True)
    assert answer.location.startswith("/account/security/confirm?next=/keys/")
    assert len(person.open("/keys").html.select("tbody tr")) == len(kept), "a form opened before makes none either"
    form = page.forms["confirm-form"]
    form["password"] = "wrong"
    assert person.send(form, status=422).html.select_one("#password-error")
    form["password"] = PASSWORD
    assert person.send(form).request.path == path
    with container.database.read_session() as session:
        held = sign_ins.of_user(session, person.user_id, clock())
    assert len(held) == 1, "the sign-in before is over"


def test_a_proof_of_late_is_that_of_this_browser(person: Person, app: Flask, clock: FakeClock) -> None:
    person.keep_using(clock, hours=3)
    Person(app, person.email).sign_in()
    assert person.open("/keys/new").request.path == "/account/security/confirm"


def test_all_that_is_kept_is_given_away_only_soon_after_a_proof(person: Person, clock: FakeClock) -> None:
    person.keep_using(clock, hours=2)
    page = person.open("/account")
    answer = page.forms["download-data"].submit(headers={"Referer": "http://localhost/account"}, expect_errors=True)
    assert answer.location == "/account/security/confirm?next=/account"
    form = person.open(answer.location).forms["confirm-form"]
    form["password"] = PASSWORD
    page = person.send(form)
    assert json.loads(person.send(page.forms["download-data"]).text)["account"]["email"] == person.email


def test_after_a_proof_nobody_is_sent_elsewhere(person: Person) -> None:
    form = person.open("/account/security/confirm?next=https://evil.example").forms["confirm-form"]
    form["password"] = PASSWORD
    assert person.send(form).request.path == "/orders"


@pytest.fixture
def strict(settings, clock: FakeClock, container: Container) -> Container:
    """A container whose staff must have two-factor."""
    made = Container(settings.model_copy(update={"staff_two_factor": StaffTwoFactor.REQUIRED}), clock)
    made.queue = FakeQueue()
    made.database = container.database
    return made


def test_staff_without_two_factor_reach_the_page_that_sets_it_up_and_no_other(
    strict: Container, new_person: NewPerson, clock: FakeClock
) -> None:
    person = new_person("rae@example.com", "0", staff=True)
    app = create_app(container=strict)
    member, customer = Person(app, person.email, person.account_id, person.user_id), Person(app)
    customer.email, customer.user_id = "pat@example.com", new_person("pat@example.com").user_id
    for each in (member, customer):
        each.begin_signed_in()
    for path in ("/reviews", "/staff/accounts", "/orders", "/account", "/account/password", "/keys", "/credits"):
        assert member.open(path).request.path == "/account/security", path
    assert member.post("/account/data").request.path == "/account/security"
    assert "must have two-factor" in member.open("/account/security").html.main.text
    assert customer.open("/orders").request.path == "/orders"
    phone = Phone(member, clock)
    assert len(phone.codes) == 10
    for path in ("/reviews", "/staff/accounts", "/orders"):
        assert member.open(path).request.path == path
    member.post("/account/security/two-factor/off", password=PASSWORD, code=phone.code())
    assert member.open("/reviews").request.path == "/account/security"


def test_customers_and_staff_choose_where_it_is_not_required(reviewer: Person) -> None:
    assert reviewer.open("/reviews").request.path == "/reviews"
