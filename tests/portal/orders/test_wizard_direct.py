"""Photos that the wizard sends straight to the bucket, and what it does where the bucket cannot be reached."""

import pytest
import requests

from app.container import Container
from app.domain.ports import INCOMING, UPLOAD_TYPE
from app.domain.retention import REMOVED_PHOTOS_KEPT
from app.models import AccountUse
from tests.fakes import FakeClock, photo
from tests.portal.orders.wizard import add, ask, at_photos, board_of, draft_of, names, photos_of
from tests.portal.person import Person
from tests.s3_servers import BUCKET, S3Server
from tests.waiting import PATIENCE_SECONDS

PHOTO = photo()


@pytest.fixture
def start(direct: S3Server, person: Person, container: Container) -> str:
    """Where the page of photos asks for places in a new draft."""
    at_photos(person)
    return f"/drafts/{draft_of(person, container).id}/uploads"


def place(person: Person, start: str, size: int = len(PHOTO)) -> dict[str, str]:
    return ask(person, start, {"type": "interior", "names": ["a.jpg"], "sizes": [size]}).json["places"][0]


def put(url: str, content: bytes, media_type: str = UPLOAD_TYPE) -> int:
    headers = {"Content-Type": media_type}
    return requests.put(url, data=content, headers=headers, timeout=PATIENCE_SECONDS).status_code


def held(container: Container) -> list[int]:
    with container.database.read_session() as session:
        return [use.held_bytes for use in session.query(AccountUse) if use.open_sessions]


def test_a_photo_goes_to_the_bucket_and_becomes_the_drafts_once_it_is_looked_at(
    person: Person, container: Container, start: str, direct: S3Server
) -> None:
    made = place(person, start)
    assert made["url"].startswith(f"{direct.url}/{BUCKET}/of/ours/{INCOMING}")
    assert put(made["url"], PHOTO) == 200
    assert ask(person, f"{start}/{made['id']}/arrived").json == {"id": made["id"], "there": False}
    assert names(person.open(board_of(person, container))) == ["a.jpg"]
    assert held(container) == [len(PHOTO)]
    assert put(made["url"], PHOTO) == 200
    container.sweep.look_at_incoming_files()
    assert held(container) == [len(PHOTO)]


def test_its_size_and_type_are_part_of_the_url(person: Person, start: str) -> None:
    url = place(person, start)["url"]
    assert [put(url, PHOTO + b"x"), put(url, PHOTO, "image/jpeg"), put(url, PHOTO)] == [403, 403, 200]


def test_what_is_no_picture_is_refused_in_the_words_of_its_row(
    person: Person, container: Container, start: str
) -> None:
    made = place(person, start, 5)
    put(made["url"], b"words")
    refused = ask(person, f"{start}/{made['id']}/arrived", status=415)
    assert refused.json["message"].startswith("The file is not JPEG")
    person.post(f"{board_of(person, container)}/unfinished", file=made["id"], own="yes")
    container.sweep.look_at_incoming_files()
    assert held(container) == [0]


def test_a_photo_taken_out_leaves_neither_file_nor_count(
    person: Person, container: Container, start: str, direct: S3Server, clock: FakeClock
) -> None:
    made = place(person, start)
    put(made["url"], PHOTO)
    ask(person, f"{start}/{made['id']}/arrived")
    assert held(container) == [len(PHOTO)]
    person.post(f"{board_of(person, container)}/selection", do="remove", photo=made["id"])
    clock.pass_(seconds=REMOVED_PHOTOS_KEPT.total_seconds())
    container.sweep.forget_removed_photos()
    assert (held(container), direct.names()) == ([0], [])
    put(made["url"], PHOTO)
    container.sweep.look_at_incoming_files()
    assert (held(container), direct.names()) == ([0], [])


def test_where_the_bucket_cannot_be_reached_the_file_goes_through_the_service_and_counts_once(
    person: Person, container: Container, start: str
) -> None:
    made = place(person, start)
    # It came, and the answer was lost on the way back.
    put(made["url"], PHOTO)
    container.sweep.look_at_incoming_files()
    url = ask(person, f"{start}/{made['id']}/url", {"size": len(PHOTO), "direct": False}).json["url"]
    assert url.startswith("/uploads/")
    assert person.web.put(url, PHOTO).status_int == 200
    assert held(container) == [len(PHOTO)]
    ask(person, f"{start}/{made['id']}/arrived")
    container.sweep.look_at_incoming_files()
    assert held(container) == [len(PHOTO)]
    (row,) = photos_of(person, container)
    assert row.size_bytes == len(PHOTO)


def test_the_form_without_script_goes_through_the_service(
    person: Person, container: Container, start: str, direct: S3Server
) -> None:
    page = add(person, person.open(board_of(person, container)), "a.jpg")
    assert names(page) == ["a.jpg"]
    assert len(direct.names()) == 1
    assert held(container) == [len(PHOTO) + len("a.jpg")]
