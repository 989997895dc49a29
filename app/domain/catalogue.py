"""Every enhancement, style, room and change the service sells: what it is, where it runs, what it costs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

HALF, ONE, TWO, NOTHING = Decimal("0.5"), Decimal(1), Decimal(2), Decimal(0)


class PhotoType(StrEnum):
    """What a photo shows; also the group an enhancement belongs to."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"


class ServiceType(StrEnum):
    """What an order covers."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"
    BOTH = "both"

    def covers(self, photo_type: PhotoType) -> bool:
        """Whether photos of this type belong in such an order."""
        return self is ServiceType.BOTH or self.value == photo_type.value


class Enhancement(StrEnum):
    """The identifiers of the interface."""

    GRASS = "grass_enhancement"
    SKY = "sky_enhancement"
    GOLDEN_HOUR = "golden_hour"
    TWILIGHT = "twilight_conversion"
    HDR = "hdr_enhancement"
    FLAMBIENT = "flambient_enhancement"
    DECLUTTER = "declutter"
    FURNITURE_REMOVAL = "furniture_removal"
    STAGING = "virtual_staging"
    RENOVATION = "virtual_renovation"


class Disclosure(StrEnum):
    """The label listing services ask for when a picture shows what was not there."""

    STAGED = "Virtually staged"
    EDITED = "Digitally edited"
    RENOVATED = "Virtually renovated"


@dataclass(frozen=True, slots=True)
class Entry:
    """One enhancement as sold. `image_price` is charged per photo, `property_extra` once per property.

    What is not `available` may be ordered, as the interface has it: it is declined and its credits come back.
    """

    id: Enhancement
    group: PhotoType
    label: str
    effect: str
    place: int
    image_price: Decimal = NOTHING
    property_extra: Decimal = NOTHING
    disclosure: Disclosure | None = None
    available: bool = True


_EXTERIOR, _INTERIOR = PhotoType.EXTERIOR, PhotoType.INTERIOR
# `place` is the order in the pipeline: what stands in the room first, the light on it last.
ENTRIES: dict[Enhancement, Entry] = {
    entry.id: entry
    for entry in (
        Entry(Enhancement.GRASS, _EXTERIOR, "Green lawn", "Brown or patchy lawn reads lush and green.", 10),
        Entry(Enhancement.SKY, _EXTERIOR, "Blue sky", "An overcast sky turns blue with natural clouds.", 20),
        Entry(Enhancement.GOLDEN_HOUR, _EXTERIOR, "Golden hour", "Warm low sun with a golden glow.", 30),
        Entry(
            Enhancement.TWILIGHT,
            _EXTERIOR,
            "Twilight",
            "Day becomes dusk: deep blue sky and lit windows.",
            40,
            property_extra=HALF,
        ),
        Entry(
            Enhancement.DECLUTTER,
            _INTERIOR,
            "Declutter",
            "Loose things, personal items and small flaws go.",
            10,
            image_price=HALF,
            disclosure=Disclosure.EDITED,
            available=False,
        ),
        Entry(
            Enhancement.FURNITURE_REMOVAL,
            _INTERIOR,
            "Remove furniture",
            "An empty room; works best followed by staging.",
            20,
            image_price=ONE,
            disclosure=Disclosure.EDITED,
            available=False,
        ),
        Entry(
            Enhancement.RENOVATION,
            _INTERIOR,
            "Virtual renovation",
            "Floors, walls, cabinets and more replaced as described.",
            30,
            image_price=ONE,
            disclosure=Disclosure.RENOVATED,
            available=False,
        ),
        Entry(
            Enhancement.STAGING,
            _INTERIOR,
            "Virtual staging",
            "Furniture and decor in the style you choose.",
            40,
            image_price=ONE,
            disclosure=Disclosure.STAGED,
            available=False,
        ),
        Entry(
            Enhancement.HDR,
            _INTERIOR,
            "HDR balance",
            "Room and window view both evenly exposed.",
            50,
            image_price=HALF,
        ),
        Entry(
            Enhancement.FLAMBIENT,
            _INTERIOR,
            "Flambient light",
            "Clean flash colour blended with ambient shape.",
            60,
            image_price=HALF,
        ),
    )
}

PRESETS: tuple[tuple[Enhancement, Enhancement], ...] = (
    (Enhancement.GRASS, Enhancement.SKY),
    (Enhancement.GOLDEN_HOUR, Enhancement.GRASS),
    (Enhancement.TWILIGHT, Enhancement.GRASS),
    (Enhancement.DECLUTTER, Enhancement.HDR),
    (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING),
    (Enhancement.FLAMBIENT, Enhancement.DECLUTTER),
)


class Style(StrEnum):
    """Furnishing styles for virtual staging."""

    MODERN = "modern"
    CONTEMPORARY = "contemporary"
    MINIMALIST = "minimalist"
    FARMHOUSE = "farmhouse"
    SCANDINAVIAN = "scandinavian"
    COASTAL = "coastal"
    MID_CENTURY_MODERN = "mid_century_modern"
    TRADITIONAL = "traditional"


class RoomType(StrEnum):
    """Rooms that can be staged."""

    LIVING_ROOM = "living_room"
    DINING_ROOM = "dining_room"
    KITCHEN = "kitchen"
    BEDROOM = "bedroom"
    BATHROOM = "bathroom"
    OFFICE = "office"
    BASEMENT = "basement"
    OUTDOOR_SPACE = "outdoor_space"
    OTHER = "other"


class ChangeType(StrEnum):
    """What a renovation entry replaces."""

    FLOOR = "floor"
    WALLS = "walls"
    CABINETS = "cabinets"
    COUNTERTOPS = "countertops"
    FIXTURES = "fixtures"
    LIGHTING = "lighting"
    BACKSPLASH = "backsplash"
    APPLIANCES = "appliances"
    EXTERIOR = "exterior"
    OTHER = "other"


def in_pipeline_order(enhancements: Iterable[Enhancement]) -> list[Enhancement]:
    """The same enhancements, each once, in the order the engine applies them."""
    return sorted(set(enhancements), key=lambda each: ENTRIES[each].place)


@dataclass(frozen=True, slots=True)
class PricedPhoto:
    """What a photo's price depends on. `change_count` is its number of renovation entries."""

    type: PhotoType
    enhancements: Sequence[Enhancement]
    change_count: int = 0


