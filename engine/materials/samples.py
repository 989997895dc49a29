"""Generates textures of materials: tileable linear reflectance of about 1 to 4 meters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from engine.arrays import Plane, plane, smoothstep
from engine.color.channels import gray_to_rgb, scale_channels
from engine.filters.smoothing import gaussian_blur
from engine.materials.colors import estimate_reflectance
from engine.materials.finish import Color, Finish, MaterialKind, Pattern
from engine.materials.noise import Shape, enlarge_tile, make_waves, rank_values, warp_tile

MIN_PRINTED = 0.3
"""Least length, in meters, of ceramic tiles that are printed like stone; smaller ones are glazed evenly."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A texture.

    `albedo` (height x width x 3) is the share of red, green and blue light that is reflected, linear; the grain
    runs from left to right. `pitch` is meters per pixel. `variation` is how much pieces differ in brightness.
    """

    albedo: Plane
    pitch: float
    variation: float = 0.03


def make_sample(finish: Finish, rng: np.random.Generator) -> Sample:
    """Generate the texture of a finish; the same state of the generator gives the same texture.

    Parameters
    ----------
    finish : Finish
        The finish, of any material but SEEN.
    rng : numpy.random.Generator
        For the texture.

    Returns
    -------
    Sample
        The texture, which is tileable.
    """
    return _MAKERS[finish.kind](finish, rng)


def _make_wood(finish: Finish, rng: np.random.Generator) -> Sample:
    """Growth rings cut lengthwise: contour lines of waves that are long along the grain; with fibers and pores."""
    shape, pitch = (1024, 2048), 0.0012
    slow = make_waves(rng, shape, 1500, 150, 2.0, 2.5) + 0.05 * make_waves(rng, shape, 300, 24, 1.5, 2)
    knots, swirl = (enlarge_tile(each, shape) for each in _make_knots(rng, (shape[0] // 2, shape[1] // 2)))
    turns = slow * 3.6 + swirl
    rings = (turns - np.floor(turns)) ** 1.6
    fibres = make_waves(rng, shape, 700, 7, 0.6, 1.6)
    pores = smoothstep(make_waves(rng, shape, 60, 4, 0.3, 1.0), 1.3, 2.4)
    patches = make_waves(rng, shape, 900, 260, 1.5, 2)
    dark = 0.30 + 0.30 * (rings - 0.38) + 0.10 * fibres + 0.30 * pores + 0.06 * patches
    dark = np.clip(dark + 0.75 * knots, 0, 1.25)
    base = estimate_reflectance(finish.color)
    return Sample(_color_by_darkness(dark, base), pitch, 0.13)


def _color_by_darkness(dark: Plane, base: Plane) -> Plane:
    """Light wood where `dark` is 0, dark and redder wood where it is 1; the mean color is near the base."""
    bright, deep = base * np.float32(1.22), base * np.array([0.50, 0.44, 0.38], np.float32)
    channels = [bright[each] * (1 - dark) + deep[each] * dark for each in range(3)]
    return plane(cv2.merge([plane(np.clip(each, 0.005, 0.95)) for each in channels]))


def _make_knots(rng: np.random.Generator, shape: Shape) -> tuple[Plane, Plane]:
    """Where small knots lie, 0-1, and how the rings bend around them."""
    height, width = shape
    y, x = np.mgrid[:height, :width].astype(np.float32)
    dark, swirl = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    for _ in range(5):
        at_x, at_y = rng.uniform(0, width), rng.uniform(0, height)
        size = rng.uniform(2, 4.5)
        away_x = (x - at_x + width / 2) % width - width / 2
        away_y = (y - at_y + height / 2) % height - height / 2
        near = np.hypot(away_x / (2.0 * size), away_y / size)
        dark += np.exp(-(near**2)) * 0.9
        swirl += 2.4 * np.exp(-np.hypot(away_x / (9 * size), away_y / (3 * size)))
    return plane(np.clip(dark, 0, 1)), plane(swirl)


def _make_marble(finish: Finish, rng: np.random.Generator) -> Sample:
    """Veins of three sizes, drawn where slanting, warped noise crosses zero."""
    shape, pitch = (1536, 1536), 0.0016
    second = finish.second or _multiply_color(finish.color, 0.75)
    bend = [make_waves(rng, shape, 500, 500, 2.2, 2.5) for _ in range(2)]
    jag = [make_waves(rng, shape, 70, 70, 1.4, 3) for _ in range(2)]
    slant = plane(np.tile(np.arange(shape[0], dtype=np.float32)[:, None], (1, shape[1])))
    share = np.zeros(shape, np.float32)
    for across, width, strength, bent in ((520, 0.035, 0.8, 60), (340, 0.02, 0.5, 45), (190, 0.012, 0.32, 25)):
        field = make_waves(rng, shape, across * 2.6, across, 2.4, 2.0)
        field = warp_tile(field, slant + bend[0] * bent + jag[0] * 4, bend[1] * bent + jag[1] * 4)
        thick = width * (0.25 + 1.5 * rank_values(1.5 * make_waves(rng, shape, 420, 420, 1.5, 2)))
        presence = rank_values(3 * make_waves(rng, shape, 700, 500, 1.5, 1.5) - 0.8)
        line = np.exp(-np.abs(field) / thick) + 0.3 * np.exp(-np.abs(field) / (5 * thick))
        share = np.maximum(share, strength * presence * line)
    clouds = rank_values(warp_tile(make_waves(rng, shape, 900, 300, 1.8, 3), slant + bend[1] * 50, bend[0] * 50))
    # Dark marble has hardly any light clouds, only light veins.
    misty = 0.13 if sum(finish.color) > 1.2 else 0.03
    share = np.clip(share + misty * clouds**2, 0, 1)
    fine = 1 + 0.008 * make_waves(rng, shape, 12, 12, 0.5, 2)
    return Sample(
        _blend(estimate_reflectance(finish.color), estimate_reflectance(second), plane(share), plane(fine)),
        pitch,
        0.03,
    )


def _blend(base: Plane, second: Plane, share: Plane, times: Plane) -> Plane:
    """Mix base and second by `share`, and multiply each pixel by `times`."""
    channels = [(base[each] * (1 - share) + second[each] * share) * times for each in range(3)]
    return plane(cv2.merge([plane(np.clip(each, 0.004, 0.95)) for each in channels]))


def _make_granite(finish: Finish, rng: np.random.Generator) -> Sample:
    shape, pitch = (1024, 1024), 0.001
    base, second = estimate_reflectance(finish.color), estimate_reflectance(finish.second or (0.2, 0.2, 0.2))
    pale = base * 0.5 + 0.35 * float(base.mean()) + 0.04
    dark = smoothstep(make_waves(rng, shape, 14, 14, 0.8, 2), 0.55, 0.9) * 0.9
    light = smoothstep(make_waves(rng, shape, 18, 18, 0.8, 2), 0.6, 1.1) * 0.8
    cloud = plane(1 + 0.06 * make_waves(rng, shape, 160, 160, 1.2, 3))
    first = _blend(base, pale, light, cloud)
    return Sample(
        plane(first * gray_to_rgb(1 - dark) + scale_channels(dark, [float(each) for each in second])), pitch, 0.03
    )


def _make_terrazzo(finish: Finish, rng: np.random.Generator) -> Sample:
    """Chips of four colors in the base; most chips are small."""
    shape, pitch = (1024, 1024), 0.0012
    base, second = estimate_reflectance(finish.color), estimate_reflectance(finish.second or (0.54, 0.5, 0.45))
    picture = np.empty((*shape, 3), np.float32)
    picture[:] = base
    chips = [second, second * 0.45, base * 0.72 + 0.06, np.minimum(second * 1.5 + 0.12, 0.85)]
    for _ in range(5200):
        size = 2.0 + 9.0 * rng.random() ** 3
        middle, turn = rng.uniform(0, 1024, 2), rng.uniform(0, 2 * np.pi)
        angles = np.sort(rng.uniform(0, 2 * np.pi, 7)) + turn
        corners = np.stack([np.cos(angles), np.sin(angles) * rng.uniform(0.5, 1)], 1) * size
        chip = chips[int(rng.integers(4))] * rng.uniform(0.8, 1.2)
        for left in (0, 1024 if middle[0] < 12 else -1024 if middle[0] > 1012 else 0):
            for top in (0, 1024 if middle[1] < 12 else -1024 if middle[1] > 1012 else 0):
                points = np.rint((corners + middle + (left, top)) * 16).astype(np.int32)
                cv2.fillConvexPoly(picture, points, tuple(float(each) for each in chip), cv2.LINE_AA, 4)
    times = 1 + 0.02 * make_waves(rng, shape, 200, 200, 1.4, 5)
    return Sample(plane(np.clip(picture * gray_to_rgb(plane(times)), 0.004, 0.95)), pitch, 0.03)


def _make_stone(finish: Finish, rng: np.random.Generator) -> Sample:
    """Limestone and slate: layers, clouds and pits."""
    shape, pitch = (1024, 1024), 0.0016
    second = finish.second or _multiply_color(finish.color, 0.8)
    layers = rank_values(
        0.8 * make_waves(rng, shape, 900, 160, 1.4, 4) + 0.5 * make_waves(rng, shape, 300, 260, 1.4, 4)
    )
    relief = make_waves(rng, shape, 120, 60, 1.3, 4)
    pits = smoothstep(make_waves(rng, shape, 26, 10, 0.5, 1.5), 1.7, 2.6)
    times = 1 + 0.035 * relief + 0.03 * make_waves(rng, shape, 8, 8, 0.3, 1) - 0.22 * pits
    return Sample(
        _blend(estimate_reflectance(finish.color), estimate_reflectance(second), layers, plane(times)),
        pitch,
        0.09,
    )


def _make_concrete(finish: Finish, rng: np.random.Generator) -> Sample:
    shape, pitch = (1536, 1536), 0.0025
    second = finish.second or _multiply_color(finish.color, 0.86)
    trowel = [make_waves(rng, shape, 260, 260, 1.5, 3) for _ in range(2)]
    clouds = rank_values(warp_tile(make_waves(rng, shape, 900, 700, 1.35, 6), trowel[0] * 40, trowel[1] * 40))
    pits = smoothstep(make_waves(rng, shape, 9, 9, 0.2, 1.2), 2.5, 3.3)
    times = (
        1
        + 0.02 * make_waves(rng, shape, 60, 60, 1.0, 4)
        + 0.012 * make_waves(rng, shape, 5, 5, 0.2, 1)
        - 0.25 * pits
    )
    return Sample(
        _blend(estimate_reflectance(finish.color), estimate_reflectance(second), clouds, plane(times)),
        pitch,
        0.02,
    )


def _make_carpet(finish: Finish, rng: np.random.Generator) -> Sample:
    """Tufts of different brightness, and broad areas where the pile lies in different directions."""
    shape, pitch = (1024, 1024), 0.0014
    tufts = make_waves(rng, shape, 7, 7, 0.4, 1.4)
    pile = make_waves(rng, shape, 420, 300, 1.5, 3)
    times = np.exp(0.17 * tufts + 0.05 * make_waves(rng, shape, 30, 30, 0.8, 2) + 0.035 * pile)
    return Sample(_make_one_color(finish, plane(times / times.mean())), pitch, 0.0)


def _make_sisal(finish: Finish, rng: np.random.Generator) -> Sample:
    """A weave of thick yarn."""
    shape, pitch = (1024, 1024), 0.0011
    y, x = np.mgrid[:1024, :1024].astype(np.float32)
    bend = make_waves(rng, shape, 200, 60, 1.0, 3) * 0.6
    across, down = np.sin((x + bend) * (2 * np.pi / 8)), np.sin((y + bend) * (2 * np.pi / 8))
    weave = np.where(across * down > 0, np.abs(down), np.abs(across)) - 0.64
    times = np.exp(
        0.42 * weave + 0.10 * make_waves(rng, shape, 90, 5, 0.5, 2) + 0.03 * make_waves(rng, shape, 300, 300)
    )
    return Sample(_make_one_color(finish, plane(times / times.mean())), pitch, 0.0)


def _make_brick(finish: Finish, rng: np.random.Generator) -> Sample:
    shape, pitch = (1024, 1024), 0.0011
    second = _multiply_color(finish.color, 0.62)
    burnt = rank_values(make_waves(rng, shape, 260, 130, 1.2, 4)) ** 2
    times = 1 + 0.07 * make_waves(rng, shape, 30, 30, 0.9, 3) + 0.05 * make_waves(rng, shape, 5, 5, 0.2, 1)
    times = times - 0.3 * smoothstep(make_waves(rng, shape, 22, 14, 0.5, 2), 1.8, 2.6)
    dark = sum(finish.color) < 2.1
    variation = 0.16 if dark else 0.04
    share = plane(burnt * (0.55 if dark else 0.12))
    return Sample(
        _blend(estimate_reflectance(finish.color), estimate_reflectance(second), share, plane(times)),
        pitch,
        variation,
    )


def _make_ceramic(finish: Finish, rng: np.random.Generator) -> Sample:
    """Even glaze; small square tiles are hand-made and differ from each other, large ones look like stone."""
    shape, pitch = (512, 512), 0.002
    if finish.pattern is Pattern.TILES and finish.size[0] >= MIN_PRINTED:
        clouds = 0.03 * make_waves(rng, shape, 300, 240, 1.4, 4) + 0.02 * make_waves(rng, shape, 40, 40, 1.0, 4)
        printed = 1 + clouds + 0.012 * make_waves(rng, shape, 5, 5, 0.2, 1)
        return Sample(_make_one_color(finish, plane(printed)), pitch, 0.05)
    handmade = finish.pattern is Pattern.TILES and finish.size[0] == finish.size[1] <= 0.13
    strength = 0.03 if handmade else 0.012
    times = 1 + strength * make_waves(rng, shape, 120, 120, 1.4, 4) + 0.006 * make_waves(rng, shape, 4, 4, 0.2, 1)
    return Sample(_make_one_color(finish, plane(times)), pitch, 0.10 if handmade else 0.02)


def _make_plaster(finish: Finish, rng: np.random.Generator) -> Sample:
    shape, pitch = (1536, 1536), 0.002
    push = [make_waves(rng, shape, 200, 200, 1.5, 3) for _ in range(2)]
    clouds = warp_tile(make_waves(rng, shape, 420, 330, 1.2, 6), push[0] * 45, push[1] * 45)
    return Sample(_make_one_color(finish, plane(1 + 0.055 * clouds)), pitch, 0.0)


def _make_paint(finish: Finish, rng: np.random.Generator) -> Sample:
    """The faint texture of a paint roller."""
    shape, pitch = (512, 512), 0.0016
    return Sample(_make_one_color(finish, plane(1 + 0.006 * make_waves(rng, shape, 9, 9, 0.6, 2))), pitch, 0.0)


def _make_metal(finish: Finish, rng: np.random.Generator) -> Sample:
    shape, pitch = (512, 1024), 0.001
    times = (
        1
        + 0.035 * gaussian_blur(make_waves(rng, shape, 600, 3, 0.3, 1), 0.5)
        + 0.03 * make_waves(rng, shape, 900, 200)
    )
    return Sample(_make_one_color(finish, plane(times)), pitch, 0.0)


def _multiply_color(color: Color, times: float) -> Color:
    red, green, blue = color
    return red * times, green * times, blue * times


def _make_one_color(finish: Finish, times: Plane) -> Plane:
    color = [float(each) for each in estimate_reflectance(finish.color)]
    return plane(np.clip(scale_channels(times, color), 0.004, 0.95))


_MAKERS: Mapping[MaterialKind, Callable[[Finish, np.random.Generator], Sample]] = {
    MaterialKind.WOOD: _make_wood,
    MaterialKind.MARBLE: _make_marble,
    MaterialKind.GRANITE: _make_granite,
    MaterialKind.TERRAZZO: _make_terrazzo,
    MaterialKind.LIMESTONE: _make_stone,
    MaterialKind.SLATE: _make_stone,
    MaterialKind.CERAMIC: _make_ceramic,
    MaterialKind.CONCRETE: _make_concrete,
    MaterialKind.BRICK: _make_brick,
    MaterialKind.PLASTER: _make_plaster,
    MaterialKind.CARPET: _make_carpet,
    MaterialKind.SISAL: _make_sisal,
    MaterialKind.METAL: _make_metal,
    MaterialKind.PAINT: _make_paint,
}
