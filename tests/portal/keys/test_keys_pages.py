"""API keys in the browser: made, shown once, renamed, replaced, revoked; and what the API says to each."""

import shutil
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.domain.actors import Scope
from app.models import ApiKey, Organization
from app.portal.keys.words import SCOPES, write_duration
from app.services.security import api_keys
from tests import reading
from tests.fakes import FakeClock
from tests.journeys.test_receivers import node
from tests.portal.conftest import NewPerson
from tests.portal.person import PASSWORD, Person
from tests.statements import counted

HOSTILE = "<script>alert(1)</script> \"x\" 'y' & {{ 7*7 }}"


def make(person: Person, status: int = 200, **fields: object) -> TestResponse:
    """Fill in the form of a new key and send it."""
    form = person.open("/keys/new").forms["key-form"]
    form["name"] = "Script"
    for name, value in fields.items():
        form.set(name, value) if name != "scopes" else tick(form, value)
    return person.send(form, status=status)


def tick(form, wanted: list[str]) -> None:
    for box in form.fields["scopes"]:
        box.checked = box._value in wanted


def secret_on(page: TestResponse) -> str:
    return page.html.select_one("#secret").text


def key_id_of(container: Container, name: str = "Script") -> str:
    with container.database.read_session() as session:
        newest = select(ApiKey.id).where(ApiKey.name == name).order_by(ApiKey.created_at.desc())
        return session.scalars(newest).first()


def ask(app: Flask, secret: str, address: str = "192.0.2.7"):
    headers = {"Authorization": f"Bearer {secret}"}
    return app.test_client().get("/api/v1/user/credits", headers=headers, environ_base={"REMOTE_ADDR": address})


def test_without_keys_the_page_says_what_they_are_for(person: Person) -> None:
    page = person.open("/keys")
    assert "No keys yet" in page.text
    assert [link["href"] for link in page.html.select(".empty a")] == ["/keys/new", "/docs"]
    assert page.html.select_one('nav a[href="/keys"]')["aria-current"] == "page"


def test_a_key_is_made_shown_once_and_opens_the_api(person: Person, app: Flask, container: Container) -> None:
    page = make(person)
    secret = secret_on(page)
    field = page.html.select_one("#secret")
    assert field.has_attr("readonly")
    assert page.html.select_one('[data-copy="secret"]')
    assert "You will not see it again" in page.text
    assert page.headers["Cache-Control"] == "no-store"
    assert ask(app, secret).status_code == 200
    for path in ("/keys", f"/keys/{key_id_of(container)}"):
        shown = person.open(path).text
        assert secret not in shown
        assert f"{secret[:13]}…{secret[-4:]}" in shown


def test_the_form_sent_again_makes_no_second_key_and_shows_no_secret(person: Person, container: Container) -> None:
    form = person.open("/keys/new").forms["key-form"]
    form["name"] = "Script"
    secret = secret_on(person.send(form))
    again = person.send(form)
    assert again.request.path == f"/keys/{key_id_of(container)}"
    assert "already created this key" in again.text
    assert secret not in again.text
    assert reading.count(container, ApiKey) == 1


def test_the_list_tells_name_key_scopes_and_last_use_with_its_address(person: Person, app: Flask) -> None:
    secret = secret_on(make(person, scopes=[Scope.CREDITS_READ]))
    row = person.open("/keys").html.select_one("tbody tr").text
    for part in ("Script", "Active", "See the balance", "Never", "Nov 20, 2026, 12:00 UTC"):
        assert part in row
    ask(app, secret, "2001:db8::7")
    assert "2001:db8::7" in person.open("/keys").html.select_one("tbody tr").text


def test_scopes_limit_what_the_key_opens(person: Person, app: Flask) -> None:
    secret = secret_on(make(person, scopes=[Scope.JOBS_READ]))
    assert ask(app, secret).json["code"] == "forbidden"


def test_what_makes_no_key_is_refused_with_the_input_kept(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    for fields, wrong in (
        ({"name": ""}, "name"),
        ({"name": "   "}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"scopes": []}, "scopes"),
        ({"lifetime": "date", "last_day": ""}, "last_day"),
        ({"lifetime": "date", "last_day": "2026-11-19"}, "last_day"),
        ({"lifetime": "date", "last_day": "9999-12-31"}, "last_day"),
        ({"lifetime": "date", "last_day": "tomorrow\x00"}, "last_day"),
    ):
        with subtests.test(fields=fields, wrong=wrong):
            page = make(person, 422, **fields)
            assert page.html.select_one(f"#{wrong}-error")
            assert page.html.title.text.startswith("Error: ")
            assert page.html.select_one(f'.summary a[href="#{wrong}"]')
            assert page.forms["key-form"]["name"].value == str(fields.get("name", "Script")).strip()
            assert reading.count(container, ApiKey) == 0


