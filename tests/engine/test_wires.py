"""Wires before the sky: found where they run, not where clouds, roofs or noise are."""

import cv2
import numpy as np
import pytest

from engine.arrays import Pixels, Plane
from engine.segmentation.wires import segment_wires

SIZE = (1000, 1500)


def _sky(noise: float = 2.0) -> Pixels:
    rows = np.linspace(0, 1, SIZE[0])[:, None, None]
    sky = np.array([140, 170, 215]) * (1 - rows) + np.array([215, 222, 230]) * rows
    grain = np.random.default_rng(3).normal(0, noise, (*SIZE, 3))
    return np.clip(np.broadcast_to(sky, (*SIZE, 3)) + grain, 0, 255).astype(np.uint8)


def _open() -> Plane:
    return np.ones((500, 750), np.float32)


def test_a_wire_is_found_along_its_whole_length() -> None:
    picture = _sky()
    cv2.line(picture, (100, 200), (1400, 320), (70, 75, 85), 2, cv2.LINE_AA)
    found = segment_wires(picture, _open())
    along = [
        found[round((200 + 120 * share) / 2), round((100 + 1300 * share) / 2)]
        for share in np.linspace(0.05, 0.95, 40)
    ]
    assert np.mean(np.array(along) > 0.2) > 0.9
    assert (found > 0).mean() < 0.02


def test_an_open_sky_has_none() -> None:
    assert not segment_wires(_sky(), _open()).any()


def test_clouds_have_none() -> None:
    picture = _sky()
    for number in range(12):
        cv2.circle(picture, (120 * number + 60, 300 + 40 * (number % 4)), 70, (240, 240, 242), -1)
    picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 6), np.uint8)
    assert not segment_wires(picture, _open()).any()


@pytest.mark.parametrize("noise", [6.0, 14.0])
def test_noise_has_none(noise: float) -> None:
    assert (segment_wires(_sky(noise), _open()) > 0).mean() < 0.001


def test_a_wire_is_followed_where_it_fades_and_sags() -> None:
    picture = _sky()
    cv2.line(picture, (100, 200), (700, 300), (70, 75, 85), 2, cv2.LINE_AA)
    fading = picture.copy()
    for left in range(700, 1400, 50):
        drop = (1400 - left) / 700 * 50
        cv2.line(fading, (left, round(400 - 2 * drop)), (left + 50, round(400 - 2 * drop + 6)), (142, 164, 197), 2)
    mixed = np.asarray(cv2.addWeighted(picture, 0.75, fading, 0.25, 0), np.uint8)
    found = segment_wires(mixed, _open())
    assert (found[:, 400:500] > 0.2).any(0).mean() > 0.9


def test_lines_where_no_sky_is_are_left_alone() -> None:
    picture = _sky()
    cv2.line(picture, (100, 800), (1400, 800), (70, 75, 85), 2, cv2.LINE_AA)
    sky = _open()
    sky[350:] = 0
    assert not segment_wires(picture, sky)[360:].any()


def test_a_blue_gap_between_clouds_is_none() -> None:
    picture = np.full((*SIZE, 3), 235, np.uint8)
    cv2.line(picture, (300, 400), (1100, 430), (90, 140, 225), 4, cv2.LINE_AA)
    assert not segment_wires(picture, _open()).any()
    cv2.line(picture, (300, 400), (1100, 430), (90, 92, 95), 4, cv2.LINE_AA)
    assert segment_wires(picture, _open()).any()


def test_the_margin_of_a_picture_is_none() -> None:
    picture = _sky()
    cv2.line(picture, (100, 2), (1400, 2), (30, 32, 35), 2)
    assert not segment_wires(picture, _open()).any()
