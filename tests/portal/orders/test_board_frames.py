"""Frames of one view on the board, without JavaScript: merged, told why not, split, and ordered as one."""

from datetime import datetime, timedelta

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.domain.order_files import MAX_PHOTOS
from app.models import Photo, PhotoFrame
from engine.types.enhancements import PhotoType
from engine.types.file_facts import FileFacts
from tests.conftest import develop
from tests.fakes import make_facts
from tests.portal.orders.wizard import act, add, at_enhancements, at_photos, board_of, names, photos_of, tick
from tests.portal.person import Person

NOON = datetime.fromisoformat("2026-06-01T12:00:00")
ROOM = [(0, 8.0, b"room"), (1, 10.0, b"room"), (2, 6.0, b"room")]


def with_files(person: Person, container: Container, *taken: tuple[float, float, bytes]) -> TestResponse:
    """The board with files that were looked at."""
    return with_more_files(person, container, at_photos(person), *taken)


def with_more_files(
    person: Person, container: Container, board: TestResponse, *taken: tuple[float, float, bytes]
) -> TestResponse:
    """The board with further files that were looked at, named by their number of these."""
    seen = iter(taken)

    def facts(_: bytes) -> FileFacts:
        seconds, exposure, view = next(seen)
        taken_at, inside = NOON + timedelta(seconds=seconds), PhotoType.INTERIOR
        return make_facts(view, taken_at=taken_at, exposure_value=exposure, guessed_type=inside)

    container.previews.facts = facts
    add(person, board, *(f"{number}.jpg" for number in range(len(taken))))
    develop(container)
    return person.open(board_of(person, container))


def test_files_that_nobody_looked_at_yet_are_waited_for(person: Person, container: Container) -> None:
    page = add(person, at_photos(person), "a.jpg", "b.jpg")
    assert "frames" not in page.forms
    pressed = person.post(f"{board_of(person, container)}/groups")
    assert "We are checking 2 of your files" in pressed.text
    assert names(pressed) == ["a.jpg", "b.jpg"]


def test_a_further_frame_has_no_pages_of_its_own(person: Person, container: Container) -> None:
    person.send(with_files(person, container, *ROOM).forms["frames"])
    first, *further = photos_of(person, container)
    address = f"/drafts/{first.draft_id}/photos"
    for each in further:
        for path in ("", "/hints", "/hints/room"):
            person.open(f"{address}/{each.id}{path}", 404)
    person.open(f"{address}/{first.id}/hints/room")


def test_frames_are_merged_at_one_press_and_split_again(person: Person, container: Container) -> None:
    page = with_files(person, container, *ROOM, (60, 8.0, b"hall"))
    assert "3 files look like 1 view taken in several exposures" in page.html.select_one("#frames").text
    page = person.send(page.forms["frames"])
    assert names(page) == ["0.jpg", "3.jpg"]
    assert page.html.select_one(".stacked .frames").text.strip() == "3 frames"
    page = act(person, page, "split", "0.jpg")
    assert names(page) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]


def test_what_is_not_merged_is_told_with_the_reason_at_its_tile(person: Person, container: Container) -> None:
    page = with_files(person, container, (0, 8.0, b"room"), (1, 8.0, b"room"))
    first, second = page.html.select(".shot")
    told = second.select_one(".shot-warning").text
    assert told.startswith("With 0.jpg: These show one view in the same exposure"), "it names the other"
    assert not first.select(".shot-warning")
    refused = person.post(f"{board_of(person, container)}/groups", status=422)
    assert "No bracketed exposures were found" in refused.text


def test_a_group_is_ordered_as_one_photo(person: Person, container: Container) -> None:
    page = person.send(with_files(person, container, *ROOM).forms["frames"])
    form = page.forms["effects"]
    tick(form, "interior", ["hdr_enhancement"])
    placed = person.send(person.send(form).forms["place"])
    assert placed.html.select_one("#panel")
    with container.database.read_session() as session:
        (ordered,) = session.scalars(select(Photo))
        frames = session.scalars(select(PhotoFrame).order_by(PhotoFrame.place)).all()
    assert [frame.file_name for frame in frames] == ["0.jpg", "1.jpg", "2.jpg"]
    assert ordered.file_name == "0.jpg"


@pytest.mark.long
def test_frames_of_a_later_order_are_copied_with_what_is_known_of_them(
    person: Person, container: Container
) -> None:
    page = at_enhancements(person, MAX_PHOTOS)
    develop(container)
    page = person.send(with_more_files(person, container, page, *ROOM).forms["frames"])
    form = page.forms["effects"]
    tick(form, "interior", ["hdr_enhancement"])
    placed = person.send(person.send(form).forms["place"])
    assert "Your 2 orders are placed" in placed.text
    with container.database.read_session() as session:
        frames = session.scalars(select(PhotoFrame).order_by(PhotoFrame.place)).all()
        (photo,) = session.scalars(select(Photo).where(Photo.file_name == "0.jpg"))
    assert len(frames) == 3
    assert photo.storage_key == frames[0].storage_key, "the one exposed best stands for it"
    assert all(container.storage.stat(frame.storage_key) for frame in frames)
    assert {frame.storage_key.split("/")[1] for frame in frames} == {photo.storage_key.split("/")[1]}


def test_frames_of_different_sizes_are_told_before_the_order_is_paid(person: Person, container: Container) -> None:
    sizes = iter([4, 8])
    container.previews.facts = lambda _: make_facts(b"room", width=next(sizes))
    add(person, at_photos(person), "a.jpg", "b.jpg")
    develop(container)
    rows = photos_of(person, container)
    with container.database.unit_of_work() as session:
        for row in rows:
            session.merge(row).group_id = "grp_1"
    page = person.open(board_of(person, container))
    refused = person.send(page.forms["place"], status=422)
    assert "a.jpg: Its frames differ in size." in refused.html.select_one(".summary").text
