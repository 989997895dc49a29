"""The folder of an operator's own pictures: found by address, never outside the folder."""

import logging
import os
import unicodedata
from pathlib import Path

import pytest

from app.adapters import imagery_folder
from app.adapters.imagery_folder import ImageryFolder
from app.domain.file_names import slug
from app.domain.ports import ImageryUnavailableError
from tests.fakes import photo

ADDRESS = "12 St. James's Lane #4, Springfield, IL 62704"
SLUG = "12-st-james-s-lane-4-springfield-il-62704"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    return tmp_path / "own"


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (ADDRESS, SLUG),
        ("  12 ST.  JAMES'S lane, #4 -- Springfield / IL 62704. ", SLUG),
        ("Straße 5", "strasse-5"),
        ("\uff11\uff12 \uff27arden", "12-garden"),
        ("東京都千代田区１丁目", "東京都千代田区1丁目"),
        ("दिल्ली 110001", "दिल्ली-110001"),
        ("../..", ""),
        ("a\x00b\nc", "a-b-c"),
    ],
)
def test_an_address_becomes_a_slug(address: str, name: str) -> None:
    assert slug(address) == name
    assert slug(name) == name


@pytest.mark.parametrize("name", [f"{SLUG}.jpg", f"{ADDRESS}.JPEG", f"{SLUG.upper()}.tif", f"{SLUG}.heic"])
def test_a_picture_is_found_by_its_slug_or_by_the_address_itself(folder: Path, name: str) -> None:
    (folder / name).write_bytes(photo())
    assert ImageryFolder(folder).find(ADDRESS) == photo()


def test_an_accent_may_be_stored_in_either_form(folder: Path) -> None:
    (folder / unicodedata.normalize("NFD", "Allée 5.jpg")).write_bytes(photo())
    assert ImageryFolder(folder).find(unicodedata.normalize("NFC", "Allée 5")) == photo()


def test_of_two_pictures_of_one_house_the_first_by_name_is_given(folder: Path) -> None:
    (folder / f"{SLUG}.png").write_bytes(photo("SECOND"))
    (folder / f"{SLUG}.jpg").write_bytes(photo("FIRST"))
    assert ImageryFolder(folder).find(ADDRESS) == photo("FIRST")


@pytest.mark.parametrize("name", [f"{SLUG}.txt", SLUG, f"{SLUG}.jpg.part", "12.jpg", f"x-{SLUG}.jpg"])
def test_other_files_are_no_picture_of_the_house(folder: Path, name: str) -> None:
    (folder / name).write_bytes(photo())
    assert ImageryFolder(folder).find(ADDRESS) is None


@pytest.mark.parametrize("address", ["../secret 1", "/secret 1", "..", "x/../../secret 1"])
def test_an_address_leads_nowhere_outside(folder: Path, address: str) -> None:
    (folder.parent / "secret 1.jpg").write_bytes(photo())
    assert ImageryFolder(folder).find(address) is None


def test_a_link_out_of_the_folder_is_refused_and_one_inside_is_followed(folder: Path, caplog) -> None:
    (folder.parent / "secret.jpg").write_bytes(photo("SECRET"))
    (folder / f"{SLUG}.jpg").symlink_to("../secret.jpg")
    with caplog.at_level(logging.WARNING):
        assert ImageryFolder(folder).find(ADDRESS) is None
    assert "is no file of the folder" in caplog.text
    (folder / "terrace.jpg").write_bytes(photo("TERRACE"))
    (folder / f"{SLUG}.png").symlink_to("terrace.jpg")
    assert ImageryFolder(folder).find(ADDRESS) == photo("TERRACE")


def test_a_link_to_a_folder_with_a_like_name_is_refused(folder: Path) -> None:
    (folder.parent / "own-not").mkdir()
    (folder.parent / "own-not" / "x.jpg").write_bytes(photo())
    (folder / f"{SLUG}.jpg").symlink_to("../own-not/x.jpg")
    assert ImageryFolder(folder).find(ADDRESS) is None


def test_a_folder_that_is_itself_a_link_is_fine(folder: Path) -> None:
    (folder / f"{SLUG}.jpg").write_bytes(photo())
    (folder.parent / "link").symlink_to(folder)
    assert ImageryFolder(folder.parent / "link").find(ADDRESS) == photo()


def odd(kind: str, path: Path) -> None:
    match kind:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "dangling link":
            path.symlink_to("nowhere")
        case "endless link":
            path.symlink_to(path.name)
        case "text":
            path.write_text("<html>no picture")
        case "empty":
            path.touch()
        case "too large":
            path.write_bytes(photo() * 20)


@pytest.mark.parametrize("kind", ["folder", "pipe", "dangling link", "endless link", "text", "empty", "too large"])
def test_what_is_no_picture_is_passed_over(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagery_folder, "MAX_BYTES", 1000)
    odd(kind, folder / f"{SLUG}.jpg")
    assert ImageryFolder(folder).find(ADDRESS) is None
    (folder / f"{SLUG}.png").write_bytes(photo())
    assert ImageryFolder(folder).find(ADDRESS) == photo()


def test_a_file_in_place_of_the_folder_is_trouble_not_nothing(folder: Path) -> None:
    (folder / "file").touch()
    with pytest.raises(ImageryUnavailableError):
        ImageryFolder(folder / "file").find(ADDRESS)
