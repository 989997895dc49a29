"""Which uploaded files are frames of one view in several exposures: proposed by when and how they were taken and by
what they show. What is not sure stays a photo of its own.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations, pairwise

from engine.grouping.exposure_patterns import find_brackets, is_at_once
from engine.grouping.view_signatures import (
    LEAST_COMMON,
    ViewSignature,
    measure_likeness,
    measure_most_likeness,
    measure_moved_likeness,
)
from engine.types.file_facts import FileFacts
from engine.types.photo_limits import MAX_FRAMES

MOST_SECONDS = 30.0
"""Between two frames of one view: a camera takes brackets in one go, the longest exposures among them; by hand, on
a tripod, they take some 15 seconds each.
"""
MOST_FLASH_SECONDS = 60.0
"""The same where one of them has flash: somebody walks through the room with it."""
LEAST_STEP, MOST_STEP = 0.6, 4.5
"""Exposure values between neighbors in exposure. Less is the same exposure, more another light."""
LEAST_SHADE = 0.25
"""Between two exposures of which the camera noted nothing: the log odds of their mean luma, 0-1. In the middle that
is 0.06 of luma, near black and white less, where a whole stop moves it by little more.
"""
LEAST_LIKENESS = 0.8
"""Of the view signatures, see view_signatures.measure_likeness(): real exposures of one view have 0.81 and more
with one other, two rooms at most 0.77.
"""
LEAST_MOVED_LIKENESS = 0.75
"""The same of one picture laid over the other as well as moving it can, where the camera was moved between them."""
LEAST_FLASH_LIKENESS = 0.68
"""The same of a frame with flash and one without, which throw other shadows."""
LEAST_LIKENESS_AT_ONCE = 0.68
"""The same of frames taken at once whose exposures the camera noted: a hand moves a little between them, but turns
to no other view. A picture and the same turned by a tenth of its width have 0.62 at most.
"""
LEAST_LIKENESS_AT_ALL = 0.62
"""The same below which two pictures cannot be of one view, wherever the camera was."""
LEAST_UNDATED = 3
"""Frames that a group of files without capture time has: two may as well be two versions of one picture."""
GAIN_BY_MOVING = 0.08
"""By how much more alike two pictures become when one is moved over the other, where the camera moved for sure."""
GAP = 1.7
"""Multiple of the least step between exposures of a group; at a wider step an exposure is missing."""
TINY_SHARE = 0.002
"""Of luma: what is nearer to black or white than this counts as that."""
MOST_OPEN = 4
"""Views that may be taken in turns, where several photographers' files lie together."""


class GroupProblemCode(StrEnum):
    """Why files that seem to belong together were not put in one group, or what a group lacks."""

    MISSING_EXPOSURE = "missing_exposure"
    EQUAL_EXPOSURES = "equal_exposures"
    CAMERA_MOVED = "camera_moved"
    OTHER_VIEW = "other_view"
    SIZES_DIFFER = "sizes_differ"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class CandidateFrame:
    """A file that may be a frame of a photo; without facts it is none."""

    id: str
    file_name: str
    facts: FileFacts | None


