"""Draws flat parts of a scene as a camera sees them: each warped into the picture, the nearest kept."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.house_parts import LabeledTexture
from training.house_plants import leaves
from training.house_skins import DENSITY, Map, Skins

Vector = NDArray[np.float64]
FAR, SMALL = 1e6, 2.5
TILE_SIDE = 256


@dataclass(frozen=True, slots=True)
class Eye:
    """A level camera: where it stands, which way it looks (radians, 0 is along y), focal length in pixels."""

    place: Vector
    turn: float
    focal: float
    width: int
    height: int
    horizon: float

    def turned(self, points: Vector) -> Vector:
        """Points, or directions less the place, as across, ahead and up."""
        moved = points - self.place
        cos, sin = np.cos(self.turn), np.sin(self.turn)
        return np.stack([
            moved[..., 0] * cos - moved[..., 1] * sin, moved[..., 0] * sin + moved[..., 1] * cos, moved[..., 2]
        ], -1)  # fmt: skip

    def seen(self, points: Vector) -> Vector:
        """Columns, rows and distances of points."""
        across, ahead, up = np.moveaxis(self.turned(points), -1, 0)
        safe = np.maximum(ahead, 1e-3)
        return np.stack(
            [self.width / 2 + self.focal * across / safe, self.horizon - self.focal * up / safe, ahead], -1
        )


@dataclass(frozen=True, slots=True)
class Light:
    """The way to the sun, how strong it is, and the light of the sky."""

    way: Vector
    sun: Map
    sky: Map

    def on(self, normal: Vector) -> Map:
        """The light that falls on a part."""
        return self.sky * (0.75 + 0.25 * float(normal[2])) + self.sun * max(0.0, float(normal @ self.way))

    def shaded(self, normal: Vector) -> float:
        """The share of it that is left in shade."""
        return float((self.sky * 0.75 / self.on(normal)).mean())


@dataclass(slots=True)
class View:
    """What was drawn so far: light, labels and distances."""

    eye: Eye
    picture: Map
    labels: NDArray[np.uint8]
    away: Map

    def put(self, texture: LabeledTexture, corner: Vector, across: Vector, down: Vector, light: Light) -> None:
        """Draw a texture whose upper left corner, columns and rows lie there; nothing from behind or too near."""
        normal = np.cross(down, across)
        normal = normal / np.linalg.norm(normal)
        if (self.eye.place - corner) @ normal <= 0:
            return
        rows, columns = texture.labels.shape
        wide, tall = columns / DENSITY, rows / DENSITY
        points = corner + np.array([0 * across, across * wide, across * wide + down * tall, down * tall])
        seen = self.eye.seen(points)
        if seen[:, 2].min() < 0.5:
            return
        low = np.clip(np.floor(seen[:, :2].min(0)).astype(int), 0, (self.eye.width, self.eye.height))
        high = np.clip(np.ceil(seen[:, :2].max(0)).astype(int), 0, (self.eye.width, self.eye.height))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        if min(size) < 1:
            return
        ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
        matrix = cv2.getPerspectiveTransform(ends, (seen[:, :2] - low).astype(np.float32))
        lit = texture.color * (
            self._lit(light, normal) * (1 - texture.own[..., None]) + 0.9 * texture.own[..., None]
        )
        shrunk = np.sqrt(rows * columns / max(cv2.contourArea(seen[:, :2].astype(np.float32)), 1))
        if shrunk > 1.5:
            lit = cv2.GaussianBlur(lit, (0, 0), shrunk / 3)
        there = cv2.warpPerspective(texture.there, matrix, size, flags=cv2.INTER_NEAREST) > 0
        color = cv2.warpPerspective(lit, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        labels = cv2.warpPerspective(texture.labels, matrix, size, flags=cv2.INTER_NEAREST)
        away = self._distance(corner, normal, low, size)
        area = (slice(low[1], high[1]), slice(low[0], high[0]))
        nearer = there & (away > 0) & (away < self.away[area])
        self.picture[area][nearer], self.labels[area][nearer] = color[nearer], labels[nearer]
        self.away[area][nearer] = away[nearer]

    @staticmethod
    def _lit(light: Light, normal: Vector) -> Map:
        return np.asarray(light.on(normal), np.float32)

    def _distance(self, corner: Vector, normal: Vector, low: NDArray[np.int64], size: tuple[int, int]) -> Map:
        """How far ahead a plane is, at each pixel of an area."""
        eye = self.eye
        cos, sin = np.cos(eye.turn), np.sin(eye.turn)
        facing = np.array([normal[0] * cos - normal[1] * sin, normal[0] * sin + normal[1] * cos, normal[2]])
        across = (low[0] + np.arange(size[0])[None] + 0.5 - eye.width / 2) / eye.focal
        up = (eye.horizon - low[1] - np.arange(size[1])[:, None] - 0.5) / eye.focal
        slant = facing[0] * across + facing[1] + facing[2] * up
        return ((corner - eye.place) @ normal / np.where(np.abs(slant) < 1e-9, 1e-9, slant)).astype(np.float32)

    def stand(self, cut: tuple[Map, Map, Label | None], foot: Vector, tall: float, width: float = 0) -> None:
        """Stand something flat (color, cover, label) up on a spot, so many meters tall, turned to the camera."""
        color, cover, label = cut
        column, row, ahead = self.eye.seen(foot)
        if ahead < 1.2:
            return
        scale = self.eye.focal / ahead
        high = round(tall * scale)
        wide = round((width or tall * color.shape[1] / color.shape[0]) * scale)
        if high < 3 or wide < 3 or max(high, wide) > 5000:
            return
        left, top = round(column - wide / 2), round(row - high)
        x0, x1 = max(left, 0), min(left + wide, self.eye.width)
        y0, y1 = max(top, 0), min(top + high, self.eye.height)
        if x1 <= x0 or y1 <= y0:
            return
        if label is not None and tall < SMALL:
            self._ground(column, row, wide, ahead)
        area, part = (slice(y0, y1), slice(x0, x1)), (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
        way = cv2.INTER_AREA if high < len(color) else cv2.INTER_LINEAR
        seen = cv2.resize(color, (wide, high), interpolation=way)[part]
        share = cv2.resize(cover, (wide, high), interpolation=way)[part] * (self.away[area] > ahead)
        self.picture[area] += (seen - self.picture[area]) * share[..., None]
        if label is not None:
            self.labels[area][share > 0.5] = NUMBER[label]
            self.away[area][share > 0.5] = ahead

    def _ground(self, column: float, row: float, wide: int, ahead: float) -> None:
        """Darken the ground below something that stands there."""
        high = max(wide * self.eye.place[2] / ahead * 0.5, 2)
        x0, x1 = max(round(column - wide), 0), min(round(column + wide), self.eye.width)
        y0, y1 = max(round(row - 2 * high), 0), min(round(row + 2 * high), self.eye.height)
        if x1 <= x0 or y1 <= y0:
            return
        rows, columns = np.mgrid[y0:y1, x0:x1].astype(np.float32)
        spread = ((columns - column) / (0.5 * wide)) ** 2 + ((rows - row) / high) ** 2
        at_foot = np.abs(self.away[y0:y1, x0:x1] - ahead) < 1
        self.picture[y0:y1, x0:x1] *= (1 - 0.6 * np.exp(-spread) * at_foot)[..., None]


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground seen from above: labels and shade, `density` cells to a meter from `corner` on."""

    labels: NDArray[np.uint8]
    shade: Map
    corner: Vector
    density: float
    looks: dict[int, Map]

    def cells(self, points: Vector) -> NDArray[np.int32]:
        """Cells of points of the ground."""
        return np.round((np.asarray(points)[..., :2] - self.corner) * self.density).astype(np.int32)


