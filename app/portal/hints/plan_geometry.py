"""Geometry of a floor plan: conversion between floor and picture, and the part of an outline that lies in
another.
"""

import math
from collections.abc import Iterator, Sequence

Spot = tuple[float, float]
"""A spot of the floor in meters, or a point of the picture, 0 to 1."""
Outline = Sequence[Sequence[float]]
Matrix = Sequence[float]
"""Nine numbers, row by row: see engine.types.floor_plan.FloorPlan.to_picture."""
Side = tuple[float, float, float]
"""The points with a * x + b * y + c >= 0, given as (a, b, c)."""
MIN_DEPTH = 0.1
"""Least distance from the lens at which the floor is in the picture, meters."""


def read_matrix(text: str) -> Matrix:
    """The matrix that a form sent. Raises ValueError for any other text."""
    numbers = [float(each) for each in text.split()[:10]]
    if len(numbers) != 9 or not all(map(math.isfinite, numbers)):
        raise ValueError("no matrix")
    invert(numbers)
    return numbers


def project(matrix: Matrix, spot: Sequence[float]) -> Spot | None:
    """The point of the picture that shows a spot of the floor, also beside the picture; None behind the lens."""
    x, y, depth = _multiply(matrix, spot)
    return None if depth < MIN_DEPTH else (x / depth, y / depth)


def find_spot(matrix: Matrix, point: Sequence[float]) -> Spot | None:
    """The spot of the floor that a point of the picture shows; None above the horizon."""
    x, y, share = _multiply(invert(matrix), point)
    if abs(share) < 1e-12:
        return None
    spot = x / share, y / share
    return None if project(matrix, spot) is None else spot


def invert(matrix: Matrix) -> Matrix:
    """The matrix from points of the picture to spots of the floor. Raises ValueError if there is none."""
    a, b, c, d, e, f, g, h, i = matrix
    scale = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if abs(scale) < 1e-12:
        raise ValueError("no matrix")
    adjugate = (
        *(e * i - f * h, c * h - b * i, b * f - c * e),
        *(f * g - d * i, a * i - c * g, c * d - a * f),
        *(d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return [each / scale for each in adjugate]


def list_picture_sides(matrix: Matrix) -> Sequence[Side]:
    """The sides between which a spot of the floor is in the picture."""
    a, b, c, d, e, f, g, h, i = matrix
    return [(g, h, i - MIN_DEPTH), (a, b, c), (d, e, f), (g - a, h - b, i - c), (g - d, h - e, i - f)]


def list_sides(outline: Outline) -> Sequence[Side]:
    """The sides of a convex outline."""
    turn = 1 if _sum_turns(outline) >= 0 else -1
    return [(turn * (y - v), turn * (u - x), turn * (x * v - u * y)) for (x, y), (u, v) in _list_edges(outline)]


def clip(outline: Outline, sides: Sequence[Side]) -> Sequence[Spot]:
    """The part of an outline that lies within all sides; may be empty."""
    kept = [(x, y) for x, y in outline]
    for side in sides:
        kept = list(_cut(kept, side)) if kept else []
    return kept


def measure(outline: Outline) -> float:
    """The area of an outline, in the square of its unit."""
    return abs(_sum_turns(outline)) / 2


def box_of(outline: Outline) -> Sequence[Spot]:
    """The corners of the rectangle around an outline, along the plan's two directions."""
    xs, ys = zip(*outline, strict=True)
    return draw_box((min(xs), min(ys), max(xs), max(ys)))


def draw_box(ends: Sequence[float]) -> Sequence[Spot]:
    """The four corners of a rectangle, from two opposite ones."""
    x, y, u, v = ends
    return [(x, y), (u, y), (u, v), (x, v)]


def write_spots(outline: Outline) -> str:
    """An outline in the plan as the `points` of an SVG polygon: points far away are at the top."""
    return " ".join(f"{x:.3f},{-y:.3f}" for x, y in outline)


def _cut(outline: Sequence[Spot], side: Side) -> Iterator[Spot]:
    a, b, c = side
    for (x, y), (u, v) in _list_edges(outline):
        before, after = a * x + b * y + c, a * u + b * v + c
        if (before < 0) != (after < 0):
            share = before / (before - after)
            yield x + share * (u - x), y + share * (v - y)
        if after >= 0:
            yield u, v


def _list_edges(outline: Outline) -> Iterator[tuple[Sequence[float], Sequence[float]]]:
    return zip(outline, [*outline[1:], *outline[:1]], strict=True)


def _sum_turns(outline: Outline) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in _list_edges(outline))


def _multiply(matrix: Matrix, spot: Sequence[float]) -> tuple[float, float, float]:
    x, y = spot
    a, b, c, d, e, f, g, h, i = matrix
    return a * x + b * y + c, d * x + e * y + f, g * x + h * y + i
