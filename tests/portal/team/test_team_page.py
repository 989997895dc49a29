"""The team's pages: inviting, joining, roles, removing, leaving, and changing between accounts."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.roles import Role
from app.models import Membership, User
from app.services.webhooks import webhooks
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.conftest import NewPerson
from tests.portal.mailbox import link, links, mails
from tests.portal.orders.wizard import at_review
from tests.portal.person import PASSWORD, Person
from tests.portal.security.test_security import Phone, first_step, second_step
from tests.services.hooks import register

SAM = "sam@example.com"


def invite(owner: Person, email: str = SAM, role: str = "orders", status: int = 200) -> object:
    form = owner.open("/account/team").forms["invite"]
    form["email"], form["role"] = email, role
    return owner.send(form, status=status)


def newest_link(owner: Person, email: str = SAM) -> str:
    return [each for each in links(owner.container, email) if each.startswith("/invitations/")][-1]


@pytest.fixture
def colleague(app: Flask, container: Container, person: Person, clock: FakeClock) -> Person:
    """A signed-in second owner of the customer's organization."""
    clock.pass_(minutes=1)
    user_id = join(container, person.account_id, SAM)
    second = Person(app, SAM, person.account_id, user_id)
    second.begin_signed_in()
    return second


def test_an_invited_person_joins_with_name_and_password_and_is_signed_in(
    person: Person, stranger: Person, container: Container
) -> None:
    assert "We sent an invitation to sam@example.com" in invite(person).text
    page = stranger.open(link(container, SAM, "/invitations/"))
    assert page.html.h1.text == "Join Jo Agent"
    lead = page.html.select_one("p.lead").text
    assert lead == "Jo Agent (pat@example.com) invites sam@example.com to this account, with the role Orders."
    form = page.forms["join"]
    form["name"], form["password"] = "Sam Second", "short"
    assert "at least" in stranger.send(form, status=422).text
    form["password"] = "ladder copper moss"
    page = stranger.send(form)
    assert page.request.path == "/orders"
    assert "Your role is Orders" in page.text
    page = person.open("/account/team")
    rows = [row.get_text(" ", strip=True) for row in page.html.select("tbody tr")]
    assert len(rows) == 2
    assert "Sam Second sam@example.com Orders" in rows[1]
    assert "invited" not in page.forms, "no open invitation is left"


def test_an_address_with_an_account_signs_in_with_its_second_factor_and_joins(
    app: Flask, person: Person, new_person: NewPerson, clock: FakeClock, container: Container
) -> None:
    kim = new_person("kim@example.com")
    phone = Phone(kim, clock)
    invite(person, "kim@example.com", "money")
    at_link = Person(app, "kim@example.com")
    page = at_link.open(link(container, "kim@example.com", "/invitations/"))
    assert "Sign in to join" in page.text
    assert "password" not in page.forms.get("join", page.forms[0]).fields
    page = page.click(linkid="sign-in")
    form = page.forms[next(key for key, each in page.forms.items() if "password" in each.fields)]
    form["email"], form["password"] = "kim@example.com", PASSWORD
    page = second_step(at_link, at_link.send(form), phone.code())
    assert page.request.path.startswith("/invitations/")
    page = at_link.send(page.forms["join"])
    assert "You now work for Jo Agent. Your role is Billing." in page.text
    assert page.html.select_one(".acting").get_text(" ", strip=True) == (
        "You work for Jo Agent . Switch to another account"
    )


