"""How files come to the board, without JavaScript and as the uploader asks for it."""

import hashlib

import pytest
from sqlalchemy import select
from webtest import Upload

from app.container import Container
from app.domain import limits
from app.models import DraftPhoto, Job
from app.services.orders import draft_arrivals
from app.services.previews import previews
from app.services.previews.photo_facts import ReadFile
from app.services.uploads import quotas
from engine.types.enhancements import PhotoType
from engine.types.file_facts import DroppedContent
from engine.types.pictures import Previews
from engine.types.report import Reason
from tests.conftest import develop
from tests.domain.test_unsupported_files import NIKON
from tests.fakes import FakeClock, FakeImagery, make_facts, photo
from tests.faulty_storage import FaultyStorage
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import (
    act,
    add,
    ask,
    at_enhancements,
    at_photos,
    board_of,
    draft_of,
    files,
    names,
    photos_of,
    tick,
)
from tests.portal.person import Person


def test_files_of_the_form_arrive_in_their_order(person: Person, container: Container) -> None:
    page = add(person, at_photos(person), "b.jpg", "a.jpg")
    assert names(page) == ["b.jpg", "a.jpg"]
    assert "Added 2 photos." in page.text
    assert [each.size_bytes for each in photos_of(person, container)] == [len(photo()) + len("a.jpg")] * 2


def test_a_file_that_is_no_photo_is_refused_by_name_and_the_others_stay(
    person: Person, container: Container
) -> None:
    form = at_photos(person).forms["files"]
    form["photos"] = [
        *files("good.jpg"),
        Upload("page.jpg", b"<html>", "image/jpeg"),
        Upload("empty.jpg", b"", "image/jpeg"),
        *files("fine.jpg"),
    ]
    page = person.send(form, status=422)
    summary = page.html.select_one(".summary").text
    assert "page.jpg: The file is not JPEG" in summary
    assert "empty.jpg: The file is empty" in summary
    assert names(page) == ["good.jpg", "fine.jpg"]
    assert len(photos_of(person, container)) == 2
    assert len(list(container.settings.storage_path.rglob("interior-*"))) == 2


def test_raw_files_videos_and_documents_are_told_apart_and_keep_no_photo_out(person: Person) -> None:
    form = at_photos(person).forms["files"]
    form["photos"] = [
        *files("good.jpg"),
        Upload("DSC_1.NEF", NIKON + bytes(5000), "image/x-nikon-nef"),
        Upload("renamed.jpg", NIKON + bytes(5000), "image/jpeg"),
        Upload("tour.mp4", b"\0\0\0\x18ftypmp42" + bytes(90), "video/mp4"),
        Upload("plan.pdf", b"%PDF-1.7" + bytes(90), "application/pdf"),
        *files("fine.jpg"),
    ]
    page = person.send(form, status=422)
    told = [line.text for line in page.html.select(".summary li")]
    assert told == [
        "DSC_1.NEF: This is a camera raw file. Export it as JPEG or TIFF and add that instead.",
        "renamed.jpg: This is a camera raw file. Export it as JPEG or TIFF and add that instead.",
        "tour.mp4: This is a video. Only photos can be enhanced.",
        "plan.pdf: This is a PDF. Export its pictures as JPEG and add those instead.",
    ]
    assert names(page) == ["good.jpg", "fine.jpg"]


def test_what_nobody_chose_is_left_out_without_a_word(person: Person) -> None:
    form = at_photos(person).forms["files"]
    form["photos"] = [
        Upload("IMG_7.MOV", b"\0\0\0\x14ftypqt  " + bytes(90), "video/quicktime"),
        *files("IMG_7.jpg"),
        Upload("Thumbs.db", b"\xd0\xcf\x11\xe0" + bytes(90), "application/octet-stream"),
        Upload(".DS_Store", b"\0\0\0\1Bud1" + bytes(90), "application/octet-stream"),
        Upload("IMG_7.AAE", b"<?xml version", "application/xml"),
    ]
    page = person.send(form)
    assert page.html.select(".summary") == []
    assert "Added 1 photo." in page.text
    assert names(page) == ["IMG_7.jpg"]


