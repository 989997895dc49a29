"""Draws the patterns of rugs and the art of pictures: stripes, lattices, medallions, abstract fields, horizons."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from engine.arrays import Mask, Plane, plane
from engine.rendering.materials import Color, linearize_color

HEIGHT, WIDTH = 512, 704
"""Height and width of every drawing, pixels."""


def _make_grid() -> tuple[Plane, Plane]:
    """Coordinates of each pixel: -1 to 1 across and -1 to 1 down."""
    down, across = np.meshgrid(np.linspace(-1, 1, HEIGHT), np.linspace(-1, 1, WIDTH), indexing="ij")
    return plane(across), plane(down)


def _make_noise(rng: np.random.Generator, size: float) -> Plane:
    """Smooth noise that varies over about `size` pixels, with mean 0 and standard deviation 1."""
    small = rng.standard_normal((max(4, int(HEIGHT / size)), max(4, int(WIDTH / size)))).astype(np.float32)
    field = cv2.resize(small, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return plane((field - field.mean()) / field.std())


def _mix(base: Plane, other: Plane, share: Plane | Mask) -> Plane:
    weight = np.clip(plane(share), 0, 1)[..., None]
    return plane(base * (1 - weight) + other * weight)


def _fill_evenly(color: Color) -> Plane:
    return plane(np.broadcast_to(linearize_color(color), (HEIGHT, WIDTH, 3)))


def _add_pile(picture: Plane, rng: np.random.Generator, depth: float = 0.07) -> Plane:
    """Add the unevenness of pile: fine grain, rows of knots, and broad areas where the pile lies differently."""
    fine = cv2.GaussianBlur(rng.standard_normal((HEIGHT, WIDTH)).astype(np.float32), (0, 0), 0.7)
    rows = np.sin(np.arange(HEIGHT) * 1.9)[:, None] * 0.4
    gain = np.exp(depth * (fine * 2.2 + rows) + 0.03 * _make_noise(rng, 60))
    return plane(picture * gain[..., None])


def draw_plain_pile(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A rug of one color with the light and shade of its pile and a narrow bound edge.

    Parameters
    ----------
    colors : Sequence of Color
        Two, in sRGB of 0-255: the pile and the edge.
    rng : numpy.random.Generator
        Draws the pile.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    across, down = _make_grid()
    edge = np.maximum(np.abs(across) * 1.0, np.abs(down)) > 0.985
    return _add_pile(_mix(_fill_evenly(colors[0]), _fill_evenly(colors[1]), edge * 0.5), rng, 0.11)


def draw_stripes(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A rug with stripes of two widths.

    Parameters
    ----------
    colors : Sequence of Color
        Three, in sRGB of 0-255: the ground, the wide and the narrow stripes.
    rng : numpy.random.Generator
        Draws the pile.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    across, _ = _make_grid()
    wave = (across * 9) % 1.0
    share = (wave < 0.5) * 1.0
    picture = _mix(_fill_evenly(colors[0]), _fill_evenly(colors[1]), plane(share))
    return _add_pile(_mix(picture, _fill_evenly(colors[2]), plane((wave > 0.58) & (wave < 0.63))), rng)


def draw_lattice(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A rug with thin diamonds on thick pile, a little uneven like hand-knotted rugs.

    Parameters
    ----------
    colors : Sequence of Color
        Two, in sRGB of 0-255: the ground and the lines.
    rng : numpy.random.Generator
        Draws the unevenness and the pile.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    across, down = _make_grid()
    bend = 0.02 * _make_noise(rng, 50)
    first, second = (across * 1.37 + down) * 3 + bend, (across * 1.37 - down) * 3 + bend
    near = np.minimum(np.abs(first - np.round(first)), np.abs(second - np.round(second)))
    return _add_pile(_mix(_fill_evenly(colors[0]), _fill_evenly(colors[1]), plane((near < 0.035) * 0.8)), rng, 0.1)


def draw_medallion(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """An oriental carpet: a flowered field, a medallion and a border between lines, worn in places.

    Parameters
    ----------
    colors : Sequence of Color
        Three or four, in sRGB of 0-255: the field, the border, the flowers and lines, and the worn places (by
        default the color of the field).
    rng : numpy.random.Generator
        Draws the wear and the pile.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    across, down = _make_grid()
    reach = np.maximum((np.abs(across) - 1) * WIDTH / HEIGHT + 1, np.abs(down))
    angle, far = np.arctan2(down, across * 1.3), np.hypot(across * 1.15, down)
    flowers = np.sin(across * 26) * np.sin(down * 20) + 0.6 * np.sin(across * 13 + down * 11) * np.cos(down * 31)
    field = _mix(_fill_evenly(colors[0]), _fill_evenly(colors[2]), plane((np.abs(flowers) > 0.85) * 0.6))
    star = far * (1 + 0.12 * np.cos(8 * angle))
    for limit, color, share in ((0.52, 1, 0.9), (0.47, 2, 0.7), (0.44, 1, 0.95), (0.25, 0, 0.9), (0.2, 2, 0.8)):
        field = _mix(field, _fill_evenly(colors[color]), plane((star < limit) * share))
    petals = (star < 0.42) & (np.cos(far * 40) * np.cos(angle * 8) > 0.5)
    field = _mix(field, _fill_evenly(colors[2]), plane(petals * 0.55))
    knots = np.sin(across * 44) * np.sin(down * 32)
    border = _mix(_fill_evenly(colors[1]), _fill_evenly(colors[2]), plane((knots > 0.35) * 0.7))
    picture = np.where(((reach > 0.78) & (reach < 0.94))[..., None], border, field)
    for line in (0.77, 0.945):
        picture = _mix(plane(picture), _fill_evenly(colors[2]), plane(np.abs(reach - line) < 0.008))
    worn = np.clip(0.12 + 0.12 * _make_noise(rng, 90), 0, 0.4)
    return _add_pile(_mix(plane(picture), _fill_evenly(colors[3 % len(colors)]), plane(worn)), rng)


