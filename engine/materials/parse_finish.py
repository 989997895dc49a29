"""Turns a description in English into a finish: material, color, way of laying, size and gloss of a surface."""

import re

from engine.canvas import Declined
from engine.materials import plain_words as words
from engine.materials.colors import mix_colors, stain_color, tone_color
from engine.materials.finish import Color, Finish, MaterialKind, Pattern, parse_hex_color
from engine.materials.named_materials import GENERIC_MATERIALS, MATERIALS, MATT, MOSAIC, SUBWAY, TILE, DefaultFinish
from engine.materials.parse_description import (
    ParsedDescription,
    drop_old_surface,
    find_phrases,
    parse_clause,
    parse_size,
    split_into_clauses,
    tokenize,
)
from engine.materials.refusals import explain_not_understood, is_foreign, refuse_requests
from engine.types.enhancements import ChangeType
from engine.types.report import Reason

# Materials that get exactly the color that is asked for; other materials are only stained with it.
_PAINTED = frozenset(
    {MaterialKind.PAINT, MaterialKind.CERAMIC, MaterialKind.CARPET, MaterialKind.BRICK, MaterialKind.METAL}
)
# If one of these is named with another material, the surface looks like the other: marble tiles, painted steel.
_LOOKS_LIKE = frozenset({MaterialKind.PAINT, MaterialKind.CERAMIC, MaterialKind.METAL})
_STONES = frozenset(
    {MaterialKind.MARBLE, MaterialKind.GRANITE, MaterialKind.TERRAZZO, MaterialKind.LIMESTONE, MaterialKind.SLATE}
)


def parse_finish(kind: ChangeType, description: str, reference: str | None = None) -> Finish:
    """Parse the finish that a description and the words about a reference picture ask for.

    Parameters
    ----------
    kind : ChangeType
        The surface to be changed; it decides which materials, patterns and sizes are used if none are named.
    description : str
        The customer's words.
    reference : str, optional
        The customer's words about a reference picture.

    Returns
    -------
    Finish
        The finish, without a texture.

    Raises
    ------
    Declined
        NOT_ENGLISH, NOT_UNDERSTOOD, CONTRADICTORY, HIDES_DEFECTS, STRUCTURAL_CHANGE or NOT_AVAILABLE.
    """
    parsed, whole_text = ParsedDescription(), f"{description}. {reference or ''}".lower()
    refuse_requests(whole_text)
    text = drop_old_surface(whole_text)
    all_words = re.findall(r"[^\W\d_]+", text)
    if is_foreign(all_words):
        raise explain_not_understood(all_words)
    for part in split_into_clauses(text):
        parse_clause(parsed, part, kind)
    # The words about a reference often repeat the description's color.
    parsed.colors = list(dict(parsed.colors).items())
    if not parsed.is_understood:
        if parsed.notes:
            raise Declined(Reason.NOT_UNDERSTOOD, f"The description says nothing of the {kind} to be changed.")
        raise explain_not_understood(all_words)
    _refuse_contradictions(parsed)
    return _build_finish(parsed, kind, parse_size(text))


def parse_surface(description: str) -> ChangeType | None:
    """Find the surface that a description names, if it names exactly one.

    Parameters
    ----------
    description : str
        The customer's words.

    Returns
    -------
    ChangeType or None
        None if the description names no surface or several.
    """
    tokens = tokenize(drop_old_surface(description.lower()))
    named = {words.SURFACES[phrase] for phrase, _ in find_phrases(tokens, words.SURFACES)}
    return named.pop() if len(named) == 1 else None


