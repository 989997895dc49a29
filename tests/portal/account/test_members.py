"""Two people of one account: orders, credits and keys are theirs together, and each has their own way in."""

import json
import logging

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.models import Job, Mail, SignIn, User
from app.services import security_log
from app.services.billing import credits
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.account.test_account import delete, fill
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import at_review
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_security import Phone, first_step, second_step


@pytest.fixture
def colleague(app: Flask, container: Container, person: Person, clock: FakeClock) -> Person:
    """A signed-in second member of the customer's organization."""
    clock.pass_(minutes=1)
    user_id = join(container, person.account_id, "sam@example.com")
    second = Person(app, "sam@example.com", person.account_id, user_id)
    assert second.sign_in().request.path == "/orders"
    return second


def test_a_second_member_sees_orders_credits_and_keys_of_the_organization(
    person: Person, colleague: Person, container: Container
) -> None:
    person.send(at_review(person).forms["place"])
    form = person.open("/keys/new").forms["key-form"]
    form["name"] = "Night upload"
    person.send(form)
    assert colleague.user_id != person.user_id
    assert "12 Garden Lane" in colleague.open("/orders").text
    assert "Night upload" in colleague.open("/keys").text
    with container.database.read_session() as session:
        balance = credits.balance(session, person.account_id)
    assert f"{balance} credits" in colleague.open("/credits").text


def test_a_second_member_orders_with_the_credits_of_the_organization(
    person: Person, colleague: Person, container: Container
) -> None:
    page = colleague.send(at_review(colleague).forms["place"])
    assert page.request.path.startswith("/properties/")
    with container.database.read_session() as session:
        (job,) = session.scalars(select(Job))
        assert job.account_id == person.account_id
        assert credits.balance(session, person.account_id) == 100 - job.credit_cost
    assert "12 Garden Lane" in person.open("/orders").text


def test_name_address_and_password_are_each_ones_own(
    person: Person, colleague: Person, container: Container
) -> None:
    page = colleague.open("/account")
    assert "Sam Second" in page.text
    assert "sam@example.com" in page.text
    assert "pat@example.com" not in page.text
    fill(colleague, "/account/name", "name-form", name="Samantha")
    fill(colleague, "/account/password", "password-form", password=PASSWORD, new_password="ladder copper moss")
    assert "Jo Agent" in person.open("/account").text, "and is signed in still"
    assert person.sign_in().request.path == "/orders", "by the password of before"
    with container.database.read_session() as session:
        assert session.get_one(User, colleague.user_id).name == "Samantha"
        assert [each.to for each in session.scalars(select(Mail).where(Mail.subject.contains("password")))] == [
            "sam@example.com"
        ]


def test_ending_ones_sign_ins_leaves_those_of_the_other(person: Person, colleague: Person, app: Flask) -> None:
    elsewhere = Person(app, colleague.email, colleague.account_id, colleague.user_id)
    elsewhere.sign_in()
    assert len(colleague.open("/account/security").html.select("form[action*='/sign-ins/sgn_']")) == 1
    colleague.post("/account/security/sign-ins/end")
    assert elsewhere.open("/orders").request.path == "/sign-in"
    assert person.open("/orders").request.path == "/orders"
    assert colleague.open("/orders").request.path == "/orders"


def test_nobody_ends_a_sign_in_of_the_other(person: Person, colleague: Person, container: Container) -> None:
    with container.database.read_session() as session:
        (theirs,) = session.scalars(select(SignIn.id).where(SignIn.user_id == person.user_id))
    colleague.post(f"/account/security/sign-ins/{theirs}/end", status=404)
    assert person.open("/orders").request.path == "/orders"


def test_two_factor_is_asked_of_who_switched_it_on(
    person: Person, colleague: Person, app: Flask, clock: FakeClock
) -> None:
    phone = Phone(colleague, clock)
    assert Person(app, person.email).sign_in().request.path == "/orders"
    again = Person(app, colleague.email)
    assert second_step(again, first_step(again), phone.code()).request.path == "/orders"


def test_security_events_name_who_they_are_about(
    person: Person, colleague: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, security_log.NAME)
    colleague.post("/account/security/sign-ins/end")
    colleague.open("/staff/accounts", status=404)
    told = [json.loads(each.getMessage()) for each in caplog.records if each.name == security_log.NAME]
    assert {each["account"] for each in told} == {colleague.user_id}
    assert person.user_id != colleague.user_id


def test_who_leaves_leaves_the_account_to_the_other(
    person: Person, colleague: Person, container: Container
) -> None:
    colleague.send(at_review(colleague).forms["place"])
    assert delete(person).request.path == "/sign-in", "an order under way is no hindrance: it goes on"
    assert "12 Garden Lane" in colleague.open("/orders").text
    assert person.open("/orders").request.path == "/sign-in"
    with container.database.read_session() as session:
        assert session.get_one(User, person.user_id).email.startswith("deleted-")
        assert credits.balance(session, person.account_id) > 0


def test_what_the_download_holds_of_a_person_is_the_visitors_own(person: Person, colleague: Person) -> None:
    document = json.loads(colleague.open("/account").forms["download-data"].submit().text)
    assert document["account"]["email"] == "sam@example.com"
    assert document["account"]["id"] == person.account_id
    assert document["credits"], "of the organization"
    assert len(document["signIns"]) == 1


def test_staff_find_the_account_by_its_owner_and_suspend_all_who_belong_to_it(
    person: Person, colleague: Person, new_person: NewPerson
) -> None:
    reviewer = new_person("rae@example.com", "0", staff=True)
    page = reviewer.open("/staff/accounts")
    names = [each.text for each in page.html.select("tbody th a")]
    assert names.count("Jo Agent") == 2
    assert "Sam Second" not in page.text
    page = reviewer.open(f"/staff/accounts/{person.account_id}")
    assert "pat@example.com" in page.text
    page = reviewer.open(f"/staff/accounts/{person.account_id}/suspend")
    assert "2 browsers signed in now are signed out" in page.text
    form = next(form for form in page.forms.values() if "reason" in form.fields)
    form["reason"] = "Chargebacks in a row."
    reviewer.send(form)
    for each in (person, colleague):
        assert each.open("/orders").request.path == "/sign-in"
        assert "This account is suspended" in each.post("/sign-in", 422, email=each.email, password=PASSWORD).text
