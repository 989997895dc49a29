"""Roles of members: what each may see and send, on every page of an account."""

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.routing import Rule

from app.container import Container
from app.domain.roles import GRANTS, Ability, Role
from app.models import Job
from app.portal import permissions, visitors
from app.services import security_log
from tests.conftest import work
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.orders.wizard import at_review
from tests.portal.person import Person
from tests.security.matrix import methods

LIMITED = [role for role in Role if role is not Role.OWNER]


def guarded(app: Flask) -> list[Rule]:
    """The pages of customers' accounts."""
    hooks = app.before_request_funcs
    rules = app.url_map.iter_rules()
    return [rule for rule in rules if visitors.require_visitor in hooks.get(rule.endpoint.rpartition(".")[0], ())]


def path(rule: Rule) -> str:
    """Where the page is, with ids of nothing."""
    values = {name: next(iter(getattr(found, "items", ["job_1"]))) for name, found in rule._converters.items()}
    return rule.build(values, append_unknown=False)[1]


@pytest.fixture
def member(app: Flask, container: Container, person: Person, clock: FakeClock, role: Role) -> Person:
    """A second member with the role, who is signed in."""
    clock.pass_(minutes=1)
    user_id = join(container, person.account_id, "sam@example.com", role=role)
    second = Person(app, "sam@example.com", person.account_id, user_id)
    second.begin_signed_in()
    return second


def test_every_page_of_an_account_needs_one_permission(app: Flask) -> None:
    rules = guarded(app)
    for rule in rules:
        for method in methods(rule):
            assert permissions.find_needed(rule.endpoint, method) in Ability
    known = {rule.endpoint for rule in rules} | {rule.endpoint.rpartition(".")[0] for rule in rules}
    assert known >= {*permissions._BLUEPRINTS, *permissions._ENDPOINTS}, "and every entry is of a page"
    with pytest.raises(KeyError):
        permissions.find_needed("forgotten.show", "GET")


def test_an_owner_may_everything_and_everybody_sees_orders() -> None:
    assert GRANTS[Role.OWNER] == {*Ability}
    for role in Role:
        assert GRANTS[role] >= {Ability.SELF, Ability.VIEW}
    assert {Role.OWNER} == {role for role in Role if Ability.MANAGE in GRANTS[role]}


@pytest.mark.parametrize("role", LIMITED)
def test_a_role_opens_its_pages_and_no_others(app: Flask, member: Person, role: Role) -> None:
    token = member.token()
    refused = 0
    for rule in guarded(app):
        for method in methods(rule):
            granted = permissions.find_needed(rule.endpoint, method) in GRANTS[role]
            if granted and method == "POST":
                continue  # what a form does when it is allowed has tests of its own
            ask = member.web.get if method == "GET" else member.web.post
            given = {"params": {"csrf_token": token}} if method == "POST" else {}
            answer = ask(path(rule), expect_errors=True, **given)
            assert (answer.status_int == 403) is not granted, f"{method} {rule.rule}: {answer.status}"
            refused += not granted
    assert refused > 20


@pytest.mark.parametrize("role", [Role.READ_ONLY])
def test_a_refusal_names_the_role_that_is_needed_and_who_can_help(
    member: Person, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", security_log.NAME)
    page = member.open("/keys", status=403)
    assert page.html.h1.text == "Your role does not allow this"
    said = page.html.select_one("p.lead").text
    assert said == (
        "Your role is Read only; this needs the role Owner or Developer. "
        "Nothing was changed. Ask Jo Agent to do it or to change your role."
    )
    assert "access.role_missing" in caplog.text


@pytest.mark.parametrize("role", LIMITED)
def test_a_page_has_no_controls_that_the_role_cannot_use(
    app: Flask, container: Container, person: Person, member: Person, role: Role
) -> None:
    person.send(at_review(person).forms["place"])
    work(container)
    with container.database.read_session() as session:
        job = session.scalars(select(Job)).one()
        photos = [photo.id for photo in job.photos]
    pages = ["/orders", "/credits", "/account", "/account/notifications", f"/orders/{job.id}"]
    pages += [f"/properties/{job.id}/photos/{photos[0]}", f"/orders/{job.id}/packs"]
    adapter = app.url_map.bind("localhost")
    for each in pages:
        page = member.open(each)
        found = [(form["action"], "POST") for form in page.html.select("form[method=post][action]")]
        found += [(link["href"], "GET") for link in page.html.select("main a[href^='/'], header a[href^='/']")]
        for url, method in found:
            rule, _ = adapter.match(url.partition("?")[0].partition("#")[0], method=method, return_rule=True)
            if rule in guarded(app):
                needed = permissions.find_needed(rule.endpoint, method)
                assert needed in GRANTS[role], f"{method} {url} on {each}"


@pytest.mark.parametrize("role", [Role.READ_ONLY])
def test_who_may_only_read_downloads_results(person: Person, member: Person, container: Container) -> None:
    person.send(at_review(person).forms["place"])
    work(container)
    page = member.open("/orders")
    page = page.click(linkid=None, description="12 Garden Lane")
    page = page.maybe_follow()
    answer = page.forms["selection"].submit("all")
    assert answer.content_type == "application/zip"


@pytest.mark.parametrize("role", [Role.READ_ONLY])
def test_a_draft_is_for_who_may_order(person: Person, member: Person) -> None:
    draft = at_review(person).request.path
    assert draft.startswith("/properties/")
    member.open(draft, status=403)


@pytest.mark.parametrize("role", [Role.ORDERS])
def test_the_limit_for_a_low_balance_is_set_by_who_may_buy(
    person: Person, member: Person, container: Container
) -> None:
    member.send(member.open("/account/notifications").forms["notices-form"])
    assert "low_balance" not in member.open("/account/notifications").forms["notices-form"].fields
    assert person.open("/account/notifications").forms["notices-form"]["low_balance"].value == "5"


@pytest.mark.parametrize("role", [Role.MONEY])
def test_the_data_of_the_organization_is_for_its_owners(member: Person) -> None:
    document = member.open("/account").forms["download-data"].submit().json
    assert document["account"]["role"] == "money"
    assert document["account"]["email"] == "sam@example.com"
    assert not document.keys() & {"orders", "credits", "apiKeys", "webhooks", "purchases"}
    assert "credits" not in document["account"]
    assert document["done"] == []
