"""The board without JavaScript: many photos changed together, sorted by what they show, taken out and back."""

from typing import Any

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.models import DraftPhoto, Photo, PhotoFacts
from app.services.previews import previews
from app.services.uploads import uploads
from engine.types.enhancements import Enhancement, PhotoType
from tests import reading
from tests.conftest import develop
from tests.portal.orders.wizard import (
    act,
    add,
    ask,
    at_each,
    at_enhancements,
    at_photos,
    board_of,
    draft_of,
    names,
    photos_of,
    picked,
    tick,
)
from tests.portal.person import Person, csrf_of

E = Enhancement


def steps(person: Person, container: Container) -> dict[str, list[Enhancement] | None]:
    found = {photo.file_name: photo.edit_request for photo in photos_of(person, container)}
    return {name: None if each.enhancements is None else each.steps for name, each in found.items()}


def test_effects_are_added_to_and_taken_from_the_selected_photos(person: Person, container: Container) -> None:
    page = at_each(person, interior=3)
    page = act(person, page, "add-virtual_staging", "interior1.jpg", "interior3.jpg")
    assert "Virtual staging added to 2 photos." in page.text
    page = act(person, page, "drop-hdr_enhancement", "interior3.jpg")
    page = act(person, page, "add-3", "interior2.jpg")  # a suggestion
    assert steps(person, container) == {
        "interior1.jpg": [E.STAGING, E.HDR],
        "interior2.jpg": [E.DECLUTTER, E.HDR],
        "interior3.jpg": [E.STAGING],
    }
    act(person, page, "follow", "interior1.jpg", "interior2.jpg", "interior3.jpg")
    assert set(map(str, steps(person, container).values())) == {"None"}


def test_rooms_are_furnished_and_renovated_from_the_toolbar(person: Person, container: Container) -> None:
    page = at_each(person, interior=2)
    page = act(person, page, "furnish", "interior1.jpg", style="coastal", room_type="bedroom")
    said = {"change_type": "floor", "change_description": "Wide oak boards"}
    page = act(person, page, "renovate", "interior1.jpg", "interior2.jpg", **said)
    first, second = photos_of(person, container)
    assert (first.edit_request.style, first.edit_request.room_type) == ("coastal", "bedroom")
    assert first.edit_request.steps == [E.RENOVATION, E.STAGING, E.HDR]
    assert second.edit_request.changes[0].change_description == "Wide oak boards"
    assert "Place order for 4 credits" in page.text
    person.send(page.forms["place"])
    requests = reading.found(container, select(Photo.edit_request))
    assert {each.changes[0].reference_text for each in requests} == {"Wide oak boards"}, "which names the look"


FAULTY = [
    ("add-hdr_enhancement", {}, "Select photos first"),
    ("", {}, "Choose what to do"),
    ("add-swimming_pool", {}, "Choose what to do"),
    ("type-castle", {}, "Choose what to do"),
    ("furnish", {}, "Choose a room, a style or both"),
    ("furnish", {"style": "gothic"}, "Choose a room, a style or both"),
    ("renovate", {"change_type": "moat"}, "Choose what to change"),
    ("renovate", {"change_type": "floor", "change_description": "Oak"}, "at least 10 characters"),
    ("renovate", {"change_type": "floor", "change_description": "Like the show home"}, "give a reference in words"),
    ("renovate", {"change_type": "moat", "change_description": "Oak"}, "at least 10 characters"),
    ("split", {}, "None of the selected photos is made of several frames"),
    ("merge", {}, "two or more photos"),
]