@pytest.mark.parametrize("fields", [{"scopes": "everything"}, {"lifetime": "x"}, {"lifetime": ""}])
def test_choices_that_no_form_offers_are_refused(
    person: Person, container: Container, fields: dict[str, str]
) -> None:
    person.post("/keys", 422, **{"name": "x", "scopes": Scope.JOBS_READ, "lifetime": "never", **fields})
    assert reading.count(container, ApiKey) == 0


@pytest.mark.parametrize(
    ("lifetime", "last_day", "days"),
    [("never", "", None), ("30", "", 30), ("90", "", 90), ("365", "", 365), ("date", "2026-11-20", 0.5)],
)
def test_a_key_ends_when_it_was_to(
    person: Person, app: Flask, clock: FakeClock, lifetime: str, last_day: str, days: float
) -> None:
    secret = secret_on(make(person, lifetime=lifetime, last_day=last_day))
    clock.pass_(days=days or 4000, seconds=-1)
    assert ask(app, secret).status_code == 200
    clock.pass_(seconds=1)
    assert ask(app, secret).status_code == (200 if days is None else 401)
    person.sign_in()
    assert ("Expired" in person.open("/keys").text) is (days is not None)


def test_a_key_that_ends_soon_says_when(person: Person, clock: FakeClock) -> None:
    make(person, lifetime="30")
    assert person.open("/keys").html.select_one("tbody .tag.good").text == "Expires in 30 days"
    clock.pass_(days=28, hours=1)
    person.sign_in()
    assert person.open("/keys").html.select_one("tbody .tag.warn").text == "Expires in 47 hours"


def test_a_key_is_renamed(person: Person, container: Container) -> None:
    make(person)
    form = person.open(f"/keys/{key_id_of(container)}").forms["name-form"]
    form["name"] = HOSTILE
    page = person.send(form)
    assert page.html.h1.text == HOSTILE
    assert not page.html.select("h1 script")
    form = page.forms["name-form"]
    form["name"] = ""
    assert person.send(form, status=422).html.select_one("#name-error")
    for path in ("", "/revoke", "/rotate"):
        assert HOSTILE in person.open(f"/keys/{key_id_of(container, HOSTILE)}{path}").html.h1.text


def test_revoking_names_the_key_and_its_last_use_and_ends_it_at_once(
    person: Person, app: Flask, container: Container
) -> None:
    secret = secret_on(make(person))
    ask(app, secret)
    page = person.open(f"/keys/{key_id_of(container)}/revoke")
    for part in ("Script", f"{secret[:13]}…{secret[-4:]}", "192.0.2.7"):
        assert part in page.html.main.text
    assert ask(app, secret).status_code == 200, "looking changes nothing"
    form = page.forms["revoke-form"]
    assert "is revoked" in person.send(form).text
    answer = ask(app, secret)
    assert (answer.status_code, answer.json["code"]) == (401, "unauthorized")
    person.send(form)
    assert "Revoked" in person.open("/keys").html.select_one("tbody tr").text
    page = person.open(f"/keys/{key_id_of(container)}/revoke")
    assert page.html.h1.text == "“Script” no longer works"
    assert "revoke-form" not in page.forms


def test_a_key_is_replaced_with_an_overlap(
    person: Person, app: Flask, container: Container, clock: FakeClock
) -> None:
    old_secret, old_id = secret_on(make(person)), key_id_of(container)
    clock.pass_(minutes=1)
    form = person.open(f"/keys/{old_id}/rotate").forms["rotate-form"]
    form["overlap"] = "3600"
    page = person.send(form)
    new_secret = secret_on(page)
    assert "works until Nov 20, 2026, 13:01 UTC" in page.html.main.text
    assert {ask(app, each).status_code for each in (old_secret, new_secret)} == {200}
    again = person.send(form)
    assert again.request.path == f"/keys/{key_id_of(container)}"
    assert new_secret not in again.text
    old = person.open(f"/keys/{old_id}")
    assert "Expires in 60 minutes" in old.text
    link = old.html.select_one(".facts a")
    assert (link["href"], link.text) == (f"/keys/{key_id_of(container)}", "Script")
    assert f"{new_secret[:13]}…{new_secret[-4:]}" in link.parent.text
    assert person.open(f"/keys/{old_id}/rotate").html.h1.text == "“Script” was replaced"
    assert not old.html.select(f'a[href="/keys/{old_id}/rotate"]')
    person.keep_using(clock, hours=1)
    assert [ask(app, each).status_code for each in (old_secret, new_secret)] == [401, 200]
    assert "Replaced" in person.open(f"/keys/{old_id}").text


