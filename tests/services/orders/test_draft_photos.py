"""Photos of a draft find room, arrive, are put in order, described, copied and removed."""

import pytest

from app.container import Container
from app.domain import limits
from app.domain.errors import Conflict, InvalidRequest, NotFound
from app.domain.ports import QueueName
from app.models import Draft, DraftPhoto, UploadSession
from app.services.orders import draft_photos, drafts
from app.services.orders.draft_photos import NewFile
from app.services.uploads import uploads
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement, PhotoType
from tests.conftest import PHOTO, Api
from tests.services.drafting import add_photo, begin

INSIDE, OUTSIDE = PhotoType.INTERIOR, PhotoType.EXTERIOR


@pytest.fixture
def draft(api: Api, container: Container) -> Draft:
    return begin(container, api.account_id)


def names(container: Container, draft: Draft) -> list[str]:
    with container.database.read_session() as session:
        return [photo.file_name for photo in draft_photos.get_all(session, draft)]


def test_every_file_gets_the_next_slot_of_its_type(draft: Draft, container: Container) -> None:
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        files = [NewFile(INSIDE, "a"), NewFile(OUTSIDE, "b"), NewFile(INSIDE, "c", True)]
        rows = draft_photos.add_photos(session, held, files, container.clock())
        more = draft_photos.add_photos(session, held, [NewFile(INSIDE, "d")], container.clock())
        room = session.get_one(UploadSession, draft.upload_session_id)
        slots = {slot.key for slot in uploads.list_slots(room)}
    ends = [row.storage_key.rpartition("/")[2] for row in (*rows, *more)]
    assert ends == ["interior-0", "exterior-0", "interior-1", "interior-2"]
    assert {row.storage_key for row in (*rows, *more)} == slots
    assert [row.position for row in (*rows, *more)] == [0, 1, 2, 3]


def test_a_photo_counts_once_it_has_arrived(draft: Draft, container: Container) -> None:
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        (row,) = draft_photos.add_photos(session, held, [NewFile(INSIDE, "a.jpg")], container.clock())
        with pytest.raises(InvalidRequest):
            draft_photos.confirm(session, container.storage, held, row.id, container.clock())
    assert names(container, draft) == []
    photo = add_photo(container, draft, "b.jpg")
    assert (names(container, draft), photo.size_bytes) == (["b.jpg"], len(PHOTO))
    assert photo.storage_key in container.queue.queues[QueueName.PREVIEWS]