def _refuse_contradictions(parsed: ParsedDescription) -> None:
    kinds = {usual.kind: name for name, usual in parsed.materials if usual.kind not in _LOOKS_LIKE}
    if len(kinds) > 1:
        raise _contradiction("materials", list(kinds.values()))
    names = [name for name, usual in parsed.materials if usual.kind is MaterialKind.WOOD]
    if len(set(names)) > 1:
        raise _contradiction("woods", names)
    if len({pattern for _, pattern, _ in parsed.layings if pattern not in _GENERIC_LAYINGS}) > 1:
        raise _contradiction("ways of laying", [name for name, _, _ in parsed.layings])
    shifts = [words.TONES[each][0] for each in parsed.tones]
    if any(each >= 0.2 for each in shifts) and any(each <= -0.2 for each in shifts):
        raise _contradiction("tones", parsed.tones)


# Patterns that do not contradict any other one.
_GENERIC_LAYINGS = frozenset({Pattern.TILES, Pattern.PLANKS, Pattern.PLAIN})


def _contradiction(what: str, names: list[str]) -> Declined:
    both = " and ".join(dict.fromkeys(names))
    return Declined(Reason.CONTRADICTORY, f"The description names two {what}, {both}: please choose one.")


def _choose_material(parsed: ParsedDescription, kind: ChangeType) -> DefaultFinish:
    """The material that is named, or the usual one for these ways of laying on this surface."""
    paint = [usual for _, usual in parsed.materials if usual.kind is MaterialKind.PAINT]
    named = [usual for _, usual in parsed.materials if usual.kind is not MaterialKind.PAINT]
    first = sorted(named, key=lambda usual: usual.kind in (MaterialKind.CERAMIC, MaterialKind.METAL))
    wooden = next((usual for _, usual in parsed.generic if usual.kind is MaterialKind.WOOD), None)
    if first:
        # Wood-look tiles look like wood.
        return wooden if wooden and first[0].kind is MaterialKind.CERAMIC else first[0]
    # White lacquered wood shows its color, not its grain.
    if paint and parsed.colors:
        return paint[0]
    if parsed.generic:
        return wooden or parsed.generic[0][1]
    return _find_usual_material({pattern for _, pattern, _ in parsed.layings}, kind)


def _find_usual_material(patterns: set[Pattern], kind: ChangeType) -> DefaultFinish:
    """The usual material for these patterns, if no material is named."""
    if patterns & {Pattern.PLANKS, Pattern.HERRINGBONE, Pattern.CHEVRON} and kind is not ChangeType.BACKSPLASH:
        return GENERIC_MATERIALS["wood"]
    if patterns & (set(Pattern) - {Pattern.PLAIN, Pattern.PANELS}):
        return MATERIALS["ceramic tile"]
    return MATERIALS["solid surface" if kind is ChangeType.COUNTERTOPS else "paint"]


def _build_finish(parsed: ParsedDescription, kind: ChangeType, size_given: tuple[float, float] | None) -> Finish:
    usual = _choose_material(parsed, kind)
    pattern, size = _choose_laying(parsed, usual, kind)
    if size_given:
        size = _apply_size(size_given, parsed, pattern, size)
    elif parsed.widths:
        times = words.WIDTHS[parsed.widths[0]]
        size = (size[0] * max(times, 0.8), size[1] * times)
    color, second = _choose_colors(parsed, usual, pattern)
    gloss = words.GLOSSES[parsed.glosses[-1]] if parsed.glosses else usual.gloss
    if usual.kind is MaterialKind.WOOD and gloss == MATT:
        gloss = 0.06
    said = [name for name, _ in parsed.materials + parsed.generic] + [name for name, *_ in parsed.layings]
    said += [name for name, _ in parsed.colors] + parsed.tones + parsed.glosses + parsed.widths
    notes = tuple(dict.fromkeys(parsed.notes))
    joint = parsed.grout
    return Finish(
        usual.kind,
        color,
        pattern,
        size,
        gloss,
        second,
        joint,
        ", ".join(dict.fromkeys(said)),
        notes,
        bool(parsed.colors or parsed.tones),
    )


