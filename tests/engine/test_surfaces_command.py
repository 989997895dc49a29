"""What `--surfaces` writes of each photo: what is seen in it, as a document and as a label image."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import ExifTags, Image

from engine.geometry.estimation import Obstacle
from engine.io.exif import read_focal_ratio
from engine.types.hint_document import read_hints
from engine.types.hints import HintedSurface, ThingKind
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


def read(folder: Path, name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "surfaces" / f"{name}.outlook.json").read_text())
    return content


def test_the_label_image_has_the_photos_shape_and_names_what_is_seen(folder: Path) -> None:
    names = read(folder, "room")["labels"]["names"]
    with Image.open(folder / "surfaces" / "room.labels.png") as picture:
        assert (picture.mode, picture.size) == ("P", (480, 320))
        seen = {names[number] for number in np.unique(np.asarray(picture))}
    assert {"floor", "wall"} <= seen
    assert seen <= {"", *HintedSurface, *ThingKind}


def test_what_is_seen_can_be_sent_back_as_hints(folder: Path) -> None:
    content = read(folder, "room")
    hints = read_hints(content["seen"])
    assert HintedSurface.FLOOR in hints.surfaces
    for name, polygons in content["seen"]["surfaces"].items():
        assert len(content["certainties"][name]) == len(polygons)
    (folder / "hints.json").write_text(json.dumps(content["seen"]))
    photo, again = folder / "photos" / "room.png", folder / "again"
    assert ran(photo, "--hints", folder / "hints.json", "--surfaces", again).exit_code == 0
    with (
        Image.open(folder / "surfaces" / "room.labels.png") as before,
        Image.open(again / "room.labels.png") as after,
    ):
        assert (np.asarray(before) == np.asarray(after)).mean() > 0.95
    shutil.rmtree(again)
    (folder / "hints.json").unlink()


def test_the_camera_is_that_of_the_photo_or_it_says_why_there_is_none(folder: Path) -> None:
    content = read(folder, "room")
    if content["camera"] is None:
        assert content["unclear"] in set(Obstacle)
    else:
        assert content["camera"]["center"][0] == pytest.approx(0.5)
    blank = read(folder, "blank")
    assert blank["outdoors"] or blank["unclear"] in set(Obstacle)


def test_with_steps_it_says_what_they_would_do(folder: Path) -> None:
    photo, out = folder / "photos" / "room.png", folder / "forecast"
    steps = "virtual_staging,grass_enhancement"
    ran(photo, "--steps", steps, "--out", out, "--surfaces", out)
    content = json.loads((out / "room.outlook.json").read_text())
    assert [each["enhancement"] for each in content["steps"]]
    assert {each["prospect"] for each in content["steps"]} <= {"likely", "needs_hint", "not_possible"}
    shutil.rmtree(out)


def test_surfaces_alone_leave_no_results(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == ["photos", "surfaces"]
    assert len(list((folder / "surfaces").iterdir())) == 2 * 2


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
