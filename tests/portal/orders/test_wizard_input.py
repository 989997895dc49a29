"""Whatever is put into the wizard, nothing breaks, nothing leaks and nothing that was kept gets lost."""

from itertools import product

import pytest
from sqlalchemy import delete

from app.adapters.generative_http import ImagesEditServer
from app.container import Container
from app.domain.catalog import ENTRIES
from app.models import SignIn
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import (
    ADDRESS,
    at_each,
    at_enhancements,
    at_review,
    board_of,
    draft_of,
    files,
    photos_of,
    tick,
    with_address,
)
from tests.portal.person import PASSWORD, Person


def photo_form(person: Person, container: Container, *ids: str) -> object:
    """The form of the first photo, with its own list."""
    (first, *_) = photos_of(person, container)
    form = person.open(f"/drafts/{first.draft_id}/photos/{first.id}").forms["step"]
    form["list"] = "own"
    tick(form, "enhancements", list(ids))
    return form


def test_an_address_that_nobody_types_comes_back_with_its_fault(person: Person, subtests: pytest.Subtests) -> None:
    for text, field in product(("x1" * 5000, "a\x01b"), ("street", "city", "region", "postcode")):
        with subtests.test(text=text, field=field):
            form = person.post("/drafts").forms["step"]
            form["street"] = "12 Garden Lane"
            form[field] = text
            page = person.send(form, status=422)
            assert page.html.title.text.startswith("Error: ")
            assert page.html.select_one(f"#{field}")["aria-invalid"] == "true"
            assert page.forms["step"][field].value == text.replace("\x01", "")


@pytest.mark.parametrize("street", ["", "?", "12", "Lane", "  "])
def test_only_the_rule_of_the_interface_refuses_an_address(person: Person, street: str) -> None:
    form = person.post("/drafts").forms["step"]
    form["street"] = street
    assert "at least one letter and one digit" in person.send(form, status=422).text


@pytest.mark.parametrize("street", ["東京都千代田区千代田1-1", "Rua 7", "Haus am See 3", "<b>1</b> & Co"])
def test_an_address_that_nobody_can_verify_goes_through(person: Person, street: str) -> None:
    form = person.post("/drafts").forms["step"]
    form["street"] = street
    page = person.send(form)
    assert page.request.path.startswith("/properties/")
    assert "Without a ZIP or postal code" in page.text
    assert street in page.html.text


def test_a_pasted_address_is_put_into_its_fields(person: Person, container: Container) -> None:
    with_address(person)
    page = person.open(f"/drafts/{draft_of(person, container).id}/address")
    kept = [page.forms["step"][name].value for name in ("street", "city", "region", "postcode")]
    assert kept == ["12 Garden Lane", "Springfield", "IL", "62704"]


def test_a_pasted_address_is_put_into_its_fields_at_once_where_there_is_htmx(person: Person) -> None:
    page = person.post("/drafts")
    path = page.html.select_one("#street")["data-hx-post"]
    token = page.forms["step"]["csrf_token"].value
    answer = person.web.post(path, {"street": ADDRESS, "csrf_token": token}, headers={"HX-Request": "true"})
    assert 'value="Springfield"' in answer.text
    for street in ("12 Garden Lane", "x" * 10_000):
        answer = person.web.post(path, {"street": street, "csrf_token": token})
        assert answer.status_int == 204


def test_a_service_type_that_is_none_is_asked_for_again(person: Person) -> None:
    form = with_address(person).forms["service-form"]
    form["service_type"].force_value("castle")
    assert "from the list" in person.send(form, status=422).html.select_one(".summary").text


def test_what_is_no_enhancement_is_refused(person: Person, container: Container) -> None:
    at_enhancements(person)
    path = f"{board_of(person, container)}/effects"
    for value in ("x" * 10_000, "swimming_pool"):
        person.post(path, status=422, interior=value, version="9")


def test_texts_that_nobody_types_come_back_with_their_fault(person: Person, container: Container) -> None:
    at_each(person)
    form = photo_form(person, container, Enhancement.RENOVATION)
    form["changes-0-description"] = "x" * 10_000
    page = person.send(form, status=422)
    assert page.html.select_one("#changes-0-description")["aria-invalid"] == "true"
    assert page.forms["step"]["changes-0-description"].value == "x" * 10_000


def test_a_photo_with_something_missing_says_so_and_keeps_what_was_typed(
    person: Person, container: Container
) -> None:
    page = at_each(person)
    assert "Needs details" not in page.text
    form = photo_form(person, container, Enhancement.RENOVATION)
    form["changes-0-description"] = "Oak"
    page = person.send(form, status=422)
    assert "Choose what to change" in page.text
    assert "at least 10 characters" in page.html.select_one("#changes-0-description-error").text
    board = person.open(board_of(person, container))
    assert "Needs details" in board.text
    assert "Choose what to change" in person.send(board.forms["place"], status=422).html.select_one(".summary").text


