"""The board and the page of a photo ask the database as often for one photo as for many."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.orm import Session

from app.container import Container
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


def counts(person: Person, container: Container, photos: int) -> dict[str, int]:
    at_review(person, interior=photos, exterior=photos)
    draft, photo = draft_of(person, container), photos_of(person, container)[0]
    found = {}
    for page in PAGES:
        with counting(container) as statements:
            person.open(page.format(draft=draft.id, photo=photo.id))
        found[page] = len(statements)
    return found


def test_queries_do_not_grow_with_the_photos(person: Person, container: Container) -> None:
    few = counts(person, container, 1)
    assert counts(person, container, 5) == few
    assert max(few.values()) <= 14


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
