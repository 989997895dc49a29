"""The price of an order, by the catalog: the single computation that quotes, orders and refunds share."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.domain.catalog import ENTRIES, EXCLUSIVE, ONE, TWO, ZERO
from app.domain.promises import EXTERIOR_PRICE
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order


@dataclass(frozen=True, slots=True)
class PricedPhoto:
    """A photo with what its price depends on."""

    type: PhotoType
    edit_request: EditRequest


def make_priced_photo(*enhancements: Enhancement) -> PricedPhoto:
    """A photo with these enhancements, all of one group, and one renovation change, to calculate their price."""
    edit_request = EditRequest(enhancements=enhancements, changes=(RenovationChange(),))
    return PricedPhoto(ENTRIES[enhancements[0]].group, edit_request)


@dataclass(frozen=True, slots=True)
class QuoteLine:
    """One line of a quote: `quantity` times `unit_credits` is `credits`."""

    label: str
    enhancement: Enhancement | None
    quantity: int
    unit_credits: Decimal

    @property
    def credits(self) -> Decimal:
        """The price of the line."""
        return self.quantity * self.unit_credits


@dataclass(frozen=True, slots=True)
class Quote:
    """An itemized price, with warnings about the choices."""

    lines: tuple[QuoteLine, ...]
    warnings: tuple[str, ...]

    @property
    def credits(self) -> Decimal:
        """The total."""
        return sum((line.credits for line in self.lines), ZERO)


def step_price(enhancement: Enhancement, change_count: int) -> Decimal:
    """Credits for one step on one photo; a renovation is charged per change."""
    times = change_count if enhancement is Enhancement.RENOVATION else 1
    return ENTRIES[enhancement].image_price * times


def image_price(photo: PricedPhoto) -> Decimal:
    """Credits charged for this photo, without the price per property."""
    return sum((step_price(each, len(photo.edit_request.changes)) for each in photo.edit_request.steps), ZERO)


def property_price(photos: Iterable[PricedPhoto]) -> Decimal:
    """Credits charged once for all exterior photos together."""
    return price_outside(_list_outside(photos))


def price_outside(enhancements: Iterable[Enhancement]) -> Decimal:
    """The price per property of these exterior enhancements, no matter on how many photos each is used."""
    return sum((line.credits for line in _property_lines(in_pipeline_order(enhancements))), ZERO)


def quote(photos: Sequence[PricedPhoto]) -> Quote:
    """The itemized price of an order with these photos."""
    lines = _property_lines(_list_outside(photos)) + _image_lines(photos)
    return Quote(tuple(lines), tuple(_warnings(photos)))


def _list_outside(photos: Iterable[PricedPhoto]) -> Sequence[Enhancement]:
    outside = (photo.edit_request.steps for photo in photos if photo.type is PhotoType.EXTERIOR)
    return in_pipeline_order(each for enhancements in outside for each in enhancements)


def _property_lines(distinct: Sequence[Enhancement]) -> list[QuoteLine]:
    if not distinct:
        return []
    one = len(distinct) == 1
    label = f"{EXTERIOR_PRICE}: {'one enhancement' if one else 'two or more enhancements'}"
    base = QuoteLine(label, None, 1, ONE if one else TWO)
    extras = (ENTRIES[each] for each in distinct if ENTRIES[each].property_extra)
    return [base, *(QuoteLine(entry.label, entry.id, 1, entry.property_extra) for entry in extras)]


def _image_lines(photos: Sequence[PricedPhoto]) -> list[QuoteLine]:
    lines, requests = [], [photo.edit_request for photo in photos]
    for entry in ENTRIES.values():
        wanted = [each for each in requests if entry.image_price and entry.id in each.steps]
        quantity = sum(len(each.changes) if entry.id is Enhancement.RENOVATION else 1 for each in wanted)
        if quantity:
            lines.append(QuoteLine(entry.label, entry.id, quantity, entry.image_price))
    return lines


_BETTER_TOGETHER = (
    (
        Enhancement.FURNITURE_REMOVAL,
        Enhancement.STAGING,
        "Furniture removal without staging leaves an empty room.",
    ),
    (
        Enhancement.STAGING,
        Enhancement.FURNITURE_REMOVAL,
        "Staging adds furniture to what is there. If a room is not empty, remove the furniture too.",
    ),
)


def _warnings(photos: Sequence[PricedPhoto]) -> list[str]:
    rivals = ([each for each in EXCLUSIVE if each in photo.edit_request.steps] for photo in photos)
    found = [_describe_rivals(each) for each in dict.fromkeys(map(tuple, rivals)) if len(each) > 1]
    return found + [
        text for first, second, text in _BETTER_TOGETHER if any(_has_only(each, first, second) for each in photos)
    ]


def _describe_rivals(rivals: Sequence[Enhancement]) -> str:
    *hidden, shown = (ENTRIES[each].label for each in rivals)
    return f"{' and '.join([*hidden, shown])} on one photo: each draws its own sky, so only {shown.lower()} shows."


def _has_only(photo: PricedPhoto, first: Enhancement, second: Enhancement) -> bool:
    steps = photo.edit_request.steps
    return first in steps and second not in steps
