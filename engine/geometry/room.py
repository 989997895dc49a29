"""A room as measured from one photo: camera, walls and ceiling."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.geometry.camera import Camera, Points, read_camera


@dataclass(frozen=True, slots=True)
class Wall:
    """An upright wall over a straight stretch of floor (x, y in meters); seen from inside, from left to right."""

    start: tuple[float, float]
    end: tuple[float, float]

    @property
    def length(self) -> float:
        """Meters from end to end."""
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
        """How far along `inward` the wall's plane lies: inward * point = distance."""
        return float(self.inward[:2] @ np.array(self.start))


@dataclass(frozen=True, slots=True)
class Room:
    """What is known of a room. `walls` are those in view, from left to right; `ceiling` meters over the floor, None
    where none is seen. `confidence` is 0-1; `measure` says what gave the scale: door, ceiling, counter, usual. That
    is `disputed` where a door or worktop in view says another.
    """

    camera: Camera
    walls: tuple[Wall, ...]
    ceiling: float | None
    confidence: float = 1.0
    measure: str = "usual"
    disputed: bool = False

    def as_json(self) -> dict[str, Any]:
        """The room as plain numbers and words.

        Returns
        -------
        dict
            `camera`, `walls`, `ceiling`, `confidence`, `measure` and `disputed`, as `read_room` expects them.
        """
        walls = [{"start": list(wall.start), "end": list(wall.end)} for wall in self.walls]
        scale = {"measure": self.measure, "disputed": self.disputed}
        rest = {"ceiling": self.ceiling, "confidence": self.confidence, **scale}
        return {"camera": self.camera.as_json(), "walls": walls, **rest}


def read_room(content: dict[str, Any]) -> Room:
    """The room that `Room.as_json` wrote.

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
    sure, measure, disputed = float(content["confidence"]), str(content["measure"]), bool(content.get("disputed"))
    return Room(read_camera(content["camera"]), walls, ceiling, sure, measure, disputed)


def _spot(values: list[float]) -> tuple[float, float]:
    return float(values[0]), float(values[1])
