"""The photos' page without JavaScript, and what the uploader asks for."""

import pytest
from webtest import Upload

from app.container import Container
from app.models import DraftPhoto
from app.services.previews import previews
from app.services.uploads import quotas
from tests.fakes import FakeImagery, photo
from tests.faulty_storage import FaultyStorage
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import ask, at_photos, draft_of, files, names, photos_of
from tests.portal.person import Person


def test_files_of_the_form_arrive_in_their_order(person: Person, container: Container) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("b.jpg", "a.jpg")
    page = person.send(form, "go", value="stay")
    assert names(page) == ["b.jpg", "a.jpg"]
    assert [each.size_bytes for each in photos_of(person, container)] == [len(photo())] * 2


def test_a_file_that_is_no_photo_is_refused_by_name_and_the_others_stay(
    person: Person, container: Container
) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = [
        *files("good.jpg"),
        Upload("page.jpg", b"<html>", "image/jpeg"),
        Upload("empty.jpg", b"", "image/jpeg"),
    ]
    page = person.send(form, status=422)
    summary = page.html.select_one(".summary").text
    assert "page.jpg: The file is not JPEG" in summary
    assert "empty.jpg: The file is empty" in summary
    assert names(page) == ["good.jpg"]
    assert len(photos_of(person, container)) == 1
    assert len(list(container.settings.storage_path.rglob("interior-*"))) == 1


def test_photos_are_moved_and_removed_by_buttons(person: Person, container: Container) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("a.jpg", "b.jpg")
    page = person.send(form, "go", value="stay")
    start = f"/drafts/{draft_of(person, container).id}/photos"
    first = photos_of(person, container)[0]
    for button in page.html.select(f"#file-{first.id} button"):
        assert button["form"] == "row-deeds"
        assert button["formaction"].startswith(f"{start}/{first.id}/")
    assert names(person.post(f"{start}/{first.id}/move/down")) == ["b.jpg", "a.jpg"]
    assert names(person.post(f"{start}/{first.id}/move/up")) == ["a.jpg", "b.jpg"]
    assert names(person.post(f"{start}/{first.id}/remove")) == ["b.jpg"]
    person.post(f"{start}/{first.id}/remove", status=404)


def test_going_on_without_photos_says_which_are_missing(person: Person) -> None:
    page = person.send(at_photos(person, "both").forms["step"], status=422)
    summary = page.html.select_one(".summary").text
    assert "at least one exterior photo" in summary
    assert "at least one interior photo" in summary


def test_a_file_that_cannot_be_read_is_told_before_it_is_paid_for(person: Person, container: Container) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("broken.jpg")
    person.send(form, "go", value="stay")
    (row,) = photos_of(person, container)
    with container.database.unit_of_work() as session:
        held = previews.claim(session, row.storage_key, container.clock())
        previews.give_up(session, held, "The photo cannot be decoded.")
    page = person.open(f"/drafts/{row.draft_id}/photos")
    assert "This file cannot be read as a photo" in page.text
    refused = person.send(page.forms["step"], status=422)
    assert "broken.jpg cannot be read as a photo" in refused.html.select_one(".summary").text
    assert person.open(f"/drafts/{row.draft_id}/review").request.path.endswith("/photos")


def test_the_uploader_gets_a_url_for_each_file_and_the_row_once_it_is_there(
    person: Person, container: Container
) -> None:
    at_photos(person)
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    places = ask(person, start, {"type": "interior", "names": ["a.jpg", "b.heic"]}).json["places"]
    assert all(place["url"].startswith("/uploads/") for place in places)
    ask(person, f"{start}/{places[0]['id']}/arrived", status=400)
    assert person.web.put(places[0]["url"], photo()).status_int == 200
    row = ask(person, f"{start}/{places[0]['id']}/arrived").json["row"]
    assert "a.jpg" in row
    assert ask(person, f"{start}/{places[0]['id']}/arrived").json["row"]
    assert names(person.open(start.replace("uploads", "photos"))) == ["a.jpg"]
    fresh = ask(person, f"{start}/{places[1]['id']}/url").json["url"]
    assert person.web.put(fresh, photo()).status_int == 200
    ask(person, f"{start}/{places[1]['id']}/arrived")
    ask(person, f"{start}/order", {"ids": [place["id"] for place in reversed(places)]})
    assert names(person.open(start.replace("uploads", "photos"))) == ["b.heic", "a.jpg"]


WRONG = [
    {},
    {"type": "interior"},
    {"type": "garden", "names": ["a"]},
    {"type": "interior", "names": []},
    {"type": "interior", "names": ["a"] * 451},
    {"type": "interior", "names": [1]},
    {"type": "interior", "names": ["x" * 10_000]},
]


