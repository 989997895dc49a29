"""Flat scenes drawn by chance with exact labels: streets, houses, gardens and rooms, filled with noise."""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from engine.segmentation.labels import Kind
from training.skies import Map, Picture, noise

SIZE = (288, 432)
GREENS = ((60, 100, 40), (110, 130, 60), (150, 140, 90), (80, 120, 50), (40, 70, 35))
STONES = (
    (235, 233, 228), (222, 214, 196), (170, 90, 70), (140, 70, 55), (200, 170, 130), (150, 155, 160),
    (95, 105, 120), (180, 195, 205), (120, 120, 118), (60, 60, 64), (225, 200, 150), (190, 120, 95),
)  # fmt: skip
GRAYS = ((130, 130, 130), (90, 92, 95), (170, 165, 158), (150, 135, 115), (110, 100, 90), (200, 198, 194))
FLOORS = ((150, 110, 75), (190, 160, 125), (110, 75, 50), (200, 196, 190), (120, 118, 116), (90, 84, 80))
SEAS = ((40, 80, 130), (60, 120, 150), (90, 110, 120), (150, 165, 175), (30, 60, 70), (110, 150, 190))
SANDS = ((200, 180, 140), (220, 205, 175), (150, 130, 105), (170, 150, 130), (235, 238, 242), (120, 110, 100))
WALLS = (
    (238, 236, 232), (225, 220, 210), (200, 215, 230), (170, 200, 225), (190, 200, 180), (245, 245, 246),
    (210, 190, 160), (120, 130, 150), (160, 90, 70), (205, 222, 240), (90, 95, 100), (235, 225, 190),
)  # fmt: skip
PANES = ((40, 46, 54), (110, 130, 150), (190, 205, 220))
WHITE = (246, 246, 244)
# How often a scene is a room.
ROOMS = 0.35
# How often an outside is open country without a house to be sure of.
LANDSCAPES = 0.25
# How often it is nothing but a tone or noise, as a covered lens sees it: taken for a wall close by.
BLANKS = 0.08


@dataclass(slots=True)
class Drawing:
    """A picture under work: sRGB 0-255, the kind of each pixel, and the share of sky in it (0-1)."""

    picture: Map
    labels: Picture
    sky: Map
    chance: np.random.Generator


def drawn_scene(chance: np.random.Generator) -> tuple[Picture, Picture, Picture]:
    """A picture (height x width x 3), its labels and its sky cover of 0-255; the sky itself is left out."""
    labels = np.full(SIZE, int(Kind.SKY), np.uint8)
    drawing = Drawing(np.zeros((*SIZE, 3), np.float32), labels, np.ones(SIZE, np.float32), chance)
    if chance.random() < BLANKS:
        _blank(drawing)
    elif chance.random() < ROOMS:
        _room(drawing)
    elif chance.random() < LANDSCAPES:
        _landscape(drawing)
    else:
        _outside(drawing)
    shade = (0.75 + 0.5 * noise(*SIZE, chance)) ** np.float32(chance.uniform(0, 1))
    picture = np.clip(drawing.picture * shade[..., None], 0, 255).astype(np.uint8)
    return picture, labels, (drawing.sky * 255).astype(np.uint8)


def _outside(drawing: Drawing) -> None:
    chance = drawing.chance
    horizon = chance.uniform(0.45, 0.8)
    if chance.random() < 0.5:
        _treeline(drawing, horizon)
    _paint(drawing, _box(0, horizon, 1, 1.01), _of(GRAYS, chance), Kind.GROUND)
    if chance.random() < 0.7:
        top = horizon + chance.uniform(0, 0.12)
        left, right = chance.uniform(-0.3, 0.4), chance.uniform(0.6, 1.3)
        meadow = np.array([(left, 1.01), (left + 0.2, top), (right - 0.2, top), (right, 1.01)])
        _paint(drawing, meadow, _of(GREENS, chance), Kind.LAWN, grain=chance.uniform(6, 22))
    if chance.random() < 0.45:
        _street(drawing, horizon)
    else:
        for _ in range(chance.integers(1, 4)):
            _house(drawing, horizon)
    if chance.random() < 0.4:
        left, top = chance.uniform(-0.1, 0.7), chance.uniform(horizon + 0.05, 0.95)
        _paint(drawing, _box(left, top, left + 0.4, top + 0.12), (60, 120, 150), Kind.WATER, grain=4)
    for _ in range(chance.integers(0, 6)):
        _tree(drawing, horizon)
    for _ in range(chance.integers(0, 4)):
        _clutter(drawing, horizon, 0.25)
    if chance.random() < 0.3:
        _wires(drawing)


