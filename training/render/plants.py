"""Trees, conifers, bare trees, palms, bushes, hedges and tufts of grass, as sticks and leaf cards."""

import numpy as np

from engine.segmentation.labels import Kind
from training.render.labels import Label
from training.render.shapes import Material, Model, Plane, Point, tubes
from training.render.textures import Random, foliage, speckled, varied

GREENS = ((58, 84, 36), (76, 104, 44), (44, 70, 38), (96, 116, 58), (66, 88, 58), (36, 56, 34))
AUTUMN = ((176, 104, 36), (150, 62, 34), (196, 150, 54), (128, 96, 50))
BLOSSOM = ((226, 170, 186), (240, 232, 226), (170, 110, 180))
NEEDLES = ((40, 62, 40), (52, 74, 44), (34, 50, 40))
BARK = (96, 82, 68)


def cards(random: Random, middles: Plane, size: float, droop: float = 0.0) -> Plane:
    """A triangle a leaf (n x 3 x 3) about each middle (n x 3), of about this size in meters, in any direction."""
    count = len(middles)
    across = random.standard_normal((count, 3))
    along = random.standard_normal((count, 3)) - np.array([0, 0, droop])
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    scale = size * random.uniform(0.5, 1.4, (count, 1))
    tip, left, right = along * scale, across * scale * 0.45 - along * scale * 0.5, -across * scale * 0.45
    return np.stack([middles + tip, middles + left, middles + right], 1).astype(np.float32)


def leaves(
    model: Model, random: Random, material: Material, middles: Plane, size: float, kind: Label = Kind.TREES
) -> None:
    """Add a leaf at each middle, each of its own color."""
    triangles = cards(random, middles, size)
    places = np.repeat(random.random((len(middles), 1, 2)), 3, 1)
    model.add(kind, material, triangles, places.astype(np.float32))


def branches(random: Random, height: float, levels: int, spread: float, first: float = 0.3) -> tuple[Plane, ...]:
    """A tree's sticks: starts, ends (n x 3), radii at both (n), and the ends of the last level."""
    starts, ends, radii, tips = [], [], [], []
    base, way = np.zeros((1, 3)), np.array([[random.normal(0, 0.06), random.normal(0, 0.06), 1.0]])
    length, radius = np.array([height * first]), np.array([height * random.uniform(0.018, 0.035)])
    for level in range(levels):
        end = base + way * length[:, None]
        starts.append(base), ends.append(end), radii.append(radius), tips.append(radius * 0.72)
        forks = int(random.integers(2, 5)) if level < levels - 2 else int(random.integers(2, 4))
        base = np.repeat(end, forks, 0) - np.repeat(way * length[:, None], forks, 0) * random.uniform(
            0, 0.45, (len(end) * forks, 1)
        )
        way = np.repeat(way, forks, 0) + random.normal(0, spread, (len(base), 3)) + np.array([0, 0, 0.12])
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        length = np.repeat(length, forks) * random.uniform(0.6, 0.92, len(base))
        radius = np.repeat(radius, forks) * 0.62
    return (*(np.concatenate(each) for each in (starts, ends, radii, tips)), ends[-1])


def broadleaf(random: Random, height: float, leaf: float, fill: int = 5000) -> Model:
    """A tree in leaf; `leaf` is a card's size in meters (larger far away), `fill` how many there are."""
    model = Model()
    starts, ends, radii, tips, twigs = branches(
        random, height, int(random.integers(4, 6)), random.uniform(0.3, 0.5)
    )
    bark = speckled(random, varied(random, BARK, 0.3), 1.0, 0.2, 0.2)
    model.add(Kind.TREES, bark, tubes(starts, ends, radii, tips, 6))
    choice = AUTUMN if random.random() < 0.12 else BLOSSOM if random.random() < 0.06 else GREENS
    green = foliage(random, varied(random, choice[random.integers(len(choice))], 0.2))
    clump = height * random.uniform(0.035, 0.08)
    middles = twigs[random.integers(len(twigs), size=fill)] + random.normal(0, clump, (fill, 3))
    leaves(model, random, green, middles[middles[:, 2] > height * 0.12], leaf)
    return model


def bare(random: Random, height: float) -> Model:
    """A tree in winter: twigs only."""
    model = Model()
    starts, ends, radii, tips, _ = branches(
        random, height, int(random.integers(6, 8)), random.uniform(0.25, 0.42), 0.24
    )
    bark = speckled(random, varied(random, (92, 80, 70), 0.35), 1.0, 0.2, 0.2)
    least = height * random.uniform(0.0008, 0.0016)
    model.add(Kind.TREES, bark, tubes(starts, ends, np.maximum(radii, least), np.maximum(tips, least), 4))
    return model


def conifer(random: Random, height: float, leaf: float, fill: int = 5000) -> Model:
    """A spruce, cypress or thuja: a cone of drooping cards about a stem."""
    model = Model()
    slim = random.uniform(0.12, 0.3)
    rise = 1 - np.sqrt(random.random(fill))
    angle = random.uniform(0, 6.283, fill)
    tiers = 1 + 0.25 * np.sin(rise * random.integers(6, 22) * 6.283)
    reach = slim * height * (1 - rise) * tiers * np.sqrt(random.uniform(0.25, 1, fill))
    low = random.uniform(0.01, 0.15) * height
    middles = np.column_stack([np.cos(angle) * reach, np.sin(angle) * reach, low + rise * (height - low)])
    leaves(model, random, foliage(random, varied(random, NEEDLES[random.integers(3)])), middles, leaf)
    stem = tubes(np.zeros((1, 3)), np.array([[0, 0, height * 0.9]]), np.array([height * 0.02]), np.array([0.01]))
    model.add(Kind.TREES, speckled(random, BARK, 1.0), stem)
    return model


