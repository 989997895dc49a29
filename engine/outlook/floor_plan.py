"""Draws the floor plan of a room, and finds different layouts of furniture that the engine would make."""

import math
from collections.abc import Iterator, Sequence
from itertools import islice

import cv2
import numpy as np

from engine.arrays import Mask
from engine.canvas import Canvas
from engine.effects.virtual_staging import make_ground
from engine.geometry.camera import Camera, Points
from engine.outlook.outlines import outline
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.layout.furnishing import Furnishing
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.main_pieces import MAIN_PIECES
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.layout.placements import arrange_placements
from engine.rendering.layout.plan import find_alternatives
from engine.types.floor_plan import LOOKS, FloorPlan, Homography, PlannedLayout, PlannedPiece
from engine.types.hints import PlacementHint, Point, Polygon
from engine.types.outlook import DECIMALS

MAX_LAYOUTS = 3
"""Most layouts to choose from."""
CELL, REACH, DEPTH = 0.05, 6.4, 12.8
"""In meters: the side of a cell of the grid in which the floor is drawn, and how far the grid extends to each side
and ahead.
"""
MIN_PART = 0.15
"""Least area of a part of the floor, in square meters; smaller parts are left out."""
MAX_PARTS = 8
"""Most outlines of the floor, and of the area that stays free; the largest are kept."""
MAX_OFF, MAX_TURNED = 0.3, math.radians(5)
"""How far the engine may put a main piece from the place in a hint, and how far turn it; meters and radians."""
_NAMES = {name: piece for piece, (name, _, _) in MAIN_PIECES.items()}
_Layout = tuple[tuple[tuple[PlacementHint, PlacedPiece], ...], tuple[PlacedPiece, ...]]


def draw_plan(canvas: Canvas, furnishing: Furnishing | None = None) -> FloorPlan | None:
    """Draw the floor plan of a room that is to be furnished.

    Parameters
    ----------
    canvas : Canvas
        The small picture before staging.
    furnishing : Furnishing, optional
        What staging has planned for the room; None if staging declined.

    Returns
    -------
    FloorPlan or None
        None if the room cannot be measured. The plan's layouts begin with the engine's own choice. If the hints
        have placements, the only layout is theirs. There are no layouts where the engine would not furnish the
        room.
    """
    room, _ = canvas.find_room()
    if room is None or canvas.scene.outdoors:
        return None
    ground = furnishing.ground if furnishing else make_ground(canvas, room, canvas.find_surfaces())
    seen, kept_free = _draw_floor(ground)
    layouts = tuple(_list_layouts(canvas, furnishing)) if furnishing else ()
    return FloorPlan(
        camera=(0.0, 0.0),
        floor=_outline_floor(seen),
        clear=_outline_floor(kept_free),
        walls=tuple((wall.start, wall.end) for wall in room.walls),
        to_picture=find_homography(room.camera, (ground.width, ground.height)),
        layouts=layouts,
    )


def find_homography(camera: Camera, size: tuple[int, int]) -> Homography:
    """Find the matrix that maps spots of the floor to points of the picture.

    Parameters
    ----------
    camera : Camera
        The camera of a picture of `size`.
    size : (int, int)
        Width and height, in pixels.

    Returns
    -------
    tuple of tuple of float
        3 x 3, from (x, y, 1) in meters to shares of the picture, 0-1, times the distance from the lens along its
        axis, in meters.
    """
    lens = np.array([[camera.focal, 0, camera.center[0]], [0, camera.focal, camera.center[1]], [0, 0, 1]])
    floor = np.column_stack([camera.turn[:, 0], camera.turn[:, 1], -camera.turn @ camera.eye])
    matrix = np.diag([1 / size[0], 1 / size[1], 1]) @ lens @ floor
    first, second, third = ((float(row[0]), float(row[1]), float(row[2])) for row in matrix)
    return first, second, third


def _draw_floor(ground: Ground) -> tuple[Mask, Mask]:
    """The cells of a grid where floor is visible, and the cells among these that stay free of furniture."""
    across, along = np.meshgrid(np.arange(-REACH, REACH, CELL), np.arange(0, DEPTH, CELL))
    spots = np.column_stack([across.ravel(), along.ravel()]) + CELL / 2
    free, seen = ground.find_free(spots, flat=True)
    standing, _ = ground.find_free(spots)
    visible = free & seen
    return visible.reshape(across.shape), (visible & ~standing).reshape(across.shape)


