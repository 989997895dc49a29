"""Distances between the places where photos were taken, to find photos that may be of another property."""

import math
from collections.abc import Mapping

Place = tuple[float, float]
"""Latitude and longitude in degrees."""
FAR_METERS = 500
"""The least distance for a photo to count as taken elsewhere. One property is smaller than this, even with the
error of a phone's location.
"""
_EARTH_METERS = 6_371_000


def measure_distance(first: Place, second: Place) -> float:
    """The distance in meters on the surface of the earth, by the haversine formula."""
    (latitude_1, longitude_1), (latitude_2, longitude_2) = (
        [math.radians(each) for each in place] for place in (first, second)
    )
    haversine = math.sin((latitude_2 - latitude_1) / 2) ** 2
    haversine += math.cos(latitude_1) * math.cos(latitude_2) * math.sin((longitude_2 - longitude_1) / 2) ** 2
    return 2 * _EARTH_METERS * math.asin(min(1.0, math.sqrt(haversine)))


def find_strays(places: Mapping[str, Place]) -> Mapping[str, float]:
    """Name -> distance from the center in meters, for photos at least FAR_METERS from it."""
    return {name: meters for name, meters in measure_from_center(places).items() if meters >= FAR_METERS}


def measure_from_center(places: Mapping[str, Place]) -> Mapping[str, float]:
    """Name -> distance from the center in meters. The center is the place with most photos within FAR_METERS."""
    if not places:
        return {}
    center = max(places.values(), key=lambda place: _count_near(place, places))
    return {name: measure_distance(place, center) for name, place in places.items()}


def _count_near(place: Place, places: Mapping[str, Place]) -> int:
    return sum(measure_distance(place, other) < FAR_METERS for other in places.values())
