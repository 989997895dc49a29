"""A draft is judged and priced by the very rules of an order, however little of it there is."""

from dataclasses import replace
from decimal import Decimal

import pytest

from app.domain.catalog import ServiceType
from app.domain.draft_orders import as_order, to_body
from app.domain.drafts import Content, read
from app.domain.errors import InvalidFields
from app.domain.pricing import quote
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType
from tests.drafts import FLOOR, E, draft_of, renovated


@pytest.mark.parametrize("order_of", ["as shown", "turned round"])
def test_a_complete_draft_costs_what_its_order_costs(order_of: str) -> None:
    requests = [EditRequest(), EditRequest(enhancements=(E.STAGING, E.HDR)), renovated(FLOOR, FLOOR)]
    draft = draft_of(*(requests if order_of == "as shown" else reversed(requests)))
    assert quote(draft.priced()) == quote([photo.priced for photo in as_order(draft).photos()])
    assert quote(draft.priced()).credits == Decimal("5")


def test_photos_that_the_service_does_not_cover_are_no_part_of_the_order() -> None:
    draft = draft_of(EditRequest(), service_type=ServiceType.INTERIOR)
    assert to_body(draft)["exteriorFiles"] == []
    assert as_order(draft).service_type is ServiceType.INTERIOR
    assert [photo.type for photo in draft.priced()] == [PhotoType.INTERIOR]


def test_reference_pictures_go_as_keys_and_those_of_nobody_knows_whom_do_not_go() -> None:
    change = replace(FLOOR, reference_text="", reference_images=("mine", "theirs"))
    draft = draft_of(renovated(change), references={"mine": "k/ref"})
    assert to_body(draft)["renovations"]["0"][0]["referenceImages"] == ["k/ref"]


@pytest.mark.parametrize("field", ["street", "city", "region", "postcode"])
def test_fields_that_nobody_types_are_refused(field: str) -> None:
    for text in ("x" * 10_000, "a\x00b"):
        with pytest.raises(InvalidFields) as refused:
            read(Content, {field: text})
        assert [fault.where for fault in refused.value.faults] == [(field,)]


def test_a_mark_tells_edit_requests_apart() -> None:
    assert EditRequest().mark == EditRequest().mark
    assert EditRequest().mark != EditRequest(enhancements=()).mark
