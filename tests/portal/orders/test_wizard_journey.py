"""An order filled in page by page without JavaScript, left, continued and placed."""

from dataclasses import asdict
from decimal import Decimal

import pytest
from sqlalchemy import select
from webtest import TestResponse

from app.container import Container
from app.models import Job, LedgerLine, Photo
from app.portal.orders.wizard import steps
from engine.types.enhancements import Enhancement
from tests import reading
from tests.fakes import FakeImagery
from tests.portal.conftest import NewPerson
from tests.portal.orders.wizard import (
    ADDRESS,
    act,
    add,
    at_each,
    at_enhancements,
    at_photos,
    at_review,
    board_of,
    draft_of,
    files,
    names,
    tick,
    with_address,
)
from tests.portal.person import Person


def test_an_order_for_both_kinds_goes_through(person: Person, container: Container) -> None:
    review = at_review(person, interior=2, exterior=1)
    assert "Place order for 2 credits" in review.text
    page = person.send(review.forms["place"])
    (job,) = reading.found(container, select(Job))
    assert page.request.path == f"/properties/{job.draft_id}"
    assert "Your order is placed" in page.text
    assert (job.address, job.credit_cost, job.interior_count) == (ADDRESS, Decimal(2), 2)
    names = reading.found(container, select(Photo.file_name).order_by(Photo.type, Photo.index))
    assert names == ["exterior1.jpg", "interior1.jpg", "interior2.jpg"]


def test_a_staged_and_a_renovated_photo_are_ordered_as_they_were_described(
    person: Person, container: Container
) -> None:
    page = at_each(person, interior=2)
    first, second = (link["href"] for link in page.html.select(".shot a"))
    form = person.open(first).forms["step"]
    form["list"] = "own"
    tick(form, "enhancements", [Enhancement.STAGING])
    form["style"], form["room_type"] = "coastal", "bedroom"
    assert person.send(form).request.path.startswith("/properties/")
    form = person.open(second).forms["step"]
    form["list"] = "own"
    tick(form, "enhancements", [Enhancement.RENOVATION])
    form["changes-0-change_type"] = "floor"
    form["changes-0-description"] = "Wide oak boards, oiled"
    form["changes-0-pictures"] = files("oak.jpg")
    each = person.send(form)
    assert "Needs details" not in each.text
    person.send(each.forms["place"])
    staged, renovated = reading.found(container, select(Photo).order_by(Photo.index))
    assert asdict(staged.edit_request.staging) == {"style": "coastal", "room_type": "bedroom"}
    (change,) = renovated.edit_request.changes
    assert (change.change_type, len(change.reference_images)) == ("floor", 1)


def test_something_else_for_one_photo_begins_with_what_all_get(person: Person) -> None:
    form = at_enhancements(person).forms["effects"]
    tick(form, "interior", ["hdr_enhancement", "declutter"])
    page = person.send(form)
    page = person.open(page.html.select_one(".shot a")["href"])
    ticked = [box["value"] for box in page.html.select("#enhancements input[checked]")]
    assert sorted(ticked) == ["declutter", "hdr_enhancement"]
    form = page.forms["step"]
    form["list"] = "own"
    tick(form, "enhancements", ["declutter"])
    page = person.open(person.send(form).html.select_one(".shot a")["href"])
    assert [box["value"] for box in page.html.select("#enhancements input[checked]")] == ["declutter"]


def test_the_board_says_of_each_photo_how_it_is_furnished_and_what_is_renovated(person: Person) -> None:
    page = at_each(person, interior=3)
    links = [link["href"] for link in page.html.select(".shot a")]
    for link, step in zip(links, (Enhancement.STAGING, Enhancement.RENOVATION), strict=False):
        form = person.open(link).forms["step"]
        form["list"] = "own"
        tick(form, "enhancements", [step])
        if step is Enhancement.STAGING:
            form["style"], form["room_type"] = "coastal", "bedroom"
        else:
            form["changes-0-change_type"] = "floor"
            form["changes-0-description"] = "Wide oak boards, oiled"
            form["changes-0-reference_text"] = "Kahrs Oak Verona"
        page = person.send(form)
    said = [" ".join(each.text.split()) for each in page.html.select(".shot")]
    assert "Virtual staging (this photo only) Coastal, bedroom" in said[0]
    assert "Virtual renovation (this photo only) Renovates floor" in said[1]
    assert "HDR balance" in said[2]


