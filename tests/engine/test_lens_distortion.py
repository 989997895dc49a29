"""Distortion of the lens: measured by straight lines, or known by the lens's name and confirmed by lines."""

import io
from collections.abc import Callable

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from engine import lens_profiles
from engine.arrays import Pixels
from engine.color.profiles import ColorProfile
from engine.geometry.curves import Curves, follow_edges
from engine.geometry.distortion import RADII, Distortion, make_distortion, scale_distortion
from engine.geometry.plumb_lines import PlumbLines
from engine.geometry.segments import Numbers, find_ends
from engine.geometry.surface import Surface
from engine.io.exif import UsedLens, read_used_lens
from engine.lens_profiles import find_profile
from engine.pipeline import PictureEngine
from engine.segmentation.scene import Scene
from engine.straightening import Straightening, find_straightening
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement
from engine.types.figures import FigureCode
from engine.types.options import EffectOptions, Verticals
from tests import scenes

SIZE = WIDTH, HEIGHT = 900, 600
UNIT = float(np.hypot(*SIZE)) / 2
WIDE = UsedLens("SONY", "ILCE-7M3", "FE 16-35mm F4 ZA OSS", 16.0, 8.0, 4.0)
"""A lens of barrel distortion: 6 % at the corners."""


def tiles(size: tuple[int, int] = SIZE) -> Pixels:
    """A tiled wall, seen head-on."""
    width, height = size
    wall = np.full((height, width, 3), 205, np.uint8)
    for x in range(45, width, 90):
        cv2.line(wall, (x, 0), (x, height), (120, 118, 112), 5)
    for y in range(40, height, 65):
        cv2.line(wall, (0, y), (width, y), (95, 96, 100), 5)
    return np.asarray(cv2.GaussianBlur(wall, (0, 0), 0.8), np.uint8)


def as_seen(picture: Pixels, distortion: Distortion) -> Pixels:
    """The picture as a lens with this distortion shows it, filled to its edges."""
    height, width = picture.shape[:2]
    unit, middle = float(np.hypot(width, height)) / 2, np.array([width, height]) / 2
    seen = (np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1) + 0.5 - middle) / unit
    places = distortion.correct(seen)
    places = places / np.abs(places * unit / middle).max() * unit + middle - 0.5
    return np.asarray(cv2.remap(picture, places.astype(np.float32), None, cv2.INTER_CUBIC), np.uint8)


def lines_of(picture: Pixels) -> PlumbLines:
    gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
    return PlumbLines(follow_edges(gray, find_ends(gray)), picture.shape[1], picture.shape[0])


def strength_of(distortion: Distortion) -> float:
    """The strength of the division model that was found."""
    seen, radius = distortion.seen[200], RADII[200]
    return float((radius - seen) / (radius * seen**2))


@pytest.mark.parametrize("strength", [0.01, 0.03, 0.08])
def test_the_distortion_of_a_lens_is_found_by_lines(strength: float) -> None:
    found = lines_of(as_seen(tiles(), make_distortion(strength))).estimate()
    assert found is not None
    assert strength_of(found) == pytest.approx(strength, abs=0.0015)


@pytest.mark.parametrize("strength", [0.0, -0.03, 0.17])
def test_straight_lines_pincushion_and_a_fisheye_are_left_alone(strength: float) -> None:
    assert lines_of(as_seen(tiles(), make_distortion(strength))).estimate() is None


def test_an_edge_is_followed_as_far_as_it_goes() -> None:
    gray = np.full((400, 600), 90, np.uint8)
    cv2.line(gray, (60, 120), (540, 132), 200, 9, cv2.LINE_AA)
    found = follow_edges(gray, np.array([[200, 119.0, 290, 121.2]]))
    assert len(found.places) == 1
    assert found.places[0, 0] == pytest.approx([60, 115.5], abs=12)
    assert found.places[0, -1] == pytest.approx([540, 127.5], abs=12)


