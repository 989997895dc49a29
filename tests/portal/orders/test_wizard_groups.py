"""Frames of one view on the photos step, without JavaScript: grouped, told why not, split, and ordered as one."""

from datetime import datetime, timedelta

from sqlalchemy import select

from app.container import Container
from app.models import Photo, PhotoFrame
from tests.conftest import develop
from tests.fakes import make_facts
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import at_photos, draft_of, files, names, photos_of
from tests.portal.person import Person

NOON = datetime.fromisoformat("2026-06-01T12:00:00")
ROOM = [(0, 8.0, b"room"), (1, 10.0, b"room"), (2, 6.0, b"room")]


def with_files(person: Person, container: Container, *taken: tuple[float, float, bytes], width: int = 4):
    """The photos step with files that were looked at."""
    seen = iter(taken)

    def facts(_: bytes):
        seconds, exposure, view = next(seen)
        return make_facts(view, taken_at=NOON + timedelta(seconds=seconds), exposure_value=exposure)

    container.previews.facts = facts
    form = at_photos(person).forms["step"]
    form["interior"] = files(*(f"{number}.jpg" for number in range(len(taken))))
    page = person.send(form, "go", value="stay")
    develop(container)
    return page


def press(person: Person, container: Container):
    return person.post(f"/drafts/{draft_of(person, container).id}/photos/group")


def test_files_that_nobody_looked_at_yet_are_waited_for(person: Person, container: Container) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("a.jpg", "b.jpg")
    page = person.send(form, "go", value="stay")
    assert page.html.find("button", string="Group frames of one view") is not None
    assert "still looking at 2 of your files" in press(person, container).text
    assert names(person.open(f"/drafts/{draft_of(person, container).id}/photos")) == ["a.jpg", "b.jpg"]


def test_frames_are_grouped_and_split_again(person: Person, container: Container) -> None:
    with_files(person, container, *ROOM, (60, 8.0, b"hall"))
    page = press(person, container)
    assert "3 files are now the frames of 1 photo." in page.text
    assert names(page) == ["0.jpg", "3.jpg"]
    assert "3 frames: 0.jpg, 1.jpg, 2.jpg" in page.text
    first = photos_of(person, container)[0]
    button = page.html.select_one(f'#file-{first.id} button[formaction*="split"]')
    assert (button["form"], button.text) == ("row-deeds", "Split the frames of 0.jpg")
    assert names(person.post(button["formaction"])) == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]
    person.post(button["formaction"], status=404)


def test_a_photo_is_removed_with_all_its_frames(person: Person, container: Container) -> None:
    with_files(person, container, *ROOM, (60, 8.0, b"hall"))
    press(person, container)
    first = photos_of(person, container)[0]
    assert names(person.post(f"/drafts/{first.draft_id}/photos/{first.id}/remove")) == ["3.jpg"]
    assert [row.file_name for row in photos_of(person, container)] == ["3.jpg"]
    assert len(list(container.settings.storage_path.rglob("interior-?"))) == 1


def test_what_is_not_grouped_is_told_with_the_reason(person: Person, container: Container) -> None:
    with_files(person, container, (0, 8.0, b"room"), (1, 8.0, b"room"))
    page = press(person, container)
    assert "No frames of one view were found" in page.text
    assert "0.jpg, 1.jpg: These show one view in the same exposure" in page.text


def test_a_group_is_ordered_as_one_photo(person: Person, container: Container) -> None:
    with_files(person, container, *ROOM)
    page = person.send(press(person, container).forms["step"])
    for box in page.forms["step"].fields["interior"]:
        box.checked = box._value == "hdr_enhancement"
    page = person.send(person.send(page.forms["step"]).forms["step"])
    placed = person.send(page.forms["step"])
    assert "/orders/job_" in placed.request.path
    with container.database.read_session() as session:
        (ordered,) = session.scalars(select(Photo))
        frames = session.scalars(select(PhotoFrame).order_by(PhotoFrame.place)).all()
    assert [frame.file_name for frame in frames] == ["0.jpg", "1.jpg", "2.jpg"]
    assert ordered.file_name == "0.jpg"


def test_frames_of_different_sizes_are_told_before_the_order_is_paid(person: Person, container: Container) -> None:
    sizes = iter([4, 8])
    container.previews.facts = lambda _: make_facts(b"room", width=next(sizes))
    form = at_photos(person).forms["step"]
    form["interior"] = files("a.jpg", "b.jpg")
    person.send(form, "go", value="stay")
    develop(container)
    rows = photos_of(person, container)
    with container.database.unit_of_work() as session:
        for row in rows:
            session.merge(row).group_id = "grp_1"
    page = person.open(f"/drafts/{rows[0].draft_id}/photos")
    refused = person.send(page.forms["step"], status=422)
    assert "a.jpg: Its frames differ in size." in refused.html.select_one(".summary").text


def test_another_account_s_groups_do_not_exist(person: Person, new_person: NewPerson, container: Container) -> None:
    with_files(person, container, *ROOM)
    press(person, container)
    group_id = photos_of(person, container)[0].group_id
    other = new_person("kim@example.com")
    other.post(f"/drafts/{draft_of(person, container).id}/photos/groups/{group_id}/split", status=404)
    at_photos(other)
    other.post(f"/drafts/{draft_of(other, container).id}/photos/groups/{group_id}/split", status=404)
    assert len({row.group_id for row in photos_of(person, container)}) == 1
