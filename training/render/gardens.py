"""What lies about a house: lawns, paths, streets, pools, fences, hedges, trees, cars, lamps and wires."""

from itertools import pairwise

import numpy as np

from engine.segmentation.labels import Kind
from training.render.plants import bare, broadleaf, bush, conifer, palm, tufts
from training.render.shapes import Material, Model, Plane, Point, tubes, wobbly
from training.render.textures import Random, bonded, grained, lawn, speckled, varied

CARS = ((30, 30, 34), (200, 202, 204), (140, 20, 24), (40, 60, 110), (236, 236, 236), (90, 94, 98))


def paving(random: Random) -> Material:
    """Concrete, asphalt, gravel, slabs, brick or boards to walk on."""
    choice = random.random()
    if choice < 0.25:
        return speckled(random, varied(random, (184, 178, 168), 0.15), 3.0, 0.06, 0.06)
    if choice < 0.45:
        return speckled(random, varied(random, (96, 96, 98), 0.25), 2.0, 0.14, 0.08)
    if choice < 0.6:
        return speckled(random, varied(random, (178, 164, 140), 0.2), 2.0, 0.22, 0.1)
    if choice < 0.8:
        gray = [varied(random, (168, 164, 156), 0.15) for _ in range(4)]
        return bonded(random, gray, (110, 106, 100), (6, 6), (0.5, 0.5), (3, 3), (random.choice([0, 0.5]), 0))
    if choice < 0.9:
        return bonded(
            random, ((150, 96, 78), (136, 84, 70), (164, 110, 88)), (120, 110, 100), (16, 8), (0.2, 0.1), (1, 1)
        )
    return bonded(
        random,
        [varied(random, (150, 116, 84), 0.2) for _ in range(3)],
        (60, 46, 36),
        (12, 1),
        (2.4, 0.14),
        (0, 5),
        (2, 0),
    )


def ground(model: Model, random: Random, front: float) -> None:
    """The ground from the camera (at y = front) to the horizon: lawn, or something else where no grass grows."""
    grassy = random.random() < 0.85
    material = lawn(random) if grassy else speckled(random, varied(random, (150, 132, 104), 0.3), 6.0, 0.2, 0.2)
    if not grassy and random.random() < 0.5:
        material = paving(random)
    far = lawn(random, 60.0)
    model.quad(Kind.LAWN if grassy else Kind.GROUND, material, _rectangle(-30, front - 8, 30, 30, 0.0))
    model.quad(Kind.LAWN, far, _rectangle(-400, front - 60, 400, 900, -0.05))
    if grassy and random.random() < 0.75:
        long = random.choice([0.04, 0.07, 0.2], p=[0.45, 0.45, 0.1])
        tufts(random, model, material, (-9, front + 0.5, 9, front + 11), long, 22000)
    for _ in range(int(random.integers(0, 4))):
        soil = speckled(random, varied(random, (86, 66, 50), 0.3), 1.5, 0.25, 0.2)
        place = (random.uniform(-10, 10), random.uniform(-5, -1.2))
        model.flat(
            Kind.GROUND, soil, wobbly(random, place, (random.uniform(1, 4), random.uniform(0.4, 1)), 0.2), 0.012
        )


def weed(model: Model) -> None:
    """Take away the blades of grass that would grow through paths, streets, beds and water."""
    parts = [part for part in model.parts.values() if part.kind in (Kind.GROUND, Kind.WATER)]
    covers = [triangles for triangles, _ in (part.settled() for part in parts) if len(triangles) < 400]
    level = [each[np.ptp(each[..., 2], axis=1) < 0.02] for each in covers]
    for part in model.parts.values():
        if part.kind != Kind.LAWN:
            continue
        for number, blades in enumerate(part.triangles):
            free = ~_within(blades[:, 0, :2], np.concatenate([*level, np.zeros((0, 3, 3), np.float32)]))
            places = part.places[number]
            part.triangles[number] = blades[free]
            part.places[number] = None if places is None else places[free]


