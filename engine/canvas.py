"""An effect's input (the canvas), its result, and the exception with which it declines."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import cv2
import numpy as np

from engine.arrays import Matte, Pixels, Plane, plane
from engine.geometry.agreement import uncover_surfaces
from engine.geometry.estimation import RoomUnclear
from engine.geometry.room import Room
from engine.rendering.layout.furnishing import Furnishing
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.hints import NO_HINTS, SceneHints
from engine.types.report import ChangeOutcome, Figure, Reason
from engine.types.server import GenerativeServer


class Declined(Exception):
    """The step has nothing to work on in this photo.

    `changes` are the outcomes of a renovation's changes, where the step declines because none of them could be
    done.
    """

    def __init__(self, reason: Reason, message: str, changes: tuple[ChangeOutcome, ...] = ()) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.changes = changes


@dataclass(frozen=True, slots=True)
class ServerAccess:
    """The generative server for one photo: a call may take `call_seconds`, and all calls must end at `ends_at`.

    `clock` and `sleep` use seconds; `context` pays for each call and opens reference pictures.
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

    `server_access` is None where there is no generative server. `context` opens reference pictures, and holds the
    values that the photos of an order share. `gone` (small, 0-1) is where earlier steps removed things.
    """

    pixels: Pixels
    scene: Scene
    request: EditRequest
    server_access: ServerAccess | None = None
    context: EngineContext = field(default_factory=EngineContext)
    gone: Plane | None = None

    @property
    def hints(self) -> SceneHints:
        """The hints for the photo."""
        return self.request.hints or NO_HINTS

    def find_room(self) -> tuple[Room | None, str]:
        """Return the measured room, or the reason why it cannot be measured.

        Returns
        -------
        room : Room or None
            Its camera is that of the small picture.
        unclear : str
            The reason in words for customers; empty where there is a room.
        """
        try:
            return self.scene.room, ""
        except RoomUnclear as unclear:
            return None, unclear.message

    def find_surfaces(self) -> Plane:
        """Return the surfaces of the room, with floor, wall or ceiling where earlier steps removed things.

        Returns
        -------
        (h, w, len(Surface)) ndarray of float32
            Share of each surface in each pixel of the small picture, 0-1; unchanged where the room cannot be
            measured.
        """
        room, _ = self.find_room()
        seen = self.scene.surfaces
        return seen if room is None or self.gone is None else uncover_surfaces(room, seen, self.gone)

    def after(self, done: "EffectResult", *, empties: bool) -> "Canvas":
        """Return the canvas for the next step.

        Parameters
        ----------
        done : EffectResult
            The result of a step on this canvas.
        empties : bool
            Whether the step removed what was in its region.

        Returns
        -------
        Canvas
            With the new picture; `gone` has the removed things too.
        """
        if not empties or done.region is None:
            return replace(self, pixels=done.pixels)
        share = plane(cv2.resize(done.region, self.scene.small.shape[1::-1], interpolation=cv2.INTER_AREA))
        gone = share if self.gone is None else plane(np.maximum(self.gone, share))
        return replace(self, pixels=done.pixels, gone=gone)


@dataclass(frozen=True, slots=True)
class EffectResult:
    """A step's picture, and where it differs from the picture before the step.

    `region` (small, 0-1) is where the effect may have changed everything; None where it changed only the light.
    `figures` were measured by the effect itself, and all passed. `matte` (full size, 0-255) is how much the effect
    changed each pixel; None for the whole picture. `changes` are the outcomes of a renovation's changes. `things`
    (as large as `region`, 0-1) are new things in front of the photo, without their shadows; None where not known.
    `note` tells the customer what the effect left undone. `furnishing` is what staging planned.
    """

    pixels: Pixels
    region: Plane | None = None
    figures: tuple[Figure, ...] = ()
    matte: Matte | None = None
    changes: tuple[ChangeOutcome, ...] = ()
    things: Plane | None = None
    note: str = ""
    furnishing: Furnishing | None = None


def create_order_rng(canvas: Canvas) -> np.random.Generator:
    """Create the random generator that all photos of one order share: the weather, the side of the sun.

    Parameters
    ----------
    canvas : Canvas
        Its context has the order's seed; without one the photo's digest is used.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _create_rng(canvas.context.order_seed or canvas.scene.digest)


def create_photo_rng(canvas: Canvas) -> np.random.Generator:
    """Create the random generator of this photo in this order: the place of each cloud.

    Parameters
    ----------
    canvas : Canvas
        Seeded from the order's seed, the photo's digest and a `photo_seed` other than 0.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _create_rng(canvas.context.order_seed + canvas.scene.digest + _suffix_photo_seed(canvas))


def create_furniture_rng(canvas: Canvas) -> np.random.Generator:
    """Create the random generator of the furniture: photos of one order with the same `photo_seed` share it.

    Parameters
    ----------
    canvas : Canvas
        Seeded from the order's seed, or the photo's digest without one, and a `photo_seed` other than 0.

    Returns
    -------
    Generator
        Newly seeded on each call.
    """
    return _create_rng((canvas.context.order_seed or canvas.scene.digest) + _suffix_photo_seed(canvas))


def _suffix_photo_seed(canvas: Canvas) -> str:
    """The part of the seed by which a redone photo gets other random choices; empty without a `photo_seed`."""
    seed = canvas.context.photo_seed
    return f" {seed}" if seed else ""


def _create_rng(text: str) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(list(text.encode())))
