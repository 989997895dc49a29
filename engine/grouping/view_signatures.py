"""Compares view signatures, which do not depend on the exposure: how likely two pictures show one view."""

import math
from dataclasses import dataclass

from engine.types.file_facts import SIGNATURE_BITS, SIGNATURE_COLUMNS, SIGNATURE_ROWS

MIN_COMMON_PLACES = 12
"""Grid places that must be reliable in both pictures; with fewer, the pictures are not compared."""
MAX_SHIFT = 2
"""Grid places by which one picture is shifted against the other, to detect a moved camera."""
_HEX_DIGITS = SIGNATURE_BITS // 4
_ALL_BITS = (1 << SIGNATURE_BITS) - 1


@dataclass(frozen=True, slots=True)
class ViewSignature:
    """One bit for each place of a grid, row by row.

    `rises`: whether the place is lighter than its left neighbor. `reliable`: whether that difference is no noise.
    """

    rises: int
    reliable: int

    @classmethod
    def read(cls, text: str) -> "ViewSignature":
        """Read a signature from its text.

        Parameters
        ----------
        text : str
            `FileFacts.view_signature`: twice SIGNATURE_BITS, in hexadecimal.

        Returns
        -------
        ViewSignature
            The signature; for text of another length one without reliable places.

        Raises
        ------
        ValueError
            Where text of the right length is not hexadecimal.
        """
        if len(text) != 2 * _HEX_DIGITS:
            return cls(0, 0)
        return cls(int(text[:_HEX_DIGITS], 16), int(text[_HEX_DIGITS:], 16))

    def shift(self, down: int, right: int) -> "ViewSignature":
        """Shift the picture over the grid; places that enter at the border are not reliable.

        Parameters
        ----------
        down, right : int
            Places to shift by; negative for up and left.

        Returns
        -------
        ViewSignature
            The shifted signature.
        """
        kept = self.reliable & _mask_kept_columns(right)
        distance = down * SIGNATURE_COLUMNS + right
        return ViewSignature(_shift_bits(self.rises, distance), _shift_bits(kept, distance))


def measure_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """Measure the share of places with equal bits in both pictures, minus its statistical error.

    Only places that are reliable in both pictures count.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        Near 1 for exposures of one view, about 0.5 for unrelated views; None with fewer than MIN_COMMON_PLACES.
    """
    found = _compare(one, other)
    return None if found is None else found[0] - found[1]


def measure_max_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """Measure the share of places with equal bits plus its statistical error; if this is low, the views differ.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        May exceed 1; None with fewer than MIN_COMMON_PLACES.
    """
    found = _compare(one, other)
    return None if found is None else found[0] + found[1]


def _compare(one: ViewSignature, other: ViewSignature) -> tuple[float, float] | None:
    """The share of common places with equal bits, and its statistical error."""
    common = one.reliable & other.reliable
    count = common.bit_count()
    if count < MIN_COMMON_PLACES:
        return None
    return 1 - ((one.rises ^ other.rises) & common).bit_count() / count, 0.5 / math.sqrt(count)


def measure_moved_likeness(one: ViewSignature, other: ViewSignature) -> float | None:
    """Measure the likeness of two pictures after the shift of at most MAX_SHIFT places that makes it largest.

    Parameters
    ----------
    one, other : ViewSignature
        The pictures.

    Returns
    -------
    float or None
        As `measure_likeness`; None where every shift leaves fewer than MIN_COMMON_PLACES.
    """
    steps = range(-MAX_SHIFT, MAX_SHIFT + 1)
    found = (measure_likeness(one, other.shift(down, right)) for down in steps for right in steps)
    return max((each for each in found if each is not None), default=None)


def _shift_bits(bits: int, distance: int) -> int:
    # The first place is the highest bit: a shift to the right or down moves bits to lower positions.
    return bits >> distance if distance >= 0 else (bits << -distance) & _ALL_BITS


def _mask_kept_columns(right: int) -> int:
    """The bits of places that stay inside the grid after a shift to the right, or to the left if negative."""
    columns = range(SIGNATURE_COLUMNS)
    row = sum(1 << (SIGNATURE_COLUMNS - 1 - each) for each in columns if 0 <= each + right < SIGNATURE_COLUMNS)
    return sum(row << (SIGNATURE_COLUMNS * each) for each in range(SIGNATURE_ROWS))
