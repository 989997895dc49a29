"""What a house's walls hold, drawn on a labeled texture: windows, shutters, doors, garage doors, decoys."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.house_skins import DEEP, DENSITY, Map, any_color
from training.skies import noise

Color = NDArray[np.float32]
Random = np.random.Generator
Spot = tuple[float, float, float, float]
"""Left, top, width and height in meters, on a texture."""
WHITE = np.array((0.82, 0.82, 0.8), np.float32)
DARK = np.array((0.03, 0.03, 0.035), np.float32)


@dataclass(slots=True)
class LabeledTexture:
    """A flat part of a scene: color in even light, how much it shines by itself, labels, and where it is."""

    color: Map
    own: Map
    labels: NDArray[np.uint8]
    there: NDArray[np.uint8]

    @classmethod
    def of(cls, color: Map, label: Label) -> "LabeledTexture":
        """All of one label."""
        height, width = color.shape[:2]
        labels = np.full((height, width), NUMBER[label], np.uint8)
        return cls(color.copy(), np.zeros((height, width), np.float32), labels, np.ones_like(labels))

    def box(self, spot: Spot, color: Color | Map, label: Label | None = None, own: float = 0) -> None:
        """Paint a rectangle; its label stays where none is given."""
        left, top, width, height = (round(each * DENSITY) for each in spot)
        rows, columns = slice(max(top, 0), max(top + height, 0)), slice(max(left, 0), max(left + width, 0))
        part = self.color[rows, columns]
        if part.size == 0:
            return
        if color.ndim == 3:
            color = cv2.resize(color, part.shape[1::-1], interpolation=cv2.INTER_AREA)
        part[:] = color
        self.own[rows, columns] = own
        if label is not None:
            self.labels[rows, columns] = NUMBER[label]

    def shade(self, spot: Spot, factor: float, soft: float = 0.02) -> None:
        """Darken a rectangle with soft borders."""
        left, top, width, height = (round(each * DENSITY) for each in spot)
        mask = np.zeros(self.labels.shape, np.float32)
        cv2.rectangle(mask, (left, top), (left + width, top + height), 1, -1)
        self.color *= 1 - (1 - factor) * cv2.GaussianBlur(mask, (0, 0), max(soft * DENSITY, 0.5))[..., None]


@dataclass(frozen=True, slots=True)
class Style:
    """What all of a house's openings have in common."""

    frame: Color
    trim: Color
    trim_width: float
    bars: tuple[int, int]
    sash: bool
    frame_width: float
    shutters: Color | None
    door: Color
    garage: Color
    panes: tuple[Map, ...]
    mirrored: Map
    depth: float
    arched: bool


def style(wall: Color, panes: list[Map], chance: Random) -> Style:
    """Frames white more often than dark; shutters and garage doors often as the wall is."""
    frame = WHITE * np.float32(chance.uniform(0.8, 1.1)) if chance.random() < 0.65 else any_color(chance)
    if chance.random() < 0.2:
        frame = DARK
    trim = (WHITE, wall, any_color(chance))[chance.choice(3, p=(0.5, 0.3, 0.2))]
    shutters = (any_color(chance), wall * np.float32(chance.uniform(0.7, 1.1)), WHITE, deep_color(chance))
    garage = (WHITE, wall * np.float32(chance.uniform(0.85, 1.1)), any_color(chance))[
        chance.choice(3, p=(0.5, 0.3, 0.2))
    ]
    several = [panes[chance.integers(len(panes))] for _ in range(4)] if panes and chance.random() < 0.5 else []
    return Style(
        frame, trim, float(chance.choice((0, 0.08, 0.13), p=(0.35, 0.35, 0.3))),
        ((1, 1), (2, 2), (2, 3), (3, 2), (3, 4), (2, 1))[chance.choice(6, p=(0.3, 0.18, 0.18, 0.12, 0.12, 0.1))],
        bool(chance.random() < 0.5), float(chance.uniform(0.035, 0.09)),
        shutters[chance.integers(4)] if chance.random() < 0.45 else None,
        any_color(chance) if chance.random() < 0.4 else deep_color(chance), garage, tuple(several),
        mirror(chance), float(chance.uniform(0.03, 0.16)), bool(chance.random() < 0.12),
    )  # fmt: skip


