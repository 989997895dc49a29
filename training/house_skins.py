"""Walls, roofs and grounds for drawn houses: CC0 textures painted in other colors, boards, tiles and metal."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.skies import noise

Map = NDArray[np.float32]
Random = np.random.Generator
DENSITY = 56
"""Pixels to a meter of a texture."""
PALE = ((0.85, 0.84, 0.81), (0.78, 0.76, 0.7), (0.7, 0.63, 0.5), (0.72, 0.74, 0.76), (0.9, 0.9, 0.9))
DEEP = (
    (0.3, 0.34, 0.38), (0.12, 0.13, 0.15), (0.23, 0.3, 0.38), (0.28, 0.32, 0.25), (0.4, 0.16, 0.12),
    (0.5, 0.4, 0.28), (0.62, 0.42, 0.28), (0.56, 0.5, 0.34), (0.3, 0.24, 0.2), (0.06, 0.07, 0.08),
    (0.66, 0.5, 0.42), (0.45, 0.5, 0.52),
)  # fmt: skip
WALLS = ("bricks", "rock")
ROOFS = ((0.09, 0.09, 0.1), (0.2, 0.19, 0.18), (0.22, 0.15, 0.11), (0.34, 0.13, 0.08), (0.3, 0.24, 0.18))
METALS = (
    (0.62, 0.63, 0.64),
    (0.35, 0.37, 0.39),
    (0.1, 0.1, 0.11),
    (0.3, 0.12, 0.1),
    (0.16, 0.26, 0.2),
    (0.8, 0.8, 0.8),
)


@dataclass(frozen=True, slots=True)
class Skins:
    """Linear textures by the name of their folder."""

    of: dict[str, list[Map]]

    def one(self, kind: str, chance: Random) -> Map:
        """A texture of this kind; gray noise where there is none."""
        found = self.of.get(kind)
        if found:
            return found[chance.integers(len(found))]
        return np.repeat(0.2 + 0.2 * noise(128, 128, chance)[..., None], 3, 2)


def load(*folders: Path | None) -> Skins:
    """All textures below the folders, each in a folder of its kind."""
    found: dict[str, list[Map]] = {}
    for path in sorted(each for folder in folders if folder for each in folder.glob("*/*.*")):
        read = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if read is not None:
            found.setdefault(path.parent.name, []).append(linear(_square(read)[..., ::-1]))
    return Skins(found)


def _square(read: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The largest square at the upper left, without the white that fills up tiles that are not square."""
    filled = np.flatnonzero((read < 250).any((1, 2)))
    side = min(int(filled[-1]) + 1 if len(filled) else len(read), *read.shape[:2])
    return read[:side, :side]


def linear(picture: NDArray[np.uint8]) -> Map:
    """SRGB bytes as linear light 0-1."""
    return ((picture.astype(np.float32) / 255) ** 2.2).astype(np.float32)


def tiled(texture: Map, height: int, width: int, side: int, chance: Random) -> Map:
    """The texture laid over height x width, `side` pixels to a tile, from any place on."""
    small = cv2.resize(texture, (side, side), interpolation=cv2.INTER_AREA)
    rows = (np.arange(height) + chance.integers(side)) % side
    columns = (np.arange(width) + chance.integers(side)) % side
    return np.ascontiguousarray(small[rows][:, columns])


def recolored(texture: Map, color: NDArray[np.float32], share: float) -> Map:
    """The texture's light and dark in another color, its own kept by 1 - `share`."""
    gray = texture.mean(2, keepdims=True)
    painted = color * gray / max(float(gray.mean()), 0.02)
    return np.clip(texture + (painted - texture) * share, 0, 0.95).astype(np.float32)


def any_color(chance: Random) -> NDArray[np.float32]:
    """A color of paint: pale more often than deep."""
    among = PALE if chance.random() < 0.55 else DEEP
    return np.clip(np.array(among[chance.integers(len(among))]) * chance.normal(1, 0.06, 3), 0.02, 0.95).astype(
        "f4"
    )


