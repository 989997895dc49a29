"""Sorts the words of a description into materials, colors, ways of laying, tones and gloss."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from engine.materials import plain_words as words
from engine.materials.color_names import COLORS, RAL
from engine.materials.colors import mix_colors, tone_color
from engine.materials.finish import Color, Pattern, parse_hex_color
from engine.materials.named_materials import GENERIC_MATERIALS, LAYINGS, MATERIALS, DefaultFinish
from engine.types.enhancements import ChangeType

_Entry = TypeVar("_Entry")
MAX_PHRASE_WORDS = 3
"""Greatest number of words of a phrase."""
# Text about the old surface, which is to be replaced.
_OLD_SURFACE = (
    r"\b(replace|change|swap|exchange|remove|turn|convert|rip out|take out|get rid of)\b.*?"
    r"\b(with|to|by|for|into|and (?:lay|install|put|use|paint))\b",
    r"\b(instead of|rather than|in place of|no longer|not|no|without|over the old)\b"
    r"[^,.;]*?(?=,|\.|;|\band\b|\bbut\b|$)",
)
_CLAUSE_END = re.compile(r"[,.;:(){}\n]|\bwith\b|\band\b(?! (?:groove|batten))|\bon the\b|&")
_GRAY = re.compile(r"\bgrey\b")  # codespell:ignore grey


@dataclass(slots=True)
class ParsedDescription:
    """The words of one description that were understood so far.

    `materials` are named exactly (oak), `generic` ones only by kind (wood).
    """

    materials: list[tuple[str, DefaultFinish]] = field(default_factory=list)
    generic: list[tuple[str, DefaultFinish]] = field(default_factory=list)
    colors: list[tuple[str, Color]] = field(default_factory=list)
    layings: list[tuple[str, Pattern, tuple[float, float] | None]] = field(default_factory=list)
    tones: list[str] = field(default_factory=list)
    glosses: list[str] = field(default_factory=list)
    widths: list[str] = field(default_factory=list)
    grout: Color | None = None
    second: Color | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def is_understood(self) -> bool:
        """Whether a material, a color or a laying was named."""
        return bool(self.materials or self.generic or self.colors or self.layings)


def drop_old_surface(text: str) -> str:
    """Drop the parts of a text that are about the surface to be replaced: `instead of carpet`, `no carpet`.

    Parameters
    ----------
    text : str
        In lower case.

    Returns
    -------
    str
        The rest of the text, with straight apostrophes and the spelling `gray`.
    """
    text = _GRAY.sub("gray", text).replace("\u2019", "'")
    for pattern in _OLD_SURFACE:
        text = re.sub(pattern, " ", text)
    return text


def split_into_clauses(text: str) -> list[str]:
    """Split a text into its clauses: `white cabinets`, `brass handles`.

    Parameters
    ----------
    text : str
        In lower case.

    Returns
    -------
    list of str
        The clauses; blank ones are left out.
    """
    return [part for part in _CLAUSE_END.split(text) if part.strip()]


def tokenize(text: str) -> list[str]:
    """Split a text into words in the singular; color codes and words of tone or shape are not split at hyphens.

    Parameters
    ----------
    text : str
        In lower case.

    Returns
    -------
    list of str
        The words in their order.
    """
    found = re.findall(r"#[0-9a-f]{6}\b|ral[ -]?\d{4}|[^\W\d_]+(?:-[^\W\d_]+)*", text)
    pieces: list[str] = []
    for each in found:
        whole = each in words.TONES or each in words.SHAPE_WORDS or each[0] == "#" or each.startswith("ral")
        pieces += [each] if whole else each.split("-")
    return [_singular(each) for each in pieces]


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("shes", "ches", "xes")):
        return word[:-2]
    kept = word.endswith(("ss", "us", "is")) or word in MATERIALS or len(word) < 4
    return word if kept or not word.endswith("s") else word[:-1]


def find_phrases(tokens: list[str], table: Mapping[str, _Entry]) -> list[tuple[str, int]]:
    """Find the phrases of a table in some tokens: the longest first, without overlaps.

    Parameters
    ----------
    tokens : list of str
        The result of `tokenize`.
    table : Mapping of str
        Its keys are phrases of at most MAX_PHRASE_WORDS words.

    Returns
    -------
    list of tuple of (str, int)
        Each phrase and the index of its first token.
    """
    found, place = [], 0
    while place < len(tokens):
        for count in range(MAX_PHRASE_WORDS, 0, -1):
            phrase = " ".join(tokens[place : place + count])
            if place + count <= len(tokens) and phrase in table:
                found.append((phrase, place))
                place += count - 1
                break
        place += 1
    return found


_ALL_PHRASES: Mapping[str, object] = {
    **COLORS,
    **LAYINGS,
    **MATERIALS,
    **GENERIC_MATERIALS,
    **words.TONES,
    **words.GLOSSES,
    **words.WIDTHS,
    **words.SURFACES,
}


def parse_clause(parsed: ParsedDescription, part: str, kind: ChangeType) -> None:
    """Parse one clause and add its words to a parsed description.

    Parameters
    ----------
    parsed : ParsedDescription
        The words that were understood so far; changed in place.
    part : str
        The clause, in lower case.
    kind : ChangeType
        The surface to be changed. A clause about another surface only adds a note, unless `kind` is OTHER.
    """
    tokens = tokenize(drop_sizes(part))
    named = {words.SURFACES[phrase] for phrase, _ in find_phrases(tokens, words.SURFACES)}
    if named and kind not in named and kind is not ChangeType.OTHER:
        parsed.notes.append(f"Only the {kind} changed.")
        return
    if any(token in words.GROUT_WORDS for token in tokens):
        tokens = _take_out_details(tokens, words.GROUT_WORDS, parsed, grout=True)
    if any(token in words.VEIN_WORDS for token in tokens):
        tokens = _take_out_details(tokens, words.VEIN_WORDS, parsed, grout=False)
    details = [token for token in tokens if token in words.DETAIL_WORDS]
    if details:
        parsed.notes.append(f"What was said of the {details[0]} was left out: it stays as it is.")
        return
    if any(token in words.SHAPE_WORDS for token in tokens):
        parsed.notes.append("The fronts keep their shape.")
    _add_phrases(parsed, tokens)


def _add_phrases(parsed: ParsedDescription, tokens: list[str]) -> None:
    _add_color_codes(parsed, tokens)
    for phrase, _ in find_phrases(tokens, _ALL_PHRASES):
        if phrase in MATERIALS:
            parsed.materials.append((phrase, MATERIALS[phrase]))
            parsed.glosses += [word for word in phrase.split() if word in words.GLOSSES]
        elif phrase in GENERIC_MATERIALS:
            parsed.generic.append((phrase, GENERIC_MATERIALS[phrase]))
        elif phrase in LAYINGS:
            parsed.layings.append((phrase, *LAYINGS[phrase]))
        elif phrase in COLORS:
            parsed.colors.append((phrase, COLORS[phrase]))
        elif phrase in words.TONES:
            parsed.tones.append(phrase)
        elif phrase in words.GLOSSES:
            parsed.glosses.append(phrase)
        elif phrase in words.WIDTHS:
            parsed.widths.append(phrase)


def _add_color_codes(parsed: ParsedDescription, tokens: list[str]) -> None:
    """Add the colors that are given by a code: #6a6864, RAL 7016."""
    for token in tokens:
        if token.startswith("#"):
            parsed.colors.append((token, parse_hex_color(token[1:])))
        elif token.startswith("ral") and token[-4:] in RAL:
            parsed.colors.append((token.upper(), RAL[token[-4:]]))