def draw_abstract_rug(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A rug with large fields of color with soft edges.

    Parameters
    ----------
    colors : Sequence of Color
        One or more, in sRGB of 0-255: the ground and each field.
    rng : numpy.random.Generator
        Draws the fields and the pile.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    picture = _fill_evenly(colors[0])
    for color in colors[1:]:
        share = 1 / (1 + np.exp(-(_make_noise(rng, 190) - 0.6) * 9))
        picture = _mix(picture, _fill_evenly(color), plane(share * 0.75))
    return _add_pile(picture, rng, 0.08)


def draw_shapes(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A few cut-out shapes and a dark line on a plain ground.

    Parameters
    ----------
    colors : Sequence of Color
        One or more, in sRGB of 0-255: the ground and each shape.
    rng : numpy.random.Generator
        Draws the shapes, the line and the texture of the ground.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    across, down = _make_grid()
    picture = plane(_fill_evenly(colors[0]) * (1 + 0.02 * _make_noise(rng, 9))[..., None])
    for number, color in enumerate(colors[1:]):
        x, y = rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)
        angle = np.arctan2(down - y, across - x)
        lobes = 1 + 0.22 * np.sin(angle * 2 + number) + 0.1 * np.sin(angle * 3 + 2 * number)
        inside = np.hypot(across - x, (down - y) * 0.85) < rng.uniform(0.25, 0.5) * lobes
        picture = _mix(picture, _fill_evenly(color), plane(inside))
    line = np.abs(down - 0.45 * np.sin(across * 4 + rng.uniform(0, 6))) < 0.008
    return _mix(picture, _fill_evenly((40, 38, 36)), plane(line * 0.9))


def draw_brush_strokes(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """An abstract painting of layers of broad strokes.

    Parameters
    ----------
    colors : Sequence of Color
        One or more, in sRGB of 0-255: the ground, which is also the top layer, and each layer between them.
    rng : numpy.random.Generator
        Draws the strokes.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    picture = _fill_evenly(colors[0])
    for color in (*colors[1:], colors[0]):
        strokes = _make_noise(rng, 120) + 0.5 * cv2.GaussianBlur(
            cv2.blur(_make_noise(rng, 6), (81, 5)), (0, 0), 2.0
        )
        picture = _mix(picture, _fill_evenly(color), plane(1 / (1 + np.exp(-(strokes - 0.7) * 12))))
    return plane(picture * np.exp(0.05 * cv2.blur(_make_noise(rng, 4), (25, 3)))[..., None])


def draw_horizon(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A picture of land or sea under a wide sky.

    Parameters
    ----------
    colors : Sequence of Color
        Three or more, in sRGB of 0-255: the sky, the clouds and the ground; the last one is for strokes on the
        ground.
    rng : numpy.random.Generator
        Draws the clouds, the horizon and the strokes.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    _, down = _make_grid()
    line = 0.15 + 0.04 * cv2.blur(_make_noise(rng, 80), (61, 1))
    clouds = np.clip(0.5 + 0.35 * cv2.blur(_make_noise(rng, 55), (91, 9)) - 0.3 * down, 0, 1)
    sky = _mix(_fill_evenly(colors[0]), _fill_evenly(colors[1]), plane(clouds))
    strokes = np.clip(0.5 + 0.4 * cv2.blur(_make_noise(rng, 12), (101, 3)), 0, 1)
    ground = _mix(_fill_evenly(colors[2]), _fill_evenly(colors[-1]), plane(strokes))
    return _mix(sky, ground, plane(1 / (1 + np.exp(-(down - line) * 60))))


def draw_sprig(colors: Sequence[Color], rng: np.random.Generator) -> Plane:
    """A pressed plant on paper.

    Parameters
    ----------
    colors : Sequence of Color
        Two, in sRGB of 0-255: the paper and the plant.
    rng : numpy.random.Generator
        Draws the tilt of the leaves.

    Returns
    -------
    (512, 704, 3) ndarray of float32
        Linear reflectance, about 0-1, not clipped.
    """
    paper = np.ascontiguousarray(_fill_evenly(colors[0]))
    color = tuple(float(each) for each in linearize_color(colors[1]))
    for number in range(11):
        share = number / 10
        foot = int(WIDTH / 2 + 24 * np.sin(share * 3)), int(HEIGHT * (0.9 - 0.72 * share))
        for side in (-1, 1):
            length = (1 - 0.6 * share) * HEIGHT * 0.17
            middle = int(foot[0] + side * length * 0.8), int(foot[1] - length * 0.5)
            tilt = -35 * side + float(rng.normal(0, 6))
            cv2.ellipse(
                paper, middle, (int(length * 0.62), int(length * 0.2)), tilt, 0, 360, color, -1, cv2.LINE_AA
            )
        cv2.line(paper, foot, (foot[0], foot[1] + int(HEIGHT * 0.08)), color, 4, cv2.LINE_AA)
    return plane(paper)


# A function that draws a pattern in colors, with random numbers.
Pattern = Callable[[Sequence[Color], np.random.Generator], Plane]
