"""What the engine sees in a photo: kinds of surface, the sky, indoors or outdoors."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from engine.arrays import Plane
from engine.color.profiles import ColorProfile
from engine.segmentation import network
from engine.segmentation.labels import INDOOR_KINDS, NUMBER, Kind, Label
from engine.segmentation.network import run_network
from engine.segmentation.scene import Scene, shrink_to
from engine.segmentation.shares import insert_sky, resize_shares
from tests import scenes

PHOTOS = Path(__file__).resolve().parents[3] / "shared" / "photos"
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the hand-out photos are not here")


def scene(picture: scenes.Picture) -> Scene:
    return Scene(picture, ColorProfile(), hashlib.sha256(picture.tobytes()).hexdigest())


def opened(path: Path) -> scenes.Picture:
    with Image.open(path) as image:
        image.draft("RGB", (800, 800))
        return shrink_to(np.asarray(image.convert("RGB")), 768)


def test_the_shares_of_each_pixel_sum_to_one_and_fit_the_small_picture() -> None:
    found = scene(scenes.house(960, 640))
    assert found.shares.shape == (512, 768, len(Kind))
    assert np.abs(found.shares.sum(-1) - 1).max() < 1e-3
    assert found.shares.min() >= 0
    assert np.abs(found.share(Kind.SKY) - found.sky).max() < 1e-6


def test_a_drawn_house_stands_outdoors_under_its_sky() -> None:
    found = scene(scenes.house(sky=scenes.BLUE))
    assert found.outdoors
    assert found.sky[:30].mean() > 0.95
    left, top, right, bottom = scenes.HOUSE
    walls = found.sky[int(top * 320) + 12 : int(bottom * 320), int(left * 480) + 4 : int(right * 480) - 4]
    assert walls.mean() < 0.02
    assert found.sky[int(0.75 * 320) :].max() < 0.05


def test_a_room_is_indoors_and_its_bright_window_is_no_sky() -> None:
    found = scene(scenes.room())
    assert not found.outdoors
    assert found.sky.max() == 0
    assert found.sky_matte.max() == 0


def _told(labels: Plane, indoors: float) -> network.NetworkOutput:
    return network.NetworkOutput(labels, {"place": {"indoors": indoors}, "room": {"outside": 1 - indoors}})


def test_what_looks_like_sky_in_a_room_is_the_view_of_a_window() -> None:
    labels = np.zeros((16, 24, len(Label)), np.float32)
    labels[:8, :, NUMBER[Label.SKY]], labels[8:, :, NUMBER[Label.WALL]] = 1, 1
    room, outside = scene(scenes.room()), scene(scenes.room())
    room.__dict__["_output"], outside.__dict__["_output"] = _told(labels, 0.999), _told(labels, 0.01)
    assert outside.sky.mean() > 0.4
    assert room.sky.max() == 0
    assert room.share(Kind.SKY).max() == 0


@pytest.mark.long
def test_the_same_picture_is_seen_the_same_by_any_number_of_threads() -> None:
    picture = scenes.house(300, 200)
    before = cv2.getNumThreads()
    answers = []
    try:
        for threads in (1, 2, 5):
            cv2.setNumThreads(threads)
            answers.append(run_network(picture))
    finally:
        cv2.setNumThreads(before)
    with ThreadPoolExecutor(4) as pool:
        answers += pool.map(run_network, [picture] * 4)
    assert len({answer.labels.tobytes() for answer in answers}) == 1
    assert len({answer.indoors for answer in answers}) == 1


@pytest.mark.parametrize("shape", [(1, 1), (1, 2000), (2000, 1), (40, 320), (7, 5)])
def test_pictures_of_strange_shapes_are_looked_at(shape: tuple[int, int]) -> None:
    found = scene(np.full((*shape, 3), 128, np.uint8))
    assert found.shares.shape[:2] == found.small.shape[:2]
    assert np.isfinite(found.shares).all()
    assert found.sky_matte.shape == shape


@pytest.mark.parametrize("value", [0, 255])
def test_a_picture_of_one_tone_has_an_answer(value: int) -> None:
    found = scene(np.full((90, 130, 3), value, np.uint8))
    assert np.isfinite(found.shares).all()


def test_colors_are_judged_in_srgb_whatever_the_space_of_the_photo() -> None:
    swapped = scenes.house(300, 200, sky=scenes.BLUE)
    in_own_space = scene(swapped)
    asked: list[scenes.Picture] = []

    class Mirrored(ColorProfile):
        def to_srgb(self, pixels: scenes.Picture) -> scenes.Picture:
            asked.append(pixels)
            return np.ascontiguousarray(pixels[..., ::-1])

    turned = Scene(np.ascontiguousarray(swapped[..., ::-1]), Mirrored(), "x")
    assert np.array_equal(turned.shares, in_own_space.shares)
    assert asked


def test_the_exact_sky_takes_its_share_from_the_other_kinds_and_faint_ones_vanish() -> None:
    kinds = np.zeros((2, 2, len(Kind)), np.float32)
    kinds[..., Kind.SKY], kinds[..., Kind.TREES], kinds[..., Kind.BUILDING] = 0.19, 0.68, 0.08
    kinds[..., Kind.WATER] = 0.05
    kinds[1, 1] = 0
    kinds[1, 1, Kind.SKY] = 1
    exact = insert_sky(resize_shares(kinds, (2, 2)), np.array([[0.0, 0.6], [1.0, 0.4]], np.float32))
    assert exact[0, 0, Kind.TREES] == pytest.approx(1)
    assert exact[0, 1, Kind.TREES] == pytest.approx(0.4)
    assert exact[..., Kind.WATER].max() == 0
    assert exact[1, 0, Kind.SKY] == 1
    assert exact[1, 1, Kind.THINGS] == pytest.approx(0.6)
    assert np.allclose(exact.sum(-1), 1)


def test_the_weights_are_small_and_their_card_says_what_they_are_made_of() -> None:
    assert network.WEIGHTS.stat().st_size <= 16_000_000
    card = network.WEIGHTS.with_suffix(".md").read_text()
    digest = hashlib.sha256(network.WEIGHTS.read_bytes()).hexdigest()
    assert digest in card, "the card is of other weights"
    for heading in ("Data", "License", "Split", "Parameters", "Figures", "Train again"):
        assert f"## {heading}" in card


@cache
def photographed(folder: str) -> dict[str, Scene]:
    return {path.name: scene(opened(path)) for path in (PHOTOS / folder).glob("*.jpg")}


@pytest.mark.long
@needs_photos
@pytest.mark.parametrize(("folder", "outdoors"), [("exterior", True), ("interior", False)])
def test_the_hand_out_photos_are_told_indoors_from_outdoors(folder: str, outdoors: bool) -> None:
    assert not [name for name, seen in photographed(folder).items() if seen.outdoors != outdoors]


@pytest.mark.long
@needs_photos
def test_no_hand_out_room_has_a_sky() -> None:
    rooms = photographed("interior").values()
    assert rooms
    assert max(float(room.sky.mean()) for room in rooms) == 0
    inside = [float(room.shares[..., list(INDOOR_KINDS)].sum(-1).mean()) for room in rooms]
    assert min(inside) > 0.15
