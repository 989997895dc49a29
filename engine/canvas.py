"""What an effect gets and gives: the canvas, its result, and the exception with which it declines."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.arrays import Matte, Pixels, Plane
from engine.geometry.agreement import uncover_surfaces
from engine.geometry.estimation import RoomUnclear
from engine.geometry.room import Room
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.report import ChangeOutcome, Figure, Reason
from engine.types.server import GenerativeServer

Warp = Callable[[NDArray[Any]], NDArray[Any]]


class Declined(Exception):
    """The step has nothing to work on in this photo."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The generative server as it may be asked for one photo: a call may take `call_seconds`, all end at `ends_at`.

    `clock` and `sleep` count seconds; `context` pays for each call and opens reference pictures.
    """

    server: GenerativeServer
    context: EngineContext
    call_seconds: float
    ends_at: float
    clock: Callable[[], float]
    sleep: Callable[[float], None]

    @property
    def left(self) -> float:
        """Seconds until all calls must be over; negative afterwards."""
        return self.ends_at - self.clock()


@dataclass(frozen=True, slots=True)
class Canvas:
    """The picture as the steps so far left it; `scene` is what was seen in the photo as it came.

    `server_access` is None when this machine is all there is; `context` opens reference pictures on it too, and
    has what the photos of an order share. `gone`
    (small, 0-1) is where earlier steps took things away.
    """

    pixels: Pixels
    scene: Scene
    request: EditRequest
    server_access: ServerAccess | None = None
    context: EngineContext = field(default_factory=EngineContext)
    gone: Plane | None = None

    def find_room(self) -> tuple[Room | None, str]:
        """The room as measured, or None and why it is not clear."""
        try:
            return self.scene.room, ""
        except RoomUnclear as unclear:
            return None, unclear.message

    def find_surfaces(self) -> Plane:
        """The parts of the room (small, height x width x len(Surface), shares, float32) without what is gone."""
        room, _ = self.find_room()
        seen = self.scene.surfaces
        return seen if room is None or self.gone is None else uncover_surfaces(room, seen, self.gone)


@dataclass(frozen=True, slots=True)
class EffectResult:
    """A step's picture. `region` (small, 0-1) is where it was free to change everything; None: only the light.

    `figures` are those that the effect measured itself, all of them passed. `matte` (full size, 0-255) is where it
    worked, 255 where fully; None: all over the picture. `changes` say the outcome of each change of a renovation.
    `things` (as large as `region`, 0-1) is what hides the photo now, without its shadows; None: not known.
    `warp`, of an effect that changes the geometry, does the same to any picture or map of this photo, whatever its
    size (height x width, or x channels); None where everything stays in its place.
    """

    pixels: Pixels
    region: Plane | None = None
    figures: tuple[Figure, ...] = ()
    matte: Matte | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    things: Plane | None = None
    warp: Warp | None = None


def create_order_rng(canvas: Canvas) -> np.random.Generator:
    """Chance that all photos of one order share: the weather, the side of the sun."""
    return _noise(canvas.context.order_seed or canvas.scene.digest)


def create_photo_rng(canvas: Canvas) -> np.random.Generator:
    """Chance of this photo of this order: where each cloud stands."""
    return _noise(canvas.context.order_seed + canvas.scene.digest + _again(canvas))


def create_furniture_rng(canvas: Canvas) -> np.random.Generator:
    """Chance that all photos of one order share, but for one that is made again: what stands in a room."""
    return _noise((canvas.context.order_seed or canvas.scene.digest) + _again(canvas))


def _again(canvas: Canvas) -> str:
    """What sets apart the chance of a photo that is made again; nothing for one as it was ordered."""
    seed = canvas.context.photo_seed
    return f" {seed}" if seed else ""


def _noise(text: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(text.encode())))