def test_an_order_is_placed_once_however_often_the_button_is_pressed(person: Person, container: Container) -> None:
    form = at_review(person).forms["place"]
    pages = [person.send(form) for _ in range(3)]
    (job,) = reading.found(container, select(Job))
    assert {page.request.path for page in pages} == {f"/properties/{job.draft_id}"}
    assert reading.count(container, LedgerLine) == 2


def test_after_placing_every_page_of_the_draft_is_the_order(person: Person, container: Container) -> None:
    review = at_review(person)
    draft = draft_of(person, container)
    person.send(review.forms["place"])
    assert person.open(f"/properties/{draft.id}").html.select_one("#panel")
    for step in ("", "/address", "/delete"):
        assert person.open(f"/drafts/{draft.id}{step}").request.path == f"/properties/{draft.id}"
    changed = person.post(f"/drafts/{draft.id}/address", street="1 New Road")
    assert changed.request.path == f"/properties/{draft.id}"


def test_a_draft_is_left_and_continued_where_it_was(person: Person, container: Container) -> None:
    form = person.post("/drafts").forms["step"]
    left = person.send(form, "go", value="leave")
    assert left.request.path == "/orders"
    start = f"/drafts/{draft_of(person, container).id}"
    assert person.open(start).request.path == f"{start}/address"
    left = person.send(with_address(person).forms["place"], "go", value="leave")
    assert left.request.path == "/orders"
    assert person.open(start).request.path == board_of(person, container)


def test_another_device_continues_with_the_photos_that_arrived(person: Person, container: Container) -> None:
    add(person, at_photos(person), "room.jpg")
    other = Person(person.web.app, person.email, person.account_id)
    other.sign_in()
    page = other.open(f"/properties/{draft_of(person, container).id}")
    assert names(page) == ["room.jpg"]


def test_a_page_whose_earlier_page_is_missing_leads_there(person: Person, container: Container) -> None:
    person.post("/drafts")
    start = f"/drafts/{draft_of(person, container).id}"
    assert person.open(start.replace("drafts", "properties")).request.path == f"{start}/address"


def test_a_change_from_the_board_leads_back_to_it(person: Person) -> None:
    review = at_review(person)
    link = next(a["href"] for a in review.html.select(".board-head a") if "address" in a["href"])
    form = person.open(link).forms["step"]
    form["city"] = "Shelbyville"
    page = person.send(form)
    assert page.request.path == review.request.path
    assert "Shelbyville" in page.text


def test_public_imagery_is_used_only_where_it_was_chosen(person: Person, container: Container) -> None:
    container.imagery = FakeImagery()
    page = person.send(at_photos(person, "exterior").forms["place"], status=422)
    assert "Add at least one exterior photo" in page.html.select_one(".summary").text
    form = page.forms["effects"]
    form["public_imagery"] = True
    page = person.send(form)
    refused = person.send(page.forms["place"], status=422)
    assert "Choose at least one enhancement for the exterior" in refused.html.select_one(".summary").text
    form = refused.forms["effects"]
    tick(form, "exterior", ["sky_enhancement"])
    person.send(person.send(form).forms["place"])
    (job,) = reading.found(container, select(Job))
    assert (job.exterior_count, job.credit_cost) == (1, Decimal(1))


def test_without_a_source_of_imagery_it_is_not_offered(person: Person) -> None:
    page = at_photos(person, "exterior")
    assert "public_imagery" not in page.forms["effects"].fields
    assert "Public imagery is not available here" in page.text


def test_too_few_credits_keep_the_order_and_say_how_many_are_missing(
    new_person: NewPerson, container: Container
) -> None:
    poor = new_person("poor@example.com", "1")
    review = at_review(poor, interior=3)
    assert "0.5 credits missing" in review.text
    assert "Place order" not in review.text, "what cannot be paid is not offered"
    page = poor.send(review.forms["place"], status=402)
    assert "0.5 credits missing" in page.text
    assert "needs 1.5 credits, and you have 1" in page.text
    assert reading.found(container, select(Job)) == []
    (link,) = page.html.select("#buy-missing")
    assert link.text == "Buy 0.5 credits"
    buying = poor.open(link["href"])
    assert buying.html.select_one("#buy")
    back = buying.html.select_one('.notice a[href^="/properties/"]')
    assert poor.open(back["href"]).request.path == review.request.path


