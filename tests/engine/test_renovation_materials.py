"""Materials: their samples, how their pieces are laid, and what is seen of them from afar."""

from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.color.channels import rgb_to_gray
from engine.materials.colors import MAX_REFLECTANCE, estimate_reflectance
from engine.materials.finish import Finish, MaterialKind, Pattern
from engine.materials.material import Material, make_material
from engine.materials.noise import make_waves
from engine.materials.parse_finish import parse_finish
from engine.materials.pieces import lay_pieces
from engine.types.enhancements import ChangeType

OAK = Finish(MaterialKind.WOOD, (0.72, 0.56, 0.38), Pattern.PLANKS, (1.8, 0.14))
QUICK = (MaterialKind.WOOD, MaterialKind.CERAMIC, MaterialKind.MARBLE)
SOME_LONG = [
    each if each in QUICK else pytest.param(each, marks=pytest.mark.long)
    for each in MaterialKind
    if each is not MaterialKind.SEEN
]
TILES = Finish(MaterialKind.CERAMIC, (0.9, 0.9, 0.88), Pattern.TILES, (0.6, 0.3))


@cache
def made(finish: Finish, seed: int = 1) -> Material:
    return make_material(finish, np.random.Generator(np.random.PCG64(seed)))


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """The samples are large."""
    yield
    made.cache_clear()


def spots(side: float, count: int = 400, first: float = 0.0) -> tuple[Plane, Plane, Plane]:
    """Meters along and across a square of this side, and what a pixel sees of it."""
    places = plane(first + (np.arange(count) + 0.5) * side / count)
    along, across = np.meshgrid(places, places)
    return along, across, plane(np.full(along.shape, side / count))


@pytest.mark.long
@pytest.mark.parametrize("kind", SOME_LONG)
def test_a_material_is_the_same_for_the_same_seed_and_another_for_another(kind: MaterialKind) -> None:
    finish = Finish(kind, (0.6, 0.5, 0.4), Pattern.TILES, (0.3, 0.3))
    first, same, other = (
        each.sample(*spots(1.5, 120)) for each in (made(finish), made.__wrapped__(finish), made(finish, 2))
    )
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)


@pytest.mark.long
@pytest.mark.parametrize("kind", SOME_LONG)
def test_materials_have_the_color_that_is_asked_for(kind: MaterialKind) -> None:
    finish = Finish(kind, (0.6, 0.5, 0.4), second=(0.55, 0.46, 0.37))
    mean = made(finish).levels[-1].reshape(-1, 3).mean(0)
    asked = estimate_reflectance(finish.color)
    assert mean == pytest.approx(asked, rel=0.28)
    assert 0 < made(finish).levels[0].min() < made(finish).levels[0].max() <= 1


@pytest.mark.parametrize("color", [(0, 0, 1), (1, 0, 0), (0.2, 0, 1), (1, 1, 1)])
def test_no_color_reflects_more_light_than_surfaces_in_rooms(color: tuple[float, float, float]) -> None:
    assert float(estimate_reflectance(color).max()) <= np.float32(MAX_REFLECTANCE)


def test_samples_go_on_past_their_edges() -> None:
    values = make_waves(np.random.Generator(np.random.PCG64(3)), (200, 300), 90, 60)
    seam = np.abs(values[0] - values[-1]).mean()
    inside = np.abs(np.diff(values, axis=0)).mean()
    assert seam < 1.5 * inside


def test_tiles_have_the_size_that_was_asked_for() -> None:
    along, across, seen = spots(2.4, 960)
    pieces = lay_pieces(TILES, along, across, seen)
    row = np.flatnonzero(np.diff(pieces.piece[40]) != 0) * 2.4 / 960
    column = np.flatnonzero(np.diff(pieces.piece[:, 40]) != 0) * 2.4 / 960
    assert np.diff(row) == pytest.approx(0.6, abs=0.006)
    assert np.diff(column) == pytest.approx(0.3, abs=0.006)