def test_nonsense_from_an_uploader_is_refused_in_json(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    at_photos(person)
    path = f"/drafts/{draft_of(person, container).id}/uploads"
    for body in WRONG:
        with subtests.test(body=body):
            answer = ask(person, path, body, status=400)
            assert answer.json["message"]


def test_others_files_and_drafts_are_out_of_an_uploaders_reach(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("mine.jpg")
    person.send(form, "go", value="stay")
    mine, draft = photos_of(person, container)[0], draft_of(person, container)
    other = new_person("other@example.com")
    at_photos(other)
    own = draft_of(other, container)
    for start in (f"/drafts/{own.id}/uploads", f"/drafts/{draft.id}/uploads"):
        ask(other, f"{start}/{mine.id}/url", status=404)
        ask(other, f"{start}/{mine.id}/arrived", status=404)
        ask(other, f"{start}/order", {"ids": [mine.id]}, status=404)
    ask(other, f"/drafts/{draft.id}/uploads", {"type": "interior", "names": ["a"]}, status=404)
    page = other.fragment(f"/drafts/{own.id}/photos/previews?waiting={mine.id}")
    assert mine.id not in page.text


def test_an_uploader_of_a_placed_order_is_told_where_it_is(person: Person, container: Container) -> None:
    at_photos(person)
    draft = draft_of(person, container)
    with container.database.unit_of_work() as session:
        session.merge(draft).job_id = "job_x"
    answer = ask(person, f"/drafts/{draft.id}/uploads", {"type": "interior", "names": ["a"]}, status=409)
    assert answer.json["next"] == "/orders/job_x"


def test_the_page_asks_for_previews_until_all_are_there(person: Person, container: Container) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("a.jpg", "b.jpg")
    page = person.send(form, "go", value="stay")
    poll = page.html.select_one("#previews")
    assert poll["data-hx-trigger"] == "every 2s"
    first, second = photos_of(person, container)
    with container.database.unit_of_work() as session:
        previews.finish(session, previews.claim(session, first.storage_key, container.clock()), 640, 480)
    part = person.fragment(poll["data-hx-get"])
    assert f"look-{first.id}" in part.text
    assert f"look-{second.id}" not in part.text
    with container.database.unit_of_work() as session:
        previews.finish(session, previews.claim(session, second.storage_key, container.clock()), 640, 480)
    rest = person.fragment(part.html.select_one("#previews")["data-hx-get"])
    assert not rest.html.select_one("#previews").has_attr("data-hx-get")


def test_a_choice_that_the_page_does_not_show_stays_as_it_was(person: Person, container: Container) -> None:
    container.imagery = FakeImagery()
    form = at_photos(person, "exterior").forms["step"]
    form["public_imagery"] = True
    person.send(form)
    start = f"/drafts/{draft_of(person, container).id}"
    for service in ("interior", "exterior"):
        form = person.open(f"{start}/service").forms["step"]
        form["service_type"] = service
        page = person.send(form)
        person.send(page.forms["step"], "go", value="stay")
    page = person.open(f"{start}/photos")
    assert page.forms["step"]["public_imagery"].checked
    form = page.forms["step"]
    form["public_imagery"] = False
    page = person.send(form, status=422)
    assert not page.forms["step"]["public_imagery"].checked


def test_a_file_without_room_says_on_its_page_how_to_make_room_and_the_uploader_too(
    person: Person, container: Container
) -> None:
    at_photos(person)
    draft, quota = draft_of(person, container), container.upload_quota
    with container.database.unit_of_work() as session:
        quotas.hold(session, draft.upload_session_id, quota.held_bytes - len(photo()), quota)
    form = person.open(f"/drafts/{draft.id}/photos").forms["step"]
    form["interior"] = files("first.jpg", "second.jpg")
    page = person.send(form, status=422)
    summary = page.html.select_one(".summary").text
    assert "second.jpg: Your uploads that are not ordered yet take 21,475 MB of the 21,475 MB" in summary
    assert "remove photos" in summary
    assert names(page) == ["first.jpg"]
    places = ask(person, f"/drafts/{draft.id}/uploads", {"type": "interior", "names": ["third.jpg"]}).json["places"]
    refused = person.web.put(places[0]["url"], photo(), expect_errors=True)
    assert (refused.status_int, "remove photos" in refused.json["message"]) == (413, True)
    with container.database.unit_of_work() as session:  # for the check after the test
        quotas.release(session, draft.upload_session_id, quota.held_bytes - len(photo()))


def test_a_file_that_the_store_does_not_take_now_is_named_and_leaves_no_place_behind(
    person: Person, container: Container
) -> None:
    form = at_photos(person).forms["step"]
    form["interior"] = files("a.jpg")
    container.storage = FaultyStorage(container.storage)
    with container.storage.away():
        page = person.send(form, status=422)
    assert "a.jpg: Part of the service is away for a moment" in page.html.select_one(".summary").text
    with container.database.read_session() as session:
        assert session.query(DraftPhoto).count() == 0
