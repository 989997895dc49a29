"""The exposures of a camera's own brackets: the same steps, view after view of a shoot."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from engine.types.file_facts import FileFacts

AT_ONCE_SECONDS = 2.0
"""Frames no farther apart are of one bracket, or of brackets taken one right after the other."""
LEAST_SEEN = 3
"""Brackets of a shoot that show the same steps, before these are the camera's."""
LEAST_FRAMES = 3
"""Two exposures are no pattern: a photographer takes them as well."""
MOST_OFF = 0.35
"""Exposure values by which a frame may be off: cameras note rounded times, and step by thirds."""

Pattern = tuple[float, ...]


def find_brackets(sure: Iterable[Sequence[FileFacts]], shoot: Sequence[FileFacts]) -> Iterator[list[slice]]:
    """Where in a shoot frames taken at once are whole brackets of the camera's pattern.

    A stretch of frames taken at once is left out where it is not made of whole brackets, or where its brackets
    might as well begin elsewhere: then it is not known which view a frame is of.

    Parameters
    ----------
    sure : Iterable of Sequence of FileFacts
        Groups found by other means, each in the order of capture: the pattern is learned from them.
    shoot : Sequence of FileFacts
        All frames of the shoot, in the order of capture.

    Yields
    ------
    list of slice
        The brackets of one stretch, as places in `shoot`.
    """
    patterns = find_patterns(sure)
    if not patterns:
        return
    for at_once in _list_at_once(shoot):
        exposures = _read_exposures(shoot[at_once])
        starts = _divide(exposures, patterns)
        if starts:
            ends = [*starts[1:], len(exposures)]
            yield [slice(at_once.start + a, at_once.start + b) for a, b in zip(starts, ends, strict=True)]


def find_patterns(groups: Iterable[Sequence[FileFacts]]) -> list[Pattern]:
    """The exposure steps that at least LEAST_SEEN groups share.

    Only groups of LEAST_FRAMES frames and more count, taken at once, without flash and with all exposures noted.

    Parameters
    ----------
    groups : Iterable of Sequence of FileFacts
        The groups, each in the order of capture.

    Returns
    -------
    list of tuple of float
        For each pattern the exposure values (EV) of its frames, less the first one's.
    """
    seen: list[list[Pattern]] = []
    for frames in groups:
        exposures = _read_exposures(frames)
        if len(exposures) < LEAST_FRAMES or not all(is_at_once(*pair) for pair in pairwise(frames)):
            continue
        pattern = tuple(each - exposures[0] for each in exposures)
        alike = next((each for each in seen if _shows(pattern, each[0])), None)
        if alike is None:
            seen.append([pattern])
        else:
            alike.append(pattern)
    return [each[0] for each in seen if len(each) >= LEAST_SEEN]


def _list_at_once(shoot: Sequence[FileFacts]) -> Iterator[slice]:
    """The stretches of frames taken at once, one after the other."""
    breaks = [place for place, pair in enumerate(pairwise(shoot), 1) if not is_at_once(*pair)]
    return (slice(*ends) for ends in pairwise([0, *breaks, len(shoot)]))


def _divide(exposures: Sequence[float], patterns: Sequence[Pattern]) -> list[int]:
    """Where the brackets begin that all of these are; none where some are left, or one may begin elsewhere."""
    ways = set()
    for pattern in patterns:
        length = len(pattern)
        places = range(len(exposures) - length + 1)
        starts = tuple(each for each in places if _shows(exposures[each : each + length], pattern))
        if starts and starts == tuple(range(0, len(exposures), length)):
            ways.add(starts)
    return list(ways.pop()) if len(ways) == 1 else []


def _shows(exposures: Sequence[float], pattern: Pattern) -> bool:
    """Whether these are the pattern, from whatever exposure it begins with."""
    return len(exposures) == len(pattern) and all(
        abs(each - exposures[0] - step) <= MOST_OFF for each, step in zip(exposures, pattern, strict=True)
    )


def _read_exposures(frames: Iterable[FileFacts]) -> list[float]:
    """The exposure values of frames without flash; none where one is not noted, or has flash."""
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