def lay(view: View, ground: Ground, light: Light) -> None:
    """Draw the ground below the horizon wherever nothing nearer is."""
    eye = view.eye
    first = int(np.ceil(eye.horizon)) + 2
    rows, columns = np.mgrid[first : eye.height, 0 : eye.width].astype(np.float32)
    ahead = eye.place[2] * eye.focal / (rows + 0.5 - eye.horizon)
    across = (columns + 0.5 - eye.width / 2) * ahead / eye.focal
    cos, sin = np.cos(eye.turn), np.sin(eye.turn)
    x = (eye.place[0] + across * cos + ahead * sin).astype(np.float32)
    y = (eye.place[1] - across * sin + ahead * cos).astype(np.float32)
    at = ((x - ground.corner[0]) * ground.density).astype(np.float32), ((y - ground.corner[1]) * ground.density)
    labels = cv2.remap(
        ground.labels, at[0], at[1].astype(np.float32), cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    shade = cv2.remap(
        ground.shade, at[0], at[1].astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cell = ahead / eye.focal * np.sqrt(np.maximum(ahead / eye.place[2], 1))
    color = np.zeros((*labels.shape, 3), np.float32)
    for number, look in ground.looks.items():
        _texture(color, labels == number, look, (x, y), cell)
    free = view.away[first:] >= ahead
    up = np.array([0, 0, 1.0])
    lit = np.asarray(light.on(up), np.float32)
    dark = np.asarray(light.sky, np.float32)
    color *= dark + (lit - dark) * shade[..., None]
    view.picture[first:][free], view.labels[first:][free] = color[free], labels[free]
    view.away[first:][free] = ahead[free]


def _texture(color: Map, where: NDArray[np.bool_], look: Map, at: tuple[Map, Map], cell: Map) -> None:
    """Fill in a texture of 2 m a tile, coarser where it is farther away."""
    level = np.clip(np.log2(np.maximum(cell * TILE_SIDE / 2, 1e-3)), 0, 6).astype(int)
    for each in np.unique(level[where]).tolist():
        mask = where & (level == each)
        rows = np.flatnonzero(mask.any(1))
        band = slice(rows[0], rows[-1] + 1)
        side = max(TILE_SIDE >> each, 4)
        small = cv2.resize(look, (side, side), interpolation=cv2.INTER_AREA)
        small = np.pad(small, ((0, 1), (0, 1), (0, 0)), mode="wrap")
        laid = cv2.remap(
            small, np.mod(at[0][band] * side / 2, side), np.mod(at[1][band] * side / 2, side), cv2.INTER_LINEAR
        )
        color[band][mask[band]] = laid[mask[band]]


def looks(skins: Skins, chance: np.random.Generator) -> dict[int, Map]:
    """How each ground looks in this scene."""
    found = {}
    for label in (Label.LAWN, Label.GRAVEL, Label.PAVING, Label.FLOWER_BED):
        kind = {Label.FLOWER_BED: "ground"}.get(label, label.value)
        if label is Label.GRAVEL and chance.random() < 0.45:
            kind = "ground"
        tile = cv2.resize(skins.one(kind, chance), (TILE_SIDE, TILE_SIDE))
        if label is Label.PAVING and chance.random() < 0.45:
            tile = tile.mean((0, 1)) + 0.35 * (tile - tile.mean((0, 1)))
        target = {Label.LAWN: (0.05, 0.15), Label.PAVING: (0.1, 0.55), Label.GRAVEL: (0.08, 0.4)}.get(
            label, (0.04, 0.2)
        )
        level = chance.uniform(*target) / max(float(tile.mean()), 0.01)
        tint = (
            np.array((chance.uniform(0.7, 1.5), 1.0, chance.uniform(0.5, 0.9)))
            if label is Label.LAWN
            else np.ones(3)
        )
        if label is Label.FLOWER_BED:
            plants, cover, _ = leaves(TILE_SIDE, TILE_SIDE, label, chance)
            shown = np.float32(chance.uniform(0.5, 1)) * np.maximum(cover, 0.4)[..., None]
            tile, level = tile * level * (1 - shown) + plants * shown, 1.0
        found[NUMBER[label]] = np.clip(tile * level * tint, 0, 0.85).astype(np.float32)
    return found
