"""Virtual staging on this machine: plan, light, render, lay in."""

import cv2
import numpy as np

from app.domain.catalogue import RoomType, Style
from app.domain.ports import Staging
from app.domain.quality import Reason
from app.engine.arrays import Mask, Matte, Plane, blurred, plane
from app.engine.guided import refined
from app.engine.room.geometry import Room
from app.engine.room.surface import PLACE, Surface
from app.engine.staging.compose import grain_of, laid
from app.engine.staging.ground import Ground
from app.engine.staging.light import lit
from app.engine.staging.order import Order
from app.engine.staging.placing import Placed
from app.engine.staging.plan import furnished
from app.engine.staging.render import rendered
from app.engine.step import Canvas, Declined, Worked, order_noise, photo_noise

UNSAID = Staging(Style.MODERN, RoomType.OTHER)
"""For a wish without a word on it, as decisions.md has it."""
LEAST_FLOOR = 0.04
"""The share of the picture that must be floor."""
_STANDING = (Surface.FURNITURE, Surface.CABINET, Surface.COUNTERTOP, Surface.OTHER, Surface.CLUTTER)
_NOT_UNDERSTOOD = "Virtual staging is not available yet for this photo."
_NO_FLOOR = "Virtual staging needs a photo that shows more of the floor."
_NO_PLACE = (
    "Virtual staging found no free place for furniture: every spot was before a door, too small or out of view."
)


def stage_here(canvas: Canvas) -> Worked:
    """Furniture and decor appear, made on this machine.

    Raises Declined where the room is not understood, shows too little floor or has no place for furniture.
    """
    scene = canvas.scene
    room, surfaces = getattr(scene, "room", None), getattr(scene, "surfaces", None)
    if room is None or surfaces is None:
        raise Declined(Reason.NOT_AVAILABLE, _NOT_UNDERSTOOD)
    return stage_in(canvas, room, surfaces)


def stage_in(canvas: Canvas, room: Room, surfaces: Plane) -> Worked:
    """Furnish the room. `surfaces` (h x w x surfaces, 0-1) is of the size that the room's camera is for.

    Raises Declined where there is too little floor or no place for the least that the room type needs.
    """
    floor = surfaces[..., PLACE[Surface.FLOOR]] + surfaces[..., PLACE[Surface.RUG]]
    if float(floor.mean()) < LEAST_FLOOR:
        raise Declined(Reason.TOO_SMALL, _NO_FLOOR)
    wish = canvas.wish.staging or UNSAID
    ground = Ground(room, surfaces)
    placed = furnished(ground, Order(wish.room_type, wish.style, int(order_noise(canvas).integers(1 << 30))))
    if not placed:
        raise Declined(Reason.TOO_SMALL, _NO_PLACE)
    height, width = canvas.pixels.shape[:2]
    small = cv2.resize(canvas.pixels, (ground.width, ground.height), interpolation=cv2.INTER_AREA)
    light = lit(ground, surfaces, _linear(small))
    camera = room.camera.scaled(width / ground.width)
    made = rendered(placed, light, camera, (width, height), _solid(surfaces))
    before = _before(canvas, placed, surfaces, room)
    done = laid(canvas.pixels, made, before, grain_of(canvas.pixels), photo_noise(canvas))
    region = plane(cv2.resize(done.matte, canvas.scene.small.shape[1::-1], interpolation=cv2.INTER_AREA)) / 255
    return Worked(done.pixels, region=plane(region), matte=done.matte)


def _solid(surfaces: Plane) -> Plane:
    """Where shadows fall: on everything but glass, what is behind it, and the ceiling."""
    away = (Surface.WINDOW, Surface.CEILING, Surface.DOOR)
    solid = plane(np.clip(1 - sum(surfaces[..., PLACE[each]] for each in away), 0, 1))
    return blurred(solid, surfaces.shape[1] / 90)


def _linear(pixels: np.ndarray) -> Plane:
    share = plane(pixels) / 255
    return plane(np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4))


def _before(canvas: Canvas, placed: tuple[Placed, ...], surfaces: Plane, room: Room) -> Matte:
    """Where things of the photo stand nearer to the camera than the furniture behind them, at full size."""
    standing = plane(sum(surfaces[..., PLACE[each]] for each in _STANDING))
    count, parts = cv2.connectedComponents((standing > 0.5).astype(np.uint8))
    mask: Mask = np.zeros(parts.shape, bool)
    for number in range(1, count):
        rows, columns = np.nonzero(parts == number)
        foot = rows.max()
        feet = [_foot(piece, room, columns.min(), columns.max()) for piece in placed]
        if feet and foot > max(feet) and max(feet) >= 0:
            mask[rows, columns] = True
    height, width = canvas.pixels.shape[:2]
    if not mask.any():
        return np.zeros((height, width), np.uint8)
    small = cv2.resize(canvas.pixels, (surfaces.shape[1], surfaces.shape[0]), interpolation=cv2.INTER_AREA)
    return refined(plane(mask), plane(small) / np.float32(255), canvas.pixels, radius=3, softness=1e-3)


def _foot(piece: Placed, room: Room, left: int, right: int) -> float:
    """The lowest row of a piece in the picture; -1 where it is not between these columns."""
    corners = np.column_stack([piece.corners, np.full(4, piece.raised)])
    pixels, depth = room.camera.seen(corners)
    if (depth < 0.1).any() or pixels[:, 0].max() < left or pixels[:, 0].min() > right:
        return -1.0
    return float(pixels[:, 1].max())
