"""Lists all effects as text, with the command's options for each."""

from collections.abc import Iterator
from enum import StrEnum

from engine.types.enhancements import (
    ENHANCEMENTS,
    ChangeType,
    Enhancement,
    EnhancementInfo,
    PhotoType,
    RoomType,
    Style,
)

_OPTION_VALUES: dict[Enhancement, dict[str, type[StrEnum]]] = {
    Enhancement.STAGING: {"--style": Style, "--room": RoomType},
    Enhancement.RENOVATION: {"--change": ChangeType},
}
_RANDOM_EFFECTS = (Enhancement.SKY, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)


def list_effects() -> str:
    """List every step with its label, its effect and its options.

    Returns
    -------
    str
        Lines without a final line break, grouped by what the photo shows, each group in the order of the pipeline.
    """
    return "\n".join(_write_lines())


def _write_lines() -> Iterator[str]:
    for group in PhotoType:
        yield f"{group.capitalize()} photos"
        for entry in ENHANCEMENTS.values():
            if entry.group is group:
                yield from _write_entry(entry)
    yield "Options of every step: --masks DIR (where it worked), --report FILE.json (what was measured)"


def _write_entry(entry: EnhancementInfo) -> Iterator[str]:
    yield f"  {entry.id:22} {entry.label}. {entry.effect}"
    if entry.id in _RANDOM_EFFECTS:
        yield f"  {'':22} option: --seed TEXT (another text, another sky)"
    for name, choices in _OPTION_VALUES.get(entry.id, {}).items():
        yield f"  {'':22} {name}: {', '.join(choices)}"