def _landscape(drawing: Drawing) -> None:
    """Hills behind one another, fading into the air, over sea, sand, meadow or snow."""
    chance = drawing.chance
    horizon, air = chance.uniform(0.15, 0.7), chance.uniform(150, 240)
    for far in np.sort(chance.uniform(0, 0.8, chance.integers(0, 5)))[::-1]:
        ridge = horizon - _ridge(chance) * chance.uniform(0.02, 0.3)
        kind = Kind.TREES if chance.random() < 0.5 else Kind.GROUND
        color = _of(GREENS if kind is Kind.TREES else GRAYS, chance) * (1 - far) + air * far
        _paint(drawing, _below(ridge), color, kind, grain=14 * (1 - far))
    kind = (Kind.WATER, Kind.WATER, Kind.GROUND, Kind.LAWN)[chance.integers(4)]
    colors = {Kind.WATER: SEAS, Kind.GROUND: SANDS, Kind.LAWN: GREENS}[kind]
    _paint(drawing, _box(-0.1, horizon, 1.1, 1.1), _of(colors, chance), kind, grain=chance.uniform(2, 20))
    low = int(horizon * SIZE[0])
    waves = noise(SIZE[0] - low, SIZE[1], chance, flattened=chance.uniform(2, 6))[..., None] - 0.5
    drawing.picture[low:] *= 1 + waves * chance.uniform(0, 0.7)
    if chance.random() < 0.5:
        shore = 1 - _ridge(chance) * chance.uniform(0, 0.5)
        _paint(drawing, _below(shore), _of(SANDS + GRAYS, chance), Kind.GROUND, grain=20)
    for _ in range(chance.integers(0, 3)):
        _tree(drawing, horizon + 0.1)
    for _ in range(chance.integers(0, 4)):
        _clutter(drawing, horizon, 0.3)


