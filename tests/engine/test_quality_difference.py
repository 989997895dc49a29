"""CIEDE2000 gives the published figures."""

import numpy as np
import pytest

from engine.color.difference import compute_delta_e, srgb_to_lab

# L*a*b* of both colors and their difference, from Sharma, Wu and Dalal (2005), table 1.
PUBLISHED = [
    ((50.0000, 2.6772, -79.7751), (50.0000, 0.0000, -82.7485), 2.0425),
    ((50.0000, -1.3802, -84.2814), (50.0000, 0.0000, -82.7485), 1.0000),
    ((50.0000, 0.0000, 0.0000), (50.0000, -1.0000, 2.0000), 2.3669),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0009), 7.1792),
    ((50.0000, 2.4900, -0.0010), (50.0000, -2.4900, 0.0011), 7.2195),
    ((50.0000, -0.0010, 2.4900), (50.0000, 0.0011, -2.4900), 4.7461),
    ((50.0000, 2.5000, 0.0000), (50.0000, 0.0000, -2.5000), 4.3065),
    ((50.0000, 2.5000, 0.0000), (73.0000, 25.0000, -18.0000), 27.1492),
    ((50.0000, 2.5000, 0.0000), (58.0000, 24.0000, 15.0000), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]


@pytest.mark.parametrize(("one", "other", "expected"), PUBLISHED)
def test_a_published_pair_is_as_far_apart_as_published(one, other, expected: float) -> None:
    found = compute_delta_e(np.array(one, np.float32), np.array(other, np.float32))
    assert float(found) == pytest.approx(expected, abs=2e-3)
    back = compute_delta_e(np.array(other, np.float32), np.array(one, np.float32))
    assert float(back) == pytest.approx(expected, abs=2e-3)


def test_white_has_the_lightness_of_white_and_no_color() -> None:
    white = srgb_to_lab(np.full((1, 1, 3), 255, np.uint8))[0, 0]
    assert white == pytest.approx((100, 0, 0), abs=0.1)
