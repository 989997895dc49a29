"""What grows round the house: a patchy lawn blade by blade, shrubs and trees leaf by leaf, a bed, a path."""

from dataclasses import dataclass

import cv2
import numpy as np
from shapes import Color, Numbers, Solid, directions, linear, noise, varied

FRESH, DULL, STRAW = linear("#66783f"), linear("#74784a"), linear("#b3a478")
EARTH, MULCH = linear("#6b5a42"), linear("#45352a")
# The lawn: from left, right, near and far.
LEFT, RIGHT, NEAR, FAR = -30.0, 30.0, -21.0, 40.0
FINE = 12.0  # map cells a meter


class Lawn:
    """Ground with grass on it, dry in patches."""

    def __init__(self, chance: np.random.Generator) -> None:
        shape = (round((FAR - NEAR) * FINE), round((RIGHT - LEFT) * FINE))
        self._dry = 1 / (1 + np.exp(-(2.3 * noise(shape, 18, chance, 5) + 0.8)))
        self._tone = noise(shape, 60, chance, 4)
        self._rise = 0.02 * noise(shape, 14, chance, 3)
        self._chance = chance

    def height(self, x: Numbers, y: Numbers) -> Numbers:
        """How high the ground is there."""
        return self._at(self._rise, x, y)

    def _at(self, field: Numbers, x: Numbers, y: Numbers) -> Numbers:
        rows = np.asarray((y - NEAR) * FINE, np.float32).reshape(-1, 1)
        columns = np.asarray((x - LEFT) * FINE, np.float32).reshape(-1, 1)
        # cv2 remaps at most 32767 rows at once.
        pieces = [
            cv2.remap(field, columns[at : at + 30_000], rows[at : at + 30_000], cv2.INTER_LINEAR, borderMode=1)
            for at in range(0, len(rows), 30_000)
        ]
        return np.asarray(np.concatenate(pieces).reshape(np.shape(x)), np.float32)

    def ground(self, off: object) -> Solid:
        """The soil under the blades, lower where `off(x, y)` says that something lies on it."""
        x, y = np.meshgrid(np.arange(LEFT, RIGHT, 0.1), np.arange(NEAR, FAR, 0.1))
        dry = self._at(self._dry, x, y)[..., None]
        shade = 1 + 0.12 * self._at(self._tone, x, y)[..., None]
        colors = (np.array(DULL) * 0.75 * (1 - dry) + np.array(EARTH) * dry) * shade
        made = Solid()
        made.sheet(np.stack([x, y, self.height(x, y) - 0.1 * off(x, y)], -1), np.clip(colors, 0.01, 0.9))
        return made

    def blades(self, count: int, eye: tuple[float, float], off: object) -> Solid:
        """Blades where `off(x, y)` is false, thinner and closer together near the eye."""
        chance = self._chance
        away = 2.2 + 36 * chance.random(count) ** 1.9
        angle = chance.uniform(-0.72, 0.72, count)
        x, y = eye[0] + away * np.tan(angle), eye[1] + away
        kept = ~off(x, y) & (x > LEFT + 1) & (x < RIGHT - 1) & (y < FAR - 1)
        x, y, away = x[kept], y[kept], away[kept]
        dry = np.clip(self._at(self._dry, x, y) + 0.13 * chance.standard_normal(len(x)), 0, 1)
        root = np.stack([x, y, self.height(x, y) - 0.004], -1)
        tall = (0.042 + 0.022 * chance.random(len(x))) * (1 - 0.35 * dry) * (1 + 0.02 * away)
        turn = chance.uniform(0, 2 * np.pi, len(x))
        side = np.stack([np.cos(turn), np.sin(turn), 0 * turn], -1) * (0.0026 + 0.00042 * away)[:, None]
        lean = directions(len(x), chance) * (tall * chance.uniform(0.2, 0.95, len(x)))[:, None]
        lean[:, 2] = np.abs(lean[:, 2]) * 0.3
        top = root + lean + np.stack([0 * x, 0 * x, tall], -1)
        middle = root + lean * 0.28 + np.stack([0 * x, 0 * x, tall * 0.62], -1)
        points = np.stack([root - side, root + side, middle + side * 0.8, middle - side * 0.8, top], 1)
        faces = np.array([(0, 1, 2), (0, 2, 3), (3, 2, 4)])[None] + 5 * np.arange(len(x))[:, None, None]
        made = Solid()
        made.add(points, faces, np.repeat(self._colors(x, y, dry), 5, 0))
        return made

    def _colors(self, x: Numbers, y: Numbers, dry: Numbers) -> Numbers:
        colors = np.array(FRESH)[None] * (1 - dry[:, None]) + np.array(STRAW)[None] * dry[:, None]
        shade = 1 + 0.10 * self._at(self._tone, x, y) + 0.16 * self._chance.standard_normal(len(x))
        return np.clip(colors * shade[:, None], 0.01, 0.8).astype(np.float32)


@dataclass(frozen=True)
class Foliage:
    """So many leaves, half as long as `size`, of this color."""

    count: int
    size: float
    color: Color