def test_what_cannot_be_done_says_why_and_changes_nothing(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    page = at_each(person, interior=1)
    before = [photo.edit_request for photo in photos_of(person, container)]
    for do, fields, why in FAULTY:
        with subtests.test(do=do, fields=fields):
            selected = [] if "Select" in why else ["interior1.jpg"]
            refused = act(person, page, do, *selected, status=422, **fields)
            assert why in refused.html.select_one(".summary").text
            assert [box["value"] for box in refused.html.select(".shot input[checked]")] == [
                photo.id for photo in photos_of(person, container) if selected
            ]
    assert [photo.edit_request for photo in photos_of(person, container)] == before


REFUSED = [
    ("furnish", {"style": "", "room_type": "moat"}, "#room_type"),
    ("renovate", {"change_type": "floor", "change_description": "Oak <i>", "reference_text": "K"}, "#change_desc"),
    ("renovate", {"change_type": "floor", "change_description": "As in the show home"}, "#reference_text"),
    ("renovate", {"change_type": "", "change_description": "Oak"}, "#change_type #change_description"),
]


def test_what_was_filled_in_for_a_refused_change_is_still_there(person: Person, subtests: pytest.Subtests) -> None:
    page = at_each(person, interior=1)
    for do, fields, where in REFUSED:
        with subtests.test(do=do, fields=fields):
            refused = act(person, page, do, "interior1.jpg", status=422, **fields).html
            told = [link["href"] for link in refused.select(".summary a")]
            assert " ".join(told).startswith(where), "all that is wrong is told at once"
            (menu,) = refused.select(".menu[open]")
            assert menu["id"] == f"menu-{do}"
            there = {each["id"]: each.text for each in menu.select("textarea")}
            there |= {each.parent["id"]: each["value"] for each in menu.select("option[selected]")}
            known = {name: typed for name, typed in fields.items() if typed and typed != "moat"}
            assert {name: value for name, value in there.items() if value} == known
    nobody = act(person, page, "renovate", status=422, change_description="Wide oak boards").html
    assert nobody.select_one("#menu-renovate[open] #change_description").text == "Wide oak boards", "none selected"
    chosen = act(person, page, "furnish", "interior1.jpg", status=422, style="coastal", room_type="moat").html
    assert [each["value"] for each in chosen.select("#style input[checked]")] == ["coastal"]


def test_photos_are_ordered_removed_and_brought_back(person: Person) -> None:
    page = at_enhancements(person, interior=3)
    page = act(person, page, "move-later", "interior1.jpg")
    assert names(page) == ["interior2.jpg", "interior1.jpg", "interior3.jpg"]
    page = act(person, page, "remove", "interior1.jpg", "interior3.jpg")
    assert names(page) == ["interior2.jpg"]
    assert "Removed 2 photos: interior1.jpg, interior3.jpg." in page.html.select_one("#undo").text
    page = person.send(page.forms["undo"])
    assert names(page) == ["interior2.jpg", "interior1.jpg", "interior3.jpg"]
    assert not page.html.select("#undo")


def test_a_removed_photo_that_is_sent_again_comes_back_as_it_was(person: Person, container: Container) -> None:
    page = at_each(person, interior=2)
    page = act(person, page, "add-virtual_staging", "interior1.jpg")
    page = act(person, page, "remove", "interior1.jpg")
    start = board_of(person, container).replace("properties", "drafts")
    (gone,) = {photo.id for photo in reading.found(container, select(DraftPhoto))} - {
        each.id for each in photos_of(person, container)
    }
    found = next(each for each in reading.found(container, select(DraftPhoto)) if each.id == gone)
    wanted = {"names": ["again.jpg"], "sizes": [1], "digests": [found.sha256]}
    assert ask(person, f"{start}/uploads", wanted).json["places"] == [{"id": gone, "there": True}]
    assert steps(person, container)["interior1.jpg"] == [E.STAGING, E.HDR]


def see(person: Person, container: Container, **shown: PhotoType | None) -> None:
    """Let a worker have seen this in the files of these names, without their ending."""
    with container.database.unit_of_work() as session:
        for photo in photos_of(person, container):
            guess = shown.get(photo.file_name.partition(".")[0])
            session.merge(
                PhotoFacts(
                    storage_key=photo.storage_key,
                    upload_session_id=uploads.session_of(photo.storage_key),
                    guessed_type=guess,
                )
            )


def groups(page: TestResponse) -> dict[str, list[str]]:
    """The names of the photos in each group of the board."""
    return {part["data-shots"]: names_in(part) for part in page.html.select("[data-shots]")}


def names_in(part: Any) -> list[str]:
    return [each.text for each in part.select(".shot-name")]


def press(person: Person, page: TestResponse, do: str) -> TestResponse:
    """Press a button that sorts photos, with the ids that its form has."""
    form = page.forms["selection"]
    sent = [("csrf_token", form["csrf_token"].value), ("do", do)]
    sent += [(each["name"], each["value"]) for each in page.html.select("input[form=selection][type=hidden]")]
    return person._arrive(person.web.post(form.action, sent), 200)


def test_photos_wait_to_be_sorted_without_a_price_and_what_is_chosen_meanwhile_stays(
    person: Person, container: Container
) -> None:
    page = add(person, at_photos(person, "both"), "a.jpg", "b.jpg", "c.jpg")
    assert groups(page) == {"waiting": ["a.jpg", "b.jpg", "c.jpg"]}
    assert page.html.select_one("#place-order").text == "Sorting 3 photos…"
    refused = person.send(page.forms["place"], status=422)
    assert "3 photos are still being sorted" in refused.html.select_one(".summary").text
    tick(page.forms["effects"], "exterior", ["sky_enhancement"])
    tick(page.forms["effects"], "interior", ["hdr_enhancement"])
    page = person.send(page.forms["effects"])
    assert not page.html.select("#total")
    page = act(person, page, "add-virtual_staging", "a.jpg")
    assert "1 is not sorted yet: sort it first" in page.text
    photo_page = person.open(f"/drafts/{draft_of(person, container).id}/photos/{picked(page)['a.jpg']}")
    assert "Sort a.jpg first" in photo_page.text
    see(person, container, a=PhotoType.INTERIOR)
    page = person.open(board_of(person, container))
    assert page.html.select_one("[value=sky_enhancement]").has_attr("checked"), (
        "the panel stays, with what was chosen in it"
    )
    page = press(person, page, "sort-exterior-unsure")
    assert groups(page) == {"exterior": ["b.jpg", "c.jpg"], "interior": ["a.jpg"]}
    assert page.html.select_one("#total").text == "1.5 credits"


def test_a_photo_that_cannot_be_looked_at_is_asked_about_and_ordered(person: Person, container: Container) -> None:
    page = add(person, at_photos(person), "a.jpg")
    (row,) = photos_of(person, container)
    with container.database.unit_of_work() as session:
        previews.give_up(session, previews.claim(session, row.storage_key, container.clock()), previews.GIVEN_UP)
    page = person.open(board_of(person, container))
    assert groups(page) == {"unsure": ["a.jpg"]}
    page = press(person, page, f"sort-interior-{row.id}")
    tick(page.forms["effects"], "interior", ["hdr_enhancement"])
    assert person.send(person.send(page.forms["effects"]).forms["place"]).html.select_one("#panel")


def test_photos_are_sorted_by_what_they_show_unless_somebody_said_otherwise(
    person: Person, container: Container
) -> None:
    page = add(person, at_photos(person), "a.jpg", "b.jpg", "c.jpg")
    act(person, page, "type-interior", "b.jpg")
    see(person, container, a=PhotoType.EXTERIOR, b=PhotoType.EXTERIOR, c=None)
    page = person.open(board_of(person, container))
    assert groups(page) == {"unsure": ["c.jpg"], "exterior": ["a.jpg"], "interior": ["b.jpg"]}
    page = press(person, page, f"sort-interior-{picked(page)['c.jpg']}")
    assert groups(page) == {"exterior": ["a.jpg"], "interior": ["b.jpg", "c.jpg"]}
    assert "(1 exterior, 2 interior)" in page.html.select_one("#service-line").text
    page = act(person, page, "type-interior", "a.jpg")
    assert {photo.type for photo in photos_of(person, container)} == {PhotoType.INTERIOR}
    assert person.open(board_of(person, container)).html.select("#exterior-title") == []


def test_frames_of_one_view_are_merged_and_split_by_selection(person: Person, container: Container) -> None:
    page = at_enhancements(person, interior=4)
    page = act(person, page, "merge", "interior1.jpg", "interior2.jpg", "interior3.jpg")
    assert names(page) == ["interior1.jpg", "interior4.jpg"]
    assert page.html.select_one(".stacked .frames").text.strip() == "3 frames"
    page = act(person, page, "add-declutter", "interior1.jpg")
    page = act(person, page, "split", "interior1.jpg")
    assert len(names(page)) == 4
    assert steps(person, container)["interior3.jpg"] == [E.DECLUTTER]


def test_htmx_gets_the_part_that_changed_with_what_stays_selected(person: Person, container: Container) -> None:
    page = at_each(person, interior=2)
    first, _ = photos_of(person, container)
    sent = {"csrf_token": csrf_of(page), "do": "add-declutter", "photo": first.id}
    answer = person.web.post(f"{board_of(person, container)}/selection", sent, headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith('<div id="board"')
    assert [box["value"] for box in answer.html.select(".shot input[checked]")] == [first.id]
    assert "Declutter added to 1 photo." in answer.html.select_one("#status").text
    bad = {**sent, "do": "nothing"}
    assert person.web.post(
        f"{board_of(person, container)}/selection", bad, headers={"HX-Request": "true"}, status=422
    )


def test_lists_changed_in_another_tab_are_not_overwritten_unseen(person: Person, container: Container) -> None:
    page = at_enhancements(person)
    one, two = page.forms["effects"], person.open(board_of(person, container)).forms["effects"]
    tick(one, "interior", ["hdr_enhancement"])
    tick(two, "interior", ["declutter"])
    person.send(one)
    told = person.send(two, status=409)
    assert "changed in another tab" in told.text
    assert [box["value"] for box in told.html.select("input[name=interior][checked]")] == ["declutter"]
    page = person.send(told.forms["effects"])
    assert [box["value"] for box in page.html.select("input[name=interior][checked]")] == ["declutter"]


@pytest.mark.long
def test_more_photos_than_an_order_takes_are_told_and_placed_as_several(
    person: Person, container: Container
) -> None:
    form = at_enhancements(person, 51).forms["effects"]
    tick(form, "interior", ["hdr_enhancement"])
    page = person.send(form)
    assert "This becomes 2 orders" not in page.text, "they may be frames of fewer photos"
    assert "If you order now, these files become 2 orders" in page.text
    develop(container)
    page = person.open(board_of(person, container))
    assert "This becomes 2 orders: 50 + 1 photos." in page.text
    assert "Place 2 orders for 25.5 credits" in page.text
    placed = person.send(page.forms["place"])
    assert "Your 2 orders are placed" in placed.text
    assert placed.request.path == board_of(person, container)
    again = person.send(page.forms["place"])
    assert len(again.html.select(".order-rows li")) == len(placed.html.select(".order-rows li")) == 2
