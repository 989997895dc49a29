"""Frames taken at once in the pattern of the other brackets join, though nothing can be compared of them."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.grouping.merge_obstacles import GroupProblemCode, find_unfit
from engine.grouping.photo_groups import CandidateFrame, propose_groups
from tests.engine.test_photo_groups import frame

STEPS = (0.0, 2.0, -2.0, 4.0, -4.0)
DARK = STEPS.index(4.0)
KITCHEN = b"kitchen"
ABOVE = "f" * 4 + "0" * 60
"""Of a view signature: that the topmost row alone says something."""
BELOW = "0" * 4 + "f" * 60


def bracket(
    first: int, view: bytes, begins: float, steps: Sequence[float] = STEPS, base: float = 8
) -> list[CandidateFrame]:
    """Frames half a second apart, with so many exposure values more than the first."""
    return [frame(first + place, view, begins + place / 2, base + step) for place, step in enumerate(steps)]


def showing(taken: CandidateFrame, telling: str) -> CandidateFrame:
    """The same frame, of which only these places say something."""
    assert taken.facts is not None
    signature = taken.facts.view_signature[:64] + telling
    return replace(taken, facts=replace(taken.facts, view_signature=signature))


def with_dark_end(frames: Sequence[CandidateFrame]) -> list[CandidateFrame]:
    """The same bracket, its darkest frame showing a lamp that is white in all others: nothing to be compared."""
    return [showing(each, ABOVE if place == DARK else BELOW) for place, each in enumerate(frames)]


def whole_brackets(count: int, steps: Sequence[float] = STEPS) -> list[CandidateFrame]:
    """Brackets of the first rooms of a shoot, in which every frame looks like the others."""
    rooms = range(count)
    return [each for room in rooms for each in bracket(10 * room + 10, b"room %d" % room, 60.0 * room, steps)]


def named(first: int, count: int) -> tuple[str, ...]:
    return tuple(f"id{first + place:02}" for place in range(count))


def test_a_frame_that_cannot_be_compared_joins_where_three_brackets_of_the_shoot_have_its_pattern() -> None:
    found = propose_groups([*whole_brackets(3), *with_dark_end(bracket(70, KITCHEN, 300))])
    assert found.groups == (named(10, 5), named(20, 5), named(30, 5), named(70, 5))
    assert found.problems == ()


def test_exposures_that_the_camera_rounded_are_of_the_pattern() -> None:
    rounded = bracket(70, KITCHEN, 300, [each * 1.05 for each in STEPS], base=9.3)
    assert named(70, 5) in propose_groups([*whole_brackets(3), *with_dark_end(rounded)]).groups


def test_a_studios_folder_of_40_views_in_5_exposures_is_40_groups() -> None:
    views = [bracket(10 * view, b"view %d" % view, 15.0 * view, base=6 + view % 7 / 3) for view in range(40)]
    views[20::4] = [
        [showing(each, "0" * 64) if each is view[DARK] else each for each in view] for view in views[20::4]
    ]
    groups = propose_groups([each for view in views for each in view]).groups
    assert groups == tuple(tuple(each.id for each in view) for view in views)


def test_two_brackets_are_no_pattern_yet() -> None:
    found = propose_groups([*whole_brackets(2), *with_dark_end(bracket(70, KITCHEN, 300))])
    assert found.groups == (named(10, 5), named(20, 5), ("id70", "id71", "id72", "id74"))


@pytest.mark.parametrize(
    "odd",
    [
        bracket(70, KITCHEN, 300, (0, 2, -2, 3, -4)),
        bracket(70, KITCHEN, 300)[:4],
        [*bracket(70, KITCHEN, 300), frame(75, b"hall", 302.5, 8)],
        [*bracket(70, KITCHEN, 300)[:3], frame(73, KITCHEN, 304, 12), frame(74, KITCHEN, 304.5, 4)],
        [*bracket(70, KITCHEN, 300)[:3], frame(73, KITCHEN, 301.5, None), frame(74, KITCHEN, 302, 4)],
        [*bracket(70, KITCHEN, 300), frame(75, b"hall", 302.5, None)],
        [*bracket(70, KITCHEN, 300)[:3], frame(73, KITCHEN, 301.5, 12, width=9), frame(74, KITCHEN, 302, 4)],
        [
            *bracket(70, KITCHEN, 300)[:3],
            frame(73, KITCHEN, 301.5, 12, flash_fired=True),
            frame(74, KITCHEN, 302, 4),
        ],
    ],
    ids=[
        "other steps",
        "one left out",
        "one more",
        "not at once",
        "not noted",
        "one more, not noted",
        "another size",
        "flash",
    ],
)
def test_what_is_not_the_pattern_as_a_whole_joins_nothing(odd: list[CandidateFrame]) -> None:
    groups = propose_groups([*whole_brackets(3), *with_dark_end(odd)]).groups
    assert all("id73" not in group for group in groups)


def test_a_frame_that_shows_another_room_stays_out_although_its_exposure_is_of_the_pattern() -> None:
    kitchen = bracket(70, KITCHEN, 300)
    kitchen[DARK] = frame(73, b"bath", 301.5, 12)
    groups = propose_groups([*whole_brackets(3), *kitchen]).groups
    assert groups[-1] == ("id70", "id71", "id72", "id74")


def test_a_frame_that_shows_nothing_does_not_bridge_two_rooms() -> None:
    kitchen = bracket(70, KITCHEN, 300)
    kitchen[DARK] = showing(kitchen[DARK], "0" * 64)
    kitchen[4] = frame(74, b"bath", 302, 4)
    assert find_unfit([each.facts for each in kitchen]) is None
    assert propose_groups([*whole_brackets(3), *kitchen]).groups[-1] == named(70, 4)


def test_brackets_that_were_set_by_hand_are_no_pattern_of_the_camera() -> None:
    slow = [
        frame(10 * room + place, b"room %d" % room, 100.0 * room + 8 * place, 8 + step)
        for room in (1, 2, 3)
        for place, step in enumerate(STEPS)
    ]
    found = propose_groups([*slow, *with_dark_end(bracket(70, KITCHEN, 500))])
    assert found.groups == (named(10, 5), named(20, 5), named(30, 5), ("id70", "id71", "id72", "id74"))


def test_a_pattern_alone_joins_no_frames_of_which_no_two_look_alike() -> None:
    rows = ("0" * 4 * row + "f" * 4 + "0" * (60 - 4 * row) for row in range(5))
    unlike = [showing(each, row) for each, row in zip(bracket(70, KITCHEN, 300), rows, strict=True)]
    assert len(propose_groups([*whole_brackets(3), *unlike]).groups) == 3


def test_brackets_without_a_pause_of_views_that_look_alike_are_told_apart_by_their_pattern() -> None:
    alike = [*bracket(70, KITCHEN, 300), *bracket(75, KITCHEN, 302.5, base=9)]
    assert named(70, 5) not in propose_groups(alike).groups
    assert propose_groups([*whole_brackets(3), *alike]).groups[3:] == (named(70, 5), named(75, 5))


def test_a_longer_bracket_is_not_cut_where_the_pattern_could_begin_at_any_frame_of_it() -> None:
    long = bracket(70, KITCHEN, 300, (0, 2, 4, 6, 8, 10))
    assert propose_groups([*whole_brackets(3, (0, 2, 4)), *long]).groups[-1] == named(70, 6)


def test_a_flash_frame_that_was_taken_later_stays_with_the_bracket() -> None:
    lit = [*bracket(70, KITCHEN, 300), frame(75, KITCHEN, 320, 9, flash_fired=True)]
    assert propose_groups([*whole_brackets(3), *lit]).groups[-1] == named(70, 6)


def test_nothing_joins_where_two_patterns_end_at_different_frames() -> None:
    six = (0, 2, -2, 1, 3, -1)
    seen = [*whole_brackets(3, six), *bracket(70, b"a", 300, six[:3]), *bracket(74, b"b", 330, six[:3])]
    last = with_dark_end(bracket(90, KITCHEN, 400, six))
    groups = propose_groups([*seen, *bracket(77, b"c", 360, six[:3]), *last]).groups
    assert groups[:3] == (named(10, 6), named(20, 6), named(30, 6))
    assert groups[-1] == ("id90", "id91", "id92", "id94", "id95")


def test_two_exposures_over_and_over_are_no_pattern_that_cuts_a_bracket() -> None:
    four = bracket(70, KITCHEN, 300, (0, 2, -3, -1))
    assert propose_groups([*whole_brackets(3, (0, 2)), *four]).groups[-1] == named(70, 4)


def test_frames_that_a_merge_would_refuse_do_not_join() -> None:
    lines = [
        replace(each, facts=replace(each.facts, view_signature="f0f0" * 16 + each.facts.view_signature[64:]))
        for each in with_dark_end(bracket(70, KITCHEN, 300))
    ]
    aside = replace(lines[DARK].facts, view_signature="7878" * 16 + "0" * 32 + "f" * 4 + "0" * 28)
    lines[DARK] = replace(lines[DARK], facts=aside)
    assert find_unfit([each.facts for each in lines]) is GroupProblemCode.CAMERA_MOVED
    assert propose_groups([*whole_brackets(3), *lines]).groups[-1] == ("id70", "id71", "id72", "id74")
