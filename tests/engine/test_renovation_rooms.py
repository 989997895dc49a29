"""Renovated rooms: drawn ones of which camera, surfaces and light are known."""

import io
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from engine.arrays import Mask, Pixels, Plane, plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.color.channels import rgb_to_gray
from engine.color.difference import compute_delta_e, srgb_to_lab
from engine.color.profiles import ColorProfile
from engine.color.srgb import linear_to_srgb, srgb_to_linear
from engine.effects.virtual_renovation import renovate_room
from engine.geometry.camera import Camera
from engine.geometry.room import Room, Wall
from engine.geometry.seen_plane import project_plane
from engine.geometry.surface import PLACE, Surface
from engine.materials.adapted_light import measure_kept_shading
from engine.segmentation.scene import Scene
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.report import Reason
from tests.engine.wide_spaces import WIDE, looks_apart, stored_in

WIDTH, HEIGHT, FOCAL = 768, 512, 520.0
LEVEL = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
CAMERA = Camera(FOCAL, (WIDTH / 2, 210.0), LEVEL, 1.4)
SRGB = ColorProfile()
WALLS = (Wall((-2.2, 0.2), (-2.2, 5.0)), Wall((-2.2, 5.0), (2.2, 5.0)), Wall((2.2, 5.0), (2.2, 0.2)))
ROOM = Room(CAMERA, WALLS, 2.7)
OAK = RenovationChange(change_type=ChangeType.FLOOR, change_description="Light oak planks, matt")
NAVY = RenovationChange(change_type=ChangeType.WALLS, change_description="navy blue walls")


@cache
def drawn() -> tuple[Pixels, Plane, Plane]:
    """A room with a tiled floor, a shadow over its left half and a kitchen; its labels and its light."""
    y, x = np.mgrid[:HEIGHT, :WIDTH] + 0.5
    places = np.stack([x.ravel(), y.ravel()], 1)
    labels = np.full((HEIGHT, WIDTH), PLACE[Surface.CEILING])
    floor = CAMERA.intersect_floor(places).reshape(HEIGHT, WIDTH, 3)
    on_floor = (np.abs(floor[..., 0]) < 2.2) & (floor[..., 1] < 5.0)
    depth, high = np.full(labels.shape, np.inf), np.zeros(labels.shape)
    for wall in WALLS:
        met = CAMERA.intersect(places, wall.inward, wall.distance).reshape(HEIGHT, WIDTH, 3)
        nearer = np.nan_to_num(met[..., 1], nan=np.inf) < depth if wall.along[0] else np.abs(met[..., 1]) < 5.0
        here = (
            nearer & (np.abs(met[..., 0]) < 2.21) & (met[..., 1] < 5.01) & (met[..., 2] > 0) & (met[..., 2] < 2.7)
        )
        labels[here], high[here], depth[here] = PLACE[Surface.WALL], met[here][:, 2], 4.9
    labels[on_floor] = PLACE[Surface.FLOOR]
    far = (labels == PLACE[Surface.WALL]) & (np.abs(x - WIDTH / 2) < 150) & (y < 360)
    for name, bottom, top in (
        (Surface.CABINET, 0.0, 0.86),
        (Surface.COUNTERTOP, 0.86, 0.95),
        (Surface.CABINET, 1.5, 2.2),
    ):
        labels[far & (high >= bottom) & (high < top)] = PLACE[name]
    tone = np.array([0.55, 0.7, 0.88, 0.6, 0.6, 0.4, 0.5, 0.3, 0.4, 0.4, 0.4])[labels]
    joints = on_floor & ((np.mod(floor[..., 0], 0.4) < 0.012) | (np.mod(floor[..., 1], 0.4) < 0.012))
    chequer = (np.floor(floor[..., 0] / 0.4) * 7 + np.floor(floor[..., 1] / 0.4) * 13) % 5 / 5
    tone = np.where(on_floor, 0.36 + 0.08 * np.nan_to_num(chequer), tone) * np.where(joints, 0.5, 1)
    light = (0.55 + 0.35 * x / WIDTH) * np.where(on_floor & (floor[..., 0] < -0.3), 0.45, 1.0)
    noise = np.random.Generator(np.random.PCG64(4)).normal(0, 0.004, tone.shape)
    picture = tone * light + noise
    picture = np.stack([picture * each for each in (1.0, 0.97, 0.92)], -1)
    return (linear_to_srgb(plane(picture)) * 255).astype(np.uint8), plane(labels), plane(light)


