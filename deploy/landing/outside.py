"""The outside view: the house in its garden under an even gray sky, as on many a day of photographs."""

import mitsuba as mi
import numpy as np
from camera import sensor, taken
from garden import Foliage, Lawn, bed, shrub, slabs, tree
from house import House
from shapes import Numbers, Solid, leafy, linear, matt, noise, painted

EYE, TARGET = (3.4, -19.0, 1.6), (2.35, 0.0)
_WAY = np.linspace(0, 1, 60)[:, None]
# A gentle bow from the steps to the street.
PATH = (1 - _WAY) ** 2 * (0.3, -3.2) + 2 * _WAY * (1 - _WAY) * (0.3, -9.5) + _WAY**2 * (2.3, -19)
DRIVE = ((6.6, 11.9), (-30.0, 1.2))
BEDS = (((-7.3, -2.6), (-1.7, -1.4)), ((1.45, -3.4), (6.3, -2.35)), ((-1.6, -3.3), (-0.8, -2.35)))


def light(rounds: int, samples: int) -> Numbers:
    """The light on the sensor."""
    return taken(_scene(), rounds, samples)


def _scene() -> mi.Scene:
    chance = np.random.default_rng(20)
    house, lawn = House(chance), Lawn(chance)
    green, wood, chips, stone = Solid(), Solid(), Solid(), house.stone
    _planted(green, wood, chips, chance)
    slabs(stone, PATH, 1.25, chance)
    _drive(stone, chance)
    glass = {"type": "thindielectric", "int_ior": 1.5}
    return mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 7, "rr_depth": 5},
            "sensor": sensor(EYE, TARGET, 65, -0.07),
            "sky": {
                "type": "envmap",
                "bitmap": mi.Bitmap(_overcast(chance)),
                "to_world": mi.ScalarTransform4f().rotate([1, 0, 0], 90),
            },
            "walls": house.walls.mesh("walls", matt()),
            "trim": house.trim.mesh("trim", painted(0.5)),
            "roof": house.roof.mesh("roof", matt()),
            "stone": stone.mesh("stone", matt()),
            "inside": house.inside.mesh("inside", matt()),
            "door": house.door.mesh("door", painted(0.35)),
            "glass": house.glass.mesh("glass", glass),
            "ground": lawn.ground(_paved).mesh("ground", matt(), smooth=True),
            "blades": lawn.blades(1_100_000, EYE[:2], _paved).mesh("blades", matt()),
            "green": green.mesh("green", leafy()),
            "wood": wood.mesh("wood", matt()),
            "chips": chips.mesh("chips", matt()),
        }
    )


def _paved(x: Numbers, y: Numbers) -> Numbers:
    """Where no grass grows: path, drive, beds, house."""
    beside = np.abs(x - np.interp(-y, -PATH[:, 1], PATH[:, 0]))
    covered = (beside < 0.66) & (y < PATH[0, 1] + 0.2)
    covered |= (x > DRIVE[0][0]) & (x < DRIVE[0][1]) & (y < DRIVE[1][1])
    covered |= (x > -7) & (x < 6.2) & (y > -1.4) & (y < 8) | (x > 6.2) & (x < 12.2) & (y > 1.2) & (y < 7)
    covered |= (x > -1.6) & (x < 6.2) & (y > -2.4) & (y < 0) | (x > -0.8) & (x < 1.4) & (y > -3.3) & (y < 0)
    for low, high in BEDS:
        covered |= (x > low[0]) & (x < high[0]) & (y > low[1]) & (y < high[1])
    return covered


_SHRUBS_LEFT = (
    (-6.8, 0.95, 0.9),
    (-5.9, 0.8, 0.7),
    (-5.05, 0.9, 0.75),
    (-4.15, 0.8, 0.7),
    (-3.25, 0.9, 0.8),
    (-2.3, 1.0, 1.15),
)
_SHRUBS_RIGHT = (
    (1.9, 0.8, 0.7),
    (2.7, 0.9, 0.8),
    (3.6, 0.85, 0.72),
    (4.5, 0.9, 0.8),
    (5.5, 1.0, 0.95),
    (-1.25, 0.6, 0.9),
)
# Where trees stand behind the house, and how high they are.
_TREES = (
    *(
        (-22, 14, 12),
        (-15.5, 12, 9.5),
        (-9.5, 13, 10.5),
        (-16.5, 17, 10),
        (-11, 20, 12.5),
        (-5, 23, 9.5),
        (8, 22, 10.5),
    ),
    *((13, 19, 11), (19, 15, 10), (24, 14, 12.5), (16, 24, 13), (3, 27, 12.5), (30, 20, 12), (-28, 20, 13)),
)
_FLOWERS = ("#7d6f9c", "#c9c2cf", "#7c9460", "#86809f")


def _planted(green: Solid, wood: Solid, chips: Solid, chance: np.random.Generator) -> None:
    for low, high in BEDS:
        bed(chips, low, high, chance)
    for places, y, middle in ((_SHRUBS_LEFT, -2.0, "#66824a"), (_SHRUBS_RIGHT, -2.9, "#6c8a4e")):
        for x, width, height in places:
            at = (x, y + 0.1 * chance.random())
            color = linear(chance.choice(["#5a7a42", middle, "#527247"]))
            shrub(green, at, (width, height), Foliage(5000, 0.028, color), chance)
    for _ in range(70):
        low, high = BEDS[chance.integers(2)]
        at = (chance.uniform(low[0] + 0.15, high[0] - 0.15), low[1] + chance.uniform(0.08, 0.3))
        size = (0.16, chance.uniform(0.14, 0.24))
        shrub(green, at, size, Foliage(130, 0.02, linear(chance.choice(_FLOWERS))), chance)
    tree(green, wood, (-11.6, 1.5), 9.0, Foliage(60_000, 0.085, linear("#6f8a48")), chance)
    tree(green, wood, (15.6, 4.5), 8.2, Foliage(50_000, 0.09, linear("#7d8d4c")), chance)
    for x, y, height in _TREES:
        color = linear(chance.choice(["#667d4a", "#738752", "#5f764d", "#848c55"]))
        tree(green, wood, (x, y), height, Foliage(26_000, 0.19, color), chance)
    for x in np.arange(-30, 31, 1.5):
        if not -8 < x < 12.5:
            at, size = (x, 10 + chance.random()), (2.2, 2.0 + 0.4 * chance.random())
            shrub(green, at, size, Foliage(5000, 0.08, linear("#5b7048")), chance)


def _drive(stone: Solid, chance: np.random.Generator) -> None:
    (left, right), (near, far) = DRIVE
    for y in np.arange(near, far, 3.0):
        for x in np.linspace(left, right, 3)[:-1]:
            shade = np.array(linear("#aca69c")) * (1 + 0.03 * chance.standard_normal())
            stone.box((x + 0.01, y + 0.01, -0.1), (x + (right - left) / 2 - 0.01, min(y + 2.99, far), 0.03), shade)


def _overcast(chance: np.random.Generator) -> Numbers:
    """Even cloud: brighter overhead than at the horizon, with hardly a structure; the ground below it dark."""
    rows, columns = 512, 1024
    up = np.cos(np.linspace(0, np.pi, rows))[:, None]
    light = np.where(up > 0, (1 + 1.1 * np.clip(up, 0, 1)) / 2.1, 0.12)
    light = light * (1 + 0.018 * noise((rows, columns), 9, chance, 4))
    return np.asarray(light[..., None] * np.array([0.975, 0.99, 1.02]), np.float32)
