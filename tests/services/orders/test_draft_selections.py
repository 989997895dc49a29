"""What is done to many photos of a draft at once: effects, types, furnishing, order; out of it and back."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest
from sqlalchemy.orm import Session

from app.container import Container
from app.domain.drafts import Content
from app.domain.errors import NotFound
from app.domain.retention import REMOVED_PHOTOS_KEPT
from app.models import Draft, DraftPhoto
from app.services.orders import draft_groups, draft_photos, draft_removals, draft_selections, drafts
from app.services.orders.draft_removals import Restored
from app.services.orders.draft_selections import add_enhancements, drop_enhancements, set_type
from engine.types.edit_request import MAX_CHANGES, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, RoomType, Style
from tests.conftest import Api
from tests.fakes import FakeClock
from tests.services.drafting import add_photo, begin

INSIDE, OUTSIDE, E = PhotoType.INTERIOR, PhotoType.EXTERIOR, Enhancement
Act = Callable[[Session, Draft, list[str], datetime], object]


@pytest.fixture
def draft(api: Api, container: Container) -> Draft:
    """One whose interior photos get HDR."""
    draft = begin(container, api.account_id)
    with container.database.unit_of_work() as session:
        content = Content(street="12 Garden Lane", interior_enhancements=(E.HDR,))
        drafts.write(session, drafts.get_open(session, api.account_id, draft.id), content, container.clock())
    return draft


def do(container: Container, draft: Draft, act: Act, *photos: DraftPhoto) -> object:
    with container.database.unit_of_work() as session:
        held = drafts.get_open(session, draft.account_id, draft.id)
        return act(session, held, [photo.id for photo in photos], container.clock())


def rows(container: Container, draft: Draft) -> dict[str, DraftPhoto]:
    with container.database.read_session() as session:
        return {photo.file_name: photo for photo in draft_photos.get_all(session, draft)}


def adding(*wanted: Enhancement) -> Act:
    return lambda session, draft, ids, now: add_enhancements(session, draft, ids, wanted, now)


def dropping(*gone: Enhancement) -> Act:
    return lambda session, draft, ids, now: drop_enhancements(session, draft, ids, gone, now)


def showing(kind: PhotoType, is_guess: bool = False) -> Act:
    return lambda session, draft, ids, now: set_type(session, draft, ids, kind, now, is_guess=is_guess)


def test_an_effect_is_added_to_what_the_photo_gets_already_and_only_where_it_fits(
    draft: Draft, container: Container
) -> None:
    room, front = add_photo(container, draft, "room"), add_photo(container, draft, "front")
    do(container, draft, showing(OUTSIDE), front)
    assert do(container, draft, adding(E.STAGING), room, front) == 1
    found = rows(container, draft)
    assert found["room"].edit_request.enhancements == (E.STAGING, E.HDR)
    assert found["front"].edit_request.enhancements is None
    assert do(container, draft, adding(E.STAGING), room) == 0, "it is there already"
    assert do(container, draft, dropping(E.HDR, E.SKY), room, front) == 1
    assert rows(container, draft)["room"].edit_request.enhancements == (E.STAGING,)
    assert do(container, draft, draft_selections.use_shared_enhancements, room, front) == 1
    assert rows(container, draft)["room"].edit_request.enhancements is None


def test_rooms_are_furnished_and_renovated_together(draft: Draft, container: Container) -> None:
    photos = [add_photo(container, draft, name) for name in "ab"]
    change = RenovationChange(change_type="floor", change_description="Wide oak boards", reference_text="Oak")
    furnish = draft_selections.furnish

    def stage(session: Session, held: Draft, ids: list[str], now: datetime) -> int:
        furnish(session, held, ids, Style.COASTAL, None, now)
        return furnish(session, held, ids, None, RoomType.BEDROOM, now)

    assert do(container, draft, stage, *photos) == 2
    renovate = draft_selections.add_change
    assert do(container, draft, lambda s, d, ids, now: renovate(s, d, ids, change, now), photos[0]) == 1
    found = rows(container, draft)
    assert found["a"].edit_request.steps == [E.RENOVATION, E.STAGING, E.HDR]
    assert found["a"].edit_request.changes == (change,)
    assert (found["b"].edit_request.style, found["b"].edit_request.room_type) == (Style.COASTAL, RoomType.BEDROOM)


def test_an_empty_change_leaves_room_for_the_last_one(draft: Draft, container: Container) -> None:
    photo = add_photo(container, draft, "a")
    change = RenovationChange(change_type=ChangeType.FLOOR, change_description="Wide oak boards")

    def renovate(session: Session, held: Draft, ids: list[str], now: datetime) -> int:
        return draft_selections.add_change(session, held, ids, change, now)

    do(container, draft, renovate, photo)
    full = (RenovationChange(), *[change] * (MAX_CHANGES - 1))
    with container.database.unit_of_work() as session:
        kept = session.get_one(DraftPhoto, photo.id)
        kept.edit_request = replace(kept.edit_request, changes=full)
    assert [do(container, draft, renovate, photo) for _ in range(2)] == [1, 0]
    assert rows(container, draft)["a"].edit_request.changes == (change,) * MAX_CHANGES


def test_a_type_that_was_chosen_is_never_guessed_otherwise(draft: Draft, container: Container) -> None:
    chosen, open_one = add_photo(container, draft, "chosen"), add_photo(container, draft, "open", is_sorted=False)
    do(container, draft, showing(INSIDE), chosen)
    assert do(container, draft, showing(OUTSIDE, is_guess=True), chosen, open_one) == 1
    found = rows(container, draft)
    assert (found["chosen"].type, found["open"].type) == (INSIDE, OUTSIDE)
    assert do(container, draft, showing(INSIDE, is_guess=True), open_one) == 1, "a guess may follow a guess"


def test_guesses_keep_the_order_in_which_photos_were_added(draft: Draft, container: Container) -> None:
    first, second = (add_photo(container, draft, name, is_sorted=False) for name in "ab")
    do(container, draft, showing(OUTSIDE, is_guess=True), second)
    do(container, draft, showing(OUTSIDE, is_guess=True), first)
    later = add_photo(container, draft, "c", is_sorted=False)
    do(container, draft, showing(OUTSIDE, is_guess=True), later)
    assert list(rows(container, draft)) == ["a", "b", "c"]


def test_another_type_takes_the_effects_of_the_first_away(draft: Draft, container: Container) -> None:
    photo = add_photo(container, draft, "a")
    do(container, draft, adding(E.STAGING), photo)
    do(container, draft, showing(OUTSIDE), photo)
    assert rows(container, draft)["a"].edit_request.enhancements is None


@pytest.mark.parametrize(
    ("moved", "by", "order"), [("bc", -1, "bcad"), ("ab", -1, "abcd"), ("bc", 1, "adbc"), ("ad", 1, "bacd")]
)
def test_photos_move_together_and_never_past_the_ends(
    draft: Draft, container: Container, moved: str, by: int, order: str
) -> None:
    photos = {name: add_photo(container, draft, name) for name in "abcd"}
    chosen = [photos[name] for name in moved]
    do(container, draft, lambda s, d, ids, now: draft_selections.move(s, d, ids, by, now), *chosen)
    assert list(rows(container, draft)) == list(order)


def test_what_is_taken_out_comes_back_to_its_place(draft: Draft, container: Container) -> None:
    photos = [add_photo(container, draft, name) for name in "abc"]
    assert do(container, draft, draft_removals.remove, *photos[:2]) == 2
    assert list(rows(container, draft)) == ["c"]
    with container.database.read_session() as session:
        assert [each.file_name for each in draft_removals.list_last_removed(session, draft)] == ["a", "b"]
    assert do(container, draft, draft_removals.restore, *photos[:2]) == Restored(2, 0)
    assert list(rows(container, draft)) == ["a", "b", "c"]
    assert container.storage.stat(photos[0].storage_key)


def test_of_two_with_the_same_content_one_comes_back(draft: Draft, container: Container) -> None:
    photos = [add_photo(container, draft, name) for name in "ab"]
    with container.database.unit_of_work() as session:
        for photo, sha256 in zip(photos, ("1" * 64, "2" * 64), strict=True):
            session.get_one(DraftPhoto, photo.id).sha256 = sha256
    do(container, draft, draft_removals.remove, *photos)
    twin = add_photo(container, draft, "twin")
    with container.database.unit_of_work() as session:
        session.get_one(DraftPhoto, twin.id).sha256 = "1" * 64
    assert do(container, draft, draft_removals.restore, *photos) == Restored(1, 1)
    assert sorted(rows(container, draft)) == ["b", "twin"]


def test_after_its_time_what_was_taken_out_goes_with_its_file(
    draft: Draft, container: Container, clock: FakeClock
) -> None:
    gone, kept = add_photo(container, draft, "gone"), add_photo(container, draft, "kept")
    do(container, draft, draft_removals.remove, gone, kept)
    container.sweep.forget_removed_photos()
    assert container.storage.stat(gone.storage_key), "not yet"
    do(container, draft, draft_removals.restore, kept)
    clock.pass_(seconds=REMOVED_PHOTOS_KEPT.total_seconds())
    container.sweep.forget_removed_photos()
    assert container.storage.stat(gone.storage_key) is None
    assert container.storage.stat(kept.storage_key)
    with pytest.raises(NotFound):
        do(container, draft, draft_removals.restore, gone)


def test_all_frames_of_a_photo_go_and_turn_together(draft: Draft, container: Container) -> None:
    frames = [add_photo(container, draft, name) for name in "abc"]
    do(container, draft, draft_groups.merge, *frames)
    do(container, draft, showing(OUTSIDE), frames[0])
    assert {each.type for each in rows(container, draft).values()} == {OUTSIDE}
    do(container, draft, draft_removals.remove, frames[0])
    assert rows(container, draft) == {}
    do(container, draft, draft_removals.restore, *frames)
    with container.database.read_session() as session:
        (photo,) = draft_photos.group_frames(draft_photos.get_all(session, draft))
    assert [frame.file_name for frame in photo] == ["a", "b", "c"]


def test_nothing_changes_where_one_id_is_anothers(draft: Draft, container: Container) -> None:
    mine, theirs = add_photo(container, draft, "a"), add_photo(container, begin(container, draft.account_id), "b")
    for act in (
        adding(E.DECLUTTER),
        dropping(E.HDR),
        showing(OUTSIDE),
        draft_removals.remove,
        draft_selections.use_shared_enhancements,
    ):
        with pytest.raises(NotFound):
            do(container, draft, act, mine, theirs)
    assert rows(container, draft)["a"].edit_request.enhancements is None
    assert rows(container, draft)["a"].type is INSIDE
