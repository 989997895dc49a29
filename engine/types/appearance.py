"""The appearance that the photos of one order share: the color of white, the exposure, the side of the sun."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Color = tuple[float, float, float]

# Photos whose cast is less certain do not count for the order's cast.
MIN_CERTAINTY = 0.1
# The sum of the sides divided by the sum of their amounts. Photos in several directions have the sun on several
# sides; then the order has no side.
MIN_SIDE_AGREEMENT = 0.5


@dataclass(frozen=True, slots=True)
class LightEstimate:
    """The light that one photo was taken in, as estimated from it.

    `cast` is the color of what should be white, gamma-coded sRGB of 0-1 scaled to a mean of 1, and
    `certainty` (0-1) how much white there was to estimate it from. `brightness` is the median luma, 0-1.
    `sun_side` is -1 (left) to 1 (right), 0 where the side is unknown.
    """

    outdoors: bool
    cast: Color
    certainty: float
    brightness: float
    sun_side: float = 0.0


@dataclass(frozen=True, slots=True)
class SharedAppearance:
    """The appearance that the photos of an order share; a value is None where they do not allow an estimate.

    The casts are colors of white as in LightEstimate, with a mean of 1. `brightness_indoors` is the median luma,
    0-1, and `sun_side` is -1 (left) to 1 (right).
    """

    cast_outdoors: Color | None = None
    cast_indoors: Color | None = None
    brightness_indoors: float | None = None
    sun_side: float | None = None


def find_shared_appearance(estimates: Sequence[LightEstimate]) -> SharedAppearance:
    """Find the appearance that the photos of an order share; the sequence of estimates does not matter.

    Parameters
    ----------
    estimates : Sequence of LightEstimate
        One for each photo of the order that could be read.

    Returns
    -------
    SharedAppearance
        Medians: of casts, weighted by their certainty, without those below MIN_CERTAINTY; of the brightness
        indoors; of the sun's sides outdoors, None where they agree less than MIN_SIDE_AGREEMENT.
    """
    indoors = [each for each in estimates if not each.outdoors]
    outdoors = [each for each in estimates if each.outdoors]
    return SharedAppearance(
        cast_outdoors=_find_shared_cast(outdoors),
        cast_indoors=_find_shared_cast(indoors),
        brightness_indoors=_find_weighted_median([each.brightness for each in indoors]) if indoors else None,
        sun_side=_find_shared_side([each.sun_side for each in outdoors if each.sun_side]),
    )


def _find_shared_cast(estimates: Sequence[LightEstimate]) -> Color | None:
    certain = [each for each in estimates if each.certainty >= MIN_CERTAINTY]
    if not certain:
        return None
    weights = [each.certainty for each in certain]
    parts = [_find_weighted_median([each.cast[place] for each in certain], weights) for place in range(3)]
    red, green, blue = (3 * part / sum(parts) for part in parts)
    return (red, green, blue)


def _find_shared_side(sides: Sequence[float]) -> float | None:
    total = math.fsum(abs(side) for side in sides)
    if not total or abs(math.fsum(sides)) < MIN_SIDE_AGREEMENT * total:
        return None
    return _find_weighted_median(sides)


def _find_weighted_median(values: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """The weighted median, which one unusual photo hardly moves; the mean of two values that divide the weight."""
    pairs = sorted(zip(values, weights or [1.0] * len(values), strict=True))
    half = math.fsum(weight for _, weight in pairs) / 2
    below, above = _find_value_at(pairs, half), _find_value_at(pairs[::-1], half)
    return (below + above) / 2


def _find_value_at(pairs: Sequence[tuple[float, float]], half: float) -> float:
    """The first value at which the sum of weights reaches `half`."""
    reached = 0.0
    for value, weight in pairs:
        reached += weight
        if reached >= half:
            return value
    return pairs[-1][0]
