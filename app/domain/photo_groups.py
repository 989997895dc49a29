"""Which uploaded files are frames of one view in several exposures: proposed by when and how they were taken and by
what they show. What is not sure stays a photo of its own.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from itertools import pairwise

from app.domain.orders import MAX_FRAMES
from app.domain.photo_facts import FileFacts
from app.domain.view_signatures import ViewSignature, measure_likeness, measure_moved_likeness

MOST_SECONDS = 12.0
"""Between two frames of one view: a camera takes brackets in one go, the longest exposures among them."""
MOST_FLASH_SECONDS = 60.0
"""The same where one of them has flash: somebody walks through the room with it."""
AT_ONCE_SECONDS = 2.0
"""Frames that follow so soon were meant as one bracket."""
LEAST_STEP, MOST_STEP = 0.6, 4.5
"""Exposure values between neighbours in exposure. Less is the same exposure, more another light."""
LEAST_LIKENESS = 0.8
"""Of the view signatures; see view_signatures.measure_likeness()."""
LEAST_UNDATED = 3
"""Frames that a group of files without capture time has: two may as well be two versions of one picture."""
GAP = 1.7
"""So many times the usual step between two exposures of a group: one between them is missing."""
_GAMMA = 2.2
_DARKEST = 0.01


class GroupProblemCode(StrEnum):
    """Why files that seem to belong together were not put in one group, or what a group lacks."""

    MISSING_EXPOSURE = "missing_exposure"
    EQUAL_EXPOSURES = "equal_exposures"
    CAMERA_MOVED = "camera_moved"
    OTHER_VIEW = "other_view"
    SIZES_DIFFER = "sizes_differ"


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
    facts: FileFacts
    signature: ViewSignature

    @property
    def size(self) -> tuple[int, int]:
        return self.facts.width, self.facts.height

    @property
    def flash(self) -> bool:
        return bool(self.facts.flash_fired)

    @property
    def exposure(self) -> float:
        """In steps that grow with the light: by the camera's settings, else by how light the picture is."""
        if self.facts.exposure_value is not None:
            return -self.facts.exposure_value
        return _GAMMA * math.log2(max(self.facts.brightness, _DARKEST))


