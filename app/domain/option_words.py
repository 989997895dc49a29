"""The chosen options of enhancements in words."""

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
