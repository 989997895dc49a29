"""The owner shares an order's results, sees what clients answer, changes links and revokes them."""

import re

import pytest
from flask import Flask

from app.container import Container
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import FakeClock
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.statements import counted


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    made: str = api.order(interior=[PHOTO], exterior=[PHOTO])["jobId"]
    work(container)
    develop(container)
    return made


def url_on(page) -> str:
    return page.html.select_one("main a[id$='-url']").text


def share(person: Person, job_id: str, **fields: str) -> tuple[str, object]:
    """The path of a new link, and the page that shows it."""
    form = person.open(f"/orders/{job_id}/shares").forms["share-form"]
    for name, value in fields.items():
        form[name] = value
    page = person.send(form)
    return url_on(page).removeprefix("http://localhost"), page


def answer(app: Flask, path: str, action: str = "/answer", **fields: str) -> None:
    client = app.test_client()
    token = re.search(r'name="csrf_token" value="([^"]+)"', client.get(path).text)
    assert token
    assert client.post(path + action, data={**fields, "csrf_token": token[1]}).status_code == 303


def test_a_link_is_made_copied_again_and_opens_for_a_week(
    person: Person, app: Flask, job_id: str, clock: FakeClock
) -> None:
    assert "Share these pictures" in person.open(f"/properties/{job_id}").text
    path, page = share(person, job_id, title="For Kim")
    assert "For Kim" in page.text
    assert url_on(person.open(f"/orders/{job_id}/shares")).endswith(path), "it can be copied again"
    assert app.test_client().get(path).status_code == 200
    clock.pass_(days=6, hours=23)
    assert app.test_client().get(path).status_code == 200
    clock.pass_(hours=2)
    assert app.test_client().get(path).status_code == 404


def test_a_link_never_outlives_the_pictures(person: Person, api: Api, job_id: str, clock: FakeClock) -> None:
    clock.pass_(days=2)
    person.begin_signed_in()
    share(person, job_id, days="30")
    (link,) = api.get(f"/jobs/{job_id}/shares").json["shares"]
    assert link["expiresAt"] == "2026-11-27T12:00:00.000Z"


def test_answers_stand_on_the_page_of_the_links_and_of_the_results(person: Person, app: Flask, job_id: str) -> None:
    path, _ = share(person, job_id)
    answer(app, path, "/photos/1/favorite", favorite="1")
    answer(app, path, "/photos/1", comment="This one first.")
    answer(app, path, verdict="changes_requested", message="Brighter.", name="Kim Owner")
    page = person.open(f"/orders/{job_id}/shares")
    for said in ("Changes requested", "Brighter.", "Kim Owner", "This one first.", "Favorite"):
        assert said in page.text
    picture = page.html.find("a", string="Picture 1")["href"]
    assert "This one first." in person.web.get(picture, status=200).html.select_one("#shares").text
    results = person.open(f"/orders/{job_id}/results?photo=1").html.select_one("#shares").text
    assert "Brighter." in results
    assert "This one first." in results
    assert "This one first." not in person.open(f"/orders/{job_id}/results?photo=2").text


def test_a_link_is_changed_and_revoked(person: Person, app: Flask, job_id: str) -> None:
    path, page = share(person, job_id)
    form = person.open(page.html.select_one("main .row a.button")["href"]).forms["share-form"]
    form["title"], form["may_download"] = "Without files", False
    changed = person.send(form)
    assert "without downloads" in changed.text
    assert url_on(changed).endswith(path)
    assert "Without files" in app.test_client().get(path).text
    (revoke,) = [form for form in changed.forms.values() if form.action.endswith("/revoke")]
    gone = person.send(revoke)
    assert "Revoked" in gone.text
    assert not gone.html.select("main a[id$='-url']")
    assert app.test_client().get(path).status_code == 404


def test_a_title_that_is_too_long_is_refused_and_stays_in_the_form(person: Person, job_id: str) -> None:
    form = person.open(f"/orders/{job_id}/shares").forms["share-form"]
    form["title"] = "x" * 121
    page = person.send(form, status=422)
    assert page.forms["share-form"]["title"].value == "x" * 121
    assert "Use at most 120 characters" in page.html.select_one("#title-error").text


def test_links_are_their_owners_alone(person: Person, new_person: NewPerson, app: Flask, job_id: str) -> None:
    path, page = share(person, job_id)
    edit = page.html.select_one("main .row a.button")["href"]
    other = new_person("kim@example.com")
    other.open(f"/orders/{job_id}/shares", 404)
    other.open(edit, 404)
    other.post(edit, 404, title="Mine")
    other.post(f"{edit}/revoke", 404)
    assert app.test_client().get(path).status_code == 200


def test_an_order_without_results_has_nothing_to_share(person: Person, api: Api) -> None:
    waiting = api.order(interior=[PHOTO])["jobId"]
    person.open(f"/orders/{waiting}/shares", 400)
    person.post(f"/orders/{waiting}/shares", 400)


def test_an_order_has_only_so_many_links(person: Person, api: Api, job_id: str) -> None:
    for _ in range(20):
        assert api.post(f"/jobs/{job_id}/shares", {}).status_code == 201
    person.post(f"/orders/{job_id}/shares", 409)


def test_the_number_of_queries_does_not_grow_with_the_links(
    person: Person, api: Api, app: Flask, job_id: str
) -> None:
    path, _ = share(person, job_id)
    answer(app, path, verdict="approved")
    few = counted(lambda: person.open(f"/orders/{job_id}/shares"))
    for _ in range(5):
        api.post(f"/jobs/{job_id}/shares", {})
    assert counted(lambda: person.open(f"/orders/{job_id}/shares")) == few
