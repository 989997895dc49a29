"""Good results of the four steps that work inside rooms, on drawn rooms of which everything is known."""

from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import cast

import cv2
import numpy as np

from engine.arrays import Plane, plane
from engine.canvas import Canvas, Declined, EffectResult, ServerAccess, create_order_rng
from engine.color.profiles import ColorProfile
from engine.effects.table import EFFECTS
from engine.effects.virtual_renovation import renovate_room
from engine.effects.virtual_staging import furnish_room
from engine.generative.edit_comparison import compare_edit
from engine.generative.frame import frame_photo
from engine.generative.paste import paste_edit
from engine.geometry.estimation import Obstacle, RoomUnclear
from engine.geometry.room import Room
from engine.geometry.surface import Surface
from engine.inpainting.removal import remove_things
from engine.quality.metrics import measure_figures
from engine.quality.room_figures import RoomChange, RoomRules, measure_room_figures
from engine.rendering.furniture.factory import FurnitureFactory
from engine.rendering.furniture.model import join_by_material
from engine.rendering.layout.ground import Ground
from engine.rendering.layout.placed import PlacedPiece
from engine.rendering.layout.plan import plan_furniture
from engine.rendering.tracing import Outlines, RenderView
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from engine.types.report import Figure, QualityReport, judge
from tests.engine.box_rooms import BoxRoom
from tests.engine.edits import rendered
from tests.engine.lived_rooms import lived_room
from tests.engine.seeded_rooms import Hole
from tests.scenes import Picture

TYPES = (RoomType.LIVING_ROOM, RoomType.BEDROOM, RoomType.DINING_ROOM, RoomType.OFFICE, RoomType.KITCHEN)
CHANGES = (
    (ChangeType.FLOOR, "light oak herringbone"),
    (ChangeType.WALLS, "sage green"),
    (ChangeType.FLOOR, "60x60 gray tiles"),
    (ChangeType.WALLS, "navy blue walls"),
    (ChangeType.FLOOR, "dark walnut planks"),
    (ChangeType.WALLS, "exposed red brick"),
    (ChangeType.FLOOR, "light gray carpet"),
    (ChangeType.WALLS, "white shiplap panelling"),
)


class KnownScene(Scene):
    """A scene of which room and surfaces are known."""

    outdoors = False
    surfaces: Plane

    def __init__(self, pixels: Picture, surfaces: Plane, room: Room | None) -> None:
        super().__init__(pixels, ColorProfile(), "a known room")
        self.surfaces = surfaces
        self._known = room

    @property
    def room(self) -> Room:
        if self._known is None:
            raise RoomUnclear(Obstacle.NO_WALLS)
        return self._known


def rules_of(step: Enhancement) -> RoomRules:
    """The rules of the step in rooms, as when a server made it."""
    room_rules = EFFECTS[step].room_rules
    assert room_rules is not None
    pixels = np.zeros((8, 8, 3), np.uint8)
    return room_rules(
        Canvas(
            pixels,
            Scene(pixels, ColorProfile(), ""),
            EditRequest(enhancements=(step,)),
            cast(ServerAccess, object()),
        )
    )


@dataclass(frozen=True)
class RoomResult:
    """What a step made of a room; `region` is where it was free to change everything (small, 0-1).

    `holes` are the room's doors and windows, `covers` (as large as the picture, 0-1) what stands on its floor.
    """

    name: str
    step: Enhancement
    scene: Scene
    pixels: Picture
    region: Plane
    holes: tuple[Hole, ...] = ()
    placed: tuple[PlacedPiece, ...] = field(default=(), repr=False)

    @property
    def photo(self) -> Picture:
        return self.scene.pixels

    def report(self, pixels: Picture | None = None) -> QualityReport:
        """What the engine would say of these pixels, or of its own; where they differ they were free to."""
        shown = self.pixels if pixels is None else pixels
        regions = [(EFFECTS[self.step].rules, self._region(shown))]
        return judge((), self.figures(shown) + measure_figures(self.photo, shown, regions))

    def figures(self, shown: Picture) -> tuple[Figure, ...]:
        """The figures of rooms for these pixels."""
        scene = self.scene
        rules = rules_of(self.step)
        work = RoomChange(rules, self.photo, shown, self._region(shown), scene.surfaces, scene.room)
        return measure_room_figures(work)

    def _region(self, shown: Picture) -> Plane:
        apart = cv2.absdiff(self.pixels, shown).max(-1) > 6
        spread = cv2.dilate(apart.astype(np.float32), np.ones((9, 9), np.uint8))
        small = cv2.resize(spread, self.region.shape[::-1], interpolation=cv2.INTER_AREA)
        return plane(np.maximum(self.region, cv2.GaussianBlur(small, (0, 0), 1.5)))

    @property
    def region_full(self) -> Plane:
        """The region as large as the picture."""
        return plane(cv2.resize(self.region, self.pixels.shape[1::-1], interpolation=cv2.INTER_LINEAR))

    @cached_property
    def covers(self) -> Plane:
        """How much of each pixel is of what stands or lies on the floor, by the furniture's own geometry."""
        return self._covered([each for each in self.placed if not each.raised])

    @cached_property
    def standing(self) -> Plane:
        """The same without rugs."""
        return self._covered([each for each in self.placed if not each.raised and not each.flat])

    def _covered(self, pieces: list[PlacedPiece]) -> Plane:
        height, width = self.pixels.shape[:2]
        camera = self.scene.room.camera.rescale(width / self.scene.small.shape[1])
        parts = [part for piece in pieces for part in piece.parts]
        if not parts:
            return np.zeros((height, width), np.float32)
        return (
            Outlines(join_by_material(parts))
            .trace(RenderView(camera, width, height, (0, 0, width, height), 4))
            .cover
        )


