"""Appliances among cabinets are not painted: seen by the net, by their color, or the change is declined."""

import numpy as np
import pytest

from engine.arrays import Plane, plane
from engine.canvas import Declined
from engine.geometry.surface import PLACE, Surface
from engine.materials.appliances import exclude_appliances
from engine.types.report import Reason

WOOD, WHITE, BLACK = (0.55, 0.33, 0.18), (0.92, 0.92, 0.91), (0.03, 0.03, 0.03)
ROW, FRIDGE, DISHWASHER = np.s_[40:110, 20:200], np.s_[40:110, 20:60], np.s_[70:110, 120:150]


def kitchen(**fronts: tuple[float, float, float]) -> tuple[Plane, Plane]:
    """A row of cabinets, with fronts of these colors in their places, and the surfaces that the net makes of it."""
    small = np.full((120, 220, 3), 0.8, np.float32)
    surfaces = np.zeros((120, 220, len(Surface)), np.float32)
    surfaces[..., PLACE[Surface.WALL]] = 1
    surfaces[ROW] = 0
    surfaces[(*ROW, PLACE[Surface.CABINET])] = 1
    small[ROW] = WOOD
    for name, color in fronts.items():
        small[{"fridge": FRIDGE, "dishwasher": DISHWASHER}[name]] = color
    return plane(small), plane(surfaces)


def seen(surfaces: Plane, **shares: float) -> Plane:
    """What the net calls an appliance."""
    found = np.zeros(surfaces.shape[:2], np.float32)
    for name, share in shares.items():
        found[{"fridge": FRIDGE, "dishwasher": DISHWASHER}[name]] = share
    return plane(found)


def cabinets(small: Plane, surfaces: Plane, appliances: Plane) -> Plane:
    return exclude_appliances(plane(surfaces[..., PLACE[Surface.CABINET]]), surfaces, appliances, small)


@pytest.mark.parametrize("color", [WHITE, BLACK, WOOD])
def test_a_refrigerator_that_the_net_sees_stays_in_any_color(color: tuple[float, float, float]) -> None:
    small, surfaces = kitchen(fridge=color)
    left = cabinets(small, surfaces, seen(surfaces, fridge=0.95))
    assert not left[FRIDGE].any()
    assert left[50:100, 65:115].all()


def test_a_white_dishwasher_among_wood_stays_although_the_net_calls_it_a_cabinet() -> None:
    small, surfaces = kitchen(dishwasher=WHITE)
    left = cabinets(small, surfaces, seen(surfaces))
    assert not left[75:105, 125:145].any()
    assert left[50:100, 25:115].all()


def test_the_light_of_a_window_on_wood_is_no_front() -> None:
    small, surfaces = kitchen()
    small[45:105, 100:103] = WHITE
    small[50:56, 30:36] = WHITE
    assert cabinets(small, surfaces, seen(surfaces))[ROW].all()


def test_gray_cabinets_have_no_front_of_another_color() -> None:
    small, surfaces = kitchen()
    small[ROW], small[DISHWASHER] = (0.7, 0.7, 0.7), WHITE
    assert cabinets(small, surfaces, seen(surfaces))[ROW].all()


def test_what_may_as_well_be_an_appliance_is_not_painted() -> None:
    small, surfaces = kitchen(fridge=WHITE)
    with pytest.raises(Declined) as declined:
        cabinets(small, surfaces, seen(surfaces, fridge=0.5))
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


def test_a_row_of_appliances_alone_is_not_painted() -> None:
    small, surfaces = kitchen()
    appliances = plane(surfaces[..., PLACE[Surface.CABINET]])
    with pytest.raises(Declined) as declined:
        cabinets(small, surfaces, appliances)
    assert declined.value.reason is Reason.SURFACE_NOT_FOUND