def _ridge(chance: np.random.Generator) -> Map:
    """A line of 0-1 for each column, as hills have it."""
    return noise(*SIZE, chance, flattened=chance.uniform(0.7, 3))[SIZE[0] // 2]


def _below(edge: Map) -> Map:
    """The outline of all that lies below a line over the whole width."""
    line = np.stack([np.linspace(0, 1, len(edge)), edge], 1)
    return np.concatenate([line, [(1, 1.01), (0, 1.01)]])


def _house(drawing: Drawing, horizon: float) -> None:
    """A wall with a roof, often a chimney, and rows of windows."""
    chance = drawing.chance
    width, tall = chance.uniform(0.2, 0.7), chance.uniform(0.15, 0.6)
    left, bottom = chance.uniform(-0.2, 0.8), horizon + chance.uniform(-0.02, 0.12)
    right, top = left + width, bottom - tall
    _paint(drawing, _box(left, top, right, bottom), _of(STONES, chance), Kind.BUILDING, chance.uniform(1, 14))
    over, rise = chance.uniform(0, 0.05), chance.uniform(0.05, 0.25)
    inset = chance.uniform(0, 0.5) * width
    roof = [(left - over, top), (left + inset, top - rise), (right - inset, top - rise), (right + over, top)]
    if chance.random() < 0.85:
        _paint(drawing, np.array(roof), _of(STONES, chance) * chance.uniform(0.4, 1), Kind.BUILDING, grain=8)
    if chance.random() < 0.4:
        at = chance.uniform(left, right)
        _paint(drawing, _box(at, top - rise - 0.05, at + 0.04, top), _of(STONES, chance), Kind.BUILDING)
    rows, columns = chance.integers(1, 4), chance.integers(2, 7)
    frame, glass = _of(STONES, chance), _of(PANES, chance) * chance.uniform(0.5, 1.2)
    for row in range(rows):
        for column in range(columns):
            x, y = left + (column + 0.25) * width / columns, top + (row + 0.2) * tall / rows
            right_edge, low = x + 0.5 * width / columns, y + 0.55 * tall / rows
            _paint(drawing, _box(x - 0.006, y - 0.006, right_edge + 0.006, low + 0.006), frame, Kind.BUILDING)
            _paint(drawing, _box(x, y, right_edge, low), glass * chance.uniform(0.8, 1.25), Kind.GLASS, grain=10)


def _street(drawing: Drawing, horizon: float) -> None:
    """Walls left and right that run to a point on the horizon."""
    chance = drawing.chance
    middle, level = chance.uniform(0.25, 0.75), horizon - chance.uniform(0, 0.06)
    for reach in (-middle, 1 - middle):
        if chance.random() < 0.15:
            continue
        bounds = np.sort(chance.uniform(0.12, 1.15, chance.integers(2, 6)))[::-1]
        for near, far in pairwise(bounds):
            high, low = chance.uniform(0.35, 1.3), 0.3
            wall = np.array(
                [
                    (middle + reach * near, level - high * near),
                    (middle + reach * far, level - high * far),
                    (middle + reach * far, level + low * far),
                    (middle + reach * near, level + low * near),
                ]
            )
            _paint(drawing, wall, _of(STONES, chance), Kind.BUILDING, grain=chance.uniform(2, 12))
            _rows_of_panes(drawing, wall)


def _rows_of_panes(drawing: Drawing, wall: Map) -> None:
    """Windows in a wall given by its corners: two above, two below."""
    chance = drawing.chance
    rows, columns = chance.integers(2, 6), chance.integers(2, 6)
    glass = _of(PANES, chance)
    corners = np.array([(0.25, 0.25), (0.75, 0.25), (0.75, 0.7), (0.25, 0.7)])
    for row in range(rows):
        for column in range(columns):
            along, down = (np.add(corners, (column, row)) / (columns, rows)).T[..., None]
            upper = wall[0] + (wall[1] - wall[0]) * along
            lower = wall[3] + (wall[2] - wall[3]) * along
            _paint(drawing, upper + (lower - upper) * down, glass, Kind.GLASS, grain=8)


def _tree(drawing: Drawing, horizon: float) -> None:
    chance = drawing.chance
    at, foot = chance.uniform(-0.05, 1.05), horizon + chance.uniform(0, 0.2)
    tall = chance.uniform(0.1, 0.9)
    if chance.random() < 0.35:
        _bare_tree(drawing, np.array([at, foot]), tall)
        return
    _paint(drawing, _box(at - 0.008, foot - tall * 0.5, at + 0.008, foot), (70, 55, 45), Kind.TREES)
    crown = np.array([at, foot - tall * 0.65])
    leaves = chance.normal(0, 0.45, (int(chance.integers(60, 400)), 2)) * (tall * 0.35, tall * 0.45) + crown
    _dots(drawing, leaves, tall * chance.uniform(0.01, 0.05), _of(GREENS, chance) * chance.uniform(0.4, 1.1))


def _treeline(drawing: Drawing, horizon: float) -> None:
    chance = drawing.chance
    tall = chance.uniform(0.03, 0.3)
    points = np.stack([chance.uniform(-0.05, 1.05, 500), horizon - np.abs(chance.normal(0, 0.5, 500)) * tall], 1)
    _dots(drawing, points, 0.025, _of(GREENS, chance) * chance.uniform(0.3, 1.0))


def _dots(drawing: Drawing, points: Map, radius: float, color: Map) -> None:
    """Leaves: dots of one color in many shades."""
    height, width = SIZE
    mask, shade = np.zeros(SIZE, np.uint8), np.zeros(SIZE, np.float32)
    for x, y in points:
        place, side = (int(x * width), int(y * height)), max(1, int(radius * height))
        cv2.circle(mask, place, side, 255, -1, cv2.LINE_AA)
        cv2.circle(shade, place, side, drawing.chance.uniform(0.6, 1.4), -1)
    _lay(drawing, mask, color * np.maximum(shade, 0.5)[..., None], Kind.TREES)


def _bare_tree(drawing: Drawing, foot: Map, tall: float) -> None:
    """A trunk that forks again and again into twigs."""
    chance = drawing.chance
    height, width = SIZE
    mask = np.zeros(SIZE, np.uint8)
    ends = [(foot, -np.pi / 2, tall * 0.35, max(1.0, tall * 8))]
    for _ in range(6):
        coming = []
        for start, angle, length, thick in ends:
            stop = start + np.array([np.cos(angle) * height / width, np.sin(angle)]) * length
            first, last = ((int(each[0] * width * 8), int(each[1] * height * 8)) for each in (start, stop))
            cv2.line(mask, first, last, 255, max(1, round(thick)), cv2.LINE_AA, shift=3)
            for turn in chance.normal(0, 0.5, int(chance.integers(2, 4))):
                coming.append((stop, angle + turn, length * chance.uniform(0.55, 0.85), thick * 0.6))
        ends = coming[:160]
    bark = np.array((80, 70, 62), np.float32) * chance.uniform(0.3, 1.5)
    _lay(drawing, mask, np.broadcast_to(bark, (*SIZE, 3)), Kind.TREES)


def _wires(drawing: Drawing) -> None:
    chance = drawing.chance
    height, width = SIZE
    mask = np.zeros(SIZE, np.uint8)
    for _ in range(chance.integers(1, 6)):
        left, right = chance.uniform(0, 0.5, 2) * height
        cv2.line(mask, (0, int(left)), (width, int(right)), 255, 1, cv2.LINE_AA)
    _lay(drawing, mask, np.full((*SIZE, 3), 40, np.float32), Kind.THINGS)


def _clutter(drawing: Drawing, level: float, most: float) -> None:
    """A box of any color: a car, a bin, a chair."""
    chance = drawing.chance
    left, bottom = chance.uniform(-0.1, 1), level + chance.uniform(0.02, 0.3)
    wide, tall = chance.uniform(0.02, most, 2)
    _paint(drawing, _box(left, bottom - tall, left + wide, bottom), chance.uniform(10, 250, 3), Kind.THINGS, 10)


def _room(drawing: Drawing) -> None:
    """A box seen from its open side, with windows and furniture."""
    chance = drawing.chance
    far = _box(
        chance.uniform(-0.1, 0.4), chance.uniform(-0.1, 0.35), chance.uniform(0.6, 1.1), chance.uniform(0.5, 0.85)
    )
    middle = far.mean(0)
    near = middle + (far - middle) * chance.uniform(1.8, 4)
    wall = _of(WALLS, chance)
    _paint(drawing, _box(-0.1, -0.1, 1.1, 1.1), wall, Kind.WALL)
    _paint(drawing, np.array([near[0], near[1], far[1], far[0]]), _of(WALLS, chance) * 1.02, Kind.CEILING)
    _paint(drawing, np.array([near[3], near[2], far[2], far[3]]), _of(FLOORS, chance), Kind.FLOOR, grain=8)
    _paint(drawing, np.array([near[0], far[0], far[3], near[3]]), wall * chance.uniform(0.7, 1.05), Kind.WALL)
    _paint(drawing, np.array([near[1], far[1], far[2], near[2]]), wall * chance.uniform(0.7, 1.05), Kind.WALL)
    _paint(drawing, far, wall * chance.uniform(0.8, 1.05), Kind.WALL)
    top, bottom = far[0, 1], far[2, 1]
    for _ in range(chance.integers(0, 4)):
        _window(drawing, chance.uniform(-0.1, 0.9), chance.uniform(max(top, 0), bottom - 0.1))
    for _ in range(chance.integers(0, 9)):
        _clutter(drawing, bottom - 0.1, 0.5)


def _blank(drawing: Drawing) -> None:
    chance = drawing.chance
    _paint(drawing, _box(-0.1, -0.1, 1.1, 1.1), _of(WALLS + GRAYS, chance), Kind.WALL, chance.choice((0, 3, 60)))
    if chance.random() < 0.4:
        rough = chance.standard_normal((*SIZE, 3), dtype=np.float32)
        drawing.picture += rough * np.float32(chance.uniform(20, 110))


def _window(drawing: Drawing, x: float, y: float) -> None:
    """A bright window in a white frame, often with a bar."""
    chance = drawing.chance
    right, low, edge = x + chance.uniform(0.06, 0.4), y + chance.uniform(0.1, 0.5), 0.012
    _paint(drawing, _box(x - edge, y - edge, right + edge, low + edge), WHITE, Kind.WALL)
    _paint(drawing, _box(x, y, right, low), (250, 252, 255), Kind.WINDOW)
    if chance.random() < 0.6:
        bar = (x + right) / 2
        _paint(drawing, _box(bar, y, bar + edge, low), WHITE, Kind.WALL)


def _paint(drawing: Drawing, shape: Map, color: object, kind: Kind, grain: float = 3) -> None:
    """Fill a polygon (points in shares of width and height) with a color, a little noise, and its kind."""
    height, width = SIZE
    mask = np.zeros(SIZE, np.uint8)
    points = (np.asarray(shape, np.float32) * (width, height) * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, shift=4)
    if not mask.any():
        return
    chance = drawing.chance
    rough = chance.standard_normal((height // 2, width // 2), dtype=np.float32) * grain
    slope = np.linspace(*chance.uniform(0.85, 1.15, 2), width, dtype=np.float32)[None, :, None]
    fill = np.asarray(color, np.float32) * slope + cv2.resize(rough, (width, height))[..., None]
    _lay(drawing, mask, fill, kind)


def _lay(drawing: Drawing, mask: Picture, colors: Map, kind: Kind) -> None:
    """Lay colors over what is there; behind a half-covered edge of the sky stands nothing yet."""
    cover = mask.astype(np.float32) / 255
    stood = ((1 - drawing.sky) * (1 - cover))[..., None]
    share = cover[..., None]
    drawing.picture[...] = (drawing.picture * stood + colors * share) / np.maximum(stood + share, 1e-3)
    drawing.sky *= 1 - cover
    hidden = (drawing.labels == int(Kind.SKY)) & (drawing.sky < 0.5)
    drawing.labels[(cover > 0.5) | hidden] = int(kind)


def _box(left: float, top: float, right: float, bottom: float) -> Map:
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float32)


def _of(colors: tuple[tuple[int, int, int], ...], chance: np.random.Generator) -> Map:
    """One of the colors, a little changed."""
    chosen = np.array(colors[chance.integers(len(colors))], np.float32)
    return np.asarray(np.clip(chosen + chance.normal(0, 12, 3), 5, 255), np.float32)