@cache
def staged(seed: int) -> RoomResult | None:
    """A lived room furnished by this machine; None where there is no place."""
    lived = lived_room(seed)
    scene = KnownScene(lived.picture, lived.surfaces, lived.room)
    request = Staging(style=list(Style)[seed % len(Style)], room_type=TYPES[seed // 2 % len(TYPES)])
    canvas = Canvas(
        lived.picture,
        scene,
        EditRequest(enhancements=(Enhancement.STAGING,), staging=request),
        context=EngineContext(order_seed=f"o{seed}"),
    )
    try:
        done = furnish_room(canvas, lived.room, lived.surfaces)
    except Declined:
        return None
    chance = int(create_order_rng(canvas).integers(1 << 30))
    placed = plan_furniture(
        Ground(lived.room, lived.surfaces), FurnitureFactory(request.room_type, request.style, chance)
    )
    return _result(f"staged {seed}", Enhancement.STAGING, scene, done, lived.holes, placed)


def _change(number: int) -> RenovationChange:
    kind, words = CHANGES[number % len(CHANGES)]
    return RenovationChange(change_type=kind, change_description=words)


@cache
def renovated(seed: int) -> RoomResult | None:
    """A lived room with another floor, other walls or both."""
    lived = lived_room(seed)
    scene = KnownScene(lived.picture, lived.surfaces, lived.room)
    changes = tuple(_change(seed + more) for more in range(1 + (seed % 3 == 0)))
    canvas = Canvas(
        lived.picture,
        scene,
        EditRequest(enhancements=(Enhancement.RENOVATION,), changes=changes),
        context=EngineContext(order_seed=f"o{seed}"),
    )
    try:
        done = renovate_room(canvas, lived.room, lived.surfaces, changes)
    except Declined:
        return None
    return _result(f"renovated {seed}", Enhancement.RENOVATION, scene, done, lived.holes)


def box_of(seed: int) -> BoxRoom:
    """A room with a thing to take away, every second with a window."""
    chance = np.random.Generator(np.random.PCG64(seed))
    x, y = chance.uniform(-1.2, 0.6), chance.uniform(2.2, 3.2)
    thing = (x, x + chance.uniform(0.6, 1.6), y, y + chance.uniform(0.5, 0.9), 0.0, chance.uniform(0.4, 0.9))
    left = chance.uniform(0.6, 1.0)
    return BoxRoom(
        floor=("planks", "tiles", "plain")[seed % 3],
        things=(thing,),
        window=(left, left + 1.1, 0.9, 2.1) if seed % 2 else None,
        wall=tuple(chance.uniform(0.62, 0.78) * chance.uniform((0.95, 0.95, 0.9), 1.0)),
        yaw=float(chance.uniform(-0.3, 0.3)),
        pitch=float(chance.uniform(0.05, 0.2)),
        width=768,
        height=512,
        seed=seed,
    )


@cache
def emptied(seed: int) -> RoomResult | None:
    """A box room emptied by this machine."""
    box = box_of(seed)
    pixels, labels = box.drawn(furnished=True)
    surfaces = np.eye(len(Surface), dtype=np.float32)[labels]
    scene = KnownScene(pixels, surfaces, box.room)
    try:
        done = remove_things(Canvas(pixels, scene, EditRequest(enhancements=())), box.room, surfaces)
    except Declined:
        return None
    return _result(f"emptied {seed}", Enhancement.FURNITURE_REMOVAL, scene, done)


def _result(
    name: str,
    step: Enhancement,
    scene: Scene,
    done: EffectResult,
    holes: tuple[Hole, ...] = (),
    placed: tuple[PlacedPiece, ...] = (),
) -> RoomResult:
    assert done.region is not None
    return RoomResult(name, step, scene, done.pixels, done.region, holes, placed)


def as_edit(result: RoomResult) -> RoomResult:
    """The same as a picture server gives it back: all of it redrawn in another tone, laid in where it differs."""
    frame = frame_photo(result.photo, ColorProfile())
    edit = rendered(result.pixels)
    seen = compare_edit(frame.sent, edit, None)
    pixels, region = paste_edit(result.photo, frame, seen, plane(np.ones(frame.sent.shape[:2])))
    return RoomResult(
        f"{result.name}, by a server", result.step, result.scene, pixels, region, result.holes, result.placed
    )