def _take_out_details(
    tokens: list[str], nouns: frozenset[str], parsed: ParsedDescription, *, grout: bool
) -> list[str]:
    """Remove `dark gray grout` or `gold veins` from the tokens, and store the color in `parsed`."""
    place = next(place for place, token in enumerate(tokens) if token in nouns)
    begin = place
    while begin > 0 and (tokens[begin - 1] in COLORS or tokens[begin - 1] in words.TONES):
        begin -= 1
    detail = ParsedDescription()
    _add_phrases(detail, tokens[begin:place])
    color = mix_colors([each for _, each in detail.colors]) if detail.colors else None
    if color is None and detail.tones:
        color = parse_hex_color("6a6864") if words.TONES[detail.tones[0]][0] < 0 else parse_hex_color("dcd9d2")
    if color is not None:
        color = tone_color(color, detail.tones)
    if grout:
        parsed.grout = color or parsed.grout
    else:
        parsed.second = color or parsed.second
    return tokens[:begin] + tokens[place + 1 :]


UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "inch": 0.0254, "inches": 0.0254, '"': 0.0254}
"""Meters of each unit."""
_UNIT = r"(mm|cm|inches|inch|in|m|\")?"
_TWO_SIZES = re.compile(rf"(\d+(?:\.\d+)?)\s*{_UNIT}\s*(?:x|by|\u00d7)\s*(\d+(?:\.\d+)?)\s*{_UNIT}(?![a-z0-9])")
_SINGLE_SIZE = re.compile(r"(\d+(?:\.\d+)?)[ -]?(mm|cm|inches|inch|in|m|\")(?![a-z0-9])")
# If both sides of a tile are among these numbers, they are inches.
_INCHES = frozenset({2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 18.0, 24.0, 36.0, 48.0})
MIN_PIECE_SIDE = 0.01
"""Least side of a piece, in meters."""
MAX_PIECE_SIDE = 4.0
"""Greatest side of a piece, in meters."""


def parse_size(text: str) -> tuple[float, float] | None:
    """Parse the size of pieces that a text gives.

    Parameters
    ----------
    text : str
        In lower case.

    Returns
    -------
    tuple of float or None
        Length and width in meters; the width is 0 if only one number is given. None if no size is given, or if a
        side is not between MIN_PIECE_SIDE and MAX_PIECE_SIDE.
    """
    pair = _TWO_SIZES.search(text)
    if pair:
        one, other = float(pair[1]), float(pair[3])
        unit = pair[4] or pair[2]
        scale = UNITS[unit] if unit else _guess_unit(one, other)
        sides = sorted((one * scale, other * scale), reverse=True)
        return (sides[0], sides[1]) if sides[1] >= MIN_PIECE_SIDE and sides[0] <= MAX_PIECE_SIDE else None
    single = _SINGLE_SIZE.search(text)
    if not single:
        return None
    side = float(single[1]) * UNITS[single[2]]
    return (side, 0.0) if MIN_PIECE_SIDE <= side <= MAX_PIECE_SIDE else None


def drop_sizes(text: str) -> str:
    """Drop the sizes that `parse_size` reads.

    Parameters
    ----------
    text : str
        In lower case.

    Returns
    -------
    str
        The rest of the text.
    """
    return _SINGLE_SIZE.sub(" ", _TWO_SIZES.sub(" ", text))


def _guess_unit(one: float, other: float) -> float:
    """Meters of the likely unit of two numbers that are given without a unit."""
    if max(one, other) >= 130:
        return 0.001
    if {one, other} <= _INCHES:
        return 0.0254
    return 1.0 if max(one, other) < 3 else 0.01