def leaves(made: Solid, blobs: Numbers, foliage: Foliage, chance: np.random.Generator) -> None:
    """Leaves on round blobs (x, y, z and three radii each), most near the surface, darker within and below."""
    count = foliage.count
    volume = blobs[:, 3] * blobs[:, 4] + blobs[:, 3] * blobs[:, 5]
    chosen = chance.choice(len(blobs), count, p=volume / volume.sum())
    way = directions(count, chance)
    depth = 1 - 0.6 * chance.random(count) ** 1.5
    centers = blobs[chosen, :3] + way * blobs[chosen, 3:] * depth[:, None] * (
        1 + 0.12 * chance.standard_normal((count, 1))
    )
    along = directions(count, chance) + 0.5 * way
    along[:, 2] -= 0.35
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    across = np.cross(along, directions(count, chance))
    across /= np.linalg.norm(across, axis=1, keepdims=True) + 1e-6
    long = foliage.size * chance.uniform(0.6, 1.3, (count, 1))
    shades = varied(foliage.color, count, chance, 0.2, 0.06)
    made.cards(centers.astype(np.float32), along * long, across * long * 0.5, shades)


def tree(
    made: Solid,
    wood: Solid,
    at: tuple[float, float],
    height: float,
    foliage: Foliage,
    chance: np.random.Generator,
) -> None:
    """A broad-leaved tree: a trunk, boughs, and a crown of many blobs."""
    crown = height * 0.62
    middle = np.array([*at, height - crown * 0.52])
    number = 46
    way = directions(number, chance)
    reach = chance.uniform(0.3, 1.0, (number, 1)) ** 0.5
    centers = middle + way * reach * np.array([crown * 0.44, crown * 0.44, crown * 0.42])
    radii = crown * chance.uniform(0.07, 0.16, (number, 1)) * np.array([1.1, 1.1, 0.8])
    leaves(made, np.concatenate([centers, radii], 1), foliage, chance)
    foot = np.array([*at, -0.1])
    _limb(wood, foot, middle, height * 0.028, chance)
    fork = foot + (middle - foot) * 0.55
    for end in centers[::2]:
        _limb(wood, fork + (middle - fork) * chance.random(), end, height * 0.008, chance)


def _limb(made: Solid, foot: Numbers, end: Numbers, radius: float, chance: np.random.Generator) -> None:
    steps, around = 7, 8
    share = np.linspace(0, 1, steps)[:, None]
    spine = foot + (end - foot) * share + 0.25 * radius * chance.standard_normal((steps, 3))
    turn = np.linspace(0, 2 * np.pi, around + 1)
    ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], -1)
    width = radius * (1 - 0.6 * share) * np.where(share == 0, 1.5, 1)
    made.sheet(spine[:, None] + ring[None] * width[:, :, None], varied(linear("#5d5146"), steps, chance)[:, None])


def shrub(
    made: Solid,
    at: tuple[float, float],
    size: tuple[float, float],
    foliage: Foliage,
    chance: np.random.Generator,
) -> None:
    """A clipped shrub that stands on the ground, so wide and high."""
    width, height = size
    centers = np.array([*at, height * 0.5]) + chance.uniform(-0.18, 0.18, (7, 3)) * [width, width, height * 0.6]
    radii = np.array([[width * 0.42, width * 0.42, height * 0.45]]) * chance.uniform(0.8, 1.1, (7, 1))
    leaves(made, np.concatenate([centers, radii], 1), foliage, chance)


def bed(made: Solid, low: tuple[float, float], high: tuple[float, float], chance: np.random.Generator) -> None:
    """Bark chips between two corners of the ground."""
    made.box((*low, -0.05), (*high, 0.03), np.array(MULCH) * 0.6)
    count = round((high[0] - low[0]) * (high[1] - low[1]) * 900)
    places = np.stack([chance.uniform(low[k], high[k], count) for k in range(2)], -1)
    centers = np.concatenate([places, chance.uniform(0.02, 0.06, (count, 1))], 1)
    long, across = directions(count, chance), directions(count, chance)
    made.cards(
        centers, long * [0.035, 0.035, 0.012], across * [0.016, 0.016, 0.008], varied(MULCH, count, chance, 0.3)
    )


def slabs(made: Solid, line: Numbers, width: float, chance: np.random.Generator) -> None:
    """Slabs of concrete along a line on the ground, rows of x and y."""
    steps = np.diff(line, axis=0)
    along = np.concatenate([[0], np.cumsum(np.linalg.norm(steps, axis=1))])
    for at in np.arange(0.45, along[-1] - 0.3, 0.93):
        x, y = (np.interp(at, along, line[:, k]) for k in range(2))
        ahead = np.array([np.interp(at + 0.05, along, line[:, k]) for k in range(2)]) - (x, y)
        ahead = np.array([*ahead / np.linalg.norm(ahead), 0])
        axes = np.array([[ahead[1], -ahead[0], 0], ahead, [0, 0, 1]])
        made.boxes([(x, y, 0.0)], (width, 0.9, 0.09), varied(linear("#b0aaa0"), 1, chance, 0.05, 0.004), axes[None])
