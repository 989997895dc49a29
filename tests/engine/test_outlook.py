"""The outlook of a photo: its outlines can be sent back as hints, and its forecasts are what the steps then do."""

import ast
import io
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

import engine
from engine.effects.table import EFFECTS
from engine.geometry.camera import Camera
from engine.geometry.pose import rotation_matrix
from engine.geometry.room import Room, Wall
from engine.io.photo import DecodedPhoto, decode
from engine.outlook.cures import find_cure
from engine.outlook.forecast import DOUBTS
from engine.outlook.reading import MAX_POINTS, read_outlook
from engine.outlook.regions import LabeledPhoto
from engine.outlook.room_view import describe_camera, find_room_lines
from engine.pipeline import apply_effects
from engine.quality import scene_figures
from engine.segmentation.hinted_surfaces import draw_polygons
from engine.segmentation.scene import make_scene
from engine.types.edit_request import EditRequest, RenovationChange
from engine.types.enhancements import ChangeType, Enhancement
from engine.types.figures import FigureCode
from engine.types.hint_cures import CURES
from engine.types.hint_document import read_hints
from engine.types.hints import Direction, HintedSurface, SceneHints
from engine.types.outlook import LABELS, HintPart, Prospect
from engine.types.report import Certainty, Figure, Reason
from tests import scenes
from tests.engine.box_rooms import BoxRoom

FOLDERS = ("effects", "inpainting", "materials", "rendering", "relighting", "sky", "effect.py", "canvas.py")
ROOM = BoxRoom(width=480, height=320, things=())
PAINT = RenovationChange(ChangeType.WALLS, "sage green paint")
APPLIANCES = RenovationChange(ChangeType.APPLIANCES, "steel fridge")


def photo(picture: scenes.Picture) -> DecodedPhoto:
    return decode(io.BytesIO(scenes.encoded(picture, "PNG")))


def room_photo() -> DecodedPhoto:
    return photo(ROOM.drawn(furnished=False)[0])


def blobs(name: HintedSurface, seed: int) -> LabeledPhoto:
    """Ragged parts of a surface, with holes."""
    noise = np.random.Generator(np.random.PCG64(seed)).normal(size=(512, 768)).astype(np.float32)
    mask = cv2.GaussianBlur(noise, (0, 0), 9) > 0
    labels = np.where(mask, LABELS.index(name), 0).astype(np.uint8)
    return LabeledPhoto(labels, np.full(labels.shape, 0.9, np.float32))


def reasons_of_declines() -> set[Reason]:
    """Every reason that the code of the effects names outside of limits, and those of limits on the scene."""
    root = Path(engine.__file__).parent
    files = [path for name in FOLDERS for path in ([root / name] if "." in name else (root / name).rglob("*.py"))]
    found: set[Reason] = set()
    for path in files:
        tree = ast.parse(path.read_text())
        in_limits = {
            id(part)
            for call in ast.walk(tree)
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Limit"
            for part in ast.walk(call)
        }
        for each in ast.walk(tree):
            if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name) and each.value.id == "Reason":
                found |= set() if id(each) in in_limits else {Reason[each.attr]}
    limits = (limit.fault for effect in EFFECTS.values() for limit in effect.scene_limits.values())
    return found | {fault for fault in limits if fault is not None}


def test_every_reason_of_a_step_on_this_machine_has_a_cure_or_none_on_purpose() -> None:
    assert reasons_of_declines() == set(CURES)


def test_every_cure_is_a_part_of_hints() -> None:
    surfaces = {f"surfaces.{each}" for each in HintedSurface}
    assert set(HintPart) <= surfaces | {"room", "things", "placements", "private"}


@pytest.mark.parametrize("seed", range(4))
def test_ragged_parts_with_holes_become_outlines_that_hints_accept(seed: int) -> None:
    labeled = blobs(HintedSurface.WALL, seed)
    parts = labeled.find_parts(HintedSurface.WALL)
    polygons = [[list(point) for point in part.polygon] for part in parts]
    read_hints({"surfaces": {"wall": polygons}})
    drawn = np.zeros(labeled.labels.shape)
    for part in parts:
        drawn = np.maximum(drawn, draw_polygons([part.polygon], 768, 512))
    wanted = labeled.labels > 0
    assert ((drawn > 0) & wanted).sum() / ((drawn > 0) | wanted).sum() > 0.75
    assert all(part.certainty == pytest.approx(0.9, abs=1e-3) for part in parts)


