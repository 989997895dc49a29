"""Splits a draft with more photos than one order may have into several orders."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from math import ceil

from app.domain.drafts import DraftOrder
from app.domain.field_errors import Fault, Location
from app.domain.order_files import MAX_PHOTOS
from app.domain.pricing import Quote, QuoteLine, quote
from engine.types.enhancements import PhotoType


def split(draft: DraftOrder, max_photos: int = MAX_PHOTOS) -> list[DraftOrder]:
    """The orders that the draft becomes, each with at most `max_photos` of a type; often only the draft itself.

    The photos of each type fill one order after the other, so that few orders are charged the price per property.
    """
    photos = {kind: draft.photos_of(kind) for kind in PhotoType}
    count = max(1, *(ceil(len(of_kind) / max_photos) for of_kind in photos.values()))
    if count == 1:
        return [draft]
    parts = []
    for place in range(count):
        own = {kind: of_kind[place * max_photos : (place + 1) * max_photos] for kind, of_kind in photos.items()}
        kinds = {kind for kind, of_kind in own.items() if of_kind}
        imagery = draft.content.public_imagery and draft.from_imagery and place == 0
        own_choice = {"public_imagery": imagery, "service_type": None}
        content = draft.content.model_copy(update=own_choice).for_photos(kinds)
        parts.append(replace(draft, content=content, photos=[photo for kind in PhotoType for photo in own[kind]]))
    return parts


def relocate_faults(faults: Iterable[Fault], before: Sequence[DraftOrder]) -> list[Fault]:
    """The faults of one order of the draft, with the indexes that files and photos have in the whole draft.

    `before`: the draft's orders that come before this order.
    """
    photos = {kind: [photo for part in before for photo in part.photos_of(kind)] for kind in PhotoType}
    files = {f"{kind}Files": sum(len(each.storage_keys) for each in of_kind) for kind, of_kind in photos.items()}
    rooms = len(photos[PhotoType.INTERIOR])
    return [replace(fault, where=_in_draft(fault.where, files, rooms)) for fault in faults]


def _in_draft(where: Location, files: Mapping[str, int], rooms: int) -> Location:
    match where:
        case ("exteriorFiles" | "interiorFiles" as field, int(index), *rest):
            return (field, index + files[field], *rest)
        case ("renovations" | "virtualStaging" as field, str(index), *rest):
            return (field, str(int(index) + rooms), *rest)
    return where


def price(draft: DraftOrder) -> Quote:
    """The price of all orders of the draft together, with lines of the same label and price added up."""
    quotes = [quote(part.priced()) for part in split(draft)]
    if len(quotes) == 1:
        return quotes[0]
    warnings = dict.fromkeys(text for each in quotes for text in each.warnings)
    return Quote(tuple(_add_up([line for each in quotes for line in each.lines])), tuple(warnings))


def _add_up(lines: Sequence[QuoteLine]) -> list[QuoteLine]:
    sums: dict[tuple[str, Decimal], QuoteLine] = {}
    for line in lines:
        kind = line.label, line.unit_credits
        before = sums[kind].quantity if kind in sums else 0
        sums[kind] = replace(sums.get(kind, line), quantity=before + line.quantity)
    return list(sums.values())