def deep_color(chance: Random) -> Color:
    """A deep color of paint."""
    return np.array(DEEP[chance.integers(len(DEEP))], np.float32)


def mirror(chance: Random) -> Map:
    """What panes of one house mirror: sky above, trees or houses below, more or less of it."""
    rows = np.linspace(0, 1, 96, dtype=np.float32)[:, None, None]
    sky = np.array((0.3, 0.45, 0.65), np.float32) * (1 - rows) + np.array((0.75, 0.8, 0.85), np.float32) * rows
    trees = noise(96, 96, chance)[..., None] * np.array((0.1, 0.13, 0.07), np.float32)
    edge = chance.uniform(-0.2, 1.1) + 0.5 * (noise(96, 96, chance, flattened=0.5)[..., None] - 0.5)
    share = np.clip((rows - edge) * 8, 0, 1)
    return ((sky * (1 - share) + trees * share) * np.float32(chance.uniform(0.05, 0.8))).astype(np.float32)


def behind(made: Style, chance: Random) -> Map:
    """What one pane shows: a cut of a real one, or the room behind, at times curtained, and what it mirrors."""
    if made.panes and chance.random() < 0.7:
        return made.panes[chance.integers(len(made.panes))]
    glass = np.repeat((noise(96, 96, chance)[..., None] * chance.uniform(0.01, 0.09)), 3, 2).astype(np.float32)
    columns = np.arange(96, dtype=np.float32)[None]
    cloth = any_color(chance) if chance.random() < 0.3 else WHITE * np.float32(chance.uniform(0.4, 1))
    picked = chance.random()
    if picked < 0.25:
        folds = (0.75 + 0.25 * np.sin(columns * chance.uniform(0.5, 1.4) + 2 * noise(96, 96, chance)))[..., None]
        open_by = chance.integers(0, 40)
        drawn = (np.abs(columns - chance.integers(30, 66)) > open_by)[..., None] * np.ones((96, 1, 1))
        glass = np.where(drawn > 0, cloth * folds * chance.uniform(0.25, 0.8), glass)
    elif picked < 0.45:
        low = chance.integers(20, 97)
        slats = 0.7 + 0.3 * (np.arange(96) % chance.integers(3, 6) > 0)[:low, None, None]
        glass[:low] = cloth * slats * chance.uniform(0.3, 0.9)
    elif picked < 0.5:
        glass += np.float32(chance.uniform(0.2, 0.6)) * np.array((1, 0.8, 0.5), np.float32)
    shown = made.mirrored[:, :: int(chance.choice((1, -1)))]
    return (glass * chance.uniform(0.5, 1) + shown * chance.uniform(0.3, 1.0)).astype(np.float32)


def window(texture: LabeledTexture, spot: Spot, made: Style, chance: Random, shuttered: bool = False) -> None:
    """A window with trim, sill, frame and bars, the shade of its reveal, and shutters beside it."""
    left, top, width, height = spot
    trim = made.trim_width
    if trim:
        texture.box((left - trim, top - trim, width + 2 * trim, height + 2 * trim), made.trim, Label.FACADE)
        texture.shade((left - trim, top + height + trim, width + 2 * trim, 0.03), 0.6, 0.01)
    texture.box((left - trim - 0.03, top + height, width + 2 * trim + 0.06, 0.06), made.trim * 0.95, Label.FACADE)
    parts = 1 if width < 1.3 else int(chance.integers(2, 4)) if width > 2 else 2
    if made.panes and chance.random() < 0.6:
        texture.box(spot, made.panes[chance.integers(len(made.panes))], Label.PANE, own=0.7)
        parts = 0
    for part in range(parts):
        leaf(texture, (left + part * width / parts, top, width / parts, height), made, chance)
    texture.shade((left, top, width, made.depth), 0.5)
    if made.arched and 0.6 < width < 1.6:
        _arch(texture, spot, made.trim)
    if shuttered and made.shutters is not None:
        wide = min(max(width / 2, 0.3), 0.6)
        for begin in (left - trim - wide, left + width + trim):
            shutter(texture, (begin, top, wide, height), made.shutters, chance)