def curves(bend: Callable[[float], float], sides: tuple[int, ...]) -> Curves:
    """Lines beside the middle on these sides, each bent as `bend` says by its distance from the middle."""
    way, places = np.linspace(-0.45, 0.45, 48), []
    for side in sides:
        for distance in np.linspace(0.2, 0.5, 8):
            across = distance + bend(distance) * (way**2 - 0.2**2)
            point = np.column_stack([way, across])
            turn = np.array([[0, 1], [-1, 0]]) if side % 2 else np.eye(2)
            places.append(point @ turn * (1 if side < 2 else -1) * UNIT + np.array(SIZE) / 2)
    return Curves(np.array(places), np.ones((len(places), 48)))


def test_lines_on_one_side_only_say_nothing() -> None:
    def bend(distance: float) -> float:
        return -0.04 * distance

    every = PlumbLines(curves(bend, (0, 1, 2, 3)), *SIZE).estimate()
    assert every is not None
    assert strength_of(every) == pytest.approx(0.04, abs=0.006)
    assert PlumbLines(curves(bend, (0,)), *SIZE).estimate() is None


def test_lines_that_disagree_say_nothing() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    assert PlumbLines(curves(lambda distance: random.normal(0, 0.03), (0, 1, 2, 3)), *SIZE).estimate() is None


def test_sides_that_disagree_say_nothing() -> None:
    mixed = [
        curves(lambda distance, side=side: (-0.05 if side == 0 else 0.0) * distance, (side,)) for side in range(4)
    ]
    every = Curves(
        np.concatenate([each.places for each in mixed]), np.concatenate([each.weights for each in mixed])
    )
    assert PlumbLines(every, *SIZE).estimate() is None


def test_a_correction_undoes_the_distortion() -> None:
    points: Numbers = np.random.Generator(np.random.PCG64(1)).uniform(-0.7, 0.7, (50, 2))
    lens = make_distortion(0.06)
    assert lens.correct(lens.distort(points)) == pytest.approx(points, abs=1e-5)
    assert lens.correct(np.array([[0.6, 0.8]])) == pytest.approx(
        np.array([[0.6, 0.8]]) * (1 + lens.corner), abs=1e-5
    )
    assert lens.corner == pytest.approx(1 / 0.94 - 1, abs=1e-4)
    assert scale_distortion(lens, 0.5).corner == pytest.approx(lens.corner / 2, rel=0.1)


def test_a_lens_is_known_by_its_name() -> None:
    found = find_profile(WIDE, *SIZE)
    assert found is not None
    assert found.corner == pytest.approx(0.06, abs=0.01)
    turned = find_profile(WIDE, HEIGHT, WIDTH)
    assert turned is not None
    assert turned.seen == pytest.approx(found.seen, abs=1e-3)


@pytest.mark.parametrize(
    "used",
    [
        UsedLens("Canon", "Canon EOS 7D", "", 18.0, 8.0, 4.0),
        UsedLens("Nobody", "No camera", "FE 16-35mm F4 ZA OSS", 16.0, 8.0, 4.0),
        UsedLens("SONY", "ILCE-7M3", "A lens of my own", 16.0, 8.0, 4.0),
        UsedLens("SONY", "ILCE-7M3", "FE 16-35mm F4 ZA OSS", 70.0, 8.0, 4.0),
        UsedLens("Canon", "Canon EOS 7D", "EF8-15mm f/4L FISHEYE USM", 10.0, 8.0, 4.0),
        UsedLens("Apple", "iPhone 12", "iPhone 12 back dual wide camera 4.2mm f/1.6", 4.2, 1.6, 4.0),
    ],
    ids=["no lens named", "no such camera", "no such lens", "not at this focal length", "fisheye", "phone"],
)
def test_a_lens_that_is_not_known_for_certain_is_none(used: UsedLens) -> None:
    assert find_profile(used, *SIZE) is None


def test_without_the_database_no_lens_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lens_profiles, "find_spec", lambda name: None)
    assert find_profile(WIDE, *SIZE) is None