def test_rows_are_added_and_removed_without_javascript(person: Person, container: Container) -> None:
    at_each(person)
    form = photo_form(person, container, Enhancement.RENOVATION)
    form["changes-0-description"] = "First change of all"
    page = person.send(form, "go", value="add-change")
    assert len(page.html.select(".change")) == 2
    form = page.forms["step"]
    form["changes-1-description"] = "Second change of all"
    page = person.send(form, "go", value="remove-change-0")
    (left,) = page.html.select(".change textarea[name$=description]")
    assert left.text.strip() == "Second change of all"


def test_reference_pictures_come_with_the_form_and_go_again(person: Person, container: Container) -> None:
    at_each(person)
    form = photo_form(person, container, Enhancement.RENOVATION)
    form["changes-0-change_type"] = "walls"
    form["changes-0-description"] = "Warm white, matt"
    form["changes-0-pictures"] = [*files("a.jpg", "b.jpg"), *files("c.txt", content=b"no picture")]
    page = person.send(form, status=422)
    assert "c.txt: The file is not" in page.text
    assert [each.text.strip() for each in page.html.select(".references .name")] == ["a.jpg", "b.jpg"]
    form = page.forms["step"]
    form["changes-0-pictures"] = files("d.jpg", "e.jpg", "f.jpg")
    page = person.send(form, status=422)
    assert "At most 4 pictures" in page.text
    assert len(page.html.select(".references li")) == 4
    button = page.html.select_one(".references button")
    page = person.send(page.forms["step"], "go", value=button["value"])
    assert len(page.html.select(".references li")) == 3


def test_a_description_is_copied_to_the_photos_that_were_ticked(person: Person, container: Container) -> None:
    at_each(person, interior=3)
    form = photo_form(person, container, Enhancement.DECLUTTER)
    tick(form, "to", [photos_of(person, container)[2].id])
    page = person.send(form, "go", value="copy")
    assert "Copied to 1 photo." in page.text
    lists = [each.edit_request.enhancements for each in photos_of(person, container)]
    assert lists == [(Enhancement.DECLUTTER,), None, (Enhancement.DECLUTTER,)]


def test_the_way_leads_from_photo_to_photo(person: Person, container: Container) -> None:
    at_each(person, interior=2)
    first, second = photos_of(person, container)
    page = person.send(photo_form(person, container, Enhancement.HDR), "go", value="next")
    assert page.request.path.endswith(second.id)
    page = person.send(page.forms["step"], "go", value="previous")
    assert page.request.path.endswith(first.id)


def test_a_preset_ticks_its_boxes(person: Person) -> None:
    page = at_enhancements(person)
    button = page.html.select_one("#interior [name=preset]")
    page = person.send(page.forms["effects"], "preset", value=button["value"])
    ticked = [box["value"] for box in page.html.select("input[name=interior]") if box.has_attr("checked")]
    assert " + ".join(ENTRIES[each].label for each in ticked) == button.text


def test_the_running_price_tells_what_is_ticked_and_saves_nothing(person: Person, container: Container) -> None:
    at_each(person, interior=2)
    first = photos_of(person, container)[0]
    fields = {"photo": first.id, "list": "own", "enhancements": Enhancement.STAGING.value}
    token = person.open("/orders").forms["sign-out"]["csrf_token"].value
    path, headers = f"/drafts/{first.draft_id}/price/photo", {"HX-Request": "true"}
    answer = person.web.post(path, {**fields, "csrf_token": token}, headers=headers)
    assert "1.5 credits" in answer.text
    assert "Staging adds furniture to what is there" in answer.text
    assert person.open(f"/properties/{first.draft_id}").html.select_one("#total").text == "1 credit"
    person.post(f"/drafts/{first.draft_id}/price/photo", status=404, photo="dph_x")


def test_two_tabs_do_not_overwrite_each_other_unseen(person: Person, container: Container) -> None:
    with_address(person)
    path = f"/drafts/{draft_of(person, container).id}/address"
    one, two = person.open(path).forms["step"], person.open(path).forms["step"]
    one["street"], two["street"] = "1 First Tab", "2 Second Tab"
    person.send(one)
    page = person.send(two, status=409)
    assert "changed in another tab" in page.text
    assert "Currently saved: 1 First Tab" in page.text
    assert page.forms["step"]["street"].value == "2 Second Tab"
    assert person.send(page.forms["step"]).request.path.startswith("/properties/")
    assert person.open(path).forms["step"]["street"].value == "2 Second Tab"


def test_two_tabs_of_one_photo_do_not_overwrite_each_other_unseen(person: Person, container: Container) -> None:
    at_each(person)
    one = photo_form(person, container, Enhancement.DECLUTTER)
    two = photo_form(person, container, Enhancement.FLAMBIENT)
    person.send(one)
    page = person.send(two, status=409)
    assert "See what the other tab saved" in page.text
    person.send(page.forms["step"])
    assert photos_of(person, container)[0].edit_request.enhancements == (Enhancement.FLAMBIENT,)


