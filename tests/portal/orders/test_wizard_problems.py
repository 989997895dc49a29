"""What keeps a draft from being an order is told where the wizard can mend it."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.catalog import ServiceType
from app.domain.draft_orders import as_order, to_body
from app.domain.drafts import Content, DraftOrder, Step
from app.domain.field_errors import Fault, FaultCode
from app.domain.order_files import MAX_PHOTOS
from app.domain.pricing import quote
from app.portal.orders.wizard.problems import Problem, find_problems, problems_of
from app.web.fault_messages import MESSAGES
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import RoomType, Style
from tests.drafts import FLOOR, E, draft_of, renovated


def where(draft: DraftOrder) -> list[tuple[Step, str | None, str]]:
    return [(problem.step, problem.photo_id, problem.field) for problem in find_problems(draft)]


def test_a_complete_draft_is_the_order_that_the_api_would_be_sent() -> None:
    request = EditRequest(enhancements=(E.STAGING,), staging=Staging(style=Style.COASTAL))
    draft = draft_of(EditRequest(), request, renovated(FLOOR))
    order = as_order(draft)
    assert order.address == "12 Garden Lane, Springfield, IL 62704"
    requests = [photo.edit_request for photo in order.photos()]
    assert [request.steps for request in requests] == [[E.SKY], [E.HDR], [E.STAGING], [E.RENOVATION]]
    assert (requests[2].staging.style, requests[2].staging.room_type) == (Style.COASTAL, RoomType.OTHER)
    assert requests[3].changes[0].reference_text == "Oiled oak"
    assert find_problems(draft) == []


def test_an_empty_draft_lacks_something_on_every_page_and_costs_nothing() -> None:
    empty = DraftOrder("ups_x", Content(), [], {}, False)
    assert where(empty)[:2] == [(Step.ADDRESS, None, "street"), (Step.PHOTOS, None, "files")]
    assert quote(empty.priced()).credits == 0


LACKS = [
    (draft_of(EditRequest(), street="?", city="", region="", postcode=""), (Step.ADDRESS, None, "street")),
    (draft_of(EditRequest(), street="x" * 300), (Step.ADDRESS, None, "street")),
    (draft_of(exterior=0, service_type=None), (Step.PHOTOS, None, "files")),
    (draft_of(exterior=1), (Step.PHOTOS, None, "interior")),
    (draft_of(EditRequest(), exterior=0), (Step.PHOTOS, None, "exterior")),
    (draft_of(EditRequest(), exterior=0, imagery=True), (Step.PHOTOS, None, "exterior")),
    (draft_of(EditRequest(), interior_enhancements=()), (Step.ENHANCEMENTS, "in0", "enhancements")),
    (draft_of(EditRequest(enhancements=())), (Step.ENHANCEMENTS, "in0", "enhancements")),
    (draft_of(EditRequest(enhancements=(E.SKY,))), (Step.ENHANCEMENTS, "in0", "enhancements")),
    (draft_of(EditRequest(), interior_enhancements=(E.SKY,)), (Step.ENHANCEMENTS, None, "interior")),
    (draft_of(renovated()), (Step.ENHANCEMENTS, "in0", "changes")),
    (
        draft_of(
            EditRequest(), renovated(RenovationChange(reference_text="x", change_description="Wide oak boards"))
        ),
        (Step.ENHANCEMENTS, "in1", "changes-0-change_type"),
    ),
    (
        draft_of(renovated(FLOOR, replace(FLOOR, change_description="Oak"))),
        (Step.ENHANCEMENTS, "in0", "changes-1-description"),
    ),
    (
        draft_of(renovated(replace(FLOOR, change_description="As in the show home", reference_text=""))),
        (Step.ENHANCEMENTS, "in0", "changes-0-reference_text"),
    ),
    (
        draft_of(renovated(replace(FLOOR, reference_images=("r",))), references={"r": "k/r"}),
        (Step.ENHANCEMENTS, "in0", "changes-0-reference_text"),
    ),
    (
        draft_of(renovated(replace(FLOOR, reference_text="x" * 3000))),
        (Step.ENHANCEMENTS, "in0", "changes-0-reference_text"),
    ),
]


@pytest.mark.parametrize(("draft", "place"), LACKS)
def test_what_is_missing_is_told_where_it_can_be_mended(
    draft: DraftOrder, place: tuple[Step, str | None, str]
) -> None:
    assert where(draft) == [place]


def test_no_lack_is_told_in_the_words_of_the_interface() -> None:
    words = ("Enhancements[", "Files", "referenceText", "changeDescription", "serviceType", "Must be one of")
    every = [problem.message for draft, _ in LACKS for problem in find_problems(draft)]
    assert [text for text in every if any(word in text for word in words)] == []
    assert "Must have at most 2000 characters." in every


def test_a_renovation_that_cannot_be_read_does_not_hide_what_others_lack() -> None:
    draft = draft_of(renovated(replace(FLOOR, change_description="")), renovated(), renovated(FLOOR))
    assert {problem.photo_id for problem in find_problems(draft)} == {"in0", "in1"}


def test_every_photo_without_an_enhancement_is_named() -> None:
    assert {
        problem.photo_id
        for problem in find_problems(draft_of(EditRequest(), EditRequest(), interior_enhancements=()))
    } == {
        "in0",
        "in1",
    }


def test_a_file_that_went_away_is_told_at_its_photo() -> None:
    (problem,) = problems_of(
        draft_of(EditRequest(), EditRequest()), [Fault(("interiorFiles", 1, "filePath"), FaultCode.NOT_UPLOADED)]
    )
    assert (problem.step, problem.photo_id) == (Step.PHOTOS, "in1")
    assert problem == Problem(Step.PHOTOS, "This file no longer exists. Remove it and add it again.", "in1")


def test_details_that_no_longer_apply_are_kept_but_not_ordered() -> None:
    request = EditRequest(enhancements=(E.HDR,), staging=Staging(style=Style.COASTAL), changes=(FLOOR,))
    data = to_body(draft_of(request))
    assert (data["virtualStaging"], data["renovations"]) == ({}, {})
    assert find_problems(draft_of(request)) == []


def test_public_imagery_stands_in_only_where_it_was_chosen_and_no_photo_is_there() -> None:
    chosen = {"exterior": 0, "imagery": True, "public_imagery": True}
    assert draft_of(EditRequest(), **chosen).from_imagery
    assert find_problems(draft_of(EditRequest(), **chosen)) == []
    assert quote(draft_of(EditRequest(), **chosen).priced()).credits == Decimal("1.5")
    assert not draft_of(EditRequest(), **chosen | {"exterior": 1}).from_imagery
    assert not draft_of(EditRequest(), **chosen | {"imagery": False}).from_imagery
    assert not draft_of(EditRequest(), **chosen | {"service_type": ServiceType.INTERIOR}).from_imagery


def test_a_draft_takes_more_photos_than_an_order_and_each_is_judged() -> None:
    assert find_problems(draft_of(*[renovated(FLOOR)] * MAX_PHOTOS, exterior=MAX_PHOTOS)) == []
    many = [*[EditRequest()] * (2 * MAX_PHOTOS), renovated()]
    assert where(draft_of(*many)) == [(Step.ENHANCEMENTS, f"in{2 * MAX_PHOTOS}", "changes")]


def test_the_interface_has_words_for_every_fault() -> None:
    assert set(MESSAGES) == set(FaultCode)
