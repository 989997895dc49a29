"""The visitor's own test key in the examples of the documentation: made, shown to them alone, replaced, gone."""

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.keys import MAX_KEYS
from app.domain.limits import TEST_CREDITS
from app.domain.roles import Role
from app.models import ApiKey, Membership, Organization
from app.portal.snippets import KEY_PLACE
from app.services.security import api_keys, docs_keys
from tests import reading
from tests.conftest import Api
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.conftest import NewPerson
from tests.portal.mailbox import link
from tests.portal.person import PASSWORD, Person

PAGES = ("/docs", "/docs/authentication", "/docs/programs", "/docs/clients", "/docs/agents", "/docs/api/jobs")
SECRET = re.compile(r"ims_(?:test|live)_\w{38}")


def show(person: Person, path: str = "/docs/programs") -> str:
    """Have a test key made on this page; its secret, as the page shows it."""
    page = person.send(person.open(path).forms["make-docs-key"])
    assert page.request.path == path
    (secret,) = set(SECRET.findall(page.text))
    return secret


def shown(person: Person, path: str = "/docs/programs") -> set[str]:
    page = person.open(path)
    assert KEY_PLACE not in page.text
    return set(SECRET.findall(page.text))


def keys(container: Container) -> list[ApiKey]:
    return reading.found(container, select(ApiKey).order_by(ApiKey.created_at))


def test_examples_get_a_test_key_that_works_and_ends_by_itself(
    person: Person, app: Flask, container: Container, clock: FakeClock
) -> None:
    secret = show(person)
    assert secret.startswith(api_keys.TEST_PREFIX)
    (key,) = keys(container)
    assert (key.made_by, key.expires_at) == (person.user_id, clock() + docs_keys.VALID_FOR)
    assert reading.one(container, Organization, key.account_id).sandbox_of == person.account_id
    assert Api(app.test_client(), "", secret).credits() == TEST_CREDITS
    assert secret not in str(vars(key))


def test_every_example_that_carries_a_key_has_it(person: Person) -> None:
    secret = show(person)
    for path in PAGES:
        page = person.open(path)
        assert set(SECRET.findall(page.text)) == {secret}, path
        assert "API_KEY}" not in page.text, path
        assert page.headers["Cache-Control"] == "private, no-store"
    programs = person.open("/docs/programs").html.select("pre.program")
    assert [each.text.count(secret) for each in programs] == [1] * 5
    for call in person.open("/docs/api/jobs").html.select(".calls .sample"):
        assert call.text.count(secret) == 1, call.text
        assert "API_KEY" not in call.text, call.text


def test_nobody_else_sees_it(person: Person, stranger: Person, new_person: NewPerson, container: Container) -> None:
    secret = show(person)
    colleague = new_person("colleague@example.com")
    colleague.user_id = join(container, person.account_id, "second@example.com")
    colleague.begin_signed_in()
    for other in (stranger, colleague):
        for path in PAGES:
            assert shown(other, path) == set(), path
    (key,) = keys(container)
    with container.database.read_session() as session:
        found = [
            docs_keys.find(session, secret, key.account_id, each.user_id, container.clock())
            for each in (person, colleague)
        ]
    assert [each is not None for each in found] == [True, False], "not even with the secret"
    own = show(colleague)
    assert own != secret
    assert shown(person) == {secret}, "the colleague's key replaced none but their own"


def test_pages_that_show_no_key_are_answered_as_before_and_the_markdown_never_has_one(
    person: Person, stranger: Person
) -> None:
    before = [stranger.open(path).headers["Cache-Control"] for path in PAGES]
    secret = show(person)
    assert [stranger.open(path).headers["Cache-Control"] for path in PAGES] == before
    for path in ("/docs.md", "/docs/programs.md", "/docs/api/jobs.md"):
        plain = person.web.get(path)
        assert "public" in plain.headers["Cache-Control"]
        assert secret not in plain.text
        assert KEY_PLACE not in plain.text


def test_the_next_one_replaces_it_and_no_other_key(person: Person, app: Flask, container: Container) -> None:
    person.post("/test-mode/enter")
    (sandbox,) = reading.found(container, select(Organization).where(Organization.sandbox_of.is_not(None)))
    with container.database.unit_of_work() as session:
        mine, _ = api_keys.create(session, sandbox.id, container.clock(), name="Mine")
        mine.made_by = person.user_id
    first = show(person)
    person.begin_signed_in()
    second = show(person)
    assert second != first
    assert Api(app.test_client(), "", first).get("/user/credits").status_code == 401
    assert Api(app.test_client(), "", second).credits() == TEST_CREDITS
    assert [each.revoked_at is None for each in keys(container)] == [True, False, True]


@pytest.mark.parametrize("in_test_mode", [False, True])
def test_it_is_a_test_key_in_both_modes(person: Person, container: Container, in_test_mode: bool) -> None:
    if in_test_mode:
        person.post("/test-mode/enter")
    assert {show(person, "/docs/api/jobs")} == shown(person)
    assert reading.count(container, Organization, Organization.sandbox_of.is_not(None)) == 1