@dataclass(frozen=True, slots=True)
class Cladding:
    """What walls are made of: boards lying or upright, render, or a texture, and the seed of its wear."""

    sort: str
    color: NDArray[np.float32]
    texture: Map
    step: float

    def laid(self, height: int, width: int, chance: Random) -> Map:
        """Height x width x 3 of this wall in even light."""
        rows, columns = np.arange(height, dtype=np.float32)[:, None], np.arange(width, dtype=np.float32)[None]
        if self.sort in WALLS:
            wall = tiled(self.texture, height, width, round(self.step * 9 * DENSITY), chance)
        elif self.sort == "render":
            wall = recolored(tiled(self.texture, height, width, 2 * DENSITY, chance), self.color, 1.0)
            wall = self.color + (wall - self.color) * 0.35
        else:
            along = (rows if self.sort == "lying" else columns) / (self.step * DENSITY)
            part, board = along % 1, along.astype(int) + np.zeros((height, width), int)
            shades = np.random.default_rng(int(self.step * 1e5)).normal(1, 0.025, board.max() + 1)
            profile = 0.93 + 0.09 * part - 0.4 * (part > 0.87) if self.sort == "lying" else 1 - 0.35 * (part < 0.1)
            wall = self.color * (shades[board] * profile)[..., None]
        wear = 1 + 0.12 * (noise(height, width, chance)[..., None] - 0.5)
        splash = 1 - 0.18 * np.exp(-(height - rows) / (0.35 * DENSITY))[..., None]
        return (wall * wear * splash).astype(np.float32)


def cladding(skins: Skins, chance: Random) -> Cladding:
    """Walls of any sort."""
    sort = str(chance.choice(("lying", "upright", "render", "bricks", "rock"), p=(0.34, 0.12, 0.3, 0.18, 0.06)))
    color, texture = any_color(chance), skins.one("plaster" if sort == "render" else sort, chance)
    if sort in WALLS:
        share = 1.0 if chance.random() < 0.25 else chance.uniform(0, 0.3)
        texture = recolored(texture * chance.uniform(0.8, 1.5), color, share)
    step = chance.uniform(0.1, 0.2) if sort != "upright" else chance.uniform(0.2, 0.42)
    return Cladding(sort, color, texture, float(step))


def roofing(skins: Skins, chance: Random) -> Cladding:
    """What a roof is covered with: shingles, tiles of a texture, or metal with seams."""
    sort = str(chance.choice(("shingles", "roofingtiles", "seams"), p=(0.45, 0.3, 0.25)))
    among = METALS if sort == "seams" else ROOFS
    color = np.clip(np.array(among[chance.integers(len(among))]) * chance.normal(1, 0.1, 3), 0.03, 0.9)
    texture = skins.one("roofingtiles", chance) * np.float32(chance.uniform(1.0, 2.4))
    return Cladding(sort, color.astype(np.float32), texture, float(chance.uniform(0.14, 0.45)))


def roofed(made: Cladding, height: int, width: int, chance: Random) -> Map:
    """Height x width x 3 of this roof in even light; rows run along the eaves."""
    if made.sort == "roofingtiles":
        roof = tiled(np.clip(made.texture, 0, 0.8), height, width, round(1.6 * DENSITY), chance)
    elif made.sort == "seams":
        part = np.arange(width, dtype=np.float32)[None] / (made.step * DENSITY) % 1
        profile = 1 + 0.25 * (part < 0.06) - 0.35 * ((part > 0.06) & (part < 0.13))
        roof = made.color * np.repeat(profile, height, 0)[..., None]
    else:
        side = max(3, round(0.16 * DENSITY))
        across = chance.normal(1, 0.14, (height // side + 1, width // (2 * side) + 2))
        roof = made.color * cv2.resize(across, None, fx=2 * side, fy=side, interpolation=0)[:height, :width, None]
        roof[::side] *= 0.6
    return (np.clip(roof, 0, 1) * (1 + 0.3 * (noise(height, width, chance)[..., None] - 0.5))).astype(np.float32)


def dapple(chance: Random) -> Map:
    """The shade of a tree on a wall: patches, darker than the rest."""
    spots = np.clip((noise(160, 240, chance) - chance.uniform(0.35, 0.7)) * chance.uniform(3, 8), 0, 1)
    leafy = 0.5 + cv2.GaussianBlur(chance.standard_normal(spots.shape, dtype=np.float32), (0, 0), 1.5) * 2
    spots = cv2.GaussianBlur(spots * np.clip(leafy, 0, 1), (0, 0), 1)
    return (1 - spots * chance.uniform(0.3, 0.65)).astype(np.float32)