def test_a_hole_is_not_filled() -> None:
    labels = np.zeros((300, 400), np.uint8)
    labels[50:250, 50:350] = LABELS.index(HintedSurface.WALL)
    labels[100:180, 120:220] = 0
    labels[110:170, 260:320] = 0
    (part,) = LabeledPhoto(labels, np.ones(labels.shape, np.float32)).find_parts(HintedSurface.WALL)
    drawn = draw_polygons([part.polygon], 400, 300)
    assert drawn[140, 170] == drawn[140, 290] == 0
    assert (drawn == (labels > 0)).mean() > 0.985


def test_an_outlook_has_fewer_points_than_hints_may_have() -> None:
    noise = np.random.Generator(np.random.PCG64(5)).integers(0, 255, (96, 144, 3))
    picture = cv2.resize(noise.astype(np.uint8), (768, 512), interpolation=cv2.INTER_CUBIC)
    seen = read_outlook(photo(picture), EditRequest()).seen
    points = sum(len(polygon) for each in seen.surfaces.values() for polygon in each)
    assert points + sum(len(each.polygon) for each in seen.things) <= MAX_POINTS


def test_what_is_seen_is_seen_again_when_it_is_sent_back() -> None:
    first = read_outlook(room_photo(), EditRequest())
    assert first.seen.surfaces
    hints = read_hints(first.as_json()["seen"])
    second = read_outlook(room_photo(), EditRequest(hints=hints))
    assert (first.hinted, second.hinted) == (False, True)
    for name, polygons in first.seen.surfaces.items():
        before, after = (draw_polygons(each, 480, 320) > 0 for each in (polygons, second.seen.surfaces[name]))
        if before.mean() > 0.02:
            assert (before & after).sum() / (before | after).sum() > 0.9, name


@pytest.mark.parametrize(("yaw", "pitch", "roll"), [(0.3, 0.1, 0.02), (-0.5, -0.2, -0.04), (0.0, 0.0, 0.0)])
def test_the_camera_is_described_by_its_angles(yaw: float, pitch: float, roll: float) -> None:
    camera = Camera(400.0, (300.0, 220.0), rotation_matrix(yaw, pitch, roll), 1.5)
    view = describe_camera(Room(camera, (), 2.6), (600, 400))
    assert np.radians([view.yaw, view.pitch, view.roll]) == pytest.approx([yaw, pitch, roll], abs=1e-9)
    assert (view.focal, view.center, view.height) == (pytest.approx(2 / 3), (0.5, 0.55), 1.5)


def test_the_edges_of_a_room_are_where_its_corners_are() -> None:
    lines = find_room_lines(ROOM.room, (480, 320))
    corner = np.array([[ROOM.left, ROOM.far, 0.0], [ROOM.left, ROOM.far, ROOM.high]])
    (bottom, top), _ = ROOM.camera.project(corner)
    upright = [each for each in lines if each.direction is Direction.UP]
    ends = [sorted(each) for each in ((each.start, each.end) for each in upright)]
    wanted = sorted(tuple(np.clip(point / (480, 320), 0, 1)) for point in (bottom, top))
    assert any(np.allclose(each, wanted, atol=0.03) for each in ends)
    written = [{"direction": each.direction, "start": list(each.start), "end": list(each.end)} for each in lines]
    read_hints({"room": {"lines": written}})


def test_a_room_without_two_directions_has_no_lines() -> None:
    single = replace(ROOM.room, walls=(Wall((-2.2, 4.6), (2.6, 4.6)),))
    assert find_room_lines(single, (480, 320)) == ()


@pytest.mark.parametrize(
    ("picture", "steps"),
    [
        (scenes.house(), (Enhancement.GRASS, Enhancement.SKY)),
        (scenes.house_on_asphalt(), (Enhancement.GRASS,)),
        (scenes.house_without_sky(), (Enhancement.SKY, Enhancement.TWILIGHT)),
        (scenes.room(), (Enhancement.HDR, Enhancement.DECLUTTER)),
        (scenes.room(), (Enhancement.FURNITURE_REMOVAL,)),
    ],
)
def test_a_step_declines_in_the_forecast_as_it_then_does(
    picture: scenes.Picture, steps: tuple[Enhancement, ...]
) -> None:
    request = EditRequest(enhancements=steps)
    forecasts = read_outlook(photo(picture), request).steps
    report = apply_effects(photo(picture), request).report
    assert [each.enhancement for each in forecasts] == [each.enhancement for each in report.steps]
    for forecast, outcome in zip(forecasts, report.steps, strict=True):
        if not outcome.applied:
            assert (forecast.reason, forecast.message) == (outcome.reason, outcome.message)
            assert forecast.prospect is not Prospect.LIKELY
        elif report.passed:
            assert forecast.prospect is Prospect.LIKELY


