"""One order as its owner sees it."""

from decimal import Decimal
from functools import partial

import pytest

from app.container import Container
from app.domain.errors import NotFound
from app.domain.lifecycle import Status
from app.domain.pricing import make_priced_photo
from app.models import Job
from app.services.orders import job_pages, jobs
from app.services.orders.job_pages import JobPage, PhotoState, StageState
from engine.types.enhancements import Enhancement
from tests.acts import expire
from tests.conftest import PHOTO, Api, work
from tests.fakes import FakeClock, photo
from tests.statements import counted


def read(container: Container, api: Api, job_id: str) -> JobPage:
    with container.database.read_session() as session:
        return job_pages.read_all(session, [jobs.get_even_expired(session, api.account_id, job_id)])[0]


def way(page: JobPage) -> list[tuple[Status, StageState]]:
    return [(stage.name, stage.state) for stage in page.stages]


def test_the_way_of_an_order_that_goes_well(container: Container, api: Api, clock: FakeClock) -> None:
    job_id = api.order([PHOTO])["jobId"]
    done, now, open_ = StageState.DONE, StageState.CURRENT, StageState.OPEN
    names = (Status.PENDING, Status.PROCESSING, Status.QC_REVIEW, Status.APPROVED, Status.DELIVERED)
    assert way(read(container, api, job_id)) == list(zip(names, (now, open_, open_, open_, open_), strict=True))
    clock.pass_(minutes=1)
    work(container)
    page = read(container, api, job_id)
    assert way(page) == list(zip(names, (done, done, done, now, open_), strict=True))
    assert page.stages[3].at == clock.now
    assert page.ready
    api.get(f"/downloads/{job_id}")
    assert way(read(container, api, job_id)) == [(name, done) for name in names]


def test_the_way_of_a_lost_order_ends_where_it_was_lost(container: Container, api: Api, clock: FakeClock) -> None:
    job_id = api.order([PHOTO])["jobId"]
    clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    page = read(container, api, job_id)
    assert way(page) == [(Status.PENDING, StageState.DONE), (Status.FAILED, StageState.DONE)]
    assert page.photos[0].state is PhotoState.STOPPED
    assert not page.ready
    assert not page.unfinished


def test_an_order_in_review_does_not_tell_what_was_decided_so_far(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, photo("BROKEN"), photo("HALF")])["jobId"]
    work(container, automatic=False)
    page = read(container, api, job_id)
    assert page.job.status is Status.QC_REVIEW
    assert [each.state for each in page.photos] == [PhotoState.MADE] * 3
    assert all(each.report is None and not each.message and not each.outcomes for each in page.photos)
    assert {each.picture_key for each in page.photos} == {each.photo.storage_key for each in page.photos}


def test_photos_tell_what_became_of_them(container: Container, api: Api) -> None:
    chosen = {"interiorEnhancements": ["declutter", "hdr_enhancement"]}
    job_id = api.order([PHOTO, photo("HALF"), photo("BLANK"), photo("BROKEN")], **chosen)["jobId"]
    work(container)
    page = read(container, api, job_id)
    usable, partly, unusable = PhotoState.USABLE, PhotoState.PARTLY_USABLE, PhotoState.UNUSABLE
    assert [each.state for each in page.photos] == [usable, partly, unusable, unusable]
    assert [each.number for each in page.photos] == [1, 2, 3, 4]
    assert [each.message for each in page.photos[2:]] == ["The picture is blank.", "The photo cannot be decoded."]
    assert page.usable_count == 2
    first, second, third, _ = page.photos
    assert [outcome.applied for outcome in second.outcomes.values()] == [True, False]
    assert first.picture_key == first.photo.result.storage_key
    assert third.picture_key == third.photo.storage_key, "a rejected picture is nobody's to see"


def test_progress_counts_photos_that_were_worked_on(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, PHOTO])["jobId"]
    progress = read(container, api, job_id).progress
    assert (progress.completed, progress.total) == (0, 2)
    work(container)
    assert read(container, api, job_id).progress.completed == 2


def test_the_price_is_itemized_and_refunds_are_lines_of_their_own(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, photo("BLANK")], [PHOTO])["jobId"]
    work(container)
    page = read(container, api, job_id)
    assert [(line.quantity, line.credits) for line in page.price] == [(1, Decimal(1)), (2, Decimal(1))]
    (refund,) = page.refunds
    assert refund.amount == Decimal("0.5")
    assert "The picture is blank." in refund.reason
    assert page.kept_credits == Decimal("1.5")


def test_a_price_that_has_changed_since_is_not_itemized(
    container: Container, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = api.order([PHOTO])["jobId"]
    dearer = job_pages.quote([make_priced_photo(Enhancement.STAGING)])
    monkeypatch.setattr(job_pages, "quote", lambda _: dearer)
    assert read(container, api, job_id).price == ()


def test_an_expired_order_keeps_its_price_and_refunds_without_pictures(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO, photo("BROKEN")])["jobId"]
    work(container)
    expire(container)
    page = read(container, api, job_id)
    assert page.expired
    assert not page.ready
    assert (page.photos, page.price, len(page.refunds)) == ([], (), 1)
    assert page.kept_credits == Decimal("0.5")
    assert way(page)[-1] == (Status.APPROVED, StageState.DONE)


def test_the_api_still_finds_no_expired_order(container: Container, api: Api) -> None:
    job_id = api.order([PHOTO])["jobId"]
    work(container)
    expire(container)
    assert api.get(f"/jobs/{job_id}/status").status_code == 404
    with container.database.read_session() as session:
        assert jobs.get_even_expired(session, api.account_id, job_id).id == job_id
        with pytest.raises(NotFound):
            jobs.get(session, api.account_id, job_id)


def test_another_accounts_order_is_not_found(container: Container, api: Api, other_api: Api) -> None:
    theirs = other_api.order([PHOTO])["jobId"]
    for job_id in (theirs, "job_" + "0" * 22, "nonsense"):
        with pytest.raises(NotFound):
            read(container, api, job_id)


def test_refunds_of_other_orders_do_not_appear(container: Container, api: Api) -> None:
    api.order([photo("BROKEN")])
    job_id = api.order([photo("BROKEN")])["jobId"]
    work(container)
    assert [line.job_id for line in read(container, api, job_id).refunds] == [job_id]


def test_the_number_of_queries_does_not_grow_with_the_photos(container: Container, api: Api) -> None:
    small, large = (api.order([PHOTO] * count)["jobId"] for count in (1, 30))
    work(container)
    assert {counted(partial(read, container, api, each)) for each in (small, large)} == {5}


def test_a_time_limit_is_told_in_minutes(container: Container, api: Api, clock: FakeClock) -> None:
    job_id = api.order([PHOTO])["jobId"]
    clock.pass_(hours=3)
    container.sweep.fail_overdue_jobs()
    with container.database.read_session() as session:
        assert session.get_one(Job, job_id).error == "The job was not done within its time limit of 120 minutes."
