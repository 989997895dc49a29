"""A draft with more photos than an order takes becomes several orders: all of them or none, each exactly once."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import func, select

from app.container import Container
from app.domain import draft_parts
from app.domain.drafts import Content
from app.domain.errors import Conflict, InsufficientCredits, OpenSessionsExceeded
from app.models import Draft, Job, LedgerLine, Photo, UploadSession
from app.services.billing import credits
from app.services.orders import draft_photos, draft_removals, draft_selections, drafts, orders
from app.services.orders.draft_orders import AgreedOrder
from app.services.uploads import quotas, uploads
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType
from tests import reading
from tests.conftest import Api
from tests.services.drafting import add_photo, begin, desk, shown

CONTENT = Content(
    street="12 Garden Lane",
    exterior_enhancements=(Enhancement.SKY,),
    interior_enhancements=(Enhancement.HDR,),
)
MOST = 3
PHOTOS = 7
"""Two full orders and one photo more."""


@pytest.fixture
def draft(api: Api, container: Container, monkeypatch: pytest.MonkeyPatch) -> Draft:
    """A draft of PHOTOS rooms, of which an order takes MOST; the last is renovated after a reference picture."""
    split = draft_parts.split
    monkeypatch.setattr(draft_parts, "split", lambda order: split(order, MOST))
    draft = begin(container, api.account_id)
    photos = [add_photo(container, draft, f"room {number}.jpg") for number in range(PHOTOS)]
    reference = add_photo(container, draft, "oak.jpg", is_reference=True)
    change = RenovationChange(
        change_type=ChangeType.FLOOR, change_description="Wide oak boards", reference_images=(reference.id,)
    )
    request = EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(change,))
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, api.account_id, draft.id)
        drafts.write(session, held, CONTENT, container.clock())
        draft_photos.write(session, held, photos[-1].id, request, container.clock())
    return draft


def place(container: Container, draft: Draft, seen: AgreedOrder | None = None) -> tuple[str, ...]:
    seen = seen or shown(container, draft)
    return desk(container).place(draft.account_id, draft.id, seen, container.clock()).job_ids


def photos_of(container: Container, job_id: str) -> list[Photo]:
    return reading.found(container, select(Photo).where(Photo.job_id == job_id).order_by(Photo.index))


def test_each_order_has_its_photos_in_a_session_of_its_own_and_all_are_charged_as_shown(
    draft: Draft, container: Container, api: Api
) -> None:
    seen = shown(container, draft)
    jobs = place(container, draft, seen)
    names = [[photo.file_name for photo in photos_of(container, job)] for job in jobs]
    assert names == [[f"room {n}.jpg" for n in some] for some in ((0, 1, 2), (3, 4, 5), (6,))]
    assert api.credits() == 100 - float(seen.credits)
    with container.database.read_session() as session:
        sessions = [session.get_one(Job, job).upload_session_id for job in jobs]
    assert len(set(sessions)) == 3
    for job, upload_session in zip(jobs, sessions, strict=True):
        for photo in photos_of(container, job):
            keys = [
                photo.storage_key,
                *(key for each in photo.edit_request.changes for key in each.reference_images),
            ]
            assert all(uploads.session_of(key) == upload_session and container.storage.stat(key) for key in keys)
    (renovated,) = photos_of(container, jobs[2])
    assert len(renovated.edit_request.changes[0].reference_images) == 1


def test_what_the_first_order_does_not_have_leaves_no_file_behind(draft: Draft, container: Container) -> None:
    out = add_photo(container, draft, "out.jpg")
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_removals.remove(session, held, [out.id], container.clock())
        keys = [photo.storage_key for photo in draft_photos.get_all(session, held) if not photo.is_reference]
    (first, *_) = place(container, draft)
    kept = {photo.storage_key for photo in photos_of(container, first)}
    there = {key for key in [*keys, out.storage_key] if container.storage.stat(key)}
    assert there == kept


def test_pressed_again_and_at_once_the_same_orders_are_given_uncharged(draft: Draft, container: Container) -> None:
    seen = shown(container, draft)
    with ThreadPoolExecutor(3) as pool:
        placed = set(pool.map(lambda _: place(container, draft, seen), range(4)))
    assert len(placed) == 1
    assert place(container, draft, seen) in placed
    assert (reading.count(container, Job), reading.count(container, LedgerLine)) == (3, 4)
    assert reading.first(container, select(func.count()).where(UploadSession.job_id.is_(None))) == 0


def test_the_credits_must_do_for_all_orders_before_the_first(draft: Draft, container: Container, api: Api) -> None:
    seen = shown(container, draft)
    with container.database.unit_of_work() as session:
        credits.adjust(session, api.account_id, seen.credits - 100 - 1, "spent elsewhere", container.clock())
    with pytest.raises(InsufficientCredits) as refused:
        place(container, draft, seen)
    assert refused.value.details["required"] == seen.credits
    assert (reading.count(container, Job), reading.count(container, UploadSession)) == (0, 1)


class Crashed(Exception):
    """Whatever may end a process in the middle."""


@contextmanager
def crashing_at(monkeypatch: pytest.MonkeyPatch, order: int) -> Iterator[None]:
    """Placing breaks at the order of this number."""
    real, calls = orders.place, []

    def crash(*args: object) -> object:
        calls.append(args)
        if len(calls) == order:
            raise Crashed
        return real(*args)

    with monkeypatch.context() as patch:
        patch.setattr(orders, "place", crash)
        yield


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_crash_in_the_middle_places_and_charges_nothing_and_the_next_press_all(
    draft: Draft, container: Container, api: Api, monkeypatch: pytest.MonkeyPatch, order: int
) -> None:
    with crashing_at(monkeypatch, order), pytest.raises(Crashed):
        place(container, draft)
    assert (reading.count(container, Job), api.credits(), reading.count(container, UploadSession)) == (0, 100, 1)
    assert len(place(container, draft)) == 3


def test_a_photo_whose_file_is_gone_keeps_all_of_them_from_being_placed(
    draft: Draft, container: Container, api: Api
) -> None:
    seen = shown(container, draft)
    with container.database.read_session() as session:
        photos = [each for each in draft_photos.get_all(session, draft) if not each.is_reference]
    container.storage.delete(photos[4].storage_key)
    with pytest.raises(Conflict):
        place(container, draft, seen)
    assert (reading.count(container, Job), api.credits(), reading.count(container, UploadSession)) == (0, 100, 1)


def test_without_room_for_copies_nothing_is_placed_and_nothing_stays(
    draft: Draft, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OpenSessionsExceeded(1, 1)

    with monkeypatch.context() as patch:
        patch.setattr(quotas, "open_session", full)
        with pytest.raises(OpenSessionsExceeded):
            place(container, draft)
    assert (reading.count(container, Job), reading.count(container, UploadSession)) == (0, 1)


def test_a_photo_whose_type_was_changed_is_ordered_as_that_type(draft: Draft, container: Container) -> None:
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        ids = [photo.id for photo in draft_photos.get_all(session, held) if not photo.is_reference]
        draft_selections.set_type(session, held, ids[:5], PhotoType.EXTERIOR, container.clock())
    jobs = place(container, draft)
    with container.database.read_session() as session:
        counts = [
            (session.get_one(Job, job).exterior_count, session.get_one(Job, job).interior_count) for job in jobs
        ]
    assert counts == [(3, 2), (2, 0)]
