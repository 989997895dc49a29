"""A property's page keeps its photos for a year, says until when, and asks before it stops."""

import pytest

from app.container import Container
from app.domain.retention import KEPT_MONTHS
from app.models import Job, Organization
from tests import reading
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.orders.test_property_page import together
from tests.portal.person import Person

PATH = "/account/kept-photos"


@pytest.fixture
def job_id(api: Api, container: Container) -> str:
    """A finished order of one photo."""
    made: str = api.order(interior=[PHOTO])["jobId"]
    work(container)
    return made


def words(page) -> str:
    return " ".join(page.html.select_one("#panel").text.split())


def form_of(page):
    """The form that keeps the photos."""
    action = page.html.select_one("#keeping form")["action"]
    return next(form for form in page.forms.values() if form.action == action)


def test_one_press_keeps_a_property_and_its_page_says_until_when(
    person: Person, container: Container, clock: FakeClock, job_id: str
) -> None:
    path = f"/properties/{job_id}"
    assert "Results are kept until Nov 27, 2026" in words(person.open(path))
    page = person.send(form_of(person.open(path)))
    assert f"kept for {KEPT_MONTHS} months" in page.text
    assert "You keep these photos until Nov 20, 2027" in words(page)
    assert "Results are kept until" not in words(page)
    assert not page.html.select("#keeping form"), "the end is far away"
    clock.pass_(days=60)
    person.sign_in()
    page = person.send(form_of(person.open(path)))
    assert "until Jan 19, 2028" in words(page)


def test_all_orders_of_a_property_are_kept_together(
    person: Person, api: Api, container: Container, job_id: str
) -> None:
    running = api.order([PHOTO])["jobId"]
    path = together(container, job_id, running)
    page = person.send(form_of(person.open(path)))
    assert "will be kept for 12 months once they are ready" in words(page)
    work(container)
    container.sweep.keep_wanted_jobs()
    assert "You keep these photos until" in words(person.open(path))
    assert all(reading.one(container, Job, each).kept_until for each in (job_id, running))


def test_it_asks_before_it_stops_and_says_when_the_photos_go(
    person: Person, container: Container, clock: FakeClock, job_id: str
) -> None:
    path = f"/properties/{job_id}"
    page = person.send(form_of(person.open(path)))
    link = page.html.select_one("#stop-keeping")["href"]
    assert "removed on Nov 27, 2026" in " ".join(person.open(link).html.main.text.split())
    clock.pass_(days=8)
    person.sign_in()
    assert "within minutes" in person.open(link).text
    page = person.send(person.open(link).forms["stop-form"])
    assert "no longer kept" in page.text
    container.sweep.expire_jobs()
    assert reading.one(container, Job, job_id).expired_at == clock()


def test_without_room_the_page_says_how_much_is_used(
    person: Person, container: Container, job_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = person.open(f"/properties/{job_id}")
    monkeypatch.setattr(type(container), "keep_quota", 1)
    assert "Stop keeping another property" in person.send(form_of(page)).text
    assert reading.one(container, Job, job_id).kept_until is None
    monkeypatch.setattr(type(container), "keep_quota", 0)
    assert not person.open(f"/properties/{job_id}").html.select("#keeping"), "an operator may offer none"


def test_the_account_keeps_every_order_and_lists_what_it_keeps(
    person: Person, container: Container, job_id: str
) -> None:
    page = person.open(person.open("/account").html.select_one(f'main a[href="{PATH}"]')["href"])
    assert "Nothing is kept yet" in page.text
    page.forms["keep-form"]["always"].checked = True
    page = person.send(page.forms["keep-form"])
    assert "Your choice is saved." in page.text
    assert reading.one(container, Organization, person.account_id).keeps_photos
    container.sweep.keep_wanted_jobs()
    page = person.open(PATH)
    (row,) = page.html.select("tbody tr")
    assert row.a["href"] == f"/properties/{job_id}"
    assert "Nov 20, 2027" in row.text
    assert "1 kept order" in page.text


def test_nobody_keeps_another_accounts_property(
    person: Person, container: Container, new_person, job_id: str
) -> None:
    other = new_person("kim@example.com")
    for path in ("keep", "stop-keeping"):
        other.post(f"/properties/{job_id}/{path}", status=404)
    other.open(f"/properties/{job_id}/stop-keeping", status=404)
    assert reading.one(container, Job, job_id).keeping is None