def test_the_same_content_is_taken_once_whatever_its_name(person: Person, container: Container) -> None:
    form = at_photos(person).forms["files"]
    form["photos"] = files("a.jpg", "b.jpg", content=photo("same"))
    page = person.send(form)
    assert names(page) == ["a.jpg"]
    assert "Added 1 photo. 1 already here." in page.text
    form = page.forms["files"]
    form["photos"] = [*files("c.jpg", content=photo("same")), *files("d.jpg")]
    assert "Added 1 photo. 1 already here." in person.send(form).text
    assert [each.file_name for each in photos_of(person, container)] == ["a.jpg", "d.jpg"]
    assert len(list(container.settings.storage_path.rglob("interior-*"))) == 2


def test_placing_without_photos_says_which_are_missing(person: Person) -> None:
    page = person.send(at_photos(person, "both").forms["place"], status=422)
    summary = page.html.select_one(".summary").text
    assert "at least one exterior photo" in summary
    assert "at least one interior photo" in summary


def seen_by_staff(person: Person, reviewer: Person, container: Container) -> str:
    """What staff read of the order that the person places for the photos on the board."""
    form = person.open(board_of(person, container)).forms["effects"]
    tick(form, "exterior", ["sky_enhancement"])
    person.send(person.send(form).forms["place"])
    assert reviewer.open("/staff/jobs").text.count("Several places") == 1
    with container.database.read_session() as session:
        job_id = session.scalar(select(Job.id))
    return reviewer.open(f"/staff/jobs/{job_id}").html.select_one("#spread").text


def test_photos_taken_far_from_the_others_are_asked_about_and_staff_see_it(
    person: Person, reviewer: Person, container: Container
) -> None:
    places = iter([(39.78, -89.65), (39.78, -89.65), (39.94, -89.65)])
    container.previews.facts = lambda content: make_facts(
        content, place=next(places), guessed_type=PhotoType.EXTERIOR
    )
    add(person, at_photos(person, "exterior"), "front.jpg", "back.jpg", "barn.jpg")
    develop(container)
    page = person.open(board_of(person, container))
    asked = page.html.select_one("#strays").text
    assert "Is this all one property?" in asked
    assert asked.count("(17.8 km away)") == 1
    assert "up to 17.8 km from most of the others" in seen_by_staff(person, reviewer, container)


def test_photos_named_after_another_house_are_asked_about_and_staff_see_it(
    person: Person, reviewer: Person, container: Container
) -> None:
    container.previews.facts = lambda content: make_facts(content, guessed_type=PhotoType.EXTERIOR)
    add(person, at_photos(person, "exterior"), "front.jpg", "48_oak_st_1.jpg", "48_oak_st_2.jpg")
    develop(container)
    page = person.open(board_of(person, container))
    asked = page.html.select_one("#strays").text
    assert "48_oak_st_1.jpg (48 Oak St), 48_oak_st_2.jpg (48 Oak St)." in asked
    assert "front.jpg" not in asked
    assert "named after 48 Oak St." in seen_by_staff(person, reviewer, container)


def test_photos_of_one_place_or_of_none_are_not_asked_about(person: Person, container: Container) -> None:
    places = iter([(39.7800, -89.65), (39.7805, -89.65), None])
    container.previews.facts = lambda content: make_facts(
        content, place=next(places), guessed_type=PhotoType.EXTERIOR
    )
    add(person, at_photos(person, "exterior"), "front.jpg", "back.jpg", "barn.jpg")
    develop(container)
    assert not person.open(board_of(person, container)).html.select("#strays")


def test_what_no_picture_made_of_a_file_will_have_is_said_at_it(person: Person, container: Container) -> None:
    container.previews.facts = lambda content: make_facts(
        content, not_kept=(DroppedContent.DEPTH, DroppedContent.GAIN_MAP)
    )
    add(person, at_photos(person), "room.tif")
    develop(container)
    said = person.open(board_of(person, container)).html.select_one(".look").text
    assert "It has more than 8 bits a color, its result 8" in said
    assert "Its result has no HDR gain map" in said


