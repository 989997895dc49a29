"""What `--surfaces` writes of each photo: its surfaces as pictures, its camera as JSON."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.geometry.estimation import Obstacle
from engine.geometry.room import read_room
from engine.geometry.surface import Surface
from engine.io.exif import read_focal_ratio
from tests import scenes
from tests.engine.boxes import SOFA, Box, camera
from tests.engine.command_line import ran


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A drawn room, upright and sideways formats, and a blank picture, with what was written of them."""
    here = tmp_path_factory.mktemp("rooms")
    (here / "photos").mkdir()
    size = 480, 320
    picture, _ = Box(blocks=(SOFA,)).drawn(camera(yaw=20, size=size), *size)
    Image.fromarray(picture).save(here / "photos" / "room.png")
    (here / "photos" / "blank.jpg").write_bytes(scenes.encoded(np.full((200, 300, 3), 210, np.uint8)))
    done = ran(here / "photos", "--surfaces", here / "surfaces")
    assert (done.exit_code, done.stdout) == (0, "2 of 2 photos done\n")
    return here


def test_every_surface_is_a_gray_picture_of_the_photos_size(folder: Path) -> None:
    for surface in Surface:
        with Image.open(folder / "surfaces" / f"room.{surface}.png") as picture:
            assert (picture.mode, picture.size) == ("L", (480, 320))


def test_the_surfaces_of_a_pixel_are_all_of_it(folder: Path) -> None:
    layers = []
    for surface in Surface:
        with Image.open(folder / "surfaces" / f"room.{surface}.png") as picture:
            layers.append(np.asarray(picture, np.int64))
    assert np.median(np.abs(np.sum(layers, axis=0) - 255)) <= 3
    assert np.max(layers, axis=0).mean() > 128


def test_the_camera_is_that_of_the_whole_photo_or_says_why_there_is_none(folder: Path) -> None:
    content = json.loads((folder / "surfaces" / "room.camera.json").read_text())
    if "unclear" in content:
        assert content["unclear"] in set(Obstacle)
    else:
        assert read_room(content).camera.center[0] == pytest.approx(240)
    blank = json.loads((folder / "surfaces" / "blank.camera.json").read_text())
    assert blank["unclear"] in set(Obstacle)


def test_surfaces_alone_leave_no_results(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["photos", "surfaces"]
    assert len(list((folder / "surfaces").iterdir())) == 2 * (len(Surface) + 1)


def test_results_need_a_place_and_surfaces_another_than_the_photos(folder: Path) -> None:
    nowhere = ran(folder / "photos", "--steps", "hdr_enhancement", "--surfaces", folder / "surfaces")
    among = ran(folder / "photos", "--surfaces", folder / "photos")
    assert (nowhere.exit_code, among.exit_code) == (2, 2)
    assert "Missing option '--out'" in nowhere.stderr
    assert "--surfaces: the photos themselves are in" in among.stderr


def test_the_lens_is_read_from_the_capture_data() -> None:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 24
    assert read_focal_ratio(exif.tobytes()) == pytest.approx(24 / 43.27)


@pytest.mark.parametrize("length", [0, 3, 900])
def test_a_lens_that_cannot_be_is_none(length: int) -> None:
    exif = Image.Exif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = length
    assert read_focal_ratio(exif.tobytes()) is None


@pytest.mark.parametrize("exif", [b"", b"Exif", b"\0\1\2"])
def test_broken_capture_data_names_no_lens(exif: bytes) -> None:
    assert read_focal_ratio(exif) is None
