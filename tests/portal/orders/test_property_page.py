"""Several orders of one property on one page: found by their draft, looked at and downloaded together."""

import io
import zipfile

from sqlalchemy import delete, update

from app.container import Container
from app.domain.ids import Prefix, new_id
from app.domain.lifecycle import Status
from app.models import Draft, DraftPhoto, Job, Photo
from tests import reading
from tests.conftest import PHOTO, Api, develop, work
from tests.fakes import photo
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import at_review, draft_of
from tests.portal.person import Person
from tests.statements import counted

FOLDER = "12-garden-lane-springfield-il-62704"


def together(container: Container, *job_ids: str) -> str:
    """The address of the property that these orders are of, as those of one draft are."""
    draft_id = new_id(Prefix.DRAFT)
    with container.database.unit_of_work() as session:
        for place, job_id in enumerate(job_ids):
            session.execute(update(Job).where(Job.id == job_id).values(draft_id=draft_id, draft_place=place))
    return f"/properties/{draft_id}"


def test_all_orders_of_a_property_stand_on_one_page(person: Person, api: Api, container: Container) -> None:
    first = api.order([PHOTO, photo("BLANK")], [PHOTO])["jobId"]
    work(container)
    develop(container)
    second = api.order([PHOTO])["jobId"]
    page = person.open(together(container, first, second))
    assert page.html.select_one("#counts").text == "2 of 4 photos are ready"
    assert [" ".join(each.text.split()) for each in page.html.select("h2.order-title")] == [
        "Order 1 of 2 Partly ready",
        "Order 2 of 2 Queued",
    ]
    rows = [" ".join(each.get_text(" ").split()) for each in page.html.select(".order-rows li")]
    assert rows[0].startswith(
        "Order 1 Partly ready 2 of 3 photos finished, 1 could not be done, 0.5 credits refunded. Price: 2 credits."
    )
    assert "0 of 1 photo processed. Price: 0.5 credits." in rows[1]
    assert page.html.select_one("#news")["data-hx-get"].endswith("state=approved.pending")
    assert len(page.html.select(".shot input")) == 2
    alone = person.open(page.html.select_one("#order-1")["href"])
    assert len(alone.html.select(".shot")) == 3
    assert alone.html.select("#shares, #mls-pack, .timeline")
    assert alone.html.select_one("#whole")["href"] == page.request.path
    assert len(person.open("/orders").html.select(f'tbody a[href="{page.request.path}"]')) == 2


def test_a_poll_says_which_of_the_orders_moved(person: Person, api: Api, container: Container) -> None:
    jobs = [api.order(photos)["jobId"] for photos in ([PHOTO], [PHOTO, photo("BLANK")])]
    poll = person.open(together(container, *jobs)).html.select_one("#news")["data-hx-get"]
    assert not person.fragment(poll).html.select("#status")
    work(container)
    moved = person.fragment(poll).html
    said = moved.select_one("#status").text
    assert "order 1: Ready. 1 photo finished." in said
    assert "order 2: Partly ready. 1 of 2 photos finished, 1 could not be done, 0.5 credits refunded." in said
    assert moved.select_one("#balance[data-hx-swap-oob]").text.strip() == "Balance: 99 credits"


def test_photos_of_several_orders_come_in_one_zip(person: Person, api: Api, container: Container) -> None:
    first, second, third = (api.order([PHOTO])["jobId"] for _ in range(3))
    work(container)
    page = person.open(together(container, first, second, third))
    boxes = [each["value"] for each in page.html.select(".shot input")]
    form = page.forms["selection"]
    sent = {"csrf_token": form["csrf_token"].value, "photo": boxes[:2]}
    names = zipfile.ZipFile(io.BytesIO(person.web.post(form.action, sent).body)).namelist()
    assert names == [f"{FOLDER}/interior-1.jpg", f"{FOLDER}/interior-1 (2).jpg"]
    assert [reading.one(container, Job, job_id).status for job_id in (first, second, third)] == [
        Status.DELIVERED,
        Status.DELIVERED,
        Status.APPROVED,
    ]
    everything = form.submit("all")
    assert len(zipfile.ZipFile(io.BytesIO(everything.body)).namelist()) == 3