def test_a_file_that_cannot_be_read_is_told_before_it_is_paid_for(person: Person, container: Container) -> None:
    add(person, at_photos(person), "broken.jpg")
    (row,) = photos_of(person, container)
    with container.database.unit_of_work() as session:
        held = previews.claim(session, row.storage_key, container.clock())
        previews.give_up(session, held, "Cannot be decoded.", read=ReadFile(fault=Reason.UNDECODABLE))
    page = person.open(board_of(person, container))
    assert "This file cannot be read as a photo" in page.text
    refused = person.send(page.forms["place"], status=422)
    assert "broken.jpg cannot be read as a photo" in refused.html.select_one(".summary").text


def test_the_uploader_gets_a_url_for_each_file_and_the_photo_stands_there_once_it_came(
    person: Person, container: Container
) -> None:
    at_photos(person)
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    wanted = {"names": ["a.jpg", "b.heic"], "sizes": [10, 11]}
    places = ask(person, start, wanted).json["places"]
    assert all(place["url"].startswith("/uploads/") for place in places)
    ask(person, f"{start}/{places[0]['id']}/arrived", status=400)
    assert person.web.put(places[0]["url"], photo("a")).status_int == 200
    arrived = {"id": places[0]["id"], "there": False}
    assert [ask(person, f"{start}/{places[0]['id']}/arrived").json for _ in range(2)] == [arrived] * 2
    page = person.open(board_of(person, container))
    assert names(page) == ["a.jpg"]
    assert not page.html.select("#unfinished"), "what is on its way is not lost"
    assert page.html.select_one("#arriving")["data-ids"] == places[1]["id"]
    fresh = ask(person, f"{start}/{places[1]['id']}/url").json["url"]
    assert person.web.put(fresh, photo("b")).status_int == 200
    ask(person, f"{start}/{places[1]['id']}/arrived")
    assert names(person.open(board_of(person, container))) == ["a.jpg", "b.heic"]


def test_an_uploader_is_told_what_is_there_already(person: Person, container: Container) -> None:
    at_photos(person)
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    digest = hashlib.sha256(photo("a")).hexdigest()
    wanted = {"names": ["a.jpg", "twin.jpg"], "sizes": [10, 10], "digests": [digest, digest]}
    first, twin = ask(person, start, wanted).json["places"]
    assert twin == {"id": first["id"], "there": True}
    again = ask(person, start, wanted).json["places"][0]
    assert again["id"] == first["id"], "what is on its way goes on to the same place"
    assert again["url"]
    person.web.put(first["url"], photo("a"))
    ask(person, f"{start}/{first['id']}/arrived")
    assert ask(person, start, wanted).json["places"] == [{"id": first["id"], "there": True}] * 2
    assert names(person.open(board_of(person, container))) == ["a.jpg"]


def test_a_file_without_a_digest_is_looked_at_when_it_came(person: Person, container: Container) -> None:
    add(person, at_photos(person), "a.jpg")
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    (first,) = photos_of(person, container)
    (made,) = ask(person, start, {"names": ["other.jpg"], "sizes": [5]}).json["places"]
    person.web.put(made["url"], photo() + b"a.jpg")
    assert ask(person, f"{start}/{made['id']}/arrived").json == {"id": first.id, "there": True}
    assert names(person.open(board_of(person, container))) == ["a.jpg"]


