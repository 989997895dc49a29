"""What is known of an uploaded file before it is ordered: when and how it was taken, and what it looks like."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from engine.types.enhancements import PhotoType

SIGNATURE_ROWS, SIGNATURE_COLUMNS = 16, 16
"""The grid of a view signature."""
SIGNATURE_BITS = SIGNATURE_ROWS * SIGNATURE_COLUMNS
MIDDLE_TONE = 0.46
"""The mean luma of a well exposed photo."""


class PersonalDetail(StrEnum):
    """What a photo's file may say beside the picture that is nobody else's business."""

    PLACE = "place"
    NAMES = "names"
    SERIAL_NUMBERS = "serial_numbers"
    CAPTIONS = "captions"


class NotKept(StrEnum):
    """What a photo's file may have that its result has not."""

    DEPTH = "depth"
    GAIN_MAP = "gain_map"
    OTHER_PICTURES = "other_pictures"


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one photo's file says, and shows.

    `width`, `height`: upright, in pixels. `taken_at`: the camera's own local time, without a zone.
    `exposure_value`: at ISO 100, of the settings that the frame was taken with. `perceptual_hash`: 64 bits in
    hexadecimal, alike for exposures of one view. `view_signature`: twice SIGNATURE_BITS in hexadecimal, which
    places of the picture grow lighter to the right, and which of them say anything. `brightness`: the mean of its
    luma, 0-1. `guessed_type`: by what it shows. What is None is not known. `not_kept`: see NotKept. `place`:
    latitude and longitude in degrees.
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
    not_kept: tuple[NotKept, ...] = ()
    place: tuple[float, float] | None = None


def find_middle_frame(frames: Sequence[FileFacts | None]) -> int:
    """The frame that shows most of the view: of those without flash the one nearest to a middle tone.

    Parameters
    ----------
    frames : Sequence of FileFacts or None
        What is known of each frame of one photo; None: nothing.

    Returns
    -------
    int
        Its place in `frames`. Where all known ones had flash, one of these; where none is known, the middle.
    """
    known = [(place, facts) for place, facts in enumerate(frames) if facts is not None]
    calm = [each for each in known if not each[1].flash_fired] or known
    if not calm:
        return len(frames) // 2
    return min(calm, key=lambda each: (abs(each[1].brightness - MIDDLE_TONE), each[0]))[0]
