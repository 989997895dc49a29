"""What an effect gets and gives: the canvas, its result, and the exception with which it declines."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from engine.arrays import Matte, Pixels, Plane
from engine.geometry.agreement import uncover_surfaces
from engine.geometry.estimation import RoomUnclear
from engine.geometry.room import Room
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.report import ChangeOutcome, Figure, Reason
from engine.types.server import GenerativeServer


class Declined(Exception):
    """The step has nothing to work on in this photo."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The generative server for one photo: a call may take `call_seconds`, all end at `ends_at`.

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
    """The picture after the steps so far, and the `scene` of the original photo.

    `server_access` is None where there is no generative server; `context` opens reference pictures without one too,
    and holds what the photos of an order share. `gone` (small, 0-1) is where earlier steps removed things.
    """

    pixels: Pixels
    scene: Scene
    request: EditRequest
    server_access: ServerAccess | None = None
    context: EngineContext = field(default_factory=EngineContext)
    gone: Plane | None = None

    @property
    def hints(self) -> SceneHints:
        """What somebody said is seen in the photo."""
        return self.request.hints or NO_HINTS

    def find_room(self) -> tuple[Room | None, str]:
        """The room as measured, or why it could not be.

        Returns
        -------
        room : Room or None
            Its camera is that of the small picture.
        unclear : str
            Why there is none, for customers; empty with a room.
        """
        try:
            return self.scene.room, ""
        except RoomUnclear as unclear:
            return None, unclear.message

    def find_surfaces(self) -> Plane:
        """The parts of the room, with floor, wall or ceiling where earlier steps removed things.

        Returns
        -------
        (h, w, len(Surface)) ndarray of float32
            Share of each surface in each pixel of the small picture, 0-1. Without a measured room they are the
            scene's own.
        """
        room, _ = self.find_room()
        seen = self.scene.surfaces
        return seen if room is None or self.gone is None else uncover_surfaces(room, seen, self.gone)


@dataclass(frozen=True, slots=True)
class EffectResult:
    """A step's picture. `region` (small, 0-1) is where it was free to change everything; None: only the light.

    `figures` are those that the effect measured itself, all of them passed. `matte` (full size, 0-255) is where it
    worked, 255 where fully; None: all over the picture. `changes` are the outcomes of a renovation's changes.
    `things` (as large as `region`, 0-1) is what now hides the photo, without its shadows; None: not known.
    """

    pixels: Pixels
    region: Plane | None = None
    figures: tuple[Figure, ...] = ()
    matte: Matte | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    things: Plane | None = None


def create_order_rng(canvas: Canvas) -> np.random.Generator:
    """The random generator that all photos of one order share: the weather, the side of the sun.

    Parameters
    ----------
    canvas : Canvas
        Its context has the order's seed; without one the photo's digest is used.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _noise(canvas.context.order_seed or canvas.scene.digest)


def create_photo_rng(canvas: Canvas) -> np.random.Generator:
    """The random generator of this photo in this order: where each cloud stands.

    Parameters
    ----------
    canvas : Canvas
        Seeded from the order's seed, the photo's digest and a `photo_seed` other than 0.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _noise(canvas.context.order_seed + canvas.scene.digest + _again(canvas))


def create_furniture_rng(canvas: Canvas) -> np.random.Generator:
    """The random generator of the furniture, which all photos of one order with the same `photo_seed` share.

    Parameters
    ----------
    canvas : Canvas
        Seeded from the order's seed, or the photo's digest without one, and a `photo_seed` other than 0.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _noise((canvas.context.order_seed or canvas.scene.digest) + _again(canvas))


def _again(canvas: Canvas) -> str:
    """What sets apart the random choices of a photo that is redone; empty without a `photo_seed`."""
    seed = canvas.context.photo_seed
    return f" {seed}" if seed else ""


def _noise(text: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(text.encode())))