def leaf(texture: LabeledTexture, spot: Spot, made: Style, chance: Random) -> None:
    """One leaf: the pane between its frame, crossed by bars."""
    left, top, width, height = spot
    edge = made.frame_width
    texture.box(spot, made.frame, Label.PANE)
    halves = 2 if made.sash and height > 0.9 else 1
    bars = made.bars if width * height > 0.35 else (1, 1)
    if height > 3 * width / max(bars[0], 1) and bars[1] == 1:
        bars = (bars[0], 2)
    seen = behind(made, chance)
    for half in range(halves):
        begin, tall = top + edge + half * (height - 2 * edge) / halves, (height - 2 * edge) / halves
        rows = seen[half * len(seen) // halves : (half + 1) * len(seen) // halves]
        texture.box((left + edge, begin, width - 2 * edge, tall), rows, own=1)
        texture.shade((left + edge, begin, width - 2 * edge, 0.03), 0.4, 0.01)
        rows_of_bars = max(1, round(bars[1] / halves))
        for bar in range(1, bars[0]):
            at = left + edge + bar * (width - 2 * edge) / bars[0]
            texture.box((at - 0.014, begin, 0.028, tall), made.frame)
        for bar in range(1, rows_of_bars):
            texture.box(
                (left + edge, begin + bar * tall / rows_of_bars - 0.014, width - 2 * edge, 0.028), made.frame
            )
        if half:
            texture.box((left + edge, begin - edge / 2, width - 2 * edge, edge), made.frame)


def _arch(texture: LabeledTexture, spot: Spot, trim: Color) -> None:
    """Round off the window's upper corners: wall there."""
    left, top, width, height = (round(each * DENSITY) for each in spot)
    rows, columns = np.mgrid[0 : width // 2, 0:width]
    corner = (columns - width / 2) ** 2 + (rows - width / 2) ** 2 > (width / 2) ** 2
    area = (slice(top, top + width // 2), slice(left, left + width))
    if top < 0 or left < 0 or texture.labels[area].shape != corner.shape or width // 2 > height:
        return
    texture.color[area][corner] = trim
    texture.own[area][corner] = 0
    texture.labels[area][corner] = NUMBER[Label.FACADE]


def shutter(texture: LabeledTexture, spot: Spot, color: Color, chance: Random) -> None:
    """Louvres, or boards, in a frame."""
    left, top, width, height = spot
    texture.box(spot, color, Label.SHUTTER)
    count = int(height / chance.uniform(0.04, 0.06))
    if chance.random() < 0.75:
        for number in range(1, count):
            texture.box((left + 0.05, top + number * height / count, width - 0.1, 0.02), color * 0.6)
        texture.box((left, top + height * 0.5, width, 0.06), color)
    else:
        for number in range(1, 4):
            texture.box((left + number * width / 4, top, 0.018, height), color * 0.6)
    texture.shade((left + width, top, 0.03, height), 0.6, 0.01)
    texture.shade((left, top + height, width, 0.03), 0.6, 0.01)


def panel(texture: LabeledTexture, spot: Spot, color: Color) -> None:
    """A raised panel: light and dark along its borders."""
    left, top, width, height = spot
    above, beside = (left, top, width, 0.025), (left, top, 0.025, height)
    below, past = (left, top + height, width, 0.02), (left + width, top, 0.02, height)
    for side, factor in ((above, 0.62), (beside, 0.72), (below, 1.25), (past, 1.15)):
        texture.box(side, np.clip(color * np.float32(factor), 0, 0.95))


def door(texture: LabeledTexture, spot: Spot, made: Style, chance: Random) -> None:
    """A front door in its frame: panels, often small panes above, a handle; at times with narrow windows beside."""
    left, top, width, height = spot
    texture.box((left - 0.1, top - 0.12, width + 0.2, height + 0.12), made.trim, Label.FACADE)
    if chance.random() < 0.25:
        for begin in (left - 0.5, left + width + 0.1):
            leaf(texture, (begin, top, 0.4, height), made, chance)
    texture.box(spot, made.door, Label.DOOR)
    columns, rows = int(chance.integers(1, 3)), int(chance.integers(1, 4))
    wide, tall = (width - 0.12) / columns, (height - 0.15) / rows
    glazed = chance.random() < 0.45
    for row in range(rows):
        for column in range(columns):
            part = (left + 0.06 + column * wide + 0.05, top + 0.08 + row * tall + 0.05, wide - 0.1, tall - 0.1)
            if glazed and row == 0:
                texture.box((*part[:3], min(part[3], 0.6)), behind(made, chance), own=1)
            else:
                panel(texture, part, made.door)
    texture.box(
        (left + width - 0.12, top + height * 0.52, 0.05, 0.14), DARK if chance.random() < 0.5 else WHITE * 0.7
    )
    texture.shade((left, top, width, made.depth), 0.55)
    texture.box((left - 0.1, top + height, width + 0.2, 0.12), np.full(3, 0.3, np.float32), Label.PAVING)


def garage_door(texture: LabeledTexture, spot: Spot, made: Style, chance: Random) -> None:
    """A garage door: rows of panels or boards, often with a row of little panes, which belong to it."""
    left, top, width, height = spot
    texture.box((left - 0.1, top - 0.1, width + 0.2, height + 0.1), made.trim, Label.FACADE)
    texture.box(spot, made.garage, Label.GARAGE_DOOR)
    rows = int(chance.integers(3, 6))
    columns = max(2, round(width / chance.uniform(0.5, 1.2)))
    plain, panes = chance.random() < 0.3, chance.random() < 0.45
    for row in range(rows):
        tall = height / rows
        texture.box((left, top + row * tall, width, 0.018), made.garage * 0.55)
        for column in range(columns):
            wide = width / columns
            part = (left + column * wide + 0.05, top + row * tall + 0.07, wide - 0.1, tall - 0.14)
            if panes and row == 0:
                texture.box(part, behind(made, chance) * 0.7, own=1)
                texture.box((part[0] + part[2] / 2 - 0.012, part[1], 0.024, part[3]), made.garage)
            elif not plain:
                panel(texture, part, made.garage)
    texture.shade((left, top, width, made.depth * 1.5), 0.5)


def confuse(texture: LabeledTexture, spot: Spot, chance: Random) -> None:
    """Something small on the wall that is no window: a vent, a lamp, a number, a meter, an air conditioner."""
    left, top, _, _ = spot
    sort = chance.integers(5)
    gray = np.full(3, chance.uniform(0.15, 0.75), np.float32)
    if sort == 0:
        texture.box((left, top, 0.4, 0.3), gray)
        for slat in range(5):
            texture.box((left + 0.02, top + 0.03 + slat * 0.055, 0.36, 0.025), gray * 0.3)
    elif sort == 1:
        texture.box((left, top, 0.14, 0.3), DARK, Label.LAMP)
        texture.box((left + 0.03, top + 0.06, 0.08, 0.17), WHITE * np.float32(chance.uniform(0.4, 1)), Label.LAMP)
    elif sort == 2:
        for digit in range(int(chance.integers(1, 4))):
            texture.box((left + digit * 0.11, top, 0.07, 0.14), DARK)
    elif sort == 3:
        texture.box((left, top, 0.3, 0.45), gray, Label.OUTSIDE_OTHER)
        texture.box((left + 0.08, top + 0.08, 0.14, 0.14), gray * 0.5)
    else:
        texture.box((left, top, 0.75, 0.5), WHITE * 0.8, Label.OUTSIDE_OTHER)
        for slat in range(8):
            texture.box((left + 0.08, top + 0.06 + slat * 0.05, 0.5, 0.025), WHITE * 0.25)
    texture.shade((left, top + 0.5 if sort == 4 else top + 0.3, 0.3, 0.04), 0.7, 0.02)