def palm(random: Random, height: float) -> Model:
    """A palm: a bent stem and a crown of fronds."""
    model = Model()
    lean = random.normal(0, 0.12, 2)
    rise = np.linspace(0, 1, 7)
    stem = np.column_stack([lean[0] * rise**2 * height, lean[1] * rise**2 * height, rise * height])
    thick = np.full(6, height * 0.028)
    model.add(
        Kind.TREES,
        speckled(random, (122, 104, 84), 0.5, 0.25, 0.2),
        tubes(stem[:-1], stem[1:], thick, thick * 0.93, 6),
    )
    green = foliage(random, varied(random, (84, 104, 50)))
    for _ in range(int(random.integers(14, 30))):
        angle, length, lift = random.uniform(0, 6.283), random.uniform(1.4, 2.6), random.uniform(-0.2, 1.1)
        along = np.linspace(0.1, 1, 46)
        out, up = along * length, lift * along * length - 0.75 * (along * length) ** 2 / length
        spine = stem[-1] + np.column_stack([np.cos(angle) * out, np.sin(angle) * out, up])
        sideways = np.array([-np.sin(angle), np.cos(angle), -0.35])
        for side in (-1, 1):
            ends = spine + sideways * [side, side, 1] * (0.5 * np.sin(np.pi * np.clip(along, 0.1, 0.95)))[:, None]
            model.add(
                Kind.TREES,
                green,
                np.stack([spine, spine + np.array([0, 0, 0.03]), ends], 1),
                np.repeat(random.random((len(spine), 1, 2)), 3, 1),
            )
    return model


def bush(random: Random, radii: Point, leaf: float, square: bool = False, fill: int = 0) -> Model:
    """A bush or, where square, a clipped hedge: a dark core, leaves about it; `radii` are half sizes in meters."""
    model = Model()
    half = np.asarray(radii, float)
    fill = fill or int(np.clip(12 * half.prod() ** (2 / 3) / leaf**2, 600, 9000))
    way = random.standard_normal((fill, 3))
    if square:
        way = random.uniform(-1, 1, (fill, 3))
        way[np.arange(fill), random.integers(3, size=fill)] = random.choice([-1.0, 1.0], fill)
        middles = way * half * (1 + random.normal(0, 0.03, (fill, 3)))
    else:
        way /= np.linalg.norm(way, axis=1, keepdims=True)
        swell = 1 + 0.15 * np.sin(way @ random.normal(0, 3, 3) + 1) + 0.12 * np.sin(way @ random.normal(0, 6, 3))
        middles = way * half * swell[:, None] * random.uniform(0.72, 1.05, (fill, 1))
    middles[:, 2] += half[2]
    color = varied(random, GREENS[random.integers(len(GREENS))], 0.25)
    leaves(model, random, foliage(random, color), middles[middles[:, 2] > 0], leaf)
    if not square and random.random() < 0.3:
        petals = ((226, 120, 150), (244, 240, 236), (214, 60, 60), (236, 200, 70), (150, 110, 190))
        some = middles[random.integers(fill, size=fill // 8)]
        leaves(model, random, foliage(random, petals[random.integers(len(petals))], 0.15), some * 1.03, leaf * 1.1)
    core = speckled(random, tuple(each * 0.45 for each in color), 0.5, 0.3, 0.3)
    if square:
        model.box(
            Kind.TREES,
            core,
            (-half[0] * 0.97, -half[1] * 0.97, 0),
            (half[0] * 0.97, half[1] * 0.97, half[2] * 1.95),
        )
    else:
        model.add(Kind.TREES, core, ball(half * 0.8, half[2]))
    return model


def ball(radii: Plane, height: float) -> Plane:
    """Triangles of an ellipsoid with its middle at this height."""
    steep, turn = np.meshgrid(np.linspace(0, np.pi, 8), np.linspace(0, 2 * np.pi, 13), indexing="ij")
    points = np.stack([np.sin(steep) * np.cos(turn), np.sin(steep) * np.sin(turn), np.cos(steep)], -1) * radii
    points[..., 2] += height
    corners = (points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:])
    quads = np.stack([each.reshape(-1, 3) for each in corners], 1)
    return quads[:, [[0, 1, 2], [0, 2, 3]]].reshape(-1, 3, 3).astype(np.float32)


def tufts(random: Random, model: Model, material: Material, area: Point, length: float, count: int) -> None:
    """Blades of grass standing in a rectangle (left, front, right, back), lit and shaded one by one."""
    left, front, right, back = area
    # More of them near the camera's side (front): there a blade is wider than a pixel.
    feet = np.column_stack(
        [random.uniform(left, right, count), front + (back - front) * random.random(count) ** 1.7]
    )
    lean = random.normal(0, 0.35, (count, 2))
    tall = length * random.uniform(0.4, 1.2, count)
    foot = np.column_stack([feet, np.zeros(count)])
    tip = np.column_stack([feet + lean * tall[:, None], tall])
    angle = random.uniform(0, 3.14, count)
    side = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)]) * 0.012
    places = np.repeat((feet / material.span)[:, None], 3, 1)
    model.add(Kind.LAWN, material, np.stack([foot - side, foot + side, tip], 1), places)
