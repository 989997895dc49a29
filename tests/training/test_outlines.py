"""Outlines: text becomes labels as it says, edges move to the photo's, and every file is read."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

if importlib.util.find_spec("skimage") is None:
    pytest.skip("needs the dependency group training", allow_module_level=True)

from engine.segmentation.labels import FACTS, NUMBER, Label
from training.outlines import FOLDER, IGNORED, SHARED, painted, read
from training.outlining import overlay, ruled
from training.snapping import snapped

FILES = sorted(FOLDER.glob("*.txt"))
SCENE = "scene indoors day none furnished kitchen"


def _written(folder: Path, *lines: str) -> Path:
    path = folder / "drawn.txt"
    path.write_text("\n".join(("photo photos/interior/drawn.jpg", *lines)))
    return path


def test_later_areas_are_painted_over_earlier_ones(tmp_path: Path) -> None:
    outline = read(_written(tmp_path, SCENE, "wall 0,0 99,0 99,99 0,99", "window 20,20 60,20 60,60 20,60"))
    drawn = painted(outline, (100, 200))
    assert drawn[10, 10] == NUMBER[Label.WALL]
    assert drawn[40, 40] == NUMBER[Label.WINDOW]
    assert drawn[40, 150] == IGNORED


def test_what_nobody_can_tell_is_ignored(tmp_path: Path) -> None:
    outline = read(_written(tmp_path, SCENE, "wall 0,0 99,0 99,99 0,99", "unsure 20,20 60,20 60,60 20,60"))
    assert painted(outline, (100, 100))[40, 40] == IGNORED


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("wal 0,0 9,0 9,9", "wal"),
        ("wall 0,0 9,0", "three corners"),
        ("wall 0,0 9 9,9", "drawn.txt:3"),
        ("scene indoors day none kitchen", "furnished/empty"),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read(_written(tmp_path, SCENE, line, "wall 0,0 9,0 9,9"))


def test_an_edge_drawn_roughly_moves_to_the_photos_own(tmp_path: Path) -> None:
    picture = np.full((360, 600, 3), 60, np.uint8)
    picture[:, 300:] = 220
    rough = read(_written(tmp_path, SCENE, "wall 0,0 599,0 599,359 0,359", "door 0,0 297,0 304,359 0,359"))
    labels = snapped(picture, painted(rough, picture.shape))
    door, wall = labels == NUMBER[Label.DOOR], labels == NUMBER[Label.WALL]
    assert door[:, 300:].mean() < 0.01
    assert wall[:, :300].mean() < 0.01
    assert (door | wall).mean() > 0.97


def test_what_is_thin_stays_as_it_was_drawn(tmp_path: Path) -> None:
    picture = np.full((120, 200, 3), 60, np.uint8)
    outline = read(_written(tmp_path, SCENE, "wall 0,0 199,0 199,119 0,119", "wire 50,0 52,0 52,119 50,119"))
    assert (snapped(picture, painted(outline, picture.shape))[:, 51] == NUMBER[Label.WIRE]).all()


def test_overlay_and_ruler_leave_size_and_photo_alone(tmp_path: Path) -> None:
    picture = np.full((120, 200, 3), 60, np.uint8)
    drawn = painted(read(_written(tmp_path, SCENE, "wall 0,0 199,0 199,119 0,119")), picture.shape)
    assert overlay(picture, drawn).shape == ruled(picture).shape == picture.shape
    assert (picture == 60).all()


def test_there_are_outlines_of_rooms_and_of_outsides() -> None:
    places = [read(path).facts["place"] for path in FILES]
    assert places.count("indoors") >= 250
    assert places.count("outdoors") >= 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_outline_is_read_and_names_a_photo_that_may_train(path: Path) -> None:
    outline = read(path)
    assert set(outline.facts) == set(FACTS)
    assert outline.photo.startswith(("photos/", "facades/", "panoramas/"))
    assert path.stem == Path(outline.photo).stem
    assert len(outline.sha256) == 64
    if (SHARED / outline.photo).is_file():
        drawn = painted(outline, (1000, 1000))
        assert (drawn != IGNORED).mean() > 0.3