def test_two_forms_replace_a_key_once(person: Person, container: Container) -> None:
    make(person)
    path = f"/keys/{key_id_of(container)}/rotate"
    first, second = person.open(path).forms["rotate-form"], person.open(path).forms["rotate-form"]
    person.send(first)
    assert "was replaced already" in person.send(second, status=409).text
    assert reading.count(container, ApiKey) == 2
    person.post(path, 422, overlap="12345")
    person.post(f"/keys/{key_id_of(container)}/rotate", 422, overlap="12345")


def test_one_key_too_many_is_refused_with_the_input_kept(person: Person, container: Container) -> None:
    with container.database.unit_of_work() as session:
        for _ in range(50):
            api_keys.create(session, person.account_id, container.clock())
    page = make(person, 409)
    assert "50 active keys" in page.html.select_one(".summary").text
    assert page.forms["key-form"]["name"].value == "Script"
    assert reading.count(container, ApiKey) == 50


def test_nobody_sees_or_touches_the_key_of_another(
    person: Person, new_person: NewPerson, app: Flask, container: Container
) -> None:
    secret = secret_on(make(person))
    other, key_id = new_person("kim@example.com"), key_id_of(container)
    for path in (f"/keys/{key_id}", f"/keys/{key_id}/revoke", f"/keys/{key_id}/rotate", f"/keys?before={key_id}"):
        other.open(path, status=404)
    for path in ("name", "revoke", "rotate"):
        other.post(f"/keys/{key_id}/{path}", 404, name="Mine", overlap="0")
    for path in ("/keys/nonsense", "/keys/key_%00", "/keys?before=nonsense"):
        person.open(path, status=404)
    assert ask(app, secret).status_code == 200
    assert "No keys yet" in other.open("/keys").text


def test_the_list_goes_on_in_pages_at_the_same_cost(person: Person, container: Container, clock: FakeClock) -> None:
    def fill(many: int) -> int:
        with container.database.unit_of_work() as session:
            for _ in range(many):
                key, _ = api_keys.create(session, person.account_id, clock(), name=f"Key {clock():%M%S}")
                key.revoked_at = clock()
                clock.pass_(seconds=1)
        person.open("/keys")  # use is noted once a minute
        return counted(lambda: person.open("/keys"))

    few = fill(2)
    assert fill(60) == few
    page = person.open("/keys")
    names = [row.text for row in page.html.select("tbody th")]
    while older := page.html.select_one("#older"):
        page = person.open(older["href"])
        names += [row.text for row in page.html.select("tbody th")]
    assert len(names) == len(set(names)) == 62
    assert page.html.select_one("#newest")


def test_keys_that_work_come_before_those_that_ended_however_old_they_are(
    person: Person, container: Container, clock: FakeClock
) -> None:
    with container.database.unit_of_work() as session:
        for number in range(32):
            key, _ = api_keys.create(session, person.account_id, clock(), name=f"Key {number}")
            key.revoked_at = clock() if number % 31 else None
            clock.pass_(seconds=1)
    page = person.open("/keys")
    names = [row.text for row in page.html.select("tbody th")]
    assert names == ["Key 31", "Key 0", *(f"Key {number}" for number in range(30, 5, -1))]
    older = person.open(page.html.select_one("#older")["href"])
    assert [row.text for row in older.html.select("tbody th")] == [f"Key {number}" for number in range(5, 0, -1)]
    assert not older.html.select("#older")


def test_a_suspended_account_is_told_so_by_key_and_by_password_and_by_nothing_else(
    person: Person, app: Flask, container: Container
) -> None:
    secret = secret_on(make(person))
    with container.database.unit_of_work() as session:
        session.get_one(Organization, person.account_id).suspended_at = container.clock()
    answer = ask(app, secret)
    assert (answer.status_code, answer.json["code"]) == (403, "forbidden")
    assert answer.json["message"] == "This account is suspended; write to support."
    assert ask(app, secret[:-7] + "abcdefg").status_code == 401
    assert person.open("/keys").request.path == "/sign-in", "whoever was signed in is so no longer"
    stranger = Person(app)
    for password, told in ((PASSWORD, True), ("wrong battery", False)):
        form = stranger.open("/sign-in").forms["sign-in"]
        form["email"], form["password"] = person.email, password
        page = stranger.send(form, status=422)
        assert ("suspended" in page.html.main.text) is told


