"""The board and the page of a photo ask the database as often for one photo as for many."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.orm import Session

from app.container import Container
from app.services.orders import draft_arrivals, draft_groups, draft_photos, draft_removals, drafts
from app.services.orders.draft_photos import NewFile
from engine.types.enhancements import PhotoType
from tests.fakes import FakeClock
from tests.portal.orders.wizard import at_review, board_of, draft_of, photos_of
from tests.portal.person import Person

PAGES = ("/properties/{draft}", "/drafts/{draft}/photos/{photo}")


@contextmanager
def counting(container: Container) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(container.database.engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(container.database.engine, "before_cursor_execute", note)


def counts(person: Person, container: Container, clock: FakeClock, photos: int) -> dict[str, int]:
    clock.pass_(seconds=1)
    at_review(person, interior=photos, exterior=photos)
    draft, photo = draft_of(person, container), photos_of(person, container)[0]
    found = {}
    for page in PAGES:
        with counting(container) as statements:
            person.open(page.format(draft=draft.id, photo=photo.id))
        found[page] = len(statements)
    return found


def test_queries_do_not_grow_with_the_photos(person: Person, container: Container, clock: FakeClock) -> None:
    few = counts(person, container, clock, 1)
    assert counts(person, container, clock, 5) == few
    assert max(few.values()) <= 15


def with_files_of_every_kind(person: Person, container: Container, count: int) -> None:
    """So many photos of each: merged from two frames, one of which is late, without and with a type; under way;
    lost; removed.
    """
    at_review(person, interior=2 * count)
    arrived, now = photos_of(person, container), container.clock()
    with container.database.unit_of_work() as session:
        draft = drafts.get_open(session, person.account_id, draft_of(person, container).id)
        files = [NewFile(PhotoType.INTERIOR, f"late{n}.jpg", size_bytes=9) for n in range(4 * count)]
        late = draft_photos.add_photos(session, draft, files, now)
        for row in late[:count]:
            row.uploaded_at = now
        pairs = [[frame.id, row.id] for frame, row in zip(arrived[:count], late[count:], strict=False)]
        pairs += [[frame.id, row.id] for frame, row in zip(late[:count], late[2 * count :], strict=False)]
        draft_groups.merge_all(session, draft, pairs, now)
        draft_arrivals.stop_expecting(session, draft, [row.id for row in late[-count:]], now)
        draft_removals.remove(session, draft, [row.id for row in arrived[count:]], now)


def test_queries_do_not_grow_with_photos_that_are_merged_unsorted_under_way_or_removed(
    person: Person, container: Container, clock: FakeClock
) -> None:
    def count(photos: int) -> list[int]:
        clock.pass_(seconds=1)
        with_files_of_every_kind(person, container, photos)
        board, found = board_of(person, container), []
        waiting = ",".join(row.id for row in photos_of(person, container))
        for path in (board, f"{board}/previews?waiting={waiting}"):
            with counting(container) as statements:
                person.fragment(path)
            found.append(len(statements))
        with counting(container) as statements:
            page = person.post(f"{board}/groups/undo")
        assert "split" in page.text
        return [*found, len(statements)]

    few = count(1)
    assert count(4) == few


def test_a_change_of_the_board_is_a_look_whether_it_is_a_draft_one_write_and_one_read(
    person: Person, container: Container
) -> None:
    at_review(person, interior=2)
    path, photo = board_of(person, container), photos_of(person, container)[0]
    sent = {"csrf_token": person.token(), "photo": photo.id, "do": "move-later"}
    begun: list[object] = []

    def note(*said: object) -> None:
        begun.append(said)

    event.listen(Session, "after_begin", note)
    try:
        with counting(container) as statements:
            answer = person.web.post(f"{path}/selection", sent, headers={"HX-Request": "true"})
    finally:
        event.remove(Session, "after_begin", note)
    assert "moved later" in answer.text
    assert len(begun) == 3
    assert sum("FROM photo_facts" in each for each in statements) == 1, "the page is read once"
