"""Finds brackets by the exposure steps that a camera repeats for each view of a shoot."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.types.file_facts import FileFacts

AT_ONCE_SECONDS = 2.0
"""Frames at most this far apart belong to one bracket, or to brackets taken directly after each other."""
MIN_GROUPS = 3
"""Least number of brackets of a shoot with the same steps for these steps to count as the camera's pattern."""
MIN_FRAMES = 3
"""Least number of frames of a pattern: two exposures are no pattern, because photographers also set two by hand."""
MAX_DEVIATION_EV = 0.35
"""Exposure values by which a frame may be off the pattern: cameras record rounded times, in steps of a third."""

Pattern = tuple[float, ...]


def find_brackets(
    certain_groups: Iterable[Sequence[FileFacts]], shoot: Sequence[FileFacts]
) -> Iterator[list[slice]]:
    """Find bursts of a shoot that consist of whole brackets of the camera's pattern.

    A burst is a series of frames without a pause. A burst is left out if it does not consist of whole brackets, or
    if its brackets could also begin at other frames, because then it is not known which view a frame shows.

    Parameters
    ----------
    certain_groups : Iterable of Sequence of FileFacts
        Groups found by other rules, each in the order of capture; they give the pattern.
    shoot : Sequence of FileFacts
        All frames of the shoot, in the order of capture.

    Yields
    ------
    list of slice
        The brackets of one burst, as positions in `shoot`.
    """
    patterns = find_patterns(certain_groups)
    if not patterns:
        return
    for burst in _split_at_pauses(shoot):
        exposures = _read_exposures(shoot[burst])
        starts = _find_starts(exposures, patterns)
        if starts:
            ends = [*starts[1:], len(exposures)]
            yield [slice(burst.start + a, burst.start + b) for a, b in zip(starts, ends, strict=True)]


def find_patterns(groups: Iterable[Sequence[FileFacts]]) -> list[Pattern]:
    """Find the exposure steps that at least MIN_GROUPS groups share.

    A group counts if it has at least MIN_FRAMES frames, no pause, no flash, and all exposures recorded.

    Parameters
    ----------
    groups : Iterable of Sequence of FileFacts
        The groups, each in the order of capture.

    Returns
    -------
    list of tuple of float
        For each pattern, the exposure values (EV) of its frames minus that of the first frame.
    """
    seen: list[list[Pattern]] = []
    for frames in groups:
        exposures = _read_exposures(frames)
        if len(exposures) < MIN_FRAMES or not all(is_at_once(*pair) for pair in pairwise(frames)):
            continue
        pattern = tuple(each - exposures[0] for each in exposures)
        matching = next((each for each in seen if _matches_pattern(pattern, each[0])), None)
        if matching is None:
            seen.append([pattern])
        else:
            matching.append(pattern)
    return [each[0] for each in seen if len(each) >= MIN_GROUPS]


def _split_at_pauses(shoot: Sequence[FileFacts]) -> Iterator[slice]:
    """The bursts of a shoot: series of frames without a pause."""
    breaks = [place for place, pair in enumerate(pairwise(shoot), 1) if not is_at_once(*pair)]
    return (slice(*ends) for ends in pairwise([0, *breaks, len(shoot)]))


def _find_starts(exposures: Sequence[float], patterns: Sequence[Pattern]) -> list[int]:
    """The positions at which brackets begin; empty where frames are left over, or patterns disagree."""
    solutions = set()
    for pattern in patterns:
        length = len(pattern)
        places = range(len(exposures) - length + 1)
        starts = tuple(each for each in places if _matches_pattern(exposures[each : each + length], pattern))
        if starts and starts == tuple(range(0, len(exposures), length)):
            solutions.add(starts)
    return list(solutions.pop()) if len(solutions) == 1 else []


def _matches_pattern(exposures: Sequence[float], pattern: Pattern) -> bool:
    """Whether these exposures have the pattern's steps; the first exposure may have any value."""
    return len(exposures) == len(pattern) and all(
        abs(each - exposures[0] - step) <= MAX_DEVIATION_EV for each, step in zip(exposures, pattern, strict=True)
    )


def _read_exposures(frames: Iterable[FileFacts]) -> list[float]:
    """The exposure values of the frames; empty where one has flash or no recorded exposure."""
    known = [None if each.flash_fired else each.exposure_value for each in frames]
    exposures = [each for each in known if each is not None]
    return exposures if len(exposures) == len(known) else []


def is_at_once(before: FileFacts, after: FileFacts) -> bool:
    """Whether the camera took one frame within AT_ONCE_SECONDS of the other.

    Parameters
    ----------
    before, after : FileFacts
        The frames, in either order.

    Returns
    -------
    bool
        False where the capture time of one is not known.
    """
    if before.taken_at is None or after.taken_at is None:
        return False
    return abs((after.taken_at - before.taken_at).total_seconds()) <= AT_ONCE_SECONDS
