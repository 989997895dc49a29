"""How alike two pictures are, whatever their exposure: view signatures compared in place and moved a little."""

import math
from dataclasses import dataclass

from engine.types.file_facts import SIGNATURE_BITS, SIGNATURE_COLUMNS, SIGNATURE_ROWS

LEAST_COMMON = 12
"""Places that must say something in both pictures, before anything is said of the two."""
MOST_SHIFT = 2
"""Places by which one picture is moved against the other, to see whether the camera was."""
_HEX = SIGNATURE_BITS // 4
_ALL = (1 << SIGNATURE_BITS) - 1


@dataclass(frozen=True, slots=True)
class ViewSignature:
    """Which places of a grid grow lighter to the right, and which of them say anything; a bit each, row by row."""

    rises: int
    telling: int

    @classmethod
    def read(cls, text: str) -> "ViewSignature":
        """The signature as FileFacts have it; one that says nothing for what is none."""
        if len(text) != 2 * _HEX:
            return cls(0, 0)
        return cls(int(text[:_HEX], 16), int(text[_HEX:], 16))

    def moved(self, down: int, right: int) -> "ViewSignature":
        """The same of a picture moved by so many places; what comes in at its border says nothing."""
        kept = self.telling & _columns_kept(right)
        distance = down * SIGNATURE_COLUMNS + right
        return ViewSignature(_shift(self.rises, distance), _shift(kept, distance))


def measure_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """The share of places at which both show the same, of those that say something in both, less what chance may
    have added: near 1 for exposures of one view, about a half for any two views. None where they are too few.
    """
    found = _compare(one, other)
    return None if found is None else found[0] - found[1]


def measure_most_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """The same share with what chance may have taken from it: where even this is low, they are two views."""
    found = _compare(one, other)
    return None if found is None else found[0] + found[1]


def _compare(one: ViewSignature, other: ViewSignature) -> tuple[float, float] | None:
    """The share of places that show the same, and how much of it may be chance."""
    common = one.telling & other.telling
    count = common.bit_count()
    if count < LEAST_COMMON:
        return None
    return 1 - ((one.rises ^ other.rises) & common).bit_count() / count, 0.5 / math.sqrt(count)


def measure_moved_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """The same for the two laid over each other as well as moving one of them can."""
    steps = range(-MOST_SHIFT, MOST_SHIFT + 1)
    found = (measure_likeness(one, other.moved(down, right)) for down in steps for right in steps)
    return max((each for each in found if each is not None), default=None)


def _shift(bits: int, distance: int) -> int:
    # The first place is the highest bit: a picture moved to the right or down moves to lower ones.
    return bits >> distance if distance >= 0 else (bits << -distance) & _ALL


def _columns_kept(right: int) -> int:
    """The places that are still within the grid after a move to the right, or to the left below 0."""
    columns = range(SIGNATURE_COLUMNS)
    row = sum(1 << (SIGNATURE_COLUMNS - 1 - each) for each in columns if 0 <= each + right < SIGNATURE_COLUMNS)
    return sum(row << (SIGNATURE_COLUMNS * each) for each in range(SIGNATURE_ROWS))
