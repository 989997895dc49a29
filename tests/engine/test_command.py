"""The command for a folder of photos: what it writes, says and refuses."""

import json
import shlex
from hashlib import sha256
from pathlib import Path
from typing import Never

import numpy as np
import pytest
from PIL import Image

from engine.batch.arguments import BatchRequest, make_parser
from engine.batch.verify import VerifyRequest
from engine.io.photo import DecodedPhoto
from engine.pipeline import PipelineResult
from engine.types.context import EngineContext
from engine.types.edit_request import EditRequest
from engine.types.enhancements import Enhancement, RoomType, Style
from engine.types.report import QualityReport, Reason
from tests import scenes
from tests.engine.command_line import ran

pytestmark = pytest.mark.usefixtures("seen_roughly")

HERE = Path(__file__).parents[2]
RUN = "python -m engine "
SKY, GRASS, HDR = (each.value for each in (Enhancement.SKY, Enhancement.GRASS, Enhancement.HDR))


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    """A folder with a house, a room, a broken photo and what else lies in folders."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "house.jpg").write_bytes(scenes.encoded(scenes.house(240, 160)))
    (folder / "Room.JPEG").write_bytes(scenes.encoded(scenes.room(240, 160)))
    (folder / "notes.txt").write_text("Not a photo.")
    (folder / ".hidden.jpg").write_bytes(b"")
    return folder


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_photos_of_a_folder_are_enhanced_into_another(photos: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in photos.iterdir()}
    done = ran(photos, "--steps", f"{SKY}, {HDR}", "--out", tmp_path / "out")
    assert (done.exit_code, done.stdout) == (0, "2 of 2 photos done\n"), done.output
    assert files(tmp_path / "out") == ["Room.jpg", "house.jpg"]
    assert {path: path.read_bytes() for path in photos.iterdir()} == before
    sky = scenes.part(scenes.decoded((tmp_path / "out" / "house.jpg").read_bytes()), (0, 0, 1, 0.1))
    assert float(sky[..., 2].mean()) > float(sky[..., 0].mean()) + 20


def test_steps_for_houses_and_rooms_named_together_go_each_to_its_own(photos: Path, tmp_path: Path) -> None:
    ran(photos, "--steps", f"{HDR},{SKY}", "--out", tmp_path / "out", "--report", tmp_path / "report.json")
    lines = json.loads((tmp_path / "report.json").read_text())["photos"]
    assert [[step["enhancement"] for step in line["steps"]] for line in lines] == [[HDR], [SKY]]


def test_the_report_names_file_verdict_figures_and_limits(photos: Path, tmp_path: Path) -> None:
    (photos / "broken.jpg").write_bytes(scenes.encoded(scenes.house())[:3000])
    report = tmp_path / "new" / "report.json"
    done = ran(photos, "--steps", f"{SKY},{GRASS}", "--out", tmp_path / "out", "--report", report, "--seed", "July")
    document = json.loads(report.read_text())
    assert (document["steps"], document["seed"]) == ([GRASS, SKY], "July")
    room, broken, house = document["photos"]
    assert (house["verdict"], house["reason"]) == ("approved", None)
    assert house["output"] == str(tmp_path / "out" / "house.jpg")
    assert {"code", "value", "minimum", "maximum", "passed"} <= house["figures"][0].keys()
    assert all(figure["passed"] for figure in house["figures"])
    assert (room["verdict"], room["reason"], room["output"]) == ("rejected", "all_steps_declined", None)
    assert (broken["verdict"], broken["reason"], broken["output"]) == ("rejected", "undecodable", None)
    assert done.exit_code == 1


def test_what_went_wrong_is_said_by_photo_and_the_others_go_on(photos: Path, tmp_path: Path) -> None:
    (photos / "broken.jpg").write_bytes(scenes.encoded(scenes.house())[:3000])
    done = ran(photos, "--steps", f"{SKY},{GRASS}", "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert done.stdout == "1 of 3 photos done\n"
    assert f"{photos / 'broken.jpg'}: not done: The file is damaged" in done.stderr
    assert f"{photos / 'Room.JPEG'}: not done: " in done.stderr
    assert files(tmp_path / "out") == ["house.jpg"]


def test_a_step_that_declined_is_named_and_the_photo_is_done(tmp_path: Path) -> None:
    (tmp_path / "house.png").write_bytes(scenes.encoded(scenes.house_on_asphalt(), "PNG"))
    done = ran(tmp_path / "house.png", "--steps", f"{SKY},{GRASS}", "--out", tmp_path / "out")
    assert (done.exit_code, files(tmp_path / "out")) == (0, ["house.png"])
    assert f"house.png: {GRASS} declined: " in done.stderr


def test_a_mask_has_the_photos_size_and_is_full_where_the_step_works(photos: Path, tmp_path: Path) -> None:
    ran(photos, "--steps", f"{SKY},{GRASS},{HDR}", "--out", tmp_path / "out", "--masks", tmp_path / "masks")
    assert files(tmp_path / "masks") == [f"Room.{HDR}.png", f"house.{GRASS}.png", f"house.{SKY}.png"]
    with Image.open(tmp_path / "masks" / f"house.{SKY}.png") as mask:
        assert (mask.mode, mask.size) == ("L", (240, 160))
        values = np.asarray(mask)
    assert values[:15].min() == 255
    assert values[-30:].max() == 0
    with Image.open(tmp_path / "masks" / f"house.{GRASS}.png") as mask:
        assert np.asarray(mask)[:15].max() == 0


def test_photos_of_one_name_get_results_of_their_own(tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("one/front.png", "two/front.png", "two/Front.webp", "two/front-2.png")]
    for path in places:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(scenes.encoded(scenes.house(240, 160), "PNG"))
    done = ran(*places, "--steps", GRASS, "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert files(tmp_path / "out") == ["Front-4.png", "front-2.png", "front-3.png", "front.png"]


def test_a_photo_named_twice_is_worked_once(photos: Path, tmp_path: Path) -> None:
    done = ran(photos / "house.jpg", photos, "--steps", f"{SKY},{HDR}", "--out", tmp_path / "out")
    assert done.stdout == "2 of 2 photos done\n"


@pytest.mark.long
@pytest.mark.usefixtures("seen_anew")
def test_the_same_photos_give_the_same_bytes_and_another_seed_another_sky(photos: Path, tmp_path: Path) -> None:
    def sky_of(out: str, *more: str) -> bytes:
        ran(photos / "house.jpg", "--steps", SKY, "--out", tmp_path / out, *more)
        return (tmp_path / out / "house.jpg").read_bytes()

    assert sky_of("one") == sky_of("two")
    assert sky_of("three", "--seed", "another") != sky_of("one")


@pytest.mark.long
def test_photos_of_one_run_share_their_chance_whatever_they_are_called(tmp_path: Path) -> None:
    for folder, names in (("one", "ab"), ("two", "ba")):
        (tmp_path / folder).mkdir()
        for name, drawn in zip(names, (scenes.house(240, 160), scenes.house(300, 200)), strict=True):
            (tmp_path / folder / f"{name}.png").write_bytes(scenes.encoded(drawn, "PNG"))
        ran(tmp_path / folder, "--steps", SKY, "--out", tmp_path / f"{folder}-out")
    first, second = (tmp_path / f"{folder}-out" for folder in ("one", "two"))
    assert (first / "a.png").read_bytes() == (second / "b.png").read_bytes()
    assert (first / "b.png").read_bytes() == (second / "a.png").read_bytes()


def test_a_result_that_fails_its_checks_is_marked_in_its_name(
    photos: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.batch.photo.apply_effects", _blackened)
    done = ran(photos / "house.jpg", "--steps", SKY, "--out", tmp_path / "out")
    assert (done.exit_code, files(tmp_path / "out")) == (1, ["house.rejected.jpg"])
    assert "house.jpg: not done (kept as " in done.stderr


def _blackened(
    photo: DecodedPhoto, request: EditRequest, *, context: EngineContext, keep_mattes: bool
) -> PipelineResult:
    return PipelineResult(photo.pixels * 0, QualityReport(reason=Reason.BLANK, message="The picture is blank."), {})


@pytest.mark.long
def test_frames_of_one_photo_are_merged_and_enhanced(tmp_path: Path) -> None:
    frames = []
    for name, light in (("dark", 0.35), ("fit", 1.0), ("light", 2.2)):
        frames.append(tmp_path / f"{name}.png")
        picture = np.clip(scenes.room(480, 320, cast=(1.0, 0.97, 0.92)) * light, 0, 255).astype(np.uint8)
        frames[-1].write_bytes(scenes.encoded(picture, "PNG"))
    merged = ran(*frames, "--brackets", "--out", tmp_path / "out")
    assert (merged.exit_code, files(tmp_path / "out")) == (0, ["dark-merged.png"]), merged.output
    result = scenes.decoded((tmp_path / "out" / "dark-merged.png").read_bytes())
    assert float(result.mean()) > float(scenes.decoded(frames[0].read_bytes()).mean()) + 10
    better = ran(*frames, "--brackets", "--steps", HDR, "--out", tmp_path / "hdr")
    assert (better.exit_code, files(tmp_path / "hdr")) == (0, ["dark-merged.png"]), better.output


def test_frames_that_do_not_belong_together_are_refused_with_the_reason(tmp_path: Path) -> None:
    for name, width in (("one", 240), ("two", 300)):
        (tmp_path / f"{name}.png").write_bytes(scenes.encoded(scenes.room(width, 160), "PNG"))
    done = ran(tmp_path / "one.png", tmp_path / "two.png", "--brackets", "--out", tmp_path / "out")
    assert done.exit_code == 1
    assert "one.png: not done: " in done.stderr
    assert not (tmp_path / "out").exists() or files(tmp_path / "out") == []


def test_the_list_says_every_step_its_label_and_its_choices() -> None:
    done = ran("--list")
    assert done.exit_code == 0
    assert all(each in done.stdout for each in Enhancement)
    assert "Green lawn. Brown or patchy lawn reads lush and green." in done.stdout
    assert "style: modern, contemporary" in done.stdout
    assert "--change: floor, walls" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--steps", "sky"], "there is no step sky; there are grass_enhancement, sky_enhancement"),
        (["--steps", ","], "no step is named; there are grass_enhancement"),
        (["--steps", "virtual_renovation"], "virtual_renovation and --change TYPE=WORDS go together"),
        (["--steps", SKY, "--change", "floor=oak"], "virtual_renovation and --change TYPE=WORDS go together"),
        (
            ["--steps", "virtual_renovation", "--change", "roof=red"],
            "'roof=red' is not TYPE=WORDS",
        ),
        (["--steps", "virtual_staging", "--style", "baroque"], "invalid choice: 'baroque'"),
        ([], "Missing option '--steps': which steps? --list shows them."),
        (["--brackets"], "--brackets needs two or more files"),
        (["--steps", SKY, "--jobs", "0"], "0 is not a whole number of 1 or more"),
    ],
)
def test_arguments_that_make_no_sense_are_refused_with_what_would(
    photos: Path, tmp_path: Path, words: list[str], said: str
) -> None:
    done = ran(photos / "house.jpg", "--out", tmp_path / "out", *words)
    assert done.exit_code == 2
    assert said in done.stderr
    assert not (tmp_path / "out").exists()


def test_photos_and_folders_that_are_not_there_are_refused(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    out = ("--steps", SKY, "--out", tmp_path / "out")
    missing, empty, none = ran(tmp_path / "gone.jpg", *out), ran(tmp_path / "empty", *out), ran(*out)
    assert [done.exit_code for done in (missing, empty, none)] == [2, 2, 2]
    assert "gone.jpg' does not exist" in missing.stderr
    assert f"{tmp_path / 'empty'} has no JPEG, PNG, WebP, HEIC or TIFF file in it." in empty.stderr
    assert "Missing argument" in none.stderr


def test_a_folder_that_cannot_be_read_is_said_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(folder: Path) -> Never:
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(Path, "iterdir", refuse)
    done = ran(tmp_path, "--steps", SKY, "--out", tmp_path / "out")
    assert (done.exit_code, f"{tmp_path}: Permission denied." in done.stderr) == (2, True), done.stderr


def test_results_masks_and_report_never_go_where_the_photos_are(photos: Path, tmp_path: Path) -> None:
    house = photos / "house.jpg"
    before = house.read_bytes()
    for words in (
        ("--out", photos),
        ("--out", tmp_path / "out", "--masks", photos / ".." / "photos"),
        ("--out", tmp_path / "out", "--report", house),
    ):
        done = ran(house, "--steps", SKY, *words)
        assert done.exit_code == 2
        assert "name another" in done.stderr
    assert (house.read_bytes(), len(files(photos))) == (before, 4)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "is not JSON"),
        ('{"clear": [[[0, 0], [2, 0], [1, 1]]]}', "clear[0][1]: The point is outside of the picture"),
        (None, "No such file"),
    ],
)
def test_hints_that_cannot_be_read_are_refused_with_their_place(
    photos: Path, tmp_path: Path, content: str | None, said: str
) -> None:
    if content is not None:
        (tmp_path / "hints.json").write_text(content)
    out = ("--steps", SKY, "--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    done = ran(photos / "house.jpg", *out)
    assert (done.exit_code, said in done.stderr) == (2, True), done.stderr


def test_hints_are_for_one_photo_and_the_report_says_that_there_were_some(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "hints.json").write_text('{"surfaces": {"lawn": []}}')
    steps = ("--steps", f"{GRASS},{SKY}", "--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    assert "name that photo alone" in ran(photos, *steps).stderr
    done = ran(photos / "house.jpg", *steps, "--report", tmp_path / "report.json")
    (photo,) = json.loads((tmp_path / "report.json").read_text())["photos"]
    assert (done.exit_code, photo["hinted"]) == (0, True)
    assert [(step["applied"], step["reason"]) for step in photo["steps"]] == [(False, "no_lawn"), (True, None)]


def test_hints_for_another_photo_are_refused_before_anything_is_written(photos: Path, tmp_path: Path) -> None:
    digest = sha256((photos / "house.jpg").read_bytes()).hexdigest()
    (tmp_path / "hints.json").write_text(json.dumps({"photo": {"sha256": digest}, "surfaces": {"lawn": []}}))
    options = ("--steps", SKY, "--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    other = ran(photos / "Room.JPEG", *options)
    assert (other.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert "The hints are for another photo" in other.stderr
    assert ran(photos / "house.jpg", *options).exit_code == 0
    bracket = ran(photos / "Room.JPEG", photos / "house.jpg", *options, "--brackets")
    assert "another photo" not in bracket.output


@pytest.mark.parametrize(
    ("hints", "said"),
    [
        ('{"things": [{"kind": "clutter", "polygon": [[0, 0], [1, 0], [1, 0.5]]}]}', "things are for declutter or"),
        ('{"placements": [{"piece": "bed", "at": [0.5, 0.9]}]}', "placements are for virtual_staging; leave"),
        ('{"surfaces": {"floor": []}}', "floor is not for exterior photos; leave"),
    ],
)
def test_hints_for_effects_that_are_not_asked_for_are_refused(
    photos: Path, tmp_path: Path, hints: str, said: str
) -> None:
    (tmp_path / "hints.json").write_text(hints)
    options = ("--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    done = ran(photos / "house.jpg", "--steps", SKY, *options)
    assert (done.exit_code, said in done.stderr, (tmp_path / "out").exists()) == (2, True, False), done.stderr


def masked(path: Path, size: tuple[int, int]) -> None:
    """A mask whose lower half is white."""
    mask = Image.new("1", size)
    mask.paste(1, (0, size[1] // 2, *size))
    mask.save(path, "PNG")


def test_a_mask_is_given_as_a_file_beside_the_hints(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "hints.json").write_text(json.dumps({"surfaces": {"lawn": {"mask": "lawn.png"}}}))
    options = ("--steps", GRASS, "--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    missing = ran(photos / "house.jpg", *options)
    assert (missing.exit_code, "lawn.png: No such file" in missing.stderr) == (2, True), missing.stderr
    (tmp_path / "lawn.png").write_bytes(b"no picture")
    assert "surfaces.lawn.mask: Give a PNG file" in ran(photos / "house.jpg", *options).stderr
    masked(tmp_path / "lawn.png", (120, 80))
    assert ran(photos / "house.jpg", *options).exit_code == 0
    assert files(tmp_path / "out") == ["house.jpg"]


def test_a_photo_of_another_shape_than_its_mask_is_not_enhanced(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "hints.json").write_text(json.dumps({"surfaces": {"lawn": {"mask": "lawn.png"}}}))
    masked(tmp_path / "lawn.png", (80, 80))
    options = ("--steps", GRASS, "--out", tmp_path / "out", "--hints", tmp_path / "hints.json")
    done = ran(photos / "house.jpg", *options, "--report", tmp_path / "report.json")
    (photo,) = json.loads((tmp_path / "report.json").read_text())["photos"]
    assert (done.exit_code, photo["reason"], files(tmp_path / "out")) == (1, "mask_unusable", [])


def test_a_link_where_a_result_goes_is_replaced_and_not_written_through(photos: Path, tmp_path: Path) -> None:
    before = (photos / "house.jpg").read_bytes()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "house.jpg").symlink_to(photos / "house.jpg")
    assert ran(photos / "house.jpg", "--steps", SKY, "--out", tmp_path / "out").exit_code == 0
    assert (photos / "house.jpg").read_bytes() == before
    assert not (tmp_path / "out" / "house.jpg").is_symlink()


def test_a_folder_that_cannot_be_written_is_said_in_one_line(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = ran(photos / "house.jpg", "--steps", SKY, "--out", tmp_path / "file" / "out")
    assert done.exit_code == 1
    assert "Error: " in done.stderr
    assert "Traceback" not in done.output


def _written_down() -> list[str]:
    """The words after `python -m engine` in every shell block of the README and of docs."""
    found = []
    for page in (HERE / "README.md", *sorted((HERE / "docs").glob("*.md"))):
        blocks = page.read_text().split("```")[1::2]
        lines = (line for block in blocks if block.startswith("sh\n") for line in block.splitlines())
        found += [line.partition(RUN)[2] for line in lines if RUN in line]
    return found


def test_some_commands_are_written_down() -> None:
    assert len(_written_down()) >= 7


@pytest.mark.parametrize("line", _written_down())
def test_every_command_that_is_written_down_is_understood(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A page prints digests in place of these.
    words = ["0" * 64 if word in ("ORIGINAL", "ALTERED") else word for word in shlex.split(line)]
    if words == ["--list"]:
        assert ran(*words).exit_code == 0
        return
    monkeypatch.chdir(tmp_path)
    for name in {word for word in words if word.endswith(".jpg")}:
        Path(name).write_bytes(b"")
    for name in {word for word in words if word.endswith(".json")}:
        Path(name).write_text("{}")
    for name in {word for word in words if word.endswith("/")}:
        Path(name).mkdir()
    given = make_parser().parse_intermixed_args(words)
    if given.verify:
        assert VerifyRequest.of(given.photos, given.steps, given.published).declared
        return
    asked = BatchRequest.of(given)
    paths = [each / "front.jpg" if each.is_dir() else each for each in asked.photos]
    asked.check(paths)


@pytest.mark.parametrize(("option", "choices"), [("--style", Style), ("--room", RoomType)])
def test_styles_and_rooms_are_named_as_they_are_listed(
    option: str, choices: type[Style | RoomType], photos: Path, tmp_path: Path
) -> None:
    place = [str(photos / "Room.JPEG"), "--steps", "virtual_staging", "--out", str(tmp_path / "out")]
    for each in choices:
        given = make_parser().parse_intermixed_args([*place, option, each.value])
        assert getattr(given, option[2:]) == each.value
    assert "invalid choice" in ran(*place, option, next(iter(choices)).name).stderr