@dataclass(frozen=True, slots=True)
class GroupProblem:
    """What is wrong with these files, by their ids."""

    code: GroupProblemCode
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundGroups:
    """The ids of the files of each group, as they were taken one after the other, and what is wrong with others."""

    groups: tuple[tuple[str, ...], ...]
    problems: tuple[GroupProblem, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    id: str
    file_name: str
    facts: FileFacts
    signature: ViewSignature

    @property
    def order(self) -> tuple[str, list[tuple[int, str]]]:
        """The capture time as text that sorts, empty where it is not known, then the name in the order of its
        numbers, `IMG_9` before `IMG_10`; equal names are ordered by id.
        """
        taken = self.facts.taken_at.isoformat(timespec="microseconds") if self.facts.taken_at else ""
        parts = re.split(r"(\d+)", self.file_name.casefold())
        numbered = [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
        return taken, [*numbered, (-1, self.id)]

    @property
    def size(self) -> tuple[int, int]:
        return self.facts.width, self.facts.height

    @property
    def flash(self) -> bool:
        return bool(self.facts.flash_fired)

    @property
    def is_blank(self) -> bool:
        """Whether it shows nothing, being black or white: so the ends of wide brackets are."""
        return self.signature.telling.bit_count() < LEAST_COMMON


@dataclass(slots=True)
class _Run:
    """Frames taken one after the other that may become a group. `again`: it shows the view of the run before."""

    frames: list[_Frame]
    again: bool = False

    def obstacle(self, frame: _Frame) -> GroupProblemCode | None:
        """Why the frame is not one more of this view; None where it is."""
        at_once = self.is_at_once(frame)
        looks = {_compare(each, frame, at_once) for each in self.frames}
        if at_once and (frame.is_blank or all(each.is_blank for each in self.frames)):
            looks = {None}
        if None not in looks:
            moved = GroupProblemCode.CAMERA_MOVED
            return moved if moved in looks else GroupProblemCode.OTHER_VIEW
        if frame.size != self.frames[0].size:
            return GroupProblemCode.SIZES_DIFFER
        # Flashes at several places of a room have the same exposure each.
        same = not frame.flash and any(_is_same_exposure(each, frame) for each in self.frames if not each.flash)
        return GroupProblemCode.EQUAL_EXPOSURES if same or self._begins_anew(frame) else None

    def follows(self, frame: _Frame) -> bool:
        """Whether the frame was taken soon enough after the last one."""
        before, after = self.frames[-1].facts.taken_at, frame.facts.taken_at
        if before is None or after is None:
            return before is after
        flash = frame.flash or any(each.flash for each in self.frames)
        return abs((after - before).total_seconds()) <= (MOST_FLASH_SECONDS if flash else MOST_SECONDS)

    def is_at_once(self, frame: _Frame) -> bool:
        """Whether the frame was taken within moments of the last one."""
        return is_at_once(self.frames[-1].facts, frame.facts)

    def _begins_anew(self, frame: _Frame) -> bool:
        """Whether an undated frame is of the next bracket: each of one is the lightest or darkest of it yet."""
        light = [each.facts.brightness for each in self.frames if not each.flash]
        lies_between = bool(light) and min(light) < frame.facts.brightness < max(light)
        return lies_between and not self.is_dated and not frame.flash

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.frames)

    @property
    def is_dated(self) -> bool:
        return self.frames[0].facts.taken_at is not None

    @property
    def is_group(self) -> bool:
        """Whether these are surely frames of one photo."""
        # Flashes alone have no ambient light to be blended with.
        calm = any(not each.flash for each in self.frames)
        enough = len(self.frames) >= (2 if self.is_dated else LEAST_UNDATED)
        return calm and enough and max(self.steps, default=0) <= MOST_STEP

    @property
    def steps(self) -> list[float]:
        """Exposure values from each frame without flash to the next darker one; none where none were noted."""
        known = [each.facts.exposure_value for each in self.frames if not each.flash]
        values = sorted(each for each in known if each is not None)
        return [darker - lighter for lighter, darker in pairwise(values)] if len(values) == len(known) else []

    @property
    def lacks_exposure(self) -> bool:
        """Whether one exposure seems to be missing between two others."""
        steps = self.steps
        return len(steps) > 1 and max(steps) > GAP * min(steps)


@dataclass(slots=True)
class _Grouping:
    """Groups in the making."""

    runs: list[_Run] = field(default_factory=list)
    problems: list[GroupProblem] = field(default_factory=list)

    def add(self, frame: _Frame) -> None:
        run = self.runs[-1] if self.runs else None
        if run is None or not run.follows(frame):
            self.runs.append(_Run([frame]))
            return
        others = [each for each in self.runs[-MOST_OPEN:-1] if each.is_at_once(frame)]
        if frame.is_blank and others:
            # It may be of any of them, so it is of none.
            return
        full = len(run.frames) == MAX_FRAMES
        obstacle = run.obstacle(frame)
        if obstacle is None and not full:
            run.frames.append(frame)
        elif other := next((each for each in reversed(others) if _goes_on(each, frame)), None):
            other.frames.append(frame)
            self.runs.remove(other)
            self.runs.append(other)
        else:
            if obstacle is not None and not full:
                self._note(obstacle, run, frame)
            again = obstacle in (None, GroupProblemCode.EQUAL_EXPOSURES)
            self.runs.append(_Run([frame], again))

    def join_brackets(self, frames: Sequence[_Frame]) -> None:
        """Join what the camera took at once in the shoot's own pattern: the ends of a bracket may show too little
        to be compared. Likeness must be sure of some of its frames, and speak against none.
        """
        sure = [[each.facts for each in run.frames] for run in self.runs if run.is_group]
        run_of = {each.id: run for run in self.runs for each in run.frames}
        for places in find_brackets(sure, [each.facts for each in frames]):
            stretch = {each.id for place in places for each in frames[place]}
            for bracket in (list(frames[place]) for place in places):
                held = [run_of[each.id] for each in bracket if each.id in run_of]
                known = len({id(run) for run in held}) < len(held) and held[0].frames != bracket
                inside = all(stretch.issuperset(run.ids) for run in held)
                if known and inside and not _is_contradicted(bracket):
                    self._take(bracket, held)
        self.runs = sorted((run for run in self.runs if run.frames), key=lambda run: run.frames[0].order)

    def _take(self, bracket: list[_Frame], held: Iterable[_Run]) -> None:
        """Make a run of these frames, which the other ones held."""
        ids = {each.id for each in bracket}
        for run in held:
            run.frames = [each for each in run.frames if each.id not in ids]
        self.runs.append(_Run(bracket))
        self.problems = [each for each in self.problems if not ids.issuperset(each.ids)]

    def list_groups(self) -> list[_Run]:
        """The runs that surely are groups. Of undated frames it is not known where one photo of a view ends and the
        next one begins, unless all are of as many frames.
        """
        views: list[list[_Run]] = []
        for run in self.runs:
            if run.again and views and not run.is_dated:
                views[-1].append(run)
            else:
                views.append([run])
        sure = (view for view in views if len({len(run.frames) for run in view}) == 1)
        return [run for view in sure for run in view if run.is_group]

    def _note(self, code: GroupProblemCode, run: _Run, frame: _Frame) -> None:
        """Record the obstacle, where the photographer may have taken the frames as one photo."""
        if code is GroupProblemCode.OTHER_VIEW and not (len(run.frames) > 1 and run.is_at_once(frame)):
            # Walking on to the next room is no fault.
            return
        if code is GroupProblemCode.EQUAL_EXPOSURES and len(run.frames) > 1:
            # The first frame of the next bracket of the same view.
            return
        last = self.problems[-1] if self.problems else None
        if last is not None and last.code is code and last.ids[-1] == run.ids[-1]:
            self.problems[-1] = GroupProblem(code, (*last.ids, frame.id))
        else:
            self.problems.append(GroupProblem(code, (run.ids[-1], frame.id)))


def propose_groups(candidates: Iterable[CandidateFrame]) -> FoundGroups:
    """The groups of frames of one view among files.

    Frames of one view follow each other within seconds, or, where the camera notes no time, by their names; they
    are of one size, look alike and differ in exposure, or in flash. Equal exposures are photos of their own: a
    burst is taken to choose from, and merging it would show everything that moved twice.

    Parameters
    ----------
    candidates : Iterable of CandidateFrame
        Files of one photo type; their order does not matter.

    Returns
    -------
    FoundGroups
        The groups, and what is wrong with other files.
    """
    grouping, every = _Grouping(), sorted(candidates, key=lambda each: each.id)
    frames = sorted(_read(every), key=lambda each: each.order)
    for frame in frames:
        grouping.add(frame)
    grouping.join_brackets(frames)
    groups = grouping.list_groups()
    unreadable = [GroupProblem(GroupProblemCode.UNREADABLE, (each.id,)) for each in every if each.facts is None]
    return FoundGroups(tuple(run.ids for run in groups), (*unreadable, *grouping.problems, *_find_missing(groups)))


def find_unfit(frames: Sequence[FileFacts | None]) -> GroupProblemCode | None:
    """Why frames cannot be merged to one photo, as far as is known without trying.

    Parameters
    ----------
    frames : Sequence of FileFacts or None
        The facts of each frame, None for a file that is unreadable.

    Returns
    -------
    GroupProblemCode or None
        UNREADABLE, SIZES_DIFFER, OTHER_VIEW or CAMERA_MOVED; None where nothing is known against it.
    """
    known = [_Frame("", "", each, ViewSignature.read(each.view_signature)) for each in frames if each is not None]
    if len(known) < len(frames):
        return GroupProblemCode.UNREADABLE
    if len({each.size for each in known}) > 1:
        return GroupProblemCode.SIZES_DIFFER
    if not _are_joined(known, _may_be_one_view):
        return GroupProblemCode.OTHER_VIEW
    return None if _are_joined(known, _may_be_in_place) else GroupProblemCode.CAMERA_MOVED


def _are_joined(frames: Sequence[_Frame], fits: Callable[[_Frame, _Frame], bool]) -> bool:
    """Whether a chain of pairs that fit leads from each frame to every other one."""
    joined, left = list(frames[:1]), list(frames[1:])
    while left:
        near = next((each for each in left if any(fits(each, other) for other in joined)), None)
        if near is None:
            return False
        left.remove(near)
        joined.append(near)
    return True


def _may_be_one_view(one: _Frame, other: _Frame) -> bool:
    """Whether nothing speaks against it, however the camera moved."""
    likeness = measure_moved_likeness(one.signature, other.signature)
    return likeness is None or likeness >= LEAST_LIKENESS_AT_ALL


def _may_be_in_place(one: _Frame, other: _Frame) -> bool:
    """Whether both may be one view from one place, or so little apart that the merge may lay them over each other.

    A move by a twentieth of the width is detected; a smaller one only by the merge itself, see docs/pictures.md.
    """
    likeness = measure_likeness(one.signature, other.signature)
    moved = measure_moved_likeness(one.signature, other.signature)
    if likeness is None or moved is None:
        return True
    if moved < LEAST_LIKENESS_AT_ALL:
        return False
    return likeness >= LEAST_FLASH_LIKENESS or moved - likeness < GAIN_BY_MOVING


def _find_missing(groups: Sequence[_Run]) -> Iterator[GroupProblem]:
    """Groups with a gap between their exposures, or with fewer than most."""
    counts = Counter(len(run.frames) for run in groups)
    usual, times = max(counts.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
    for run in groups:
        fewer = usual > len(run.frames) and times > 1 and not any(each.flash for each in run.frames)
        if run.lacks_exposure or fewer:
            yield GroupProblem(GroupProblemCode.MISSING_EXPOSURE, run.ids)


def _goes_on(run: _Run, frame: _Frame) -> bool:
    """Whether the frame goes on with a view that was not the last one."""
    return _is_noted(run.frames[-1], frame) and len(run.frames) < MAX_FRAMES and run.obstacle(frame) is None


def _compare(one: _Frame, other: _Frame, at_once: bool) -> GroupProblemCode | None:
    """None for one view; CAMERA_MOVED or OTHER_VIEW for two."""
    likeness = measure_likeness(one.signature, other.signature)
    least = LEAST_LIKENESS if one.flash == other.flash else LEAST_FLASH_LIKENESS
    if at_once and _is_noted(one, other):
        least = LEAST_LIKENESS_AT_ONCE
    if likeness is not None and likeness >= least:
        return None
    moved = measure_moved_likeness(one.signature, other.signature)
    near = moved is not None and moved >= LEAST_MOVED_LIKENESS
    return GroupProblemCode.CAMERA_MOVED if near else GroupProblemCode.OTHER_VIEW


def _is_contradicted(frames: Sequence[_Frame]) -> bool:
    """Whether likeness speaks against frames that seem to be one bracket."""
    known = (measure_most_likeness(a.signature, b.signature) for a, b in combinations(frames, 2))
    least = min((each for each in known if each is not None), default=1.0)
    return least < LEAST_LIKENESS_AT_ONCE or find_unfit([each.facts for each in frames]) is not None


def _is_same_exposure(one: _Frame, other: _Frame) -> bool:
    first, second = one.facts.exposure_value, other.facts.exposure_value
    if first is None or second is None:
        return abs(_odds(one.facts.brightness) - _odds(other.facts.brightness)) < LEAST_SHADE
    return abs(first - second) < LEAST_STEP


def _is_noted(one: _Frame, other: _Frame) -> bool:
    return one.facts.exposure_value is not None and other.facts.exposure_value is not None


def _odds(brightness: float) -> float:
    """The log odds of a share; of black and white those of nearly black and white."""
    share = min(max(brightness, TINY_SHARE), 1 - TINY_SHARE)
    return math.log(share / (1 - share))


def _read(candidates: Iterable[CandidateFrame]) -> Iterator[_Frame]:
    for each in candidates:
        if each.facts is not None:
            yield _Frame(each.id, each.file_name, each.facts, ViewSignature.read(each.facts.view_signature))
