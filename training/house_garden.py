"""What lies and stands around a drawn house: lawn, drive, path and beds; hedges, bushes, trees, fences and cars."""

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.segmentation.labels import NUMBER, Label
from training.house_blocks import Block
from training.house_plants import Cut, crown, leaves
from training.house_view import Ground, Light, View
from training.skies import noise

Random = np.random.Generator
Vector = NDArray[np.float64]
DENSITY, SIDE = 24, 70
CORNER = np.array([-35.0, -42.0])


def ground_of(house: list[Block], light: Light, looks: dict[int, NDArray[np.float32]], eye: Vector,
              chance: Random) -> Ground:  # fmt: skip
    """The ground around a house, its drive before the garage door, its path to the door, and their shade."""
    yard = chance.choice((Label.LAWN, Label.GRAVEL, Label.PAVING), p=(0.62, 0.26, 0.12))
    labels = np.full((SIDE * DENSITY, SIDE * DENSITY), NUMBER[Label(str(yard))], np.uint8)
    made = Ground(labels, np.ones(labels.shape, np.float32), CORNER, DENSITY, looks)
    if chance.random() < 0.3:
        patches = cv2.resize(noise(200, 200, chance), labels.shape[::-1]) > chance.uniform(0.6, 0.9)
        labels[patches] = NUMBER[chance.choice((Label.LAWN, Label.GRAVEL))]
    main = house[0]
    street = min(chance.uniform(-14, -8), float(eye[1]) + chance.uniform(1, 9))
    for each in house:
        edge = np.array([[each.left - 0.6, each.front - chance.uniform(0, 1.8)], [each.right + 0.6, each.back]])
        _fill(made, edge, Label.FLOWER_BED if chance.random() < 0.5 else Label.GRAVEL)
    paved = Label.PAVING if chance.random() < 0.85 else Label.GRAVEL
    path = chance.uniform(0.9, 2.2)
    at = chance.uniform(main.left + 1, main.right - 1 - path)
    _curve(made, (at + path / 2, main.front), (at + chance.normal(0, 3), street), path, paved)
    for each in house:
        if each.garage:
            grown = chance.uniform(-0.3, 1.5)
            corners = np.array([[each.left + 0.3, each.front], [each.right - 0.3, each.front],
                                [each.right + grown, street], [each.left - grown, street]])  # fmt: skip
            cv2.fillPoly(labels, [made.cells(corners)], NUMBER[paved])
    if chance.random() < 0.75:
        _fill(made, np.array([[-99, -99], [99, street]]), Label.PAVING)
        if chance.random() < 0.5:
            _fill(made, np.array([[-99, street - 2.6], [99, street - 1.5]]), Label.LAWN)
    _shade(made, house, light, chance)
    return made


def _fill(made: Ground, ends: Vector, label: Label) -> None:
    (left, near), (right, far) = np.clip(made.cells(ends), -5, SIDE * DENSITY + 5)
    cv2.rectangle(made.labels, (int(left), int(near)), (int(right), int(far)), NUMBER[label], -1)


def _curve(made: Ground, start: tuple[float, float], end: tuple[float, float], wide: float, label: Label) -> None:
    """A path that swings from one point to another."""
    share = np.linspace(0, 1, 30)
    swing = share * share * (3 - 2 * share)
    points = np.column_stack([start[0] + (end[0] - start[0]) * swing, start[1] + (end[1] - start[1]) * share])
    cv2.polylines(made.labels, [made.cells(points)], False, NUMBER[label], max(round(wide * DENSITY), 1))


def _shade(made: Ground, house: list[Block], light: Light, chance: Random) -> None:
    """The shadows of the house and of a tree or two."""
    if light.sun.max() < 0.05:
        return
    for each in house:
        foot = np.array([[each.left, each.front], [each.right, each.front], [each.right, each.back],
                         [each.left, each.back]])  # fmt: skip
        away = -light.way[:2] / light.way[2] * (each.height + 0.8)
        hull = cv2.convexHull(made.cells(np.concatenate([foot, foot + away])))
        cv2.fillConvexPoly(made.shade, hull, 0)
    if chance.random() < 0.5:
        spots = cv2.resize(noise(150, 150, chance), made.shade.shape[::-1]) + 0.15 * cv2.resize(
            chance.standard_normal((350, 350), dtype=np.float32), made.shade.shape[::-1]
        )
        made.shade[:] *= 1 - np.clip((spots - chance.uniform(0.5, 0.85)) * 8, 0, 1)
    made.shade[:] = cv2.GaussianBlur(made.shade, (0, 0), 3)


def around(view: View, house: list[Block], cuts: dict[Label, list[Cut]], light: Light, chance: Random) -> None:
    """All that stands around the house, the farthest first."""
    spots: list[tuple[float, Cut, Vector, float, float]] = []
    spots += _behind(house, cuts, chance)
    spots += bases(house, cuts, chance)
    spots += _before(house, cuts, chance)
    spots.sort(key=lambda each: -float(view.eye.seen(each[2])[2]))
    bright = np.asarray(light.sky * 0.9 + light.sun * 0.5, np.float32)
    for _, (color, cover, label), foot, tall, wide in spots:
        level = bright * np.float32(chance.uniform(0.6, 1.1))
        view.stand((color * level, cover, label), foot, tall, wide)


def plant(cuts: dict[Label, list[Cut]], label: Label, chance: Random, clipped: bool = False) -> Cut:
    """A cut of a photo where there is one, at times turned about; else leaves drawn by chance."""
    found = cuts.get(label, [])
    if found and not clipped and chance.random() < 0.7:
        cut = found[chance.integers(len(found))]
        if label is Label.TREE or chance.random() < 0.4:
            cut = crown(cut, label, chance)
        color, cover, _ = cut
        turn, level = int(chance.choice((1, -1))), np.float32(0.09 / max(float(color[cover > 0.5].mean()), 0.02))
        return color[:, ::turn] * level, cover[:, ::turn], label
    tall, wide = (220, 500) if clipped else (int(chance.integers(120, 260)), int(chance.integers(140, 260)))
    return leaves(tall, wide, label, chance, clipped)


