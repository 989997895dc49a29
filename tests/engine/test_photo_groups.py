"""Files that are surely frames of one view are grouped; what is not sure stays a photo of its own."""

import random
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.grouping.merge_obstacles import GroupProblemCode, find_unfit
from engine.grouping.photo_groups import CandidateFrame, FoundGroups, propose_groups
from engine.grouping.view_signatures import ViewSignature
from engine.types.file_facts import FileFacts, find_middle_frame
from engine.types.photo_limits import MAX_FRAMES
from tests.fakes import make_facts

BLANK = "0" * 128
NOON = datetime.fromisoformat("2026-06-01T12:00:00")
KITCHEN, BATH = b"kitchen", b"bath"


def frame(number: int, view: bytes = KITCHEN, after: float | None = 0.0, ev: float | None = 8.0, **known):
    """The file IMG_number, taken so many seconds after noon."""
    taken_at = None if after is None else NOON + timedelta(seconds=after)
    facts = make_facts(view, taken_at=taken_at, exposure_value=ev, **known)
    return CandidateFrame(f"id{number:02}", f"IMG_{number}.jpg", facts)


def bracket(first: int, view: bytes, begins: float, steps: tuple[float, ...] = (8, 10, 6)) -> list[CandidateFrame]:
    return [frame(first + place, view, begins + place, ev) for place, ev in enumerate(steps)]


def codes(found: FoundGroups) -> list[GroupProblemCode]:
    return [problem.code for problem in found.problems]


def test_exposures_of_one_view_taken_in_one_go_are_a_group() -> None:
    found = propose_groups(bracket(1, KITCHEN, 0) + bracket(4, BATH, 30))
    assert found.groups == (("id01", "id02", "id03"), ("id04", "id05", "id06"))
    assert found.problems == ()


def test_two_brackets_of_one_view_right_after_each_other_are_two_groups() -> None:
    found = propose_groups(bracket(1, KITCHEN, 0) + bracket(4, KITCHEN, 4))
    assert found.groups == (("id01", "id02", "id03"), ("id04", "id05", "id06"))
    assert found.problems == ()


def test_a_frame_of_another_room_is_not_in_the_group() -> None:
    found = propose_groups([*bracket(1, KITCHEN, 0), frame(4, BATH, 3.5, 12)])
    assert found.groups == (("id01", "id02", "id03"),)
    assert [(each.code, each.ids) for each in found.problems] == [(GroupProblemCode.OTHER_VIEW, ("id03", "id04"))]


def test_walking_on_to_the_next_room_is_no_fault() -> None:
    found = propose_groups([frame(1, KITCHEN, 0, 8), frame(2, BATH, 8, 7), frame(3, b"hall", 16, 9)])
    assert (found.groups, found.problems) == ((), ())


def test_a_burst_of_equal_exposures_is_no_group_and_says_so() -> None:
    found = propose_groups([frame(number, KITCHEN, number * 0.2, 8) for number in range(1, 4)])
    assert found.groups == ()
    assert [(each.code, each.ids) for each in found.problems] == [
        (GroupProblemCode.EQUAL_EXPOSURES, ("id01", "id02", "id03"))
    ]


def test_flash_and_ambient_frames_go_together_also_after_a_walk_through_the_room() -> None:
    frames = [
        frame(1, after=0, ev=6, flash_fired=False),
        frame(2, after=25, ev=9, flash_fired=True),
        frame(3, after=60, ev=9, flash_fired=True),
    ]
    assert propose_groups(frames).groups == (("id01", "id02", "id03"),)


def test_flashes_alone_are_no_group() -> None:
    frames = [frame(number, after=number, ev=9, flash_fired=True) for number in (1, 2)]
    assert propose_groups(frames).groups == ()


def test_frames_of_one_view_taken_minutes_apart_are_photos_of_their_own() -> None:
    assert propose_groups([frame(1, after=0, ev=8), frame(2, after=90, ev=10)]).groups == ()


def test_sizes_must_agree() -> None:
    frames = bracket(1, KITCHEN, 0)
    larger = replace(frames[2], facts=replace(frames[2].facts, width=8, height=6))
    found = propose_groups([*frames[:2], larger])
    assert found.groups == (("id01", "id02"),)
    assert codes(found) == [GroupProblemCode.SIZES_DIFFER]


def turned(each: CandidateFrame) -> CandidateFrame:
    """The same file with a wrong note of what is up: its sides are swapped, and its signature says nothing."""
    facts = each.facts
    swapped = replace(
        facts, width=facts.height, height=facts.width, view_signature=make_facts(b"on its side").view_signature
    )
    return replace(each, facts=swapped)


