"""Test mode in the browser: entered, shown on every page, asked of the role at each request, and left."""

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain import limits
from app.domain.limits import TEST_CREDITS
from app.domain.retention import TEST_EVENTS_KEPT, TEST_RESULTS_KEPT
from app.domain.roles import Role
from app.domain.sandbox_addresses import ADDRESSES
from app.models import ApiKey, Job, KeptForm, Membership, Organization, Preset, Purchase
from app.models.organization import LOW_BALANCE
from app.portal import account_modes, blueprints
from app.portal.words import moment
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.members import join
from tests.portal.conftest import NewPerson
from tests.portal.keys.test_keys_pages import make, secret_on
from tests.portal.person import PASSWORD, Person
from tests.sandboxes import enter_test_mode
from tests.services.hooks import register
from tests.services.purchasing import FakePayments


def enter(person: Person) -> None:
    person.send(person.open("/keys").forms["enter-test-mode"])


def band(person: Person, path: str) -> str:
    found = person.open(path).html.select_one("header .testing p")
    return found.text if found else ""


def make_live_key(container: Container, person: Person) -> str:
    with container.database.unit_of_work() as session:
        return api_keys.create(session, person.account_id, container.clock())[1]


def sandbox_id(container: Container, person: Person) -> str | None:
    return reading.first(container, select(Organization.id).where(Organization.sandbox_of == person.account_id))


def _both(container: Container, person: Person) -> tuple[str, str | None]:
    return person.account_id, sandbox_id(container, person)


def test_a_key_that_is_made_in_test_mode_is_a_test_key(app: Flask, person: Person, container: Container) -> None:
    enter(person)
    assert "nothing is charged" in band(person, "/keys")
    made = make(person)
    secret = secret_on(made)
    assert secret.startswith("ims_test_")
    tried = Api(app.test_client(), "", secret)
    assert tried.credits() == TEST_CREDITS
    assert "Script" in person.open("/keys").text
    person.send(person.open("/keys").forms["leave-test-mode"])
    assert "Script" not in person.open("/keys").text
    assert band(person, "/keys") == ""
    assert secret_on(make(person)).startswith("ims_live_")


def test_pages_show_what_belongs_to_the_mode(person: Person, app: Flask, container: Container) -> None:
    live = Api(app.test_client(), person.account_id, "")
    tried = enter_test_mode(live, container)
    tried.order([PHOTO], address="7 Sandbox Road, Reno, NV 89501")
    hook, _ = register(container, tried.account_id, url="https://tried.example/hook")
    assert "7 Sandbox Road" not in person.open("/orders").text
    assert "tried.example" not in person.open("/webhooks").text
    person.open(f"/webhooks/{hook}", status=404)
    enter(person)
    assert "7 Sandbox Road" in person.open("/orders").text
    assert "tried.example" in person.open("/webhooks").text
    person.open(f"/webhooks/{hook}")
    job_id = reading.only(container, select(Job)).id
    assert "7 Sandbox Road" in person.open(f"/orders/{job_id}").text


def test_pages_about_people_and_settings_are_still_about_the_live_account(
    person: Person, container: Container
) -> None:
    enter(person)
    for path in ("/account", "/account/team", "/account/security", "/account/notifications"):
        assert "still about your live account" in band(person, path), path
    person.post("/account/notifications", low_balance="7")
    live, sandbox = (reading.one(container, Organization, each) for each in _both(container, person))
    assert (live.low_balance, sandbox.low_balance) == (7, LOW_BALANCE)


def test_every_page_belongs_to_one_of_both_kinds() -> None:
    assert account_modes._LIVE_PAGES <= blueprints.NAMES


def test_nothing_is_bought_in_test_mode_and_the_credits_are_refilled(person: Person, container: Container) -> None:
    container.payments = FakePayments()
    enter(person)
    page = person.open("/credits")
    assert "Buy credits" not in page.text
    person.post("/credits/purchases", status=409, pack="50")
    assert reading.count(container, Purchase) == 0
    with container.database.unit_of_work() as session:
        credits.adjust(session, sandbox_id(container, person), -TEST_CREDITS / 2, "Spent", container.clock())
    (form,) = [each for each in page.forms.values() if each.action == "/test-mode/credits"]
    assert "1,000 credits" in person.send(form).text


def test_a_role_that_ends_ends_test_mode_at_once(app: Flask, person: Person, container: Container) -> None:
    join(container, person.account_id, "second@example.com")
    enter(person)
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (person.user_id, person.account_id)).role = Role.READ_ONLY
    assert band(person, "/orders") == ""
    person.post("/test-mode/enter", status=403)
    assert band(person, "/orders") == ""


@pytest.mark.parametrize("role", [Role.READ_ONLY, Role.ORDERS])
def test_whoever_loses_test_mode_is_told_once_and_sends_no_form_of_it_to_the_live_account(
    person: Person, container: Container, role: Role
) -> None:
    join(container, person.account_id, "second@example.com")
    enter(person)
    forms = [person.open("/presets/new").forms["preset-form"] for _ in range(2)]
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (person.user_id, person.account_id)).role = role
    forms[0]["name"] = "Typed in test mode"
    refused = person.send(forms[0], status=400)
    assert "Nothing was changed" in refused.text
    told = "Your role no longer includes test mode"
    assert [told in person.open("/orders").text for _ in range(2)] == [told not in refused.text, False]
    forms[1]["name"] = "Typed in test mode"
    person.send(forms[1], status=400)
    assert reading.count(container, Preset) == 0


