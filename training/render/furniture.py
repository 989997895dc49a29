"""Things in rooms: sofas, beds, tables, chairs, cupboards, shelves, curtains, pictures, lamps, plants."""

import numpy as np

from training.render.labels import RoomPart
from training.render.plants import ball, leaves
from training.render.shapes import Material, Model, tubes
from training.render.textures import Random, cloudy, foliage, grained, speckled, varied

CLOTH = (
    (200, 196, 188),
    (120, 124, 130),
    (64, 72, 84),
    (170, 150, 124),
    (236, 232, 226),
    (60, 96, 104),
    (150, 70, 56),
    (196, 160, 70),
    (90, 110, 84),
    (44, 44, 48),
)
WOODS = ((156, 116, 78), (110, 74, 48), (70, 50, 38), (196, 164, 122), (236, 234, 230), (48, 46, 46))


def cloth(random: Random) -> Material:
    """Woven stuff."""
    return speckled(random, varied(random, CLOTH[random.integers(len(CLOTH))], 0.2), 0.6, 0.05, 0.08)


def wood(random: Random) -> Material:
    """Wood, oiled or painted, sometimes a little glossy."""
    base = grained(random, varied(random, WOODS[random.integers(len(WOODS))], 0.15), 0.8, 0.2)
    return Material(base.texture, base.span, 0.04 if random.random() < 0.3 else 0.0)


def sofa(random: Random) -> Model:
    """A sofa or an armchair with its back to +y."""
    model, stuff, wide = Model(), cloth(random), random.choice([0.9, 1.7, 2.3])
    half, arm = wide / 2, random.uniform(0.12, 0.25)
    low, seat, back = random.uniform(0.05, 0.15), random.uniform(0.36, 0.46), random.uniform(0.7, 0.95)
    model.box(RoomPart.FURNITURE, stuff, (-half, -0.45, low), (half, 0.45, seat - 0.12))
    model.box(RoomPart.FURNITURE, stuff, (-half, 0.22, low), (half, 0.45, back))
    for side in (-half, half - arm):
        model.box(RoomPart.FURNITURE, stuff, (side, -0.45, low), (side + arm, 0.4, seat + 0.18))
    cushions = max(1, round((wide - 2 * arm) / 0.75))
    step = (wide - 2 * arm) / cushions
    for each in range(cushions):
        x = -half + arm + step * each
        model.box(RoomPart.FURNITURE, stuff, (x + 0.01, -0.47, seat - 0.12), (x + step - 0.01, 0.22, seat))
        if random.random() < 0.6:
            middle = np.array([x + step / 2 + random.normal(0, 0.1), 0.12, 0], np.float32)
            model.add(RoomPart.FURNITURE, cloth(random), ball(np.array([0.22, 0.09, 0.2]), seat + 0.18) + middle)
    return model


def table(random: Random) -> Model:
    """A dining, coffee or side table."""
    model, stuff = Model(), wood(random)
    wide, deep, tall = random.uniform(0.5, 2.2), random.uniform(0.5, 1.0), random.choice([0.42, 0.74, 0.76])
    model.box(RoomPart.FURNITURE, stuff, (-wide / 2, -deep / 2, tall - 0.05), (wide / 2, deep / 2, tall))
    for x in (-wide / 2 + 0.05, wide / 2 - 0.11):
        for y in (-deep / 2 + 0.05, deep / 2 - 0.11):
            model.box(RoomPart.FURNITURE, stuff, (x, y, 0), (x + 0.06, y + 0.06, tall - 0.05))
    for _ in range(int(random.integers(0, 4))):
        spot = np.array([random.uniform(-wide, wide) * 0.35, random.uniform(-deep, deep) * 0.3, 0], np.float32)
        size = random.uniform(0.04, 0.12, 3)
        model.add(RoomPart.CLUTTER, cloth(random), ball(size, tall + size[2]) + spot)
    return model


