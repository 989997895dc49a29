"""Rendered scenes: their shapes, their light, their labels; the same seed draws the same scene."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.segmentation.labels import INDOOR_KINDS, Kind

if importlib.util.find_spec("torch") is None:
    pytest.skip("needs the dependency group training", allow_module_level=True)

import mitsuba

from training import twins
from training.render import picture, sets, shapes
from training.render.gardens import weed
from training.render.light import clouded, daylight, dusk, light_on, pointing
from training.render.plants import tufts
from training.render.textures import bonded, lawn, linear, speckled
from training.render.walls import Opening, Skin, Wall, build_wall

SMALL = 8
GRAY = shapes.Material(np.full((2, 2, 3), 0.5, np.float32))


@pytest.fixture(autouse=True)
def plain_variant() -> None:
    mitsuba.set_variant("scalar_rgb")


@pytest.fixture(name="random")
def seeded() -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(5))


@pytest.fixture(name="house", scope="module")
def rendered_house() -> sets.Example:
    mitsuba.set_variant("scalar_rgb")
    return sets.drawn(2, 1, rays=4, shrunk=SMALL)


def area(triangles: np.ndarray) -> float:
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return float(np.linalg.norm(sides, axis=1).sum() / 2)


def half_a_wall() -> tuple[shapes.Model, picture.Camera]:
    """Gray to the left of the middle, as high as the picture; nothing to the right."""
    model = shapes.Model()
    model.quad(Kind.BUILDING, GRAY, [(-50, 10, -50), (0, 10, -50), (0, 10, 50), (-50, 10, 50)])
    return model, picture.Camera((0, 0, 0), (0, 10, 0), 60, 32, 24)


def shot(model: shapes.Model, camera: picture.Camera, random: np.random.Generator) -> picture.Shot:
    light = daylight(random, np.full(3, 0.2, np.float32), "overcast")
    return picture.shoot(model, camera, light, picture.Quality(4, 2, 0, 2))


def test_the_same_seed_draws_the_same_house(house: sets.Example) -> None:
    again = sets.drawn(2, 1, rays=4, shrunk=SMALL)
    assert np.array_equal(house.picture, again.picture)
    assert np.array_equal(house.labels, again.labels)
    assert np.array_equal(house.sky, again.sky)


def test_another_number_draws_another_house(house: sets.Example) -> None:
    other = sets.drawn(2, 2, rays=2, shrunk=SMALL)
    assert other.labels.shape != house.labels.shape or (other.labels != house.labels).mean() > 0.05


def test_a_house_has_walls_and_ground_and_nothing_of_a_room(house: sets.Example) -> None:
    seen = set(np.unique(house.labels).tolist())
    assert Kind.BUILDING in seen
    assert seen & {Kind.LAWN, Kind.GROUND}
    assert not seen & set(INDOOR_KINDS)
    assert not house.indoors


def test_open_sky_is_where_the_labels_say_sky(house: sets.Example) -> None:
    assert np.array_equal(house.sky >= 128, house.labels == Kind.SKY) or (
        ((house.sky >= 128) != (house.labels == Kind.SKY)).mean() < 0.02
    )
    assert 20 < house.picture[house.labels != Kind.SKY].mean() < 235


def test_a_room_has_ceiling_walls_and_floor_but_no_sky() -> None:
    room = sets.drawn(2, 3, "room", rays=4, shrunk=SMALL)
    seen = set(np.unique(room.labels).tolist())
    assert room.indoors
    assert Kind.WALL in seen
    assert seen <= {*INDOOR_KINDS, Kind.THINGS}
    assert room.sky.max() == 0


def test_labels_and_sky_are_exact_at_an_edge(random: np.random.Generator) -> None:
    seen = shot(*half_a_wall(), random)
    assert (seen.labels[:, :15] == Kind.BUILDING).all()
    assert (seen.labels[:, 17:] == Kind.SKY).all()
    assert seen.cover[:, :15].max() == 0
    assert seen.cover[:, 17:].min() == 1


def test_a_pixel_half_covered_keeps_the_wall_s_own_brightness(random: np.random.Generator) -> None:
    model, camera = half_a_wall()
    model.parts.clear()
    model.quad(Kind.BUILDING, GRAY, [(-50, 10, -50), (0.18, 10, -50), (0.18, 10, 50), (-50, 10, 50)])
    seen = shot(model, camera, random)
    wall, edge = seen.light[:, 8].mean(), seen.light[:, 16].mean()
    assert 0.2 < seen.cover[:, 16].mean() < 0.8
    assert edge == pytest.approx(wall, rel=0.25)


def test_raising_the_picture_shows_more_of_what_is_above(random: np.random.Generator) -> None:
    model = shapes.Model()
    model.quad(Kind.LAWN, GRAY, [(-90, 0, -2), (90, 0, -2), (90, 900, -2), (-90, 900, -2)])
    shares = [
        (shot(model, picture.Camera((0, 0, 0), (0, 10, 0), 60, 32, 24, rise), random).labels == Kind.SKY).mean()
        for rise in (-0.2, 0.0, 0.2)
    ]
    assert shares[0] < shares[1] < shares[2]


def test_smoothing_quiets_noise_but_keeps_a_surface_s_colors(random: np.random.Generator) -> None:
    flat = np.full((40, 60, 3), 0.7, np.float32)
    flat[:, 30:] = 0.1
    facing = np.zeros_like(flat) + np.array([0, -1, 0], np.float32)
    noisy = flat * random.uniform(0.6, 1.4, (40, 60, 1)).astype(np.float32)
    calm = picture.cleaned(noisy, flat, facing, 3)
    assert calm[:, 5:25].std() < 0.4 * noisy[:, 5:25].std()
    assert calm[:, 27:29].mean() == pytest.approx(0.7, rel=0.1)
    assert calm[:, 31:33].mean() == pytest.approx(0.1, rel=0.15)


def test_smoothing_stops_at_the_corner_of_a_house() -> None:
    flat = np.full((40, 60, 3), 0.5, np.float32)
    facing = np.zeros_like(flat) + np.array([0, -1, 0], np.float32)
    facing[:, 30:] = (1, 0, 0)
    light = np.full_like(flat, 0.3)
    light[:, 30:] = 0.24
    calm = picture.cleaned(light, flat, facing, 3)
    assert calm[:, :29] == pytest.approx(0.3, abs=0.006)
    assert calm[:, 31:] == pytest.approx(0.24, abs=0.006)


def test_a_sky_is_laid_behind_the_picture_only() -> None:
    things = np.full((2, 3, 3), 40, np.uint8)
    cover = np.array([[0, 128, 255]] * 2, np.uint8)
    example = sets.Example(things, np.zeros((2, 3), np.uint8), cover, False)
    laid = sets.composed(example, np.full((2, 3, 3), 200, np.uint8))[0, :, 0]
    assert laid[0] == 40
    assert 40 < laid[1] < 200
    assert laid[2] == 200


def test_an_example_is_read_as_it_was_saved(house: sets.Example, tmp_path: Path) -> None:
    sets.save(tmp_path / "one.npz", house)
    again = sets.load(tmp_path / "one.npz")
    assert np.array_equal(again.picture, house.picture)
    assert np.array_equal(again.labels, house.labels)
    assert again.indoors == house.indoors
    assert [each.name for each in tmp_path.iterdir()] == ["one.npz"]


def test_a_wall_leaves_room_for_its_windows(random: np.random.Generator) -> None:
    skin = Skin(
        GRAY,
        GRAY,
        shapes.Material(GRAY.texture),
        GRAY,
        shapes.Material(GRAY.texture),
        shapes.Material(GRAY.texture),
    )
    model = shapes.Model()
    build_wall(
        model, Wall((0, 0), (6, 0), 0, 3, [Opening(1, 2.5, 1, 2), Opening(4, 5, 0.5, 2)]), skin, GRAY, random
    )
    (wall,) = [part for part in model.parts.values() if part.material is GRAY]
    (panes,) = [part for part in model.parts.values() if part.kind == Kind.GLASS]
    assert area(wall.settled()[0]) == pytest.approx(6 * 3 - 1.5 - 1.5, rel=1e-4)
    assert area(panes.settled()[0]) == pytest.approx(3.0, rel=1e-4)
    assert (panes.settled()[0][..., 1] > 0).all()


def test_textures_are_laid_on_in_meters_and_turned_with_the_house() -> None:
    piece, model = shapes.Model(), shapes.Model()
    material = shapes.Material(GRAY.texture, span=0.5)
    piece.quad(Kind.BUILDING, material, [(0, 0, 0), (2, 0, 0), (2, 0, 1), (0, 0, 1)])
    model.place(piece, np.pi / 2, (10, 0, 0))
    triangles, places = model.part(Kind.BUILDING, material).settled()
    assert np.ptp(places[..., 0]) == pytest.approx(4)
    assert np.ptp(places[..., 1]) == pytest.approx(2)
    assert np.allclose(triangles[..., 0], 10, atol=1e-5)
    assert triangles[..., 1].max() == pytest.approx(2)


def test_no_grass_grows_through_a_path(random: np.random.Generator) -> None:
    model, grass = shapes.Model(), shapes.Material(GRAY.texture)
    tufts(random, model, grass, (-4, 0, 4, 6), 0.05, 3000)
    model.quad(Kind.GROUND, GRAY, [(-1, -9, 0.02), (1, -9, 0.02), (1, 9, 0.02), (-1, 9, 0.02)])
    weed(model)
    feet = model.part(Kind.LAWN, grass).settled()[0][:, 0, 0]
    assert np.abs(feet).min() >= 1
    assert 0.65 * 3000 < len(feet) < 0.85 * 3000


def test_the_sun_lights_the_side_it_stands_on(random: np.random.Generator) -> None:
    ground = np.full(3, 0.2, np.float32)
    light = daylight(random, ground, "clear")
    side = np.sign(light.towards_sun) * [1, 0, 0]
    assert light_on(light, side).sum() > 1.3 * light_on(light, -side).sum()
    assert pointing(0, 0)[1] == pytest.approx(-1)
    assert light_on(dusk(random, ground), (0, 0, 1)).sum() < 0.3 * light_on(light, (0, 0, 1)).sum()


def test_more_cover_is_more_cloud() -> None:
    light = dusk(np.random.Generator(np.random.PCG64(3)), np.full(3, 0.2, np.float32))
    shares = []
    for cover in (0.02, 0.3, 0.8):
        same = np.random.Generator(np.random.PCG64(4))
        change = clouded(same, light, cover, np.ones(3, np.float32)).dome[:50] - light.dome[:50]
        shares.append((change.mean(-1) > 0.05).mean())
    assert shares[0] < 0.1
    assert shares[0] < shares[1] < shares[2]
    assert shares[2] > 0.25


@pytest.mark.parametrize(
    "made",
    [
        lawn,
        lambda random: speckled(random, (200, 190, 180), 1.0),
        lambda random: bonded(random, ((150, 80, 60),), (180, 170, 160), (24, 8), (0.225, 0.075)),
    ],
)
def test_surfaces_reflect_no_more_than_real_ones(
    made: Callable[[np.random.Generator], shapes.Material], random: np.random.Generator
) -> None:
    texture = made(random).texture
    assert texture.dtype == np.float32
    assert texture.min() >= 0.005
    assert texture.max() <= 0.93
    assert linear((255, 0, 188)) == pytest.approx([1, 0, 0.5029], abs=1e-3)


def test_twins_share_their_view_and_differ_in_light() -> None:
    effort = twins.Effort((96, 64), 2, 4)
    day, dusk_picture, panes = twins.pair(7, 0, effort)
    assert day.shape == dusk_picture.shape == (64, 96, 3)
    assert set(np.unique(panes)) == {0, 255}
    walls, inside = panes == 0, panes == 255
    by_day = day[inside].mean() / day[walls].mean()
    at_dusk = dusk_picture[inside].mean() / dusk_picture[walls].mean()
    assert at_dusk > 2 * by_day
    assert dusk_picture[walls].mean() < 0.6 * day[walls].mean()
