"""A draft is judged and priced by the very rules of an order, however little of it there is."""

from decimal import Decimal
from typing import Any

import pytest

from app.domain.catalogue import ChangeType, Enhancement, PhotoType, RoomType, ServiceType, Style
from app.domain.draft_orders import as_data, as_order
from app.domain.drafts import Content, DraftedPhoto, DraftOrder, Step, read
from app.domain.edit_requests import EditRequest, RenovationChange, Staging
from app.domain.errors import InvalidFields
from app.domain.faults import Fault, FaultCode
from app.domain.orders import MAX_PHOTOS
from app.domain.pricing import quote
from app.portal.orders.wizard.problems import Problem, find_problems, problems_of

E = Enhancement
FLOOR = RenovationChange(
    change_type=ChangeType.FLOOR, change_description="Wide oak boards", reference_text="Oiled oak"
)
CONTENT = Content(
    street="12 Garden Lane",
    city="Springfield",
    region="IL",
    postcode="62704",
    service_type=ServiceType.BOTH,
    exterior_enhancements=(E.SKY,),
    interior_enhancements=(E.HDR,),
)


def draft_of(
    *requests: EditRequest,
    exterior: int = 1,
    imagery: bool = False,
    references: dict[str, str] | None = None,
    **said: Any,
) -> DraftOrder:
    """A draft with an interior photo for each edit request."""
    outside = [
        DraftedPhoto(f"out{n}", PhotoType.EXTERIOR, f"out{n}.jpg", f"k/out-{n}", EditRequest())
        for n in range(exterior)
    ]
    inside = [
        DraftedPhoto(f"in{n}", PhotoType.INTERIOR, f"in{n}.jpg", f"k/in-{n}", request)
        for n, request in enumerate(requests)
    ]
    content = CONTENT.model_copy(update=said)
    return DraftOrder("ups_x", content, [*outside, *inside], references or {}, imagery)


def renovated(*changes: RenovationChange) -> EditRequest:
    return EditRequest(enhancements=(E.RENOVATION,), changes=changes)


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


@pytest.mark.parametrize("order_of", ["as shown", "turned round"])
def test_a_complete_draft_costs_what_its_order_costs(order_of: str) -> None:
    requests = [EditRequest(), EditRequest(enhancements=(E.STAGING, E.HDR)), renovated(FLOOR, FLOOR)]
    draft = draft_of(*(requests if order_of == "as shown" else reversed(requests)))
    assert quote(draft.priced()) == quote([photo.priced for photo in as_order(draft).photos()])
    assert quote(draft.priced()).credits == Decimal("5")


def test_an_empty_draft_lacks_something_on_every_page_and_costs_nothing() -> None:
    empty = DraftOrder("ups_x", Content(), [], {}, False)
    assert where(empty)[:2] == [(Step.ADDRESS, None, "street"), (Step.SERVICE, None, "service_type")]
    assert quote(empty.priced()).credits == 0


LACKS = [
    (draft_of(EditRequest(), street="?", city="", region="", postcode=""), (Step.ADDRESS, None, "street")),
    (draft_of(EditRequest(), street="x" * 300), (Step.ADDRESS, None, "street")),
    (draft_of(EditRequest(), service_type=None), (Step.SERVICE, None, "service_type")),
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
        draft_of(renovated(FLOOR, FLOOR.model_copy(update={"change_description": "Oak"}))),
        (Step.ENHANCEMENTS, "in0", "changes-1-description"),
    ),
    (
        draft_of(renovated(FLOOR.model_copy(update={"reference_text": ""}))),
        (Step.ENHANCEMENTS, "in0", "changes-0-reference_text"),
    ),
    (
        draft_of(renovated(FLOOR.model_copy(update={"reference_images": ("r",)})), references={"r": "k/r"}),
        (Step.ENHANCEMENTS, "in0", "changes-0-reference_text"),
    ),
    (
        draft_of(renovated(FLOOR.model_copy(update={"reference_text": "x" * 3000}))),
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
    draft = draft_of(renovated(FLOOR.model_copy(update={"change_description": ""})), renovated(), renovated(FLOOR))
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
    assert problem == Problem(Step.PHOTOS, "This file is no longer there. Remove it and add it again.", "in1")


def test_photos_that_the_service_does_not_cover_are_no_part_of_the_order() -> None:
    draft = draft_of(EditRequest(), service_type=ServiceType.INTERIOR)
    assert as_data(draft)["exteriorFiles"] == []
    assert as_order(draft).service_type is ServiceType.INTERIOR
    assert [photo.type for photo in draft.priced()] == [PhotoType.INTERIOR]


def test_details_that_no_longer_apply_are_kept_but_not_ordered() -> None:
    request = EditRequest(enhancements=(E.HDR,), staging=Staging(style=Style.COASTAL), changes=(FLOOR,))
    data = as_data(draft_of(request))
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


def test_reference_pictures_go_as_keys_and_those_of_nobody_knows_whom_do_not_go() -> None:
    change = FLOOR.model_copy(update={"reference_text": "", "reference_images": ("mine", "theirs")})
    draft = draft_of(renovated(change), references={"mine": "k/ref"})
    assert as_data(draft)["renovations"]["0"][0]["referenceImages"] == ["k/ref"]


def test_a_draft_takes_as_many_photos_as_an_order() -> None:
    assert find_problems(draft_of(*[renovated(FLOOR)] * MAX_PHOTOS, exterior=MAX_PHOTOS)) == []
    assert where(draft_of(*[EditRequest()] * (MAX_PHOTOS + 1)))[0] == (Step.PHOTOS, None, "interior")


@pytest.mark.parametrize("field", ["street", "city", "region", "postcode"])
def test_fields_that_nobody_types_are_refused(field: str) -> None:
    for text in ("x" * 10_000, "a\x00b"):
        with pytest.raises(InvalidFields) as refused:
            read(Content, {field: text})
        assert [fault.where for fault in refused.value.faults] == [(field,)]


def test_a_mark_tells_edit_requests_apart() -> None:
    assert EditRequest().mark == EditRequest().mark
    assert EditRequest().mark != EditRequest(enhancements=()).mark
