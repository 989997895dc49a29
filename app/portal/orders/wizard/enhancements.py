"""The enhancements for all photos of a type: the choices, suggested combinations, and rules that bar some."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

from flask import request

from app.domain.catalog import ENTRIES, SUGGESTED_COMBINATIONS, Entry, keep_compatible
from app.domain.disclosure.listing import list_barring_rules
from app.domain.disclosure.rules import Rule
from app.domain.draft_orders import listing_of
from app.domain.drafts import Content, read
from app.domain.pricing import make_priced_photo, quote
from app.portal.option_forms import STAGING_STYLE, read_options_for_all, read_staging_style
from app.portal.orders.wizard.steps import page
from engine.types.enhancements import Enhancement, PhotoType

GROUPS = {group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType}
PRESET, OFFERED = "preset", "offered"


def read_choices(content: Content) -> Content:
    """The content with the lists and options of the form. Of enhancements that exclude each other, the added one is
    kept. Raises InvalidRequest for unknown names.
    """
    # If the form did not offer a list, its absence does not mean that all its entries were unticked.
    sent = {*request.form, *request.form.getlist(OFFERED)}
    lists: dict[str, Any] = {
        f"{group}_enhancements": request.form.getlist(group) for group in PhotoType if group in sent
    }
    if preset := read_preset(request.form.get(PRESET, "")):
        lists[f"{ENTRIES[preset[0]].group}_enhancements"] = list(preset)
    lists["options"] = read_options_for_all(content.options)
    lists[STAGING_STYLE] = read_staging_style(content.staging_style)
    typed = read(Content, lists)
    for group in PhotoType:
        if (name := f"{group}_enhancements") in lists:
            kept = keep_compatible(typed.enhancements_for(group), content.enhancements_for(group))
            typed = typed.model_copy(update={name: tuple(kept)})
    return content.model_copy(update={name: getattr(typed, name) for name in lists})


def read_preset(number: str) -> tuple[Enhancement, ...]:
    """The suggested combination with this number; empty for any other text."""
    return SUGGESTED_COMBINATIONS[int(number)] if number in map(str, range(len(SUGGESTED_COMBINATIONS))) else ()


def describe_excluded(dropped: Collection[Enhancement]) -> str:
    """A sentence about enhancements that were dropped because another one excludes them; empty for none."""
    if not dropped:
        return ""
    names = " and ".join(ENTRIES[each].label for each in dropped)
    return f" {names} {'was' if len(dropped) == 1 else 'were'} removed: each draws its own sky, and only one shows."


def list_groups() -> dict[PhotoType, list[Entry]]:
    """The enhancements that may be chosen in this draft, by type of photo."""
    return {group: GROUPS[group] for group in page().offered}


def find_barred_here() -> Mapping[Enhancement, list[tuple[Rule, str]]]:
    """The enhancements that are barred where this draft's property is advertised: each with pairs of a rule and its
    words.
    """
    listing = listing_of(page().order)
    return {entry.id: found for entry in ENTRIES.values() if (found := list_barring_rules(listing, entry.id))}


def price_exterior(count: int) -> Decimal:
    """The price in credits of `count` exterior enhancements without an extra price."""
    plain = [entry.id for entry in GROUPS[PhotoType.EXTERIOR] if not (entry.property_extra or entry.image_price)]
    return quote([make_priced_photo(*plain[:count])]).credits