def test_a_draft_takes_only_so_many_files(
    draft: Draft, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_DRAFT_FILES", 3)
    add_photo(container, draft)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        files = [NewFile(INSIDE, "a"), NewFile(OUTSIDE, "b"), NewFile(INSIDE, "c")]
        with pytest.raises(InvalidRequest) as refused:
            draft_photos.add_photos(session, held, files, container.clock())
        assert "room for 2 more" in refused.value.details["photos"]
        reference = NewFile(INSIDE, "d", is_reference=True)
        assert len(draft_photos.add_photos(session, held, [*files[:2], reference], container.clock())) == 3


def test_two_that_were_promised_the_last_place_do_not_both_get_it(
    draft: Draft, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_DRAFT_FILES", 1)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        (late,) = draft_photos.add_photos(session, held, [NewFile(INSIDE, "late")], container.clock())
        writing = container.storage.create(late.storage_key, 1000)
        writing.write(PHOTO)
        writing.publish()
    add_photo(container, draft)
    with container.database.unit_of_work() as session, pytest.raises(InvalidRequest):
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_photos.confirm(session, container.storage, held, late.id, container.clock())


def test_nobody_grows_a_session_for_ever(
    draft: Draft, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_SESSION_FILES", 3)
    for _ in range(3):
        photo = add_photo(container, draft)
        with container.database.unit_of_work() as session:
            held = drafts.get_open(session, draft.account_id, draft.id)
            draft_photos.erase(session, container.storage, held, draft_photos.get(session, held, photo.id))
    with pytest.raises(Conflict):
        add_photo(container, draft)


def test_a_removed_photo_takes_its_file_and_previews_along(draft: Draft, container: Container) -> None:
    photo = add_photo(container, draft)
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_photos.erase(session, container.storage, held, draft_photos.get(session, held, photo.id))
    assert names(container, draft) == []
    assert container.storage.stat(photo.storage_key) is None


def described(*ids: str) -> EditRequest:
    change = RenovationChange(change_description="Wide oak boards", reference_images=ids)
    return EditRequest(enhancements=(Enhancement.RENOVATION,), changes=(change,))


def test_another_tabs_description_is_not_overwritten_unseen(draft: Draft, container: Container) -> None:
    photo = add_photo(container, draft)
    now, seen = container.clock(), EditRequest().mark
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        assert draft_photos.write(session, held, photo.id, described(), now, seen)
        assert not draft_photos.write(session, held, photo.id, EditRequest(enhancements=()), now, seen)
        assert draft_photos.write(session, held, photo.id, described(), now, seen)
        assert draft_photos.get(session, held, photo.id).edit_request == described()


def test_a_description_is_copied_to_photos_of_the_same_type_alone(draft: Draft, container: Container) -> None:
    first, second, reference = (
        add_photo(container, draft, "a"),
        add_photo(container, draft, "b"),
        add_photo(container, draft, "r", is_reference=True),
    )
    now = container.clock()
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        draft_photos.write(session, held, first.id, described(reference.id), now)
        assert (
            draft_photos.copy_edit_request(session, held, first.id, [second.id, first.id, reference.id], now) == 1
        )
        copied = draft_photos.get(session, held, second.id)
        assert copied.edit_request == described(reference.id)


def test_what_belongs_to_another_draft_is_not_found(draft: Draft, container: Container) -> None:
    mine, other = add_photo(container, draft), begin(container, draft.account_id)
    theirs, reference = add_photo(container, other), add_photo(container, other, "r", is_reference=True)
    now = container.clock()
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        acts = (
            lambda: draft_photos.get(session, held, theirs.id),
            lambda: draft_photos.confirm(session, container.storage, held, theirs.id, now),
            lambda: draft_photos.arrange(session, held, [mine.id, theirs.id], now),
            lambda: draft_photos.copy_edit_request(session, held, mine.id, [theirs.id], now),
            lambda: draft_photos.copy_edit_request(session, held, theirs.id, [mine.id], now),
            lambda: draft_photos.write(session, held, theirs.id, EditRequest(), now),
            lambda: draft_photos.write(session, held, mine.id, described(reference.id), now),
            lambda: draft_photos.write(session, held, mine.id, described(theirs.id), now),
            lambda: draft_photos.get(session, held, "x" * 5000),
        )
        for act in acts:
            with pytest.raises(NotFound):
                act()
    assert container.storage.stat(theirs.storage_key)


def test_a_placed_draft_changes_no_more(draft: Draft, container: Container) -> None:
    with container.database.unit_of_work() as session:
        drafts.get_open(session, draft.account_id, draft.id).job_id = "job_x"
    with container.database.unit_of_work() as session, pytest.raises(Conflict) as refused:
        drafts.get_open(session, draft.account_id, draft.id)
    assert refused.value.extra == {"jobId": "job_x"}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("C:\\photos\\room.jpg", "room.jpg"),
        ("../../etc/passwd", "passwd"),
        ("a\x00b\u202egpj.exe", "abgpj.exe"),
        ("\ud800.jpg", ".jpg"),
        ("x" * 300 + ".jpg", "x" * 251 + ".jpg"),
        ("Küche 2 台所.jpg", "Küche 2 台所.jpg"),
    ],
)
def test_names_of_files_are_the_customers_own_made_plain(given: str, kept: str) -> None:
    assert draft_photos.plain_name(given) == kept


def test_a_file_without_a_usable_name_is_called_after_its_place(draft: Draft, container: Container) -> None:
    row: DraftPhoto = add_photo(container, draft, "\x00")
    assert row.file_name == "interior-1"