def test_who_is_signed_in_with_another_address_is_told_so(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    kim = new_person("kim@example.com")
    invite(person)
    path = link(container, SAM, "/invitations/")
    page = kim.open(path)
    assert "You are signed in as kim@example.com, and this invitation is for sam@example.com" in (
        page.html.select_one(".notice").get_text(strip=False).replace("\n", " ")
    )
    assert "This invitation is for sam@example.com" in kim.post(path, status=409).text
    assert kim.send(page.forms["leave-browser"]).request.path == "/sign-in"


def test_a_link_that_was_used_revoked_or_replaced_says_whom_to_ask(
    person: Person, stranger: Person, container: Container
) -> None:
    invite(person)
    first = newest_link(person)
    page = person.open("/account/team")
    again = next(form for form in page.forms.values() if form.action.endswith("/again"))
    assert "the earlier one no longer works" in person.send(again).text
    assert "Ask the person who invited you" in stranger.open(first, status=410).text
    second = next(each for each in links(container, SAM) if each not in {first})
    page = person.open("/account/team")
    person.send(next(form for form in page.forms.values() if form.action.endswith("/revoke")))
    stranger.open(second, status=410)
    stranger.post(second, status=410)


def test_what_cannot_be_invited_is_said_at_its_field(person: Person) -> None:
    assert "pat@example.com is a member already." in invite(person, "pat@example.com", status=422).text
    assert "Enter an e-mail address" in invite(person, "nobody", status=422).text
    form = person.open("/account/team").forms["invite"]
    form["email"] = SAM
    assert "Choose a role." in person.send(form, status=422).text


def test_inviting_and_changing_roles_ask_for_a_fresh_sign_in(
    person: Person, colleague: Person, clock: FakeClock
) -> None:
    person.keep_using(clock, hours=3)
    form = person.open("/account/team").forms["invite"]
    form["email"], form["role"] = SAM, "owner"
    assert person.send(form).request.path == "/account/security/confirm"
    for page in ("role", "remove"):
        path = f"/account/team/members/{colleague.user_id}/{page}"
        assert person.open(path).request.path == "/account/security/confirm"


def test_an_owner_gives_another_role_which_holds_at_once(person: Person, colleague: Person) -> None:
    page = person.open(f"/account/team/members/{colleague.user_id}/role")
    form = page.forms["role-form"]
    form["role"] = "read_only"
    assert "Sam Second now has the role Read only." in person.send(form).text
    colleague.open("/keys", status=403)
    page = person.open(f"/account/team/members/{person.user_id}/role")
    form = page.forms["role-form"]
    form["role"] = "orders"
    assert "An account needs an owner." in person.send(form, status=409).text


def test_a_removed_member_is_signed_out_at_once_and_signs_in_to_an_account_of_their_own(
    person: Person, colleague: Person, container: Container
) -> None:
    person.send(at_review(person).forms["place"])
    page = person.open(f"/account/team/members/{colleague.user_id}/remove")
    assert "1 browser signed in now is signed out" in page.text
    assert "Sam Second is removed and signed out." in person.send(page.forms["remove-form"]).text
    assert colleague.open("/orders").request.path == "/sign-in"
    page = colleague.sign_in()
    assert "No orders yet" in page.text
    assert "no longer belong" in mails(container, SAM)[-1].subject


def test_who_removes_a_member_is_reminded_of_the_webhooks_that_go_on(
    person: Person, colleague: Person, container: Container
) -> None:
    address = f"/account/team/members/{colleague.user_id}/remove"
    assert "sending events" not in person.open(address).text
    for url in ("https://one.example.com/", "https://two.example.com/"):
        register(container, person.account_id, url=url)
    page = person.open(address)
    assert "2 webhooks of this account keep sending events." in page.text
    assert "two.example.com" in page.click(description="Check that each").text
    with container.database.unit_of_work() as session:
        webhooks.switch_off(session, person.account_id, webhooks.get_all(session, person.account_id)[0].id)
    assert "1 webhook of this account keeps sending events." in person.open(address).text


def test_a_member_leaves_and_the_only_owner_cannot(person: Person, colleague: Person) -> None:
    page = colleague.open("/account/team").click(description="Leave this account")
    assert colleague.send(page.forms["leave-form"]).request.path == "/sign-in"
    assert "You are its only member" in person.open("/account/team/leave").text


def test_the_last_owner_hands_over_before_the_account_is_deleted(
    person: Person, colleague: Person, container: Container
) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (colleague.user_id, person.account_id)).role = Role.MONEY
    page = person.open("/account/delete")
    assert "You are the only owner of 1 account with other members" in page.text
    assert "delete-form" not in page.forms
    assert "You are its only owner." in person.open("/account/team/leave").text
    refused = person.post("/account/delete", status=422, password=PASSWORD)
    assert "Make somebody else an owner first" in refused.text


def test_forms_that_are_open_for_one_account_do_nothing_in_the_other(
    person: Person, colleague: Person, new_person: NewPerson, container: Container, clock: FakeClock
) -> None:
    kim = new_person("kim@example.com", "0")
    with container.database.unit_of_work() as session:
        mine = Membership(
            user_id=kim.user_id, organization_id=person.account_id, role=Role.ORDERS, created_at=clock()
        )
        session.add(mine)
    page = kim.open("/account/team")
    names = [each.text for each in page.html.select(".accounts strong")]
    assert sorted(names) == ["Jo Agent", "Jo Agent"]
    old_form = kim.open("/orders").forms[0]
    form = next(form for form in page.forms.values() if form.action.endswith("/switch"))
    assert form["account"].value == person.account_id
    page = kim.send(form)
    assert "100 credits" in page.text
    assert "You now work for Jo Agent." in page.text
    assert "open too long" in kim.send(old_form, status=400).text
    kim.post("/account/team/switch", status=404, account="acc_nobody")
    with container.database.unit_of_work() as session:
        session.delete(session.get_one(Membership, (kim.user_id, person.account_id)))
    assert kim.open("/orders").request.path == "/sign-in", "and falls back to the own account"
    assert "100 credits" not in kim.sign_in().text