def test_a_frame_that_is_noted_as_turned_stays_in_the_bracket_it_was_taken_with() -> None:
    frames = bracket(1, KITCHEN, 0)
    found = propose_groups([*frames[:2], turned(frames[2])])
    assert (found.groups, found.problems) == ((("id01", "id02", "id03"),), ())


def test_a_camera_that_was_turned_begins_another_photo() -> None:
    upright = [turned(each) for each in bracket(4, KITCHEN, 2.5)]
    groups = (("id01", "id02", "id03"), ("id04", "id05", "id06"))
    assert propose_groups([*bracket(1, KITCHEN, 0), *upright]).groups == groups
    later = turned(frame(3, after=9, ev=6))
    assert propose_groups([*bracket(1, KITCHEN, 0)[:2], later]).groups == (("id01", "id02"),)


def test_files_without_capture_time_are_grouped_by_the_order_of_their_names() -> None:
    light = {9: 0.2, 10: 0.45, 11: 0.75}
    frames = [frame(number, after=None, ev=None, brightness=light[number]) for number in (10, 11, 9)]
    assert propose_groups(frames).groups == (("id09", "id10", "id11"),)


def test_two_files_without_capture_time_may_be_two_versions_of_one_picture() -> None:
    frames = [frame(number, after=None, ev=None, brightness=number / 4) for number in (1, 3)]
    assert propose_groups(frames).groups == ()


def test_files_of_one_view_without_capture_time_are_left_alone_where_nobody_knows_where_a_photo_ends() -> None:
    light = (0.5, 0.3, 0.7, 0.4, 0.2, 0.41, 0.1)
    frames = [frame(number, after=None, ev=None, brightness=each) for number, each in enumerate(light)]
    assert propose_groups(frames).groups == ()
    twice = [frame(number, after=None, ev=None, brightness=each) for number, each in enumerate(light[:3] * 2)]
    assert propose_groups(twice).groups == (("id00", "id01", "id02"), ("id03", "id04", "id05"))


def test_brackets_of_one_view_in_fading_light_are_told_apart_without_capture_time() -> None:
    light = (0.5, 0.3, 0.7, 0.42, 0.24, 0.62)
    frames = [frame(number, after=None, ev=None, brightness=each) for number, each in enumerate(light)]
    assert propose_groups(frames).groups == (("id00", "id01", "id02"), ("id03", "id04", "id05"))


def test_dark_exposures_differ_although_hardly_any_light_is_between_them() -> None:
    frames = [frame(number, after=None, ev=None, brightness=each) for number, each in enumerate((0.03, 0.06, 0.11))]
    assert propose_groups(frames).groups == (("id00", "id01", "id02"),)


@pytest.mark.parametrize("place", [0, 2])
def test_a_black_frame_is_of_the_bracket_that_it_was_taken_with_at_once(place: int) -> None:
    frames = bracket(1, KITCHEN, 0)
    frames[place] = replace(frames[place], facts=replace(frames[place].facts, view_signature=BLANK))
    assert propose_groups(frames).groups == (("id01", "id02", "id03"),)
    later = [*frames[:2], frame(3, after=9, ev=12)]
    later[2] = replace(later[2], facts=replace(later[2].facts, view_signature=BLANK))
    assert all("id03" not in group for group in propose_groups(later).groups)


def test_brackets_that_two_photographers_take_at_the_same_time_are_told_apart() -> None:
    one, other = bracket(1, KITCHEN, 0), bracket(4, BATH, 0.3)
    assert propose_groups([*one, *other]).groups == (("id01", "id02", "id03"), ("id04", "id05", "id06"))


def test_a_black_frame_between_two_photographers_is_of_none() -> None:
    one, other = bracket(1, KITCHEN, 0), bracket(4, BATH, 0.3)
    other[1] = replace(other[1], facts=replace(other[1].facts, view_signature=BLANK))
    assert propose_groups([*one, *other]).groups == (("id01", "id02", "id03"), ("id04", "id06"))


def test_a_group_that_lacks_an_exposure_is_told() -> None:
    found = propose_groups(bracket(1, KITCHEN, 0, (6, 8, 12)))
    assert (found.groups, codes(found)) == ((("id01", "id02", "id03"),), [GroupProblemCode.MISSING_EXPOSURE])
    whole = bracket(1, KITCHEN, 0) + bracket(4, BATH, 30) + bracket(7, b"hall", 60, (8, 10))
    assert [each.ids for each in propose_groups(whole).problems] == [("id07", "id08")]


