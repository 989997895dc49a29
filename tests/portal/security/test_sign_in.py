"""Signing in and out with a password."""

import re
from datetime import datetime
from types import SimpleNamespace

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session
from webtest import TestResponse

from app.application import create_app
from app.container import Container
from app.models import SignIn
from app.portal import visitors
from app.portal.visitors import choose_target
from app.services.accounts import passwords
from app.services.security import sign_ins
from tests.architecture.source import ROOT
from tests.fakes import FakeClock, FakeQueue
from tests.portal.mailbox import mails
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


def test_signing_out_leaves_nothing_in_the_browser_s_cache(person: Person) -> None:
    answer = person.open("/orders").forms["sign-out"].submit()
    assert answer.headers["Clear-Site-Data"] == '"cache"'
    assert "Strict-Transport-Security" not in answer.headers, "which by http says nothing"


def test_the_cookie_is_closed_to_scripts_and_other_sites(stranger: Person) -> None:
    header = stranger.open("/sign-in").headers["Set-Cookie"]
    assert "HttpOnly" in header
    assert "SameSite=Lax" in header


@pytest.mark.parametrize(
    "target", ["//evil.example", "/\\evil.example", "https://evil.example", "evil", "/a\nb", ""]
)
def test_nobody_is_sent_elsewhere_after_signing_in(app, target: str) -> None:
    with app.test_request_context():
        assert choose_target(target) == "/orders"


def test_a_poll_of_a_browser_that_was_signed_out_leads_to_the_sign_in(stranger: Person) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/orders?page=2"}
    answer = stranger.web.get("/orders", headers=headers, expect_errors=True)
    assert answer.status_int == 401
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/orders?page%3D2"


def test_a_choice_of_colors_holds_and_leads_back(stranger: Person) -> None:
    page = stranger.open("/sign-in")
    page = stranger.send(page.forms["theme"], "theme", value="dark")
    assert page.request.path == "/sign-in"
    assert page.html.html["data-theme"] == "dark"


def try_(person: Person, email: str, password: str = "wrong", status: int = 422) -> TestResponse:
    form = person.open("/sign-in").forms["sign-in"]
    form["email"], form["password"] = email, password
    return person.send(form, status=status)