def _within(points: Plane, triangles: Plane) -> Plane:
    """Which points (n x 2) lie in any of the triangles, seen from above."""
    inside = np.zeros(len(points), bool)
    for corners in triangles[..., :2]:
        ahead = np.roll(corners, -1, 0) - corners
        side = [
            edge[0] * (points[:, 1] - at[1]) - edge[1] * (points[:, 0] - at[0])
            for at, edge in zip(corners, ahead, strict=True)
        ]
        inside |= (np.min(side, 0) >= 0) | (np.max(side, 0) <= 0)
    return inside


def ways(model: Model, random: Random, front: float) -> None:
    """A path to the door, a drive, a street with curb and pavement before the garden."""
    if random.random() < 0.6:
        material, wide = paving(random), random.uniform(0.5, 1.0)
        x, bend = random.uniform(-4, 4), random.uniform(-3, 3)
        along = np.linspace(0, 1, 14)
        y = -0.2 + along * (front - 1)
        middle = x + bend * along**2
        for each in range(13):
            a, b = middle[each], middle[each + 1]
            corners = [
                (a - wide, y[each], 0.02),
                (b - wide, y[each + 1], 0.02),
                (b + wide, y[each + 1], 0.02),
                (a + wide, y[each], 0.02),
            ]
            model.quad(Kind.GROUND, material, corners)
    if random.random() < 0.5:
        left = random.choice([-1, 1]) * random.uniform(5, 8)
        model.quad(Kind.GROUND, paving(random), _rectangle(left - 2.4, front - 6, left + 2.4, 1.5, 0.025))
    if random.random() < 0.4:
        model.quad(Kind.GROUND, paving(random), _rectangle(-7, random.uniform(-4, -1.5), 7, 0.3, 0.022))
    if random.random() < 0.4:
        street = speckled(random, varied(random, (88, 88, 90), 0.25), 3.0, 0.12, 0.08)
        edge = front * random.uniform(0.5, 0.85)
        model.quad(Kind.GROUND, street, _rectangle(-120, edge - 20, 120, edge, 0.03))
        curb = speckled(random, varied(random, (176, 172, 164), 0.15), 2.0, 0.06, 0.05)
        model.box(Kind.GROUND, curb, (-120, edge, 0), (120, edge + 0.18, 0.12))
        model.quad(Kind.GROUND, paving(random), _rectangle(-120, edge + 0.18, 120, edge + 1.8, 0.11))


def pool(model: Model, random: Random, front: float) -> None:
    """A swimming pool with a rim, or a pond, mirroring what stands behind it."""
    natural = random.random() < 0.35
    color = (40, 52, 44) if natural else ((64, 164, 176), (88, 190, 206), (40, 110, 130))[random.integers(3)]
    base = speckled(random, varied(random, color, 0.2), 3.0, 0.05, 0.12)
    water = Material(
        base.texture, base.span, random.uniform(0.15, 0.55), ripples=float(random.choice([0.002, 0.01, 0.03]))
    )
    near = front * random.uniform(0.45, 0.8)
    if natural:
        outline = wobbly(
            random, (random.uniform(-3, 3), (near - 1.5) / 2), (random.uniform(4, 9), abs(near - 1.5) / 2.2), 0.15
        )
        model.flat(Kind.WATER, water, outline, 0.035)
        return
    left, right, back = random.uniform(-8, -3), random.uniform(3, 8), random.uniform(-3, -2)
    rim = paving(random)
    model.quad(Kind.GROUND, rim, _rectangle(left - 0.6, near - 0.6, right + 0.6, back + 0.6, 0.04))
    xs, ys = np.linspace(left, right, 40), np.linspace(near, back, 40)
    for x0, x1 in pairwise(xs):
        strip = [_rectangle(x0, y0, x1, y1, 0.045) for y0, y1 in pairwise(ys)]
        corners = np.array(strip, np.float32)
        model.add(Kind.WATER, water, np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]))


