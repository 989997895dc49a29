"""What remains of an order without what would be declined: it can be ordered as it is, or nothing of it remains."""

from dataclasses import replace

import pytest

from app.domain import draft_parts
from app.domain.catalog import ServiceType
from app.domain.draft_orders import as_order
from app.domain.left_out import Unlikely, keep_possible, leave_out
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType
from tests.drafts import FLOOR, draft_of, renovated

E = Enhancement
SKY, HDR = Unlikely(frozenset({E.SKY})), Unlikely(frozenset({E.HDR}))
WALLS = RenovationChange(ChangeType.WALLS, "Warm white walls", "Warm white")


def test_what_would_be_declined_is_neither_in_the_order_nor_in_its_price() -> None:
    rooms = EditRequest(enhancements=(E.STAGING, E.DECLUTTER)), EditRequest()
    rest = keep_possible(draft_of(*rooms), {"in0": Unlikely(frozenset({E.STAGING}))})
    order = as_order(rest)
    assert [photo.edit_request.steps for photo in order.photos()] == [[E.SKY], [E.DECLUTTER], [E.HDR]]
    assert draft_parts.price(rest).credits == 1 + 1


@pytest.mark.parametrize("chosen", [ServiceType.BOTH, ServiceType.INTERIOR])
def test_a_service_type_covers_what_remains(chosen: ServiceType) -> None:
    draft = draft_of(EditRequest(), service_type=chosen, public_imagery=True, imagery=True)
    rest = keep_possible(draft, {"out0": SKY})
    order = as_order(rest)
    assert order.service_type is ServiceType.INTERIOR
    assert [photo.type for photo in order.photos()] == [PhotoType.INTERIOR], "public imagery replaces nothing"


def test_public_imagery_stays_where_the_rooms_are_left_out() -> None:
    draft = draft_of(EditRequest(), exterior=0, imagery=True, public_imagery=True)
    rest = keep_possible(draft, {"in0": HDR})
    assert [(photo.type, photo.files) for photo in as_order(rest).photos()] == [(PhotoType.EXTERIOR, ())]


def test_a_type_that_was_missing_before_is_missing_still() -> None:
    draft = draft_of(EditRequest(), EditRequest(), exterior=0)
    assert keep_possible(draft, {"in0": HDR}).content.service_type is ServiceType.BOTH


@pytest.mark.parametrize("chosen", [ServiceType.BOTH, ServiceType.EXTERIOR])
def test_nothing_may_remain(chosen: ServiceType) -> None:
    draft = draft_of(EditRequest(), service_type=chosen, public_imagery=True, imagery=True)
    rest = keep_possible(draft, {"out0": SKY, "in0": HDR})
    assert not rest.priced()
    assert draft_parts.price(rest).credits == 0


def test_all_stays_that_is_ordered_anyway() -> None:
    draft = draft_of(EditRequest(), orders_declined=True)
    assert keep_possible(draft, {"out0": SKY}) == draft


def test_photos_that_are_not_sorted_stay() -> None:
    draft = draft_of(EditRequest())
    draft = replace(draft, photos=[replace(photo, is_sorted=photo.id != "in0") for photo in draft.photos])
    assert [photo.id for photo in keep_possible(draft, {"out0": SKY}).photos] == ["in0"]


def test_of_a_renovation_the_other_changes_remain() -> None:
    request = replace(renovated(WALLS, FLOOR), enhancements=(E.RENOVATION, E.HDR))
    assert leave_out(request, Unlikely(changes=frozenset({0}))) == replace(request, changes=(FLOOR,))
    assert leave_out(request, Unlikely(changes=frozenset({0, 1}))).steps == [E.HDR]
