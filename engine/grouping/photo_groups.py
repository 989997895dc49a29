"""Proposes which uploaded files are frames of one view, by capture time, exposure and content.

A file that does not certainly belong to a group stays a separate photo.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from engine.grouping.exposure_patterns import find_brackets, is_at_once
from engine.grouping.merge_obstacles import MIN_FLASH_LIKENESS, GroupProblemCode, find_unfit
from engine.grouping.view_signatures import (
    MIN_COMMON_PLACES,
    ViewSignature,
    measure_likeness,
    measure_max_likeness,
    measure_moved_likeness,
)
from engine.types.file_facts import FileFacts
from engine.types.photo_limits import MAX_FRAMES

MAX_SECONDS = 30.0
"""Most seconds between two frames of one view. A camera takes a bracket in a few seconds, even with long exposures;
frames set by hand on a tripod take about 15 seconds each.
"""
MAX_FLASH_SECONDS = 60.0
"""Most seconds where one frame has flash: the photographer may walk through the room with it."""
MIN_STEP, MAX_STEP = 0.6, 4.5
"""Least and most exposure values between neighboring exposures of one view: with less, the exposure is the same;
with more, the light is different.
"""
MIN_LUMA_STEP = 0.25
"""The least step where the camera recorded no exposure, as a difference of the log odds of mean luma (0-1): 0.06 of
luma in the middle, less near black and white, where even a whole stop changes the luma little.
"""
MIN_LIKENESS = 0.8
"""Least likeness of view signatures, see view_signatures.measure_likeness(): each real exposure of a view has at
least 0.81 with another exposure of it; two rooms have at most 0.77.
"""
MIN_SHIFTED_LIKENESS = 0.75
"""The same after the best shift of one picture over the other; the camera was then moved between them."""
MIN_BURST_LIKENESS = 0.68
"""The same between frames of one burst with recorded exposures: the hand moves a little between them, but does not
turn to another view. A picture and itself turned by a tenth of its width have at most 0.62.
"""
MIN_UNDATED_FRAMES = 3
"""Least frames of a group without capture times: two files may also be two versions of one picture."""
MAX_STEP_RATIO = 1.7
"""Largest step between exposures of a group, as a multiple of the smallest; with more an exposure is missing."""
BLACK_LUMA = 0.002
"""Luma (0-1) that counts as black; white is 1 minus this."""
MAX_OPEN_VIEWS = 4
"""Most views that may be taken at the same time, where files of several photographers are mixed."""


@dataclass(frozen=True, slots=True)
class CandidateFrame:
    """A file that may be a frame of a photo; without facts it cannot be one."""

    id: str
    file_name: str
    facts: FileFacts | None


@dataclass(frozen=True, slots=True)
class GroupProblem:
    """A problem, and the ids of the files that have it."""

    code: GroupProblemCode
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FoundGroups:
    """The ids of the files of each group in the order of capture, and the problems of groups and other files."""

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
        """Whether the frame is nearly all black or white, like the ends of wide brackets."""
        return self.signature.reliable.bit_count() < MIN_COMMON_PLACES


@dataclass(slots=True)
class _Run:
    """Frames taken one after the other that may become a group; `repeats_view`: of the previous run's view."""

    frames: list[_Frame]
    repeats_view: bool = False

    def obstacle(self, frame: _Frame) -> GroupProblemCode | None:
        """The reason why the frame cannot join the run; None where it can."""
        at_once = self.is_at_once(frame)
        if at_once and self._has_turned(frame):
            same = any(_is_same_exposure(each, frame) for each in self.frames)
            return GroupProblemCode.EQUAL_EXPOSURES if same else None
        looks = {_compare(each, frame, at_once) for each in self.frames}
        if at_once and (frame.is_blank or all(each.is_blank for each in self.frames)):
            looks = {None}
        if None not in looks:
            moved = GroupProblemCode.CAMERA_MOVED
            return moved if moved in looks else GroupProblemCode.OTHER_VIEW
        if frame.size != self.frames[0].size:
            return GroupProblemCode.SIZES_DIFFER
        # Frames with the flash at several places of a room have equal exposures.
        same = not frame.flash and any(_is_same_exposure(each, frame) for each in self.frames if not each.flash)
        return GroupProblemCode.EQUAL_EXPOSURES if same or self._starts_next_bracket(frame) else None

    def follows(self, frame: _Frame) -> bool:
        """Whether the frame was taken soon enough after the last one, or neither has a capture time."""
        before, after = self.frames[-1].facts.taken_at, frame.facts.taken_at
        if before is None or after is None:
            return before is after
        flash = frame.flash or any(each.flash for each in self.frames)
        return abs((after - before).total_seconds()) <= (MAX_FLASH_SECONDS if flash else MAX_SECONDS)

    def is_at_once(self, frame: _Frame) -> bool:
        """Whether the frame was taken in one burst with the last one."""
        return is_at_once(self.frames[-1].facts, frame.facts)

    def _has_turned(self, frame: _Frame) -> bool:
        """Whether the frame continues a bracket in which only this frame's file states another orientation.

        Signatures of different orientations cannot be compared; the merge finds out which side is up.
        """
        known = all(_have_exposures(each, frame) and not each.flash for each in (*self.frames, frame))
        return known and len(self.frames) > 1 and all(_are_turned(each, frame) for each in self.frames)

    def _starts_next_bracket(self, frame: _Frame) -> bool:
        """Whether an undated frame starts a bracket: within a bracket, each is the lightest or darkest so far."""
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
        """Whether these are certainly frames of one photo."""
        # Flashes alone have no ambient light to be blended with.
        has_ambient_light = any(not each.flash for each in self.frames)
        enough = len(self.frames) >= (2 if self.is_dated else MIN_UNDATED_FRAMES)
        return has_ambient_light and enough and max(self.steps, default=0) <= MAX_STEP

    @property
    def steps(self) -> list[float]:
        """Exposure values from each frame without flash to the next darker one; empty where one is not recorded."""
        known = [each.facts.exposure_value for each in self.frames if not each.flash]
        values = sorted(each for each in known if each is not None)
        return [darker - lighter for lighter, darker in pairwise(values)] if len(values) == len(known) else []

    @property
    def lacks_exposure(self) -> bool:
        """Whether one exposure seems to be missing between two others."""
        steps = self.steps
        return len(steps) > 1 and max(steps) > MAX_STEP_RATIO * min(steps)


