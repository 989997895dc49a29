"""What would be declined is neither priced nor ordered, unless it is ordered anyway."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.catalog import ServiceType
from app.models import Job, Photo
from app.services.orders import draft_photos, drafts
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.hints import LengthHint, RoomHint, SceneHints
from tests import reading
from tests.conftest import develop, look
from tests.drafts import FLOOR, renovated
from tests.portal.orders.outlooks import TWO_COLORS, Reader, checked, looked_at, said, with_houses, with_room
from tests.portal.orders.wizard import at_each, board_of, draft_of, photos_of
from tests.portal.person import Person

E = Enhancement
BOTH = {"exterior": ["grass_enhancement", "sky_enhancement"], "interior": ["virtual_staging", "hdr_enhancement"]}
NOTHING = "Nothing you chose can be done as the photos are."


@pytest.fixture(autouse=True)
def reader(container: Container) -> Reader:
    container.outlooks = reader = Reader()
    return reader


def basket(page: Any) -> str:
    """What the basket says of effects that would be declined."""
    return " ".join(page.html.select_one("#left-out p").text.split())


def total(page: Any) -> str:
    return str(page.html.select_one("#total").text)


def press(person: Person, page: Any) -> Any:
    """Press the button that orders it anyway, or leaves it out again."""
    return person.send(page.forms["left-out"], "order_declined")


def ordered(container: Container) -> Mapping[str, Sequence[Enhancement]]:
    return {photo.file_name: photo.edit_request.steps for photo in reading.found(container, select(Photo))}


def costs(container: Container) -> Sequence[Decimal]:
    return reading.found(container, select(Job.credit_cost))


def say(person: Person, container: Container, request: EditRequest) -> None:
    """Store this for the draft's only photo."""
    with container.database.unit_of_work() as session:
        draft = drafts.get_open(session, person.account_id, draft_of(person, container).id)
        (photo,) = draft_photos.get_all(session, draft)
        draft_photos.write(session, draft, photo.id, request, container.clock())


def test_what_would_be_declined_is_neither_charged_nor_ordered(person: Person, container: Container) -> None:
    page = looked_at(person, container, **BOTH)
    assert total(page) == "2.5 credits"
    assert basket(page) == (
        "Not included: green lawn on 1 photo and virtual staging on 1 photo, which would be declined."
    )
    link = page.html.select_one("#left-out a")["href"]
    assert "exterior2.jpg" in page.html.select_one(link).text
    person.send(page.forms["place"])
    assert ordered(container) == {
        "exterior1.jpg": [E.GRASS, E.SKY],
        "exterior2.jpg": [E.SKY],
        "interior1.jpg": [E.HDR],
    }
    assert costs(container) == [Decimal("2.5")]


def test_it_can_be_ordered_anyway_and_left_out_again(person: Person, container: Container) -> None:
    page = press(person, looked_at(person, container, **BOTH))
    assert total(page) == "3.5 credits"
    assert basket(page).startswith("Ordered anyway: green lawn on 1 photo")
    page = press(person, page)
    assert total(page) == "2.5 credits"
    page = press(person, page)
    person.send(page.forms["place"])
    assert ordered(container)["interior1.jpg"] == [E.STAGING, E.HDR]
    assert costs(container) == [Decimal("3.5")]


def test_a_photo_of_which_nothing_is_left_is_not_ordered(person: Person, container: Container) -> None:
    page = looked_at(person, container, exterior=["grass_enhancement"], interior=["virtual_staging"])
    assert "Nothing is left for 2 photos, so they are not ordered." in basket(page)
    assert ["Not ordered" in shot.text for shot in page.html.select(".shot")] == [False, True, True]
    person.send(page.forms["place"])
    assert ordered(container) == {"exterior1.jpg": [E.GRASS]}
    (job,) = reading.found(container, select(Job))
    assert (job.service_type, job.credit_cost) == (ServiceType.EXTERIOR, 1)


def test_an_order_of_which_nothing_is_left_is_not_placed(person: Person, container: Container) -> None:
    with_room(person, "virtual_staging")
    page = checked(person, container)
    assert NOTHING in page.html.select_one(".lacks").text
    assert "nothing to pay" in page.html.select_one("#basket").text
    page = person.send(page.forms["place"], status=422)
    assert NOTHING in page.html.select_one(".summary").text
    assert not reading.count(container, Job)
    person.send(press(person, page).forms["place"])
    assert ordered(container) == {"interior1.jpg": [E.STAGING]}


