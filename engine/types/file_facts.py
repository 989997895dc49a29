"""Facts about an uploaded file before it is ordered: when and how it was taken, and what it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.types.enhancements import PhotoType

SIGNATURE_ROWS, SIGNATURE_COLUMNS = 16, 16
"""The grid of a view signature."""
SIGNATURE_BITS = SIGNATURE_ROWS * SIGNATURE_COLUMNS
MIDDLE_TONE = 0.46
"""The mean luma (0-1) of a well exposed photo."""


class PersonalDetail(StrEnum):
    """Kinds of personal details that a photo's file may have besides the picture."""

    PLACE = "place"
    NAMES = "names"
    SERIAL_NUMBERS = "serial_numbers"
    CAPTIONS = "captions"


class DroppedContent(StrEnum):
    """Content of a photo's file that its result does not keep."""

    DEPTH = "depth"
    GAIN_MAP = "gain_map"
    OTHER_PICTURES = "other_pictures"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Facts about one photo's file; unknown ones are None.

    `width`, `height`: upright, in pixels. `taken_at`: the camera's local time, without a zone. `exposure_value`: at
    ISO 100, computed from the frame's settings. `perceptual_hash`: 64 bits in hexadecimal, similar for exposures of
    one view. `view_signature`: twice SIGNATURE_BITS in hexadecimal: which places of a grid are lighter than their
    left neighbors, and for which of them this is reliable. `brightness`: mean luma, 0-1. `guessed_type`: guessed
    from the content. `not_kept`: see DroppedContent. `place`: latitude and longitude in degrees.
    """

    width: int
    height: int
    taken_at: datetime | None
    exposure_value: float | None
    flash_fired: bool | None
    perceptual_hash: str
    view_signature: str
    brightness: float
    guessed_type: PhotoType | None
    not_kept: tuple[DroppedContent, ...] = ()
    place: tuple[float, float] | None = None


def find_middle_frame(frames: Sequence[FileFacts | None]) -> int:
    """Find the frame that shows most of the view: the one without flash that is nearest to a middle tone.

    Parameters
    ----------
    frames : Sequence of FileFacts or None
        The facts of each frame of one photo, None where they are not known.

    Returns
    -------
    int
        Its index in `frames`. If all known frames have flash, one of them; if none is known, the middle one.
    """
    known = [(place, facts) for place, facts in enumerate(frames) if facts is not None]
    candidates = [each for each in known if not each[1].flash_fired] or known
    if not candidates:
        return len(frames) // 2
    return min(candidates, key=lambda each: (abs(each[1].brightness - MIDDLE_TONE), each[0]))[0]
