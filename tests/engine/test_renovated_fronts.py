"""Painted fronts of cabinets, and worktops, in drawn pictures of which everything is known."""

import cv2
import numpy as np
import pytest

from engine.arrays import Mask, Plane, plane
from engine.color.channels import rgb_to_gray
from engine.color.srgb import srgb_to_linear
from engine.materials.small_things import AROUND_THINGS, find_things_on_surface
from engine.relighting.shading import Lamp, estimate_shading
from engine.relighting.wooden_fronts import remove_grain
from engine.relighting.worktops import EDGE_SHADE, find_nearby_lamp, shade_front_edges

HEIGHT, WIDTH = 400, 600
LAMP = Lamp(plane([1.0, 1.0, 1.0]), 0.8)
WHOLE = plane(np.ones((HEIGHT, WIDTH)))
OAK = np.array([0.72, 0.46, 0.24])


def grain() -> Plane:
    """Short wavy lines of wood, in natural logarithms of luminance."""
    noise = np.random.Generator(np.random.PCG64(7)).normal(0, 1, (HEIGHT, WIDTH))
    x, y = np.meshgrid(np.arange(WIDTH), np.arange(HEIGHT))
    lines = cv2.GaussianBlur(noise, (0, 0), 0.8, sigmaY=9)
    wavy = cv2.remap(plane(lines), plane(x + 5 * np.sin(y / 17.0)), plane(y), cv2.INTER_LINEAR, borderMode=2)
    return plane(0.11 * wavy / wavy.std())


def frames() -> Mask:
    """The dark gaps around the panels of three doors."""
    lines = np.zeros((HEIGHT, WIDTH), np.uint8)
    for left in (30, 220, 410):
        cv2.rectangle(lines, (left, 40), (left + 150, 360), 1, 3)
    return lines > 0


def oak_doors() -> Plane:
    """Doors of oak, gamma-coded."""
    light = np.exp(grain() - 0.5 * frames())
    return plane(np.clip(OAK * light[..., None], 0, 1))


def test_frames_of_wooden_doors_stay_as_sharp_as_they_are_and_their_grain_fades() -> None:
    doors = oak_doors()
    shading = estimate_shading(doors, WHOLE, None, LAMP, patterned=False, paneled=True)
    assert shading.patterned
    before = np.log(srgb_to_linear(doors).mean(-1))
    light = np.log(shading.luminance)
    detail = plane(np.log(rgb_to_gray(srgb_to_linear(doors))) - light)
    painted = light + shading.relief * remove_grain(detail, shading.grain)
    beside = cv2.dilate(frames().astype(np.uint8), np.ones((15, 15))) > 0
    panels = ~beside
    panels[:20] = panels[-20:] = panels[:, :20] = panels[:, -20:] = False
    gap = [float(np.median(each[panels]) - np.median(each[frames()])) for each in (before, painted)]
    assert gap[1] > 0.45 * gap[0]
    # In linear light, the grain is 2.2 times as strong.
    assert shading.grain == pytest.approx(2.2 * grain().std(), rel=0.3)
    rough = [np.median(np.abs(cv2.Laplacian(plane(each), cv2.CV_32F)[panels])) for each in (before, painted)]
    assert rough[1] < 0.6 * rough[0]


def test_wooden_frames_of_white_doors_get_the_light_of_the_doors() -> None:
    doors = plane(np.full((HEIGHT, WIDTH, 3), 0.85))
    doors[:30], doors[:, 280:310] = OAK * 0.8, OAK * 0.8
    shading = estimate_shading(doors, WHOLE, None, LAMP, patterned=False, paneled=True)
    light = rgb_to_gray(shading.shade)
    assert light[5:25, 20:260].mean() == pytest.approx(light[100:300, 20:260].mean(), rel=0.05)
    assert shading.relief[5:25].max() < 0.1 and shading.relief[100:300, 20:260].min() == 1
    oak = estimate_shading(oak_doors(), WHOLE, None, LAMP, patterned=False, paneled=True)
    assert not oak.unknown.any()


