"""Warnings about a pack that customers should know before they use it: codes, and their words."""

from collections.abc import Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from app.domain.catalog import ENTRIES
from app.domain.disclosure.rules import Rule
from engine.types.enhancements import Enhancement


class PackWarningCode(StrEnum):
    """How the pack differs from the order, or what the customer still has to do."""

    BARRED_STEPS_LEFT_OUT = "barred_steps_left_out"
    BARRED_SO_ORIGINAL = "barred_so_original"
    NO_EXTERIOR = "no_exterior"
    ORIGINAL_IS_FIRST = "original_is_first"
    OVER_COUNT = "over_count"
    ORIGINALS_NOT_PUBLISHED = "originals_not_published"
    LABEL_FORBIDDEN = "label_forbidden"
    ORIGINAL_LOST = "original_lost"


class PackWarning(BaseModel):
    """One warning. `photos`: the photos concerned, by their places in the order, from 1; `enhancements`: the barred
    enhancements, if it is about them.
    """

    model_config = ConfigDict(frozen=True)

    code: PackWarningCode
    photos: tuple[int, ...] = ()
    enhancements: tuple[Enhancement, ...] = ()


class PackWarnings(BaseModel):
    """All warnings of a pack."""

    model_config = ConfigDict(frozen=True)

    warnings: tuple[PackWarning, ...] = ()


def describe_warning(warning: PackWarning, rule: Rule) -> str:
    """The warning in one or two sentences for people."""
    which, name = name_photos(warning.photos), rule.short_name
    barred = " and ".join(ENTRIES[each].label.lower() for each in warning.enhancements)
    has, are = ("has", "is") if len(warning.photos) == 1 else ("have", "are")
    return {
        PackWarningCode.BARRED_STEPS_LEFT_OUT: f"{name} bars {barred}: {which} {are} in the pack without it.",
        PackWarningCode.BARRED_SO_ORIGINAL: f"{name} bars {barred}: {which} {are} in the pack as the original.",
        PackWarningCode.NO_EXTERIOR: (
            f"{name} requires an exterior picture first, and the order has none: put one of yours before these."
        ),
        PackWarningCode.ORIGINAL_IS_FIRST: (
            f"{name} requires an unaltered exterior picture first: the original of {which} comes first."
        ),
        PackWarningCode.OVER_COUNT: (
            f"{name} takes {rule.pictures.max_count} pictures at most: {which} {has} no place in the pack."
        ),
        PackWarningCode.ORIGINALS_NOT_PUBLISHED: (
            "The law, or the listing service, wants a link to the public original beside each altered picture, and "
            f"{which} {has} none: publish the originals on the page of the results, then make the pack again."
        ),
        PackWarningCode.LABEL_FORBIDDEN: f"{name} forbids words in pictures: no picture has the label.",
        PackWarningCode.ORIGINAL_LOST: (
            f"The original of {which} is no longer in our store, which {name} does not ask for. Write to "
            "support if you need it."
        ),
    }[warning.code]


def name_photos(numbers: Sequence[int]) -> str:
    """The photos in words, by their places in the order: `photo 2`, `photos 2, 3 and 5`."""
    *others, last = (str(each) for each in numbers) if numbers else ("",)
    return f"photos {', '.join(others)} and {last}" if others else f"photo {last}".rstrip()