def surfaces() -> Plane:
    labels = drawn()[1]
    return plane(np.stack([labels == place for place in range(len(Surface))], -1))


def where(surface: Surface) -> Mask:
    return np.asarray(drawn()[1] == PLACE[surface])


def deep(mask: Mask, pixels: int = 6) -> Mask:
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((2 * pixels + 1, 2 * pixels + 1))) > 0)


@cache
def renovated(*changes: RenovationChange, room: Room | None = ROOM, space: ColorProfile = SRGB) -> EffectResult:
    pixels = stored_in(space, drawn()[0])
    canvas = Canvas(
        pixels,
        Scene(pixels, space, "drawn"),
        EditRequest(enhancements=(Enhancement.RENOVATION,)),
        context=EngineContext(order_seed="order"),
    )
    return renovate_room(canvas, room, surfaces(), changes)


@pytest.mark.parametrize("space", WIDE.values(), ids=WIDE)
@pytest.mark.parametrize("change", [OAK, NAVY], ids=["floor", "walls"])
def test_a_new_surface_has_the_same_color_in_every_space(change: RenovationChange, space: ColorProfile) -> None:
    plain, wide = renovated(change), renovated(change, space=space)
    new = plain.matte > 200
    assert np.median(looks_apart(plain.pixels, wide.pixels, space)[new]) < 1
    kept = wide.matte == 0
    assert np.array_equal(wide.pixels[kept], stored_in(space, drawn()[0])[kept])


def linear(pixels: Pixels) -> Plane:
    return srgb_to_linear(plane(pixels) / np.float32(255))


def test_a_wall_that_ends_where_the_picture_shows_no_edge_is_declined() -> None:
    wrong = surfaces().copy()
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    island = where(Surface.WALL) & (np.sin(x / 9.0) + np.sin(y / 11.0) > 0.2)
    wrong[island] = np.eye(len(Surface))[PLACE[Surface.OTHER]]
    pixels = drawn()[0]
    canvas = Canvas(
        pixels,
        Scene(pixels, ColorProfile(), "drawn"),
        EditRequest(enhancements=(Enhancement.RENOVATION,)),
        context=EngineContext(order_seed="order"),
    )
    with pytest.raises(Declined) as declined:
        renovate_room(
            canvas, ROOM, wrong, [RenovationChange(change_type=ChangeType.WALLS, change_description="sage green")]
        )
    assert declined.value.reason is Reason.SURFACE_UNCLEAR


FLOORS = (
    "Wide oak planks, matt",
    "dark walnut herringbone",
    "60x60 gray tiles",
    "light gray carpet",
    "white marble",
)
SOME_LONG = [FLOORS[0], *(pytest.param(each, marks=pytest.mark.long) for each in FLOORS[1:])]


@pytest.mark.long
@pytest.mark.parametrize("text", SOME_LONG)
def test_outside_the_floor_nothing_changes(text: str) -> None:
    after = renovated(RenovationChange(change_type=ChangeType.FLOOR, change_description=text)).pixels
    outside = ~where(Surface.FLOOR)
    apart = compute_delta_e(srgb_to_lab(drawn()[0])[outside], srgb_to_lab(after)[outside])
    assert float(apart.mean()) <= 0.3
    assert np.array_equal(drawn()[0][deep(outside)], after[deep(outside)])


