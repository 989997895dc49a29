"""Pictures are shown inline to those who may see them, and to nobody else."""

from collections.abc import Callable

import pytest
from flask import Flask
from sqlalchemy import select

from app.container import Container
from app.domain.lifecycle import Status
from app.models import DraftPhoto, Job, Photo
from app.services.orders import drafts
from app.services.photos import quality
from app.services.photos.quality import Decision
from app.services.previews import previews
from engine.types.pictures import PreviewSize
from engine.types.report import Verdict
from tests import acts, reading
from tests.conftest import PHOTO, develop, work
from tests.fakes import photo
from tests.portal.conftest import NewPerson
from tests.portal.person import Person
from tests.portal.programs import api_of
from tests.statements import counted

Order = Callable[..., Photo]


@pytest.fixture
def order(app: Flask, container: Container, person: Person) -> Order:
    """order(*photos, automatic=True) -> the first photo of an order that was worked on, with all previews."""
    api = api_of(person, app, container)

    def make(*contents: bytes, automatic: bool = True) -> Photo:
        job_id = api.order(interior=list(contents))["jobId"]
        work(container, automatic)
        develop(container)
        with container.database.read_session() as session:
            return session.scalars(select(Photo).where(Photo.job_id == job_id).order_by(Photo.index)).first()

    return make


@pytest.fixture
def ordered(order: Order) -> Photo:
    """A photo that has its result and all previews."""
    return order(PHOTO)


def paths(photo: Photo) -> list[str]:
    base = f"/pictures/jobs/{photo.job_id}/{photo.id}"
    return [f"{base}{kind}/{size}" for kind in ("", "/result") for size in ("thumb", "view")]


def get(person: Person, path: str, status: int = 200, **headers: str):
    answer = person.web.get(path, headers=headers, expect_errors=True)
    assert answer.status_int == status, answer.text
    return answer


def test_a_customer_sees_photo_and_result_in_both_sizes(person: Person, ordered: Photo) -> None:
    for path in paths(ordered):
        answer = get(person, path)
        assert answer.content_type == "image/jpeg"
        assert answer.body == b"\xff\xd8\xff" + path.rpartition("/")[2].encode()
        assert int(answer.headers["Content-Length"]) == len(answer.body)


