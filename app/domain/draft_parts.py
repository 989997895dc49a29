"""A draft with more photos than an order takes, as the several orders that it becomes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from app.domain.drafts import DraftOrder
from app.domain.field_errors import Fault, Location
from app.domain.order_files import MAX_PHOTOS
from app.domain.pricing import Quote, QuoteLine, quote
from engine.types.enhancements import PhotoType


def split(draft: DraftOrder, most: int = MAX_PHOTOS) -> list[DraftOrder]:
    """The orders, each with at most so many photos of a type; the draft itself where one is enough.

    The first ones are full, so that the price per property is charged for as few of them as may be.
    """
    photos = {kind: draft.photos_of(kind) for kind in PhotoType}
    count = max(1, *(-(-len(mine) // most) for mine in photos.values()))
    if count == 1:
        return [draft]
    parts = []
    for place in range(count):
        mine = {kind: each[place * most : (place + 1) * most] for kind, each in photos.items()}
        kinds = {kind for kind, each in mine.items() if each}
        imagery = draft.content.public_imagery and draft.from_imagery and place == 0
        content = draft.content.model_copy(update={"public_imagery": imagery}).for_photos(kinds)
        parts.append(replace(draft, content=content, photos=[each for kind in PhotoType for each in mine[kind]]))
    return parts


def place_faults(faults: Iterable[Fault], before: Sequence[DraftOrder]) -> list[Fault]:
    """Faults of the order after these, told of files and photos as the whole draft counts them."""
    photos = {kind: [photo for part in before for photo in part.photos_of(kind)] for kind in PhotoType}
    files = {f"{kind}Files": sum(len(photo.storage_keys) for photo in mine) for kind, mine in photos.items()}
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
    """What all the orders cost together, lines of one kind added up."""
    quotes = [quote(part.priced()) for part in split(draft)]
    if len(quotes) == 1:
        return quotes[0]
    warnings = dict.fromkeys(text for each in quotes for text in each.warnings)
    return Quote(tuple(_add_up([line for each in quotes for line in each.lines])), tuple(warnings))


def _add_up(lines: Sequence[QuoteLine]) -> list[QuoteLine]:
    def kind(line: QuoteLine) -> tuple[str, str]:
        return line.label, str(line.unit_credits)

    order = {kind(line): place for place, line in reversed(list(enumerate(lines)))}
    ordered = sorted(lines, key=lambda line: order[kind(line)])
    alike = (list(same) for _, same in groupby(ordered, key=kind))
    return [replace(same[0], quantity=sum(each.quantity for each in same)) for same in alike]
