"""Sizes in descriptions: `60x60`, `12 x 24 inches`, `20 cm wide`, in metres."""

import re

UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "inch": 0.0254, "inches": 0.0254, '"': 0.0254}
_UNIT = r"(mm|cm|inches|inch|in|m|\")?"
_PAIR = re.compile(rf"(\d+(?:\.\d+)?)\s*{_UNIT}\s*(?:x|by|\u00d7)\s*(\d+(?:\.\d+)?)\s*{_UNIT}(?![a-z0-9])")
_ONE = re.compile(r"(\d+(?:\.\d+)?)[ -]?(mm|cm|inches|inch|in|m|\")(?![a-z0-9])")
# Tiles whose sides are both such numbers are sold in inches.
_INCHES = frozenset({2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 18.0, 24.0, 36.0, 48.0})
LEAST, MOST = 0.01, 4.0


def size_of(text: str) -> tuple[float, float] | None:
    """Length and width in metres, the width 0 where one number was told; None without one that is plausible."""
    pair = _PAIR.search(text)
    if pair:
        one, other = float(pair[1]), float(pair[3])
        unit = pair[4] or pair[2]
        scale = UNITS[unit] if unit else _guessed(one, other)
        sides = sorted((one * scale, other * scale), reverse=True)
        return (sides[0], sides[1]) if sides[1] >= LEAST and sides[0] <= MOST else None
    single = _ONE.search(text)
    if not single:
        return None
    side = float(single[1]) * UNITS[single[2]]
    return (side, 0.0) if LEAST <= side <= MOST else None


def without_sizes(text: str) -> str:
    """The text without what `size_of` reads."""
    return _ONE.sub(" ", _PAIR.sub(" ", text))


def _guessed(one: float, other: float) -> float:
    if max(one, other) >= 130:
        return 0.001
    if {one, other} <= _INCHES:
        return 0.0254
    return 1.0 if max(one, other) < 3 else 0.01
