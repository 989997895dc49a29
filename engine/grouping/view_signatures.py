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
        """The signature from its text.

        Parameters
        ----------
        text : str
            `FileFacts.view_signature`: twice SIGNATURE_BITS, in hexadecimal.

        Returns
        -------
        ViewSignature
            The signature; one without a telling place for text of another length.

        Raises
        ------
        ValueError
            Where text of the right length is not hexadecimal.
        """
        if len(text) != 2 * _HEX:
            return cls(0, 0)
        return cls(int(text[:_HEX], 16), int(text[_HEX:], 16))

    def moved(self, down: int, right: int) -> "ViewSignature":
        """The signature of the picture moved over the grid; places that come in at its border say nothing.

        Parameters
        ----------
        down, right : int
            Places to move it by; up and to the left below 0.

        Returns
        -------
        ViewSignature
            The moved signature.
        """
        kept = self.telling & _columns_kept(right)
        distance = down * SIGNATURE_COLUMNS + right
        return ViewSignature(_shift(self.rises, distance), _shift(kept, distance))


def measure_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """The share of places at which both pictures show the same, less what chance may have added.

    Counted are places that say something in both.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        Near 1 for exposures of one view, about a half for any two views; None with fewer than LEAST_COMMON places.
    """
    found = _compare(one, other)
    return None if found is None else found[0] - found[1]


def measure_most_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """The same share plus what chance may have taken from it: where even this is low, they are two views.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        May exceed 1; None with fewer than LEAST_COMMON places in common.
    """
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
    """The likeness of two pictures with one moved to where they are most alike, by MOST_SHIFT places at most.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        As `measure_likeness`; None where no move leaves LEAST_COMMON places in common.
    """
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
