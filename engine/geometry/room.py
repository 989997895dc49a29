"""A room measured from one photo: its camera, walls and ceiling."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.geometry.camera import Camera, Points, read_camera


@dataclass(frozen=True, slots=True)
class Wall:
    """An upright wall; `start` and `end` (x, y in meters) are its left and right end, seen from inside the room."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def length(self) -> float:
        """Meters from start to end."""
        return float(np.hypot(self.end[0] - self.start[0], self.end[1] - self.start[1]))

    @property
    def along(self) -> Points:
        """The level direction from start to end."""
        x, y = (self.end[0] - self.start[0]) / self.length, (self.end[1] - self.start[1]) / self.length
        return np.array([x, y, 0.0])

    @property
    def inward(self) -> Points:
        """The level direction from the wall into the room."""
        x, y, _ = self.along
        return np.array([y, -x, 0.0])

    @property
    def distance(self) -> float:
        """The distance in the equation of the wall's plane: inward * point = distance."""
        return float(self.inward[:2] @ np.array(self.start))


@dataclass(frozen=True, slots=True)
class Room:
    """A room in meters.

    `walls` are those in view, from left to right. `ceiling` is in meters over the floor, None where it is not seen.
    `confidence` is 0-1. `scale_source` says what gave the scale: see `engine.geometry.scale`. The scale is
    `disputed` where a door or worktop in view contradicts it.
    """

    camera: Camera
    walls: tuple[Wall, ...]
    ceiling: float | None
    confidence: float = 1.0
    scale_source: str = "usual"
    disputed: bool = False

    def as_json(self) -> dict[str, Any]:
        """The room as plain numbers and words.

        Returns
        -------
        dict
            `camera`, `walls`, `ceiling`, `confidence`, `measure` and `disputed`, as `read_room` expects them.
        """
        walls = [{"start": list(wall.start), "end": list(wall.end)} for wall in self.walls]
        scale = {"measure": self.scale_source, "disputed": self.disputed}
        rest = {"ceiling": self.ceiling, "confidence": self.confidence, **scale}
        return {"camera": self.camera.as_json(), "walls": walls, **rest}


def read_room(content: dict[str, Any]) -> Room:
    """Read the room that `Room.as_json` wrote.

    Parameters
    ----------
    content : dict
        `camera`, `walls`, `ceiling`, `confidence` and `measure`; `disputed` may be missing and is then false.

    Returns
    -------
    Room
        The room.
    """
    walls = tuple(Wall(_spot(wall["start"]), _spot(wall["end"])) for wall in content["walls"])
    ceiling = None if content["ceiling"] is None else float(content["ceiling"])
    confidence, source = float(content["confidence"]), str(content["measure"])
    return Room(read_camera(content["camera"]), walls, ceiling, confidence, source, bool(content.get("disputed")))


def _spot(values: list[float]) -> tuple[float, float]:
    return float(values[0]), float(values[1])