def test_every_try_compares_one_password_whoever_it_names(
    stranger: Person, person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = []
    fits = passwords._hasher.verify
    monkeypatch.setattr(
        passwords, "_hasher", SimpleNamespace(verify=lambda *words: compared.append(words[0]) or fits(*words))
    )
    for email in (person.email, "nobody@example.com", "no address", "x" * 10_000, "a\x00@example.com"):
        try_(stranger, email)
    try_(stranger, person.email, "x" * 10_000)
    assert len(compared) == 6
    assert len({each.split("$")[3] for each in compared}) == 1, "with the same parameters"


def test_an_unconfirmed_account_is_told_apart_by_mail_only(
    stranger: Person, container: Container, clock: FakeClock
) -> None:
    form = stranger.open("/sign-up").forms["sign-up"]
    form["name"], form["email"], form["password"] = "Nia", "nia@example.com", PASSWORD
    stranger.send(form)
    wrong = try_(stranger, "nia@example.com").html.select_one(".summary").text
    right = try_(stranger, "nia@example.com", PASSWORD).html.select_one(".summary").text
    assert right == wrong
    assert "first open the link" in right
    assert len(mails(container, "nia@example.com")) == 1, "the first went out just now"
    clock.pass_(minutes=6)
    try_(stranger, "nia@example.com")
    assert len(mails(container, "nia@example.com")) == 1
    try_(stranger, "nia@example.com", PASSWORD)
    assert len(mails(container, "nia@example.com")) == 2


def test_tries_are_bounded_for_an_address(stranger: Person, person: Person, clock: FakeClock) -> None:
    clock.pass_(minutes=1)
    for number in range(10):
        try_(stranger, f"{number}@example.com")
    page = try_(stranger, person.email, PASSWORD, status=429)
    assert "Too many tries. Try again in 60 seconds." in page.html.select_one(".summary").text
    assert page.headers["Retry-After"] == "60"
    assert page.forms["sign-in"]["email"].value == person.email
    clock.pass_(seconds=60)
    try_(stranger, person.email, PASSWORD, status=200)


def test_fields_left_empty_are_no_tries(stranger: Person) -> None:
    for _ in range(12):
        page = try_(stranger, "", "")
    assert page.html.select_one("#email-error")
    assert page.html.select_one("#password-error")


@pytest.mark.parametrize(
    "email", ["\x00", "a\x00@example.com", "x" * 10_000, "<b>@example.com", "a\x1b[2J@example.com"]
)
def test_nonsense_is_wrong_and_nothing_more(stranger: Person, email: str) -> None:
    page = try_(stranger, email, "\x00\x1b" + "x" * 10_000)
    assert "is wrong" in page.html.select_one(".summary").text


def test_a_sign_in_that_nobody_uses_is_over_after_an_hour(
    person: Person, container: Container, clock: FakeClock
) -> None:
    clock.pass_(minutes=59)
    assert person.open("/account/name").request.path == "/account/name"
    clock.pass_(minutes=59)
    assert person.open("/account/name").request.path == "/account/name", "every use begins the hour anew"
    clock.pass_(minutes=60)
    assert person.open("/account/name").request.path == "/sign-in"
    with container.database.read_session() as session:
        assert sign_ins.of_user(session, person.user_id, clock()) == [], "nor is it listed"


def test_a_sign_in_in_use_is_over_after_twelve_hours_all_the_same(person: Person, clock: FakeClock) -> None:
    person.keep_using(clock, hours=11)
    clock.pass_(minutes=59)
    assert person.open("/orders").request.path == "/orders"
    clock.pass_(minutes=1)
    assert person.open("/orders").request.path == "/sign-in"


def test_a_page_that_asks_again_by_itself_is_not_in_use(person: Person, clock: FakeClock) -> None:
    poll = {"HX-Request": "true", "HX-Trigger": "orders"}
    for _ in range(2):
        clock.pass_(minutes=29)
        assert person.web.get("/orders?poll=1", headers=poll).status_int in (200, 204)
    clock.pass_(minutes=2)
    assert person.web.get("/orders?poll=1", headers=poll, expect_errors=True).status_int == 401


def test_every_element_that_asks_again_by_itself_is_known() -> None:
    tags = [
        tag
        for each in (ROOT / "templates").rglob("*.html")
        for tag in re.findall(r"<\w+ [^\n]*data-poll[^\n]*", each.read_text())
    ]
    assert {re.search(r'id="([\w-]+)"', tag)[1] for tag in tags} == visitors.POLLS


def test_use_is_noted_once_a_minute_at_most(person: Person, clock: FakeClock, container: Container) -> None:
    def seen() -> datetime:
        with container.database.read_session() as session:
            return sign_ins.of_user(session, person.user_id, clock())[0].last_seen_at

    before = seen()
    clock.pass_(seconds=59)
    person.open("/account/name")
    assert seen() == before
    clock.pass_(seconds=1)
    person.open("/account/name")
    assert seen() == clock()


def test_why_they_were_signed_out_is_said_with_the_time_of_the_setting(person: Person, clock: FakeClock) -> None:
    clock.pass_(hours=12)
    page = person.open("/orders")
    assert page.request.path == "/sign-in"
    assert (
        "You were signed out after 1 hour without use, after 12 hours in all, or from another browser." in page.text
    )
    assert "signed out" not in Person(person.web.app).open("/sign-in").text


def test_a_form_sent_after_the_sign_in_ended_leads_back_to_its_page(person: Person, clock: FakeClock) -> None:
    form = person.open("/account/name").forms["name-form"]
    clock.pass_(hours=13)
    form["name"] = "Too late"
    answer = form.submit(headers={"Referer": "http://localhost/account/name"}, expect_errors=True)
    assert answer.headers["Location"] == "/sign-in?next=/account/name&ended=1&typed=1"
    form = person.open(answer.headers["Location"]).forms["sign-in"]
    form["email"], form["password"] = person.email, PASSWORD
    page = person.send(person.send(form).forms["discard-form"])
    assert page.request.path == "/account/name"
    assert page.forms["name-form"]["name"].value == "Jo Agent"


def test_a_form_sent_from_elsewhere_leads_nowhere_else(person: Person, clock: FakeClock) -> None:
    form = person.open("/account/name").forms["name-form"]
    clock.pass_(hours=13)
    answer = form.submit(headers={"Referer": "https://evil.example/account/delete"}, expect_errors=True)
    assert answer.headers["Location"] == "/sign-in?next=/account/name&ended=1&typed=1"


def test_a_poll_after_the_sign_in_ended_leads_to_the_page_it_ran_on(person: Person, clock: FakeClock) -> None:
    clock.pass_(hours=13)
    headers = {"HX-Request": "true", "HX-Current-URL": "http://localhost/account?tab=2"}
    answer = person.web.get("/account/security", headers=headers, expect_errors=True)
    assert (answer.status_int, answer.text) == (401, "")
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/account?tab%3D2&ended=1"


def test_over_tls_the_cookie_is_bound_to_the_host_and_never_sent_in_the_clear(settings, clock: FakeClock) -> None:
    container = Container(settings.model_copy(update={"base_url": "https://brightlist.example"}), clock)
    container.queue = FakeQueue()
    cookie = create_app(container=container).test_client().get("/sign-in").headers["Set-Cookie"]
    assert cookie.startswith("__Host-brightlist=")
    for flag in ("Secure", "HttpOnly", "SameSite=Lax", "Path=/"):
        assert flag in cookie
    assert "Domain" not in cookie
    told = create_app(container=container).test_client().get("/healthz").headers
    assert told["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Expires" not in cookie
    container.database.engine.dispose()


def test_no_cookie_remembers_anybody_beyond_the_session(person: Person) -> None:
    assert set(person.web.cookies) <= {"brightlist", "theme"}
    person.web.cookiejar.clear()
    person.sign_in()
    assert set(person.web.cookies) == {"brightlist", "known"}
    other = Person(person.web.app)
    other.web.set_cookie("known", person.web.cookies["known"])
    assert other.open("/orders").request.path == "/sign-in", "what a browser is known by opens nothing"


def test_sign_ins_that_are_over_are_swept_away(person: Person, container: Container, clock: FakeClock) -> None:
    person.keep_using(clock, hours=11)
    container.sweep.forget_sign_ins()
    assert person.open("/orders").request.path == "/orders"
    clock.pass_(hours=1)
    container.sweep.forget_sign_ins()
    with container.database.read_session() as session:
        assert session.scalars(select(SignIn)).all() == []


def test_a_button_without_a_page_of_its_own_leads_to_the_orders(person: Person, clock: FakeClock) -> None:
    form = person.open("/account/security").forms["sign-out"]
    form.action = "/account/data"
    clock.pass_(hours=13)
    answer = form.submit(headers={"Referer": ""}, expect_errors=True)
    assert answer.headers["Location"] == "/sign-in?next=/orders&ended=1"


def test_a_strange_address_is_kept_as_the_browser_wrote_it(stranger: Person) -> None:
    page = stranger.open("/caf%C3%A9%00?q=%00", status=404)
    assert page.forms["theme"]["back"].value == "/caf%C3%A9%00?q=%00"


def test_signing_out_twice_at_once_is_no_fault(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    form = person.open("/orders").forms["sign-out"]
    end = sign_ins.end

    def quicker(session: Session, account_id: str, sign_in_id: str) -> None:
        end(session, account_id, sign_in_id)
        end(session, account_id, sign_in_id)

    monkeypatch.setattr(sign_ins, "end", quicker)
    assert person.send(form).request.path == "/sign-in"
