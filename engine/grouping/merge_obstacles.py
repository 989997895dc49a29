"""Finds out, by their sizes and view signatures, whether frames can be merged, without merging them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.grouping.view_signatures import ViewSignature, measure_likeness, measure_moved_likeness
from engine.types.file_facts import FileFacts

MIN_FLASH_LIKENESS = 0.68
"""Least likeness of the view signatures of a frame with flash and one without; low, because their shadows differ.
"""
MIN_POSSIBLE_LIKENESS = 0.62
"""Likeness after the best shift below which two pictures certainly show different views."""
MIN_SHIFT_GAIN = 0.08
"""Gain of likeness by the best shift from which on the camera certainly moved."""


class GroupProblemCode(StrEnum):
    """The reasons why files that seem to belong together are not in one group, and what a group lacks."""

    MISSING_EXPOSURE = "missing_exposure"
    EQUAL_EXPOSURES = "equal_exposures"
    CAMERA_MOVED = "camera_moved"
    OTHER_VIEW = "other_view"
    SIZES_DIFFER = "sizes_differ"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class _View:
    size: tuple[int, int]
    signature: ViewSignature

    @classmethod
    def read(cls, facts: FileFacts) -> "_View":
        return cls((facts.width, facts.height), ViewSignature.read(facts.view_signature))


def find_unfit(frames: Sequence[FileFacts | None]) -> GroupProblemCode | None:
    """Find the reason why frames cannot be merged, as far as it is known before merging.

    Parameters
    ----------
    frames : Sequence of FileFacts or None
        The facts of each frame, None for a file that is unreadable.

    Returns
    -------
    GroupProblemCode or None
        UNREADABLE, SIZES_DIFFER, OTHER_VIEW or CAMERA_MOVED; None where no reason is known.
    """
    known = [_View.read(each) for each in frames if each is not None]
    if len(known) < len(frames):
        return GroupProblemCode.UNREADABLE
    if len({tuple(sorted(each.size)) for each in known}) > 1:
        return GroupProblemCode.SIZES_DIFFER
    # The merge turns frames whose file states another orientation; the signatures of these cannot be compared.
    alike = [[each for each in known if each.size == size] for size in {each.size for each in known}]
    if not all(_are_connected(each, _may_be_one_view) for each in alike):
        return GroupProblemCode.OTHER_VIEW
    in_place = all(_are_connected(each, _may_be_in_place) for each in alike)
    return None if in_place else GroupProblemCode.CAMERA_MOVED


def _are_connected(frames: Sequence[_View], fits: Callable[[_View, _View], bool]) -> bool:
    """Whether a chain of pairs that fit leads from each frame to every other one."""
    joined, left = list(frames[:1]), list(frames[1:])
    while left:
        near = next((each for each in left if any(fits(each, other) for other in joined)), None)
        if near is None:
            return False
        left.remove(near)
        joined.append(near)
    return True


def _may_be_one_view(one: _View, other: _View) -> bool:
    """Whether two frames may show one view, even if the camera was moved."""
    likeness = measure_moved_likeness(one.signature, other.signature)
    return likeness is None or likeness >= MIN_POSSIBLE_LIKENESS


def _may_be_in_place(one: _View, other: _View) -> bool:
    """Whether both frames may show one view from one place, or from places close enough for the merge to align.

    A shift by a twentieth of the width is detected here, a smaller shift only by the merge; see docs/pictures.md.
    """
    likeness = measure_likeness(one.signature, other.signature)
    moved = measure_moved_likeness(one.signature, other.signature)
    if likeness is None or moved is None:
        return True
    if moved < MIN_POSSIBLE_LIKENESS:
        return False
    return likeness >= MIN_FLASH_LIKENESS or moved - likeness < MIN_SHIFT_GAIN