@pytest.mark.parametrize(("doubt", "is_unsure"), [(0.2, False), (0.6, True)])
def test_a_step_that_may_have_misread_the_photo_is_likely_but_unsure(
    monkeypatch: pytest.MonkeyPatch, doubt: float, is_unsure: bool
) -> None:
    measures = scene_figures._MEASURES | {FigureCode.LAWN_DOUBT: lambda _: doubt}
    monkeypatch.setattr(scene_figures, "_MEASURES", measures)
    request = EditRequest((Enhancement.GRASS,))
    (forecast,) = read_outlook(photo(scenes.house()), request).steps
    assert (forecast.prospect, forecast.unsure) == (Prospect.LIKELY, is_unsure)
    assert (apply_effects(photo(scenes.house()), request).report.certainty is Certainty.UNSURE) == is_unsure
    doubted = (HintPart.LAWN, Reason.LAWN_UNCLEAR, DOUBTS[Reason.LAWN_UNCLEAR]) if is_unsure else (None, None, "")
    assert (forecast.hint, forecast.reason, forecast.message) == doubted


def test_an_unsure_step_of_a_picture_that_would_be_rejected_is_not_possible(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measures = scene_figures._MEASURES | {FigureCode.LAWN_DOUBT: lambda _: 0.6}
    monkeypatch.setattr(scene_figures, "_MEASURES", measures)
    broken = Figure(FigureCode.HALO, 1.0, maximum=0.05, fault=Reason.HALO)
    monkeypatch.setattr("engine.outlook.forecast.measure_figures", lambda *_: (broken,))
    (forecast,) = read_outlook(photo(scenes.house()), EditRequest((Enhancement.GRASS,))).steps
    assert (forecast.prospect, forecast.reason) == (Prospect.NOT_POSSIBLE, Reason.HALO)
    assert (forecast.hint, forecast.unsure) == (None, False)


def test_everything_that_may_be_misread_has_its_words() -> None:
    limits = (limit.fault for effect in EFFECTS.values() for limit in effect.scene_limits.values())
    assert set(DOUBTS) == set(limits)


def test_staging_is_rehearsed_without_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.effects.virtual_staging.render_furniture", None)
    request = EditRequest((Enhancement.STAGING,))
    (forecast,) = read_outlook(room_photo(), request).steps
    assert forecast.prospect is Prospect.LIKELY
    with pytest.raises(TypeError):
        apply_effects(room_photo(), request)


def test_each_change_of_a_renovation_is_forecast_by_itself() -> None:
    request = EditRequest((Enhancement.RENOVATION,), changes=(APPLIANCES, PAINT))
    (step,) = read_outlook(room_photo(), request).steps
    first, second = step.changes
    assert (first.prospect, first.reason) == (Prospect.NOT_POSSIBLE, Reason.NOT_AVAILABLE)
    assert (second.prospect, second.hint) in (
        (Prospect.LIKELY, None),
        (Prospect.NEEDS_HINT, HintPart.WALL),
    )
    assert (step.prospect is Prospect.LIKELY) is (second.prospect is Prospect.LIKELY)


def test_what_a_server_makes_is_likely_without_asking_it() -> None:
    request = EditRequest((Enhancement.FURNITURE_REMOVAL, Enhancement.GRASS))
    steps = {each.enhancement: each for each in read_outlook(room_photo(), request, by_server=True).steps}
    assert steps[Enhancement.FURNITURE_REMOVAL].prospect is Prospect.LIKELY
    assert steps[Enhancement.GRASS].prospect is not Prospect.LIKELY


def test_what_was_said_already_is_not_asked_again() -> None:
    plain = make_scene(photo(scenes.room()))
    assert find_cure(Reason.NO_FREE_PLACE, plain) is HintPart.FLOOR
    outlined = make_scene(photo(scenes.room()), SceneHints(surfaces={HintedSurface.FLOOR: ()}))
    assert find_cure(Reason.NO_FREE_PLACE, outlined) is HintPart.PLACEMENTS
    assert find_cure(Reason.SURFACE_UNCLEAR, plain, HintPart.WORKTOP) is HintPart.WORKTOP
    assert find_cure(Reason.SURFACE_UNCLEAR, outlined, HintPart.FLOOR) is None


def test_a_lawn_of_which_nothing_is_seen_is_not_asked_for() -> None:
    bare = make_scene(photo(np.full((200, 300, 3), (90, 90, 96), np.uint8)))
    assert find_cure(Reason.NO_LAWN, bare) is None
    assert find_cure(Reason.NO_LAWN, make_scene(photo(scenes.house()))) is HintPart.LAWN