@pytest.mark.parametrize("text", SOME_LONG)
def test_the_light_on_the_floor_is_kept(text: str) -> None:
    after = renovated(RenovationChange(change_type=ChangeType.FLOOR, change_description=text)).pixels
    assert measure_kept_shading(linear(drawn()[0]), linear(after), plane(where(Surface.FLOOR))) >= 0.8


@pytest.mark.parametrize("text", SOME_LONG)
def test_a_shadow_keeps_its_edge_and_its_depth(text: str) -> None:
    after = rgb_to_gray(
        linear(renovated(RenovationChange(change_type=ChangeType.FLOOR, change_description=text)).pixels)
    )
    edge = CAMERA.project(np.array([[-0.3, 3.0, 0.0]]))[0][0]
    row, column = int(edge[1]), int(edge[0])
    shadow = after[row - 6 : row + 6, column - 40 : column - 12].mean()
    sunlit = after[row - 6 : row + 6, column + 12 : column + 40].mean()
    assert shadow / sunlit < 0.72
    near = after[row - 6 : row + 6, column - 10 : column - 6].mean()
    assert near / sunlit < 0.85


@pytest.mark.long
def test_the_old_joints_are_gone() -> None:
    after = rgb_to_gray(
        linear(
            renovated(RenovationChange(change_type=ChangeType.FLOOR, change_description="light gray carpet")).pixels
        )
    )
    before = rgb_to_gray(linear(drawn()[0]))
    here = deep(where(Surface.FLOOR))
    rough = [float(np.abs(cv2.Laplacian(np.log(each + 0.01), cv2.CV_32F))[here].mean()) for each in (before, after)]
    assert rough[1] < 0.75 * rough[0]