@dataclass(slots=True)
class _Grouping:
    """The runs and problems found so far."""

    runs: list[_Run] = field(default_factory=list)
    problems: list[GroupProblem] = field(default_factory=list)

    def add(self, frame: _Frame) -> None:
        """Add the next frame in order to the last run, to another open run, or to a new one."""
        run = self.runs[-1] if self.runs else None
        if run is None or not run.follows(frame):
            self.runs.append(_Run([frame]))
            return
        others = [each for each in self.runs[-MAX_OPEN_VIEWS:-1] if each.is_at_once(frame)]
        if frame.is_blank and others:
            # A blank frame may belong to any of the open views, so it joins none.
            return
        full = len(run.frames) == MAX_FRAMES
        obstacle = run.obstacle(frame)
        if obstacle is None and not full:
            run.frames.append(frame)
        elif other := next((each for each in reversed(others) if _continues_run(each, frame)), None):
            other.frames.append(frame)
            self.runs.remove(other)
            self.runs.append(other)
        else:
            if obstacle is not None and not full:
                self._record_problem(obstacle, run, frame)
            repeats_view = obstacle in (None, GroupProblemCode.EQUAL_EXPOSURES)
            self.runs.append(_Run([frame], repeats_view))

    def join_brackets(self, frames: Sequence[_Frame]) -> None:
        """Group bursts that have the shoot's bracket pattern: the ends of a bracket may be too dark to compare.

        Some frames of a bracket must already be grouped by likeness, and no frame may contradict it.
        """
        sure = [[each.facts for each in run.frames] for run in self.runs if run.is_group]
        run_of = {each.id: run for run in self.runs for each in run.frames}
        for places in find_brackets(sure, [each.facts for each in frames]):
            burst = {each.id for place in places for each in frames[place]}
            for bracket in (list(frames[place]) for place in places):
                holders = [run_of[each.id] for each in bracket if each.id in run_of]
                known = len({id(run) for run in holders}) < len(holders) and holders[0].frames != bracket
                inside = all(burst.issuperset(run.ids) for run in holders)
                if known and inside and not _is_contradicted(bracket):
                    self._regroup(bracket, holders)
        self.runs = sorted((run for run in self.runs if run.frames), key=lambda run: run.frames[0].order)

    def _regroup(self, bracket: list[_Frame], holders: Iterable[_Run]) -> None:
        """Move these frames from the runs that hold them to a new run."""
        ids = {each.id for each in bracket}
        for run in holders:
            run.frames = [each for each in run.frames if each.id not in ids]
        self.runs.append(_Run(bracket))
        self.problems = [each for each in self.problems if not ids.issuperset(each.ids)]

    def list_groups(self) -> list[_Run]:
        """The runs that are certainly groups.

        Undated runs of one view count only if all have the same number of frames; otherwise it is not known where
        one photo ends and the next one begins.
        """
        views: list[list[_Run]] = []
        for run in self.runs:
            if run.repeats_view and views and not run.is_dated:
                views[-1].append(run)
            else:
                views.append([run])
        sure = (view for view in views if len({len(run.frames) for run in view}) == 1)
        return [run for view in sure for run in view if run.is_group]

    def _record_problem(self, code: GroupProblemCode, run: _Run, frame: _Frame) -> None:
        """Record the obstacle as a problem if the photographer may have taken the frames as one photo."""
        if code is GroupProblemCode.OTHER_VIEW and not (len(run.frames) > 1 and run.is_at_once(frame)):
            # The photographer went to the next room, which is no problem.
            return
        if code is GroupProblemCode.EQUAL_EXPOSURES and len(run.frames) > 1:
            # This is the first frame of the next bracket of the same view.
            return
        last = self.problems[-1] if self.problems else None
        if last is not None and last.code is code and last.ids[-1] == run.ids[-1]:
            self.problems[-1] = GroupProblem(code, (*last.ids, frame.id))
        else:
            self.problems.append(GroupProblem(code, (run.ids[-1], frame.id)))


