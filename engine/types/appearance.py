"""What the photos of one order share: the color of white, the exposure, the side of the sun."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

Color = tuple[float, float, float]

# Photos that say less than this of their white do not decide the order's.
LEAST_CERTAINTY = 0.1
# Photos taken in other directions have the sun elsewhere: unless most agree, the order has no side of it.
LEAST_AGREEMENT = 0.5


@dataclass(frozen=True, slots=True)
class LightEstimate:
    """The light that one photo was taken in, as estimated from it.

    `cast` is the color of what should be white, gamma-coded sRGB of 0-1 scaled to a mean of 1, and
    `certainty` (0-1) how much white there was to estimate it from. `brightness` is the median luma, 0-1.
    `sun_side` is -1 (left) to 1 (right), 0 where it is unknown.
    """

    outdoors: bool
    cast: Color
    certainty: float
    brightness: float
    sun_side: float = 0.0


@dataclass(frozen=True, slots=True)
class SharedAppearance:
    """What the photos of the order share; each is None where it cannot be estimated from them.

    The casts are colors of white as in LightEstimate, with a mean of 1. `brightness_indoors` is the median luma,
    0-1, and `sun_side` is -1 (left) to 1 (right).
    """

    cast_outdoors: Color | None = None
    cast_indoors: Color | None = None
    brightness_indoors: float | None = None
    sun_side: float | None = None


def find_shared_appearance(estimates: Sequence[LightEstimate]) -> SharedAppearance:
    """The appearance on which the estimates of these photos agree; their order does not matter.

    Parameters
    ----------
    estimates : Sequence of LightEstimate
        One for each photo of the order that could be read.

    Returns
    -------
    SharedAppearance
        Medians: of casts, weighted by their certainty, without those below LEAST_CERTAINTY; of the brightness
        indoors; of the sun's sides outdoors, None where too few of them agree (LEAST_AGREEMENT).
    """
    indoors = [each for each in estimates if not each.outdoors]
    outdoors = [each for each in estimates if each.outdoors]
    return SharedAppearance(
        cast_outdoors=_agreed_cast(outdoors),
        cast_indoors=_agreed_cast(indoors),
        brightness_indoors=_middle([each.brightness for each in indoors]) if indoors else None,
        sun_side=_agreed_side([each.sun_side for each in outdoors if each.sun_side]),
    )


def _agreed_cast(estimates: Sequence[LightEstimate]) -> Color | None:
    sure = [each for each in estimates if each.certainty >= LEAST_CERTAINTY]
    if not sure:
        return None
    weights = [each.certainty for each in sure]
    parts = [_middle([each.cast[place] for each in sure], weights) for place in range(3)]
    red, green, blue = (3 * part / sum(parts) for part in parts)
    return (red, green, blue)


def _agreed_side(sides: Sequence[float]) -> float | None:
    told = math.fsum(abs(side) for side in sides)
    if not told or abs(math.fsum(sides)) < LEAST_AGREEMENT * told:
        return None
    return _middle(sides)


def _middle(values: Sequence[float], weights: Sequence[float] | None = None) -> float:
    """The weighted median: one strange photo does not move it. Where two values divide the weight, their mean."""
    pairs = sorted(zip(values, weights or [1.0] * len(values), strict=True))
    half = math.fsum(weight for _, weight in pairs) / 2
    below, above = _reaching(pairs, half), _reaching(pairs[::-1], half)
    return (below + above) / 2


def _reaching(pairs: Sequence[tuple[float, float]], half: float) -> float:
    """The first value at which the weights passed come to half of all."""
    passed = 0.0
    for value, weight in pairs:
        passed += weight
        if passed >= half:
            return value
    return pairs[-1][0]
