"""The inside views: a living room on a gray day, dark against the garden in its window; furnished or empty."""

import camera
import mitsuba as mi
import numpy as np
from camera import sensor
from furniture import BACK, RIGHT, WINDOW, Things
from garden import Foliage, Lawn, shrub, tree
from shapes import Color, Numbers, Solid, leafy, linear, matt, noise, painted, varied

EYE, TARGET, FIELD, SHIFT = (-1.25, -1.35, 1.42), (0.5, 5.0), 63, 0.075
LEFT, HIGH = -2.9, 2.65
WALL, CEILING, TRIM = linear("#d8d2c6"), linear("#ebe8e2"), linear("#efece6")
OAK = linear("#a3794f")
SKYLIGHT, VIEW_GAIN = (2.7, 2.9, 3.1), 1.6


def light(rounds: int, samples: int, things: Things) -> Numbers:
    """The light on the sensor: the room lit from its window, and in the window the garden.

    The window shines as one even sheet while the room is rendered, since paths seldom find a way in from far
    outside; what the camera sees of that sheet is then exchanged for the garden as seen from the same place.
    """
    window = camera.taken(_window(things), 1, 16).mean(-1, keepdims=True)
    room = _room(things)
    lit = np.maximum(camera.taken(room, rounds, samples) - window * np.array(SKYLIGHT, np.float32), 0)
    lit = camera.steadied(lit, room)
    return lit + window * camera.taken(_garden(), 2, 8) * VIEW_GAIN


def _view() -> dict[str, object]:
    return sensor(EYE, TARGET, FIELD, SHIFT)


def _room(things: Things) -> mi.Scene:
    chance = np.random.default_rng(31)
    return mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 10, "rr_depth": 7},
            "sensor": _view(),
            "sheet": _sheet(SKYLIGHT),
            "behind": _hall_light(),
            **_shell(chance),
            **things(chance),
        }
    )


def _window(things: Things) -> mi.Scene:
    """Nothing but what of the window the camera sees, as a share of each pixel."""
    chance = np.random.default_rng(31)
    only = {"type": "path", "max_depth": 1}
    return mi.load_dict(
        {
            "type": "scene",
            "integrator": only,
            "sensor": _view(),
            "sheet": _sheet((1, 1, 1)),
            **_shell(chance),
            **things(chance),
        }
    )


def _sheet(radiance: Color) -> dict[str, object]:
    left, right, bottom, top = WINDOW
    place = mi.ScalarTransform4f().translate([(left + right) / 2, BACK + 0.14, (bottom + top) / 2])
    turned = place @ mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    sized = turned @ mi.ScalarTransform4f().scale([(right - left) / 2, (top - bottom) / 2, 1])
    emitter = {"type": "area", "radiance": {"type": "rgb", "value": list(radiance)}}
    return {"type": "rectangle", "to_world": sized, "emitter": emitter}


def _garden() -> mi.Scene:
    """What the window looks out on, seen from the same place."""
    chance = np.random.default_rng(8)
    lawn, green, wood = Lawn(chance), Solid(), Solid()
    for x, y, height in (
        (-12, 19, 9),
        (-5.5, 21, 8),
        (-1.2, 23, 9),
        (2.6, 18, 7),
        (7, 22, 9),
        (13, 20, 8.5),
        (-18, 24, 10),
    ):
        tree(green, wood, (x, y), height, Foliage(26_000, 0.16, linear("#7d9350")), chance)
    for x in np.arange(-16, 17, 1.2):
        shrub(green, (x, 13 + 0.4 * chance.random()), (1.7, 1.5), Foliage(4500, 0.06, linear("#6b8350")), chance)
    up = np.clip(np.linspace(1, -1, 256), -1, 1)[:, None, None]
    sky = np.where(up > 0, np.array([0.80, 0.92, 1.08]) * (1.0 + 0.5 * up), 0.2)
    sky = np.repeat(sky, 512, 1) * (1 + 0.04 * noise((256, 512), 8, chance))[..., None]
    whole = mi.ScalarTransform4f().rotate([1, 0, 0], 90)
    return mi.load_dict(
        {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 5},
            "sensor": _view(),
            "sky": {"type": "envmap", "bitmap": mi.Bitmap(sky.astype(np.float32)), "to_world": whole},
            "ground": lawn.ground(_bare).mesh("ground", matt(), smooth=True),
            "blades": lawn.blades(500_000, EYE[:2], _bare).mesh("blades", matt()),
            "green": green.mesh("green", leafy()),
            "wood": wood.mesh("wood", matt()),
        }
    )


def _bare(x: Numbers, y: Numbers) -> Numbers:
    return np.zeros(np.broadcast(x, y).shape, bool)


