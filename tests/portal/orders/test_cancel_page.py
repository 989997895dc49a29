"""An order is cancelled on its page: first the page says what is refunded; then only what was not begun is."""

from sqlalchemy import select

from app.container import Container
from app.models import Mail
from app.services.photos import photos
from tests.conftest import PHOTO, Api, develop, order_body, work
from tests.fakes import FakeClock, FakeImagery
from tests.portal.conftest import NewPerson
from tests.portal.person import Person


def words(page) -> str:
    return " ".join(page.html.main.text.split())


def test_an_order_is_cancelled_whole_and_every_page_says_so(person: Person, api: Api) -> None:
    job_id = api.order([PHOTO] * 2)["jobId"]
    page = person.open(person.open(f"/properties/{job_id}").html.select_one("#cancel")["href"])
    assert "Refunded to your balance at once: 1 credit." in words(page)
    page = person.send(page.forms["cancel-form"])
    assert "The order is cancelled. Refunded to your balance: 1 credit." in words(page)
    assert [tag.text for tag in page.html.select(".shot .tag")] == ["Cancelled", "Cancelled"]
    assert page.html.select_one(".title .tag, h1 ~ .tag, .tag").text == "Cancelled"
    assert not page.html.select("#cancel, .notice.bad")
    assert "Nothing was usable" not in words(page)
    assert person.open("/orders").html.select_one("tbody .tag").text == "Cancelled"
    again = person.open(f"/properties/{job_id}/cancel")
    assert not again.html.select("#cancel-form")
    assert "The order is cancelled." in words(person.post(f"/properties/{job_id}/cancel"))


def test_the_page_of_a_photo_that_was_never_fetched_comes_to_rest(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    container.imagery = FakeImagery({})
    room = api.post("/orders/upload-urls", {"exteriorCount": 1}).json
    body = {**order_body(interior=False, exterior=True), "uploadSessionId": room["uploadSessionId"]}
    job_id = api.post("/orders/from-uploads", body).json["jobId"]
    api.post(f"/jobs/{job_id}/cancel")
    for _ in range(2):
        assert person.open(f"/properties/{job_id}").html.select("[data-poll]")
        clock.pass_(minutes=31)
    develop(container)
    page = person.open(f"/properties/{job_id}")
    assert not page.html.select("[data-poll]"), "nothing will change by itself"
    assert "No preview" in words(page)


def test_what_was_begun_goes_on_and_the_page_says_how_many(
    person: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job = api.order([PHOTO] * 3)
    path = f"/properties/{job['jobId']}"
    form = person.open(f"{path}/cancel").forms["cancel-form"]
    with container.database.unit_of_work() as session:
        photos.claim(session, job["assets"][1]["id"], clock())
    before = words(person.open(f"{path}/cancel"))
    assert "2 photos that nobody works on yet will be cancelled. 1 photo will not be cancelled" in before
    assert "at once: 1 credit." in before
    page = person.send(form)
    assert "What was not begun is cancelled, and the rest goes on." in words(page)
    assert "2 photos of this order were cancelled on" in words(page)
    assert not page.html.select("#cancel")
    clock.pass_(seconds=60)
    work(container)
    assert "Partly ready" in words(person.open(path))
    outcome = "1 of 3 photos finished, 2 cancelled, 1 credit refunded"
    assert outcome in words(person.open(path))
    with container.database.read_session() as session:
        (ready,) = [each for each in session.scalars(select(Mail.text)) if "is checked" in each]
    assert outcome in " ".join(ready.split())
    assert "could not be done" not in ready


def test_others_and_members_who_may_not_order_cancel_nothing(
    person: Person, new_person: NewPerson, api: Api
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    other = new_person("kim@example.com")
    other.open(f"/properties/{job_id}/cancel", status=404)
    other.post(f"/properties/{job_id}/cancel", status=404)
    assert api.status(job_id)["status"] == "pending"