def fence(model: Model, random: Random, start: Point, end: Point) -> None:
    """Pickets, boards, rails, a wall or a hedge between two points of the ground."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    length, choice = float(np.linalg.norm(b - a)), random.random()
    turn = float(np.arctan2(b[1] - a[1], b[0] - a[0]))
    piece = Model()
    if choice < 0.35:
        tall = random.uniform(0.6, 2.2)
        place = bush(random, (length / 2, random.uniform(0.25, 0.6), tall / 2), 0.06, True, 7000)
        piece.place(place, 0, (length / 2, 0, 0))
    elif choice < 0.55:
        stone = bonded(
            random,
            [varied(random, (170, 160, 146), 0.2) for _ in range(4)],
            (150, 144, 134),
            (10, 5),
            (0.4, 0.2),
            (2, 2),
        )
        material = (
            stone
            if random.random() < 0.5
            else speckled(random, varied(random, (226, 222, 214), 0.1), 2, 0.03, 0.06)
        )
        piece.box(Kind.BUILDING, material, (0, -0.12, 0), (length, 0.12, random.uniform(0.5, 1.9)))
    else:
        tall, gap = random.uniform(0.8, 1.9), random.choice([0.0, 0.06, 0.1])
        color = ((240, 240, 238), (132, 104, 80), (70, 70, 72), (160, 130, 96))[random.integers(4)]
        wood = grained(random, varied(random, color, 0.15), 1.0, 0.2)
        for x in np.arange(0, length, 0.1 + gap):
            piece.box(
                Kind.THINGS,
                wood,
                (float(x), -0.012, 0.05),
                (float(x) + 0.095, 0.012, tall * random.uniform(0.99, 1.01)),
            )
        for z in (0.3, tall - 0.25):
            piece.box(Kind.THINGS, wood, (0, 0.012, z), (length, 0.05, z + 0.08))
    model.place(piece, turn, (a[0], a[1], 0))


def car(model: Model, random: Random, place: Point, turn: float) -> None:
    """A parked car: body, cabin, wheels."""
    piece = Model()
    color = varied(random, CARS[random.integers(len(CARS))], 0.2)
    paint = Material(speckled(random, color, 1.0, 0.01, 0.01).texture, 1.0, 0.12)
    dark = Material(speckled(random, (26, 28, 30), 1.0, 0.02, 0.02).texture, 1.0, 0.25)
    low = [(-2.1, 0.35), (2.1, 0.35), (2.15, 0.75), (1.3, 0.95), (-1.9, 1.0), (-2.15, 0.8)]
    high = [(-1.7, 0.98), (1.2, 0.95), (0.5, 1.45), (-1.2, 1.5)]
    for outline, half, material in ((low, 0.88, paint), (high, 0.72, dark)):
        for side in (-half, half):
            ring = np.array([(x, side, z) for x, z in outline], np.float32)
            fan = np.stack([np.broadcast_to(ring.mean(0), ring.shape), ring, np.roll(ring, -1, 0)], 1)
            piece.add(Kind.THINGS, material, fan)
        for (x0, z0), (x1, z1) in zip(outline, outline[1:] + outline[:1], strict=True):
            top = paint if (z0 + z1) / 2 > 1.46 else material
            piece.quad(Kind.THINGS, top, [(x0, -half, z0), (x1, -half, z1), (x1, half, z1), (x0, half, z0)])
    for x in (-1.35, 1.35):
        wheel = tubes(
            np.array([[x, -0.92, 0.33]]), np.array([[x, 0.92, 0.33]]), np.array([0.33]), np.array([0.33]), 14
        )
        piece.add(Kind.THINGS, dark, wheel)
    model.place(piece, turn, (place[0], place[1], 0))


def wires(model: Model, random: Random, front: float) -> None:
    """Poles or a lamp post with sagging wires before the sky."""
    gray = speckled(random, varied(random, (74, 70, 66), 0.4), 1.0, 0.1, 0.1)
    y, tall = random.uniform(front * 0.6, -1), random.uniform(5.5, 9)
    x = random.uniform(-9, 9)
    pole = tubes(np.array([[x, y, 0.0]]), np.array([[x, y, tall]]), np.array([0.11]), np.array([0.08]), 8)
    model.add(Kind.THINGS, gray, pole)
    if random.random() < 0.5:
        model.box(Kind.THINGS, gray, (x - 1.0, y - 0.05, tall - 0.4), (x + 1.0, y + 0.05, tall - 0.28))
    for _ in range(int(random.integers(1, 5))):
        far = np.array([x + random.choice([-1, 1]) * 40, y + random.uniform(-5, 12), tall - random.uniform(0, 1)])
        along = np.linspace(0, 1, 24)[:, None]
        line = np.array([x, y, tall - 0.3]) * (1 - along) + far * along
        line[:, 2] -= (np.sin(along * np.pi) * random.uniform(0.3, 1.4))[:, 0]
        thick = np.full(23, random.uniform(0.008, 0.02))
        model.add(Kind.THINGS, gray, tubes(line[:-1], line[1:], thick, thick, 3))


def plants(model: Model, random: Random, front: float, half: float) -> None:
    """Bushes along the house, trees beside and behind it, a branch before the camera at times."""
    for _ in range(int(random.integers(0, 9))):
        x, y = random.uniform(-half, half), random.uniform(-2.2, -0.7)
        size = random.uniform(0.3, 1.0)
        model.place(
            bush(
                random,
                (size * random.uniform(0.7, 1.6), size, size * random.uniform(0.6, 1.2)),
                0.06,
                random.random() < 0.2,
            ),
            0,
            (x, y, 0),
        )
    for _ in range(int(random.integers(0, 6))):
        side = random.choice([-1, 1])
        x, y = side * random.uniform(half * 0.7, half + 9), random.uniform(front * 0.6, 3)
        model.place(tree(random, random.uniform(3, 11), 0.11), random.uniform(0, 6), (x, y, 0))
    if random.random() < 0.22:
        x = random.choice([-1, 1]) * random.uniform(1.0, 3.5)
        model.place(tree(random, random.uniform(6, 10), 0.07), 0, (x, front + random.uniform(3.5, 7), 0))
    backdrop(model, random, front)


def tree(random: Random, height: float, leaf: float) -> Model:
    """Any tree."""
    choice = random.random()
    if choice < 0.5:
        return broadleaf(random, height, leaf * random.uniform(0.7, 1.5), int(random.integers(6000, 16000)))
    if choice < 0.7:
        return bare(random, height)
    if choice < 0.92:
        return conifer(random, height, leaf, 8000)
    return palm(random, height * 0.7)


def backdrop(model: Model, random: Random, front: float) -> None:
    """A row of trees far behind, hills, or nothing."""
    choice = random.random()
    if choice < 0.65:
        pattern = [tree(random, random.uniform(7, 16), 0.3) for _ in range(3)]
        thick = random.uniform(0.3, 1.0)
        for x in np.arange(-60, 60, 7):
            if random.random() < thick:
                model.place(
                    pattern[random.integers(3)],
                    random.uniform(0, 6),
                    (x + random.normal(0, 2), random.uniform(18, 40), -0.5),
                )
    if choice > 0.55:
        hill = speckled(random, varied(random, (84, 104, 78), 0.3), 60.0, 0.12, 0.25)
        angle = np.linspace(-1.2, 1.2, 60)
        tall = 8 + 14 * np.abs(np.sin(angle * random.uniform(1, 3) + random.uniform(0, 3))) * random.random()
        x, y = np.sin(angle) * 300, np.cos(angle) * 300 + front
        for each in range(59):
            corners = [
                (x[each], y[each], -2),
                (x[each + 1], y[each + 1], -2),
                (x[each + 1], y[each + 1], tall[each + 1]),
                (x[each], y[each], tall[each]),
            ]
            model.quad(Kind.TREES, hill, corners)


def _rectangle(left: float, front: float, right: float, back: float, height: float) -> list[Plane]:
    corners = [(left, front, height), (right, front, height), (right, back, height), (left, back, height)]
    return [np.array(each, np.float32) for each in corners]
