"""The list of all effects as text: what each does, and which options of the command it takes."""

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

_CHOICES: dict[Enhancement, dict[str, type[StrEnum]]] = {
    Enhancement.STAGING: {"--style": Style, "--room": RoomType},
    Enhancement.RENOVATION: {"--change": ChangeType},
}
_BY_CHANCE = (Enhancement.SKY, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT)


def list_effects() -> str:
    """Every step with its label, its effect and its options.

    Returns
    -------
    str
        Lines without a last line break, grouped by what the photo shows, each group in working order.
    """
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    for group in PhotoType:
        yield f"{group.capitalize()} photos"
        for entry in ENHANCEMENTS.values():
            if entry.group is group:
                yield from _entry(entry)
    yield "Options of every step: --masks DIR (where it worked), --report FILE.json (what was measured)"


def _entry(entry: EnhancementInfo) -> Iterator[str]:
    yield f"  {entry.id:22} {entry.label}. {entry.effect}"
    if entry.id in _BY_CHANCE:
        yield f"  {'':22} option: --seed TEXT (another text, another sky)"
    for name, choices in _CHOICES.get(entry.id, {}).items():
        yield f"  {'':22} {name}: {', '.join(choices)}"