def test_a_form_that_was_sent_too_late_for_one_account_is_not_sent_for_another(
    person: Person, new_person: NewPerson, container: Container, clock: FakeClock
) -> None:
    kim = new_person("kim@example.com", "0")
    clock.pass_(minutes=1)
    with container.database.unit_of_work() as session:
        shared = {"organization_id": person.account_id, "role": Role.OWNER, "created_at": clock()}
        session.add(Membership(user_id=kim.user_id, **shared))
    kim.post("/account/team/switch", account=person.account_id)
    form = kim.open("/account/file-names").forms["file-names-form"]
    form["pattern"] = "{address} {number}"
    clock.pass_(hours=2)
    kim.send(form)
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (kim.user_id, kim.account_id)).chosen_at = clock()
    kim.begin_signed_in()
    page = kim.open("/typed")
    assert "100 credits" in page.text, "this browser goes on for the account for which the form was"
    assert "typed-form" in page.forms
    kim.post("/account/team/switch", account=kim.account_id)
    assert kim.open("/typed").request.path == "/orders", "the form is for the other account"
    kim.post("/account/team/switch", account=person.account_id)
    assert "typed-form" in kim.open("/typed").forms


def test_nobody_reaches_members_or_invitations_of_another_account(
    person: Person, colleague: Person, new_person: NewPerson, container: Container
) -> None:
    kim = new_person("kim@example.com")
    for page in ("role", "remove"):
        kim.open(f"/account/team/members/{colleague.user_id}/{page}", status=404)
        kim.post(f"/account/team/members/{colleague.user_id}/{page}", status=404, role="owner")
    kim.open("/account/team/members/a%00/role", status=404)
    kim.post("/account/team/switch", status=404, account="a\0")
    invite(person, "tess@example.com")
    action = next(form.action for form in person.open("/account/team").forms.values() if "/revoke" in form.action)
    kim.post(action, status=404)
    kim.post(action.replace("/revoke", "/again"), status=404)


def test_owners_read_who_did_what(person: Person, colleague: Person, container: Container) -> None:
    colleague.send(at_review(colleague).forms["place"])
    form = colleague.open("/keys/new").forms["key-form"]
    form["name"] = "Night upload"
    colleague.send(form)
    page = person.open("/account/activity")
    rows = [row.get_text(" ", strip=True) for row in page.html.select("tbody tr")]
    assert "Sam Second Created an API key Night upload" in rows[0]
    assert "Sam Second Placed an order 12 Garden Lane" in rows[1]
    form = page.forms["by-member"]
    form["by"] = person.user_id
    assert "Night upload" not in person.send(form).text


def test_a_confirmed_user_is_asked_to_sign_in_even_when_a_form_is_sent_without_it(
    person: Person, stranger: Person, new_person: NewPerson, container: Container
) -> None:
    new_person("kim@example.com")
    invite(person, "kim@example.com")
    path = link(container, "kim@example.com", "/invitations/")
    page = stranger.post(path, name="Mallory", password="ladder copper moss")
    assert page.request.path == "/sign-in"
    with container.database.read_session() as session:
        assert session.scalar(select(User.name).where(User.email == "kim@example.com")) == "Jo Agent"
    first = first_step(Person(person.web.app, "kim@example.com"))
    assert first.request.path == "/orders"


def test_orders_keys_and_evidence_name_who_made_them(
    person: Person, colleague: Person, container: Container
) -> None:
    page = colleague.send(at_review(colleague).forms["place"])
    assert "by Sam Second" in person.open(page.request.path).html.select_one("#details + dl").text
    order_id = page.html.select_one("#order-number").text
    assert "Sam Second" in person.open(f"/orders/{order_id}/evidence").text
    form = colleague.open("/keys/new").forms["key-form"]
    form["name"] = "Night upload"
    colleague.send(form)
    page = person.open("/keys")
    assert "by Sam Second" in page.text
    assert "by Sam Second" in page.click(description="Night upload").text


def test_staff_see_the_members_of_an_account_with_their_roles(
    person: Person, colleague: Person, new_person: NewPerson
) -> None:
    reviewer = new_person("rae@example.com", "0", staff=True)
    page = reviewer.open(f"/staff/accounts/{person.account_id}")
    section = page.html.select_one("section[aria-labelledby=members]").get_text(" ", strip=True)
    assert section.startswith("2 members")
    assert "Sam Second sam@example.com Owner" in section
    page = reviewer.open("/staff/accounts?q=SAM@example.com")
    assert [each["href"] for each in page.html.select("tbody th a")] == [f"/staff/accounts/{person.account_id}"]


def test_a_choice_of_mails_keeps_what_the_role_does_not_show(
    person: Person, colleague: Person, container: Container
) -> None:
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (colleague.user_id, person.account_id)).role = Role.MONEY
    page = colleague.open("/account/notifications")
    assert "Order ready" not in page.text
    form = page.forms["notices-form"]
    form.set("wanted", False, index=0)
    colleague.send(form)
    with container.database.read_session() as session:
        assert session.get_one(User, colleague.user_id).mails_off == ["purchase_paid"]