def test_a_lamp_mirrored_in_wooden_doors_does_not_shine_through_paint() -> None:
    doors = oak_doors()
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    glare = np.exp(2 * np.exp(-((x - 300) ** 2 + (y - 200) ** 2) / 2 / 14**2))
    doors = plane(np.clip(0.3 * doors * glare[..., None], 0, 1))
    shading = estimate_shading(doors, WHOLE, None, LAMP, patterned=False, paneled=True)
    mirrored, kept = (np.log(each) for each in (shading.luminance, rgb_to_gray(shading.shade)))
    lighter = [float(each[195:205, 295:305].mean() - each[195:205, 430:470].mean()) for each in (mirrored, kept)]
    assert lighter[1] < 0.6 * lighter[0]


def test_handles_on_wood_are_things_and_pieces_of_its_gaps_and_dark_wood_are_not() -> None:
    doors = oak_doors()
    doors[180:204, 120:126] = 0.85
    doors[250:262, 300:306] = OAK * 0.35
    doors[300:303, 460:466] *= 0.3
    things = find_things_on_surface(WHOLE, doors)
    assert things[185:200, 122:124].min() == 1
    assert things[185:200, 118].max() == pytest.approx(AROUND_THINGS)
    assert things[240:310, 290:480].max() == 0
    assert not things[frames() & (np.arange(WIDTH) > 200)].any()


def test_pieces_of_a_broken_line_are_no_things() -> None:
    """A gap between white doors whose contrast changes along it: its darkest pieces are not handles."""
    doors = plane(np.full((HEIGHT, WIDTH, 3), 0.85))
    doors[:, 300:303] = 0.74
    for top in (60, 160, 260):
        doors[top : top + 14, 300:303] = 0.55
    doors[200:222, 250:255] = 0.3
    things = find_things_on_surface(WHOLE, doors)
    assert things[202:220, 251:254].min() == 1
    assert not things[:, 290:310].any()


def test_a_worktop_takes_its_white_from_the_stove_beside_it_and_not_from_a_beige_wall() -> None:
    room = plane(np.full((HEIGHT, WIDTH, 3), (0.8, 0.66, 0.5)))
    room[200:300, 380:500] = (0.86, 0.87, 0.88)
    top = np.zeros((HEIGHT, WIDTH), np.float32)
    top[210:240, 250:370] = 1
    beige = Lamp(plane([1.3, 0.95, 0.7]), 0.8)
    near = find_nearby_lamp(beige, room, top).white
    assert near == pytest.approx([0.97, 1.0, 1.03], abs=0.03)
    room[200:300, 380:500] = (0.8, 0.66, 0.5)
    assert find_nearby_lamp(beige, room, top) is beige


def test_the_front_edge_of_a_worktop_is_darker_only_above_a_cabinet() -> None:
    top = np.zeros((HEIGHT, WIDTH), np.float32)
    top[200:260, 100:500] = 1
    cabinets = np.zeros((HEIGHT, WIDTH), np.bool_)
    cabinets[261:390, 100:300] = True
    even, per_meter = plane(np.full((HEIGHT, WIDTH), 0.5)), plane(np.full((HEIGHT, WIDTH), 300.0))
    shade = shade_front_edges(top, cabinets, per_meter, even)
    assert shade[252:257, 120:280].max() < EDGE_SHADE + 0.05
    assert shade[200:245, 100:500].min() > 0.99
    assert shade[:, 320:].min() > 0.99
    shaded = plane(even * shade)
    assert shade_front_edges(top, cabinets, per_meter, shaded).min() > 0.95


def test_a_worktop_is_at_least_as_well_lit_as_the_white_things_beside_it() -> None:
    room = plane(np.full((HEIGHT, WIDTH, 3), 0.5))
    room[200:300, 380:500] = 0.9
    top = np.zeros((HEIGHT, WIDTH), np.float32)
    top[210:240, 250:370] = 1
    dim, bright = (Lamp(plane([1.0, 1.0, 1.0]), level) for level in (0.3, 2.0))
    assert find_nearby_lamp(dim, room, top).level == pytest.approx(srgb_to_linear(plane(0.9)) / 0.8, rel=0.1)
    assert find_nearby_lamp(bright, room, top).level == bright.level
