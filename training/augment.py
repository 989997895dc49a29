"""Makes many samples of one picture: seen from elsewhere, under another sky, in other light, by a worse camera."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from app.engine.scene.kinds import INDOOR_KINDS, Kind

Picture = NDArray[np.uint8]
Map = NDArray[np.floating]
IGNORED = 255
# Labels of which only a set is known: something inside a room; something outside that is no sky.
ROOM, OUTSIDE = 253, 252
PARTLY_KNOWN = {
    ROOM: (*INDOOR_KINDS, Kind.THINGS),
    OUTSIDE: (Kind.LAWN, Kind.TREES, Kind.BUILDING, Kind.GLASS, Kind.WATER, Kind.GROUND, Kind.THINGS, Kind.LAMP),
}
# Pictures that become smaller by more than this are halved first, lest fine twigs turn to dots.
COARSEST = 1.5


@dataclass(frozen=True, slots=True)
class Source:
    """A picture to learn from. All maps are height x width of the picture.

    `labels` are kinds, PARTLY_KNOWN or IGNORED; `sky` is the share of sky, 0-255; `behind` the colour of its own
    sky carried over the whole picture (None: it has no sky yet, one must be put in).
    """

    picture: Picture
    labels: Picture
    sky: Picture
    behind: Picture | None
    indoors: bool


def seen(source: Source, size: tuple[int, int], chance: np.random.Generator) -> Source:
    """A part of the source, turned, mirrored and scaled by chance to `size` (height, width)."""
    matrix, reduced = _way(source.labels.shape, size, chance)
    if reduced > COARSEST:
        source = _halved(source)
        matrix = matrix @ np.diag([2.0, 2.0, 1.0])
    wide = (size[1], size[0])

    def moved(values: Picture, how: int) -> Picture:
        warped = cv2.warpPerspective(values, matrix, wide, flags=how, borderMode=cv2.BORDER_REFLECT_101)
        return np.asarray(warped, np.uint8)

    return Source(
        moved(source.picture, cv2.INTER_LINEAR),
        moved(source.labels, cv2.INTER_NEAREST),
        moved(source.sky, cv2.INTER_LINEAR),
        None if source.behind is None else moved(source.behind, cv2.INTER_LINEAR),
        source.indoors,
    )


def _halved(source: Source) -> Source:
    height, width = source.labels.shape
    half = (width // 2, height // 2)

    def smaller(values: Picture, how: int = cv2.INTER_AREA) -> Picture:
        return np.asarray(cv2.resize(values, half, interpolation=how), np.uint8)

    return Source(
        smaller(source.picture),
        smaller(source.labels, cv2.INTER_NEAREST),
        smaller(source.sky),
        None if source.behind is None else smaller(source.behind),
        source.indoors,
    )


def _way(shape: tuple[int, ...], size: tuple[int, int], chance: np.random.Generator) -> tuple[Map, float]:
    """The projection that brings a part of a picture of `shape` to `size`, and by how much it makes it smaller."""
    height, width = shape
    share = chance.uniform(0.35, 1.0) ** 0.7
    stretched = chance.uniform(0.85, 1.18)
    part = np.array([size[1] * stretched, size[0]], np.float32)
    part *= min(width / part[0], height / part[1]) * share
    start = chance.uniform(0, 1, 2) * (np.array([width, height]) - part)
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * part + start
    corners += chance.normal(0, 0.02, (4, 2)) * part
    turn = np.deg2rad(chance.normal(0, 2.5 if chance.random() < 0.88 else 11))
    middle = corners.mean(0)
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    corners = (corners - middle) @ rotation.T + middle
    target = np.array([[0, 0], [size[1], 0], [size[1], size[0]], [0, size[0]]], np.float32)
    if chance.random() < 0.5:
        target[:, 0] = size[1] - target[:, 0]
    return np.asarray(cv2.getPerspectiveTransform(corners.astype(np.float32), target)), float(part[0] / size[1])


def under(source: Source, sky: Picture) -> Source:
    """The source before another sky (height x width x 3): half-covered pixels exchange the light of the skies."""
    share = source.sky[..., None].astype(np.float32) / 255
    if source.behind is None:
        mixed = source.picture * (1 - share) + sky * share
    else:
        open_sky = np.clip((share - 0.6) / 0.3, 0, 1)
        mixed = source.picture + (sky.astype(np.float32) - source.behind) * share
        mixed += (sky - mixed) * open_sky
    picture = np.clip(mixed, 0, 255).astype(np.uint8)
    return Source(picture, source.labels, source.sky, sky, source.indoors)


def before(front: Source, back: Source) -> Source:
    """`front` with all of `back`, not only a sky, where its own sky was."""
    whole = under(front, back.picture)
    through = front.labels == int(Kind.SKY)
    labels = np.where(through, back.labels, front.labels)
    sky = (front.sky.astype(np.uint16) * back.sky // 255).astype(np.uint8)
    return Source(whole.picture, labels, sky, None, front.indoors)


def with_view(room: Source, view: Picture) -> Source:
    """The room with another view in its windows."""
    through = cv2.blur((room.labels == int(Kind.WINDOW)).astype(np.float32), (3, 3))[..., None]
    picture = (room.picture * (1 - through) + view * through).astype(np.uint8)
    return Source(picture, room.labels, room.sky, room.behind, room.indoors)


def patched(room: Source, other: Source, chance: np.random.Generator) -> Source:
    """The room with a part of another one in it: other things beside each other than anyone has."""
    height, width = room.labels.shape
    down, across = np.sort(chance.uniform(-0.2, 1.2, 2)), np.sort(chance.uniform(-0.2, 1.2, 2))
    rows = slice(*np.clip(down * height, 0, height).astype(int))
    columns = slice(*np.clip(across * width, 0, width).astype(int))
    picture, labels = room.picture.copy(), room.labels.copy()
    picture[rows, columns], labels[rows, columns] = other.picture[rows, columns], other.labels[rows, columns]
    return Source(picture, labels, room.sky, room.behind, room.indoors)


def repainted(source: Source, kind: int, chance: np.random.Generator) -> Source:
    """One kind of surface in another colour, its light and shade kept."""
    share = cv2.blur((source.labels == int(kind)).astype(np.float32), (5, 5))[..., None]
    grey = cv2.cvtColor(source.picture, cv2.COLOR_RGB2GRAY)[..., None].astype(np.float32)
    hue = np.array(((0.8, 0.95, 1.2), (1.0, 1.0, 1.0), (1.1, 1.0, 0.85), (0.65, 0.85, 1.25), (1.2, 0.8, 0.7)))
    colour = hue[chance.integers(len(hue))] * chance.uniform(0.7, 1.25)
    picture = source.picture + (grey * colour - source.picture) * share
    return Source(
        np.clip(picture, 0, 255).astype(np.uint8), source.labels, source.sky, source.behind, source.indoors
    )


def whitewashed(source: Source, chance: np.random.Generator) -> Source:
    """The houses white, their light and shade kept: white walls under white skies are the hardest to tell apart."""
    where = source.labels == int(Kind.BUILDING)
    if not where.any():
        return source
    share = cv2.blur(where.astype(np.float32), (3, 3))[..., None]
    grey = cv2.cvtColor(source.picture, cv2.COLOR_RGB2GRAY)[..., None].astype(np.float32)
    white = chance.uniform(200, 262) * (grey / max(float(np.median(grey[where])), 8)) ** chance.uniform(0.3, 0.9)
    picture = source.picture + (white * chance.normal(1, 0.015, 3) - source.picture) * share
    whole = np.clip(picture, 0, 255).astype(np.uint8)
    return Source(whole, source.labels, source.sky, source.behind, source.indoors)


def photographed(picture: Picture, chance: np.random.Generator) -> Picture:
    """The picture in other light and by another camera: exposure, colour, contrast, haze, blur, noise, JPEG."""
    light = picture.astype(np.float32) / 255
    height, width = light.shape[:2]
    if chance.random() < 0.8:
        light *= 2 ** chance.normal(0.05, 0.45) * np.exp(chance.normal(0, 0.07, 3)).astype(np.float32)
    if chance.random() < 0.5:
        light = np.clip(light, 0, None) ** np.float32(np.exp(chance.normal(0, 0.22)))
    if chance.random() < 0.5:
        grey = light.mean(-1, keepdims=True)
        share = 0.0 if chance.random() < 0.12 else chance.uniform(0.3, 1.7)
        light = grey + (light - grey) * np.float32(share)
    if chance.random() < 0.4:
        middle = np.float32(chance.uniform(0.3, 0.7))
        light = middle + (light - middle) * np.float32(chance.uniform(0.6, 1.5))
    if chance.random() < 0.3:
        slope = np.linspace(*np.exp(chance.normal(0, 0.3, 2)), width, dtype=np.float32)[None, :, None]
        light = light * slope
    if chance.random() < 0.3:
        light = _lensed(light, chance)
    if chance.random() < 0.22:
        light = _hazy(light, chance)
    if chance.random() < 0.35:
        light = cv2.GaussianBlur(light, (0, 0), chance.uniform(0.3, 1.6))
    if chance.random() < 0.5:
        grain = chance.standard_normal((height, width, 3), dtype=np.float32) * chance.uniform(0.003, 0.05)
        light = light + (cv2.blur(grain, (2, 2)) * 2 if chance.random() < 0.4 else grain)
    result = (np.clip(light, 0, 1) * 255).astype(np.uint8)
    if chance.random() < 0.35:
        done, content = cv2.imencode(".jpg", result, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(25, 95))])
        result = np.asarray(cv2.imdecode(content, cv2.IMREAD_COLOR), np.uint8) if done else result
    return result


def _hazy(light: Map, chance: np.random.Generator) -> Map:
    """Paler, often more so towards the top, where things are farther away."""
    thick = np.linspace(*chance.uniform(0, 0.65, 2), len(light), dtype=np.float32)[:, None, None]
    return light + (np.float32(chance.uniform(0.5, 1.0)) - light) * thick


def fogged(source: Source, chance: np.random.Generator) -> Source:
    """The scene in fog: no sky to be told from what stands before it, farther things (higher up) nearly gone."""
    height = len(source.labels)
    near, far = chance.uniform(0, 0.4), chance.uniform(0.5, 0.93)
    reach = chance.uniform(0.3, 0.8)
    thick = np.interp(np.linspace(0, 1, height), [0, reach, 1], [far, far * 0.8, near]).astype(np.float32)[:, None]
    thick = np.maximum(thick, source.sky.astype(np.float32) / 255 * np.float32(chance.uniform(0.85, 1)))
    fog = np.float32(chance.uniform(90, 245)) + chance.normal(0, 4, 3).astype(np.float32)
    picture = source.picture + (fog - source.picture) * thick[..., None]
    return Source(np.clip(picture, 0, 255).astype(np.uint8), source.labels, source.sky, None, source.indoors)


def _lensed(light: Map, chance: np.random.Generator) -> Map:
    """Darker or lighter towards the corners."""
    height, width = light.shape[:2]
    rows = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    columns = np.linspace(-1, 1, width, dtype=np.float32)[None]
    return light * (1 - chance.uniform(-0.15, 0.4) * (rows**2 + columns**2)[..., None] / 2)