def exif_of(used: UsedLens) -> bytes:
    exif = Image.Exif()
    exif[ExifTags.Base.Make], exif[ExifTags.Base.Model] = used.camera_maker, used.camera
    capture = exif.get_ifd(ExifTags.IFD.Exif)
    capture[ExifTags.Base.LensModel] = used.lens
    capture[ExifTags.Base.FocalLength] = used.focal_length
    return exif.tobytes()


def test_the_lens_is_read_from_the_file() -> None:
    assert read_used_lens(exif_of(WIDE)) == WIDE
    assert read_used_lens(b"") is None
    assert read_used_lens(b"Exif\0\0broken") is None


def scene_of(picture: Pixels) -> Scene:
    scene = Scene(picture, ColorProfile(), "a wall")
    vars(scene).update(surfaces=np.zeros((*scene.small.shape[:2], len(Surface)), np.float32), outdoors=False)
    return scene


def test_a_known_lens_is_corrected_only_if_lines_are_bent_by_it() -> None:
    profile = find_profile(WIDE, *SIZE)
    assert profile is not None
    found = find_straightening(scene_of(as_seen(tiles(), profile)), exif_of(WIDE))
    assert found is not None
    assert found.lens_known
    assert found.distortion is not None
    assert found.distortion.seen == pytest.approx(profile.seen, abs=1e-3)
    assert find_straightening(scene_of(tiles()), exif_of(WIDE)) is None, "the camera has corrected it already"
    half = as_seen(tiles(), scale_distortion(profile, 0.4))
    assert find_straightening(scene_of(half), exif_of(WIDE)) is None, "lines disagree with the lens"


def test_a_corrected_picture_is_straight_and_shows_nothing_from_beyond_the_edges() -> None:
    bent = as_seen(tiles(), make_distortion(0.05))
    bent[[0, -1]] = bent[:, [0, -1]] = 0
    found = find_straightening(scene_of(bent))
    assert found is not None
    assert found.degrees == 0
    assert not found.lens_known
    straight = found.apply(bent)
    assert straight.shape == bent.shape
    assert 0.9 < found.kept < 0.99
    assert (straight[3:-3, 3:-3] > 60).all()
    gray = np.asarray(cv2.cvtColor(straight, cv2.COLOR_RGB2GRAY), np.uint8)
    places = follow_edges(gray, find_ends(gray)).places
    ends = places[:, [0, -1]].mean(1)
    assert len(places) > 12
    assert np.median(np.hypot(*(places[:, 23:25].mean(1) - ends).T)) < 0.6


def test_a_picture_of_any_size_is_turned_as_a_whole() -> None:
    noise = np.random.Generator(np.random.PCG64(4)).integers(0, 255, (531, 347, 3), np.uint8)
    picture = np.asarray(cv2.GaussianBlur(noise, (0, 0), 3), np.uint8)
    matrix = np.array([[1.1, 0.02, -0.06], [0.01, 1.08, -0.04], [0.02, 0.01, 1.0]])
    size = np.array([[347, 0, -0.5], [0, 531, -0.5], [0, 0, 1.0]])
    expected = cv2.warpPerspective(
        picture,
        size @ matrix @ np.linalg.inv(size),
        (347, 531),
        flags=cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_REPLICATE,
    )
    off = Straightening(matrix, 1.0, 0.9).apply(picture).astype(int) - expected
    assert np.abs(off).max() <= 2


def test_the_report_says_how_far_distortion_was_corrected_and_what_was_cropped() -> None:
    bent = as_seen(tiles(), make_distortion(0.05))
    done = PictureEngine().enhance(
        io.BytesIO(scenes.encoded(bent)),
        EditRequest((Enhancement.HDR,), options=EffectOptions(verticals=Verticals.STRAIGHT)),
    )
    figures = {each.code: each.value for each in done.report.figures}
    assert figures[FigureCode.LENS_KNOWN] == 0
    assert figures[FigureCode.DISTORTION_CORRECTED] == pytest.approx(1 / 0.95 - 1, abs=0.01)
    assert 0.01 < figures[FigureCode.CROPPED_SHARE] < 0.15
