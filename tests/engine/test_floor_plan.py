"""The floor plan: spots are where the photo shows them, and a layout that is chosen is what the engine makes."""

import io
import math
from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest
from PIL import Image

from engine.effects import virtual_staging
from engine.geometry.surface import PLACE, Surface
from engine.io.photo import DecodedPhoto, decode
from engine.outlook.floor_plan import MAX_LAYOUTS, find_homography
from engine.outlook.reading import PhotoOutlooks, read_outlook
from engine.pipeline import apply_effects
from engine.rendering.layout.placed import PlacedPiece
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style
from engine.types.floor_plan import FloorPlan, PlannedLayout, PlannedPiece
from engine.types.hint_document import read_hints
from engine.types.hints import Piece, PlacementHint, Point, SceneHints
from tests import scenes
from tests.engine.box_rooms import BoxRoom

ROOM = BoxRoom(left=-3.0, right=3.2, far=6.0, width=600, height=400, things=())
STEPS = (Enhancement.STAGING,)


class Planned(Exception):
    """The engine was about to render; `placed` is what."""

    def __init__(self, placed: Sequence[PlacedPiece]) -> None:
        super().__init__()
        self.placed = placed


def photo(picture: scenes.Picture) -> DecodedPhoto:
    return decode(io.BytesIO(scenes.encoded(picture, "PNG")))


def request(hints: SceneHints | None = None, room_type: RoomType = RoomType.LIVING_ROOM) -> EditRequest:
    return EditRequest(STEPS, Staging(Style.MODERN, room_type), hints=hints)


@cache
def plan(room_type: RoomType = RoomType.LIVING_ROOM) -> FloorPlan:
    found = read_outlook(photo(ROOM.drawn(furnished=False)[0]), request(room_type=room_type)).plan
    assert found is not None
    return found


def preview(picture: scenes.Picture, hints: SceneHints) -> bytes | None:
    kept: list[bytes] = []
    PhotoOutlooks().read(io.BytesIO(scenes.encoded(picture, "PNG")), request(hints), keep_preview=kept.append)
    return kept[0] if kept else None


def project(found: FloorPlan, spot: Point) -> Point:
    x, y, depth = np.array(found.to_picture) @ (*spot, 1.0)
    return float(x / depth), float(y / depth)


def choose(layout: PlannedLayout, *, clear: Sequence[Sequence[Point]] = ()) -> SceneHints:
    """The hints that a page sends for a layout, through the validator."""
    mains = [each for each in layout.pieces if each.main]
    document = [{"piece": each.piece, "at": list(each.at or ())} for each in mains]
    for written, each in zip(document, mains, strict=True):
        if each.faces is not None:
            written["faces"] = list(each.faces)
    areas = [[list(point) for point in area] for area in clear]
    return read_hints({"placements": document, **({"clear": areas} if areas else {})})


def furnish(monkeypatch: pytest.MonkeyPatch, hints: SceneHints | None) -> Sequence[PlacedPiece]:
    """The pieces that the engine renders into the photo."""

    def stop(placed: Sequence[PlacedPiece], *_: object) -> None:
        raise Planned(placed)

    monkeypatch.setattr(virtual_staging, "render_furniture", stop)
    monkeypatch.setattr(virtual_staging, "estimate_room_light", lambda *_: None)
    with pytest.raises(Planned) as planned:
        apply_effects(photo(ROOM.drawn(furnished=False)[0]), request(hints))
    return planned.value.placed


def are_same(layout: PlannedLayout, placed: Sequence[PlacedPiece]) -> bool:
    wanted = sorted((each.piece, round(each.x, 2), round(each.y, 2), each.main) for each in layout.pieces)
    names = {"sofa": Piece.SOFA, "bed": Piece.BED}
    made = [(names.get(each.name, each.name), *each.corners.mean(0)) for each in placed]
    return [each[:3] for each in wanted] == sorted((str(name), round(x, 2), round(y, 2)) for name, x, y in made)


def test_the_matrix_maps_spots_of_the_floor_as_the_camera_does() -> None:
    camera = ROOM.camera
    matrix = np.array(find_homography(camera, (600, 400)))
    for spot in ((0.0, 2.0), (-1.5, 4.0), (2.2, 3.1)):
        pixels, depth = camera.project(np.array([[*spot, 0.0]]))
        x, y, third = matrix @ (*spot, 1.0)
        assert (x / third * 600, y / third * 400) == pytest.approx(tuple(pixels[0]))
        assert third == pytest.approx(depth[0])
        back = np.linalg.inv(matrix) @ (x / third, y / third, 1.0)
        assert back[:2] / back[2] == pytest.approx(spot)