def test_whoever_loses_test_mode_can_sign_out_at_once(person: Person, container: Container) -> None:
    join(container, person.account_id, "second@example.com")
    enter(person)
    form = person.open("/keys").forms["sign-out"]
    with container.database.unit_of_work() as session:
        session.get_one(Membership, (person.user_id, person.account_id)).role = Role.READ_ONLY
    person.send(form)
    assert person.open("/orders").request.path == "/sign-in"


def test_another_account_is_not_in_test_mode(person: Person, container: Container) -> None:
    with container.database.unit_of_work() as session:
        other = accounts.create(session, "other@example.com", container.clock()).organization_id
        session.add(
            Membership(user_id=person.user_id, organization_id=other, role=Role.OWNER, created_at=container.clock())
        )
    enter(person)
    person.post("/account/team/switch", account=other)
    assert band(person, "/keys") == ""
    person.post("/account/team/switch", account=person.account_id)
    assert band(person, "/keys") == ""


def test_whoever_proves_their_password_again_stays_in_test_mode(
    person: Person, container: Container, clock: FakeClock
) -> None:
    enter(person)
    person.keep_using(clock, hours=3)
    form = person.open("/keys/new").forms["confirm-form"]
    form["password"] = PASSWORD
    person.send(form)
    assert "nothing is charged" in band(person, "/keys")


@pytest.mark.parametrize(
    ("path", "form_id", "kept"), [("/presets/new", "preset-form", 0), ("/account/name", "name-form", 1)]
)
def test_a_form_of_test_mode_is_not_kept_for_a_browser_that_may_be_in_live_mode(
    person: Person, container: Container, clock: FakeClock, path: str, form_id: str, kept: int
) -> None:
    enter(person)
    form = person.open(path).forms[form_id]
    form["name"] = "Typed too late"
    clock.pass_(hours=2)
    assert person.send(form).request.path == "/sign-in"
    assert reading.count(container, KeptForm) == kept


def test_signing_out_leaves_test_mode(person: Person) -> None:
    enter(person)
    person.send(person.open("/keys").forms["sign-out"])
    person.sign_in()
    assert band(person, "/keys") == ""


def test_another_user_of_the_browser_is_not_in_test_mode(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    enter(person)
    second = join(container, person.account_id, "second@example.com")
    person.user_id = second
    person.begin_signed_in()
    assert band(person, "/keys") == ""


def test_entering_twice_makes_one_sandbox(person: Person, container: Container) -> None:
    for _ in range(2):
        person.post("/test-mode/enter")
    assert reading.count(container, Organization, Organization.sandbox_of == person.account_id) == 1


@pytest.mark.parametrize("path", ["/test-mode/enter", "/test-mode/leave", "/test-mode/credits"])
def test_forms_of_another_site_change_nothing(person: Person, container: Container, path: str) -> None:
    person.web.post(path, {}, status=400)
    assert sandbox_id(container, person) is None


def test_the_documentation_lists_every_address(person: Person) -> None:
    page = person.open("/docs/test-mode")
    assert [each.text for each in page.html.select(".streets tbody th")] == [each.street for each in ADDRESSES]


def test_the_documentation_has_the_smaller_limits_and_the_shorter_times(person: Person) -> None:
    rows = person.open("/docs/test-mode").html.select("#test-limits ~ .figures tbody tr")
    figures = [each.td.text for each in rows]
    most = (limits.TEST_PHOTOS_IN_WORK, f"{limits.TEST_PHOTOS_A_DAY:,}", limits.TEST_OPEN_SESSIONS)
    assert figures[:3] == [str(each) for each in most]
    assert figures[3:5] == [f"{limits.TEST_HELD_MEGABYTES:,} MB", str(limits.TEST_WAITING_OUTLOOKS)]
    assert figures[5:] == [f"{each.days} days" for each in (TEST_RESULTS_KEPT, TEST_EVENTS_KEPT)]
    assert "in test mode for 3 days" in person.open("/docs/limits").text


def test_a_test_order_says_how_short_it_is_kept_and_offers_no_longer_time(
    app: Flask, person: Person, container: Container, clock: FakeClock
) -> None:
    live = Api(app.test_client(), person.account_id, make_live_key(container, person))
    pages = []
    for each in (live, enter_test_mode(live, container)):
        job_id = each.order([PHOTO], interiorEnhancements=["declutter"])["jobId"]
        work(container)
        if each is not live:
            enter(person)
        page = person.open(f"/orders/{job_id}")
        pages.append((page.text, moment(clock() + TEST_RESULTS_KEPT)))
    assert [end in text for text, end in pages] == [False, True]
    assert ["Keep these photos" in text for text, _ in pages] == [True, False]
    assert ["Publish for" in text for text, _ in pages] == [True, False]


def test_test_keys_are_rows_of_the_sandbox(person: Person, container: Container) -> None:
    enter(person)
    make(person)
    (key,) = reading.found(container, select(ApiKey))
    assert key.account_id == sandbox_id(container, person)
