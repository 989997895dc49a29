"""Privacy: faces and number plates are found and blurred for good before anything else, and counted."""

import io
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.arrays import Plane
from engine.color.profiles import ColorProfile
from engine.hiding import hide_private_parts
from engine.pipeline import PictureEngine
from engine.segmentation.box import Box
from engine.segmentation.faces import find_faces
from engine.segmentation.labels import Label
from engine.segmentation.plates import find_plates
from engine.segmentation.scene import Scene
from engine.types import usable_options
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.hints import SceneHints
from engine.types.options import EffectOptions, Privacy
from engine.types.pictures import Enhanced, UnusablePhotoError
from engine.types.report import Reason
from engine.types.server import ServerUnavailableError
from engine.types.usable_options import can_find_faces
from tests import scenes
from tests.engine.portraits import draw_face, draw_plate
from tests.scenes import Picture

FACE = (300, 170)
needs_detector = pytest.mark.skipif(not can_find_faces(), reason="deploy/frontend/assets.py could not download it")


def room_with(size: int, side: int = 640) -> Picture:
    picture = scenes.room(side, side * 2 // 3).copy()
    if size:
        draw_face(picture, *FACE, size)
    return picture


def scene_of(picture: Picture) -> Scene:
    return Scene(picture, ColorProfile(), "a photo")


@needs_detector
@pytest.mark.parametrize("size", [10, 24, 100])
def test_a_face_is_found_where_it_is(size: int) -> None:
    (found,) = find_faces(room_with(size))
    assert np.hypot(found.x - FACE[0], found.y - FACE[1]) < 0.15 * size
    assert 0.7 * size < found.width < 1.4 * size


@needs_detector
@pytest.mark.parametrize("draw", [scenes.room, scenes.house])
def test_where_nobody_is_no_face_is_found(draw: Callable[..., Picture]) -> None:
    assert find_faces(draw(640, 430)) == []


@needs_detector
def test_a_face_is_hidden_and_the_rest_stays() -> None:
    picture = room_with(60)
    hidden = hide_private_parts(scene_of(picture), find=True)
    assert (hidden.faces, hidden.plates) == (1, 0)
    assert find_faces(hidden.pixels) == []
    outside = np.ones(picture.shape[:2], bool)
    outside[FACE[1] - 90 : FACE[1] + 90, FACE[0] - 90 : FACE[0] + 90] = False
    assert np.array_equal(hidden.pixels[outside], picture[outside])


def hide_at(monkeypatch: pytest.MonkeyPatch, picture: Picture, *boxes: Box) -> Picture:
    """The picture without these faces, which a stand-in for the detector finds."""
    monkeypatch.setattr("engine.hiding.find_faces", lambda _: list(boxes))
    return hide_private_parts(scene_of(picture), find=True).pixels


def test_fine_differences_of_faces_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Box(*FACE, 60, 60)
    plain = room_with(60)
    other = plain.copy()
    # Lighter and darker stripes, which leave the means as they were.
    stripes = np.indices((48, 48)).sum(0) // 4 % 2 * 60 - 30
    part = other[FACE[1] - 24 : FACE[1] + 24, FACE[0] - 24 : FACE[0] + 24]
    part[:] = np.clip(part + stripes[..., None], 0, 255)
    first, second = hide_at(monkeypatch, plain, box), hide_at(monkeypatch, other, box)
    inside = np.s_[FACE[1] - 24 : FACE[1] + 24, FACE[0] - 24 : FACE[0] + 24]
    assert np.abs(first[inside].astype(int) - second[inside]).mean() < 4
    assert np.abs(plain[inside].astype(int) - other[inside]).mean() > 20


def test_a_face_at_the_border_is_hidden_as_far_as_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = room_with(0)
    picture[::2, :40] = 255 - picture[::2, :40]
    hidden = hide_at(monkeypatch, picture, Box(0, 0, 40, 40), Box(-200, 0, 40, 40))
    rows = np.diff(hidden[:20, :12].astype(int), axis=0)
    assert np.abs(rows).max() < 30 < np.abs(np.diff(picture[:20, :12].astype(int), axis=0)).max()


class Street(Scene):
    """The scene of a drawn car with a plate on it or beside it; the net is told what is a car."""

    def __init__(self, *, signs: str = "KLM 4821", on_car: bool = True, body: int = 40) -> None:
        picture = np.full((400, 600, 3), 140, np.uint8)
        cv2.rectangle(picture, (150, 150), (450, 330), (body, body, body), -1)
        cv2.rectangle(picture, (262, 268), (337, 291), (30, 30, 30), -1)
        draw_plate(picture, *((300, 280) if on_car else (70, 280)), 70, signs)
        super().__init__(picture, ColorProfile(), "a street")
        self.outdoors = True

    def label_share(self, *labels: Label) -> Plane:
        assert labels == (Label.CAR,)
        share = np.zeros((200, 300), np.float32)
        share[75:165, 75:225] = 1
        return share


@pytest.mark.parametrize("body", [40, 120, 225])
def test_a_plate_on_a_car_is_found(body: int) -> None:
    (found,) = find_plates(Street(body=body))
    assert (found.x, found.y) == pytest.approx((300, 280), abs=2)
    assert (found.width, found.height) == pytest.approx((70, 17), abs=4)


@pytest.mark.parametrize("street", [Street(signs=""), Street(on_car=False)], ids=["without signs", "beside a car"])
def test_a_bright_rectangle_without_signs_or_beside_a_car_is_no_plate(street: Street) -> None:
    assert find_plates(street) == []


def enhance(picture: Picture, privacy: Privacy | None, *, may_wait: bool = False) -> Enhanced:
    request = EditRequest((Enhancement.HDR,), options=EffectOptions(privacy=privacy))
    context = EngineContext(may_wait=may_wait)
    return PictureEngine().enhance(io.BytesIO(scenes.encoded(picture)), request, context)


def count(done: Enhanced) -> dict[str, float]:
    codes = (FigureCode.FACES_BLURRED, FigureCode.PLATES_BLURRED)
    return {each.code: each.value for each in done.report.figures if each.code in codes}


def test_what_people_show_is_hidden_within_its_outline_whatever_is_chosen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(usable_options, "FACE_DETECTOR", tmp_path / "not needed")
    noise = np.random.Generator(np.random.PCG64(1)).integers(0, 255, (200, 300, 3), np.uint8)
    hints = SceneHints(private=(((0.2, 0.2), (0.6, 0.2), (0.2, 0.8)),))
    hidden = hide_private_parts(Scene(noise, ColorProfile(), "noise", hints=hints), find=False)
    assert (hidden.faces, hidden.plates) == (0, 0)
    assert hidden.pixels[50:90, 65:95].std() < 0.3 * noise[50:90, 65:95].std()
    assert np.array_equal(hidden.pixels[130:, 160:], noise[130:, 160:]), "beyond the longest side, all stays"
    photo = io.BytesIO(scenes.encoded(room_with(60)))
    done = PictureEngine().enhance(photo, EditRequest((Enhancement.HDR,), hints=hints))
    assert done.report.passed
    assert count(done) == {}, "nothing was looked for"


@needs_detector
def test_the_report_says_how_many_were_blurred() -> None:
    blurred = enhance(room_with(60), Privacy.BLURRED)
    assert count(blurred) == {FigureCode.FACES_BLURRED: 1, FigureCode.PLATES_BLURRED: 0}
    assert blurred.report.passed
    assert blurred.picture is not None
    assert find_faces(scenes.decoded(blurred.picture.content)) == []


@needs_detector
def test_where_nothing_was_found_the_report_says_so_and_the_picture_is_the_usual_one() -> None:
    blurred, usual = (enhance(room_with(0), each) for each in (Privacy.BLURRED, None))
    assert count(blurred) == {FigureCode.FACES_BLURRED: 0, FigureCode.PLATES_BLURRED: 0}
    assert count(usual) == {}
    assert blurred.picture == usual.picture


def test_without_its_detector_the_engine_declines_rather_than_show_a_face(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(usable_options, "FACE_DETECTOR", tmp_path / "faces.tflite")
    with pytest.raises(UnusablePhotoError, match="not installed") as raised:
        enhance(room_with(0), Privacy.BLURRED)
    assert raised.value.reason is Reason.NOT_AVAILABLE
    with pytest.raises(ServerUnavailableError, match="not installed"):
        enhance(room_with(0), Privacy.BLURRED, may_wait=True)
    assert enhance(room_with(0), None).picture is not None