def test_the_plan_shows_the_visible_floor_and_the_feet_of_the_walls() -> None:
    found, labels = plan(), ROOM.drawn(furnished=False)[1]
    drawn = np.zeros(labels.shape, np.uint8)
    for outline in found.floor:
        corners = [project(found, point) for point in outline if point[1] > 0.6]
        cv2.fillPoly(drawn, [np.round(np.array(corners) * (600, 400)).astype(np.int32)], 1)
    floor = labels == PLACE[Surface.FLOOR]
    assert ((drawn > 0) & floor).sum() / ((drawn > 0) | floor).sum() > 0.85
    far = max(found.walls, key=lambda wall: math.dist(*wall))
    x, y = project(found, ((far[0][0] + far[1][0]) / 2, far[0][1]))
    above, below = (labels[round(y * 400) + rows, round(x * 600)] for rows in (-6, 6))
    assert (above, below) == (PLACE[Surface.WALL], PLACE[Surface.FLOOR])
    assert found.camera == (0.0, 0.0)


def test_layouts_are_different_and_begin_with_the_engines_own(monkeypatch: pytest.MonkeyPatch) -> None:
    layouts = plan().layouts
    assert 2 <= len(layouts) <= MAX_LAYOUTS
    mains = [next(each for each in layout.pieces if each.main) for layout in layouts]
    for number, one in enumerate(mains):
        for other in mains[:number]:
            is_turned = math.cos(math.radians(one.turn - other.turn)) < 0.7
            assert is_turned or math.dist((one.x, one.y), (other.x, other.y)) > 1.0
    own = next(each for each in furnish(monkeypatch, None) if each.name == "sofa")
    assert (mains[0].x, mains[0].y) == pytest.approx(tuple(own.corners.mean(0)), abs=0.3)


def test_the_engine_makes_the_layout_that_was_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    for layout in plan().layouts:
        assert any(each.main for each in layout.pieces)
        placed = furnish(monkeypatch, choose(layout))
        assert are_same(layout, placed)


def test_a_plan_with_placements_has_their_layout_and_the_parts_kept_free() -> None:
    found = plan()
    middle = project(found, (-1.0, 5.0))
    area = [(middle[0] + x, middle[1] + y) for x, y in ((-0.05, -0.02), (0.05, -0.02), (0.05, 0.03), (-0.05, 0.03))]
    hints = choose(found.layouts[-1], clear=[area])
    told = read_outlook(photo(ROOM.drawn(furnished=False)[0]), request(hints)).plan
    assert told is not None
    (clear,) = told.clear
    assert np.mean(clear, 0) == pytest.approx((-1.0, 5.0), abs=0.5)
    (layout,) = told.layouts
    main, wanted = (next(each for each in one.pieces if each.main) for one in (layout, found.layouts[-1]))
    assert isinstance(main, PlannedPiece)
    assert (main.at, main.faces, main.piece) == (wanted.at, wanted.faces, wanted.piece)


def test_a_room_without_a_piece_that_hints_can_place_has_the_engines_layout() -> None:
    (layout,) = plan(RoomType.BATHROOM).layouts
    assert layout.pieces
    assert not any(each.main or each.at or each.faces for each in layout.pieces)


@pytest.mark.parametrize("picture", [scenes.house(), np.full((200, 300, 3), 128, np.uint8)])
def test_without_a_room_there_is_no_plan_and_no_preview(picture: scenes.Picture) -> None:
    assert read_outlook(photo(picture), request()).plan is None
    assert preview(picture, SceneHints(placements=(PlacementHint(Piece.BED, (0.5, 0.8)),))) is None


def test_a_plan_is_only_there_if_staging_is_ordered() -> None:
    assert read_outlook(photo(ROOM.drawn(furnished=False)[0]), EditRequest((Enhancement.HDR,))).plan is None


def test_a_preview_shows_the_layout_that_the_engine_then_makes() -> None:
    picture = ROOM.drawn(furnished=False)[0]
    hints = choose(plan().layouts[-1])
    quick = preview(picture, hints)
    assert quick is not None
    with Image.open(io.BytesIO(quick)) as opened:
        assert (opened.format, opened.size, opened.info.get("exif")) == ("JPEG", (600, 400), None)
        shown = np.asarray(opened).astype(float)
    made = apply_effects(photo(picture), request(hints)).pixels.astype(float)
    changed = np.abs(made - picture).max(2) > 30
    assert changed.mean() > 0.03
    far, near = np.abs(shown - picture)[changed].mean(), np.abs(shown - made)[changed].mean()
    assert near < far / 3
    assert np.abs(shown - made).mean() < 5
