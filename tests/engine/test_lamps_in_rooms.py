"""Lamps in rooms: those that stand on something go with the furniture, those on walls and ceilings stay."""

import numpy as np
import pytest

from engine.geometry.surface import PLACE, Surface
from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import NetworkOutput
from engine.segmentation.room_surfaces import segment_room

PICTURE = np.full((192, 256, 3), 180, np.uint8)


def _seen(lamp: tuple[slice, slice]) -> NetworkOutput:
    """A room with a ceiling, a wall, a table before it and a lamp at this place; rows and columns of 48 x 64."""
    labels = np.full((48, 64, len(Label)), 1e-4, np.float32)
    where = np.full((48, 64), NUMBER[Label.WALL])
    where[:10], where[40:] = NUMBER[Label.CEILING], NUMBER[Label.FLOOR]
    where[28:40, 20:44] = NUMBER[Label.TABLE]
    where[lamp] = NUMBER[Label.LAMP]
    np.put_along_axis(labels, where[..., None], 1.0, axis=2)
    return NetworkOutput(labels / labels.sum(2, keepdims=True), {})


@pytest.mark.parametrize(
    ("lamp", "surface"),
    [
        ((slice(18, 28), slice(26, 34)), Surface.FURNITURE),
        ((slice(20, 40), slice(50, 58)), Surface.FURNITURE),
        ((slice(10, 18), slice(26, 34)), Surface.OTHER),
        ((slice(14, 20), slice(4, 10)), Surface.OTHER),
    ],
    ids=["on a table", "on the floor", "from the ceiling", "on a wall"],
)
def test_a_lamp_goes_with_what_it_stands_on(lamp: tuple[slice, slice], surface: Surface) -> None:
    picture = PICTURE.copy()
    picture[tuple(slice(4 * each.start, 4 * each.stop) for each in lamp)] = (250, 240, 200)
    found = segment_room(picture, _seen(lamp))
    row, column = (4 * (each.start + each.stop) // 2 for each in lamp)
    assert found[row, column].argmax() == PLACE[surface]
    assert found.sum(-1).min() == pytest.approx(1, abs=1e-3)