def _apply_size(
    given: tuple[float, float], parsed: ParsedDescription, pattern: Pattern, usual: tuple[float, float]
) -> tuple[float, float]:
    """Length and width of a piece: a single number is both sides of squares and hexagons, otherwise the width."""
    side, other = given
    if other:
        return side, other
    oblong = any(own is not None and own[0] != own[1] for *_, own in parsed.layings)
    return (side, side) if pattern in _SQUARE and not oblong else (usual[0], side)


_SQUARE = frozenset({Pattern.TILES, Pattern.CHECKER, Pattern.HEX})
"""Patterns of pieces with equal sides, unless two different sides are named."""


def _choose_laying(
    parsed: ParsedDescription, usual: DefaultFinish, kind: ChangeType
) -> tuple[Pattern, tuple[float, float]]:
    """The pattern and size of pieces: from the last specific way of laying that is named, or else the last generic
    one, or else the usual one.
    """
    pattern, size = usual.pattern, usual.size
    layings = sorted(parsed.layings, key=lambda each: each[1] not in _GENERIC_LAYINGS)
    if layings:
        _, pattern, own = layings[-1]
        sizes = [each for _, _, each in layings if each is not None]
        size = own or (sizes[-1] if sizes else usual.size if usual.pattern is pattern else TILE)
    on_wall = kind in (ChangeType.WALLS, ChangeType.BACKSPLASH)
    if usual.kind is MaterialKind.CARPET:
        return Pattern.PLAIN, (1.0, 1.0)
    if on_wall and pattern is Pattern.TILES and size == TILE and usual.kind is MaterialKind.CERAMIC:
        size = SUBWAY if kind is ChangeType.BACKSPLASH else (0.3, 0.3)
    if kind is ChangeType.FLOOR and usual.kind in _STONES and pattern is Pattern.PLAIN and not layings:
        pattern, size = Pattern.TILES, (0.8, 0.8)
    if kind is ChangeType.COUNTERTOPS and usual.kind is not MaterialKind.WOOD and pattern is not Pattern.CHECKER:
        tiles = any(name in ("tile", "tiled", "mosaic") for name, _, _ in parsed.layings)
        pattern = pattern if tiles else Pattern.PLAIN
    if kind is ChangeType.CABINETS:
        pattern = Pattern.PLAIN
    if pattern is Pattern.TILES and usual.kind is MaterialKind.WOOD:
        pattern, size = Pattern.PLANKS, (1.2, 0.2)
    return pattern, (MOSAIC if pattern is Pattern.TILES and size[1] < 0.01 else size)


def _choose_colors(parsed: ParsedDescription, usual: DefaultFinish, pattern: Pattern) -> tuple[Color, Color | None]:
    colors = [color for _, color in parsed.colors]
    second = parsed.second or usual.second
    if pattern is Pattern.CHECKER:
        first = colors[0] if colors else parse_hex_color("efece4")
        other = (
            colors[1]
            if len(colors) > 1
            else parse_hex_color("2a2a2c")
            if sum(first) > 1.2
            else parse_hex_color("efece4")
        )
        return first, other
    if len(colors) > 1 and usual.kind is MaterialKind.TERRAZZO:
        return colors[0], colors[1]
    if len(colors) > 1 and not _are_one_color(parsed):
        raise _contradiction("colors", [name for name, _ in parsed.colors])
    color = usual.color
    if colors:
        asked = mix_colors(colors)
        color = asked if usual.kind in _PAINTED else stain_color(color, asked)
        keeps = parsed.second is not None or usual.second is None
        second = second if keeps else stain_color(usual.second or color, asked)
    return tone_color(color, parsed.tones), second


def _are_one_color(parsed: ParsedDescription) -> bool:
    """Whether two color names mean one color: blue-gray, gray blue."""
    names = {name for name, _ in parsed.colors}
    return len(parsed.colors) == 2 and bool(names & _MIXING)


_MIXING = frozenset({"gray", "green", "blue", "brown", "beige", "pink", "purple"})