def _hall_light() -> dict[str, object]:
    """The rest of the house behind the camera gives a little light."""
    place = mi.ScalarTransform4f().translate([0, -2.6, 1.6]) @ mi.ScalarTransform4f().rotate([1, 0, 0], -90)
    light = {"type": "rgb", "value": [0.75, 0.68, 0.58]}
    return {
        "type": "rectangle",
        "to_world": place @ mi.ScalarTransform4f().scale([2.6, 1.0, 1]),
        "emitter": {"type": "area", "radiance": light},
    }


def _shell(chance: np.random.Generator) -> dict[str, object]:
    walls, trim, floor = Solid(), Solid(), Solid()
    left, right, bottom, top = WINDOW
    front = -2.7
    for low, high in (
        ((LEFT - 0.1, BACK, 0), (left, BACK + 0.16, HIGH)),
        ((right, BACK, 0), (RIGHT + 0.1, BACK + 0.16, HIGH)),
        ((left, BACK, 0), (right, BACK + 0.16, bottom)),
        ((left, BACK, top), (right, BACK + 0.16, HIGH)),
        ((LEFT - 0.1, front, 0), (LEFT, BACK, HIGH)),
        ((RIGHT, front, 0), (RIGHT + 0.1, BACK, HIGH)),
        ((LEFT - 0.1, front - 0.1, 0), (RIGHT + 0.1, front, HIGH)),
    ):
        walls.box(low, high, WALL)
    walls.box((LEFT - 0.1, front, HIGH), (RIGHT + 0.1, BACK + 0.1, HIGH + 0.1), CEILING)
    _skirting(trim)
    _frame(trim)
    _planks(floor, chance)
    return {
        "walls": walls.mesh("walls", matt()),
        "trim": trim.mesh("trim", painted(0.4)),
        "floor": floor.mesh("floor", painted(0.34, specular=0.4)),
    }


def _skirting(trim: Solid) -> None:
    for z, high, deep in ((0, 0.13, 0.018), (HIGH - 0.09, 0.09, 0.05), (HIGH - 0.035, 0.035, 0.09)):
        trim.box((LEFT, BACK - deep, z), (RIGHT, BACK, z + high), TRIM)
        for x, way in ((LEFT, 1), (RIGHT, -1)):
            trim.box((min(x, x + way * deep), -2.7, z), (max(x, x + way * deep), BACK, z + high), TRIM)


def _frame(trim: Solid) -> None:
    left, right, bottom, top = WINDOW
    third = (right - left) / 3
    for x in (left, left + third, left + 2 * third, right):
        trim.box((x - 0.045, BACK + 0.02, bottom), (x + 0.045, BACK + 0.12, top), TRIM)
    for z in (bottom, bottom + 0.62 * (top - bottom), top):
        half = 0.05 if z in (bottom, top) else 0.025
        trim.box((left, BACK + 0.03, z - half), (right, BACK + 0.11, z + half), TRIM)
    for x in (left - 0.09, right + 0.01):
        trim.box((x, BACK - 0.022, bottom - 0.05), (x + 0.08, BACK, top + 0.09), TRIM)
    trim.box((left - 0.11, BACK - 0.03, top + 0.01), (right + 0.11, BACK, top + 0.11), TRIM)
    trim.box((left - 0.13, BACK - 0.1, bottom - 0.05), (right + 0.13, BACK + 0.05, bottom), TRIM)
    trim.box((left - 0.1, BACK - 0.024, bottom - 0.14), (right + 0.1, BACK, bottom - 0.05), TRIM)


def _planks(floor: Solid, chance: np.random.Generator) -> None:
    """Oak boards; each has grain of its own, drawn on a grid of points."""
    width = 0.14
    for x in np.arange(LEFT, RIGHT, width):
        y = -2.7 - 1.2 * chance.random()
        while y < BACK:
            long = chance.uniform(1.1, 2.0)
            rows = max(3, round(long / 0.02))
            grain = noise((rows, 14), 18, chance, 3) * 0.5 + noise((1, 14), 14, chance, 2) * 0.6
            shade = varied(OAK, 1, chance, 0.11, 0.03)[0]
            colors = shade * (1 + 0.09 * grain[..., None])
            across, along = np.meshgrid(
                np.linspace(x + 0.0012, x + width - 0.0012, 14), np.linspace(y + 0.001, y + long - 0.002, rows)
            )
            floor.sheet(
                np.stack([across, along, np.zeros_like(across)], -1).astype(np.float32), np.clip(colors, 0.02, 0.8)
            )
            y += long
    floor.box((LEFT, -2.7, -0.1), (RIGHT, BACK, -0.006), np.array(OAK) * 0.15)