def _behind(house: list[Block], cuts: dict[Label, list[Cut]], chance: Random) -> list:
    """A row of trees or a hedge far behind, so that the ground ends somewhere."""
    found = []
    far = max(each.back for each in house) + chance.uniform(3, 12)
    tall = chance.uniform(1.5, 9)
    for place in np.arange(-75, 75, tall * 0.8):
        cut = plant(cuts, Label.TREE, chance)
        foot = np.array([place + chance.normal(0, 1), far + chance.uniform(0, 6), -0.4])
        found.append((far, cut, foot, tall * chance.uniform(0.7, 1.4), tall * chance.uniform(1.1, 1.9)))
    for place in np.arange(-90, 90, 9.0):
        hedge = leaves(160, 500, Label.BUSH if tall < 4 else Label.TREE, chance, True)
        found.append((far + 7, hedge, np.array([place, far + 7, -0.3]), min(tall, 2.6), 9.6))
    return found


def bases(house: list[Block], cuts: dict[Label, list[Cut]], chance: Random) -> list:
    """Bushes and flowers along the walls."""
    found = []
    amount = chance.uniform(0, 0.9)
    for each in house:
        if each.garage:
            continue
        for place in np.arange(each.left, each.right, 0.9):
            if chance.random() < amount:
                label = Label.FLOWER_BED if chance.random() < 0.3 else Label.BUSH
                tall = chance.uniform(0.35, 0.7) if label is Label.FLOWER_BED else chance.uniform(0.5, 1.5)
                foot = np.array([place, each.front - chance.uniform(0.4, 1.4), 0])
                found.append((0.0, plant(cuts, label, chance), foot, tall, tall * chance.uniform(1.0, 2.2)))
    return found


def _before(house: list[Block], cuts: dict[Label, list[Cut]], chance: Random) -> list:
    """Trees, a hedge, a fence, a car or bins between the house and the camera, or beside it."""
    found = []
    left, right = min(each.left for each in house), max(each.right for each in house)
    for _ in range(chance.integers(0, 4)):
        sides = left - chance.uniform(1, 7), right + chance.uniform(1, 7), chance.uniform(left, right)
        aside = sides[chance.choice(3, p=(0.4, 0.4, 0.2))]
        foot = np.array([aside, chance.uniform(-7, 3), 0])
        found += _tree(foot, chance.uniform(3, 9), cuts, chance)
    if chance.random() < 0.2:
        for place in np.arange(left - 8, right + 8, 4.0):
            cut = leaves(140, 500, Label.BUSH, chance, True)
            if chance.random() < 0.6:
                found.append((0.0, cut, np.array([place, -5.5, 0]), chance.uniform(0.6, 1.1), 4.1))
    for _ in range(chance.integers(0, 5)):
        foot = np.array([chance.uniform(left - 4, right + 4), chance.uniform(-8, -2), 0])
        label = Label.FLOWER_BED if chance.random() < 0.3 else Label.BUSH
        tall = chance.uniform(0.4, 1.3)
        found.append((0.0, plant(cuts, label, chance), foot, tall, tall * chance.uniform(1, 1.8)))
    if chance.random() < 0.2:
        found += _fence(left, right, chance)
    for label, tall, often in ((Label.CAR, 1.5, 0.2), (Label.BIN, 1.1, 0.12)):
        if cuts.get(label) and chance.random() < often:
            color, cover, _ = cuts[label][chance.integers(len(cuts[label]))]
            foot = np.array([chance.uniform(left - 2, right + 2), chance.uniform(-7, -3), 0])
            found.append((0.0, (color, cover, label), foot, tall, 0.0))
    return found


def _tree(foot: Vector, tall: float, cuts: dict[Label, list[Cut]], chance: Random) -> list:
    """A trunk and its crown."""
    bark = np.array((0.1, 0.08, 0.06), np.float32) * (0.6 + 0.8 * chance.random((80, 12, 1), dtype=np.float32))
    bark = bark * np.linspace(1.3, 0.5, 12, dtype=np.float32)[None, :, None]
    trunk = (bark, np.ones((80, 12), np.float32), Label.TREE)
    crown = plant(cuts, Label.TREE, chance)
    return [
        (0.0, trunk, foot, tall * 0.6, chance.uniform(0.12, 0.35)),
        (
            0.0,
            crown,
            foot + np.array([0, -0.1, tall * chance.uniform(0.25, 0.4)]),
            tall * 0.7,
            tall * chance.uniform(0.5, 0.9),
        ),
    ]


def _fence(left: float, right: float, chance: Random) -> list:
    """A fence of boards or bars beside the house or before it."""
    shade = np.float32(chance.choice((0.75, 0.25, 0.05)))
    columns = np.arange(300)
    cover = np.tile((columns % 12 < chance.integers(3, 12)).astype(np.float32), (60, 1))
    cover[8:14] = cover[46:52] = 1
    color = np.full((60, 300, 3), shade, np.float32) * (0.9 + 0.1 * chance.random((1, 300, 1), dtype=np.float32))
    depth, tall = chance.uniform(-6, 2), chance.uniform(0.8, 1.8)
    sides = [place for place in (left - 4, right + 4) if chance.random() < 0.7]
    return [(0.0, (color, cover, Label.FENCE), np.array([place, depth, 0]), tall, 6.0) for place in sides]
