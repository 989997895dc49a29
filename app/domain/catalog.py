"""The catalog of enhancements: the price of each, what makes it, and its name in RESO's Data Dictionary."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import StrEnum

from engine.types.enhancements import ENHANCEMENTS, Enhancement, EnhancementInfo, PhotoType

HALF, ONE, TWO, ZERO = Decimal("0.5"), Decimal(1), Decimal(2), Decimal(0)


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

    `media_alteration`: the alteration to disclose, as a value of RESO. `generative`: a generative server makes it
    where one is configured, otherwise the engine. `warning_without_server`: a warning before payment where no
    server is configured, for enhancements that the engine alone declines for most photos.
    """

    image_price: Decimal = ZERO
    property_extra: Decimal = ZERO
    media_alteration: MediaAlteration = MediaAlteration.ENHANCED
    generative: bool = False
    warning_without_server: str = ""

    def warning(self, *, generative: bool) -> str:
        """The warning that customers read before they pay; empty for none. `generative`: whether a server is
        configured.
        """
        return self.unproven or ("" if generative else self.warning_without_server)


def _make_entry(
    enhancement: Enhancement,
    image_price: Decimal = ZERO,
    media_alteration: MediaAlteration = MediaAlteration.ENHANCED,
    *,
    property_extra: Decimal = ZERO,
    generative: bool = False,
    warning_without_server: str = "",
) -> Entry:
    return Entry(
        **asdict(ENHANCEMENTS[enhancement]),
        image_price=image_price,
        property_extra=property_extra,
        media_alteration=media_alteration,
        generative=generative,
        warning_without_server=warning_without_server,
    )


_MOSTLY_DECLINED = (
    "Only things in front of plain floor and wall can be removed: most photos are declined and refunded."
)
ENTRIES: dict[Enhancement, Entry] = {
    entry.id: entry
    for entry in (
        _make_entry(Enhancement.GRASS),
        _make_entry(Enhancement.SKY),
        _make_entry(Enhancement.GOLDEN_HOUR),
        _make_entry(Enhancement.TWILIGHT, ZERO, MediaAlteration.TWILIGHT, property_extra=HALF),
        _make_entry(
            Enhancement.DECLUTTER,
            HALF,
            MediaAlteration.DECLUTTERED,
            generative=True,
            warning_without_server=_MOSTLY_DECLINED,
        ),
        _make_entry(
            Enhancement.FURNITURE_REMOVAL,
            ONE,
            MediaAlteration.DECLUTTERED,
            generative=True,
            warning_without_server=_MOSTLY_DECLINED,
        ),
        _make_entry(Enhancement.RENOVATION, ONE, MediaAlteration.RENOVATED, generative=True),
        _make_entry(Enhancement.STAGING, ONE, MediaAlteration.STAGED, generative=True),
        _make_entry(Enhancement.HDR, HALF, MediaAlteration.NONE),
        _make_entry(Enhancement.FLAMBIENT, HALF, MediaAlteration.NONE),
    )
}

SUGGESTED_COMBINATIONS: tuple[tuple[Enhancement, ...], ...] = (
    (Enhancement.GRASS, Enhancement.SKY),
    (Enhancement.GOLDEN_HOUR, Enhancement.GRASS),
    (Enhancement.TWILIGHT, Enhancement.GRASS),
    (Enhancement.DECLUTTER, Enhancement.HDR),
    (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING),
    (Enhancement.FLAMBIENT, Enhancement.DECLUTTER),
    (Enhancement.HDR,),
    (Enhancement.FLAMBIENT,),
)
"""All combinations that suggest() may suggest."""

EXCLUSIVE: tuple[Enhancement, ...] = (Enhancement.SKY, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)
"""Enhancements that exclude each other, because each draws a sky of its own: a photo shows only the last one
applied. The API accepts several and warns; on pages a newly chosen one replaces the other.
"""


def suggest(group: PhotoType, *, generative: bool) -> list[tuple[int, tuple[Enhancement, ...]]]:
    """The suggested combinations for photos of the type, each with its number; no combination has an enhancement
    with a warning. `generative`: whether a generative server is configured.
    """
    return [
        (number, each)
        for number, each in enumerate(SUGGESTED_COMBINATIONS)
        if ENTRIES[each[0]].group is group
        and not any(ENTRIES[step].warning(generative=generative) for step in each)
    ]


def keep_compatible(wanted: Iterable[Enhancement], before: Iterable[Enhancement] = ()) -> list[Enhancement]:
    """The wanted enhancements with at most one of EXCLUSIVE: preferably one that is not in `before`, else the one
    that is applied last.
    """
    given, present = list(wanted), set(before)
    rivals = [each for each in EXCLUSIVE if each in given]
    chosen = ([each for each in rivals if each not in present] or rivals)[-1:]
    return [each for each in given if each not in rivals or each in chosen]


def media_alterations_of(applied: Iterable[Enhancement]) -> list[MediaAlteration]:
    """The values of RESO's `MediaAlteration` for a picture with these enhancements; NONE alone if it is
    unaltered.
    """
    found = {ENTRIES[each].media_alteration for each in applied} - {MediaAlteration.NONE}
    return [each for each in MediaAlteration if each in found] or [MediaAlteration.NONE]