def test_only_files_that_nobody_uploads_any_more_are_lost_and_can_be_left_out(
    person: Person, container: Container, clock: FakeClock
) -> None:
    at_photos(person)
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    wanted = {"names": ["a.jpg", "b.jpg"], "sizes": [10, 11]}
    first, second = ask(person, start, wanted).json["places"]
    (again,) = ask(person, start, {"names": ["b.jpg"], "sizes": [11]}).json["places"]
    assert again["id"] == second["id"]
    board = board_of(person, container)
    assert not person.open(board).html.select("#unfinished")
    ask(person, f"{start}/ended", {"ids": [first["id"]]})
    for wrong in ({}, {"ids": "x"}, {"ids": ["x"] * 1001}):
        ask(person, f"{start}/ended", wrong, status=400)
    page = person.open(board)
    assert [each.text for each in page.html.select(".ghost-name")] == ["a.jpg"], "its page was closed"
    clock.pass_(seconds=draft_arrivals.UNDER_WAY.total_seconds())
    page = person.open(board)
    assert [each.text for each in page.html.select(".ghost-name")] == ["a.jpg", "b.jpg"], "nothing was heard of it"
    assert ask(person, f"{start}/alive", {"ids": [second["id"], "x"]}).json == {"gone": ["x"]}
    page = person.send(page.forms["unfinished"])
    assert "1 file is left out. 1 arrived after all, or is being uploaded again." in page.text
    assert not page.html.select("#unfinished")
    ask(person, f"{start}/{first['id']}/url", status=404)
    person.web.put(ask(person, f"{start}/{second['id']}/url").json["url"], photo("b"))
    ask(person, f"{start}/{second['id']}/arrived")
    assert names(person.open(board)) == ["b.jpg"]


