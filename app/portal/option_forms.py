"""The options of enhancements in forms: which ones a form offers, and how the chosen values are read."""

from collections.abc import Mapping
from enum import StrEnum

from flask import Flask, request

from app.domain.catalog import ENTRIES, EXCLUSIVE
from app.domain.drafts import read
from app.domain.option_requests import OptionsRequest
from app.domain.option_words import list_chosen
from engine.types.enhancements import Enhancement, PhotoType, Style
from engine.types.options import OPTIONS, EffectOptions, Option, drop_empty
from engine.types.usable_options import is_usable, list_usable_options

_PREFIX = "option-"
STAGING_STYLE = "staging_style"


def install(app: Flask) -> None:
    """Give templates list_options_of(), list_options_for_type() and list_options_for_all_types(), and list_chosen()
    as the filter `describe_options`.
    """
    app.jinja_env.globals |= {
        "list_options_of": list_options_of,
        "list_options_for_type": list_options_for_type,
        "list_options_for_all_types": list_options_for_all_types,
    }
    app.jinja_env.globals["exclusive"] = EXCLUSIVE
    app.jinja_env.filters["describe_options"] = list_chosen


def list_options_of(*steps: Enhancement) -> list[Option]:
    """The options that can be carried out here and belong to at least one of the enhancements."""
    return [option for option in list_usable_options() if option.is_for(steps)]


def list_options_for_type(photo_type: PhotoType) -> list[Option]:
    """The options that are only for enhancements of photos of the type."""
    return [
        option
        for option in list_usable_options()
        if not option.is_for_all and ENTRIES[option.enhancements[0]].group is photo_type
    ]


def list_options_for_all_types() -> list[Option]:
    """The options for photos of every type."""
    return [option for option in list_usable_options() if option.is_for_all]


def name_option_field(name: str) -> str:
    """The name of the form's field for an option."""
    return f"{_PREFIX}{name}"


def read_typed_options() -> Mapping[str, str]:
    """The value sent for each option that had a field in the form; empty if nothing was chosen."""
    fields = {option.name: request.form.get(name_option_field(option.name)) for option in OPTIONS}
    return {name: text for name, text in fields.items() if text is not None}


def read_options_for_all(kept: EffectOptions | None) -> EffectOptions | None:
    """Read the options for all photos: the values in the form, and the `kept` values of options that have no field
    in the form and can be carried out here; None for none.

    The usual value of an option counts as not chosen. Raises InvalidFields for an unknown value.
    """
    typed = read_typed_options()
    sent = read(OptionsRequest, {name: text or None for name, text in typed.items()}).effect_options
    before = kept.chosen.items() if kept else ()
    others = {name: value for name, value in before if name not in typed and is_usable(value)}
    chosen = {**others, **sent.chosen}
    return drop_empty(EffectOptions.of({name: value for name, value in chosen.items() if _is_unusual(name, value)}))


def read_staging_style(kept: Style | None) -> str | None:
    """Read the style for all staged rooms: the form's, or the `kept` one if the form has no field for it."""
    text = request.form.get(STAGING_STYLE)
    return kept if text is None else text or None


def _is_unusual(name: str, value: StrEnum) -> bool:
    return all(value is not option.usual for option in OPTIONS if option.name == name)
