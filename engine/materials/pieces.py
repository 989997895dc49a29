"""How pieces are laid: which piece lies at a spot, where the spot is on the piece, and how much joint it shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Plane, plane
from engine.materials.finish import Finish, MaterialKind, Pattern

Whole = NDArray[np.int64]
CHANCES = 4096
"""Number of different pieces; more pieces repeat them."""
THIRTY = np.float32(np.sqrt(3) / 2)
"""Cosine of 30 degrees."""


@dataclass(frozen=True, slots=True)
class LaidPieces:
    """Which piece lies at each spot.

    For each spot: the number of its piece (0 to CHANCES - 1), meters along and across the piece, the share of joint
    (0-1), and whether the piece is of the second kind (`other`; None if the pattern has only one kind).
    """

    piece: Whole
    along: Plane
    across: Plane
    joint: Plane
    other: NDArray[np.bool_] | None = None


def lay_pieces(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    """Lay the pieces of a finish.

    Parameters
    ----------
    finish : Finish
        The finish: its pattern, and the length and width of its pieces.
    along : (h, w) ndarray of float32
        Meters along the surface.
    across : (h, w) ndarray of float32
        Meters across it.
    seen : (h, w) ndarray of float32
        Meters of the surface that a pixel covers.

    Returns
    -------
    LaidPieces
        The pieces; one large piece without joints if the pattern is plain.
    """
    if finish.pattern is Pattern.PLAIN:
        return LaidPieces(np.zeros(along.shape, np.int64), along, across, plane(np.zeros(along.shape)))
    return _PATTERNS[finish.pattern](finish, along, across, seen)


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


def _number(one: Whole, other: Whole) -> Whole:
    mixed = one * 73856093 ^ other * 19349663
    return np.asarray((mixed ^ (mixed >> 11)) % CHANCES, dtype=np.int64)


def _floor(values: Plane) -> Whole:
    return np.asarray(np.floor(values), dtype=np.int64)


def _measure_joint_cover(away: Plane, width: float, seen: Plane) -> Plane:
    """The share of a pixel that a joint covers if the joint's middle is `away` meters from the pixel's middle."""
    half, own = seen / 2, np.float32(width / 2)
    both = np.minimum(away + half, own) - np.maximum(away - half, -own)
    return plane(np.clip(both, 0, None) / np.maximum(seen, 1e-6))


def _edge(place: Plane, length: float) -> Plane:
    """Meters from a place in a piece of this length to its nearer end."""
    return plane(np.minimum(place, length - place))


def _rows(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    """Boards whose ends are shifted from row to row, by chance or by half."""
    length, width = finish.size
    row = _floor(across / width)
    shift = _SHIFTS[row % CHANCES] if finish.pattern is Pattern.PLANKS else plane((row % 2) * 0.5)
    moved = along / length + shift
    column = _floor(moved)
    place, side = (moved - column) * length, across - row * width
    joint = get_joint_width(finish)
    share = np.maximum(
        _measure_joint_cover(_edge(place, length), joint, seen),
        _measure_joint_cover(_edge(side, width), joint, seen),
    )
    return LaidPieces(_number(row, column), plane(place), plane(side), plane(share))


def _grid(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    length, width = finish.size
    column, row = _floor(along / length), _floor(across / width)
    place, side = along - column * length, across - row * width
    joint = get_joint_width(finish)
    share = np.maximum(
        _measure_joint_cover(_edge(place, length), joint, seen),
        _measure_joint_cover(_edge(side, width), joint, seen),
    )
    other = np.asarray((column + row) % 2 == 1) if finish.pattern is Pattern.CHECKER else None
    return LaidPieces(_number(row, column), plane(place), plane(side), plane(share), other)


def _herringbone(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    """Pieces `times` as long as wide, on a grid of cells as wide as a piece; each row is shifted by one cell."""
    width = finish.size[1]
    times = int(np.clip(round(finish.size[0] / width), 2, 12))
    # The zigzag runs along the room.
    x, y = (along + across) * np.float32(0.70710678), (across - along) * np.float32(0.70710678)
    column, row = _floor(x / width), _floor(y / width)
    turn = (column - row) % (2 * times)
    flat = turn < times
    first = np.where(flat, column - turn, row - (2 * times - 1 - turn))
    place = np.where(flat, x, y) - first * width
    side = np.where(flat, y - row * width, x - column * width)
    number = _number(np.where(flat, row, column) * 2 + flat, first)
    joint, length = get_joint_width(finish), times * width
    ends, sides = _edge(plane(place), length), _edge(plane(side), width)
    share = np.maximum(_measure_joint_cover(ends, joint, seen), _measure_joint_cover(sides, joint, seen))
    return LaidPieces(number, plane(place), plane(side), plane(share))


def _chevron(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    """Columns of pieces cut at an angle of 45 degrees that meet in points."""
    length, width = finish.size
    wide, high = length * 0.70710678, width / 0.70710678
    column = _floor(across / wide)
    inside = across - column * wide
    rise = np.where(column % 2 == 0, inside, wide - inside)
    row = _floor((along + rise) / high)
    side = (along + rise - row * high) * np.float32(0.70710678)
    joint = get_joint_width(finish)
    ends, sides = _edge(plane(inside), wide), _edge(plane(side), width)
    share = np.maximum(_measure_joint_cover(ends, joint, seen), _measure_joint_cover(sides, joint, seen))
    place = np.where(column % 2 == 0, inside, wide - inside) * np.float32(1.41421356)
    return LaidPieces(_number(row, column), plane(place), plane(side), plane(share))


def _hexagons(finish: Finish, along: Plane, across: Plane, seen: Plane) -> LaidPieces:
    """Hexagons; `size` is the distance between opposite sides."""
    width = finish.size[0]
    high = width / THIRTY * np.float32(1.5)
    found: list[tuple[Plane, Plane, Plane, Whole]] = []
    for shift in (0.0, 0.5):
        column = _floor(along / width + shift + 0.5)
        row = _floor(across / high + shift + 0.5)
        x, y = along - (column - shift) * width, across - (row - shift) * high
        found.append((plane(x), plane(y), plane(x * x + y * y), _number(row * 2 + int(shift * 2), column)))
    near = found[0][2] <= found[1][2]
    x, y = np.where(near, found[0][0], found[1][0]), np.where(near, found[0][1], found[1][1])
    number = np.asarray(np.where(near, found[0][3], found[1][3]), dtype=np.int64)
    out = np.maximum(np.abs(x), np.abs(x) * 0.5 + np.abs(y) * THIRTY)
    share = _measure_joint_cover(plane(width / 2 - out), get_joint_width(finish), seen)
    return LaidPieces(number, plane(x), plane(y), share)


_PATTERNS: Mapping[Pattern, Callable[[Finish, Plane, Plane, Plane], LaidPieces]] = {
    Pattern.PLANKS: _rows,
    Pattern.BOND: _rows,
    Pattern.TILES: _grid,
    Pattern.CHECKER: _grid,
    Pattern.PANELS: _grid,
    Pattern.HERRINGBONE: _herringbone,
    Pattern.CHEVRON: _chevron,
    Pattern.HEX: _hexagons,
}
_SHIFTS = plane(np.random.Generator(np.random.PCG64(83)).random(CHANCES, dtype=np.float32))
