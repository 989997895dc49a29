"""Lays pieces: finds the piece at each spot, the place of the spot on the piece, and the share of joint there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.materials.finish import Finish, MaterialKind, Pattern

Integers = NDArray[np.int64]
PIECE_COUNT = 4096
"""Number of different pieces; a surface with more pieces repeats some."""
COS_30 = np.float32(np.sqrt(3) / 2)
"""Cosine of 30 degrees."""


@dataclass(frozen=True, slots=True)
class LaidPieces:
    """The pieces at some spots of a surface.

    For each spot: the number of its piece (0 to PIECE_COUNT - 1), meters along and across the piece, the share of
    joint (0-1), and whether the piece has the second color (`other`; None if the pattern has only one).
    """

    piece: Integers
    along: Plane
    across: Plane
    joint: Plane
    other: NDArray[np.bool_] | None = None


def lay_pieces(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    """Find the pieces of a finish at some spots of a surface.

    Parameters
    ----------
    finish : Finish
        The finish: its pattern, and the length and width of its pieces.
    along : (h, w) ndarray of float32
        Meters along the surface.
    across : (h, w) ndarray of float32
        Meters across it.
    footprint : (h, w) ndarray of float32
        Meters of the surface that a pixel covers.

    Returns
    -------
    LaidPieces
        The pieces; one large piece without joints if the pattern is plain.
    """
    if finish.pattern is Pattern.PLAIN:
        return LaidPieces(np.zeros(along.shape, np.int64), along, across, plane(np.zeros(along.shape)))
    return _PATTERNS[finish.pattern](finish, along, across, footprint)


def get_joint_width(finish: Finish) -> float:
    """The width of the joints between pieces.

    Parameters
    ----------
    finish : Finish
        The finish: its material, pattern and size.

    Returns
    -------
    float
        Meters.
    """
    if finish.kind is MaterialKind.WOOD:
        return 0.0012
    if finish.kind is MaterialKind.BRICK:
        return 0.010
    if finish.pattern is Pattern.PANELS:
        return 0.005
    return 0.0015 if finish.size[0] <= 0.05 else 0.0025 if finish.size[1] < 0.3 else 0.003


def _hash_piece(one: Integers, other: Integers) -> Integers:
    mixed = one * 73856093 ^ other * 19349663
    return np.asarray((mixed ^ (mixed >> 11)) % PIECE_COUNT, dtype=np.int64)


def _round_down(values: Plane) -> Integers:
    return np.asarray(np.floor(values), dtype=np.int64)


def _measure_joint_cover(away: Plane, width: float, footprint: Plane) -> Plane:
    """The share of a pixel that a joint covers, if `away` meters are between their middles."""
    half, own = footprint / 2, np.float32(width / 2)
    both = np.minimum(away + half, own) - np.maximum(away - half, -own)
    return plane(np.clip(both, 0, None) / np.maximum(footprint, 1e-6))


def _measure_end_distance(place: Plane, length: float) -> Plane:
    """Meters from a place in a piece of this length to its nearer end."""
    return plane(np.minimum(place, length - place))


def _lay_rows(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    """Rows of pieces; each row is shifted: planks by a random length, others by half a piece."""
    length, width = finish.size
    row = _round_down(across / width)
    shift = _ROW_SHIFTS[row % PIECE_COUNT] if finish.pattern is Pattern.PLANKS else plane((row % 2) * 0.5)
    moved = along / length + shift
    column = _round_down(moved)
    place, side = (moved - column) * length, across - row * width
    joint = get_joint_width(finish)
    share = np.maximum(
        _measure_joint_cover(_measure_end_distance(place, length), joint, footprint),
        _measure_joint_cover(_measure_end_distance(side, width), joint, footprint),
    )
    return LaidPieces(_hash_piece(row, column), plane(place), plane(side), plane(share))


def _lay_grid(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    length, width = finish.size
    column, row = _round_down(along / length), _round_down(across / width)
    place, side = along - column * length, across - row * width
    joint = get_joint_width(finish)
    share = np.maximum(
        _measure_joint_cover(_measure_end_distance(place, length), joint, footprint),
        _measure_joint_cover(_measure_end_distance(side, width), joint, footprint),
    )
    other = np.asarray((column + row) % 2 == 1) if finish.pattern is Pattern.CHECKER else None
    return LaidPieces(_hash_piece(row, column), plane(place), plane(side), plane(share), other)


def _lay_herringbone(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    """Pieces `times` as long as wide, on a grid of cells as wide as a piece; each row is shifted by one cell."""
    width = finish.size[1]
    times = int(np.clip(round(finish.size[0] / width), 2, 12))
    # Turned by 45 degrees, so that the zigzag runs along the room.
    x, y = (along + across) * np.float32(0.70710678), (across - along) * np.float32(0.70710678)
    column, row = _round_down(x / width), _round_down(y / width)
    turn = (column - row) % (2 * times)
    flat = turn < times
    first = np.where(flat, column - turn, row - (2 * times - 1 - turn))
    place = np.where(flat, x, y) - first * width
    side = np.where(flat, y - row * width, x - column * width)
    number = _hash_piece(np.where(flat, row, column) * 2 + flat, first)
    joint, length = get_joint_width(finish), times * width
    ends, sides = _measure_end_distance(plane(place), length), _measure_end_distance(plane(side), width)
    share = np.maximum(_measure_joint_cover(ends, joint, footprint), _measure_joint_cover(sides, joint, footprint))
    return LaidPieces(number, plane(place), plane(side), plane(share))


def _lay_chevron(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    """Columns of pieces whose ends are cut at 45 degrees, so that neighboring columns form a V."""
    length, width = finish.size
    wide, high = length * 0.70710678, width / 0.70710678
    column = _round_down(across / wide)
    inside = across - column * wide
    rise = np.where(column % 2 == 0, inside, wide - inside)
    row = _round_down((along + rise) / high)
    side = (along + rise - row * high) * np.float32(0.70710678)
    joint = get_joint_width(finish)
    ends, sides = _measure_end_distance(plane(inside), wide), _measure_end_distance(plane(side), width)
    share = np.maximum(_measure_joint_cover(ends, joint, footprint), _measure_joint_cover(sides, joint, footprint))
    place = np.where(column % 2 == 0, inside, wide - inside) * np.float32(1.41421356)
    return LaidPieces(_hash_piece(row, column), plane(place), plane(side), plane(share))


def _lay_hexagons(finish: Finish, along: Plane, across: Plane, footprint: Plane) -> LaidPieces:
    """Hexagons; `size` is the distance between opposite sides."""
    width = finish.size[0]
    high = width / COS_30 * np.float32(1.5)
    found: list[tuple[Plane, Plane, Plane, Integers]] = []
    for shift in (0.0, 0.5):
        column = _round_down(along / width + shift + 0.5)
        row = _round_down(across / high + shift + 0.5)
        x, y = along - (column - shift) * width, across - (row - shift) * high
        found.append((plane(x), plane(y), plane(x * x + y * y), _hash_piece(row * 2 + int(shift * 2), column)))
    near = found[0][2] <= found[1][2]
    x, y = np.where(near, found[0][0], found[1][0]), np.where(near, found[0][1], found[1][1])
    number = np.asarray(np.where(near, found[0][3], found[1][3]), dtype=np.int64)
    out = np.maximum(np.abs(x), np.abs(x) * 0.5 + np.abs(y) * COS_30)
    share = _measure_joint_cover(plane(width / 2 - out), get_joint_width(finish), footprint)
    return LaidPieces(number, plane(x), plane(y), share)


_PATTERNS: Mapping[Pattern, Callable[[Finish, Plane, Plane, Plane], LaidPieces]] = {
    Pattern.PLANKS: _lay_rows,
    Pattern.BOND: _lay_rows,
    Pattern.TILES: _lay_grid,
    Pattern.CHECKER: _lay_grid,
    Pattern.PANELS: _lay_grid,
    Pattern.HERRINGBONE: _lay_herringbone,
    Pattern.CHEVRON: _lay_chevron,
    Pattern.HEX: _lay_hexagons,
}
_ROW_SHIFTS = plane(np.random.Generator(np.random.PCG64(83)).random(PIECE_COUNT, dtype=np.float32))