@dataclass(slots=True)
class _Run:
    """Frames taken one after the other that may become a group."""

    frames: list[_Frame]

    def obstacle(self, frame: _Frame) -> GroupProblemCode | None:
        """Why the frame is not one more of this view; None where it is."""
        looks = [_compare(each, frame) for each in self.frames]
        if GroupProblemCode.OTHER_VIEW in looks or None not in looks:
            moved = GroupProblemCode.CAMERA_MOVED in looks
            return GroupProblemCode.CAMERA_MOVED if moved and None not in looks else GroupProblemCode.OTHER_VIEW
        if frame.size != self.frames[0].size:
            return GroupProblemCode.SIZES_DIFFER
        # Flashes at several places of a room have the same exposure each.
        same = not frame.flash and any(_is_same_exposure(each, frame) for each in self.frames if not each.flash)
        return GroupProblemCode.EQUAL_EXPOSURES if same else None

    def follows(self, frame: _Frame) -> bool:
        """Whether the frame was taken soon enough after the last one."""
        before, after = self.frames[-1].facts.taken_at, frame.facts.taken_at
        if before is None or after is None:
            return before is after
        flash = frame.flash or any(each.flash for each in self.frames)
        return _seconds(before, after) <= (MOST_FLASH_SECONDS if flash else MOST_SECONDS)

    def is_at_once(self, frame: _Frame) -> bool:
        """Whether the frame was taken within moments of the last one."""
        before, after = self.frames[-1].facts.taken_at, frame.facts.taken_at
        return before is not None and after is not None and _seconds(before, after) <= AT_ONCE_SECONDS

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(each.id for each in self.frames)

    @property
    def is_group(self) -> bool:
        """Whether these are surely frames of one photo."""
        dated = self.frames[0].facts.taken_at is not None
        if len(self.frames) < (2 if dated else LEAST_UNDATED):
            return False
        calm = sorted(each.exposure for each in self.frames if not each.flash)
        if not calm:
            # Flashes alone have no ambient light to be blended with.
            return False
        return all(lighter - darker <= MOST_STEP for darker, lighter in pairwise(calm))

    @property
    def lacks_exposure(self) -> bool:
        """Whether one exposure seems to be missing between two others."""
        calm = sorted(each.exposure for each in self.frames if not each.flash)
        steps = [lighter - darker for darker, lighter in pairwise(calm)]
        return len(steps) > 1 and max(steps) > GAP * min(steps) and max(steps) > 1


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
        obstacle = GroupProblemCode.OTHER_VIEW if len(run.frames) == MAX_FRAMES else run.obstacle(frame)
        if obstacle is None:
            run.frames.append(frame)
            return
        if len(run.frames) < MAX_FRAMES:
            self._note(obstacle, run, frame)
        self.runs.append(_Run([frame]))

    def _note(self, code: GroupProblemCode, run: _Run, frame: _Frame) -> None:
        """Say why, where somebody may have meant the frames as one."""
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
    """The groups among files of one type, in any order; the same whatever their order.

    Frames of one view follow each other within seconds, or, where the camera notes no time, by their names; they are
    of one size, look alike and differ in exposure, or in flash. Equal exposures are photos of their own: a burst is
    taken to choose from, and merging it would show everything that moved twice.
    """
    readable = [each for each in candidates if each.facts is not None]
    dated = sorted((each for each in readable if each.facts and each.facts.taken_at), key=_when)
    undated = sorted((each for each in readable if each.facts and not each.facts.taken_at), key=_name)
    grouping = _Grouping()
    for frame in (*_frames(dated), *_frames(undated)):
        grouping.add(frame)
    groups = [run for run in grouping.runs if run.is_group]
    return FoundGroups(
        tuple(run.ids for run in groups), tuple([*grouping.problems, *_find_missing(grouping.runs, groups)])
    )


def _find_missing(runs: Sequence[_Run], groups: Sequence[_Run]) -> Iterator[GroupProblem]:
    """Groups with a gap between their exposures, or with fewer than most."""
    counts = Counter(len(run.frames) for run in groups)
    usual, times = max(counts.items(), key=lambda each: (each[1], each[0]), default=(0, 0))
    for run in groups:
        fewer = usual > len(run.frames) and times > 1 and not any(each.flash for each in run.frames)
        if run.lacks_exposure or fewer:
            yield GroupProblem(GroupProblemCode.MISSING_EXPOSURE, run.ids)


def _compare(one: _Frame, other: _Frame) -> GroupProblemCode | None:
    """None for one view; CAMERA_MOVED or OTHER_VIEW for two."""
    likeness = measure_likeness(one.signature, other.signature)
    if likeness is not None and likeness >= LEAST_LIKENESS:
        return None
    moved = measure_moved_likeness(one.signature, other.signature)
    near = moved is not None and moved >= LEAST_LIKENESS
    return GroupProblemCode.CAMERA_MOVED if near else GroupProblemCode.OTHER_VIEW


def _is_same_exposure(one: _Frame, other: _Frame) -> bool:
    return abs(one.exposure - other.exposure) < LEAST_STEP


def _seconds(before: datetime, after: datetime) -> float:
    return abs((after - before).total_seconds())


def _frames(candidates: Iterable[CandidateFrame]) -> Iterator[_Frame]:
    for each in candidates:
        if each.facts is not None:
            yield _Frame(each.id, each.facts, ViewSignature.read(each.facts.view_signature))


def _when(candidate: CandidateFrame) -> tuple[datetime, list[tuple[int, str]]]:
    taken_at = candidate.facts.taken_at if candidate.facts else None
    return taken_at or datetime.min, _name(candidate)


def _name(candidate: CandidateFrame) -> list[tuple[int, str]]:
    """Names in the order of their numbers: `IMG_9` before `IMG_10`; of equal names the id tells."""
    parts = re.split(r"(\d+)", candidate.file_name.casefold())
    numbered = [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]
    return [*numbered, (-1, candidate.id)]