def test_a_session_that_ended_leads_back_to_the_step_with_all_that_was_kept(
    person: Person, container: Container
) -> None:
    with_address(person)
    path = f"/drafts/{draft_of(person, container).id}/address"
    form = person.open(path).forms["step"]
    with container.database.unit_of_work() as session:
        session.execute(delete(SignIn))
    form["city"] = "Shelbyville"
    answer = form.submit(headers={"Referer": f"http://localhost{path}"}, expect_errors=True)
    assert answer.status_int == 303
    page = person.open(answer.headers["Location"])
    sign_in = page.forms["sign-in"]
    sign_in["email"], sign_in["password"] = person.email, PASSWORD
    typed = person.send(sign_in)
    assert "Shelbyville" in [each.text for each in typed.html.select("dd.typed")]
    page = person.send(typed.forms["discard-form"])
    assert page.request.path == path
    assert page.forms["step"]["city"].value == "Springfield"


def test_files_posted_after_the_session_ended_lead_back_too(person: Person, container: Container) -> None:
    form = at_enhancements(person).forms["files"]
    with container.database.unit_of_work() as session:
        session.execute(delete(SignIn))
    form["photos"] = files("late.jpg")
    answer = form.submit(headers={"Referer": f"http://localhost{board_of(person, container)}"}, expect_errors=True)
    assert answer.status_int == 303
    assert "/sign-in" in answer.headers["Location"]
    assert [each.file_name for each in photos_of(person, container)] == ["interior1.jpg"]


GETS = ("", "/address", "/delete")
POSTS = ("/address", "/delete", "/address/split", "/price/photo", "/uploads", "/uploads/alive", "/uploads/ended")
BOARD_POSTS = ("files", "unfinished", "service", "effects", "selection", "undo", "groups", "groups/undo", "place")
BOARD_POSTS += ("house-style",)


def test_another_accounts_draft_and_photos_do_not_exist(
    person: Person, new_person: NewPerson, container: Container
) -> None:
    at_review(person)
    draft, photo = draft_of(person, container), photos_of(person, container)[0]
    other = new_person("other@example.com")
    at_each(other)
    own, own_photo = draft_of(other, container), photos_of(other, container)[0]
    for tail in GETS:
        other.open(f"/drafts/{draft.id}{tail}", status=404)
    for tail in POSTS:
        other.post(f"/drafts/{draft.id}{tail}", status=404)
    board = f"/properties/{draft.id}"
    other.open(board, status=404)
    other.open(f"{board}/previews", status=404)
    for tail in BOARD_POSTS:
        other.post(f"{board}/{tail}", status=404)
    for do in ("add-hdr_enhancement", "type-exterior", "move-later", "follow", "remove", "split"):
        other.post(f"/properties/{own.id}/selection", status=404, do=do, photo=photo.id)
    other.post(f"/properties/{own.id}/undo", status=404, photo=photo.id)
    for start in (f"/drafts/{draft.id}", f"/drafts/{own.id}"):
        other.open(f"{start}/photos/{photo.id}", status=404)
        other.post(f"{start}/photos/{photo.id}", status=404)
    mine = f"/drafts/{own.id}/photos/{own_photo.id}"
    seen = other.open(mine).forms["step"]["seen"].value
    change = {"list": "own", "changes-0-description": "Wide oak boards", "changes-0-reference_ids": photo.id}
    other.post(mine, status=404, seen=seen, **change)
    other.post(mine, status=404, seen=seen, go="copy", to=photo.id)
    assert photos_of(person, container)[0].edit_request == EditRequest()


@pytest.mark.parametrize("id", ["dft_x", "x" * 5000, "dft_0000000000000000000000", "..%2f"])
def test_ids_that_are_none_are_not_found(person: Person, id: str) -> None:
    person.open(f"/drafts/{id}/address", status=404)


def test_what_is_mostly_declined_without_a_picture_server_says_so_where_it_is_chosen(
    person: Person, container: Container
) -> None:
    at_each(person)
    (photo,) = photos_of(person, container)
    lists, single = f"/properties/{photo.draft_id}", f"/drafts/{photo.draft_id}/photos/{photo.id}"
    assert [told(person, path) for path in (lists, single)] == [["Declutter", "Remove furniture"]] * 2
    container.generative = ImagesEditServer("https://pictures.example/v1", None, "drawn")
    assert [told(person, path) for path in (lists, single)] == [[], []]


def told(person: Person, path: str) -> list[str]:
    """The enhancements of a page beside which it says that most photos are declined."""
    boxes = person.open(path).html.select(".enhancement")
    return [box.label.text for box in boxes if "most photos are declined" in box.select_one(".hint").text]


def test_what_often_has_faults_says_so_where_it_is_chosen(person: Person, container: Container) -> None:
    at_each(person, interior=0, exterior=1)
    (photo,) = photos_of(person, container)
    lists, single = f"/properties/{photo.draft_id}", f"/drafts/{photo.draft_id}/photos/{photo.id}"
    for path in (lists, single, "/prices", "/how-it-works"):
        assert person.open(path).text.count(ENTRIES[Enhancement.TWILIGHT].unproven) == 1, path