def test_a_file_that_cannot_be_read_is_in_no_group() -> None:
    found = propose_groups([*bracket(1, KITCHEN, 0), CandidateFrame("id04", "IMG_4.jpg", None)])
    assert found.groups == (("id01", "id02", "id03"),)
    assert [(each.code, each.ids) for each in found.problems] == [(GroupProblemCode.UNREADABLE, ("id04",))]


def test_no_group_has_more_frames_than_a_photo_takes() -> None:
    found = propose_groups(bracket(1, KITCHEN, 0, tuple(range(12))))
    assert [len(group) for group in found.groups] == [MAX_FRAMES, 3]


@pytest.mark.long
@given(st.data())
def test_the_order_in_which_files_are_given_changes_nothing_and_no_file_is_in_two_groups(data) -> None:
    frames = [
        frame(
            number,
            data.draw(st.sampled_from([KITCHEN, BATH])),
            data.draw(st.one_of(st.none(), st.floats(0, 40))),
            data.draw(st.one_of(st.none(), st.integers(4, 12).map(float))),
            flash_fired=data.draw(st.sampled_from([None, False, True])),
            brightness=data.draw(st.floats(0, 1)),
        )
        for number in range(data.draw(st.integers(0, 12)))
    ]
    shuffled = random.Random(data.draw(st.integers(0, 99))).sample(frames, len(frames))
    found = propose_groups(frames)
    assert found == propose_groups(shuffled)
    grouped = [each for group in found.groups for each in group]
    assert len(grouped) == len(set(grouped))
    assert {*grouped} <= {each.id for each in frames}
    views = {each.id: each.facts.view_signature for each in frames}
    assert all(len({views[each] for each in group}) == 1 for group in found.groups)
    assert all(2 <= len(group) <= MAX_FRAMES for group in found.groups)


@given(st.lists(st.sampled_from([3, 5, 7, 9]), min_size=1, max_size=8), st.floats(0.2, 3))
def test_every_bracket_of_a_walk_through_a_house_is_found(counts: list[int], step: float) -> None:
    frames, wanted, second = [], [], 0.0
    for room, count in enumerate(counts):
        first = len(frames)
        frames += [
            frame(first + place, b"room %d" % room, second + place * step, 8.0 + 2 * place)
            for place in range(count)
        ]
        wanted.append(tuple(each.id for each in frames[first:]))
        second += count * step + 20
    assert list(propose_groups(frames).groups) == wanted


@pytest.mark.parametrize(
    ("frames", "code"),
    [
        ([make_facts(KITCHEN), make_facts(KITCHEN)], None),
        ([make_facts(KITCHEN), make_facts(BATH)], GroupProblemCode.OTHER_VIEW),
        ([make_facts(KITCHEN), make_facts(KITCHEN, width=8)], GroupProblemCode.SIZES_DIFFER),
        ([make_facts(KITCHEN), make_facts(KITCHEN), make_facts(b"on its side", width=3, height=4)], None),
        ([make_facts(KITCHEN), make_facts(BATH), make_facts(width=3, height=4)], GroupProblemCode.OTHER_VIEW),
        ([make_facts(KITCHEN), None], GroupProblemCode.UNREADABLE),
    ],
)
def test_what_cannot_be_merged_is_known_before_it_is_paid(frames, code) -> None:
    assert find_unfit(frames) is code


def moved(facts: FileFacts, right: int) -> FileFacts:
    """The same view with the camera turned by so many places of the signature, a sixteenth of the width each."""
    seen = ViewSignature.read(facts.view_signature).shift(0, right)
    return replace(facts, view_signature=f"{seen.rises:064x}{seen.reliable:064x}")


def test_frames_between_which_the_camera_moved_far_are_refused_before_they_are_paid() -> None:
    first = make_facts(KITCHEN)
    assert find_unfit([first, moved(first, 1)]) is GroupProblemCode.CAMERA_MOVED
    assert find_unfit([first, first, moved(first, 2)]) is GroupProblemCode.CAMERA_MOVED
    assert find_unfit([moved(first, 1), moved(first, 1)]) is None


def test_what_a_frame_does_not_show_is_not_held_against_it() -> None:
    first = make_facts(KITCHEN)
    black = replace(first, view_signature="0" * 128)
    assert find_unfit([first, black]) is None


def test_the_middle_frame_is_the_one_exposed_best_without_flash() -> None:
    shades = [make_facts(brightness=each) for each in (0.1, 0.9, 0.45)]
    assert find_middle_frame(shades) == 2
    assert find_middle_frame([make_facts(brightness=0.46, flash_fired=True), *shades]) == 3
    assert find_middle_frame([None, None, None]) == 1
