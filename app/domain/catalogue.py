"""Every enhancement, style, room and change the service sells: what it is, where it runs, its part of a price."""

from collections.abc import Iterable
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


class Cost(StrEnum):
    """How long a worker is at one photo, see docs/performance.md: seconds, or most of a minute."""

    LIGHT = "light"
    HEAVY = "heavy"


class Disclosure(StrEnum):
    """What a listing is told of a picture that does not show the property as it is; the rules have the words."""

    STAGED = "virtually_staged"
    RENOVATED = "virtually_renovated"
    ALTERED = "digitally_altered"


class MediaAlteration(StrEnum):
    """The values of `MediaAlteration` in RESO's Data Dictionary, as listing services exchange them."""

    NONE = "None"
    DECLUTTERED = "DeclutteredItemRemoved"
    TWILIGHT = "TwilightConversion"
    ENHANCED = "VirtualEnhancements"
    RENOVATED = "VirtualRenovation"
    STAGED = "VirtualStagingItemAddition"


@dataclass(frozen=True, slots=True)
class Entry:
    """One enhancement as sold. `image_price` is charged per photo, `property_extra` once per property.

    `disclosure` is None where it is plain light and colour; `media_alteration` says the same in RESO's words.
    What is `generative` a generative server makes where there is one; else the machine that works the photo does.
    `unaided`: what to know before paying where there is none, of what is then declined more often than not.
    `unproven`: the same of what is often not fit to sell though its report finds nothing; such results are never
    surely good. `cost`: of the work on a photo, whoever makes it.
    """

    id: Enhancement
    group: PhotoType
    label: str
    effect: str
    place: int
    image_price: Decimal = NOTHING
    property_extra: Decimal = NOTHING
    disclosure: Disclosure | None = Disclosure.ALTERED
    media_alteration: MediaAlteration = MediaAlteration.ENHANCED
    generative: bool = False
    unaided: str = ""
    unproven: str = ""
    cost: Cost = Cost.LIGHT

    def warning(self, *, generative: bool) -> str:
        """What a customer should know before paying; `generative`: whether there is a generative server."""
        return self.unproven or ("" if generative else self.unaided)


_SELDOM = "Only things before plain floor and wall can go: most photos are declined, and their credits come back."
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
            media_alteration=MediaAlteration.TWILIGHT,
            unproven="Our weakest effect yet: in tests half had faults, windows lit unevenly or left dark.",
        ),
        Entry(
            Enhancement.DECLUTTER,
            _INTERIOR,
            "Declutter",
            "Loose things, personal items and small flaws go.",
            10,
            image_price=HALF,
            media_alteration=MediaAlteration.DECLUTTERED,
            generative=True,
            unaided=_SELDOM,
        ),
        Entry(
            Enhancement.FURNITURE_REMOVAL,
            _INTERIOR,
            "Remove furniture",
            "An empty room; works best followed by staging.",
            20,
            image_price=ONE,
            media_alteration=MediaAlteration.DECLUTTERED,
            generative=True,
            unaided=_SELDOM,
        ),
        Entry(
            Enhancement.RENOVATION,
            _INTERIOR,
            "Virtual renovation",
            "Floors, walls, cabinets and more replaced as described.",
            30,
            image_price=ONE,
            disclosure=Disclosure.RENOVATED,
            media_alteration=MediaAlteration.RENOVATED,
            generative=True,
        ),
        Entry(
            Enhancement.STAGING,
            _INTERIOR,
            "Virtual staging",
            "Furniture and decor in the style you choose.",
            40,
            image_price=ONE,
            disclosure=Disclosure.STAGED,
            media_alteration=MediaAlteration.STAGED,
            generative=True,
            cost=Cost.HEAVY,
        ),
        Entry(
            Enhancement.HDR,
            _INTERIOR,
            "HDR balance",
            "Room and window view both evenly exposed.",
            50,
            image_price=HALF,
            disclosure=None,
            media_alteration=MediaAlteration.NONE,
        ),
        Entry(
            Enhancement.FLAMBIENT,
            _INTERIOR,
            "Flambient light",
            "Clean flash colour blended with ambient shape.",
            60,
            image_price=HALF,
            disclosure=None,
            media_alteration=MediaAlteration.NONE,
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


def media_alterations_of(applied: Iterable[Enhancement]) -> list[MediaAlteration]:
    """What RESO's `MediaAlteration` lists for a picture with these enhancements, `None` where it is unaltered."""
    found = {ENTRIES[each].media_alteration for each in applied} - {MediaAlteration.NONE}
    return [each for each in MediaAlteration if each in found] or [MediaAlteration.NONE]


def cost_of(enhancements: Iterable[Enhancement]) -> Cost:
    """What a photo with these enhancements takes: as much as the one that takes most."""
    return Cost.HEAVY if any(ENTRIES[each].cost is Cost.HEAVY for each in enhancements) else Cost.LIGHT


def in_pipeline_order(enhancements: Iterable[Enhancement]) -> list[Enhancement]:
    """The same enhancements, each once, in the order the engine applies them."""
    return sorted(set(enhancements), key=lambda each: ENTRIES[each].place)
