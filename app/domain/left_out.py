"""Removes steps that would be declined from orders: the one rule by which drafts and quotes are priced and
placed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from app.domain.catalog import ServiceType
from app.domain.drafts import DraftedPhoto, DraftOrder
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, PhotoType


@dataclass(frozen=True, slots=True)
class Unlikely:
    """The work on one photo that would be declined: whole steps, and single changes of a renovation by their places
    from 0.
    """

    steps: frozenset[Enhancement] = frozenset()
    changes: frozenset[int] = frozenset()


def leave_out(request: EditRequest, declined: Unlikely) -> EditRequest:
    """The edit request without the steps and changes that would be declined; it has no steps if nothing remains."""
    changes = tuple(each for place, each in enumerate(request.changes) if place not in declined.changes)
    steps = [each for each in request.steps if each not in declined.steps]
    if request.changes and not changes:
        steps = [each for each in steps if each is not Enhancement.RENOVATION]
    return replace(request, enhancements=tuple(steps), changes=changes)


def keep_possible(draft: DraftOrder, declined: Mapping[str, Unlikely]) -> DraftOrder:
    """The draft as it is priced and ordered: without the steps in `declined` (by photo id), and without photos for
    which no step remains. Unchanged if the customer orders the declined steps anyway.

    If no photo remains, it cannot be ordered. Otherwise its service type covers what remains.
    """
    if draft.content.orders_declined or not declined:
        return draft
    photos = [kept for each in draft.photos if (kept := _reduce(draft, each, declined.get(each.id))) is not None]
    rest = replace(draft, photos=photos)
    emptied = {kind for kind in PhotoType if draft.photos_of(kind) and not rest.photos_of(kind)}
    # Public imagery does not replace photos that are left out.
    content = draft.content.model_copy(update={"public_imagery": draft.from_imagery})
    kinds = [kind for kind in PhotoType if content.covers(kind) and kind not in emptied]
    if emptied and kinds:
        content = content.model_copy(update={"service_type": ServiceType(kinds[0].value)})
    return replace(rest, content=content)


def _reduce(draft: DraftOrder, photo: DraftedPhoto, declined: Unlikely | None) -> DraftedPhoto | None:
    if declined is None:
        return photo
    rest = leave_out(draft.edit_request(photo), declined)
    if not rest.steps:
        return None
    own = replace(photo.edit_request, enhancements=rest.enhancements, changes=rest.changes)
    return replace(photo, edit_request=own)
