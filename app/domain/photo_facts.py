"""What is known of an uploaded file before it is ordered: when and how it was taken, and what it looks like."""

from dataclasses import dataclass
from datetime import datetime

from app.domain.catalogue import PhotoType

SIGNATURE_ROWS, SIGNATURE_COLUMNS = 16, 16
"""The grid of a view signature."""
SIGNATURE_BITS = SIGNATURE_ROWS * SIGNATURE_COLUMNS


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one photo's file says, and shows.

    `width`, `height`: upright, in pixels. `taken_at`: the camera's own local time, without a zone.
    `exposure_value`: at ISO 100, of the settings that the frame was taken with. `perceptual_hash`: 64 bits in
    hexadecimal, alike for exposures of one view. `view_signature`: twice SIGNATURE_BITS in hexadecimal, which
    places of the picture grow lighter to the right, and which of them say anything. `brightness`: the mean of its
    luma, 0-1. `guessed_type`: by what it shows. What is None is not known.
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