@pytest.mark.long
def test_boards_narrow_with_the_distance_as_the_camera_says() -> None:
    after = renovated(
        RenovationChange(
            change_type=ChangeType.FLOOR, change_description="black and white checkerboard tiles, 40x40 cm"
        )
    ).pixels
    bright = rgb_to_gray(linear(after)) > 0.12
    for away in (2.6, 4.2):
        row = int(CAMERA.project(np.array([[1.0, away, 0.0]]))[0][0, 1])
        lit = slice(WIDTH // 2, WIDTH // 2 + int(1.6 * FOCAL / away))
        changes = np.flatnonzero(np.diff(bright[row, lit].astype(int)))
        assert np.diff(changes).mean() == pytest.approx(0.4 * FOCAL / away, rel=0.06)


def test_meters_of_a_plane_are_those_of_the_camera() -> None:
    across, along = np.array([1.0, 0, 0]), np.array([0.0, 1, 0])
    seen = project_plane(CAMERA, np.array([0.0, 0, 1]), 0.0, along, across)
    spots = seen.find_spots(slice(400, 402), slice(300, 303))
    wanted = CAMERA.intersect_floor(np.array([[302.5, 401.5]]))[0]
    assert (spots.across[1, 2], spots.along[1, 2]) == pytest.approx((wanted[0], wanted[1]), abs=1e-4)
    twice = seen.rescale(2).find_spots(slice(803, 804), slice(605, 606))
    assert (twice.across[0, 0], twice.along[0, 0]) == pytest.approx((wanted[0], wanted[1]), abs=0.01)


def test_painted_walls_have_the_new_color_and_the_old_light() -> None:
    after = renovated(NAVY).pixels
    walls = deep(where(Surface.WALL))
    red, _, blue = linear(after)[walls].mean(0)
    assert blue > 2 * red
    assert measure_kept_shading(linear(drawn()[0]), linear(after), plane(where(Surface.WALL))) >= 0.95
    assert np.array_equal(after[deep(where(Surface.FLOOR))], drawn()[0][deep(where(Surface.FLOOR))])


def test_skirting_and_sockets_keep_their_color() -> None:
    """On a wall of its own: a white skirting board of ten centimeters, and a dark socket."""
    pixels = drawn()[0].copy()
    low, high = (int(CAMERA.project(np.array([[1.7, 5.0, each]]))[0][0, 1]) for each in (0.0, 0.1))
    left, right = (int(CAMERA.project(np.array([[each, 5.0, 0.0]]))[0][0, 0]) for each in (1.55, 2.1))
    pixels[high:low, left:right] = 250
    pixels[300:312, 590:602] = 60
    canvas = Canvas(
        pixels,
        Scene(pixels, ColorProfile(), "skirting"),
        EditRequest(enhancements=(Enhancement.RENOVATION,)),
        context=EngineContext(order_seed="order"),
    )
    after = renovate_room(canvas, ROOM, surfaces(), [NAVY]).pixels
    board = np.s_[high + 2 : low - 2, left + 4 : right - 4]
    assert np.abs(after[board].astype(int) - pixels[board]).max() <= 3
    assert np.abs(after[303:309, 593:599].astype(int) - 60).max() <= 3
    assert after[280, 596, 0] < 80


@pytest.mark.long
def test_bricks_lie_on_every_wall_and_are_level() -> None:
    after = rgb_to_gray(
        linear(
            renovated(
                RenovationChange(change_type=ChangeType.WALLS, change_description="exposed brick walls")
            ).pixels
        )
    )
    for box in (np.s_[60:160, 20:80], np.s_[60:120, 330:440], np.s_[60:160, 690:750]):
        assert float(after[box].std() / after[box].mean()) > 0.12


def test_cabinets_are_painted_and_their_countertop_is_not() -> None:
    after = renovated(
        RenovationChange(change_type=ChangeType.CABINETS, change_description="sage green cabinets")
    ).pixels
    cabinets = linear(after)[deep(where(Surface.CABINET))].mean(0)
    assert cabinets[1] > cabinets[0]
    top = deep(where(Surface.COUNTERTOP), 2)
    assert np.array_equal(after[top], drawn()[0][top])


@pytest.mark.long
def test_a_backsplash_lies_between_countertop_and_cabinets() -> None:
    done = renovated(
        RenovationChange(change_type=ChangeType.BACKSPLASH, change_description="dark green subway tiles")
    )
    assert done.matte is not None
    found = done.matte > 128
    rows = np.flatnonzero(found.any(1))
    highest, lowest = (CAMERA.project(np.array([[0.0, 5.0, each]]))[0][0, 1] for each in (1.5, 0.95))
    assert rows[0] == pytest.approx(highest, abs=4)
    assert rows[-1] == pytest.approx(lowest, abs=4)


@pytest.mark.long
def test_countertops_change_alone() -> None:
    after = renovated(
        RenovationChange(change_type=ChangeType.COUNTERTOPS, change_description="black granite, polished")
    ).pixels
    top = deep(where(Surface.COUNTERTOP), 2)
    assert float(rgb_to_gray(linear(after))[top].mean()) < 0.6 * float(rgb_to_gray(linear(drawn()[0]))[top].mean())
    assert np.array_equal(after[deep(where(Surface.CABINET), 4)], drawn()[0][deep(where(Surface.CABINET), 4)])


def test_without_a_room_walls_are_painted_and_patterns_declined() -> None:
    done = renovated(NAVY, OAK, room=None)
    assert [(each.applied, each.reason) for each in done.changes] == [(True, None), (False, Reason.ROOM_UNCLEAR)]


@pytest.mark.long
def test_each_change_that_cannot_be_done_is_declined_for_itself() -> None:
    changes = [
        OAK,
        RenovationChange(change_type=ChangeType.WALLS, change_description="make it nice please"),
        RenovationChange(change_type=ChangeType.LIGHTING, change_description="brass pendant lamps"),
        RenovationChange(change_type=ChangeType.EXTERIOR, change_description="white painted facade"),
        RenovationChange(change_type=ChangeType.OTHER, change_description="something in pure white"),
        RenovationChange(change_type=ChangeType.OTHER, change_description="cabinets in sage green"),
        RenovationChange(change_type=ChangeType.FIXTURES, change_description="hide the rust stains"),
    ]
    done = renovated(*changes)
    assert [each.index for each in done.changes if each.applied] == [0, 5]
    reasons = [each.reason for each in done.changes if not each.applied]
    none, words = Reason.NOT_AVAILABLE, Reason.NOT_UNDERSTOOD
    assert reasons == [words, none, none, words, Reason.HIDES_DEFECTS]
    assert all(each.message for each in done.changes if not each.applied)


def with_reference(change: RenovationChange, color: tuple[int, int, int] | None) -> EffectResult:
    """The change done by an engine that opens a picture of this color, or a broken one."""
    file = io.BytesIO(b"no picture")
    if color is not None:
        file = io.BytesIO()
        Image.new("RGB", (120, 90), color).save(file, "PNG")
    pixels = drawn()[0]
    context = EngineContext(open_reference=lambda key: io.BytesIO(file.getvalue()))
    scene = Scene(pixels, ColorProfile(), "drawn")
    return renovate_room(
        Canvas(pixels, scene, EditRequest(enhancements=(Enhancement.RENOVATION,)), context=context),
        ROOM,
        surfaces(),
        [change],
    )


@pytest.mark.long
def test_a_reference_picture_gives_its_color_to_walls_and_to_named_materials() -> None:
    walls = RenovationChange(
        change_type=ChangeType.WALLS, change_description="like in the picture", reference_images=("uploads/green",)
    )
    red, green, _ = linear(with_reference(walls, (60, 110, 70)).pixels)[deep(where(Surface.WALL))].mean(0)
    assert green > 1.8 * red
    floor = RenovationChange(
        change_type=ChangeType.FLOOR, change_description="oak planks as shown", reference_images=("uploads/dark",)
    )
    own = linear(
        renovated(RenovationChange(change_type=ChangeType.FLOOR, change_description="oak planks as shown")).pixels
    )[deep(where(Surface.FLOOR))]
    dark = linear(with_reference(floor, (60, 45, 35)).pixels)[deep(where(Surface.FLOOR))]
    assert float(dark.mean()) < 0.6 * float(own.mean())


@pytest.mark.parametrize(
    ("kind", "color", "reason"),
    [
        (ChangeType.FLOOR, (90, 80, 70), Reason.NOT_UNDERSTOOD),
        (ChangeType.WALLS, None, Reason.REFERENCE_UNUSABLE),
    ],
)
def test_a_reference_that_says_too_little_is_declined(kind, color, reason: Reason) -> None:
    with pytest.raises(Declined) as caught:
        with_reference(
            RenovationChange(
                change_type=kind, change_description="like in the picture", reference_images=("uploads/one",)
            ),
            color,
        )
    assert caught.value.reason is reason


def test_nothing_done_is_a_step_declined() -> None:
    with pytest.raises(Declined) as caught:
        renovated(
            RenovationChange(change_type=ChangeType.WALLS, change_description="hide the cracks, white"),
            RenovationChange(change_type=ChangeType.FLOOR, change_description="cover the stains"),
        )
    assert caught.value.reason is Reason.HIDES_DEFECTS


def test_a_surface_that_is_not_there_is_said_to_be_missing() -> None:
    pixels = drawn()[0]
    canvas = Canvas(
        pixels,
        Scene(pixels, ColorProfile(), "drawn"),
        EditRequest(enhancements=(Enhancement.RENOVATION,)),
        context=EngineContext(order_seed="order"),
    )
    nothing = plane(np.zeros((HEIGHT, WIDTH, len(Surface))))
    with pytest.raises(Declined) as caught:
        renovate_room(canvas, ROOM, nothing, [OAK])
    assert caught.value.reason is Reason.SURFACE_NOT_FOUND
