"""All enhancements in the order in which the engine applies them, with their labels, effects and disclosures."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class PhotoType(StrEnum):
    """The content of a photo: a house or a room; also the group to which an enhancement belongs."""

    EXTERIOR = "exterior"
    INTERIOR = "interior"


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


class WorkSize(StrEnum):
    """The time that a worker needs for one photo: seconds, or most of a minute; see docs/performance.md."""

    LIGHT = "light"
    HEAVY = "heavy"


class Disclosure(StrEnum):
    """The disclosures of pictures that do not show the property as it is; the rules have the words."""

    STAGED = "virtually_staged"
    RENOVATED = "virtually_renovated"
    ALTERED = "digitally_altered"

    @property
    def words(self) -> str:
        """The words in a picture's file where no rule has other words."""
        return self.value.replace("_", " ").capitalize()


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
    """The part of a room or house that a change of a renovation replaces."""

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


@dataclass(frozen=True, slots=True)
class EnhancementInfo:
    """One enhancement.

    `disclosure` is None where only light and color change. `unproven`: a warning for an enhancement whose results
    often have faults that their reports do not find; such results never count as surely good.
    """

    id: Enhancement
    group: PhotoType
    label: str
    effect: str
    disclosure: Disclosure | None = Disclosure.ALTERED
    unproven: str = ""
    work_size: WorkSize = WorkSize.LIGHT


_EXTERIOR, _INTERIOR = PhotoType.EXTERIOR, PhotoType.INTERIOR
# In the order of the pipeline: changes to the things in a room are first, changes of its light last.
ENHANCEMENTS: dict[Enhancement, EnhancementInfo] = {
    info.id: info
    for info in (
        EnhancementInfo(Enhancement.GRASS, _EXTERIOR, "Green lawn", "Brown or patchy lawn reads lush and green."),
        EnhancementInfo(Enhancement.SKY, _EXTERIOR, "Blue sky", "An overcast sky turns blue with natural clouds."),
        EnhancementInfo(
            Enhancement.GOLDEN_HOUR,
            _EXTERIOR,
            "Golden hour",
            "Warm low sun with a golden glow, soft shadows and a clear evening sky.",
        ),
        EnhancementInfo(
            Enhancement.TWILIGHT,
            _EXTERIOR,
            "Twilight",
            "Day becomes dusk: deep blue sky and lit windows.",
            unproven="In tests 1 of 12 results was not fit to sell, mostly because of windows that stayed dark.",
        ),
        EnhancementInfo(
            Enhancement.DECLUTTER, _INTERIOR, "Declutter", "Loose things, personal items and small flaws go."
        ),
        EnhancementInfo(
            Enhancement.FURNITURE_REMOVAL,
            _INTERIOR,
            "Remove furniture",
            "An empty room; works best followed by staging.",
        ),
        EnhancementInfo(
            Enhancement.RENOVATION,
            _INTERIOR,
            "Virtual renovation",
            "Floors, walls, cabinets and more replaced as described.",
            Disclosure.RENOVATED,
        ),
        EnhancementInfo(
            Enhancement.STAGING,
            _INTERIOR,
            "Virtual staging",
            "Furniture and decor in the style you choose.",
            Disclosure.STAGED,
            work_size=WorkSize.HEAVY,
        ),
        EnhancementInfo(
            Enhancement.HDR,
            _INTERIOR,
            "HDR balance",
            "Room and window evenly exposed; a little of the lamps' warmth stays.",
            None,
        ),
        EnhancementInfo(
            Enhancement.FLAMBIENT,
            _INTERIOR,
            "Flambient light",
            "White and crisp as with a flash: neutral colors, light in every corner.",
            None,
        ),
    )
}
_ORDER = list(ENHANCEMENTS)


def in_pipeline_order(enhancements: Iterable[Enhancement]) -> list[Enhancement]:
    """Sort enhancements in the order in which the engine applies them.

    Parameters
    ----------
    enhancements : iterable of Enhancement
        In any order; repeated ones count once.

    Returns
    -------
    list of Enhancement
        Each once.
    """
    return sorted(set(enhancements), key=_ORDER.index)


def work_size_of(enhancements: Iterable[Enhancement]) -> WorkSize:
    """Find how much work a photo takes, which is that of its enhancement with the most work.

    Parameters
    ----------
    enhancements : iterable of Enhancement
        The enhancements of one photo.

    Returns
    -------
    WorkSize
        LIGHT where there are none.
    """
    heavy = any(ENHANCEMENTS[each].work_size is WorkSize.HEAVY for each in enhancements)
    return WorkSize.HEAVY if heavy else WorkSize.LIGHT


def list_disclosures(applied: Iterable[Enhancement]) -> list[Disclosure]:
    """List the disclosures that a picture with these enhancements needs.

    Parameters
    ----------
    applied : iterable of Enhancement
        The enhancements that were applied to the picture.

    Returns
    -------
    list of Disclosure
        Each once, in the order of Disclosure; empty where only light and color were changed.
    """
    found = {ENHANCEMENTS[each].disclosure for each in applied}
    return [each for each in Disclosure if each in found]


def describe_disclosure(words: str) -> str:
    """Write the description for a picture's file, for people who see the picture outside of its listing.

    Parameters
    ----------
    words : str
        The words of its disclosure, without a full stop.

    Returns
    -------
    str
        These words and a sentence that explains them.
    """
    return f"{words}. This picture shows the property other than it is."


def join_disclosures(words: Iterable[str]) -> str:
    """Join the words of several disclosures to one text, such as `Virtually staged, digitally altered`.

    Parameters
    ----------
    words : iterable of str
        At least one; repeated ones count once.

    Returns
    -------
    str
        Separated by commas; from the second on in lower case, unless written in title case.

    Raises
    ------
    ValueError
        Where there are no words.
    """
    first, *more = dict.fromkeys(words)
    return ", ".join([first, *(each if each.istitle() else each.lower() for each in more)])
