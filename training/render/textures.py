"""Drawn surfaces: plaster, brick, boards, shingles, paving, grass, soil, leaves; linear reflectance, seamless."""

from collections.abc import Sequence

import cv2
import numpy as np

from engine.color.srgb import srgb_to_linear
from training.render.shapes import Material, Plane

Random = np.random.Generator
Tint = Sequence[float]


def linear(color: Tint) -> Plane:
    """Linear reflectance of an sRGB color of 0-255."""
    return srgb_to_linear(np.asarray(color, np.float32) / 255)


def varied(random: Random, color: Tint, spread: float = 0.12) -> tuple[float, ...]:
    """An sRGB color near this one, lighter or darker and a little off in hue."""
    lightness = random.uniform(1 - spread, 1 + spread)
    return tuple(float(np.clip(each * lightness * random.uniform(0.96, 1.04), 4, 250)) for each in color)


def cloudy(random: Random, size: int, cells: int, octaves: int = 3, stretch: int = 1) -> Plane:
    """Seamless size x size noise of mean 0 and deviation 1; `stretch` makes it that much longer downwards."""
    total = np.zeros((size, size), np.float32)
    for octave in range(octaves):
        count = min(cells * 2**octave, size)
        rows = max(2, count // stretch)
        grid = np.pad(random.standard_normal((rows, count), dtype=np.float32), ((2, 2), (2, 2)), mode="wrap")
        full = cv2.resize(
            grid, (size * (count + 4) // count, size * (rows + 4) // rows), interpolation=cv2.INTER_CUBIC
        )
        top, left = (full.shape[0] - size) // 2, (full.shape[1] - size) // 2
        total += full[top : top + size, left : left + size] * 0.65**octave
    return total / max(float(total.std()), 1e-6)


def speckled(random: Random, color: Tint, span: float, fine: float = 0.08, coarse: float = 0.06) -> Material:
    """One color with fine grain and broad stains: plaster, concrete, asphalt, soil, carpet, gravel."""
    grain = random.standard_normal((256, 256), dtype=np.float32) * fine + cloudy(random, 256, 3, 4) * coarse
    hue = cloudy(random, 256, 4, 2)[..., None] * np.array([0.5, 0.0, -0.5], np.float32) * coarse * 0.5
    return Material(clipped(linear(color) * (1 + grain[..., None] + hue)), span)


def bonded(
    random: Random,
    colors: Sequence[Tint],
    joint: Tint,
    grid: tuple[int, int],
    cell: tuple[float, float],
    gap: tuple[int, int] = (1, 2),
    lay: tuple[float, float] = (0.5, 0.0),
) -> Material:
    """Rows of pieces with joints: bricks, shingles, boards, planks, tiles, paving.

    `grid` is rows and columns, `cell` one piece's width and height in meters (the texture spans columns x width),
    `gap` the joints' width upright and level in pixels, `lay` how far each row is shifted (above 1: at random) and
    how much a piece darkens towards its lower edge.
    """
    rows, columns = grid
    stagger, slope = lay
    size = 320
    row_of = np.arange(size) * rows // size
    picture = np.empty((size, size, 3), np.float32)
    palette = np.stack([linear(each) for each in colors])
    piece = np.arange(size) * columns
    for row in range(rows):
        lines = np.flatnonzero(row_of == row)
        offset = int((row * stagger % 1.0) * size / columns) if stagger <= 1 else int(random.integers(size))
        column_of = np.roll(piece // size, offset)
        inside = np.roll(piece % size // columns, offset)
        tones = palette[random.integers(len(palette), size=columns)] * random.normal(
            1, random.uniform(0.02, 0.09), (columns, 1)
        )
        line = tones[column_of].astype(np.float32)
        if gap[0]:
            line[inside < gap[0]] = linear(joint)
        depth = np.linspace(0, 1, len(lines), dtype=np.float32)[:, None, None]
        picture[lines] = line[None] * (1 - slope * depth)
        if gap[1]:
            picture[lines[: gap[1]]] = linear(joint)
    grain = 1 + 0.03 * random.standard_normal((size, size), dtype=np.float32) + 0.05 * cloudy(random, size, 3, 3)
    height = rows * cell[1] / (columns * cell[0])
    texture = clipped(picture * grain[..., None])
    if abs(height - 1) > 0.02:
        texture = cv2.resize(texture, (size, max(32, round(size * height))), interpolation=cv2.INTER_AREA)
        texture = _square(texture, size)
    return Material(texture, columns * cell[0])


def _square(texture: Plane, size: int) -> Plane:
    """Repeat or cut the texture downwards until it is as high as wide."""
    times = -(-size // texture.shape[0])
    return np.ascontiguousarray(np.tile(texture, (times, 1, 1))[:size])


def grained(random: Random, color: Tint, span: float, strength: float = 0.25, along: int = 12) -> Material:
    """Wood: fine lines along the height."""
    lines = cloudy(random, 256, 48, 2, along) * strength * 0.6 + cloudy(random, 256, 4, 2) * strength * 0.3
    return Material(clipped(linear(color) * (1 + lines[..., None])), span)


def lawn(random: Random, span: float = 24.0) -> Material:
    """Grass: lush, dry, patchy or striped by the mower."""
    size = 640
    green = linear(varied(random, [(78, 104, 50), (92, 116, 62), (64, 92, 48), (108, 128, 72)][random.integers(4)]))
    dry = linear(varied(random, [(172, 156, 102), (150, 132, 84), (190, 178, 124)][random.integers(3)]))
    dryness = random.choice([0.0, 0.1, 0.35, 0.7, 1.0], p=[0.3, 0.25, 0.2, 0.15, 0.1])
    patches = cloudy(random, size, int(random.integers(3, 10)), 5)
    share = np.clip(dryness + patches * 0.28 * min(1.0, 0.25 + 2 * dryness * (1.2 - dryness)), 0, 1)[..., None]
    blades = cloudy(random, size, 320, 2) * random.uniform(0.10, 0.25) + cloudy(random, size, 96, 2) * 0.10
    stripes = np.zeros((1, size), np.float32)
    if random.random() < 0.2:
        stripes = np.sign(np.sin(np.arange(size) * 2 * np.pi / size * 12))[None].astype(np.float32) * 0.12
    tone = 1 + blades + cloudy(random, size, 12, 3) * 0.07 + stripes
    picture = (green * (1 - share) + dry * share) * tone[..., None]
    yellow = cloudy(random, size, 200, 2)[..., None] * np.array([0.10, 0.03, -0.05], np.float32)
    return Material(clipped(picture * (1 + yellow)), span)


def foliage(random: Random, color: Tint, spread: float = 0.35) -> Material:
    """Leaf colors, one a texel: each leaf takes the color of one place (see plants)."""
    tone = np.exp(random.normal(0, spread, (32, 32, 1)))
    hue = random.normal(0, 0.10, (32, 32, 1)) * np.array([1.0, 0.2, -0.6])
    return Material(clipped(linear(color) * tone * (1 + hue)), 1.0)


def clipped(texture: Plane) -> Plane:
    """Reflectances that a real surface can have."""
    return np.clip(texture, 0.005, 0.93).astype(np.float32)
