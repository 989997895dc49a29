"""`--verify ORIGINAL ALTERED`: what it says, and how it ends."""

import hashlib
import json
from pathlib import Path

import pytest

from engine.types.enhancements import Enhancement
from tests import scenes
from tests.engine.command_line import ran
from tests.engine.engine_runs import enhanced

pytestmark = pytest.mark.usefixtures("seen_roughly")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An original, and the file that the engine made of it with a new sky."""
    folder = tmp_path_factory.mktemp("pair")
    original = scenes.encoded(scenes.house(720, 480))
    done = enhanced(original, Enhancement.SKY)
    assert done.picture is not None
    (folder / "original.jpg").write_bytes(original)
    (folder / "altered.jpg").write_bytes(done.picture.content)
    return folder / "original.jpg", folder / "altered.jpg"


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_result_holds_and_all_that_was_found_is_said(pair: tuple[Path, Path]) -> None:
    done = ran("--verify", *pair)
    assert done.exit_code == 0, done.output
    assert f"Original: sha256 {digest(pair[0])}" in done.stdout
    assert "compositeSynthetic Digitally altered. This picture shows the property other than it is." in done.stdout
    assert "sky, from 0%, 0% to 100%" in done.stdout
    assert "CIEDE2000" in done.stdout
    assert done.stdout.rstrip().endswith("HOLDS: nothing but the changed regions differs beyond the limits.")


def test_as_json_it_says_the_same_to_programs(pair: tuple[Path, Path]) -> None:
    done = ran("--verify", *pair, "--json", "--steps", "sky_enhancement")
    document = json.loads(done.stdout)
    assert (done.exit_code, document["passed"], document["comparison"]["fit"]) == (0, True, "same")
    assert document["altered"]["digitalSourceType"] == "compositeSynthetic"
    assert document["altered"]["isPublished"] is None
    assert document["comparison"]["regions"][0]["shows"] == "sky"
    assert document["comparison"]["outside"]["median"] <= 1


def test_the_digests_of_a_page_tell_whether_these_are_its_files(pair: tuple[Path, Path], tmp_path: Path) -> None:
    published = [digest(each) for each in pair]
    same = ran("--verify", *pair, "--sha256", *[each.upper() for each in published])
    assert (same.exit_code, same.stdout.count("  the published file")) == (0, 2)
    copy = tmp_path / "copy.jpg"
    copy.write_bytes(scenes.encoded(scenes.decoded(pair[1].read_bytes()), quality=80))
    other = ran("--verify", pair[0], copy, "--sha256", *published)
    assert other.exit_code == 1
    assert "NOT the published file" in other.stdout
    assert "nothing (copies often lose it)" in other.stdout
    assert "DOES NOT HOLD: these are not the published files, though the pictures agree." in other.stdout


def test_what_changed_beside_the_sky_does_not_hold(pair: tuple[Path, Path], tmp_path: Path) -> None:
    forged = tmp_path / "forged.png"
    picture = scenes.decoded(pair[1].read_bytes()).copy()
    picture[400:460, 80:200] = (200, 30, 30)
    forged.write_bytes(scenes.encoded(picture, "PNG"))
    done = ran("--verify", pair[0], forged, "--steps", "sky_enhancement")
    assert done.exit_code == 1
    assert "DOES NOT HOLD: Something changed beside what is said to be altered." in done.stdout


def test_two_places_cannot_be_compared(pair: tuple[Path, Path], tmp_path: Path) -> None:
    room = tmp_path / "room.jpg"
    room.write_bytes(scenes.encoded(scenes.room(720, 480)))
    done = ran("--verify", pair[0], room)
    assert done.exit_code == 1
    assert "CANNOT BE COMPARED. The two pictures do not show the same place." in done.stdout
    assert json.loads(ran("--verify", pair[0], room, "--json").stdout)["comparison"] is None


def test_arguments_that_make_no_sense_end_with_two(pair: tuple[Path, Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(pair[0].read_bytes()[:2000])
    for words, said in (
        (("--verify", pair[0]), "two files"),
        (("--verify", tmp_path, pair[0]), "two files"),
        (("--verify", pair[0], broken), "damaged"),
        (("--verify", *pair, "--sha256", "abc", "def"), "is no SHA-256"),
        ((*pair, "--json"), "go with --verify"),
    ):
        done = ran(*words)
        assert (done.exit_code, said in done.stderr) == (2, True), done.output
