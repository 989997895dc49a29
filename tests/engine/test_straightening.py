"""Straightening: how a camera was tilted is found from upright edges, and the picture is turned and cropped."""

import io

import cv2
import numpy as np
import pytest

from engine import straightening
from engine.color.profiles import ColorProfile
from engine.geometry import tilt
from engine.geometry.segments import LineSegments, Numbers, detect_segments
from engine.geometry.tilt import MAX_ANGLE, estimate_tilt
from engine.geometry.upright_edges import refine_ends
from engine.pipeline import PictureEngine
from engine.segmentation.scene import Scene
from engine.straightening import MIN_KEPT, Straightening, find_straightening
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.options import EffectOptions, Verticals
from engine.types.report import QualityReport
from tests import scenes
from tests.engine.boxes import Box, camera

SIZE = WIDTH, HEIGHT = 768, 512


def posts(pitch: float, roll: float, count: int = 12, across: float = 1.6) -> LineSegments:
    """Upright edges on both sides of the view, as a tilted camera sees them."""
    view = camera(pitch=pitch, roll=roll, size=SIZE)
    ends = []
    for x in np.linspace(-across, across, count):
        places, _ = view.project(np.array([[x, 4.0, 0.6], [x, 4.0, 2.2]]))
        ends.append(places.ravel())
    return LineSegments(np.array(ends), np.ones(count))


def leaning(angles: Numbers) -> LineSegments:
    """Edges beside each other that lean by these angles, in degrees."""
    x = np.linspace(80, WIDTH - 80, len(angles))
    reach = 150 * np.tan(np.radians(angles))
    low, high = np.full(len(x), 100.0), np.full(len(x), 400.0)
    return LineSegments(np.column_stack([x - reach, low, x + reach, high]), np.ones(len(x)))


def focal() -> float:
    return camera(size=SIZE).focal


@pytest.mark.parametrize(("pitch", "roll"), [(0, 0), (3, 0), (0, -2), (-4, 2.5), (6, -6)])
def test_the_tilt_of_a_camera_is_found(pitch: float, roll: float) -> None:
    found = estimate_tilt(posts(pitch, roll), *SIZE, focal())
    assert found is not None
    assert np.degrees([found.pitch, found.roll]) == pytest.approx((pitch, roll), abs=0.05)


def test_a_few_leaning_things_do_not_count() -> None:
    found = posts(3, 1)
    wrong = leaning(np.array([6.0, -9.0, 8.0]))
    mixed = LineSegments(np.concatenate([found.ends, wrong.ends]), np.ones(15))
    tilt = estimate_tilt(mixed, *SIZE, focal())
    assert tilt is not None
    assert np.degrees([tilt.pitch, tilt.roll]) == pytest.approx((3, 1), abs=0.2)


def test_edges_that_disagree_say_nothing() -> None:
    angles = np.random.Generator(np.random.PCG64(5)).uniform(-12, 12, 30)
    assert estimate_tilt(leaning(angles), *SIZE, focal()) is None


def test_a_few_edges_that_agree_among_many_that_do_not_say_nothing() -> None:
    found, angles = posts(3, 1), np.random.Generator(np.random.PCG64(5)).uniform(-12, 12, 30)
    mixed = LineSegments(np.concatenate([found.ends, leaning(angles).ends]), np.ones(42))
    assert estimate_tilt(mixed, *SIZE, focal()) is None


def test_edges_that_are_each_a_little_off_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    angles = np.random.Generator(np.random.PCG64(0)).uniform(-0.8, 0.8, 12)
    assert estimate_tilt(leaning(angles / 4), *SIZE, focal()) is not None
    assert estimate_tilt(leaning(angles), *SIZE, focal()) is None
    monkeypatch.setattr(tilt, "MAX_STANDARD_ERROR", 90)
    assert estimate_tilt(leaning(angles), *SIZE, focal()) is not None


