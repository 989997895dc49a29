"""Plain gray and white skies that look like a ceiling, in photos known to be taken outdoors."""

import numpy as np
import pytest

from engine.arrays import plane
from engine.color.profiles import ColorProfile
from engine.segmentation.labels import NUMBER, Label
from engine.segmentation.network import NetworkOutput
from engine.segmentation.outdoors import restrict_to_outdoors
from engine.segmentation.scene import Scene
from tests import scenes

pytestmark = pytest.mark.usefixtures("seen_roughly")

GRAY_SKY = (187, 189, 191)


def overcast(ceiling: float, sky: float, indoors: float = 0.1) -> Scene:
    """A drawn house under a plain gray sky that the net takes for a ceiling in part, all else for a house."""
    found = Scene(scenes.house(sky=GRAY_SKY), ColorProfile(), "photo")
    labels = np.zeros((32, 48, len(Label)), np.float32)
    labels[:12, :, NUMBER[Label.SKY]], labels[:12, :, NUMBER[Label.CEILING]] = sky, ceiling
    labels[:12, :, NUMBER[Label.FACADE]] = 1 - sky - ceiling
    labels[12:, :, NUMBER[Label.FACADE]] = 1
    found.__dict__["_output"] = NetworkOutput(
        labels, {"place": {"indoors": indoors}, "room": {"outside": 1 - indoors}}
    )
    return found


@pytest.mark.parametrize(("ceiling", "sky"), [(0.48, 0.42), (0.3, 0.55), (0.7, 0.25)])
def test_a_plain_gray_sky_that_is_half_a_ceiling_to_the_net_is_sky_outdoors(ceiling: float, sky: float) -> None:
    found = overcast(ceiling, sky)
    assert found.outdoors
    assert found.sky[:60].mean() > 0.9
    assert found.sky[300:].max() < 0.05


def test_the_underside_of_a_porch_is_no_sky_where_the_net_hardly_sees_one() -> None:
    assert overcast(0.93, 0.06).sky.max() == 0
    assert overcast(0.5, 0.1).sky.max() == 0


def test_the_ceiling_of_a_room_stays_one() -> None:
    room = overcast(0.48, 0.42, indoors=0.999)
    assert not room.outdoors
    assert room.sky.max() == 0


def test_the_shares_of_a_photo_known_to_be_of_outdoors_still_sum_to_one() -> None:
    given = plane(np.random.Generator(np.random.PCG64(2)).dirichlet(np.full(len(Label), 0.05), (20, 30)))
    known, ceiling = restrict_to_outdoors(given), NUMBER[Label.CEILING]
    assert np.abs(known.sum(-1) - 1).max() < 1e-4
    assert known.min() >= 0
    assert (known[..., ceiling] <= given[..., ceiling] + 1e-6).all()