@pytest.mark.parametrize(("amount", "missing"), [("1", "0.5"), ("0.75", "1"), ("0.01", "1.5"), ("0", "1.5")])
def test_what_is_missing_is_bought_in_the_steps_in_which_it_is_sold(
    new_person: NewPerson, amount: str, missing: str
) -> None:
    poor = new_person("poor@example.com", amount)
    page = poor.send(at_review(poor, interior=3).forms["place"], status=402)
    (link,) = page.html.select("#buy-missing")
    assert link.text.startswith(f"Buy {missing} credit")
    assert link["href"].startswith(f"/credits?credits={missing}&draft=dft_")
    assert link["href"].endswith("#buy")


def test_a_price_that_changed_meanwhile_needs_a_second_press(person: Person, container: Container) -> None:
    form = at_review(person).forms["place"]
    form["total"].force_value("0.25")
    page = person.send(form, status=409)
    assert "The price changed from 0.25 credits to 0.5 credits" in page.text
    assert reading.found(container, select(Job)) == []
    person.send(page.forms["place"])
    assert len(reading.found(container, select(Job))) == 1


def test_a_total_that_no_page_showed_places_nothing(
    person: Person, container: Container, subtests: pytest.Subtests
) -> None:
    review = at_review(person)
    for total in ("", "x", "-1", "NaN", "sNaN", "Infinity", "1e99999999", "0.5" + "0" * 10_000):
        with subtests.test(total=total):
            form = review.forms["place"]
            form["total"].force_value(total)
            person.send(form, status=409)
            assert reading.found(container, select(Job)) == []


def test_an_order_changed_in_another_tab_is_not_placed_unseen(person: Person, container: Container) -> None:
    review = at_review(person)
    form = person.open(f"/drafts/{draft_of(person, container).id}/address?back=board").forms["step"]
    form["street"] = "14 Garden Lane"
    person.send(form)
    page = person.send(review.forms["place"], status=409)
    assert "changed in another tab" in page.text
    assert "14 Garden Lane" in page.text
    assert reading.found(container, select(Job)) == []


def test_a_discarded_draft_is_gone_with_its_files(person: Person, container: Container) -> None:
    at_enhancements(person, interior=2)
    draft = draft_of(person, container)
    page = person.open(f"/drafts/{draft.id}/delete")
    assert "2 photos" in page.text
    person.send(page.forms["discard"])
    person.open(f"/drafts/{draft.id}", status=404)
    assert not list(container.settings.storage_path.rglob("interior-*"))


def service_of(page: TestResponse) -> str:
    return " ".join(page.html.select_one("#service-line").text.split())


def test_what_the_photos_show_decides_what_the_order_is_for(person: Person, container: Container) -> None:
    page = at_photos(person)
    assert service_of(page) == "Service type: by your photos"
    page = add(person, page, "a.jpg", "b.jpg")
    page = act(person, page, "type-interior", "b.jpg")
    page = act(person, page, "type-exterior", "a.jpg")
    assert service_of(page) == "Service type: exterior and interior (1 exterior, 1 interior)"
    page = act(person, page, "type-interior", "a.jpg")
    assert service_of(page) == "Service type: interior (2 interior)"


def test_a_service_type_that_was_chosen_leaves_other_photos_out_of_the_order(
    person: Person, container: Container
) -> None:
    form = at_each(person, interior=1, exterior=1).forms["service-form"]
    form["service_type"] = "interior"
    page = person.send(form)
    assert service_of(page) == "Service type: interior (1 interior)"
    assert "Not in this order: its service type does not cover exterior photos." in page.html.text
    assert names(page) == ["exterior1.jpg", "interior1.jpg"]
    page = act(person, page, "move-later", "exterior1.jpg")
    person.send(page.forms["place"])
    (job,) = reading.found(container, select(Job))
    assert (job.service_type, job.exterior_count, job.credit_cost) == ("interior", 0, Decimal("0.5"))


def test_an_order_placed_just_after_it_was_looked_for_leads_to_its_page_too(
    person: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = at_review(person)
    path, form = board_of(person, container), page.forms["place"]
    person.send(form)
    monkeypatch.setattr(steps, "_is_unplaced", lambda _: True)
    again = person.web.post(f"{path}/place", form.submit_fields())
    assert (again.status_code, again.headers["Location"]) == (303, path)
    assert person.web.get(path).headers["Location"] == path
