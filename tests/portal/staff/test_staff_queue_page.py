"""The queue as staff see it: what is due, who works, what is known while a part is away."""

from datetime import timedelta

from sqlalchemy import select

from app.container import Container
from app.domain.ports import QueueName, WorkerSign
from app.models import PublicPage
from app.services.photos import lost_originals
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock
from tests.portal.person import Person
from tests.portal.staff.staffing import words


def test_the_queue_says_what_is_due_since_when_and_who_works(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    api.order([PHOTO, PHOTO])
    container.sweep.beat()
    clock.pass_(minutes=10)
    seen = clock() - timedelta(seconds=7)
    container.queue.present = [
        WorkerSign("host, process 7", (QueueName.PHOTOS, QueueName.ROOMS), seen, True),
        WorkerSign("host, process 8", (QueueName.MAIL,), seen - timedelta(minutes=1), False),
    ]
    page = reviewer.open("/staff/queue")
    photos = page.html.select_one("#lanes").find_parent().select("tbody tr")[0]
    assert photos.text.split() == ["Photos", "2", "10", "min", "2", "1"]
    told = words(page)
    assert "The sweeper does not respond." in told
    assert "7 s ago" in told
    assert "Photos; Photos of rooms to furnish" in told
    states = [row.text.split()[-5:] for row in page.html.select_one("#workers").find_parent().select("tbody tr")]
    assert [row for row in states if "Silent" in row] == [["Mail", "Silent", "1", "min", "ago"]]
    assert "Due in 1 h 50 min" in told
    assert "Jobs with the least time left" in told
    assert "Start the sweeper process" in told
    container.sweep.beat()
    assert "does not respond" not in words(reviewer.open("/staff/queue"))


def test_published_originals_that_are_missing_stand_on_the_queue_and_on_their_job(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    job_id = api.order(exterior=[PHOTO])["jobId"]
    work(container)
    assert api.post(f"/jobs/{job_id}/public-page", {}).status_code == 200
    assert not reviewer.open("/staff/queue").html.select("#lost-originals")
    assert not reviewer.open(f"/staff/jobs/{job_id}").html.select("#lost-originals")
    with container.database.unit_of_work() as session:
        page = session.scalars(select(PublicPage)).one()
        lost_originals.record(session, page.id, 1, clock(), found=False)
    queue = reviewer.open("/staff/queue")
    assert "1 published original is missing from the store" in words(queue)
    assert queue.html.select_one(f"#lost-{job_id}")["href"].endswith(f"/staff/jobs/{job_id}")
    assert "missing from the store: picture 1." in words(reviewer.open(f"/staff/jobs/{job_id}"))
    assert api.call("DELETE", f"/jobs/{job_id}/public-page").status_code == 200
    assert not reviewer.open("/staff/queue").html.select("#lost-originals"), "nobody is shown it any more"


def test_the_queue_is_told_without_redis(
    reviewer: Person, api: Api, container: Container, clock: FakeClock
) -> None:
    api.order([PHOTO])
    container.queue.away = True
    clock.pass_(minutes=3)
    told = words(reviewer.open("/staff/queue"))
    assert "Redis cannot be reached." in told
    assert "Photos 1 3 min ? ?" in told


def test_the_queue_asks_for_itself_and_keeps_the_focus(reviewer: Person, api: Api) -> None:
    api.order([PHOTO])
    part = reviewer.open("/staff/queue").html.select_one("#queue")
    assert part["data-hx-trigger"] == "every 10s"
    fragment = reviewer.fragment(part["data-hx-get"])
    assert "<html" not in fragment.text
    assert "HX-Request" in fragment.headers["Vary"]
    assert "No worker is alive." in fragment.text
    for each in fragment.html.select("a, button, [tabindex]"):
        assert each.get("id"), each
