"""The figures tell good results from planted faults."""

import cv2
import numpy as np
import pytest

from app.domain.catalogue import Enhancement
from app.domain.quality import Reason, judge
from app.engine.quality.metrics import LIMITS, measure
from tests import scenes
from tests.engine.engine_runs import after, enhanced

Picture = scenes.Picture


def verdict(before: Picture, result: Picture) -> Reason | None:
    return judge((), measure(before, result, None)).reason


def brightened(picture: Picture) -> Picture:
    return np.clip(picture * 0.8 + 30, 0, 255).astype(np.uint8)


def shifted(picture: Picture) -> Picture:
    return np.roll(brightened(picture), (5, 8), (0, 1))


def cropped(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    inner = brightened(picture)[height // 16 : -height // 16, width // 16 : -width // 16]
    return np.asarray(cv2.resize(inner, (width, height)), np.uint8)


def melted(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    bent = cv2.remap(
        brightened(picture),
        columns + 9 * np.sin(rows / 17, dtype=np.float32),
        rows + 9 * np.sin(columns / 23, dtype=np.float32),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(bent, np.uint8)


def softened(picture: Picture) -> Picture:
    return np.asarray(cv2.GaussianBlur(brightened(picture), (0, 0), 4), np.uint8)


def blown(picture: Picture) -> Picture:
    return np.clip(picture.astype(float) * 1.6, 0, 255).astype(np.uint8)


SCENES = [scenes.house, scenes.room]


@pytest.mark.parametrize("draw", SCENES)
@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (lambda picture: picture.copy(), Reason.NOT_CHANGED),
        (lambda picture: np.full_like(picture, 128), Reason.BLANK),
        (lambda picture: brightened(picture)[:-2], Reason.SIZE_CHANGED),
        (shifted, Reason.STRUCTURE_CHANGED),
        (cropped, Reason.STRUCTURE_CHANGED),
        (melted, Reason.STRUCTURE_CHANGED),
        (softened, Reason.STRUCTURE_CHANGED),
    ],
)
def test_a_planted_fault_is_rejected_with_its_reason(draw, fault, reason: Reason) -> None:
    picture = draw()
    assert verdict(picture, fault(picture)) is reason


def test_blown_highlights_are_rejected() -> None:
    assert verdict(scenes.house(), blown(scenes.house())) is Reason.CLIPPED


def test_another_picture_altogether_is_rejected() -> None:
    assert verdict(scenes.house(), scenes.room()) is Reason.STRUCTURE_CHANGED


@pytest.mark.parametrize("draw", SCENES)
def test_other_light_alone_passes(draw) -> None:
    assert verdict(draw(), brightened(draw())) is None


@pytest.mark.parametrize(
    "step", [Enhancement.SKY, Enhancement.GRASS, Enhancement.GOLDEN_HOUR, Enhancement.TWILIGHT]
)
def test_what_the_engine_makes_of_a_house_passes(step: Enhancement) -> None:
    report = enhanced(scenes.encoded(scenes.house()), step).report
    assert report.passed, report.message
    assert {figure.name for figure in report.figures} == set(LIMITS)


@pytest.mark.parametrize("step", [Enhancement.HDR, Enhancement.FLAMBIENT])
def test_what_the_engine_makes_of_a_room_passes(step: Enhancement) -> None:
    report = enhanced(scenes.encoded(scenes.room()), step).report
    assert report.passed, report.message


def test_a_house_moved_under_its_new_sky_is_rejected() -> None:
    drawn = scenes.house()
    moved = np.roll(after(drawn, Enhancement.SKY), 6, 1)
    region = np.zeros(drawn.shape[:2], np.float32)
    region[: int(320 * 0.3)] = 1
    assert judge((), measure(drawn, moved, region)).reason is Reason.STRUCTURE_CHANGED