def test_what_was_found_out_since_the_order_was_shown_is_told_before_anything_is_charged(
    person: Person, container: Container
) -> None:
    with_houses(person, **BOTH)
    develop(container)
    shown = person.open(board_of(person, container))
    assert "3 photos are still being checked" in shown.html.select_one("#checking").text
    look(container)
    page = person.send(shown.forms["place"], status=409)
    assert "The price changed from 3.5 credits to 2.5 credits." in page.text
    assert not reading.count(container, Job)
    person.send(page.forms["place"])
    assert costs(container) == [Decimal("2.5")]


def test_another_order_at_the_same_price_is_shown_first_too(person: Person, container: Container) -> None:
    with_houses(person, exterior=BOTH["exterior"], interior=["hdr_enhancement"])
    develop(container)
    shown = person.open(board_of(person, container))
    look(container)
    page = person.send(shown.forms["place"], status=409)
    assert "The order was changed in another tab, or photos were checked meanwhile." in page.text
    assert total(page) == total(shown)
    assert not reading.count(container, Job)


def test_what_is_found_out_while_the_order_is_being_placed_is_told_before_anything_is_charged(
    person: Person, container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_houses(person, **BOTH)
    develop(container)
    shown, stat = person.open(board_of(person, container)), container.storage.stat

    def look_meanwhile(key: str) -> Any:
        look(container)
        return stat(key)

    monkeypatch.setattr(container.storage, "stat", look_meanwhile)
    page = person.send(shown.forms["place"], status=409)
    assert "The price changed from 3.5 credits to 2.5 credits." in page.text
    assert not reading.count(container, Job)


def test_an_order_of_which_all_turned_out_to_be_declined_is_told(person: Person, container: Container) -> None:
    with_room(person, "virtual_staging")
    develop(container)
    shown = person.open(board_of(person, container))
    look(container)
    page = person.send(shown.forms["place"], status=422)
    assert NOTHING in page.html.select_one(".summary").text
    assert not reading.count(container, Job)


def test_an_order_that_is_still_being_checked_is_placed_as_chosen(person: Person, container: Container) -> None:
    with_room(person, "virtual_staging")
    develop(container)
    person.send(person.open(board_of(person, container)).forms["place"])
    assert ordered(container) == {"interior1.jpg": [E.STAGING]}


def test_of_a_renovation_the_changes_that_can_be_done_are_ordered(person: Person, container: Container) -> None:
    at_each(person)
    say(person, container, renovated(FLOOR, RenovationChange(ChangeType.WALLS, "Red and white walls", "Red")))
    page = checked(person, container)
    assert basket(page) == "Not included: virtual renovation (walls) on 1 photo, which would be declined."
    assert f"Virtual renovation. Walls: {TWO_COLORS}" in said(page)["interior1.jpg"]
    assert total(page) == "1 credit"
    person.send(page.forms["place"])
    (photo,) = reading.found(container, select(Photo))
    assert photo.edit_request.changes == (FLOOR,)


def test_a_photo_comes_back_once_somebody_said_what_it_shows(person: Person, container: Container) -> None:
    with_room(person, "virtual_staging")
    assert "Not included" in basket(checked(person, container))
    (photo,) = photos_of(person, container)
    say(
        person,
        container,
        replace(photo.edit_request, hints=SceneHints(room=RoomHint(length=LengthHint((0, 1), (1, 1), 4)))),
    )
    page = checked(person, container)
    assert not page.html.select("#left-out")
    assert total(page) == "1 credit"


def test_the_board_comes_anew_as_soon_as_something_would_be_declined(person: Person, container: Container) -> None:
    with_houses(person, **BOTH)
    develop(container)
    poll = person.open(board_of(person, container)).html.select_one("#forecasts")["data-hx-get"]
    look(container)
    assert person.fragment(poll).html.select_one("#forecasts")["data-hx-trigger"] == "load"


def test_a_button_that_the_board_does_not_have_changes_nothing(person: Person, container: Container) -> None:
    at_each(person)
    person.post(f"{board_of(person, container)}/declined", order_declined="maybe", status=422)
    assert not drafts.content_of(draft_of(person, container)).orders_declined


def test_the_price_of_choices_that_are_not_saved_counts_what_can_be_done(
    person: Person, container: Container
) -> None:
    with_room(person, "virtual_staging", "hdr_enhancement")
    checked(person, container)
    (photo,) = photos_of(person, container)

    def price(*chosen: str) -> str:
        sent = [("csrf_token", person.token()), ("photo", photo.id), ("list", "own")]
        sent += [("enhancements", each) for each in chosen]
        return str(person.web.post(f"/drafts/{photo.draft_id}/price/photo", sent).text).strip()

    assert price("virtual_staging", "hdr_enhancement").startswith("0.5 credits")
    assert price("virtual_staging", "declutter").startswith("1.5 credits"), "nobody has looked at that"
