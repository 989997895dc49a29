"""Things taken out of drawn rooms: floor, skirting, windows and light go on as they truly are; refusals."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from bench.quality.removal import ssim_map
from engine.arrays import plane
from engine.canvas import Canvas, Declined, EffectResult
from engine.color.profiles import ColorProfile
from engine.geometry.estimation import scale_room
from engine.geometry.faces import NO_FACE, list_faces, number_faces
from engine.geometry.rectified_plane import rectify_face
from engine.geometry.surface import PLACE, Surface
from engine.inpainting.face_view import FaceView
from engine.inpainting.filling import fill_face
from engine.inpainting.hidden_openings import complete_opening, is_continued, learn_habits
from engine.inpainting.openings import OpeningKind, WallOpenings, find_openings
from engine.inpainting.patch_offsets import InpaintingHole, choose_offsets
from engine.inpainting.removal import remove_things
from engine.inpainting.texture import inpaint_reached
from engine.segmentation.scene import Scene
from engine.types.edit_request import EditRequest
from engine.types.report import Reason
from tests.engine.box_rooms import BoxRoom

Picture = NDArray[np.uint8]


def shares(labels: Picture) -> NDArray[np.float32]:
    return np.eye(len(Surface), dtype=np.float32)[labels]


def canvas_of(picture: Picture) -> Canvas:
    return Canvas(picture, Scene(picture, ColorProfile(), "a room"), EditRequest(enhancements=()))


@cache
def taken(room: BoxRoom) -> tuple[EffectResult, Picture, Picture, NDArray[np.bool_]]:
    """The room without its things, furnished, empty, and where things stood."""
    furnished, labels = room.drawn(furnished=True)
    empty, _ = room.drawn(furnished=False)
    done = remove_things(canvas_of(furnished), room.room, shares(labels))
    return done, furnished, empty, labels == PLACE[Surface.FURNITURE]


def apart(one: Picture, other: Picture, where: NDArray[np.bool_]) -> float:
    return float(np.abs(one.astype(int) - other.astype(int))[where].mean())


def refused(drawn: BoxRoom, labels: Picture | None = None, **other: object) -> Reason:
    furnished, own = drawn.drawn(furnished=True)
    with pytest.raises(Declined) as declined:
        given = {"room": drawn.room} | other
        remove_things(canvas_of(furnished), surfaces=shares(own if labels is None else labels), **given)
    assert declined.value.message.endswith(".")
    return declined.value.reason


@pytest.mark.long
@pytest.mark.parametrize(
    "floor",
    [pytest.param("planks", marks=pytest.mark.long), "tiles", pytest.param("plain", marks=pytest.mark.long)],
)
def test_the_room_behind_is_close_to_the_true_one(floor: str) -> None:
    done, furnished, empty, gone = taken(BoxRoom(floor=floor))
    telea = cv2.inpaint(furnished, cv2.dilate(gone.astype(np.uint8), np.ones((5, 5))), 5, cv2.INPAINT_TELEA)
    assert ssim_map(done.pixels, empty)[gone].mean() > 0.85
    assert apart(done.pixels, empty, gone) < 0.55 * apart(telea, empty, gone)


@pytest.mark.long
def test_the_joints_of_tiles_meet_across_the_hole() -> None:
    done, _, empty, gone = taken(BoxRoom(floor="tiles"))

    def joints(picture: Picture) -> NDArray[np.float32]:
        gray = plane(picture.mean(2))
        return (cv2.GaussianBlur(gray, (0, 0), 6) - cv2.GaussianBlur(gray, (0, 0), 0.7))[gone]

    assert np.corrcoef(joints(done.pixels), joints(empty))[0, 1] > 0.8


@pytest.mark.long
def test_the_skirting_goes_on_straight() -> None:
    room = BoxRoom(things=((-0.6, 0.9, 3.6, 4.5, 0.0, 0.75),))
    done, _, empty, gone = taken(room)
    spots = np.array([[x, room.far, z] for x in np.linspace(-0.55, 0.85, 60) for z in (0.03, 0.07, 0.16)])
    at = np.floor(room.camera.project(spots)[0]).astype(int)
    hidden = gone[at[:, 1], at[:, 0]]
    assert hidden.mean() > 0.9
    found, true = (picture[at[:, 1], at[:, 0]].mean(1) for picture in (done.pixels, empty))
    assert np.abs(found - true).max() < 14


def labeled(
    room: BoxRoom, labels: Picture, spots: NDArray[np.float64], surface: Surface
) -> tuple[Picture, Picture]:
    """The labels with another surface where these spots of the far wall are wall or window, and these pixels."""
    at = np.floor(room.camera.project(spots)[0]).astype(int)
    at = at[(at >= 0).all(1) & (at[:, 0] < labels.shape[1]) & (at[:, 1] < labels.shape[0])]
    at = at[np.isin(labels[at[:, 1], at[:, 0]], [PLACE[Surface.WALL], PLACE[Surface.WINDOW]])]
    changed = labels.copy()
    changed[at[:, 1], at[:, 0]] = PLACE[surface]
    return changed, at


def test_skirting_that_is_not_labeled_as_wall_goes_on_too() -> None:
    room = BoxRoom(things=((-0.6, 0.9, 3.6, 4.5, 0.0, 0.75),))
    furnished, labels = room.drawn(furnished=True)
    foot = np.array([[x, room.far, z] for x in np.linspace(-3, 3, 900) for z in np.linspace(0, 0.14, 40)])
    labels, _ = labeled(room, labels, foot, Surface.OTHER)
    done = remove_things(canvas_of(furnished), room.room, shares(labels))
    hidden = np.array([[x, room.far, 0.05] for x in np.linspace(-0.5, 0.8, 40)])
    at = np.floor(room.camera.project(hidden)[0]).astype(int)
    found, true = (each[at[:, 1], at[:, 0]].mean(1) for each in (done.pixels, room.drawn(furnished=False)[0]))
    assert np.abs(found - true).mean() < 12


def test_a_frame_that_is_labeled_as_wall_stays_beside_a_thing() -> None:
    room = BoxRoom(window=(-1.2, 0.8, 0.9, 2.2), things=((0.85, 1.5, 4.2, 4.5, 0.0, 1.7),))
    furnished, labels = room.drawn(furnished=True)
    frame = np.array([[x, room.far, z] for x in np.linspace(0.745, 0.795, 12) for z in np.linspace(1.0, 1.6, 200)])
    labels, at = labeled(room, labels, frame, Surface.WALL)
    done = remove_things(canvas_of(furnished), room.room, shares(labels))
    found, true = (each[at[:, 1], at[:, 0]].mean(1) for each in (done.pixels, furnished))
    assert len(at) > 20
    assert np.abs(found - true).mean() < 6


def test_a_shadow_goes_with_its_thing() -> None:
    done, furnished, empty, gone = taken(BoxRoom(floor="plain"))
    dark = ~cv2.dilate(gone.astype(np.uint8), np.ones((7, 7))).astype(bool) & (
        empty.astype(int).mean(2) - furnished.astype(int).mean(2) > 10
    )
    assert dark.sum() > 100
    assert apart(done.pixels, empty, dark) < 0.3 * apart(furnished, empty, dark)


@pytest.mark.long
def test_the_light_behind_goes_on_as_it_falls() -> None:
    done, _, empty, gone = taken(BoxRoom(floor="plain", things=((0.2, 1.4, 3.9, 4.55, 0.0, 2.0),)))
    soft = [cv2.GaussianBlur(plane(picture), (0, 0), 4)[gone] for picture in (done.pixels, empty)]
    assert np.abs(soft[0] - soft[1]).mean() < 5


def test_nothing_changes_outside_the_matte() -> None:
    done, furnished, _, gone = taken(BoxRoom())
    assert done.matte is not None
    assert done.matte.shape == furnished.shape[:2]
    assert np.array_equal(done.pixels[done.matte == 0], furnished[done.matte == 0])
    assert (done.matte[gone] > 200).mean() > 0.97
    assert (done.matte == 0).mean() > 0.6


@pytest.mark.long
def test_a_large_photo_is_worked_at_its_size() -> None:
    room = BoxRoom(width=900, height=600)
    furnished, labels = room.drawn(furnished=True)
    small = shares(cv2.resize(labels, (768, 512), interpolation=cv2.INTER_NEAREST))
    done = remove_things(canvas_of(furnished), scale_room(room.room, 768 / 900), small)
    empty, _ = room.drawn(furnished=False)
    assert done.pixels.shape == furnished.shape
    assert ssim_map(done.pixels, empty)[labels == PLACE[Surface.FURNITURE]].mean() > 0.85


@pytest.mark.long
def test_a_window_partly_hidden_keeps_its_sill_straight() -> None:
    room = BoxRoom(window=(-1.2, 0.8, 0.9, 2.2), things=((-0.6, 0.1, 3.6, 4.5, 0.0, 1.1),))
    done, _, empty, gone = taken(room)
    spots = np.array([[x, room.far, z] for x in np.linspace(-0.5, 0.0, 30) for z in (0.8, 0.93, 1.0)])
    at = np.floor(room.camera.project(spots)[0]).astype(int)
    assert gone[at[:, 1], at[:, 0]].mean() > 0.4
    found, true = (picture[at[:, 1], at[:, 0]].mean(1) for picture in (done.pixels, empty))
    assert np.abs(found - true).mean() < 6


@pytest.mark.long
def test_a_sill_that_is_nowhere_seen_is_put_where_most_rooms_have_it() -> None:
    room = BoxRoom(window=(-0.5, 0.5, 0.9, 2.2), things=((-1.2, 1.2, 4.0, 4.5, 0.0, 1.3),))
    done, furnished, empty, gone = taken(room)
    assert (done.matte[gone] > 200).mean() > 0.97
    spots = np.array([[x, room.far, z] for x in np.linspace(-0.4, 0.4, 20) for z in (0.7, 0.8, 1.02, 1.15)])
    at = np.floor(room.camera.project(spots)[0]).astype(int)
    assert gone[at[:, 1], at[:, 0]].mean() > 0.9
    found, true, before = (picture[at[:, 1], at[:, 0]].mean(1) for picture in (done.pixels, empty, furnished))
    assert np.abs(found - true).mean() < 10
    assert np.abs(before - true).mean() > 60


@pytest.mark.long
def test_a_window_nearly_wholly_hidden_is_not_guessed() -> None:
    room = BoxRoom(window=(-0.5, 0.5, 0.9, 2.2), things=((-1.2, 1.2, 4.0, 4.5, 0.0, 1.97),))
    assert refused(room) is Reason.OPENING_HIDDEN


@pytest.mark.long
def test_things_that_touch_each_other_before_a_window_all_go() -> None:
    things = ((-1.2, 0.2, 4.0, 4.5, 0.0, 1.3), (-0.1, 0.8, 3.0, 4.0, 0.0, 0.6), (0.6, 1.5, 2.4, 3.3, 0.0, 0.8))
    room = BoxRoom(window=(-0.5, 0.9, 0.9, 2.2), things=things, floor="tiles")
    done, _, empty, gone = taken(room)
    assert cv2.connectedComponents(gone.astype(np.uint8))[0] == 2
    assert (done.matte[gone] > 200).mean() > 0.97
    assert ssim_map(done.pixels, empty)[gone].mean() > 0.85


def test_what_a_mask_misses_of_a_thing_goes_with_it() -> None:
    room = BoxRoom(floor="plain")
    furnished, labels = room.drawn(furnished=True)
    empty, _ = room.drawn(furnished=False)
    gone = labels == PLACE[Surface.FURNITURE]
    missed = gone & ~cv2.erode(gone.astype(np.uint8), np.ones((9, 9))).astype(bool)
    blind = np.where(missed, PLACE[Surface.FLOOR], labels).astype(np.uint8)
    done = remove_things(canvas_of(furnished), room.room, shares(blind))
    assert apart(done.pixels, empty, missed) < 0.3 * apart(furnished, empty, missed)


@pytest.mark.parametrize("low", [0.6, 1.15])
def test_a_hidden_sill_is_as_high_as_the_next_windows(low: float) -> None:
    seen, hidden = (-1.6, -0.6, low, 2.2), (0.3, 1.3, low, 2.2)
    wall = wall_with((seen, hidden), kind=0, hiding=(0.0, 1.6, 0.0, 1.4))
    rect = complete_opening(wall.openings[-1], wall, learn_habits([wall]))
    assert rect is not None
    assert (rect.low, rect.high) == pytest.approx((low, 2.2), abs=0.06)


def test_a_curtain_that_a_thing_cuts_off_hangs_on_to_the_floor() -> None:
    wall = wall_with(((0.3, 0.7, 0.0, 2.3),), kind=2, hiding=(0.0, 1.6, 0.0, 1.0))
    assert is_continued(wall.openings[0], wall)
    rect = complete_opening(wall.openings[0], wall, learn_habits([wall]))
    assert rect is not None
    assert rect.low == pytest.approx(0, abs=0.05)


def test_a_picture_that_hangs_right_above_a_thing_is_not_continued() -> None:
    picture = (0.3, 1.1, 1.25, 1.95)
    wall = wall_with((picture,), kind=2, hiding=(0.0, 1.6, 0.0, 1.25))
    assert not is_continued(wall.openings[0], wall)
    beside_a_window = wall_with((picture,), kind=2, hiding=(0.0, 1.6, 0.0, 1.25), panes=((1.15, 2.0, 0.9, 2.1),))
    assert is_continued(next(each for each in beside_a_window.openings if each.own.any()), beside_a_window)


def test_a_curtain_tied_above_the_floor_ends_where_a_part_of_it_does() -> None:
    pane, whole, cut = (0.3, 1.1, 0.9, 2.1), (-0.1, 0.28, 0.5, 2.2), (0.28, 0.7, 0.5, 2.2)
    free = wall_with((whole, cut), kind=2, hiding=(0.28, 0.8, 0.0, 0.6), panes=(pane,))
    assert not any(is_continued(each, free) for each in free.openings if each.kind is OpeningKind.HANGING)
    hidden = wall_with((whole, cut), kind=2, hiding=(-0.3, 0.8, 0.0, 0.6), panes=(pane,))
    assert any(is_continued(each, hidden) for each in hidden.openings if each.kind is OpeningKind.HANGING)


@pytest.mark.parametrize(("floor", "is_done"), [("planks", False), ("plain", True)])
def test_boards_are_not_continued_far_behind_large_beds(floor: str, is_done: bool) -> None:
    room = BoxRoom(floor=floor, things=((-1.2, 1.2, 2.7, 4.5, 0.0, 0.7),))
    if is_done:
        done, _, _, gone = taken(room)
        assert done.matte is not None
        assert (done.matte[gone] > 200).mean() > 0.97
    else:
        assert refused(room) is Reason.TOO_MUCH_HIDDEN


def wall_with(
    parts: tuple[tuple[float, float, float, float], ...],
    kind: int,
    hiding: tuple[float, float, float, float],
    panes: tuple[tuple[float, float, float, float], ...] = (),
) -> WallOpenings:
    """The far wall of a drawn room with parts (left, right, low, high) of one kind, and a thing before them."""
    room = BoxRoom(width=840, height=560)
    face = list_faces(room.room)[2]
    rows, columns = np.indices((room.height, room.width)) + 0.5
    spots = np.column_stack([columns.ravel(), rows.ravel(), np.ones(rows.size)])
    flat = spots @ np.linalg.inv(face.compute_homography(room.room)).T
    x, z = (flat[:, each].reshape(rows.shape) / flat[:, 2].reshape(rows.shape) for each in (0, 1))
    x = x + room.left

    def inside(part: tuple[float, float, float, float]) -> NDArray[np.bool_]:
        return np.asarray((x > part[0]) & (x < part[1]) & (z > part[2]) & (z < part[3]))

    thing, own = inside(hiding), number_faces(room.room, rows.shape) == 2
    mask = np.any([inside(each) for each in parts], axis=0) & ~thing
    masks = [mask if each == kind else np.zeros_like(mask) for each in range(3)]
    for pane in panes:
        masks[0] |= inside(pane) & ~thing & ~mask
    sheet = rectify_face(face, room.room, own & ~thing, thing & own)
    assert sheet is not None
    wanted = sheet.rectify(plane(thing & own)) > 0.01
    return find_openings(sheet, own & ~thing, (masks[0], masks[1], masks[2]), np.asarray(wanted))


@pytest.mark.long
def test_people_stay() -> None:
    room = BoxRoom(things=((-0.6, 0.9, 2.6, 3.4, 0.0, 0.75), (-1.6, -1.2, 2.6, 2.9, 0.0, 1.6)))
    furnished, labels = room.drawn(furnished=True)
    person = replace(room, things=room.things[1:]).drawn(furnished=True)[1] == PLACE[Surface.FURNITURE]
    labels[person] = PLACE[Surface.OTHER]
    done = remove_things(canvas_of(furnished), room.room, shares(labels))
    inner = cv2.erode(person.astype(np.uint8), np.ones((5, 5))) > 0
    assert np.array_equal(done.pixels[inner], furnished[inner])


def test_an_empty_room_has_nothing_to_remove() -> None:
    room = BoxRoom(things=())
    assert refused(room) is Reason.NOTHING_TO_REMOVE


def test_a_room_full_of_things_is_refused() -> None:
    room = BoxRoom()
    _, labels = room.drawn(furnished=True)
    labels[60:] = PLACE[Surface.FURNITURE]
    assert refused(room, labels) is Reason.TOO_MUCH_HIDDEN


def test_a_room_without_floor_in_view_is_refused() -> None:
    room = BoxRoom()
    _, labels = room.drawn(furnished=True)
    labels[labels == PLACE[Surface.FLOOR]] = PLACE[Surface.DOOR]
    assert refused(room, labels) is Reason.TOO_MUCH_HIDDEN


def test_furniture_is_not_removed_from_a_room_that_is_not_understood() -> None:
    assert refused(BoxRoom(), room=None) is Reason.TOO_MUCH_HIDDEN


def test_a_cupboard_of_which_only_pieces_show_between_things_is_not_torn() -> None:
    drawn = BoxRoom()
    labels = drawn.drawn(furnished=True)[1]
    rows, columns = np.nonzero(labels == PLACE[Surface.FURNITURE])
    middle = round(rows.mean()), round(columns.mean())
    labels[middle[0] - 10 : middle[0] + 10, middle[1] - 14 : middle[1] + 14] = PLACE[Surface.CABINET]
    assert refused(drawn, labels) is Reason.OPENING_HIDDEN


def test_an_open_plan_of_many_corners_is_refused() -> None:
    known = BoxRoom().room
    assert refused(BoxRoom(), room=replace(known, walls=known.walls * 2)) is Reason.ROOM_UNCLEAR


def test_each_pixel_of_the_empty_room_is_on_the_face_it_shows() -> None:
    room = BoxRoom()
    _, labels = room.drawn(furnished=False)
    found = number_faces(room.room, labels.shape)
    kinds = np.array([PLACE[face.surface] for face in list_faces(room.room)])
    assert (found != NO_FACE).all()
    assert (kinds[found] == labels).mean() > 0.99


def test_the_period_of_a_pattern_is_among_the_moves_tried() -> None:
    rows, columns = np.indices((200, 260))
    pattern = plane(np.where((rows % 31 < 3) | (columns % 43 < 3), -0.5, 0.0))
    wanted = np.zeros(pattern.shape, bool)
    wanted[60:140, 90:170] = True
    values = cv2.merge([pattern] * 3)
    values[wanted] = 0
    moves = choose_offsets(InpaintingHole(values, ~wanted, wanted), 8)
    regular = [move for move in moves if move[0] % 31 == 0 and move[1] % 43 == 0]
    assert len(regular) >= 4


def test_a_hole_without_cells_leaves_the_picture_as_it_is() -> None:
    nothing = np.zeros((120, 160), bool)
    values = plane(np.random.Generator(np.random.PCG64(3)).random((120, 160, 3)))
    done, reached = inpaint_reached(InpaintingHole(values, ~nothing, nothing), 4)
    assert np.array_equal(done, values)
    assert not reached.any()


def test_a_patterned_floor_stays_where_too_little_is_wanted_to_be_a_cell_of_it() -> None:
    drawn = BoxRoom(things=())
    floor = list_faces(drawn.room)[0]
    labels = drawn.drawn(furnished=False)[1]
    seen = np.asarray(labels == PLACE[Surface.FLOOR])
    crumb = np.zeros_like(seen)
    crumb[tuple(np.argwhere(seen)[-1])] = True
    sheet = rectify_face(floor, drawn.room, seen & ~crumb, crumb)
    assert sheet is not None
    rows, columns = np.indices(sheet.shape)
    values = cv2.merge([plane(np.where((rows // 12 + columns // 12) % 2, -0.6, -0.9))] * 3)
    nothing = np.zeros(sheet.shape, bool)
    done = fill_face(FaceView(sheet, values, ~nothing, nothing), drawn.room)
    assert done is not None
    assert not done.made.any()
    assert np.isfinite(done.values).all()