def test_every_scope_has_its_words() -> None:
    assert set(SCOPES) == set(Scope)


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(days=30, hours=23), "30 days"),
        (timedelta(days=2), "2 days"),
        (timedelta(hours=47, minutes=59), "47 hours"),
        (timedelta(minutes=119), "119 minutes"),
        (timedelta(seconds=60), "1 minute"),
        (timedelta(seconds=1), "less than a minute"),
    ],
)
def test_what_is_left_is_told_in_the_largest_unit_and_never_too_much(length: timedelta, words: str) -> None:
    assert write_duration(length) == words


@pytest.mark.long
def test_the_programs_hold_the_key_on_this_page_only_and_are_programs(person: Person, tmp_path: Path) -> None:
    page = make(person)
    secret = secret_on(page)
    on_docs = {
        each.parent["aria-label"]: each.text
        for each in person.open("/docs/programs").html.select("pre.program code")
    }
    shown = {each["aria-label"]: each.code.text for each in page.html.select("details .program")}
    checks = {
        "curl program": ["bash", "-n"],
        "Python program": [sys.executable, "-m", "py_compile"],
        "Node program": [node() or "", "--check"],
        "PHP program": [shutil.which("php") or "", "-l"],
        "Ruby program": [shutil.which("ruby") or "", "-c"],
    }
    assert [*shown] == [*checks]
    for label, code in shown.items():
        assert code.count(secret) == 1
        assert "http://localhost/api/v1" in code
        assert "ims_live_" not in on_docs[label]
        assert "BRIGHTLIST_API_KEY" in on_docs[label]
        path = tmp_path / f"program{'.mjs' if 'Node' in label else ''}"
        path.write_text(code)
        if checks[label][0]:
            subprocess.run([*checks[label], path], check=True, capture_output=True)


def test_a_key_that_may_not_see_the_balance_is_tried_by_no_call_for_it(person: Person) -> None:
    assert not make(person, scopes=[Scope.JOBS_READ]).html.select("#first-call")
    page = make(person)
    assert page.html.select_one("#first-call").text == (
        f'curl -H "Authorization: Bearer {secret_on(page)}" http://localhost/api/v1/user/credits'
    )


def origins_on(page: TestResponse) -> list[str]:
    return page.html.select_one("#origins").text.split()


def test_pages_that_may_upload_are_listed_at_the_key_and_go_over_to_the_one_that_replaces_it(
    person: Person, container: Container
) -> None:
    make(person, origins="https://App.Example.com/\n\nhttp://localhost:3000 https://app.example.com:443\n")
    key = key_id_of(container)
    page = person.open(f"/keys/{key}")
    assert origins_on(page) == ["https://app.example.com", "http://localhost:3000"]
    form = page.forms["origins-form"]
    form["origins"] = "https://other.example:8443"
    assert origins_on(person.send(form)) == ["https://other.example:8443"]
    person.send(person.open(f"/keys/{key}/rotate").forms["rotate-form"], status=200)
    with container.database.read_session() as session:
        newest = session.get_one(ApiKey, key).replaced_by_id
    assert origins_on(person.open(f"/keys/{newest}")) == ["https://other.example:8443"]
    emptied = person.open(f"/keys/{key}").forms["origins-form"]
    emptied["origins"] = " \n"
    assert origins_on(person.send(emptied)) == []


def test_what_is_no_list_of_origins_is_refused_with_the_input_kept(person: Person, container: Container) -> None:
    make(person)
    key = key_id_of(container)
    for typed in ("*", HOSTILE, "https://app.example/upload", "\n".join(f"https://{n}.example" for n in range(21))):
        form = person.open(f"/keys/{key}").forms["origins-form"]
        form["origins"] = typed
        page = person.send(form, status=422)
        assert page.html.select_one("#origins-error"), typed
        assert page.html.title.text.startswith("Error: ")
        assert origins_on(page) == typed.split(), "the input is kept"
        assert origins_on(person.open(f"/keys/{key}")) == []
        assert make(person, 422, origins=typed).html.select_one("#origins-error")