def chair(random: Random) -> Model:
    """A chair that looks towards -y."""
    model, stuff = Model(), wood(random)
    seat = cloth(random) if random.random() < 0.5 else stuff
    model.box(RoomPart.FURNITURE, seat, (-0.22, -0.22, 0.42), (0.22, 0.22, 0.47))
    for x in (-0.21, 0.17):
        model.box(RoomPart.FURNITURE, stuff, (x, -0.21, 0), (x + 0.04, -0.17, 0.43))
        model.box(RoomPart.FURNITURE, stuff, (x, 0.18, 0), (x + 0.04, 0.22, 0.9))
    for z in np.arange(0.55, 0.9, random.choice([0.1, 0.17])):
        model.box(RoomPart.FURNITURE, seat, (-0.2, 0.18, float(z)), (0.2, 0.21, float(z) + 0.07))
    return model


def bed(random: Random) -> Model:
    """A bed with its head to +y."""
    model, wide = Model(), random.uniform(0.9, 2.0)
    half, frame = wide / 2, wood(random)
    model.box(RoomPart.FURNITURE, frame, (-half, -1, 0.08), (half, 1.05, 0.3))
    model.box(
        RoomPart.FURNITURE,
        frame if random.random() < 0.5 else cloth(random),
        (-half - 0.05, 1.0, 0),
        (half + 0.05, 1.1, random.uniform(0.7, 1.4)),
    )
    white = speckled(random, (238, 236, 232), 0.7, 0.02, 0.05)
    model.box(RoomPart.FURNITURE, white, (-half, -0.98, 0.3), (half, 1.0, 0.52))
    model.box(
        RoomPart.FURNITURE, cloth(random), (-half - 0.03, -1.0, 0.25), (half + 0.03, random.uniform(0, 0.5), 0.56)
    )
    for x in (-half / 2, half / 2):
        middle = np.array([x, 0.75, 0], np.float32)
        model.add(RoomPart.FURNITURE, white, ball(np.array([half * 0.42, 0.2, 0.1]), 0.6) + middle)
    return model


def cupboards(random: Random, wide: float) -> Model:
    """Kitchen units or a sideboard along a wall at y = 0, its front towards -y."""
    model, front = Model(), wood(random)
    stone = speckled(
        random, varied(random, ((226, 224, 220), (70, 70, 74), (170, 160, 146))[random.integers(3)]), 0.8, 0.04, 0.1
    )
    worktop = Material(stone.texture, stone.span, 0.06)
    deep, tall = 0.6, random.uniform(0.84, 0.92)
    model.box(RoomPart.CABINET, front, (-wide / 2, -deep, 0.1), (wide / 2, 0, tall))
    model.box(
        RoomPart.COUNTERTOP, worktop, (-wide / 2 - 0.02, -deep - 0.03, tall), (wide / 2 + 0.02, 0, tall + 0.04)
    )
    dark = speckled(random, (52, 50, 48), 1.0, 0.02, 0.02)
    unit = random.uniform(0.4, 0.7)
    for x in np.arange(-wide / 2, wide / 2, unit):
        model.box(RoomPart.CABINET, dark, (float(x), -deep - 0.004, 0.1), (float(x) + 0.012, -deep, tall))
        model.box(
            RoomPart.CABINET,
            dark,
            (float(x) + 0.05, -deep - 0.03, tall - 0.12),
            (float(x) + 0.2, -deep - 0.01, tall - 0.1),
        )
    if random.random() < 0.5:
        model.box(
            RoomPart.CABINET,
            front,
            (-wide / 2, -0.35, 1.45),
            (wide / 2 * random.uniform(0, 1), 0, random.uniform(2.0, 2.35)),
        )
    return model