def _outline_floor(cells: Mask) -> tuple[Polygon, ...]:
    """The outlines of the larger parts of these cells, in meters."""
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=4)
    areas = stats[:, cv2.CC_STAT_AREA]
    parts = [each for each in np.argsort(-areas) if each and areas[each] * CELL**2 >= MIN_PART][:MAX_PARTS]
    size = 2 * REACH, DEPTH
    return tuple(
        tuple((x * size[0] - REACH, y * size[1]) for x, y in polygon)
        for each in parts
        if (polygon := outline(np.asarray(numbers == each))) is not None
    )


def _list_layouts(canvas: Canvas, furnishing: Furnishing) -> Iterator[PlannedLayout]:
    """Different layouts; the first is that of the hints or the engine's own choice."""
    ground, factory, placed = furnishing.ground, furnishing.factory, furnishing.placed
    if canvas.hints.placements:
        yield _describe(arrange_placements(ground, factory, canvas.hints.placements))
        return
    # Where no hint can place the engine's main piece, its layout is the one that is made without placements.
    first = _arrange_around(ground, factory, placed[0]) or ((), placed)
    yield _describe(first)
    others = (_arrange_around(ground, factory, each) for each in find_alternatives(ground, factory, placed[:1]))
    for layout in islice((each for each in others if each is not None), MAX_LAYOUTS - 1):
        yield _describe(layout)


def _arrange_around(ground: Ground, factory: FurnitureFactory, anchor: PlacedPiece) -> _Layout | None:
    """The layout that is made if this main piece is sent as a hint; None without one, or if it moves the piece."""
    piece = _NAMES.get(anchor.name)
    to_picture = np.array(find_homography(ground.room.camera, (ground.width, ground.height)))
    at, faces = _find_points(anchor, to_picture)
    if piece is None or at is None:
        return None
    layout = arrange_placements(ground, factory, [PlacementHint(piece, at, faces)])
    for _, made in layout[0]:
        off = float(np.hypot(*(_find_middle(made) - _find_middle(anchor))))
        if off <= MAX_OFF and math.cos(made.turn - anchor.turn) >= math.cos(MAX_TURNED):
            return layout
    return None


def _describe(layout: _Layout) -> PlannedLayout:
    mains, placed = layout
    hints = {id(anchor): placement for placement, anchor in mains}
    # Flat pieces are drawn first, under the others.
    ordered = sorted(placed, key=lambda each: not each.flat)
    return PlannedLayout(tuple(_describe_piece(each, hints.get(id(each))) for each in ordered))


def _describe_piece(piece: PlacedPiece, placement: PlacementHint | None) -> PlannedPiece:
    x, y = _find_middle(piece)
    width, depth, height = (float(each) for each in piece.model.high - piece.model.low)
    return PlannedPiece(
        piece=piece.name if placement is None else str(placement.piece),
        main=placement is not None,
        x=float(x),
        y=float(y),
        turn=math.degrees(piece.turn) % 360,
        width=width,
        depth=depth,
        height=height,
        raised=piece.raised,
        flat=piece.flat,
        at=None if placement is None else placement.at,
        faces=None if placement is None else placement.faces,
    )


def _find_middle(piece: PlacedPiece) -> Points:
    return np.asarray(piece.corners.mean(0))


def _find_points(piece: PlacedPiece, to_picture: Points) -> tuple[Point | None, Point | None]:
    """The points of the picture that show the middle of a piece's foot, and a spot in front of it."""
    middle = _find_middle(piece)
    front = (_project(middle + away * piece.facing, to_picture) for away in LOOKS)
    return _project(middle, to_picture), next((each for each in front if each is not None), None)


def _project(spot: Sequence[float] | Points, to_picture: Points) -> Point | None:
    """The point of the picture, rounded as in documents, that shows a spot of the floor; None if it is outside."""
    x, y, depth = to_picture @ (*spot, 1.0)
    if depth < 0.1 or not (0 <= x <= depth and 0 <= y <= depth):
        return None
    return round(float(x / depth), DECIMALS), round(float(y / depth), DECIMALS)
