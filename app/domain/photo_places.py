"""Where the photos of an order were taken: those far from the others may be of another property."""

import math
from collections.abc import Mapping

Place = tuple[float, float]
"""Latitude and longitude in degrees."""
FAR_METERS = 500
"""Around one house a photographer goes, and a phone errs, by less."""
_EARTH_METERS = 6_371_000


def measure(first: Place, second: Place) -> float:
    """The distance in meters, along the ground."""
    (one, east), (other, far_east) = ([math.radians(each) for each in place] for place in (first, second))
    half = math.sin((other - one) / 2) ** 2
    half += math.cos(one) * math.cos(other) * math.sin((far_east - east) / 2) ** 2
    return 2 * _EARTH_METERS * math.asin(min(1.0, math.sqrt(half)))


def find_strays(places: Mapping[str, Place]) -> Mapping[str, float]:
    """Those FAR_METERS and more from where most were taken, by their names, and how far in meters."""
    return {name: meters for name, meters in measure_apart(places).items() if meters >= FAR_METERS}


def measure_apart(places: Mapping[str, Place]) -> Mapping[str, float]:
    """How many meters each is from where most were taken, by their names."""
    if not places:
        return {}
    center = max(places.values(), key=lambda place: _count_near(place, places))
    return {name: measure(place, center) for name, place in places.items()}


def _count_near(place: Place, places: Mapping[str, Place]) -> int:
    return sum(measure(place, other) < FAR_METERS for other in places.values())
