"""Surfaces brought into agreement with the room's geometry."""

import cv2
import numpy as np

from engine.geometry.agreement import fit_surfaces_to_room
from engine.geometry.room import Room, Wall
from engine.geometry.surface import PLACE, Surface
from tests.engine.boxes import SOFA, Box, camera

VIEW = camera(yaw=15)
WALLS = (Wall((-2.0, 0.5), (-2.0, 4.6)), Wall((-2.0, 4.6), (2.0, 4.6)), Wall((2.0, 4.6), (2.0, 0.5)))
ROOM = Room(VIEW, WALLS, 2.6)
FLOOR = PLACE[Surface.FLOOR]


def doubtful(surfaces: np.ndarray) -> np.ndarray:
    """As an unsure net sees them: soft, with false patches."""
    chance = np.random.Generator(np.random.PCG64(8))
    patches = chance.standard_normal(surfaces.shape).astype(np.float32)
    patches = np.stack([cv2.GaussianBlur(each, (0, 0), 9) * 32 for each in np.moveaxis(patches, -1, 0)], -1)
    raised = np.exp(np.log(cv2.GaussianBlur(surfaces, (0, 0), 4) * 0.9 + 0.1 / len(Surface)) + 1.5 * patches)
    return np.asarray(raised / raised.sum(-1, keepdims=True), np.float32)


def overlap(surfaces: np.ndarray, true: np.ndarray, surface: Surface) -> float:
    one, other = (each.argmax(-1) == PLACE[surface] for each in (surfaces, true))
    return float((one & other).sum() / (one | other).sum())


def test_geometry_mends_unsure_surfaces() -> None:
    _, true = Box(blocks=(SOFA,)).drawn(VIEW)
    seen = doubtful(true)
    agreed = fit_surfaces_to_room(ROOM, seen)
    for surface in (Surface.FLOOR, Surface.WALL, Surface.CEILING):
        assert overlap(agreed, true, surface) > overlap(seen, true, surface), surface


def test_shares_still_sum_to_one_and_things_stay() -> None:
    _, true = Box(blocks=(SOFA,)).drawn(VIEW)
    agreed = fit_surfaces_to_room(ROOM, doubtful(true))
    assert np.allclose(agreed.sum(-1), 1, atol=1e-4)
    sofa = true[..., PLACE[Surface.FURNITURE]] == 1
    assert np.array_equal(fit_surfaces_to_room(ROOM, true)[sofa], true[sofa])


def test_there_is_little_floor_on_a_wall_and_the_less_the_surer_the_room_is() -> None:
    _, true = Box(blocks=()).drawn(VIEW)
    seen = true * np.float32(0.5)
    seen[..., FLOOR] += 0.5
    walls = true[..., PLACE[Surface.WALL]] == 1
    sure, unsure = (
        fit_surfaces_to_room(room, seen)[walls][:, FLOOR].mean() for room in (ROOM, Room(VIEW, WALLS, 2.6, 0.3))
    )
    assert sure < 0.2 < unsure < 0.5