@pytest.mark.parametrize("pattern", [each for each in Pattern if each is not Pattern.PLAIN])
def test_pieces_are_as_large_as_they_should_be(pattern: Pattern) -> None:
    finish = Finish(MaterialKind.WOOD, (0.7, 0.5, 0.4), pattern, (0.6, 0.12))
    if pattern is Pattern.HEX:
        finish = Finish(MaterialKind.CERAMIC, (0.7, 0.5, 0.4), pattern, (0.3, 0.3))
    along, across, seen = spots(6.0, 600, first=40.0)
    pieces = lay_pieces(finish, along, across, seen).piece
    area = 36.0 / len(np.unique(pieces))
    wanted = 0.3 * 0.3 * np.sqrt(3) / 2 if pattern is Pattern.HEX else 0.6 * 0.12
    # Some pieces are cut by the square's edge, a few share a number.
    assert area == pytest.approx(wanted, rel=0.2)


def test_herringbone_pieces_lie_in_two_directions() -> None:
    finish = Finish(MaterialKind.WOOD, (0.7, 0.5, 0.4), Pattern.HERRINGBONE, (0.6, 0.1))
    along, across, seen = spots(3.0, 600)
    pieces = lay_pieces(finish, along, across, seen)
    assert float(pieces.along.min()) >= -1e-3
    assert float(pieces.along.max()) <= 0.6 + 1e-3
    assert float(pieces.across.max()) <= 0.1 + 1e-3
    slope = np.sign(np.diff(pieces.along, axis=1)[:, :-1])
    assert 0.3 < float((slope > 0).mean()) < 0.7


@pytest.mark.long
def test_joints_cover_their_share_from_near_and_from_far() -> None:
    near = float(lay_pieces(TILES, *spots(6.0, 2400)).joint.mean())
    far = float(lay_pieces(TILES, *spots(6.0, 150)).joint.mean())
    wanted = 0.003 / 0.6 + 0.003 / 0.3
    assert near == pytest.approx(wanted, rel=0.15)
    assert far == pytest.approx(wanted, rel=0.3)


def test_from_afar_a_floor_is_even_and_as_bright_as_from_near() -> None:
    floor = made(OAK)
    near = floor.sample(*spots(12.0, 1200))
    far = floor.sample(*spots(240.0, 100))
    assert float(rgb_to_gray(far).std()) < 0.5 * float(rgb_to_gray(near).std())
    assert float(rgb_to_gray(far).mean()) == pytest.approx(float(rgb_to_gray(near).mean()), rel=0.06)


def test_planks_differ_from_one_another() -> None:
    floor = made(OAK)
    along, across, seen = spots(4.0, 800)
    look, pieces = rgb_to_gray(floor.sample(along, across, seen)), lay_pieces(OAK, along, across, seen).piece
    means = [float(look[pieces == each].mean()) for each in np.unique(pieces) if (pieces == each).sum() > 2000]
    assert np.std(means) / np.mean(means) > 0.06


def test_a_room_of_concrete_repeats_nowhere_within_three_meters() -> None:
    look = rgb_to_gray(made(parse_finish(ChangeType.FLOOR, "polished concrete")).sample(*spots(3.6, 360)))
    first, second = look[:100, :100], look[-100:, -100:]
    assert abs(float(np.corrcoef(first.ravel(), second.ravel())[0, 1])) < 0.6


def test_checkerboards_have_two_colors() -> None:
    finish = parse_finish(ChangeType.FLOOR, "black and white checkerboard tiles")
    look = rgb_to_gray(made(finish).sample(*spots(3.0, 600)))
    dark, bright = float((look < 0.1).mean()), float((look > 0.6).mean())
    assert dark == pytest.approx(0.5, abs=0.05)
    assert bright == pytest.approx(0.5, abs=0.05)


def test_grout_that_is_asked_for_is_seen_between_the_tiles() -> None:
    dark = parse_finish(ChangeType.BACKSPLASH, "white subway tiles with black grout")
    look = rgb_to_gray(made(dark).sample(*spots(0.4, 400)))
    assert float(look.min()) < 0.06
    assert float(np.median(look)) > 0.6
