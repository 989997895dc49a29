"""Verdicts on real results: the file of them, and the results that are made to be looked at."""

import json
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from app.domain.catalog import ENTRIES
from app.domain.flaws import OF_NO_PICTURE, Flaw
from app.services.exports import feedback_export
from engine.batch.photo import PhotoTask, process_photo
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ChangeType, Enhancement, RoomType, Style
from tests import scenes
from training import verdict_results
from training.verdict_results import Ending, Kept, kept_in, open_rows, orders_in, run, side_by_side
from training.verdicts import (
    COLUMNS,
    MEANING,
    VERDICTS,
    Fault,
    Fit,
    Half,
    Judged,
    Order,
    as_csv,
    complaints,
    half,
    read,
    shortened,
    steps_of,
)

SKY, HDR = (Enhancement.SKY,), (Enhancement.HDR,)
HEAD = ",".join(COLUMNS)
DIGEST = "0123456789abcdef"
DAY = date(2026, 11, 24)


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A folder of photos: a house and a room, drawn."""
    folder = tmp_path / "shared"
    for name, picture in (("1_frontal", scenes.house(240, 160)), ("1_bedroom", scenes.room(240, 160))):
        path = folder / "eval" / "houses" / f"{name}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(scenes.encoded(picture))
    return folder


def listed(folder: Path, *lines: str) -> Path:
    path = folder / "list.txt"
    path.write_text("\n".join(lines))
    return path


def ordered(shared: Path, *lines: str) -> list[Order]:
    return orders_in(listed(shared, *lines), None, shared)


# The file -------------------------------------------------------------------------------------------------------


@pytest.mark.quick
def test_every_verdict_of_the_project_can_be_read_and_none_is_there_twice() -> None:
    assert complaints(VERDICTS, Path("not here")) == []


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    room = Order("eval/houses/1_bedroom.jpg", (Enhancement.STAGING,), "room=bedroom; style=modern")
    rows = [
        Judged(Order("a.jpg", SKY), DIGEST, DIGEST, Fit.NOT, (Fault.WIRE_CUT, Fault.HALO), "one", DAY),
        Judged(room, DIGEST, DIGEST[::-1], Fit.PUBLISHABLE, (), "two", DAY),
    ]
    path = tmp_path / "verdicts.csv"
    path.write_text(as_csv(rows))
    assert read(path) == rows
    with path.open("a") as stream:
        stream.write(
            as_csv([Judged(Order("b.jpg", HDR), DIGEST, DIGEST, Fit.ACCEPTABLE, (), "x", DAY)], head=False)
        )
    assert len(read(path)) == 3


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},good,,one,2026-11-24", "good"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},not,ugly,one,2026-11-24", "ugly"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},not,,one,2026-11-24", "has a fault"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},publishable,halo,one,2026-11-24", "has none"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},not,halo halo,one,2026-11-24", "twice"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},publishable,,,2026-11-24", "nobody"),
        (f"a.jpg,{DIGEST},sky_enhancement,,{DIGEST},publishable,,one,yesterday", "yesterday"),
        (f"a.jpg,{DIGEST},sky_enhancement,,short,publishable,,one,2026-11-24", "digits"),
        (f"a.jpg,{DIGEST},blue_sky,,{DIGEST},publishable,,one,2026-11-24", "blue_sky"),
        (f"../a.jpg,{DIGEST},sky_enhancement,,{DIGEST},publishable,,one,2026-11-24", "no path"),
        (f"a.jpg,{DIGEST},virtual_staging,,{DIGEST},publishable,,one,2026-11-24", "staging"),
        (f"a.jpg,{DIGEST},virtual_renovation,,{DIGEST},publishable,,one,2026-11-24", "renovation"),
        (f"a.jpg,{DIGEST},sky_enhancement,size=big,{DIGEST},publishable,,one,2026-11-24", "no option"),
        (f"a.jpg,{DIGEST},sky_enhancement", "3 columns"),
    ],
)
def test_a_line_that_says_something_else_is_named(line: str, wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "verdicts.csv"
    path.write_text(f"{HEAD}\n{line}\n")
    (said,) = complaints(path, Path("not here"))
    assert said.startswith("line 2: ")
    assert wrong in said
    with pytest.raises(ValueError, match="line 2"):
        read(path)


def test_a_second_verdict_on_the_same_result_and_a_photo_that_is_not_there_are_named(
    shared: Path, tmp_path: Path
) -> None:
    photo = "eval/houses/1_frontal.jpg"
    true = shortened((shared / photo).read_bytes())
    one = Judged(Order(photo, SKY), true, DIGEST, Fit.PUBLISHABLE, (), "one", DAY)
    other = Judged(Order(photo, SKY), true, DIGEST, Fit.NOT, (Fault.HALO,), "two", DAY)
    path = tmp_path / "verdicts.csv"
    path.write_text(as_csv([one]))
    assert complaints(path, shared) == []
    lost = Judged(Order("lost.jpg", SKY), DIGEST, DIGEST, Fit.PUBLISHABLE, (), "one", DAY)
    mixed = Judged(Order(photo, HDR), DIGEST, DIGEST, Fit.PUBLISHABLE, (), "one", DAY)
    path.write_text(as_csv([one, other, lost, mixed]))
    assert complaints(path, shared) == [
        "line 3: the same result as in line 2",
        "line 4: there is no photo lost.jpg",
        f"line 5: {photo} is another photo now",
    ]


def test_every_fault_has_its_meaning() -> None:
    assert set(MEANING) == set(Fault)


def test_all_results_of_a_photo_are_in_one_half_and_both_halves_get_photos() -> None:
    rows = [Judged(Order("a.jpg", steps), DIGEST, DIGEST, Fit.PUBLISHABLE, (), "one", DAY) for steps in (SKY, HDR)]
    assert len({each.half for each in rows}) == 1
    halves = [half(shortened(str(number).encode())) for number in range(400)]
    assert 160 < halves.count(Half.HELD_OUT) < 240


def test_options_say_room_style_changes_and_frames() -> None:
    staged = Order("a.jpg", (Enhancement.STAGING,), "room=bedroom; style=coastal").edit_request
    assert staged.staging is not None
    assert (staged.staging.room_type, staged.staging.style) == (RoomType.BEDROOM, Style.COASTAL)
    changed = Order("a.jpg", (Enhancement.RENOVATION,), "floor=light oak; walls=sage, matt").edit_request
    assert [(each.type, each.change_description) for each in changed.changes] == [
        (ChangeType.FLOOR, "light oak"),
        (ChangeType.WALLS, "sage, matt"),
    ]
    assert Order("a.jpg", HDR, "frames=b.jpg + c.jpg").frames == ("a.jpg", "b.jpg", "c.jpg")


def test_steps_are_known_by_short_names_too() -> None:
    assert steps_of("staging+furniture_removal") == (Enhancement.FURNITURE_REMOVAL, Enhancement.STAGING)
    assert steps_of("sky") == steps_of("sky_enhancement") == SKY
    with pytest.raises(ValueError, match="blue"):
        steps_of("blue")


# What is ordered ------------------------------------------------------------------------------------------------


def test_a_photo_gets_the_effects_that_suit_what_its_name_says(shared: Path) -> None:
    found = ordered(shared, "# a street", "eval/houses/1_frontal.jpg", str(shared / "eval/houses/1_bedroom.jpg"))
    groups = {each.photo: set() for each in found}
    for each in found:
        groups[each.photo] |= {ENTRIES[step].group.value for step in each.steps}
    assert groups == {"eval/houses/1_frontal.jpg": {"exterior"}, "eval/houses/1_bedroom.jpg": {"interior"}}
    assert len(found) == len(ENTRIES)
    staged = next(each for each in found if each.steps == (Enhancement.STAGING,))
    assert staged.options.startswith("room=bedroom; style=")
    assert len({each.name for each in found}) == len(found)


def test_a_line_may_name_steps_options_and_frames(shared: Path) -> None:
    (found,) = ordered(
        shared,
        "eval/houses/1_bedroom.jpg + eval/houses/1_frontal.jpg | staging | room=office; style=modern",
    )
    assert found.steps == (Enhancement.STAGING,)
    assert found.options == "room=office; style=modern; frames=eval/houses/1_frontal.jpg"


def test_a_photo_that_is_not_there_is_no_order(shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    assert run(listed(shared, "lost.jpg"), tmp_path / "out", None, 1, shared) == 2
    assert "there is no photo lost.jpg" in capsys.readouterr().err


def test_the_orders_of_the_verdicts_can_be_made_again(shared: Path, tmp_path: Path) -> None:
    order = Order("eval/houses/1_frontal.jpg", SKY)
    path = tmp_path / "verdicts.csv"
    path.write_text(as_csv([Judged(order, DIGEST, DIGEST, Fit.PUBLISHABLE, (), "one", DAY)]))
    assert orders_in(path, None, shared) == [order]
    assert orders_in(path, [HDR], shared) == []


# What is made ---------------------------------------------------------------------------------------------------


def test_results_are_those_of_the_command_and_the_photo_is_looked_at_once(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    plain = verdict_results.make_scene
    monkeypatch.setattr(verdict_results, "make_scene", lambda photo: looks.append(photo) or plain(photo))
    place, out = listed(shared, "eval/houses/1_frontal.jpg"), tmp_path / "out"
    assert run(place, out, [SKY, (Enhancement.GOLDEN_HOUR,), HDR], 1, shared) == 0
    assert len(looks) == 1
    kept = {each.order.steps: each for each in kept_in(out)}
    assert set(kept) == {SKY, (Enhancement.GOLDEN_HOUR,)}
    path = shared / "eval/houses/1_frontal.jpg"
    context = verdict_results._context_of([path])
    for steps, each in kept.items():
        alone = process_photo(
            PhotoTask(
                [path],
                EditRequest(enhancements=tuple(steps)),
                context=context,
            )
        )
        assert alone.picture is not None
        assert each.result == shortened(alone.picture.content)
        assert each.report == alone.report
        pair = scenes.decoded((out / f"{each.order.name}.png").read_bytes())
        assert pair.shape[1] == 480


def test_what_is_there_is_not_made_again(shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, out = listed(shared, "eval/houses/1_frontal.jpg"), tmp_path / "out"
    run(place, out, [SKY], 1, shared)
    before = {path.name: path.stat().st_mtime_ns for path in out.iterdir()}
    monkeypatch.setattr(verdict_results, "apply_effects", None)
    assert run(place, out, [SKY], 1, shared) == 0
    assert {path.name: path.stat().st_mtime_ns for path in out.iterdir()} == before
    assert run(place, out, [SKY, (Enhancement.GRASS,)], 1, shared) == 1
    monkeypatch.undo()
    assert run(place, out, [(Enhancement.GRASS,)], 1, shared) == 0


def test_a_step_that_declines_keeps_its_reason_and_no_picture(shared: Path, tmp_path: Path) -> None:
    run(listed(shared, "eval/houses/1_bedroom.jpg | sky"), tmp_path / "out", None, 1, shared)
    (path,) = (tmp_path / "out").iterdir()
    told = json.loads(path.read_bytes())
    assert (told["ending"], told["result"]) == ("declined", "")
    assert told["why"] in {"no_sky", "not_exterior"}


def test_the_file_beside_a_pair_has_every_figure_and_whether_it_passed(shared: Path, tmp_path: Path) -> None:
    run(listed(shared, "eval/houses/1_frontal.jpg"), tmp_path / "out", [SKY], 1, shared)
    (kept,) = kept_in(tmp_path / "out")
    told = json.loads((tmp_path / "out" / f"{kept.order.name}.json").read_bytes())
    assert kept.ending is Ending.DELIVERED
    assert [each["passed"] for each in told["report"]["figures"]] == [True] * len(kept.report.figures)
    assert len(kept.report.figures) > 4


def test_rows_for_the_judge_are_those_of_results_without_verdict(shared: Path, tmp_path: Path) -> None:
    run(listed(shared, "eval/houses/1_frontal.jpg"), tmp_path / "out", [SKY], 1, shared)
    verdicts = tmp_path / "verdicts.csv"
    verdicts.write_text(f"{HEAD}\n")
    row = open_rows(tmp_path / "out", verdicts)
    assert row.count("\n") == 1
    verdicts.write_text(f"{HEAD}\n{row.strip().removesuffix(',,,,')},not,old_sky_left,one,2026-11-24\n")
    assert complaints(verdicts, shared) == []
    assert open_rows(tmp_path / "out", verdicts) == ""


def test_a_pair_shows_both_large_enough_to_be_judged_and_says_nothing_of_the_report() -> None:
    tall = np.full((2000, 1000, 3), 200, np.uint8)
    pair = scenes.decoded(side_by_side(tall, tall, "a label"))
    long, gap, label = verdict_results.LONG, verdict_results.GAP, verdict_results.LABEL
    assert pair.shape[:2] == (long + label, long + gap)
    wide = np.full((500, 2000, 3), 200, np.uint8)
    assert scenes.decoded(side_by_side(wide, wide, "")).shape[:2] == (long // 2 + gap + label, long)
    assert verdict_results.label_of(Order("a.jpg", SKY)) == "a.jpg   sky_enhancement"


def test_a_file_that_is_no_photo_ends_as_failed(shared: Path) -> None:
    (shared / "broken.jpg").write_bytes(b"nothing")
    (task,) = verdict_results.tasks([Order("broken.jpg", SKY)], shared, None)
    (kept,) = verdict_results.made(task)
    assert isinstance(kept, Kept)
    assert (kept.ending, kept.why) == (Ending.FAILED, "undecodable")


def test_what_customers_can_say_is_wrong_are_words_that_verdicts_are_kept_with() -> None:
    assert {each.value for each in set(Flaw) - OF_NO_PICTURE} <= {each.value for each in Fault}
    assert feedback_export.NOT_RIGHT == Fit.NOT
