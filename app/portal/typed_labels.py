"""A kept form for display: what the user typed, with the labels and words that the form's page showed."""

import re
from collections.abc import Mapping, Sequence

from app.domain.catalog import ENTRIES
from app.domain.kept_forms import TypedFields
from app.portal.option_forms import name_option_field
from app.portal.words import humanize
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.options import OPTIONS

LABELS: Mapping[str, str] = {
    "street": "Street address",
    "city": "City",
    "region": "State or region",
    "postcode": "ZIP or postal code",
    "mls": "Listing service (MLS)",
    "jurisdiction": "Law",
    "service_type": "Service type",
    "list": "What should be done to this photo?",
    "enhancements": "For this photo only",
    "exterior": "For all exterior photos",
    "interior": "For all interior photos",
    "public_imagery": "Use public imagery of the address",
    "staging_style": "Style of staged rooms",
    "room_type": "Room",
    "style": "Style",
    "change_type": "What to change",
    "description": "New look",
    "change_description": "New look",
    "reference_text": "Reference in words (optional)",
    "style_name": "Name of the house style",
    "accepts_barred": "I understand and want to order anyway",
    "is_default": "Default for new orders",
    "url": "Address of your receiver",
    "scopes": "What it can do",
    "budget": "Budget for each month, in credits",
    "origins": "Web pages that may upload",
    "lifetime": "Ends",
    "last_day": "Last day",
    "tax_id": "Tax number",
    "studio_name": "Name of your studio",
    "color": "Color",
    "low_balance": "Notify me below this many credits",
    "wanted": "E-mails",
    "credits": "Number of credits",
    "may_download": "The client may download the pictures",
    "none": "There is none in this photo",
    "x1": "Start, from the left, in percent",
    "y1": "Start, from above, in percent",
    "x2": "End, from the left, in percent",
    "y2": "End, from above, in percent",
    "own": "Length",
    **{name_option_field(option.name): option.label for option in OPTIONS},
}
"""Labels by the name of the field; for all other fields, the name itself in words is the label."""
_PAGE_FIELDS = frozenset(
    {
        *("version", "seen", "mark", "total", "photo", "go", "do", "back", "draft", "file", "next"),
        *("outline", "mask", "clutter", "furniture"),
    }
)
"""Fields that the page fills in, not the user; also outlines in a photo, which people cannot read."""
_OFFERED_SUFFIX = "_offered"
"""The end of the name of a hidden field which says that the page offered a choice."""
_IN_A_ROW = re.compile(r"[a-z]{1,40}-[0-9]{1,9}-([a-z_]{1,60})")
"""A field of one of several rows, such as `changes-0-description`."""
_WORDS: Mapping[str, str] = {
    **{step: ENTRIES[step].label for step in Enhancement},
    **{each: humanize(each) for kind in (Style, RoomType, ChangeType) for each in kind},
    "yes": "Yes",
    "y": "Yes",
    "both": "Exterior and interior",
    "shared": "Same as all",
    "own": "Something else for this photo only",
}
_CHOICES = frozenset(
    {
        *("exterior", "interior", "enhancements", "style", "staging_style", "room_type", "change_type", "list"),
        *("service_type", "accepts_barred", "is_default", "may_download", "agreed", "labeled"),
    }
)
"""Fields whose values are chosen from a list of ours, not typed."""


def describe_typed(fields: TypedFields) -> Sequence[tuple[str, str]]:
    """Pairs of a label and the typed or chosen text, in the order of the form; several choices joined by commas.

    Empty fields, and fields that the page filled in, are left out.
    """
    rows: dict[str, tuple[str, list[str]]] = {}
    for name, value in fields:
        known = _find_field(name)
        if value.strip() and known not in _PAGE_FIELDS and not known.endswith(_OFFERED_SUFFIX):
            rows.setdefault(name, (LABELS.get(known) or humanize(known), []))[1].append(
                _describe_value(known, value)
            )
    return [(label, ", ".join(values)) for label, values in rows.values()]


def _find_field(name: str) -> str:
    row = _IN_A_ROW.fullmatch(name)
    return row[1] if row else name


def _describe_value(field: str, value: str) -> str:
    for option in OPTIONS:
        if field == name_option_field(option.name):
            return next((each.label for key, each in option.choices.items() if key == value), value)
    return _WORDS.get(value, humanize(value)) if field in _CHOICES else value