def test_signing_out_takes_it_out_of_the_pages(person: Person) -> None:
    show(person)
    person.send(person.open("/keys").forms["sign-out"])
    assert shown(person) == set()
    person.sign_in()
    assert shown(person) == set()


def test_a_key_that_is_revoked_or_has_expired_is_shown_no_longer(
    person: Person, container: Container, clock: FakeClock
) -> None:
    show(person)
    (key,) = keys(container)
    with container.database.unit_of_work() as session:
        api_keys.revoke(session, key.account_id, key.id, clock())
    assert shown(person) == set()
    show(person)
    with container.database.unit_of_work() as session:
        session.get_one(ApiKey, keys(container)[-1].id).expires_at = clock() + timedelta(minutes=1)
    clock.pass_(minutes=1)
    assert shown(person) == set()


def test_the_page_revokes_it_at_a_press(person: Person, app: Flask) -> None:
    secret = show(person, "/docs/api/jobs")
    page = person.send(person.open("/docs/api/jobs").forms["end-docs-key"])
    assert page.request.path == "/docs/api/jobs"
    assert SECRET.findall(page.text) == []
    assert Api(app.test_client(), "", secret).get("/user/credits").status_code == 401


def test_whoever_may_make_no_keys_any_more_sees_none_and_makes_none(person: Person, container: Container) -> None:
    join(container, person.account_id, "second@example.com")
    show(person)
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (person.user_id, person.account_id)).role = Role.ORDERS
    assert shown(person) == set()
    page = person.open("/docs/programs")
    assert "make-docs-key" not in page.forms
    person.post("/docs/test-key", status=403)
    assert len(keys(container)) == 1


def test_another_organization_of_the_same_person_has_none(person: Person, container: Container) -> None:
    show(person)
    with container.database.unit_of_work() as session:
        other = Organization(created_at=container.clock())
        session.add(other)
        session.flush()
        session.add(
            Membership(
                user_id=person.user_id, organization_id=other.id, role=Role.OWNER, created_at=container.clock()
            )
        )
        other_id = other.id
    person.post("/account/team/switch", account=other_id)
    assert shown(person) == set()
    person.post("/account/team/switch", account=person.account_id)
    assert shown(person) == set(), "it was forgotten"


def test_a_cookie_of_another_service_shows_none(person: Person, container: Container) -> None:
    show(person)
    container.vault = type(container.vault)("another secret key")
    assert shown(person) == set()


def test_making_one_asks_for_the_password_as_any_key_does(person: Person, clock: FakeClock) -> None:
    person.keep_using(clock, hours=3)
    page = person.send(person.open("/docs/programs").forms["make-docs-key"])
    form = page.forms["confirm-form"]
    form["password"] = PASSWORD
    assert person.send(form).request.path in ("/docs/programs", "/orders")
    assert show(person)


def test_where_the_sandbox_has_too_many_keys_the_page_says_so(person: Person, container: Container) -> None:
    person.post("/test-mode/enter")
    (sandbox,) = reading.found(container, select(Organization).where(Organization.sandbox_of.is_not(None)))
    with container.database.unit_of_work() as session:
        for _ in range(MAX_KEYS):
            api_keys.create(session, sandbox.id, container.clock())
    page = person.send(person.open("/docs/programs").forms["make-docs-key"])
    assert f"{MAX_KEYS} active keys" in page.text
    assert SECRET.findall(page.text) == []


@pytest.mark.parametrize("target", ["https://evil.example/docs", "//evil.example/docs", "/orders", ""])
def test_the_form_leads_to_the_documentation_alone(person: Person, target: str) -> None:
    sent = person.web.post("/docs/test-key", {"page": target, "csrf_token": person.token()})
    assert urlsplit(sent.headers["Location"]).path == "/docs"
    assert urlsplit(sent.headers["Location"]).netloc in ("", "localhost")


def test_forms_of_another_site_make_no_key(person: Person, container: Container) -> None:
    for path in ("/docs/test-key", "/docs/test-key/end"):
        person.web.post(path, {}, status=400)
    assert keys(container) == []


def test_a_visitor_is_led_back_after_signing_in(person: Person, stranger: Person) -> None:
    links = stranger.open("/docs/api/jobs").html.select("#own-key a")
    assert [urlsplit(each["href"]).path for each in links] == ["/sign-in", "/sign-up"]
    for each in links:
        assert parse_qs(urlsplit(each["href"]).query) == {"next": ["/docs/api/jobs"]}
    form = stranger.open(links[0]["href"]).forms["sign-in"]
    form["email"], form["password"] = person.email, PASSWORD
    assert stranger.send(form).request.path == "/docs/api/jobs"


def test_a_visitor_is_led_back_after_signing_up(stranger: Person, container: Container) -> None:
    form = stranger.open("/sign-up?next=/docs/programs").forms["sign-up"]
    form["name"], form["email"], form["password"] = "Nell New", "nell@example.com", PASSWORD
    stranger.send(form)
    page = stranger.open(link(container, "nell@example.com", "/sign-up/confirm/"))
    assert stranger.send(page.forms["confirm"]).request.path == "/docs/programs"
