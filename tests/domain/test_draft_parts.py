"""A draft with more photos than an order takes becomes several orders, which cost and lack what is shown."""

from decimal import Decimal

import pytest

from app.domain import draft_parts
from app.domain.catalog import ServiceType
from app.domain.draft_orders import as_order
from app.domain.field_errors import Fault, FaultCode
from app.domain.pricing import quote
from app.domain.promises import EXTERIOR_PRICE
from engine.types.edit_request import EditRequest
from engine.types.enhancements import PhotoType
from tests.drafts import draft_of


@pytest.mark.parametrize(
    ("interior", "exterior", "counts"),
    [
        (0, 0, [(0, 0)]),
        (50, 50, [(50, 50)]),
        (51, 1, [(50, 1), (1, 0)]),
        (62, 0, [(50, 0), (12, 0)]),
        (3, 120, [(3, 50), (0, 50), (0, 20)]),
    ],
)
def test_orders_are_full_before_another_begins(interior: int, exterior: int, counts: list[tuple[int, int]]) -> None:
    parts = draft_parts.split(draft_of(*[EditRequest()] * interior, exterior=exterior))
    assert [
        tuple(len(part.photos_of(kind)) for kind in (PhotoType.INTERIOR, PhotoType.EXTERIOR)) for part in parts
    ] == counts
    if interior and exterior:
        assert all(as_order(part).photos() for part in parts)


def test_every_photo_is_in_exactly_one_order_in_its_place() -> None:
    draft = draft_of(*[EditRequest()] * 130, exterior=70)
    parts = draft_parts.split(draft)
    for kind in PhotoType:
        assert [photo.id for part in parts for photo in part.photos_of(kind)] == [
            photo.id for photo in draft.photos_of(kind)
        ]


def test_the_price_is_that_of_all_orders_and_the_outside_counts_for_as_few_as_may_be() -> None:
    draft = draft_of(*[EditRequest()] * 120, exterior=1)
    whole = draft_parts.price(draft)
    assert whole.credits == sum(quote(part.priced()).credits for part in draft_parts.split(draft)) == Decimal(61)
    assert [(line.label, line.quantity) for line in whole.lines] == [
        (f"{EXTERIOR_PRICE}: one enhancement", 1),
        ("HDR balance", 120),
    ]
    assert draft_parts.price(draft_of(exterior=51)).lines[0].quantity == 2


def test_public_imagery_stands_in_for_the_outside_of_the_first_order_alone() -> None:
    chosen = {"exterior": 0, "imagery": True, "public_imagery": True, "service_type": ServiceType.BOTH}
    first, second = draft_parts.split(draft_of(*[EditRequest()] * 51, **chosen))
    assert (first.from_imagery, second.from_imagery) == (True, False)
    assert (first.content.service_type, second.content.service_type) == (ServiceType.BOTH, ServiceType.INTERIOR)


def test_faults_of_a_later_order_are_told_of_the_photo_as_the_draft_counts_it() -> None:
    before = draft_parts.split(draft_of(*[EditRequest()] * 51))[:1]
    faults = [
        Fault(("interiorFiles", 2, "filePath"), FaultCode.NOT_UPLOADED),
        Fault(("renovations", "3", 0, "referenceImages", 1), FaultCode.NOT_UPLOADED),
        Fault(("address",), FaultCode.NO_PLACE),
    ]
    assert [fault.where for fault in draft_parts.relocate_faults(faults, before)] == [
        ("interiorFiles", 52, "filePath"),
        ("renovations", "53", 0, "referenceImages", 1),
        ("address",),
    ]