def test_a_browser_keeps_them_for_itself_and_asks_whether_they_changed(person: Person, ordered: Photo) -> None:
    answer = get(person, paths(ordered)[0])
    assert {"private", "max-age=3600"} == {each.strip() for each in answer.headers["Cache-Control"].split(",")}
    assert "Cookie" in answer.headers["Vary"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "Content-Disposition" not in answer.headers
    again = get(person, paths(ordered)[0], status=304, **{"If-None-Match": answer.headers["ETag"]})
    assert again.body == b""
    assert get(person, paths(ordered)[0], **{"If-None-Match": '"other"'}).body


def test_strangers_are_sent_to_sign_in_and_others_see_nothing(
    stranger: Person, new_person: Callable[..., Person], ordered: Photo
) -> None:
    other = new_person("kim@example.com")
    for path in paths(ordered):
        assert get(stranger, path, status=303).location.startswith("/sign-in?")
        assert "no-store" in get(other, path, status=404).headers["Cache-Control"]


def test_staff_see_those_of_every_order(reviewer: Person, ordered: Photo) -> None:
    for path in paths(ordered):
        get(reviewer, path)


def test_customers_see_no_result_before_it_is_theirs(container, order: Order, person, reviewer) -> None:
    shown = order(PHOTO, automatic=False)
    assert reading.one(container, Job, shown.job_id).status is Status.QC_REVIEW
    photo_path, _, result_path, _ = paths(shown)
    get(person, photo_path)
    get(person, result_path, status=404)
    get(reviewer, result_path)
    with container.database.unit_of_work() as session:
        result = session.get_one(Photo, shown.id).result
        quality.decide(session, result.id, Decision(Verdict.APPROVED, reviewer.account_id), container.clock())
    get(person, result_path, status=404)
    with container.database.unit_of_work() as session:
        quality.finish(session, shown.job_id, container.clock())
    get(person, result_path)


def test_customers_never_see_a_rejected_result(order: Order, person: Person, reviewer: Person) -> None:
    rejected = order(photo("BLANK"), PHOTO)
    photo_path, _, result_path, _ = paths(rejected)
    get(person, photo_path)
    get(person, result_path, status=404)
    get(reviewer, result_path)


def test_there_is_nothing_before_a_preview_is_made_and_after_it_is_gone(app, container, person, clock) -> None:
    job_id = api_of(person, app, container).order(interior=[PHOTO])["jobId"]
    work(container)
    waiting = reading.only(container, select(Photo).where(Photo.job_id == job_id))
    for path in paths(waiting):
        get(person, path, status=404)
    half_made = container.storage.create(previews.key_of(waiting.storage_key, PreviewSize.THUMB), 1000)
    half_made.publish()
    get(person, paths(waiting)[0], status=404)
    develop(container)
    for path in paths(waiting):
        get(person, path)
    key = previews.key_of(waiting.storage_key, PreviewSize.THUMB)
    container.storage.delete(key)
    get(person, paths(waiting)[0], status=404)
    clock.pass_(days=7)
    container.sweep.expire_jobs()
    person.sign_in()
    for path in paths(waiting):
        get(person, path, status=404)


@pytest.mark.parametrize("job", ["job_x", "job_" + "0" * 22, "..", "%00"])
def test_what_is_no_id_leads_nowhere(person: Person, ordered: Photo, job: str) -> None:
    get(person, f"/pictures/jobs/{job}/{ordered.id}/thumb", status=404)
    get(person, f"/pictures/jobs/{ordered.job_id}/pho_x/thumb", status=404)
    get(person, f"/pictures/jobs/{ordered.job_id}/{ordered.id}/labeled", status=404)
    get(person, f"/pictures/drafts/{job}/dph_x/thumb", status=404)


def test_a_photo_is_only_found_in_its_own_order(order: Order, person: Person, ordered: Photo) -> None:
    other = order(PHOTO)
    get(person, f"/pictures/jobs/{other.job_id}/{ordered.id}/thumb", status=404)
    get(person, f"/pictures/jobs/{other.job_id}/{ordered.id}/result/thumb", status=404)


def test_staff_see_results_at_full_size_and_their_owner_once_the_order_is_decided(
    person: Person, reviewer: Person, order: Order, container: Container, new_person: NewPerson
) -> None:
    waiting = order(PHOTO, automatic=False)
    path = f"/pictures/jobs/{waiting.job_id}/{waiting.id}/result/full"
    assert get(reviewer, path).body == PHOTO
    get(person, path, status=404)
    decided = order(PHOTO)
    path = f"/pictures/jobs/{decided.job_id}/{decided.id}/result/full"
    for whose in (reviewer, person):
        answer = get(whose, path)
        assert (answer.content_type, answer.body) == ("image/jpeg", PHOTO)
    get(new_person("other@example.com"), path, status=404)
    assert reading.one(container, Job, decided.job_id).status is Status.APPROVED, "looking delivers nothing"


def test_a_photo_is_shown_at_full_size_where_browsers_can_show_it(
    person: Person, order: Order, new_person: NewPerson
) -> None:
    jpeg = order(PHOTO)
    answer = get(person, f"/pictures/jobs/{jpeg.job_id}/{jpeg.id}/full")
    assert (answer.content_type, answer.body) == ("image/jpeg", PHOTO)
    get(new_person("other@example.com"), f"/pictures/jobs/{jpeg.job_id}/{jpeg.id}/full", status=404)
    heic = order(b"\0\0\0\x18ftypheic" + b"." * 100)
    get(person, f"/pictures/jobs/{heic.job_id}/{heic.id}/full", status=404)


def test_a_photo_without_a_result_has_none_at_full_size(order: Order, reviewer: Person) -> None:
    declined = order(photo("DECLINE"), PHOTO)
    get(reviewer, f"/pictures/jobs/{declined.job_id}/{declined.id}/result/full", status=404)


def test_photos_of_a_draft_are_its_owners_alone(container, person, reviewer, clock, new_person) -> None:
    with container.database.unit_of_work() as session:
        draft = drafts.begin(session, person.account_id, container.upload_quota, clock())
        row = DraftPhoto(
            draft_id=draft.id,
            type="interior",
            position=0,
            file_name="room.jpg",
            storage_key=f"uploads/{draft.upload_session_id}/interior-0",
            created_at=clock(),
            uploaded_at=clock(),
        )
        session.add(row)
        session.flush()
        folder = f"uploads/{draft.upload_session_id}/"
        previews.request(session, row.storage_key, folder, clock())
        draft_id, photo_id, key = draft.id, row.id, row.storage_key
    acts.put(container.storage, key, PHOTO)
    path = f"/pictures/drafts/{draft_id}/{photo_id}/view"
    get(person, path, status=404)
    develop(container)
    assert get(person, path).body.endswith(b"view")
    for other in (reviewer, new_person("kim@example.com")):
        get(other, path, status=404)


def test_a_picture_costs_two_questions_at_most(person: Person, ordered: Photo) -> None:
    for path in paths(ordered):
        assert counted(lambda path=path: get(person, path)) <= 2