def test_of_orders_of_which_some_are_under_way_all_that_is_ready_comes(
    person: Person, api: Api, container: Container
) -> None:
    ready = api.order([PHOTO])["jobId"]
    work(container)
    running = api.order([PHOTO])["jobId"]
    page = person.open(together(container, ready, running))
    assert "Download all that is ready" in " ".join(page.html.select_one("#download-all").text.split())
    assert len(zipfile.ZipFile(io.BytesIO(page.forms["selection"].submit("all").body)).namelist()) == 1
    (waiting,) = (each["id"] for each in page.html.select(".shot") if not each.select("input"))
    person.post(f"{page.request.path}/results.zip", 400, photo=waiting.removeprefix("photo-"))
    assert reading.one(container, Job, running).status is Status.PENDING


def test_one_photo_leads_to_the_next_through_all_orders(person: Person, api: Api, container: Container) -> None:
    jobs = [api.order([PHOTO] * 2)["jobId"] for _ in range(2)]
    work(container)
    board = together(container, *jobs)
    page = person.open(person.open(board).html.select_one(".shot a")["href"])
    seen = 1
    while following := page.html.select_one("[rel=next]"):
        page, seen = person.open(following["href"]), seen + 1
    assert seen == 4
    assert "Photo 4 of 4" in page.text
    assert page.html.select_one("a.back")["href"].startswith(board)


def test_the_orders_of_a_draft_are_found_also_once_it_is_forgotten(person: Person, container: Container) -> None:
    page = at_review(person)
    draft = draft_of(person, container)
    placed = person.send(page.forms["place"])
    assert placed.request.path == f"/properties/{draft.id}"
    with container.database.unit_of_work() as session:
        session.execute(delete(DraftPhoto))
        session.execute(delete(Draft))
    assert person.open(f"/properties/{draft.id}").html.select_one("#panel")


def test_nobody_else_finds_them(person: Person, api: Api, container: Container, new_person: NewPerson) -> None:
    jobs = [api.order([PHOTO])["jobId"] for _ in range(2)]
    work(container)
    board = together(container, *jobs)
    (photo_id, _) = (each["value"] for each in person.open(board).html.select(".shot input"))
    other = new_person("kim@example.com")
    for path in (board, f"{board}/news", f"{board}/photos/{photo_id}"):
        other.open(path, status=404)
    other.post(f"{board}/results.zip", status=404, photo=photo_id)
    assert {reading.one(container, Job, job_id).status for job_id in jobs} == {Status.APPROVED}


def test_the_page_asks_the_database_as_often_for_many_orders_as_for_two(
    person: Person, api: Api, container: Container
) -> None:
    few = [api.order([PHOTO])["jobId"] for _ in range(2)]
    many = [api.order([PHOTO] * 8)["jobId"] for _ in range(3)]
    boards = [together(container, *few), together(container, *many)]
    for _ in range(2):
        assert len({counted(lambda board=board: person.open(board)) for board in boards}) == 1
        work(container)


def test_photos_keep_their_place_in_the_order_of_their_orders(person: Person, api: Api, container) -> None:
    jobs = sorted((api.order([PHOTO])["jobId"] for _ in range(3)), reverse=True)
    with container.database.unit_of_work() as session:
        for number, job_id in enumerate(jobs):
            session.execute(update(Photo).where(Photo.job_id == job_id).values(file_name=f"{number}.jpg"))
    page = person.open(together(container, *jobs))
    assert [each.text.split()[-1] for each in page.html.select(".shot-name")] == ["0.jpg", "1.jpg", "2.jpg"]
