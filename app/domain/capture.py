"""When and how a photo was taken, as a page read it from the first bytes of its file; and which photos may be one
view.

A page can send anything. So this only leads to a proposal, which the customer sees, and which workers confirm or
reject once they have looked at the files.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, NaiveDatetime

from engine.grouping.exposure_patterns import AT_ONCE_SECONDS, MIN_FRAMES
from engine.grouping.photo_groups import MAX_STEP, MIN_STEP
from engine.types.photo_limits import MAX_FRAMES

_NUMBERED = re.compile(r"(.*?)(\d{1,9})\D*", re.DOTALL)
"""A camera's file name: what is the same in all its names, and the number."""


class Capture(BaseModel):
    """The capture settings of one photo. `taken_at`: the camera's local time; `seconds`: of exposure; `stop`: the
    f-number; `speed`: ISO. Names, places and serial numbers are not among them.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    taken_at: NaiveDatetime
    seconds: Annotated[float, Field(gt=1e-6, le=600, allow_inf_nan=False)]
    stop: Annotated[float, Field(ge=0.5, le=128, allow_inf_nan=False)]
    speed: Annotated[float, Field(ge=1, le=10_000_000, allow_inf_nan=False)]
    flash: bool = False

    @property
    def exposure_value(self) -> float:
        """The exposure value at ISO 100."""
        return math.log2(self.stop**2 / self.seconds * 100 / self.speed)


@dataclass(frozen=True, slots=True)
class CapturedFile:
    """A file that may be a frame of a photo."""

    id: str
    file_name: str
    capture: Capture

    @property
    def place(self) -> tuple[str, int]:
        """The name without its number, and the number. Cameras number the frames of a bracket one by one."""
        found = _NUMBERED.fullmatch(self.file_name.rpartition(".")[0] or self.file_name)
        return (found[1], int(found[2])) if found else (self.file_name, 0)


def find_brackets(shots: Iterable[CapturedFile]) -> list[tuple[str, ...]]:
    """Find series of at least MIN_FRAMES files that were numbered and taken one directly after the other, without
    flash, each with another exposure: frames of one view, as far as one can tell without looking at them. The
    limits are those of the engine, which looks at them.
    """
    groups: list[list[CapturedFile]] = []
    for shot in sorted(shots, key=lambda each: (*each.place, each.id)):
        if groups and _continues(groups[-1], shot):
            groups[-1].append(shot)
        else:
            groups.append([shot])
    return [tuple(each.id for each in group) for group in groups if _is_bracket(group)]


def _continues(group: Sequence[CapturedFile], shot: CapturedFile) -> bool:
    last = group[-1]
    if shot.place != (last.place[0], last.place[1] + 1) or last.capture.flash or shot.capture.flash:
        return False
    pause = abs((shot.capture.taken_at - last.capture.taken_at).total_seconds())
    exposures = last.capture.seconds + shot.capture.seconds
    new = shot.capture.exposure_value
    differs = all(abs(new - each.capture.exposure_value) >= MIN_STEP for each in group)
    return differs and len(group) < MAX_FRAMES and pause <= AT_ONCE_SECONDS + exposures


def _is_bracket(group: Sequence[CapturedFile]) -> bool:
    values = sorted(each.capture.exposure_value for each in group)
    steps = [higher - lower for lower, higher in pairwise(values)]
    return len(group) >= MIN_FRAMES and max(steps) <= MAX_STEP
