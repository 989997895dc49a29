"""Drafts for tests of what an order lacks and what it becomes."""

from typing import Any

from app.domain.catalog import ServiceType
from app.domain.drafts import Content, DraftedPhoto, DraftOrder
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement, PhotoType

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
