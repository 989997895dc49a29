"""Photos that were taken far from the others are told."""

import pytest

from app.domain.photo_places import FAR_METERS, find_strays, measure_distance

SPRINGFIELD = (39.7817, -89.6501)
ACROSS_THE_STREET = (39.7819, -89.6498)
NEXT_TOWN = (39.9403, -89.6501)


@pytest.mark.parametrize(
    ("first", "second", "meters"),
    [
        (SPRINGFIELD, SPRINGFIELD, 0),
        ((0.0, 0.0), (0.0, 1.0), 111_195),
        ((0.0, 179.9), (0.0, -179.9), 22_239),
        ((90.0, 0.0), (90.0, 90.0), 0),
        ((52.5163, 13.3777), (48.8584, 2.2945), 877_463),
    ],
)
def test_distances_are_along_the_ground(first, second, meters: float) -> None:
    assert measure_distance(first, second) == pytest.approx(meters, rel=0.002, abs=1)


def test_of_one_house_no_photo_is_far() -> None:
    assert not find_strays({"a": SPRINGFIELD, "b": ACROSS_THE_STREET})
    assert not find_strays({"a": SPRINGFIELD})
    assert not find_strays({})


def test_those_far_from_the_most_are_named_with_their_distance_wherever_they_stand() -> None:
    for names in ("abc", "cab", "bca"):
        first, second, stray = names
        found = find_strays({first: SPRINGFIELD, stray: NEXT_TOWN, second: ACROSS_THE_STREET})
        assert list(found) == [stray]
        assert found[stray] == pytest.approx(17_600, rel=0.01)
        assert found[stray] > FAR_METERS
