"""The options of enhancements in words: the chosen options, and the possible ones."""

from collections.abc import Sequence

from engine.types.enhancements import Enhancement
from engine.types.options import OPTIONS, EffectOptions


def list_chosen(options: EffectOptions | None, steps: Sequence[Enhancement] = tuple(Enhancement)) -> list[str]:
    """The chosen options that belong to these enhancements, each in a few words: `Sky: clear`."""
    chosen = options.chosen if options else {}
    return [
        f"{option.label}: {option.choices[chosen[option.name]].label.lower()}"
        for option in OPTIONS
        if option.name in chosen and option.is_for(steps)
    ]


def describe_choices(enhancement: Enhancement) -> list[str]:
    """The options that only some enhancements have, among them this one, each with its choices: `Dusk: early or
    deep.`
    """
    own = [option for option in OPTIONS if option.is_for([enhancement]) and not option.is_for_all]
    return [f"{option.label}: {_join([each.label.lower() for each in option.choices.values()])}." for option in own]


def _join(words: Sequence[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