def test_an_answer_that_hangs_on_how_strictly_edges_must_agree_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    angles = np.zeros(19)
    angles[np.linspace(0, 18, 9).astype(int)] = 1.2
    assert estimate_tilt(leaning(angles), *SIZE, focal()) is None
    monkeypatch.setattr(tilt, "MAX_CHANGE", 90)
    assert estimate_tilt(leaning(angles), *SIZE, focal()) is not None


@pytest.mark.parametrize("limit", ["MAX_STANDARD_ERROR", "MAX_CHANGE"])
def test_where_pitch_is_unsure_roll_alone_is_found(monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    monkeypatch.setattr(tilt, limit, -1)
    alone = estimate_tilt(posts(3, 2), *SIZE, focal())
    assert alone is not None
    assert alone.pitch == 0
    assert np.degrees(alone.roll) == pytest.approx(2, abs=0.05)
    for roll_limit in ("MAX_ROLL_ERROR", "MAX_ROLL_CHANGE"):
        with monkeypatch.context() as stricter:
            stricter.setattr(tilt, roll_limit, -1)
            assert estimate_tilt(posts(3, 2), *SIZE, focal()) is None


@pytest.mark.parametrize("lean", [-6.3, 0.0, 0.4, 11.0])
def test_an_edge_is_measured_to_a_fraction_of_a_pixel(lean: float) -> None:
    slope = np.tan(np.radians(lean))
    rows, columns = np.mgrid[:200, :120] + 0.5
    noise = np.random.Generator(np.random.PCG64(3)).normal(0, 4, rows.shape)
    gray = 60 + 120 * np.clip(columns - 60.3 - slope * (rows - 100) + 0.5, 0, 1) + noise
    true = np.array([[60.3 - 80 * slope, 20, 60.3 + 80 * slope, 180]])
    found, errors = refine_ends(gray.astype(np.uint8), true + np.array([[1.2, 0, -0.9, 0]]))
    along = found[0, 2:] - found[0, :2]
    off = np.degrees(np.arctan2(along[0], along[1])) - lean
    assert abs(off) < 0.06
    assert abs(off) < 4 * np.degrees(errors[0]) + 0.01
    assert errors[0] < np.radians(0.06)
    middle = (found[0, :2] + found[0, 2:]) / 2
    assert middle[0] - 60.3 - slope * (middle[1] - 100) == pytest.approx(0, abs=0.08)


def test_few_edges_and_edges_in_a_narrow_part_say_nothing() -> None:
    assert estimate_tilt(posts(3, 1, count=5), *SIZE, focal()) is None
    assert estimate_tilt(posts(3, 1, across=0.3), *SIZE, focal()) is None


def test_a_picture_that_was_meant_to_be_tilted_stays() -> None:
    assert estimate_tilt(posts(0, MAX_ANGLE + 2), *SIZE, focal()) is None
    assert estimate_tilt(posts(MAX_ANGLE + 2, 0), *SIZE, focal()) is None


def room_scene(pitch: float, roll: float) -> Scene:
    """The scene of a drawn room, its surfaces known."""
    picture, surfaces = Box().drawn(camera(pitch=pitch, roll=roll, size=SIZE), *SIZE)
    scene = Scene(picture, ColorProfile(), "a room")
    vars(scene).update(surfaces=surfaces, outdoors=False)
    return scene


@pytest.mark.parametrize(("pitch", "roll"), [(2, 1), (-5, -3)])
def test_a_straightened_room_has_upright_edges(pitch: float, roll: float) -> None:
    scene = room_scene(pitch, roll)
    found = find_straightening(scene)
    assert found is not None
    assert found.degrees == pytest.approx(max(abs(pitch), abs(roll)), abs=1)
    straight = found.apply(scene.pixels)
    assert straight.shape == scene.pixels.shape
    edges = detect_segments(straight, np.zeros_like(scene.surfaces))
    lean = np.degrees(np.abs(edges.directions[:, 0]))
    upright = (lean < 4) & (edges.lengths > 60)
    assert upright.sum() >= 4
    assert np.median(lean[upright]) < 0.15


def test_nothing_from_beyond_the_edges_is_seen() -> None:
    scene = room_scene(-5, -3)
    found = find_straightening(scene)
    assert found is not None
    corners = np.array([[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1.0]]) @ np.linalg.inv(found.to_straight).T
    places = corners[:, :2] / corners[:, 2:]
    assert (places > -1e-6).all()
    assert (places < 1 + 1e-6).all()
    assert np.isclose(places, 0).any() or np.isclose(places, 1).any(), "the crop is as large as it can be"
    assert found.kept == pytest.approx(cv2.contourArea(places.astype(np.float32)), abs=1e-5)
    assert MIN_KEPT < found.kept < 0.97


def test_outdoors_only_edges_of_a_building_count(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = room_scene(2, 1)
    vars(scene)["outdoors"] = True
    for share, is_found in ((1.0, True), (0.0, False)):
        building = np.full(scene.small.shape[:2], share, np.float32)
        monkeypatch.setattr(Scene, "label_share", lambda *_, building=building: building)
        assert (find_straightening(scene) is not None) is is_found


def test_a_turn_that_would_cut_off_too_much_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = room_scene(-5, -3)
    found = find_straightening(scene)
    assert found is not None
    monkeypatch.setattr(straightening, "MIN_KEPT", found.kept + 0.01)
    assert find_straightening(scene) is None


def test_the_middle_of_a_picture_stays_where_it_is_when_it_grows() -> None:
    half = np.random.Generator(np.random.PCG64(2)).integers(0, 255, (40, 30, 3), np.uint8)
    mirrored = np.concatenate([half, half[:, ::-1]], axis=1)
    grown = Straightening(np.array([[2, 0, -0.5], [0, 2, -0.5], [0, 0, 1.0]]), 1.0, 0.25).apply(mirrored)
    assert np.abs(grown.astype(int) - grown[:, ::-1]).max() <= 2


def test_a_straight_room_stays() -> None:
    assert find_straightening(room_scene(0, 0)) is None


def figures(report: QualityReport) -> dict[str, float]:
    return {each.code: each.value for each in report.figures}


def read_gray(content: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_GRAYSCALE)


def correlate_edges(first: np.ndarray, second: np.ndarray) -> float:
    """How well the edges of two pictures lie on each other, 1 where they do everywhere."""
    edges = [
        np.hypot(*(cv2.Sobel(each, cv2.CV_32F, *axis) for axis in ((1, 0), (0, 1)))) for each in (first, second)
    ]
    return float(np.corrcoef(*(each.ravel() for each in edges))[0, 1])


def test_the_report_says_what_was_turned_and_cropped() -> None:
    turn = cv2.getRotationMatrix2D((320, 214), 2, 1.15)
    picture = cv2.warpAffine(scenes.room(640, 428), turn, (640, 428), flags=cv2.INTER_CUBIC)
    plain, straight = (
        PictureEngine().enhance(
            io.BytesIO(scenes.encoded(picture)),
            EditRequest((Enhancement.HDR,), options=EffectOptions(verticals=verticals)),
        )
        for verticals in (None, Verticals.STRAIGHT)
    )
    assert FigureCode.STRAIGHTENED not in figures(plain.report)
    assert figures(straight.report)[FigureCode.STRAIGHTENED] == pytest.approx(2, abs=0.3)
    assert 0.02 < figures(straight.report)[FigureCode.CROPPED_SHARE] < 0.2
    assert straight.picture is not None
    assert (straight.picture.width, straight.picture.height) == (640, 428)
    assert plain.before is None
    assert straight.before is not None
    made = read_gray(straight.picture.content)
    assert correlate_edges(read_gray(straight.before), made) > 0.7
    assert correlate_edges(read_gray(scenes.encoded(picture)), made) < 0.5
    assert {**figures(straight.report), **figures(plain.report)} == figures(straight.report), (
        "all else is as it was"
    )