@dataclass(frozen=True, slots=True)
class QuoteLine:
    """One line of a price: `quantity` times `unit_credits` makes `credits`."""

    label: str
    enhancement: Enhancement | None
    quantity: int
    unit_credits: Decimal

    @property
    def credits(self) -> Decimal:
        """What the line costs."""
        return self.quantity * self.unit_credits


@dataclass(frozen=True, slots=True)
class Quote:
    """An itemised price."""

    lines: tuple[QuoteLine, ...]
    warnings: tuple[str, ...]

    @property
    def credits(self) -> Decimal:
        """The total."""
        return sum((line.credits for line in self.lines), NOTHING)


def step_price(enhancement: Enhancement, change_count: int) -> Decimal:
    """Credits one step adds to one photo; a renovation is paid per change."""
    times = change_count if enhancement is Enhancement.RENOVATION else 1
    return ENTRIES[enhancement].image_price * times


def image_price(photo: PricedPhoto) -> Decimal:
    """Credits charged for this photo alone, without the price per property."""
    return sum((step_price(each, photo.change_count) for each in photo.enhancements), NOTHING)


def property_price(photos: Iterable[PricedPhoto]) -> Decimal:
    """Credits charged once for all exterior photos together."""
    return sum((line.credits for line in _property_lines(photos)), NOTHING)


def quote(photos: Sequence[PricedPhoto]) -> Quote:
    """The itemised price of an order: the one computation behind quote, order and refund."""
    return Quote(tuple(_property_lines(photos) + _image_lines(photos)), tuple(_warnings(photos)))


def _property_lines(photos: Iterable[PricedPhoto]) -> list[QuoteLine]:
    outside = (photo.enhancements for photo in photos if photo.type is PhotoType.EXTERIOR)
    distinct = in_pipeline_order(each for enhancements in outside for each in enhancements)
    if not distinct:
        return []
    one = len(distinct) == 1
    label = "Exterior, one enhancement" if one else "Exterior, two or more enhancements"
    base = QuoteLine(label, None, 1, ONE if one else TWO)
    extras = (ENTRIES[each] for each in distinct if ENTRIES[each].property_extra)
    return [base, *(QuoteLine(entry.label, entry.id, 1, entry.property_extra) for entry in extras)]


def _image_lines(photos: Sequence[PricedPhoto]) -> list[QuoteLine]:
    lines = []
    for entry in sorted(ENTRIES.values(), key=lambda entry: entry.place):
        wanted = [photo for photo in photos if entry.image_price and entry.id in photo.enhancements]
        quantity = sum(photo.change_count if entry.id is Enhancement.RENOVATION else 1 for photo in wanted)
        if quantity:
            lines.append(QuoteLine(entry.label, entry.id, quantity, entry.image_price))
    return lines


_ODD_PAIRS = (
    (
        {Enhancement.TWILIGHT, Enhancement.GOLDEN_HOUR},
        "Twilight and golden hour on one photo: twilight is applied last and decides the light.",
    ),
)


def _warnings(photos: Sequence[PricedPhoto]) -> list[str]:
    found = [text for pair, text in _ODD_PAIRS if any(pair <= set(photo.enhancements) for photo in photos)]
    if any(
        Enhancement.FURNITURE_REMOVAL in photo.enhancements and Enhancement.STAGING not in photo.enhancements
        for photo in photos
    ):
        found.append("Furniture removal without staging leaves an empty room.")
    wanted = {each for photo in photos for each in photo.enhancements}
    missing = [ENTRIES[each].label for each in in_pipeline_order(wanted) if not ENTRIES[each].available]
    return found + [f"{label} is not available yet: it is declined and its credits come back." for label in missing]