def island(random: Random) -> Model:
    """A kitchen island with a worktop, middle at the origin."""
    model, front = Model(), wood(random)
    stone = speckled(random, varied(random, ((230, 228, 224), (60, 60, 64))[random.integers(2)]), 0.8, 0.04, 0.1)
    wide, deep, tall = random.uniform(1.2, 2.6), random.uniform(0.6, 1.1), random.uniform(0.84, 0.92)
    model.box(RoomPart.CABINET, front, (-wide / 2, -deep / 2, 0.0), (wide / 2, deep / 2, tall))
    worktop = Material(stone.texture, stone.span, 0.06)
    model.box(
        RoomPart.COUNTERTOP,
        worktop,
        (-wide / 2 - 0.04, -deep / 2 - 0.04, tall),
        (wide / 2 + 0.04, deep / 2 + 0.04, tall + 0.05),
    )
    return model


def shelves(random: Random) -> Model:
    """An open bookcase at a wall at y = 0."""
    model, stuff = Model(), wood(random)
    wide, tall = random.uniform(0.6, 1.6), random.uniform(1.0, 2.1)
    for x in (-wide / 2, wide / 2 - 0.03):
        model.box(RoomPart.FURNITURE, stuff, (x, -0.3, 0), (x + 0.03, 0, tall))
    for z in np.arange(0.05, tall, 0.36):
        model.box(RoomPart.FURNITURE, stuff, (-wide / 2, -0.3, float(z)), (wide / 2, 0, float(z) + 0.025))
        x = -wide / 2 + 0.05
        while x < wide / 2 - 0.12:
            thick = random.uniform(0.02, 0.09)
            if random.random() < 0.75:
                model.box(
                    RoomPart.FURNITURE,
                    cloth(random),
                    (x, -0.24, float(z) + 0.025),
                    (x + thick, -0.04, float(z) + random.uniform(0.16, 0.3)),
                )
            x += thick + 0.06
    return model


def potted(random: Random) -> Model:
    """A plant in a pot."""
    model = Model()
    tall = random.uniform(0.3, 1.5)
    model.add(
        RoomPart.FURNITURE,
        cloth(random),
        tubes(np.array([[0, 0, 0.0]]), np.array([[0, 0, 0.3]]), np.array([0.13]), np.array([0.16]), 12),
    )
    middles = random.normal(0, 0.16, (250, 3)) * [1, 1, 1.4] + [0, 0, 0.35 + tall / 2]
    leaves(
        model,
        random,
        foliage(random, varied(random, (58, 92, 44), 0.25)),
        middles[middles[:, 2] > 0.25],
        0.1,
        RoomPart.FURNITURE,
    )
    return model


def picture(random: Random) -> Material:
    """A painting or a print."""
    first, second = (np.array(varied(random, CLOTH[random.integers(len(CLOTH))], 0.3)) / 255 for _ in range(2))
    share = (cloudy(random, 128, 2, 4)[..., None] > random.normal(0, 0.5)).astype(np.float32)
    return Material(np.clip((first * share + second * (1 - share)) ** 2.2, 0.01, 0.9).astype(np.float32))


def lamp(random: Random, power: float) -> Model:
    """A hanging lamp: its cord's top at z = 0."""
    model = Model()
    drop, size = random.uniform(0.3, 1.1), random.uniform(0.08, 0.22)
    dark = speckled(random, (40, 40, 42), 1.0, 0.02, 0.02)
    cord = tubes(np.array([[0, 0, 0.0]]), np.array([[0, 0, -drop]]), np.array([0.006]), np.array([0.006]), 4)
    model.add(RoomPart.OTHER, dark, cord)
    warm = np.array([1.0, random.uniform(0.62, 0.85), random.uniform(0.34, 0.66)], np.float32) * power
    shade = Material(np.full((2, 2, 3), 0.8, np.float32), 1.0, 0.0, np.tile(warm, (2, 2, 1)))
    model.add(RoomPart.OTHER, shade, ball(np.array([size, size, size * 0.8]), -drop - size * 0.6))
    return model
