"""The catalog of enhancements: the price of each, what makes it, and its name in RESO's Data Dictionary."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import StrEnum

from engine.types.enhancements import ENHANCEMENTS, Enhancement, EnhancementInfo, PhotoType

HALF, ONE, TWO, NOTHING = Decimal("0.5"), Decimal(1), Decimal(2), Decimal(0)


class ServiceType(StrEnum):
    """What an order covers."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"
    BOTH = "both"

    def covers(self, photo_type: PhotoType) -> bool:
        """Whether photos of this type belong in such an order."""
        return self is ServiceType.BOTH or self.value == photo_type.value


class MediaAlteration(StrEnum):
    """The values of `MediaAlteration` in RESO's Data Dictionary, as listing services exchange them."""

    NONE = "None"
    DECLUTTERED = "DeclutteredItemRemoved"
    TWILIGHT = "TwilightConversion"
    ENHANCED = "VirtualEnhancements"
    RENOVATED = "VirtualRenovation"
    STAGED = "VirtualStagingItemAddition"


@dataclass(frozen=True, slots=True)
class Entry(EnhancementInfo):
    """One enhancement as sold. `image_price`: credits per photo; `property_extra`: credits once per property.

    `media_alteration`: what must be disclosed, in RESO's words. `generative`: made by a generative server where
    there is one, else by the engine itself. `unaided`: a warning before payment where there is no generative
    server, for enhancements that the engine alone declines for most photos.
    """

    image_price: Decimal = NOTHING
    property_extra: Decimal = NOTHING
    media_alteration: MediaAlteration = MediaAlteration.ENHANCED
    generative: bool = False
    unaided: str = ""

    def warning(self, *, generative: bool) -> str:
        """What a customer should know before paying, or ""; `generative`: whether there is a generative server."""
        return self.unproven or ("" if generative else self.unaided)


def _sell(
    enhancement: Enhancement,
    image_price: Decimal = NOTHING,
    media_alteration: MediaAlteration = MediaAlteration.ENHANCED,
    *,
    property_extra: Decimal = NOTHING,
    generative: bool = False,
    unaided: str = "",
) -> Entry:
    return Entry(
        **asdict(ENHANCEMENTS[enhancement]),
        image_price=image_price,
        property_extra=property_extra,
        media_alteration=media_alteration,
        generative=generative,
        unaided=unaided,
    )


_SELDOM = "Only things in front of plain floor and wall can be removed: most photos are declined and refunded."
ENTRIES: dict[Enhancement, Entry] = {
    entry.id: entry
    for entry in (
        _sell(Enhancement.GRASS),
        _sell(Enhancement.SKY),
        _sell(Enhancement.GOLDEN_HOUR),
        _sell(Enhancement.TWILIGHT, NOTHING, MediaAlteration.TWILIGHT, property_extra=HALF),
        _sell(Enhancement.DECLUTTER, HALF, MediaAlteration.DECLUTTERED, generative=True, unaided=_SELDOM),
        _sell(Enhancement.FURNITURE_REMOVAL, ONE, MediaAlteration.DECLUTTERED, generative=True, unaided=_SELDOM),
        _sell(Enhancement.RENOVATION, ONE, MediaAlteration.RENOVATED, generative=True),
        _sell(Enhancement.STAGING, ONE, MediaAlteration.STAGED, generative=True),
        _sell(Enhancement.HDR, HALF, MediaAlteration.NONE),
        _sell(Enhancement.FLAMBIENT, HALF, MediaAlteration.NONE),
    )
}

SUGGESTED_COMBINATIONS: tuple[tuple[Enhancement, Enhancement], ...] = (
    (Enhancement.GRASS, Enhancement.SKY),
    (Enhancement.GOLDEN_HOUR, Enhancement.GRASS),
    (Enhancement.TWILIGHT, Enhancement.GRASS),
    (Enhancement.DECLUTTER, Enhancement.HDR),
    (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING),
    (Enhancement.FLAMBIENT, Enhancement.DECLUTTER),
)


def media_alterations_of(applied: Iterable[Enhancement]) -> list[MediaAlteration]:
    """The values of RESO's `MediaAlteration` for a picture with these enhancements; NONE alone if it is
    unaltered.
    """
    found = {ENTRIES[each].media_alteration for each in applied} - {MediaAlteration.NONE}
    return [each for each in MediaAlteration if each in found] or [MediaAlteration.NONE]