def test_more_files_than_a_draft_takes_keep_no_other_out(
    person: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_DRAFT_FILES", 2)
    add(person, at_photos(person), "a.jpg")
    start = f"/drafts/{draft_of(person, container).id}/uploads"
    places = ask(person, start, {"names": ["b.jpg", "c.jpg"], "sizes": [1, 2]}).json["places"]
    assert "url" in places[0]
    assert "at a time" in places[1]["refused"]
    again = ask(person, start, {"names": ["c.jpg", "b.jpg"], "sizes": [2, 1]}).json["places"]
    assert "at a time" in again[0]["refused"], "what is on its way has a place"
    assert again[1]["id"] == places[0]["id"]


WRONG = [
    {},
    {"type": "interior"},
    {"type": "garden", "names": ["a"]},
    {"names": []},
    {"names": ["a"], "digests": ["x"]},
    {"names": ["a"], "sizes": [0]},
    {"type": "interior", "names": ["a"] * 51},
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
    add(person, at_photos(person), "mine.jpg")
    mine, draft = photos_of(person, container)[0], draft_of(person, container)
    other = new_person("other@example.com")
    at_photos(other)
    own = draft_of(other, container)
    for start in (f"/drafts/{own.id}/uploads", f"/drafts/{draft.id}/uploads"):
        ask(other, f"{start}/{mine.id}/url", status=404)
        ask(other, f"{start}/{mine.id}/arrived", status=404)
        ask(other, f"{start}/ended", {"ids": [mine.id]}, status=404)
    assert ask(other, f"/drafts/{own.id}/uploads/alive", {"ids": [mine.id]}).json == {"gone": [mine.id]}
    ask(other, f"/drafts/{draft.id}/uploads", {"type": "interior", "names": ["a"]}, status=404)
    page = other.fragment(f"/properties/{own.id}/previews?waiting={mine.id}")
    assert mine.id not in page.text


def test_an_uploader_of_a_placed_order_is_told_where_it_is(person: Person, container: Container) -> None:
    at_photos(person)
    draft = draft_of(person, container)
    with container.database.unit_of_work() as session:
        session.merge(draft).job_id = "job_x"
    answer = ask(person, f"/drafts/{draft.id}/uploads", {"type": "interior", "names": ["a"]}, status=409)
    assert answer.json["next"] == f"/properties/{draft.id}"


def test_the_page_asks_for_previews_until_all_are_there(person: Person, container: Container) -> None:
    page = at_enhancements(person, 2)
    poll = page.html.select_one("#previews")
    assert poll["data-hx-trigger"] == "every 2s"
    first, second = photos_of(person, container)
    with container.database.unit_of_work() as session:
        previews.finish(
            session, previews.claim(session, first.storage_key, container.clock()), Previews({}, 640, 480)
        )
    part = person.fragment(poll["data-hx-get"])
    assert f"look-{first.id}" in part.text
    assert f"look-{second.id}" not in part.text
    with container.database.unit_of_work() as session:
        previews.finish(
            session, previews.claim(session, second.storage_key, container.clock()), Previews({}, 640, 480)
        )
    last = person.fragment(part.html.select_one("#previews")["data-hx-get"]).html.select_one("#previews")
    assert (last["data-hx-trigger"], last["data-hx-target"]) == ("load", "#board")
    assert not person.open(board_of(person, container)).html.select_one("#previews").has_attr("data-hx-get")


def look_at(container: Container, row: DraftPhoto, guess: PhotoType) -> None:
    """Let a worker make the previews of the file and say what it shows."""
    with container.database.unit_of_work() as session:
        claim = previews.claim(session, row.storage_key, container.clock())
        previews.finish(session, claim, Previews({}, 640, 480), read=ReadFile(make_facts(guessed_type=guess)))


def test_the_board_comes_anew_only_once_a_photo_is_sorted(person: Person, container: Container) -> None:
    page = act(person, add(person, at_photos(person), "a.jpg", "b.jpg", "c.jpg"), "merge", "a.jpg", "b.jpg")
    first, second, third = photos_of(person, container)
    poll = page.html.select_one("#previews")["data-hx-get"]
    look_at(container, second, PhotoType.EXTERIOR)
    part = person.fragment(poll).html.select_one("#previews")
    assert part["data-hx-trigger"] == "every 2s", "what the photo shows is not known before all its frames are"
    look_at(container, first, PhotoType.EXTERIOR)
    part = person.fragment(part["data-hx-get"]).html.select_one("#previews")
    assert (part["data-hx-trigger"], part["data-hx-target"]) == ("load", "#board")
    page = person.open(board_of(person, container))
    assert page.html.select("[data-shots=exterior]")
    part = page.html.select_one("#previews")
    assert (part["data-hx-trigger"], part["data-hx-get"].count(third.id)) == ("every 2s", 1)


def test_a_choice_that_the_page_does_not_show_stays_as_it_was(person: Person, container: Container) -> None:
    container.imagery = FakeImagery()
    form = at_photos(person, "exterior").forms["effects"]
    form["public_imagery"] = True
    page = person.send(form)
    page = act(person, add(person, page, "front.jpg"), "type-exterior", "front.jpg")
    assert "public_imagery" not in page.forms["effects"].fields
    page = act(person, person.send(page.forms["effects"]), "remove", "front.jpg")
    assert page.forms["effects"]["public_imagery"].checked
    form = page.forms["effects"]
    form["public_imagery"] = False
    assert not person.send(form).forms["effects"]["public_imagery"].checked


def test_a_file_without_room_says_on_its_page_how_to_make_room_and_the_uploader_too(
    person: Person, container: Container
) -> None:
    at_photos(person)
    draft, quota = draft_of(person, container), container.upload_quota
    with container.database.unit_of_work() as session:
        quotas.reserve(session, draft.upload_session_id, quota.held_bytes - len(photo("1")), quota)
    form = person.open(board_of(person, container)).forms["files"]
    form["photos"] = [*files("first.jpg", content=photo("1")), *files("second.jpg", content=photo("2"))]
    page = person.send(form, status=422)
    summary = page.html.select_one(".summary").text
    assert "second.jpg: Your uploads that are not ordered yet use 21,475 MB of 21,475 MB" in summary
    assert "remove photos" in summary
    assert names(page) == ["first.jpg"]
    places = ask(person, f"/drafts/{draft.id}/uploads", {"names": ["third.jpg"]}).json["places"]
    refused = person.web.put(places[0]["url"], photo("3"), expect_errors=True)
    assert (refused.status_int, "remove photos" in refused.json["message"]) == (413, True)
    with container.database.unit_of_work() as session:  # for the check after the test
        quotas.release(session, draft.upload_session_id, quota.held_bytes - len(photo("1")))


def test_a_file_that_the_store_does_not_take_now_is_named_and_leaves_no_place_behind(
    person: Person, container: Container
) -> None:
    page = at_photos(person)
    container.storage = FaultyStorage(container.storage)
    with container.storage.away():
        page = add(person, page, "a.jpg", status=422)
    assert "a.jpg: Part of the service is unavailable for a moment" in page.html.select_one(".summary").text
    with container.database.read_session() as session:
        assert session.query(DraftPhoto).count() == 0
