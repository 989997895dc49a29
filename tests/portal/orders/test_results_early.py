"""Results of an order under way: seen as each passes its checks, downloaded once the whole order is decided."""

from sqlalchemy import select

from app.container import Container
from app.domain.lifecycle import Status
from app.domain.reviews import QcMode
from app.models import Job, Photo, Result
from app.services.photos import quality
from engine.types.report import Verdict
from tests import reading
from tests.conftest import PHOTO, Api, develop, photo_worker, work
from tests.fakes import photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person


def work_on(container: Container, job_id: str, *places: int, mode: QcMode = QcMode.AUTO) -> list[str]:
    """Work on these photos of the order alone; the ids of all of them."""
    every = reading.found(
        container, select(Photo.id).where(Photo.job_id == job_id).order_by(Photo.type, Photo.index)
    )
    for place in places:
        photo_worker(container, mode=mode).process(every[place])
    develop(container)
    return list(every)


def shown(person: Person, job_id: str) -> list[str]:
    """What the tiles of the order's page show."""
    return [image["alt"] for image in person.open(f"/properties/{job_id}").html.select(".shot img")]


def test_what_passed_is_seen_while_the_others_are_on_their_way(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO] * 3)["jobId"]
    work_on(container, job_id, 1)
    board = person.open(f"/properties/{job_id}")
    assert board.html.select_one("#counts").text == "1 of 3 photos are ready"
    assert [each["alt"] for each in board.html.select(".shot img")] == [
        *("Photo: interior-1", "Result of interior-2", "Photo: interior-3"),
    ]
    assert len(board.html.select(".shot a[data-viewed]")) == 1
    assert not board.html.select("#selection, .shot input, [data-after-full], .in-public")
    page = person.open(board.html.select_one(".shot a[data-viewed]")["href"])
    pair = page.html.select("[data-pair] img")
    assert pair[0]["alt"] == "Before: interior-2"
    for image in pair:
        assert person.web.get(image["src"]).status_int == 200
    assert not page.html.select("#download, .files-list, .in-public, #not-right")


def test_nothing_of_it_is_downloaded_delivered_or_charged_before_the_order_is_decided(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO] * 2)["jobId"]
    every = work_on(container, job_id, 0)
    image_id = reading.only(container, select(Result).where(Result.photo_id == every[0])).id
    person.open(f"/properties/{job_id}/photos/{every[0]}")
    person.post(f"/orders/{job_id}/results/{image_id}/download", 400)
    for wanted in ({"all": "1"}, {"photo": every[0]}):
        person.post(f"/properties/{job_id}/results.zip", 400, **wanted)
    assert api.get(f"/downloads/{job_id}").status_code == 400
    assert reading.one(container, Job, job_id).status is Status.PROCESSING
    work(container)
    assert person.open(f"/properties/{job_id}").forms["selection"]


def test_what_failed_its_checks_is_not_shown_and_is_called_missing_only_at_the_end(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([photo("BLANK"), PHOTO, PHOTO])["jobId"]
    blank, *_ = work_on(container, job_id, 0)
    assert not any(each.startswith("Result") for each in shown(person, job_id))
    page = person.open(f"/properties/{job_id}/photos/{blank}")
    assert page.html.select_one("#how-name + p").text == "Being checked"
    assert "blank" not in page.html.main.text.lower()


def test_what_a_reviewer_decides_is_told_once_the_whole_order_is(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO] * 2)["jobId"]
    every = work_on(container, job_id, 0, 1, mode=QcMode.MANUAL)
    assert not any(each.startswith("Result") for each in shown(person, job_id))
    first = reading.only(container, select(Result).where(Result.photo_id == every[0]))
    with container.database.unit_of_work() as session:
        word = quality.Decision(Verdict.APPROVED, "usr_reviewer")
        quality.decide(session, first.id, word, container.clock())
    assert not any(each.startswith("Result") for each in shown(person, job_id))
    assert person.web.get(f"/pictures/jobs/{job_id}/{every[0]}/result/view", expect_errors=True).status_int == 404


def test_an_order_that_runs_out_of_time_shows_nothing_any_more(
    person: Person, api: Api, container: Container
) -> None:
    job_id = api.order([PHOTO] * 2)["jobId"]
    every = work_on(container, job_id, 0)
    container.clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    person.sign_in()
    assert not any(each.startswith("Result") for each in shown(person, job_id))
    assert person.web.get(f"/pictures/jobs/{job_id}/{every[0]}/result/view", expect_errors=True).status_int == 404


def test_nobody_else_sees_it(api: Api, container: Container, new_person: NewPerson) -> None:
    job_id = api.order([PHOTO] * 2)["jobId"]
    every = work_on(container, job_id, 0)
    other = new_person("other@example.com")
    for path in ("", "/news", f"/photos/{every[0]}"):
        assert other.web.get(f"/properties/{job_id}{path}", expect_errors=True).status_int == 404
    assert other.web.get(f"/pictures/jobs/{job_id}/{every[0]}/result/view", expect_errors=True).status_int == 404