def propose_groups(candidates: Iterable[CandidateFrame]) -> FoundGroups:
    """Propose the groups of frames of one view among files.

    Frames of one view follow each other within seconds, or by name where no capture time is known. They have the
    same size, look alike, and differ in exposure or flash. Equal exposures stay separate photos, because they are
    taken to choose the best one, and merged pictures would show moving things twice.

    Parameters
    ----------
    candidates : Iterable of CandidateFrame
        Files of one photo type; their order does not matter.

    Returns
    -------
    FoundGroups
        The groups, and the problems of groups and other files.
    """
    grouping, every = _Grouping(), sorted(candidates, key=lambda each: each.id)
    frames = sorted(_read(every), key=lambda each: each.order)
    for frame in frames:
        grouping.add(frame)
    grouping.join_brackets(frames)
    groups = grouping.list_groups()
    unreadable = [GroupProblem(GroupProblemCode.UNREADABLE, (each.id,)) for each in every if each.facts is None]
    return FoundGroups(tuple(run.ids for run in groups), (*unreadable, *grouping.problems, *_find_missing(groups)))


def _find_missing(groups: Sequence[_Run]) -> Iterator[GroupProblem]:
    """A problem for each group with a gap between its exposures, or with fewer frames than most groups."""
    counts = Counter(len(run.frames) for run in groups)
    usual, times = max(counts.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
    for run in groups:
        fewer = usual > len(run.frames) and times > 1 and not any(each.flash for each in run.frames)
        if run.lacks_exposure or fewer:
            yield GroupProblem(GroupProblemCode.MISSING_EXPOSURE, run.ids)


def _continues_run(run: _Run, frame: _Frame) -> bool:
    """Whether the frame belongs to an open view that is not the last one."""
    return _have_exposures(run.frames[-1], frame) and len(run.frames) < MAX_FRAMES and run.obstacle(frame) is None


def _compare(one: _Frame, other: _Frame, at_once: bool) -> GroupProblemCode | None:
    """Return None where both frames show one view, else CAMERA_MOVED or OTHER_VIEW."""
    likeness = measure_likeness(one.signature, other.signature)
    least = MIN_LIKENESS if one.flash == other.flash else MIN_FLASH_LIKENESS
    if at_once and _have_exposures(one, other):
        least = MIN_BURST_LIKENESS
    if likeness is not None and likeness >= least:
        return None
    moved = measure_moved_likeness(one.signature, other.signature)
    near = moved is not None and moved >= MIN_SHIFTED_LIKENESS
    return GroupProblemCode.CAMERA_MOVED if near else GroupProblemCode.OTHER_VIEW


def _is_contradicted(frames: Sequence[_Frame]) -> bool:
    """Whether likeness contradicts that these frames are one bracket."""
    pairs = (pair for pair in combinations(frames, 2) if not _are_turned(*pair))
    known = (measure_max_likeness(a.signature, b.signature) for a, b in pairs)
    least = min((each for each in known if each is not None), default=1.0)
    return least < MIN_BURST_LIKENESS or find_unfit([each.facts for each in frames]) is not None


def _are_turned(one: _Frame, other: _Frame) -> bool:
    """Whether one is upright and the other lies, at the same size."""
    return one.size != other.size and one.size == other.size[::-1]


def _is_same_exposure(one: _Frame, other: _Frame) -> bool:
    first, second = one.facts.exposure_value, other.facts.exposure_value
    if first is None or second is None:
        return abs(_log_odds(one.facts.brightness) - _log_odds(other.facts.brightness)) < MIN_LUMA_STEP
    return abs(first - second) < MIN_STEP


def _have_exposures(one: _Frame, other: _Frame) -> bool:
    return one.facts.exposure_value is not None and other.facts.exposure_value is not None


def _log_odds(brightness: float) -> float:
    """The log odds of a luma of 0-1, limited near black and white."""
    share = min(max(brightness, BLACK_LUMA), 1 - BLACK_LUMA)
    return math.log(share / (1 - share))


def _read(candidates: Iterable[CandidateFrame]) -> Iterator[_Frame]:
    for each in candidates:
        if each.facts is not None:
            yield _Frame(each.id, each.file_name, each.facts, ViewSignature.read(each.facts.view_signature))
