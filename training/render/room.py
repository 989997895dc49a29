"""The box that a room is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Room:
    """A box: left, right (x), depth (y, from 0) and height, metres."""

    left: float
    right: float
    deep: float
    high: float
