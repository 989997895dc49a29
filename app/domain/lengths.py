"""Lengths for people, in feet and inches and in centimeters."""

from engine.types.furniture import AddedFurniture

INCHES_PER_METER = 39.37
METERS_PER_FOOT = 12 / INCHES_PER_METER


def write_feet(meters: float) -> str:
    """A length in feet and inches, as `6 ft 8 in`."""
    feet, inches = divmod(round(meters * INCHES_PER_METER), 12)
    words = " ".join(f"{count} {unit}" for count, unit in ((feet, "ft"), (inches, "in")) if count)
    return words or "under 1 in"


def write_feet_of(added: AddedFurniture) -> str:
    """Width, depth and height of a piece, as `7 ft 3 in by 3 ft 1 in by 2 ft 8 in`."""
    return " by ".join(map(write_feet, (added.width, added.depth, added.height)))


def write_centimeters_of(added: AddedFurniture) -> str:
    """Width, depth and height of a piece, as `220 by 94 by 81 cm`."""
    return " by ".join(f"{100 * each:.0f}" for each in (added.width, added.depth, added.height)) + " cm"
